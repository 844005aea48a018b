"""The log of alerts as rows: what is silent, then each alert with its way through the channels, and why if asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from app.alerts.log_text import delivery_line
from app.ui.format import URGENCY_ROLE, card_time, count, moment, until
from app.ui.line import Role, Span, fit, left, said
from app.ui.pages.page import GAP, Row, View, heading, paragraph
from storage.alerts import Decision, Delivery, DeliveryState, LoggedAlert, Mute

MUTE = "mute:"
ALERT = "alert:"
_ROLE: dict[DeliveryState, Role] = {"waiting": "alert", "sent": "muted", "dead": "bad", "skipped": "muted"}


def alert_rows(
    log: Sequence[LoggedAlert],
    mutes: Sequence[Mute],
    opened: Mapping[str, Sequence[Decision]],
    view: View,
    *,
    dead_only: bool,
) -> list[Row]:
    """The whole page; `opened` holds the reasons of the alerts that are opened."""
    dead = sum(one.state == "dead" for row in log for one in row.deliveries)
    waiting = sum(one.state == "waiting" for row in log for one in row.deliveries)
    told = Span(f"  {count(dead, 'dead letter')}", "bad") if dead else Span("")
    waits = Span(f"  {waiting} waiting", "alert") if waiting else Span("")
    rows = [Row((Span("Alerts", "title"), Span("  only dead letters" if dead_only else "", "warn"), waits, told)), GAP]
    if mutes:
        rows += [heading("Silent now"), *(_mute(one, view) for one in mutes), GAP]
    if not log:
        rows.append(Row((Span("no dead letters" if dead_only else "no alerts yet", "muted"),)))
    for row in log:
        rows += _alert(row, view)
        for decision in opened.get(row.key, ()):
            rows += _why(decision, view)
    return rows


def _mute(one: Mute, view: View) -> Row:
    what = "everything" if one.kind == "all" else f"{one.kind} {said(one.shown, limit=120)}"
    ends = f"  until {moment(one.until, view.now, view.zone, 'minute')}, {until(one.until, view.now)}"
    return Row((Span(fit(what, max(view.cells - 40, 10)), "text"), Span(ends, "muted")), opens=f"{MUTE}{one.id}")


def _alert(row: LoggedAlert, view: View) -> Iterator[Row]:
    seen = Span(" ✓" if row.acknowledged_at else "  ", "good")
    start = Span(left(f"{row.urgency}", 6), URGENCY_ROLE[row.urgency])
    time = Span(left(card_time(row.created_at, view.now, view.zone), 7), "muted")
    title = Span(fit(said(row.title), max(view.cells - 16, 10)), "text")
    yield Row((start, time, title, seen), opens=f"{ALERT}{row.key}")
    for one in row.deliveries:
        if one.state != "sent" or one.attempts > 1 or one.held or len(row.deliveries) > 1:
            yield from paragraph(_told(one, view), view, _ROLE[one.state], indent=13, limit=2)


def _told(one: Delivery, view: View) -> str:
    from app.config.zone import zone  # the page is seldom open, and only then is the machine's zone looked up

    return said(delivery_line(one, view.zone or zone("local")), limit=400)


def _why(decision: Decision, view: View) -> Iterator[Row]:
    cells = max((len(step.gate) for step in decision.trace), default=0) + 2
    for step in decision.trace:
        role: Role = "bad" if step.verdict == "stopped" else "alert" if step.verdict == "held" else "soft"
        detail = fit(said(step.detail, limit=300), max(view.cells - cells - 23, 10))
        yield Row(
            (
                Span(" " * 13),
                Span(left(said(step.gate), cells), "muted"),
                Span(left(step.verdict, 9), role),
                Span(detail, "soft"),
            )
        )
