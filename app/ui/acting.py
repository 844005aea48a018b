"""What a person does to cards and alerts, run beside the screen: it never waits, and a refusal is said, not fatal."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any

from textual.screen import Screen

from app.ui.control import Control
from app.ui.guarded import guarded
from storage.models import Card


class Acting:
    """Hands a person's acts to `control`; `done` is called with the keys of the cards that an act has changed."""

    def __init__(self, screen: Screen[Any], control: Control, done: Callable[[Iterable[int]], None]) -> None:
        self._screen = screen
        self._control = control
        self._done = done

    def read(self, card: Card | None) -> None:
        """Marks a card as read."""
        if card is not None and not card.read:
            self._run(self._control.mark_read([card.key]), [card.key])

    def star(self, card: Card | None) -> None:
        """Stars a card, or takes its star off."""
        if card is not None:
            self._run(self._control.star(card.key, not card.starred), [card.key])

    def acknowledge(self, alerts: Sequence[str]) -> None:
        """Acknowledges alerts by their outbox keys."""
        if alerts:
            self._run(self._control.acknowledge(alerts))

    def check(self, source_id: str | None) -> None:
        """Asks one source now, or all of them."""
        self._run(self._control.check_now(source_id))

    def _run(self, act: Coroutine[Any, Any, None], keys: Iterable[int] = ()) -> None:
        self._screen.run_worker(self._finish(act, keys), exit_on_error=False)

    async def _finish(self, act: Coroutine[Any, Any, None], keys: Iterable[int]) -> None:
        if await guarded(self._screen, act):
            self._done(keys)
