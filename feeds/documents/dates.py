"""Publication times as publishers write them, read the same way in every locale and never guessed.

Rules. No zone, or a name that several zones share: the time is read as if UTC and marked ZONE_UNKNOWN, so that it is
shown and never sorted as exact. An impossible value, a day/month order that could be either, a foreign month name, or a
time before 1990: UNREADABLE and no time. Later than ten minutes from now: FUTURE, the time is kept. A bare date is the
start of that day in UTC with precision "day". Nothing ever becomes the time of reading.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone

from feeds.models import Precision, Published, TimeDoubt

_EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
_TOLERANCE = timedelta(minutes=10)
_UNREADABLE = Published(None, "unknown", TimeDoubt.UNREADABLE)
_MONTH_NAMES = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_HOURS: dict[str, float] = {
    "ut": 0, "utc": 0, "gmt": 0, "z": 0, "wet": 0, "west": 1, "cet": 1, "cest": 2, "met": 1, "mest": 2, "eet": 2,
    "eest": 3, "msk": 3, "msd": 4, "trt": 3, "bst": 1, "jst": 9, "kst": 9, "hkt": 8, "sgt": 8, "pht": 8, "awst": 8,
    "wib": 7, "acst": 9.5, "acdt": 10.5, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13, "sast": 2, "pkt": 5,
    "npt": 5.75, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "akst": -9,
    "akdt": -8, "hst": -10, "ast": -4, "adt": -3, "nst": -3.5, "ndt": -2.5, "brt": -3, "art": -3, "clt": -4,
}  # fmt: skip
"""Names in the sense that feeds use them. CST is Chicago, as RFC 822 says. Names of several zones (IST, GST) are not
here, so they count as unknown."""

_MILITARY = {letter: -hours for hours, letter in enumerate("abcdefghiklm", 1)} | {
    letter: hours for hours, letter in enumerate("nopqrstuvwxy", 1)
}
"""In the sense of RFC 822: A is one hour behind UTC."""

_OFFSET = re.compile(r"(?:utc|gmt)?\s*([+-])\s?(\d{1,2}):?(\d\d)?(?::?\d\d)?", re.IGNORECASE)
_TIME = (
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?)?\s*(?P<half>[ap]\.?m\.?)?"
)
_RFC_822 = re.compile(
    r"(?:[a-z]{2,9}\.?\s*,?\s*)?(?P<day>\d{1,2})(?:\s+|-)(?P<month>[a-z]{3,9})\.?,?(?:\s+|-)(?P<year>\d{4}|\d\d)"
    rf"(?:,?\s+(?:at\s+)?{_TIME}\s*(?P<zone>.*))?",
    re.IGNORECASE,
)
_AMERICAN = re.compile(
    r"(?:[a-z]{3,9}\.?\s*,?\s+)?(?P<month>[a-z]{3,9})\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?,?\s+"
    rf"(?:(?P<year>\d{{4}})(?:,?\s+(?:at\s+)?{_TIME}\s*(?P<zone>.*))?)",
    re.IGNORECASE,
)
_ISO = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?|(?P<month2>\d\d)(?P<day2>\d\d)|-?W(?P<week>\d\d)-?(?P<weekday>\d)"
    r"|-(?P<ordinal>\d{3}))"
    r"(?:(?:T|\s+)(?P<hour>\d\d)(?::?(?P<minute>\d\d)(?::?(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?)?)?"
    r"(?P<half>(?!))?\s*(?P<zone>.*))?",
    re.IGNORECASE,
)
_SLASHED = re.compile(
    rf"(?P<year>\d{{4}})[/.](?P<month>\d{{1,2}})[/.](?P<day>\d{{1,2}})(?:\s+{_TIME}\s*(?P<zone>.*))?", re.IGNORECASE
)
_JAPANESE = re.compile(
    r"(?:(?P<era>令和|平成)(?P<eyear>\d{1,2}|元)|(?P<year>\d{4}))年\s*(?P<month>\d{1,2})月(?:\s*(?P<day>\d{1,2})日)?"
    r"\s*(?:[(（][月火水木金土日][)）])?\s*(?:(?P<hour>\d{1,2})(?:時|:)(?:(?P<minute>\d{1,2})分?)?(?::(?P<second>\d\d))?)?"
    r"\s*(?P<zone>.*)"
)
_ERAS = {"令和": 2018, "平成": 1988}
_FORMS = (_ISO, _RFC_822, _AMERICAN, _SLASHED, _JAPANESE)


def read_date(text: str, *, now: datetime) -> Published:
    """When `text` says something was published. Never raises; see the rules of this module."""
    text = text.translate({0x200E: None, 0x200F: None, 0xFEFF: None, 0xA0: " ", 0x202F: " "}).strip()
    if not text:
        return Published()
    if len(text) > 100:
        return _UNREADABLE
    text = re.sub(r"\s*\([^()]*\)$", "", text) if "(" in text else text
    try:
        if re.fullmatch(r"\d{9,14}(?:\.\d+)?", text):
            return _judged(*_epoch(text), now=now)
        for form in _FORMS:
            if match := form.fullmatch(text):
                return _judged(*_read(match), now=now)
    except (ValueError, OverflowError):
        return _UNREADABLE
    return _UNREADABLE


def _epoch(text: str) -> tuple[datetime, Precision, bool]:
    """Seconds or milliseconds since 1970; 14 digits are YYYYMMDDhhmmss."""
    if len(text) == 14 and text.isdigit():
        return datetime.strptime(text, "%Y%m%d%H%M%S").replace(tzinfo=UTC), "second", False
    number = float(text)
    seconds = number / 1000 if number >= 1e11 else number
    return datetime.fromtimestamp(seconds, UTC), "second", True


def _read(match: re.Match[str]) -> tuple[datetime, Precision, bool]:
    """(time in UTC, precision, whether the zone is known); ValueError for what is no time."""
    part = match.groupdict()
    day, precision = _day(part)
    if part["hour"] is None:
        if part["zone"]:
            raise ValueError(part["zone"])
        return datetime(day.year, day.month, day.day, tzinfo=UTC), precision, True
    zone = _zone(part["zone"] or "")
    if zone is None and "年" in match.string:
        zone = timezone(timedelta(hours=9))
    hour = _hour(int(part["hour"]), part.get("half"))
    minute, second = int(part["minute"] or 0), int(part["second"] or 0)
    micro = int((part.get("fraction") or "0")[:6].ljust(6, "0"))
    next_day = hour == 24 and minute == second == 0
    at = datetime(day.year, day.month, day.day, 0 if next_day else hour, minute, second, micro, tzinfo=zone or UTC)
    precision = "second" if part["second"] else "minute" if part["minute"] else "hour"
    at = at + timedelta(days=1) if next_day else at
    return at.astimezone(UTC), precision, zone is not None


def _day(part: dict[str, str | None]) -> tuple[date, Precision]:
    year = _year(part)
    if week := part.get("week"):
        return date.fromisocalendar(year, int(week), int(part["weekday"] or 1)), "day"
    if ordinal := part.get("ordinal"):
        day_of_year = date(year, 1, 1) + timedelta(days=int(ordinal) - 1)
        if day_of_year.year != year:
            raise ValueError(ordinal)
        return day_of_year, "day"
    month = part["month"] or part.get("month2") or ""
    day = part["day"] or part.get("day2")
    number = int(month) if month.isdigit() else _month(month)
    return date(year, number, int(day or 1)), "day" if day else "month"


def _year(part: dict[str, str | None]) -> int:
    if era := part.get("era"):
        return _ERAS[era] + (1 if part["eyear"] == "元" else int(part["eyear"] or 0))
    year = part["year"] or ""
    if len(year) == 2:
        return int(year) + (2000 if int(year) < 70 else 1900)
    return int(year)


def _month(name: str) -> int:
    """An English month name, whole or in its first three or four letters; no other language, never the locale's."""
    low = name.casefold()
    for number, month in enumerate(_MONTH_NAMES, 1):
        if month.startswith(low):
            return number
    raise ValueError(name)


def _hour(hour: int, half: str | None) -> int:
    if not half:
        return hour
    if not 1 <= hour <= 12:
        raise ValueError(half)
    return hour % 12 + (12 if half[0] in "pP" else 0)


def _zone(name: str) -> timezone | None:
    """The zone, None where there is none or nobody can be sure which; ValueError for what is no zone."""
    name = name.strip().rstrip(".")
    if not name:
        return None
    low = name.casefold()
    if low in _HOURS:
        return timezone(timedelta(hours=_HOURS[low]))
    if low in _MILITARY:
        return timezone(timedelta(hours=_MILITARY[low]))
    if match := _OFFSET.fullmatch(name):
        hours, minutes = int(match[2]), int(match[3] or 0)
        if len(match[2]) == 1 and match[3] and ":" not in name:
            hours, minutes = int(match[2]), int(match[3])
        if hours > 14 or minutes > 59:
            raise ValueError(name)
        return timezone(timedelta(hours=hours, minutes=minutes) * (1 if match[1] == "+" else -1))
    if re.fullmatch(r"[A-Za-z][A-Za-z/_ -]{0,40}", name):
        return None
    raise ValueError(name)


def _judged(at: datetime, precision: Precision, zone_known: bool, *, now: datetime) -> Published:
    if at < _EARLIEST:
        return _UNREADABLE
    exact = zone_known and precision in ("second", "minute", "hour")
    slack = _TOLERANCE if exact else timedelta(hours=14)
    if at - now > slack:
        return Published(at, precision, TimeDoubt.FUTURE)
    return Published(at, precision, None if zone_known else TimeDoubt.ZONE_UNKNOWN)
