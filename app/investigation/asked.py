"""What a person asks for, read from words: a time, a span, a symbol or the id of a signal."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from app.errors import UsageError

_SPAN: Final = re.compile(r"(\d{1,4})\s*(m|min|h|d|w)", re.IGNORECASE)
_UNITS: Final = {"m": "minutes", "min": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_SYMBOL: Final = re.compile(r"[A-Za-z0-9^][A-Za-z0-9.=^/-]{0,14}")
LONGEST: Final = timedelta(days=365)


def read_moment(text: str, zone: tzinfo, option: str = "") -> datetime:
    """A time like 2024-04-29T13:00+09:00, or a day; without an offset it is of `zone`. Raises UsageError, naming the
    option where there is one."""
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        raise UsageError(
            f"{f'{option} ' if option else ''}{text!r}: not a time; write it like 2024-04-29T13:00+09:00"
        ) from None
    if at.tzinfo is None and len(text.strip()) <= len("2024-04-29"):
        at = at.replace(hour=12)  # a day means its middle, which lies in that day's bar wherever the market is
    return (at if at.tzinfo else at.replace(tzinfo=zone)).astimezone(UTC)


def is_span(text: str) -> bool:
    """Whether a text has the form of a span, like 90m, 6h, 3d."""
    return _SPAN.fullmatch(text.strip()) is not None


def read_span(text: str, option: str = "--window") -> timedelta:
    """A span like 90m, 6h, 3d. Raises UsageError, naming the option."""
    match = _SPAN.fullmatch(text.strip())
    span = timedelta(**{_UNITS[match[2].lower()]: int(match[1])}) if match else timedelta(0)
    if not timedelta(0) < span <= LONGEST:
        raise UsageError(f"{option} {text!r}: not a span; write it like 90m, 6h or 3d, at most a year")
    return span


def read_zone(name: str) -> tzinfo:
    """The zone called `name`, like Europe/Athens. Raises UsageError."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UsageError(f"--tz {name!r}: no such time zone; names are like Europe/Athens or UTC") from None


def is_symbol(text: str) -> bool:
    """Whether a text can be a symbol."""
    return _SYMBOL.fullmatch(text) is not None
