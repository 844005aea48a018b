"""Fills in what a signal's symbols cost when its item became public, five minutes, an hour and a day later.

The price of a moment is that of the last trade before it, in a bar that had ended: a bar in which the news itself falls
holds what came after it. A later moment needs a trade after publication, else the market was closed and has not
answered yet. Where there is no price the mark says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from itertools import count
from typing import Final, Protocol

from agents.prices import WIDTHS, Bar, BarWidth, NoPrices, PriceSeries
from agents.tools.health import SourceState
from app.clock import Clock
from app.events import Bus, CardChanged
from storage.evidence_sources import EvidenceSources
from storage.prices import LAST_TRY, DuePrices, Priced, PriceMarks

TICK_S: Final = 2.0
KEEP_TICKS: Final = 30
"""After so many ticks the state of the evidence sources is kept; also when the program ends."""
RETRY: Final = timedelta(minutes=10)
"""A price that was not to be had is looked for again so much later."""
LOOK_BACK: Final = timedelta(days=4)
"""How old the last trade before publication may be: a long weekend."""
_CLOSED: Final = "no trade between publication and then: the market was closed"


class BarSource(Protocol):
    """Where bars come from; see `agents.tools.prices.Prices`."""

    async def bars(
        self, symbol: str, start: datetime, end: datetime, width: BarWidth, *, now: datetime
    ) -> PriceSeries | NoPrices: ...


class PriceMarker:
    """Opens marks for new signals and fills those that are due; also keeps how the evidence sources are doing."""

    def __init__(
        self,
        marks: PriceMarks,
        prices: BarSource,
        clock: Clock,
        bus: Bus,
        *,
        sources: EvidenceSources | None = None,
        states: Callable[[], Iterable[SourceState]] = tuple,
    ) -> None:
        self._marks = marks
        self._prices = prices
        self._clock = clock
        self._bus = bus
        self._sources = sources
        self._states = states

    async def run(self) -> None:
        """Works until it is cancelled. What an earlier run left waiting is taken up again."""
        since, scored = self._clock.now() - LAST_TRY, [True]
        leave = self._bus.subscribe(lambda event: scored.append(True) if isinstance(event, CardChanged) else None)
        try:
            for tick in count():
                now = self._clock.now()
                if scored:
                    scored.clear()
                    await self._marks.open_since(since)
                    since = now - timedelta(seconds=2 * TICK_S)
                for due in await self._marks.due(now):
                    await self._fill(due)
                if tick % KEEP_TICKS == 0:
                    await self._keep()
                await self._clock.sleep(TICK_S)
        finally:
            leave()
            await self._keep()

    async def _keep(self) -> None:
        if self._sources is not None:
            await self._sources.keep(self._states(), self._clock.now())

    async def _fill(self, due: DuePrices) -> None:
        now = self._clock.now()
        waiting = [after for after in due.waiting if due.published + after <= now]
        if not waiting:
            return
        found = await self._series(due, max(waiting), now)
        if isinstance(found, NoPrices):
            priced = [_without(due, after, found, now) for after in waiting]
        else:
            priced = priced_marks(due, waiting, found, now)
        await self._marks.fill(due, priced)
        self._bus.publish(CardChanged(due.card_key))

    async def _series(self, due: DuePrices, last: timedelta, now: datetime) -> PriceSeries | NoPrices:
        """Minutes around the moments; wider bars further back where nothing was traded shortly before publication."""
        end = due.published + last
        found = await self._prices.bars(due.symbol, due.published - timedelta(minutes=30), end, "1m", now=now)
        if isinstance(found, PriceSeries) and _last_ended(found, due.published) is not None:
            return found
        return await self._prices.bars(due.symbol, due.published - LOOK_BACK, end, "5m", now=now)


def priced_marks(due: DuePrices, waiting: Sequence[timedelta], series: PriceSeries, now: datetime) -> list[Priced]:
    """What each waiting mark becomes with these bars; pure."""
    base = _last_ended(series, due.published)
    before = due.base if due.base is not None else base.close if base is not None else None
    marked = []
    for after in waiting:
        bar = base if not after else _last_ended(series, due.published + after)
        traded = bar is not None and (not after or base is None or bar.at > base.at)
        if bar is None or not traded:
            reason = _CLOSED if after else "no trade in the days before publication"
            marked.append(Priced(after, reason=reason))
            continue
        change = (bar.close / before - 1) * 100 if after and before else None
        if after and change is None:
            marked.append(Priced(after, reason="no price at publication to compare with"))
            continue
        marked.append(
            Priced(
                after,
                bar.close,
                None if change is None else round(change, 4),
                bar.at + WIDTHS[series.width],
                WIDTHS[series.width],
                series.currency,
                f"{series.source}, {series.what}",
                series.stale,
            )
        )
    return [_again(one, due, series, now) for one in marked]


def _again(one: Priced, due: DuePrices, series: PriceSeries, now: datetime) -> Priced:
    """A mark without a price whose source may still be catching up is looked for once more, shortly after."""
    moment = due.published + one.after
    if one.price is None and now - moment < timedelta(minutes=30) and series.width != "1d":
        return Priced(one.after, reason=one.reason, retry_at=now + RETRY)
    return one


def _last_ended(series: PriceSeries, moment: datetime) -> Bar | None:
    width = WIDTHS[series.width]
    return next((bar for bar in reversed(series.bars) if bar.at + width <= moment), None)


def _without(due: DuePrices, after: timedelta, none: NoPrices, now: datetime) -> Priced:
    """No price: for good where the sources have answered, or have not for days; else it is tried again."""
    final = none.answered or now - (due.published + after) > LAST_TRY
    return Priced(after, reason=none.reason, retry_at=None if final else now + RETRY)
