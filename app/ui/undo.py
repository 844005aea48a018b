"""What a person did last, so that it can be taken back, one step at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

KEPT = 50


@dataclass(frozen=True, slots=True)
class Done:
    """One act in words, how to undo it, and the cards it touched."""

    told: str
    undo: Callable[[], Awaitable[object]]
    cards: tuple[int, ...] = ()


class UndoStack:
    """The last acts, newest on top."""

    def __init__(self) -> None:
        self._done: deque[Done] = deque(maxlen=KEPT)

    def push(self, done: Done) -> None:
        """Remembers an act."""
        self._done.append(done)

    def pop(self) -> Done | None:
        """The newest act, which is forgotten; None where there is none."""
        return self._done.pop() if self._done else None
