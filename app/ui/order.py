"""The order of the feed in memory: which key stands where, and which line of the list that is.

It repeats the rule of the database (newest `at` first, then the larger key; quiet cards in a section of their own
at the end), so that a new card finds its place without reading the whole order again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable

from agents.models import Urgency
from storage.models import Card

CARD_LINES = 4
RULE_LINES = 2


def quiet(card: Card) -> bool:
    """Whether a card belongs in the section at the bottom: FYI, or not scored."""
    return card.urgency is None or card.urgency is Urgency.FYI


class FeedOrder:
    """Keys in screen order with the geometry of the list. `load` reads a card by key."""

    def __init__(self, load: Callable[[int], Card | None]) -> None:
        self._load = load
        self.keys: list[int] = []
        self._known: set[int] = set()
        self.loud = 0
        """How many keys stand before the quiet section."""
        self.sectioned = True

    def __contains__(self, key: int) -> bool:
        return key in self._known

    def __len__(self) -> int:
        return len(self.keys)

    def replace(self, keys: Iterable[int], loud: int, *, sectioned: bool) -> None:
        """Takes a whole order as the database gave it."""
        self.keys = list(keys)
        self._known = set(self.keys)
        self.sectioned = sectioned
        self.loud = min(loud, len(self.keys)) if sectioned else len(self.keys)

    @property
    def has_rule(self) -> bool:
        """Whether the quiet section is there and needs its rule."""
        return self.sectioned and self.loud < len(self.keys)

    @property
    def height(self) -> int:
        """Lines of the whole list."""
        return len(self.keys) * CARD_LINES + (RULE_LINES if self.has_rule else 0)

    def index(self, key: int) -> int | None:
        """Where `key` stands, None if it is not shown."""
        return self.keys.index(key) if key in self._known else None

    def line(self, index: int) -> int:
        """The first line of the card at `index`."""
        return index * CARD_LINES + (RULE_LINES if self.has_rule and index >= self.loud else 0)

    def at(self, line: int) -> tuple[int, int] | None:
        """The card at a line and the line within it; None on the rule and past the end."""
        if self.has_rule and line >= self.loud * CARD_LINES:
            line -= RULE_LINES
            if line < self.loud * CARD_LINES:
                return None
        index, within = divmod(line, CARD_LINES)
        return (index, within) if 0 <= index < len(self.keys) else None

    def first_from(self, line: int) -> int:
        """The first card that begins at `line` or is cut by it; the last one past the end."""
        while line < self.height:
            if found := self.at(line):
                return found[0]
            line += 1
        return max(len(self.keys) - 1, 0)

    def place(self, card: Card) -> int | None:
        """Puts `card` where it belongs and returns its new index; None where it stood there already."""
        was = self.index(card.key)
        if was is not None:
            self._take(was)
        into = self._spot(card)
        self.keys.insert(into, card.key)
        self._known.add(card.key)
        if self.sectioned and not quiet(card):
            self.loud += 1
        elif not self.sectioned:
            self.loud = len(self.keys)
        return None if was == into else into

    def remove(self, key: int) -> None:
        """Takes `key` out, if it is there."""
        index = self.index(key)
        if index is not None:
            self._take(index)

    def _take(self, index: int) -> None:
        self._known.discard(self.keys.pop(index))
        if index < self.loud:
            self.loud -= 1

    def _spot(self, card: Card) -> int:
        low, high = 0, len(self.keys)
        if self.sectioned:
            low, high = (self.loud, high) if quiet(card) else (0, self.loud)
        return bisect_left(self.keys, _rank(card), low, high, key=self._rank_of)

    def _rank_of(self, key: int) -> tuple[float, int]:
        card = self._load(key)
        return (float("inf"), -key) if card is None else _rank(card)


def _rank(card: Card) -> tuple[float, int]:
    return (-card.at.timestamp(), -card.key)
