"""The Bank of Japan's projection for the day on which a trade of yen settles, where an intervention shows in the open.

The figure alone says nothing: taxes, pensions and bonds move it by trillions. Set against the money brokers' forecasts,
which no open source publishes, the gap is the market's estimate of an intervention. So it is shown, and read as
evidence only where a text gives the forecasts too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from agents.investigation.dates import calendar
from agents.investigation.dates.calendar import SETTLEMENT_DAYS, TOKYO
from agents.investigation.dates.holidays import business_day
from agents.investigation.dates.timing import currency_day
from agents.investigation.errors import SourceDown
from agents.investigation.models import Record
from agents.investigation.ports import Inquiry, Remarked
from agents.investigation.sources import Now
from agents.tools.asking.access import Access
from agents.tools.asking.errors import SourceError
from agents.tools.sources import current_account
from agents.tools.sources.current_account import TreasuryFunds
from feeds.models import Tier

PUBLISHER: Final = "Bank of Japan"


@dataclass(frozen=True, slots=True)
class CurrentAccountProjections:
    """The workbook of the settlement day as a source."""

    access: Access
    now: Now
    name: str = "Bank of Japan current account projections"
    exhaustive: bool = True

    async def find(self, inquiry: Inquiry) -> Sequence[Record]:
        """The projection; a remark says where it is not out yet. Raises SourceDown where it cannot be had."""
        traded = currency_day(inquiry.anchor.onset_at)
        settles = business_day(traded, SETTLEMENT_DAYS, "japan")
        due, now = calendar.current_account(traded).when, self.now()
        if due is not None and now < due:
            return Remarked((), f"the projection for {settles} comes out on {due.astimezone(TOKYO):%Y-%m-%d}")
        try:
            url, got = await self._workbook(settles, now)
        except SourceError as error:
            raise SourceDown(str(error)) from error
        return Remarked((_record(settles, url, got, due or now),), _said(settles, got))

    async def _workbook(self, settles: date, now: datetime) -> tuple[str, TreasuryFunds]:
        """The day's results, which hold the projection and are kept; on the day itself the projection alone."""
        requests = [current_account.results(settles), current_account.projection(settles)]
        if now.astimezone(TOKYO).date() <= settles:
            requests.reverse()
        try:
            return requests[0].url, (await self.access.ask(requests[0], current_account.read, now)).value
        except SourceError:
            return requests[1].url, (await self.access.ask(requests[1], current_account.read, now)).value


def _record(settles: date, url: str, got: TreasuryFunds, due: datetime) -> Record:
    return Record(
        id=f"boj:current accounts:{settles}",
        title=f"Projection of current account balances for {settles.day} {settles:%B %Y}: {_amount(got.projection)}",
        summary="" if got.final is None else f"Final figure: {_amount(got.final)}",
        url=url,
        source=PUBLISHER,
        published_at=due,
        precision="hour",
        tier=Tier.OFFICIAL,
    )


def _said(settles: date, got: TreasuryFunds) -> str:
    return f"{settles}: {_amount(got.projection)}; the brokers' forecasts to set it against have no open source"


def _amount(billions: float) -> str:
    sign = "minus" if billions < 0 else "plus"
    return f"treasury funds and others {sign} {abs(billions):,.1f} billion yen"
