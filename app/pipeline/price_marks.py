"""Fills in what a signal's symbols cost when its item became public, five minutes, an hour and a day later.

The price of a moment is that of the last trade before it, in a bar that had ended: a bar in which the news itself falls
holds what came after it. Where the market was closed at a later moment, the next trade answers it, with its own time.
Where there is no price the mark says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from typing import Final, Protocol

from agents.prices import WIDTHS, Bar, BarWidth, NoPrices, PriceSeries
from agents.tools.asking.health import SourceState
from app.clock import Clock
from app.events import Bus, CardChanged
from storage.evidence_sources import EvidenceSources
from storage.prices import LAST_TRY, DuePrices, Priced, PriceMarks

TICK_S: Final = 2.0
KEEP_TICKS: Final = 30
"""After so many ticks the state of the evidence sources is kept; also when the program ends."""
RETRY: Final = timedelta(minutes=10)
RETRY_MOST: Final = timedelta(hours=2)
"""A price that was not to be had is looked for again after ten minutes, then after twice as long each time."""
LATE: Final = timedelta(minutes=25)
"""So late sources may be: until then a bar that is missing may still come."""
STILL_TRADED: Final = timedelta(minutes=20)
"""A last trade older than this says that the market was closed, or that nobody traded."""
LOOK_BACK: Final = timedelta(days=4)
"""How old the last trade before publication may be: a long weekend."""
_DAY: Final = timedelta(days=1)
_NO_BASE: Final = "no trade in the days before publication"
_CLOSED: Final = "no trade since: the market is closed, the next trade will stand here"


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
        tick_s: float = TICK_S,
    ) -> None:
        self._marks = marks
        self._prices = prices
        self._clock = clock
        self._bus = bus
        self._sources = sources
        self._states = states
        self._tick_s = tick_s

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
                    since = now - timedelta(seconds=2 * self._tick_s)
                await self._fill_due(now)
                if tick % KEEP_TICKS == 0:
                    await self._keep()
                await self._clock.sleep(self._tick_s)
        finally:
            leave()
            await self._keep()

    async def _keep(self) -> None:
        if self._sources is not None:
            await self._sources.keep(self._states(), self._clock.now())

    async def _fill_due(self, now: datetime) -> None:
        """Symbol by symbol, so that many signals on one company cost one answer."""
        by_symbol: dict[str, list[DuePrices]] = {}
        for due in await self._marks.due(now):
            by_symbol.setdefault(due.symbol, []).append(due)
        for symbol, waiting in by_symbol.items():
            filled = await self._filled(symbol, waiting)
            await self._marks.fill(filled)
            for card in dict.fromkeys(due.card_key for due, _ in filled):
                self._bus.publish(CardChanged(card))

    async def _filled(self, symbol: str, waiting: Sequence[DuePrices]) -> list[tuple[DuePrices, list[Priced]]]:
        """What the marks of one symbol become.

        Minutes come from shortly before the first publication on; where nothing was traded shortly before one, wider
        bars reach further back.
        """
        now = self._clock.now()
        start = min(due.published for due in waiting) - timedelta(minutes=30)
        minutes = await self._prices.bars(symbol, start, now, "1m", now=now)
        far = [due for due in waiting if due.base is None and _base(minutes, due) is None]
        wider: PriceSeries | NoPrices = minutes
        if far:
            start = min(due.published for due in far) - LOOK_BACK
            wider = await self._prices.bars(symbol, start, now, "5m", now=now)
        filled = []
        for due in waiting:
            series = wider if due in far else minutes
            if isinstance(series, NoPrices):
                filled.append((due, [_without(due, after, series, now) for after in due.waiting]))
            else:
                filled.append((due, priced_marks(due, series, now)))
        return filled


def _base(series: PriceSeries | NoPrices, due: DuePrices) -> Bar | None:
    return _last_ended(series, due.published) if isinstance(series, PriceSeries) else None


def priced_marks(due: DuePrices, series: PriceSeries, now: datetime) -> list[Priced]:
    """What each waiting mark becomes with these bars at `now`; pure."""
    base = _last_ended(series, due.published)
    before = due.base if due.base is not None else base.close if base is not None else None
    return [_priced(due, after, series, before, now) for after in due.waiting]


def _priced(due: DuePrices, after: timedelta, series: PriceSeries, before: float | None, now: datetime) -> Priced:
    moment = due.published + after
    if timedelta(0) < after < WIDTHS[series.width] == _DAY:
        return Priced(after, reason=f"{series.source} has one price a day")
    if _may_still_come(series, due.published if before is None else moment, now):
        return Priced(after, reason="the source is not there yet", retry_at=now + RETRY)
    if before is None:
        return Priced(after, reason="no price at publication to compare with" if after else _NO_BASE)
    trade = _trade_at(series, due.published, moment)
    if trade is None:
        later = _again(due, Priced(after, reason=_CLOSED), now)
        return replace(later, retry_at=_after_weekend(later.retry_at)) if later.retry_at else later
    change = round((trade.price / before - 1) * 100, 4) if after and before else None
    return Priced(
        after,
        trade.price,
        change,
        trade.at,
        WIDTHS[series.width],
        series.currency,
        f"{series.source}, {series.what}",
        series.stale,
    )


@dataclass(frozen=True, slots=True)
class _Trade:
    """A price and the time it is of."""

    price: float
    at: datetime


def _trade_at(series: PriceSeries, published: datetime, moment: datetime) -> _Trade | None:
    """The last trade by `moment`; for a moment after publication it must have come after that and not be old, else the
    first trade after the moment counts. None where there is none."""
    width = WIDTHS[series.width]
    last = _last_ended(series, moment)
    if last is not None:
        ended = last.at + width
        if moment == published or (ended > published and moment - ended <= max(STILL_TRADED, width)):
            return _Trade(last.close, ended)
    if moment == published:
        return None
    following = next((bar for bar in series.bars if bar.at >= moment), None)
    return _Trade(following.open, following.at) if following is not None else None


def _may_still_come(series: PriceSeries, moment: datetime, now: datetime) -> bool:
    """Whether the bars end before `moment` and it is so recent that the source may only be late."""
    if now - moment >= LATE or series.width == "1d":
        return False
    return not series.bars or series.bars[-1].at + WIDTHS[series.width] < moment


def _last_ended(series: PriceSeries, moment: datetime) -> Bar | None:
    width = WIDTHS[series.width]
    return next((bar for bar in reversed(series.bars) if bar.at + width <= moment), None)


def _without(due: DuePrices, after: timedelta, none: NoPrices, now: datetime) -> Priced:
    """No price: for good where the sources have answered, or have not for days; else it is tried again."""
    found = Priced(after, reason=none.reason)
    return found if none.answered else _again(due, found, now)


def _again(due: DuePrices, one: Priced, now: datetime) -> Priced:
    """A mark without a price is looked for later, less and less often, until it is given up."""
    if now - (due.published + one.after) > LAST_TRY:
        return one
    wait = min(RETRY * 2 ** min(due.attempts, 10), RETRY_MOST)
    return replace(one, retry_at=now + wait)


def _after_weekend(at: datetime) -> datetime:
    """`at`, or where no exchange trades then, Sunday 21:00 UTC, when the first ones open."""
    saturday = at.replace(hour=2, minute=0, second=0, microsecond=0) - timedelta(days=(at.weekday() - 5) % 7)
    sunday = saturday + timedelta(days=1, hours=19)
    return sunday if saturday <= at < sunday else at
