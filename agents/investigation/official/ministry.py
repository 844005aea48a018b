"""The Japanese Ministry of Finance's own record of currency interventions, day by day since 1991.

A table in code page 932, amounts in units of 100 million yen with thousands commas; a blank year or month is that of
the row above; each quarter ends with a subtotal that its days must add up to. A quarter comes out weeks after its end.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Final

from agents.investigation.dates.calendar import DAILY_DATA_AT, TOKYO, intervention_days, intervention_month
from agents.investigation.dates.timing import currency_day
from agents.investigation.errors import SourceDown
from agents.investigation.models import Effective, Record
from agents.investigation.official.monthly_totals import total_of
from agents.investigation.ports import Inquiry, Remarked
from agents.investigation.readings.intervention_titles import INTERVENTION_RECORD
from agents.investigation.sources import Now
from agents.tools.asking.access import Access
from agents.tools.asking.errors import NotAnAnswer, SourceError
from agents.tools.asking.request import Reply, Request
from feeds.models import Tier

ADDRESS: Final = (
    "https://www.mof.go.jp/policy/international_policy/reference/feio/foreign_exchange_intervention_operations.csv"
)
PUBLISHER: Final = "Ministry of Finance Japan"
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SUBTOTAL: Final = re.compile(r"期計")


@dataclass(frozen=True, slots=True)
class Operation:
    """One day on which the ministry intervened. The amount is in billions of yen."""

    day: date
    billions: float
    pair: str


def read_operations(body: bytes) -> tuple[Operation, ...]:
    """The operations of the ministry's table, oldest first. Raises NotAnAnswer where the days of a quarter do not add
    up to its subtotal, or for what is no such table."""
    try:
        table = body.decode("cp932")
    except UnicodeDecodeError:
        raise NotAnAnswer("answered with something that is not its table of interventions") from None
    found: list[Operation] = []
    quarter, year, month, known = 0.0, 0, 0, False
    for row in csv.reader(io.StringIO(table)):
        cells = [cell.strip() for cell in row] + [""] * (9 - len(row))
        known = known or "Intervention Date" in row
        if _SUBTOTAL.search(cells[0]):
            if abs(quarter - _amount(cells[6])) > 0.5:
                raise NotAnAnswer(f"its days do not add up to the subtotal of {cells[3] or cells[0]}")
            quarter = 0.0
        elif cells[5].isdigit():
            year = int(cells[3]) if cells[3].isdigit() else year
            month = _MONTHS.index(cells[4][:3].lower()) + 1 if cells[4][:3].lower() in _MONTHS else month
            quarter += _amount(cells[6])
            found.append(Operation(date(year, month, int(cells[5])), _amount(cells[6]) / 10, cells[8]))
    if not known or not found:
        raise NotAnAnswer("answered with something that is not its table of interventions")
    return tuple(found)


def _amount(text: str) -> float:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        raise NotAnAnswer(f"has an amount that is no number: {text[:20]!r}") from None


@dataclass(frozen=True, slots=True)
class InterventionRecords:
    """The ministry's records as a source: the day's row once its quarter is out, before that the month's total."""

    access: Access
    now: Now
    name: str = "intervention records"
    exhaustive: bool = True

    async def find(self, inquiry: Inquiry) -> Sequence[Record]:
        """The operations near the move and the total that holds its day; a remark says what is not out yet. Raises
        SourceDown."""
        day, now = currency_day(inquiry.anchor.onset_at), self.now()
        try:
            got = await self.access.ask(Request("mof", ADDRESS), lambda reply: read_operations(_body(reply)), now)
            near = [record(one) for one in got.value if abs((one.day - day).days) <= 1 and _is_yen(one)]
            due = intervention_days(day).when
            if near:
                return near
            if due is not None and due <= now:
                return Remarked((), f"its record of the quarter has no operation near {day}")
            total = await total_of(self.access, day, now)
        except SourceError as error:
            raise SourceDown(str(error)) from error
        days = f"the days of its quarter come out on {due.astimezone(TOKYO):%Y-%m-%d}" if due else ""
        if total is None:
            month = intervention_month(day).when
            return Remarked((), f"the month's total is expected on {month:%Y-%m-%d}, {days}" if month else days)
        return Remarked((total,), f"{total.title}; {days}")


def _is_yen(one: Operation) -> bool:
    return "yen" in one.pair.lower() or not one.pair


def _body(reply: Reply) -> bytes:
    return reply.body


def record(one: Operation) -> Record:
    """The ministry's row as a record: published when its quarter came out, effective on the day it states."""
    out = intervention_days(one.day).when or datetime.combine(one.day, DAILY_DATA_AT, TOKYO).astimezone(UTC)
    return Record(
        id=f"mof:{one.day}",
        title=f"{INTERVENTION_RECORD}: {one.day.day} {one.day:%B %Y}, {one.billions:,.1f} billion yen",
        summary=one.pair,
        url=ADDRESS,
        source=PUBLISHER,
        published_at=out,
        precision="day",
        effective=Effective(datetime.combine(one.day, time(0), UTC), "day"),
        tier=Tier.OFFICIAL,
    )
