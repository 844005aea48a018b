"""Which of a story's items its card shows: the first with the story's highest urgency, the earliest while unscored."""

from __future__ import annotations

import sqlite3
from typing import Final

from storage.encoding import moment, stamp
from storage.rows import published
from storage.stories import card_time

_SHOWN: Final = (
    "SELECT item, urgency FROM scoring WHERE card = ? AND urgency IS NOT NULL ORDER BY urgency DESC, item LIMIT 1"
)


def refresh(connection: sqlite3.Connection, card: int) -> None:
    """Brings a card in line with the signals of its story.

    The first item of the highest urgency is shown: a later copy that scores a hundredth more does not change a headline
    that somebody is reading. A card whose urgency rises to NOTE or above is unread again.
    """
    item, urgency = connection.execute(_SHOWN, (card,)).fetchone() or (card, None)
    at, precision, doubt, seen, backlog = connection.execute(
        "SELECT published_at, precision, doubt, first_seen_at, backlog FROM item WHERE id = ?", (item,)
    ).fetchone()
    sorted_at = card_time(published(at, precision, doubt), moment(seen), backlog=bool(backlog))
    connection.execute(
        "UPDATE card SET item = ?1, at = ?2, urgency = ?3,"
        " unread = iif(coalesce(?3, 0) > coalesce(urgency, 0), 1, unread)"
        " WHERE key = ?4 AND (item, at, urgency) IS NOT (?1, ?2, ?3)",
        (item, stamp(sorted_at), urgency, card),
    )
