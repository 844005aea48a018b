"""Answers of public sources for as long as they may be given again."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from agents.tools.errors import SourceError
from agents.tools.request import Got

Identity: TypeAlias = tuple[str, str, bytes | None]

KEPT: Final = 500
"""Answers kept; the one asked for longest ago goes first."""
STALE_S: Final = 86_400.0
"""An answer older than this is not given even when its source is down."""


@dataclass(frozen=True, slots=True)
class Held:
    """An answer, a failure, or a failure after an answer; given again until `until`. `came` is when the answer came."""

    until: float
    came: float
    got: Got[Any] | None = None
    error: SourceError | None = None


class Memory:
    """All times are seconds of one clock that never runs backwards."""

    def __init__(self) -> None:
        self._held: OrderedDict[Identity, Held] = OrderedDict()

    def fresh(self, identity: Identity, now: float) -> Held | None:
        """What is held and may be given again."""
        held = self._held.get(identity)
        if held is None or now >= held.until:
            return None
        self._held.move_to_end(identity)
        return held

    def stale(self, identity: Identity, now: float, why: SourceError) -> Got[Any] | None:
        """An old answer, marked with its age and the reason; None where there is none that may still be given."""
        held = self._held.get(identity)
        if held is None or held.got is None or now - held.came > STALE_S:
            return None
        return replace(held.got, stale=f"from {held.got.fetched_at:%Y-%m-%d %H:%M} UTC, because {why}")

    def answered(self, identity: Identity, got: Got[Any], now: float, lifetime_s: float) -> None:
        """Keeps an answer."""
        self._keep(identity, Held(now + lifetime_s, now, got))

    def failed(self, identity: Identity, error: SourceError, now: float, lifetime_s: float) -> None:
        """Keeps a failure, beside the answer that came before it."""
        held = self._held.get(identity)
        self._keep(identity, Held(now + lifetime_s, held.came if held else now, held.got if held else None, error))

    def _keep(self, identity: Identity, held: Held) -> None:
        self._held[identity] = held
        self._held.move_to_end(identity)
        if len(self._held) > KEPT:
            self._held.popitem(last=False)
