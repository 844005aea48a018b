"""How values read on the screen: times, scores, directions, ages. Pure; `now` and the zone are arguments."""

from __future__ import annotations

import math
from datetime import datetime, timedelta, tzinfo

from agents.models import Direction, FlashEvent, SignalType, Urgency
from agents.urgency import bar_colour
from app.ui.line import Line, Role, Span
from feeds.models import Precision, Published, Tier, TimeDoubt

URGENCY_ROLE: dict[Urgency, Role] = {
    Urgency.FLASH: "flash",
    Urgency.ALERT: "alert",
    Urgency.NOTE: "note",
    Urgency.FYI: "fyi",
}
DIRECTION_SIGN: dict[Direction, str] = {"up": "▲", "down": "▼", "unclear": "?"}
DIRECTION_ROLE: dict[Direction, Role] = {"up": "up", "down": "down", "unclear": "muted"}
TIER_WORD = {Tier.OFFICIAL: "official", Tier.NEWSROOM: "newsroom", Tier.AGGREGATOR: "aggregator", Tier.CROWD: "crowd"}
DOUBT_WORD = {
    TimeDoubt.UNDATED: "undated",
    TimeDoubt.ZONE_UNKNOWN: "zone unknown",
    TimeDoubt.FUTURE: "dated in the future",
    TimeDoubt.UNREADABLE: "date unreadable",
}


def score(value: float) -> str:
    """Two digits, cut and not rounded: 0.799 must not read 0.80 beside a badge that says it stayed below."""
    return f"{math.floor(value * 100 + 1e-6) / 100:.2f}"


def short_score(value: float) -> str:
    """A score in three cells: ".88", "1.0"."""
    return score(value)[1:] if value < 1.0 else "1.0"


def signed(value: float) -> str:
    """A signed amount with a true minus: "+0.05", "−0.08"."""
    return f"{'−' if value < 0 else '+'}{abs(value):.2f}"


def impact_role(impact: float) -> Role:
    """The colour of an impact, by the rule of the impact bar."""
    return bar_colour(impact)


def bar(value: float, cells: int, role: Role) -> Line:
    """`value` of 1 as a thin bar; anything above zero shows at least one cell, and only 1 fills it."""
    full = min(math.floor(value * cells + 0.5), cells if value >= 1.0 else cells - 1)
    if value > 0:
        full = max(full, 1)
    return (Span("━" * full, role), Span("─" * (cells - full), "track"))


def words(name: SignalType | FlashEvent) -> str:
    """A type as a person says it."""
    return "M&A" if name == "m_and_a" else name.replace("_", " ")


def count(number: int, noun: str, plural: str = "") -> str:
    """ "1 item", "3 items"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def card_time(at: datetime, now: datetime, zone: tzinfo | None) -> str:
    """Six cells at most: the time of a card of today, else its day."""
    local, today = at.astimezone(zone), now.astimezone(zone)
    if local.date() == today.date():
        return f"{local:%H:%M}"
    if abs(today - local) < timedelta(days=300):
        return f"{local.day} {local:%b}"
    return f"{local:%b}'{local:%y}"


def moment(at: datetime, now: datetime, zone: tzinfo | None, precision: Precision = "second") -> str:
    """A time as exact as it is known, with its zone, and its day where that is not today."""
    local, today = at.astimezone(zone), now.astimezone(zone)
    if precision == "month":
        return f"{at:%B %Y}"  # a day or a month is the publisher's own: a zone would move it
    stated = at if precision == "day" else local
    day = f"{stated.day} {stated:%b}" if stated.year == today.year else f"{stated.day} {stated:%b %Y}"
    if precision == "day":
        return day
    pattern = "%H:%M:%S" if precision == "second" else "%H:%M"
    clock = f"{local.strftime(pattern)} {zone_name(at, zone)}"
    return clock if local.date() == today.date() else f"{day} {clock}"


def zone_name(at: datetime, zone: tzinfo | None) -> str:
    """The zone's short name at that time, or its offset."""
    return at.astimezone(zone).tzname() or f"{at.astimezone(zone):%z}"


def published(value: Published, now: datetime, zone: tzinfo | None) -> str:
    """The publisher's own time, or in words that there is none."""
    return "no time given" if value.at is None else moment(value.at, now, zone, value.precision)


def span_of(seconds: float) -> str:
    """A length of time in its largest fitting unit: "380 ms", "1.4 s", "38 s", "3 min", "2 h", "5 d"."""
    if seconds < 0.9995:
        return f"{max(seconds, 0.0) * 1000:.0f} ms"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    for size, unit, until in ((1, "s", 90), (60, "min", 90 * 60), (3600, "h", 48 * 3600)):
        if seconds < until:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds / 86400:.0f} d"


def ago(at: datetime | None, now: datetime) -> str:
    """How long ago, in whole units; "never" for no time at all."""
    if at is None:
        return "never"
    seconds = (now - at).total_seconds()
    return "just now" if seconds < 5 else f"{span_of(seconds)} ago"


def until(at: datetime | None, now: datetime) -> str:
    """How long until then; due times that have passed read "now"."""
    if at is None or at <= now:
        return "now"
    return f"in {span_of((at - now).total_seconds())}"
