"""When an edit counts as a revision: a feed in unrest costs a bounded number of them, and its last word is taken.

The first edits of a day count at once. After `AT_ONCE` of them, and where a text goes back to words the item had before
(a publisher's two servers that disagree, a headline under test), the present words must have stood for a while, longer
with each edit of the day. Nothing is lost by that: the feed still says it at the next poll.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from feeds.stories.meaning import meaning_hash
from storage.encoding import moment, stamp

DAY: Final = timedelta(days=1)
AT_ONCE: Final = 4
"""So many edits within a day count at once."""
PATIENCE: Final = timedelta(minutes=10)
"""How long the words must have stood before the next edit counts; doubled by each further one, up to `LONGEST`."""
LONGEST: Final = timedelta(hours=6)
FLIP: Final = timedelta(hours=1)
"""How long they must have stood before the item goes back to words it had."""


def patience(edits: int, *, flips: bool) -> timedelta:
    """How long the present words of an item must have stood after so many `edits` within a day."""
    over = edits - AT_ONCE
    wait = min(PATIENCE * 2 ** min(over, 10), LONGEST) if over >= 0 else timedelta()
    return max(wait, FLIP) if flips else wait


def settled(connection: sqlite3.Connection, item: int, content_hash: str, now: datetime) -> bool:
    """Whether an edit of an item to words of this `meaning_hash` counts now."""
    rows: Sequence[tuple[str, str, int]] = connection.execute(_EARLIER, (item, stamp(now - DAY))).fetchall()
    if not rows:
        return True
    flips = any(meaning_hash(title, summary) == content_hash for title, summary, _ in rows[:AT_ONCE])
    return now - moment(rows[0][2]) >= patience(len(rows), flips=flips)


_EARLIER: Final = (
    "SELECT title, summary, replaced_at FROM earlier_text WHERE item = ? AND replaced_at > ? ORDER BY revision DESC"
)
