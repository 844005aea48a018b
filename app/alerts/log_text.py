"""The log of alerts, decisions and mutes as lines to read and as JSON."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import Any

from app.log import one_line
from storage.alerts import Decision, Delivery, LoggedAlert, Mute

STATE = {"waiting": "waits", "sent": "sent", "dead": "DEAD LETTER", "skipped": "skipped"}


def alert_lines(row: LoggedAlert, zone: tzinfo) -> list[str]:
    """An alert with a line for each channel."""
    seen = f"  acknowledged by {row.acknowledged_by}" if row.acknowledged_at else ""
    head = f"{row.created_at.astimezone(zone):%Y-%m-%d %H:%M:%S}  {row.urgency:<5}  {one_line(row.title)}{seen}"
    return [
        head,
        f"    {row.key}  {one_line(row.reason)}",
        *(f"    {delivery_line(one, zone)}" for one in row.deliveries),
    ]


def delivery_line(one: Delivery, zone: tzinfo) -> str:
    """How an alert stands on one channel, in words."""
    parts = [f"{one.channel}: {STATE[one.state]}"]
    if one.state == "sent" and one.delivered_at:
        parts[0] += f" {one.delivered_at.astimezone(zone):%H:%M:%S}"
    if one.message.startswith("digest:"):
        parts.append("in a digest")
    if one.held:
        parts.append(f"held: {one.held}")
    if one.attempts > 1 or (one.attempts and one.state != "sent"):
        parts.append(f"{one.attempts} attempt{'s' * (one.attempts > 1)}")
    if one.unanswered:
        parts.append(f"{one.unanswered} without an answer")
    if one.error:
        parts.append(one_line(one.error))
    return ", ".join(parts)


def decision_lines(one: Decision, alert: LoggedAlert | None, zone: tzinfo) -> list[str]:
    """Why a revision alerted or did not: a line for each gate, then what became of the alert."""
    revision = f" revision {one.revision}" if one.revision else ""
    lines = [
        one_line(one.title),
        f"  {one.item_id}{revision}, decided {one.decided_at.astimezone(zone):%Y-%m-%d %H:%M:%S}",
    ]
    width = max((len(step.gate) for step in one.trace), default=0)
    lines += [f"  {step.gate:<{width}}  {step.verdict:<7}  {one_line(step.detail)}" for step in one.trace]
    lines.append(f"  => {one.outcome}{f' {one.alert}' if one.alert else ''}")
    if alert is not None:
        lines += [f"     {delivery_line(delivery, zone)}" for delivery in alert.deliveries]
    return lines


def mute_line(one: Mute, now: datetime, zone: tzinfo) -> str:
    """A mute with its number and how long it lasts."""
    until = one.until.astimezone(zone)
    left = int((one.until - now).total_seconds() // 60) + 1
    told = f"{left} min" if left < 120 else f"{left // 60} h"
    what = "everything" if one.kind == "all" else f"{one.kind} {one_line(one.shown)}"
    return f"{one.id:>4}  {what}  until {until:%Y-%m-%d %H:%M}, {told} left"


def alert_json(row: LoggedAlert) -> dict[str, Any]:
    """An alert for scripts."""
    return {
        "key": row.key,
        "item": row.item_id,
        "urgency": str(row.urgency),
        "title": row.title,
        "reason": row.reason,
        "raised_at": row.created_at.isoformat(),
        "acknowledged_at": row.acknowledged_at.isoformat() if row.acknowledged_at else None,
        "acknowledged_by": row.acknowledged_by or None,
        "deliveries": [
            {
                "channel": one.channel,
                "state": one.state,
                "attempts": one.attempts,
                "unanswered": one.unanswered,
                "held": one.held or None,
                "error": one.error or None,
                "delivered_at": one.delivered_at.isoformat() if one.delivered_at else None,
                "message": one.message or None,
            }
            for one in row.deliveries
        ],
    }


def decision_json(one: Decision, alert: LoggedAlert | None) -> dict[str, Any]:
    """A decision for scripts."""
    return {
        "item": one.item_id,
        "revision": one.revision,
        "title": one.title,
        "decided_at": one.decided_at.isoformat(),
        "outcome": one.outcome,
        "trace": [step._asdict() for step in one.trace],
        "alert": alert_json(alert) if alert else None,
    }


def mute_json(one: Mute) -> dict[str, Any]:
    """A mute for scripts."""
    return {
        "id": one.id,
        "kind": one.kind,
        "value": one.value,
        "shown": one.shown,
        "made_at": one.made_at.isoformat(),
        "until": one.until.isoformat(),
        "made_by": one.made_by,
    }
