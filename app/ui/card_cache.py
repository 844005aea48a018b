"""Cards read from the database by page and kept while they are near the eye."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from app.ui.control import Cards
from storage.models import Card

PAGE = 40
K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A mapping that keeps what was used last. Unlike Textual's cache it replaces the value of a key it holds."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._held: dict[K, V] = {}

    def __contains__(self, key: K) -> bool:
        return key in self._held

    def get(self, key: K) -> V | None:
        """The value, which now counts as used last."""
        value = self._held.pop(key, None)
        if value is not None:
            self._held[key] = value
        return value

    def put(self, key: K, value: V) -> None:
        """Keeps `value`; the one that was not used for longest makes room."""
        self._held.pop(key, None)
        self._held[key] = value
        if len(self._held) > self._capacity:
            del self._held[next(iter(self._held))]

    @property
    def keys(self) -> tuple[K, ...]:
        """What is held, the least used first."""
        return tuple(self._held)

    def clear(self) -> None:
        """Forgets everything."""
        self._held.clear()


class CardCache:
    """The newest reading of the cards that were looked at last."""

    def __init__(self, cards: Cards, capacity: int = 2_000) -> None:
        self._cards = cards
        self._held: Recent[int, Card] = Recent(capacity)
        self.mark: Callable[[Card], Card] = lambda card: card
        """Adds what the screen knows of a card and the database does not."""

    @property
    def keys(self) -> tuple[int, ...]:
        """The cards that are held."""
        return self._held.keys

    def get(self, key: int) -> Card | None:
        """One card; read if it is not held."""
        card = self._held.get(key)
        if card is None:
            self.fetch([key])
            card = self._held.get(key)
        return card

    def near(self, keys: Sequence[int], index: int) -> Card | None:
        """The card at `index`, reading the page around it at once where it is missing."""
        card = self._held.get(keys[index])
        if card is None:
            start = max(index - PAGE // 4, 0)
            self.fetch([key for key in keys[start : start + PAGE] if key not in self._held])
            card = self._held.get(keys[index])
        return card

    def fetch(self, keys: Iterable[int]) -> list[Card]:
        """Reads `keys` again and returns the cards that exist."""
        found = [self.mark(card) for card in self._cards.cards(list(keys))]
        for card in found:
            self._held.put(card.key, card)
        return found

    def clear(self) -> None:
        """Forgets everything."""
        self._held.clear()
