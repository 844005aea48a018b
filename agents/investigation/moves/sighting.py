"""The Timeline node: asks for the series and finds the move in it. Code only, no model."""

from __future__ import annotations

import asyncio
from typing import Final

from agents.investigation.bound import Caps, NodeMeter
from agents.investigation.errors import BoundReached, InvestigationError, NoSeries
from agents.investigation.models import Case, Sighted
from agents.investigation.moves.series import Series
from agents.investigation.moves.timeline import find_onset, span_of
from agents.investigation.ports import SeriesSource

BEFORE: Final = 260
AFTER: Final = 60
"""Bars kept before and after the onset, for the tests of reaction, the decomposition and the plot."""


async def see(case: Case, prices: SeriesSource, caps: Caps, meter: NodeMeter) -> Sighted:
    """The move and the bars around it. Raises NoSeries where no series is to be had or holds no such time."""
    series = await _series(case, prices, caps, meter)
    anchor = find_onset(series, case)
    place = next(n for n, bar in enumerate(series.bars) if span_of(bar, series, case.kind).start == anchor.onset_at)
    bars = series.bars[max(0, place - BEFORE) : place + AFTER]
    return Sighted(anchor, bars, series.width.total_seconds(), series.source, meter.source_calls)


async def _series(case: Case, prices: SeriesSource, caps: Caps, meter: NodeMeter) -> Series:
    reason = "no answer"
    for _ in range(caps.attempts):
        try:
            meter.source_call()
            async with asyncio.timeout(caps.source_timeout_s):
                return await prices.series(case.symbol, case.at)
        except NoSeries:
            raise
        except BoundReached as error:
            raise NoSeries(f"{case.symbol}: no price series: {error}") from error
        except TimeoutError:
            reason = f"no answer within {caps.source_timeout_s:g} s"
        except InvestigationError as error:
            reason = str(error)
    raise NoSeries(f"{case.symbol}: no price series from {prices.name}: {reason}")
