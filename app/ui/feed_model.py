"""What the feed shows: the filter, the order and the cards, kept in step with the database without reading it whole."""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace

from app.ui.card_cache import CardCache
from app.ui.control import Cards
from app.ui.order import FeedOrder, quiet
from storage.models import CardFilter

FIRST_KEYS = 500
"""How many keys are read before the first paint; the rest follows from a thread."""


class FeedModel:
    """Order and cards under one filter. Marks (read, star) never take a card away; only a new filter does."""

    def __init__(self, cards: Cards) -> None:
        self._cards = cards
        self.cache = CardCache(cards)
        self.order = FeedOrder(self.cache.get)
        self.filter = CardFilter()
        self.complete = True
        self._generation = 0
        self._since: set[int] = set()

    def load(self, filter: CardFilter) -> None:
        """Applies a filter: its newest keys at once. `complete` is False while the rest is still to be read."""
        self._generation += 1
        self._since.clear()
        self.filter = filter
        self.cache.clear()
        keys = self._cards.order(filter, FIRST_KEYS)
        self.complete = len(keys) < FIRST_KEYS and not filter.looks_inside
        self._take(keys)

    async def load_rest(self) -> bool:
        """Reads the whole order in a thread; False if another filter came in between."""
        generation = self._generation
        keys = await asyncio.to_thread(self._cards.order, self.filter)
        if generation != self._generation:
            return False
        self._take(keys)
        self.complete = True
        late, self._since = self._since, set()
        self._put_all(late)
        return True

    def apply(self, keys: Iterable[int]) -> tuple[int, ...]:
        """Takes a batch of changed keys in; returns those that are new here or have moved."""
        changed = set(keys)
        if not self.complete:
            self._since |= changed
        return self._put_all(changed)

    def _put_all(self, keys: Iterable[int]) -> tuple[int, ...]:
        cards = self.cache.fetch(keys)
        wanted = self._wanted([card.key for card in cards])
        placed = []
        for card in cards:
            if card.key not in wanted:
                self.order.remove(card.key)
            elif self.order.place(card) is not None:
                placed.append(card.key)
        return tuple(placed)

    def _wanted(self, keys: Sequence[int]) -> set[int]:
        """Those of `keys` that belong into the list; of one that is shown its marks are not asked."""
        if replace(self.filter, fyi_last=True) == CardFilter():
            return set(keys)
        unmarked = replace(self.filter, unread_only=False, starred_only=False)
        shown = [key for key in keys if key in self.order]
        others = [key for key in keys if key not in self.order]
        return self._cards.matching(unmarked, shown) | self._cards.matching(self.filter, others)

    def _take(self, keys: Sequence[int]) -> None:
        sectioned = self.filter.fyi_last
        loud = bisect_left(keys, True, key=self._is_quiet) if sectioned else len(keys)
        self.order.replace(keys, loud, sectioned=sectioned)

    def _is_quiet(self, key: int) -> bool:
        card = self.cache.get(key)
        return card is None or quiet(card)
