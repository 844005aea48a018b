"""Which alerts go out together. Pure.

A message that may have arrived already is repeated as it was, under its own key. Of the rest, what was held back comes
as one digest, and so does everything where more wait than a person wants to hear one by one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from storage.alerts import AlertDue

TRIED_OFTEN: Final = 5
"""An alert that failed so often lets the others go first: it may be the alert's own fault."""


@dataclass(frozen=True, slots=True)
class Group:
    """The alerts of one message."""

    key: str
    due: tuple[AlertDue, ...]
    repeat: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of its alerts."""
        return tuple(one.key for one in self.due)


def grouped(due: Sequence[AlertDue], *, singles: int | None) -> list[Group]:
    """The messages to send, in order. More than `singles` fresh ones are one digest; None never makes one of these."""
    repeated: dict[str, list[AlertDue]] = {}
    fresh: list[AlertDue] = []
    for one in due:
        if one.unanswered and one.message:
            repeated.setdefault(one.message, []).append(one)
        else:
            fresh.append(one)
    groups = [Group(key, tuple(members), repeat=True) for key, members in repeated.items()]
    if singles is not None and len(fresh) > singles:
        return [*groups, _together(fresh)]
    held = [one for one in fresh if one.held]
    if held:
        groups.append(_together(held))
    alone = sorted((one for one in fresh if not one.held), key=lambda one: one.attempts >= TRIED_OFTEN)
    return [*groups, *(_together([one]) for one in alone)]


def _together(members: Sequence[AlertDue]) -> Group:
    if len(members) == 1:
        return Group(members[0].key, tuple(members))
    digest = hashlib.sha256("\n".join(one.key for one in members).encode("utf-8", "replace")).hexdigest()
    return Group(f"digest:{digest[:24]}", tuple(members))
