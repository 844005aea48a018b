"""The read side of alerts: the log, why a signal alerted or did not, what is silenced, notes. Synchronous and quick."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from agents.models import Urgency
from storage.alerts import AlertContent, Decision, Delivery, LoggedAlert, Mute, Step
from storage.encoding import BY_RANK, load, moment, moment_or_none, stamp
from storage.mutes import ACTIVE, mute_of
from storage.notes import NOTE_OF
from storage.outbox import CONTENT_COLUMNS, CONTENT_JOINS, content_of
from storage.point_reads import PointReads

_LOG: Final = (
    "SELECT alert.key, alert.card, item.item_id, alert.urgency, item.title, alert.reason, alert.created_at,"
    " alert.acknowledged_at, alert.acknowledged_by FROM alert JOIN item ON item.id = alert.item"
)
_DELIVERIES: Final = (
    "SELECT channel, state, attempts, unanswered, held, error, delivered_at, message FROM delivery WHERE alert = ?"
    " ORDER BY channel <> 'terminal', channel"
)
_DECISION: Final = (
    "SELECT item.item_id, alert_decision.revision, item.title, decided_at, outcome, alert, trace"
    " FROM alert_decision JOIN item ON item.id = alert_decision.item"
)


class AlertReader:
    """What is known of alerts in an existing database. Any thread may ask; raises StorageError."""

    def __init__(self, path: Path) -> None:
        self._reads = PointReads(path)

    def __enter__(self) -> AlertReader:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the reader."""
        self._reads.close()

    def log(self, *, limit: int = 200, dead_only: bool = False) -> list[LoggedAlert]:
        """The newest alerts first, each with its way through the channels."""
        only = " WHERE alert.key IN (SELECT alert FROM delivery WHERE state = 'dead')" if dead_only else ""
        with self._reads.snapshot():
            rows = self._reads.rows(f"{_LOG}{only} ORDER BY alert.created_at DESC, alert.key LIMIT ?", (limit,))
            return [self._logged(row) for row in rows]

    def _logged(self, row: Any) -> LoggedAlert:
        deliveries = tuple(
            Delivery(one[0], one[1], one[2], one[3], one[4], one[5], moment_or_none(one[6]), one[7])
            for one in self._reads.rows(_DELIVERIES, (row[0],))
        )
        return LoggedAlert(
            row[0],
            row[1],
            row[2],
            BY_RANK[row[3]],
            row[4],
            row[5],
            moment(row[6]),
            moment_or_none(row[7]),
            row[8],
            deliveries,
        )

    def content(self, key: str) -> AlertContent | None:
        """What an alert says; None where there is none of this key."""
        rows = self._reads.rows(f"SELECT {CONTENT_COLUMNS} FROM alert {CONTENT_JOINS} WHERE alert.key = ?", (key,))
        return content_of(rows[0]) if rows else None

    def alert(self, key: str) -> LoggedAlert | None:
        """One alert of the log."""
        rows = self._reads.rows(f"{_LOG} WHERE alert.key = ?", (key,))
        return self._logged(rows[0]) if rows else None

    def decisions(self, name: str) -> list[Decision]:
        """Why an item's revisions alerted or did not, newest first. `name` is an item's id, its beginning if that is
        unique, or the key of an alert."""
        with self._reads.snapshot():
            rows = self._reads.rows(f"{_DECISION} WHERE alert_decision.alert = ?", (name,))
            if not rows and (item := self.item(name)):
                rows = self._reads.rows(f"{_DECISION} WHERE item.item_id = ? ORDER BY decided_at DESC", (item,))
        return [
            Decision(
                row[0], row[1], row[2], moment(row[3]), row[4], row[5], tuple(Step(*step) for step in load(row[6]))
            )
            for row in rows
        ]

    def item(self, name: str) -> str | None:
        """The id of the item called `name`, or of the only one whose id begins so."""
        rows = self._reads.rows(
            "SELECT item_id FROM item WHERE item_id >= ? AND item_id < ? ORDER BY item_id LIMIT 2",
            (name, f"{name}\U0010ffff"),
        )
        if not rows or (len(rows) > 1 and rows[0][0] != name):
            return None
        return str(rows[0][0])

    def urgency(self, item_id: str) -> tuple[str, Urgency | None]:
        """The title of an item and the urgency of its score."""
        title, rank = self._reads.rows(
            "SELECT title, urgency FROM item JOIN scoring ON scoring.item = item.id WHERE item_id = ?", (item_id,)
        )[0]
        return str(title), None if rank is None else BY_RANK[rank]

    def story(self, item_id: str) -> str | None:
        """The id of the story an item belongs to."""
        rows = self._reads.rows(
            "SELECT opener.item_id FROM item JOIN item AS opener ON opener.id = item.card WHERE item.item_id = ?",
            (item_id,),
        )
        return str(rows[0][0]) if rows else None

    def source_names(self) -> list[str]:
        """The names of all sources that ever gave an item."""
        return [name for (name,) in self._reads.rows("SELECT name FROM source ORDER BY name COLLATE NOCASE")]

    def mutes(self, now: datetime) -> list[Mute]:
        """What is silenced at `now`."""
        return [mute_of(row) for row in self._reads.rows(ACTIVE, (stamp(now),))]

    def note(self, card: int) -> str:
        """What a person wrote about a story; empty where nothing."""
        rows = self._reads.rows(NOTE_OF, (card,))
        return str(rows[0][0]) if rows else ""
