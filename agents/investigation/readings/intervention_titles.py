"""What the title of a ministry's record of interventions covers: its period, and whether it reports none."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

INTERVENTION_RECORD: Final = "Foreign exchange intervention operations"
"""The Japanese ministry's own title of its record."""
_MONTHS: Final = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTH: Final = rf"({'|'.join(_MONTHS)})"
_TO: Final = r"\s*(?:to|through|until|[-\u2013])\s*"
_DAY_FIRST: Final = re.compile(rf"\b(\d{{1,2}}) {_MONTH}(?: (\d{{4}}))?{_TO}(\d{{1,2}}) {_MONTH} (\d{{4}})", re.I)
_MONTH_FIRST: Final = re.compile(rf"\b{_MONTH} (\d{{1,2}})(?:, (\d{{4}}))?{_TO}{_MONTH} (\d{{1,2}}), (\d{{4}})", re.I)
_MONTHS_ONLY: Final = re.compile(rf"\b{_MONTH}{_TO}{_MONTH} (\d{{4}})", re.I)
_NONE: Final = re.compile(
    r":\s*(?:jpy |\u00a5)?0(?:\.0+)?(?:\s+(?:billion|trillion))?(?:\s+yen)?\s*$|\bno (?:intervention )?operations?\b"
    r"|\bzero yen\b|\bnil\b",
    re.I | re.M,
)


def period(title: str) -> tuple[date, date] | None:
    """The first and the last day that a title names ("26 April to 29 May 2024", "July to September 2023"); None where
    it names none."""
    try:
        if found := _DAY_FIRST.search(title):
            first, first_month, first_year, last, last_month, year = found.groups()
        elif found := _MONTH_FIRST.search(title):
            first_month, first, first_year, last_month, last, year = found.groups()
        elif found := _MONTHS_ONLY.search(title):
            begins, ends = _month(found[1]), _month(found[2])
            following = date(int(found[3]) + ends // 12, ends % 12 + 1, 1)
            return date(int(found[3]), begins, 1), date.fromordinal(following.toordinal() - 1)
        else:
            return None
        until = date(int(year), _month(last_month), int(last))
        began = int(first_year) if first_year else until.year - (_month(first_month) > until.month)
        return date(began, _month(first_month), int(first)), until
    except ValueError:
        return None


def reports_none(title: str) -> bool:
    """Whether the title says that there was no operation."""
    return _NONE.search(title) is not None


def _month(name: str) -> int:
    return _MONTHS.index(name.lower()) + 1
