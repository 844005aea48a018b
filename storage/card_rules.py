"""Which of a story's items its card shows: the first with the story's highest urgency, the earliest while unscored."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final

from storage.connection import rows_among, update_rows
from storage.encoding import Row, moment, stamp
from storage.rows import published
from storage.stories import card_time

_SHOWN: Final = (
    "WITH asked(key) AS (VALUES {}), shown AS (SELECT card.key AS card, coalesce((SELECT item FROM scoring"
    " WHERE scoring.card = card.key AND urgency IS NOT NULL ORDER BY urgency DESC, item LIMIT 1), card.key) AS item"
    " FROM asked JOIN card ON card.key = asked.key)"
    " SELECT card.key, card.item, card.at, card.urgency, card.unread, item.id, scoring.urgency, item.published_at,"
    " item.precision, item.doubt, item.first_seen_at, item.backlog FROM shown JOIN card ON card.key = shown.card"
    " JOIN item ON item.id = shown.item JOIN scoring ON scoring.item = item.id"
)


def refresh(connection: sqlite3.Connection, cards: Sequence[int]) -> None:
    """Brings cards in line with the signals of their stories.

    The first item of the highest urgency is shown: a later copy that scores a hundredth more does not change a headline
    that somebody is reading. A card whose urgency rises to NOTE or above is unread again.
    """
    changed: list[Row] = []
    for key, item, at, urgency, unread, *shown in rows_among(connection, _SHOWN, cards):
        new_item, new_urgency, told_at, precision, doubt, seen, backlog = shown
        sorted_at = stamp(card_time(published(told_at, precision, doubt), moment(seen), backlog=bool(backlog)))
        if (item, at, urgency) != (new_item, sorted_at, new_urgency):
            rises = (new_urgency or 0) > (urgency or 0)
            changed.append((key, new_item, sorted_at, new_urgency, 1 if rises else unread))
    update_rows(connection, "card", "key", ("item", "at", "urgency", "unread"), changed)
