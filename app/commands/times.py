"""The period a command is asked about: dates, times and words, in the zone of the screen."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo

from app.errors import UsageError

FORMS = "a date (2026-11-30), a time (2026-11-30T14:00), today, yesterday, or so long ago (90m, 12h, 7d)"


def read_period(
    since: str | None, until: str | None, *, now: datetime, zone: tzinfo
) -> tuple[datetime | None, datetime | None]:
    """Where a period begins and, itself left out, ends, in UTC; None where it is open.

    A date is its first moment in `zone`; as an end it includes the whole day. Raises UsageError.
    """
    start = None if since is None else _moment(since, "--since", now, zone, days=0)
    end = None if until is None else _moment(until, "--until", now, zone, days=1)
    if start is not None and end is not None and end <= start:
        raise UsageError("--until lies before --since: nothing can be between them")
    return start, end


def _moment(text: str, option: str, now: datetime, zone: tzinfo, *, days: int) -> datetime:
    """The moment a text names; a date stands for the first moment so many `days` after its own."""
    from app.investigation.asked import is_span, read_span

    word = text.strip().lower()
    today = now.astimezone(zone).date()
    named = {"today": today, "yesterday": today - timedelta(days=1)}
    try:
        if is_span(word):
            return now - read_span(word, option)
        if word in named or len(word) == len("2026-11-30"):
            day = named.get(word) or date.fromisoformat(word)
            return datetime.combine(day + timedelta(days=days), time(), zone).astimezone(UTC)
        at = datetime.fromisoformat(text.strip())
        return (at if at.tzinfo else at.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise UsageError(f"{option} {text!r}: not a time; give {FORMS}") from None
