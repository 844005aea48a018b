"""Halt notices of the US exchanges around a move, by day, for one company."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from agents.investigation.dates.timing import NEW_YORK
from agents.investigation.errors import SourceDown
from agents.investigation.models import Record
from agents.investigation.ports import Inquiry, Remarked
from agents.investigation.sources import Now
from agents.tools.asking.access import Access
from agents.tools.asking.errors import SourceError
from agents.tools.sources import trade_halts
from agents.tools.sources.trade_halts import Halt
from feeds.models import Tier

PUBLISHER: Final = "Nasdaq Trader"
DAYS_BEFORE: Final = 1


@dataclass(frozen=True, slots=True)
class HaltNotices:
    """The lists of halts of the day of the move and the one before."""

    access: Access
    now: Now
    name: str = "halt notices"
    exhaustive: bool = True

    async def find(self, inquiry: Inquiry) -> Sequence[Record]:
        """The halts of the company, told in the remark too, since few of them are causes. Raises SourceDown."""
        anchor, now = inquiry.anchor, self.now()
        last = (anchor.ends_at - timedelta(seconds=1)).astimezone(NEW_YORK).date()
        first = anchor.onset_at.astimezone(NEW_YORK).date() - timedelta(days=DAYS_BEFORE)
        symbol = inquiry.case.symbol.replace("-", ".")
        found: list[Record] = []
        for ahead in range((last - first).days + 1):
            day = first + timedelta(days=ahead)
            if day.weekday() > 4:
                continue
            try:
                got = await self.access.ask(trade_halts.halts(day), trade_halts.read, now)
            except SourceError as error:
                raise SourceDown(str(error)) from error
            found += (_record(one) for one in got.value if one.symbol.replace("-", ".") == symbol)
        told = "; ".join(f"{one.published_at:%Y-%m-%d %H:%M} UTC {one.title.partition(', ')[2]}" for one in found)
        return Remarked(found, told) if found else found


def _record(one: Halt) -> Record:
    resumed = f"Trading resumed {one.resumed.astimezone(NEW_YORK):%H:%M:%S} New York" if one.resumed else ""
    return Record(
        id=f"halt:{one.symbol}:{one.at.isoformat()}:{one.code}",
        title=f"{one.symbol}: trading halted, {one.reason} ({one.code})",
        summary=resumed,
        url="https://www.nasdaqtrader.com/trader.aspx?id=tradehalts",
        source=PUBLISHER,
        published_at=one.at,
        precision="second",
        tickers=(one.symbol,),
        tier=Tier.OFFICIAL,
    )
