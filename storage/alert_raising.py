"""Whether a story may alert again, decided in the transaction that saves its signal, and the record of why."""

from __future__ import annotations

import sqlite3
from typing import Final

from agents.models import Urgency
from storage.alerts import AlertDraft, Outcome, Step
from storage.encoding import BY_RANK, RANK, dump, moment, stamp, storable

_STORY: Final = (
    "SELECT opener.item_id, item.item_id, item.new_fact FROM item JOIN item AS opener ON opener.id = item.card"
    " WHERE item.id = ?"
)
_DECIDE: Final = (
    "INSERT INTO alert_decision (item, revision, decided_at, outcome, alert, trace) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (item, revision) DO UPDATE SET decided_at = excluded.decided_at, outcome = excluded.outcome,"
    " alert = excluded.alert, trace = excluded.trace WHERE alert IS NULL OR excluded.alert IS NOT NULL"
)
"""What a revision alerted with stays on record when the same revision is decided on again and stays silent."""


def raise_alert(
    connection: sqlite3.Connection, item: int, revision: int, card: int, urgency: Urgency, draft: AlertDraft
) -> str | None:
    """Puts an alert into the outbox if the story may alert, and returns its key; None where it stays silent.

    Whatever comes of it is kept with its trace.
    """
    key, outcome, trace = None, draft.outcome, list(draft.trace)
    if outcome == "alert":
        key, step = _story_gate(connection, item, card, draft.urgency or urgency)
        trace.append(step)
        if key is None:
            outcome = "told before"
        else:
            trace += _insert(connection, key, item, card, draft, draft.urgency or urgency, step)
    _keep(connection, item, revision, draft, outcome, key, trace)
    return key


def _story_gate(connection: sqlite3.Connection, item: int, card: int, urgency: Urgency) -> tuple[str | None, Step]:
    """The key of the alert the story may raise, or None, with the reason."""
    rank = RANK[urgency] or 0
    told = connection.execute("SELECT urgency, item FROM alert WHERE card = ?", (card,)).fetchall()
    story_id, item_id, new_fact = connection.execute(_STORY, (item,)).fetchone()
    key = f"{story_id}:{urgency}"
    if not told:
        return key, Step("story", "passed", "first alert of this story")
    highest = max(level for level, _ in told)
    if rank > highest:
        return key, Step("story", "passed", f"urgency rose from {BY_RANK[highest]} to {urgency}")
    if new_fact and all(teller != item for _, teller in told):
        return f"{key}:{item_id}", Step("story", "passed", "a new fact in the story")
    again = "this item alerted already" if any(teller == item for _, teller in told) else "no new fact since"
    return None, Step("story", "stopped", f"the story alerted already as {BY_RANK[highest]}, {again}")


def _insert(
    connection: sqlite3.Connection, key: str, item: int, card: int, draft: AlertDraft, urgency: Urgency, story: Step
) -> list[Step]:
    """Writes the alert and its deliveries; returns what the cooldown said."""
    steps: list[Step] = []
    due_at, held, kind = 0, "", draft.kind
    if draft.cooldown and draft.kind:
        began, ends = stamp(draft.created_at - draft.cooldown), None
        last = connection.execute(
            "SELECT max(created_at) FROM alert WHERE kind = ? AND created_at > ? AND created_at <= ?",
            (draft.kind, began, stamp(draft.created_at)),
        ).fetchone()[0]
        if last is not None:
            ends = moment(last) + draft.cooldown
            due_at, held, kind = stamp(ends), "cooldown", ""
        detail = f"{draft.kind}: " + (f"held until {ends:%Y-%m-%d %H:%M:%S} UTC" if ends else "none before it")
        steps.append(Step("cooldown", "held" if ends else "passed", detail))
    again = "" if story.detail.startswith("first") else f"; {story.detail}"
    connection.execute(
        "INSERT INTO alert (key, card, item, urgency, reason, created_at, kind) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (key, card, item, RANK[urgency] or 0, storable(draft.reason + again), stamp(draft.created_at), storable(kind)),
    )
    connection.executemany(
        "INSERT INTO delivery (alert, channel, due_at, held) VALUES (?, ?, ?, ?)",
        [(key, channel, due_at, held) for channel in draft.channels],
    )
    return steps


def _keep(
    connection: sqlite3.Connection,
    item: int,
    revision: int,
    draft: AlertDraft,
    outcome: Outcome,
    key: str | None,
    trace: list[Step],
) -> None:
    values = (item, revision, stamp(draft.created_at), outcome, key, dump([list(step) for step in trace]))
    connection.execute(_DECIDE, values)
