"""What the headers of an answer say about time: when to come back, and how long the body stays fresh.

A date in a header is read against the `Date` of the same answer where there is one, so that a wrong clock on either
side does not matter. Junk reads as None, never as an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

RETRY_AFTER_CEILING_S = 86_400.0

_SECONDS = re.compile(r"[+-]?[0-9]{1,20}(?:\.[0-9]*)?", re.ASCII)
_MAX_AGE = re.compile(r"\bmax-age\s*=\s*\"?([0-9]{1,20})\b", re.ASCII | re.IGNORECASE)
_UNCACHED = re.compile(r"\bno-(?:cache|store)\b", re.ASCII | re.IGNORECASE)


def http_date(text: str) -> datetime | None:
    """The time of an HTTP date (RFC 9110 5.6.7); an HTTP date without a zone is GMT by that rule."""
    try:
        read = parsedate_to_datetime(text)
        return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def retry_after_s(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Retry-After in seconds from the answer, within 0 and 24 hours; None where it is absent or unreadable.

    `headers` have lower-case names. `now` stands in for a missing Date.
    """
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    wait = float(text) if _SECONDS.fullmatch(text) else _seconds_until(text, headers, now)
    return None if wait is None else min(max(wait, 0.0), RETRY_AFTER_CEILING_S)


def fresh_for_s(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """How many seconds the answer stays fresh by Cache-Control or Expires (RFC 9111); None where nothing says so."""
    control = headers.get("cache-control", "")
    if _UNCACHED.search(control):
        return None
    stated = _MAX_AGE.search(control)
    if stated:
        age = headers.get("age", "").strip()
        spent = float(age) if _SECONDS.fullmatch(age) else 0.0
        fresh: float | None = float(stated[1]) - max(spent, 0.0)
    else:
        fresh = _seconds_until(headers.get("expires", ""), headers, now)
    return fresh if fresh is not None and fresh > 0 else None


def clock_ahead_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """How many seconds the answering clock is ahead of `now`; None where the answer is undated or from a cache."""
    if headers.get("age", "0").strip() not in ("", "0"):
        return None
    there = http_date(headers.get("date", ""))
    return None if there is None else (there - now).total_seconds()


def _seconds_until(text: str, headers: Mapping[str, str], now: datetime | None) -> float | None:
    until = http_date(text)
    since = http_date(headers.get("date", "")) or now
    return (until - since).total_seconds() if until and since else None
