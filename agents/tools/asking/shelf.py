"""Answers that outlive the program: those of sources that change slowly are asked for once and not at every start."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

from agents.tools.asking.request import Identity, Reply

KEPT_FROM_S: Final = 3_600.0
"""Answers with at least this lifetime are kept."""
_CLOCK_SLACK: Final = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class KeptReply:
    """An answer as it came, when, and until when it may be given again."""

    reply: Reply
    fetched_at: datetime
    until: datetime

    def credible(self, now: datetime) -> bool:
        """Whether its time can be: one from after `now` was kept under a clock that was wrong."""
        return self.fetched_at <= now + _CLOCK_SLACK


class Shelf(Protocol):
    """Keeps answers for all programs of the user; implemented by storage. It never raises."""

    async def find(self, digest: str) -> KeptReply | None:
        """What is kept under this digest, fresh or not."""
        ...

    async def keep(self, digest: str, source: str, kept: KeptReply) -> None:
        """Keeps an answer in the place of the one before."""
        ...


def digest(identity: Identity) -> str:
    """The name a question's answer is kept under; a key inside the question cannot be read from it."""
    source, url, content = identity
    return hashlib.sha256(b"\0".join((source.encode(), url.encode(), content or b""))).hexdigest()
