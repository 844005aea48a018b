"""Numbers over time: one observation of an official series, and what can be said of its last value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from agents.models import EvidenceItem
from feeds.models import Precision


@dataclass(frozen=True, slots=True)
class Observation:
    """A value of a series. `at` is the start of the day or month it is for, `precision` says which; `unit` in words."""

    series: str
    at: datetime
    value: float
    precision: Precision = "day"
    unit: str = ""


def day(text: str) -> datetime | None:
    """Midnight UTC of an ISO date; None for anything else."""
    try:
        read = date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None
    return datetime(read.year, read.month, read.day, tzinfo=UTC)


def by_series(observations: Iterable[Observation]) -> dict[str, list[Observation]]:
    """The observations of each series, oldest first; of two for one time the later given counts."""
    found: dict[str, dict[datetime, Observation]] = {}
    for one in observations:
        found.setdefault(one.series, {})[one.at] = one
    return {series: [held[at] for at in sorted(held)] for series, held in found.items()}


def last_change(series: Sequence[Observation]) -> tuple[float, datetime] | None:
    """The last step to the newest value, and when that began; None where the series never moved."""
    for before, after in zip(reversed(series[:-1]), reversed(series[1:]), strict=True):
        if before.value != after.value:
            return round(after.value - before.value, 6), after.at
    return None


def lapsed(items: Iterable[EvidenceItem], promised: timedelta, moment: datetime) -> str:
    """In words that the newest value is older at `moment` than a series promises; "" where it is not."""
    newest = max((item.at for item in items if item.at is not None), default=None)
    if newest is None or moment - newest <= promised:
        return ""
    return f"its last value is of {newest:%Y-%m-%d}, {(moment - newest).days} days old"


def finding(
    label: str,
    series: Sequence[Observation],
    *,
    source: str,
    url: str,
    what: str,
    as_of: datetime,
    percent: bool = True,
) -> EvidenceItem | None:
    """The last value known at `as_of` with its change from the one before, its date and what it is.

    `percent` gives the change in percent of the value before, else in the unit itself. None where nothing was known.
    """
    known = [one for one in series if one.at <= as_of]
    if not known:
        return None
    last = known[-1]
    values = [("value", last.value)]
    change = ""
    if len(known) > 1 and known[-2].value:
        before = known[-2].value
        step = (last.value / before - 1) * 100 if percent else last.value - before
        values.append(("change_percent" if percent else "change", round(step, 4)))
        change = f", {step:+.2f}{'%' if percent else ''} from the one before"
    when = f"{last.at:%Y-%m}" if last.precision == "month" else f"{last.at:%Y-%m-%d}"
    unit = f" {last.unit}" if last.unit else ""
    text = f"{label} {last.value:g}{unit}{change} ({what}, {when})"
    return EvidenceItem(text, url, source, last.at, last.precision, "observation", tuple(values))
