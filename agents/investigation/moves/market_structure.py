"""Market Structure: what other prices did in the same bar, and the shape of the move itself. Its evidence is rank B.

Market data fits a cause, it does not state one. Prices of the onset bar cannot be ordered against the onset, so they
overlap.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from agents.investigation.bound import Caps, NodeMeter
from agents.investigation.dates.timing import NEW_YORK
from agents.investigation.errors import BoundReached, InvestigationError, NoSeries
from agents.investigation.models import CauseType, Collector, Coverage, Decomposition, Evidence, Gathered, Sighted
from agents.investigation.moves import decomposition
from agents.investigation.moves.currencies import pair
from agents.investigation.moves.explained import explanation_of_leg
from agents.investigation.moves.series import Series
from agents.investigation.ports import Related, SeriesSource
from agents.investigation.state import State

ROLE: Final[Collector] = "MarketStructure"
SHARE: Final = 0.5
"""From this part of the move on, the market or the sector explains it."""
REVERSAL: Final = 0.7
"""A move that gives back this part within `REVERSAL_BARS` looks like a hole in the book."""
REVERSAL_BARS: Final = 3
THIN_HOURS: Final = (17, 20)
"""Hours in New York (17:00 to 20:00) between two currency days, when few trade."""


@dataclass(frozen=True, slots=True)
class MarketStructure:
    """The collector of prices. Without `prices` no other series is to be had, which is said."""

    prices: SeriesSource | None
    related: Related
    caps: Caps

    async def gather(self, state: State, round_: int, meter: NodeMeter) -> Gathered:
        """The series of the checklist at once, the decomposition, and the shape of the move."""
        sighted = _sighted(state)
        lines = [Coverage(ROLE, "price series", "found", f"{len(sighted.bars)} bars of {sighted.source}")]
        market, line = await self._one("market", self.related.market, state, meter)
        lines += [line] if state.case.kind == "stock" else []
        groups = (
            (("other pairs of either currency", self.related.crosses),)
            if state.case.kind == "currency"
            else (("sector peers", self.related.peers),)
        )
        others: list[Series] = []
        for title, symbols in groups:
            found, covered = await self._many(title, symbols, state, meter)
            others += found
            lines += [covered] if state.case.kind != "other" else []
        split = self._split(state, sighted, market, others)
        evidence = (*_of_split(split, sighted, state), *_of_shape(sighted, state))
        cut = next((one.detail for one in lines if one.detail.startswith("cut after")), "")
        return Gathered(ROLE, round_, evidence, tuple(lines), split, meter.source_calls, 0, cut)

    def _split(
        self, state: State, sighted: Sighted, market: Series | None, others: Sequence[Series]
    ) -> Decomposition | None:
        known = pair(state.case.symbol) if state.case.kind == "currency" else None
        if known is not None:
            return decomposition.of_pair(sighted, known, others)
        return decomposition.of_stock(sighted, market, others)

    async def _many(
        self, title: str, symbols: Sequence[str], state: State, meter: NodeMeter
    ) -> tuple[list[Series], Coverage]:
        answers = await asyncio.gather(*(self._one(title, symbol, state, meter) for symbol in symbols))
        found = [series for series, _ in answers if series is not None]
        if found:
            return found, Coverage(ROLE, title, "found", ", ".join(series.symbol for series in found))
        down = next((line for _, line in answers if line.state == "down"), None)
        return [], down or Coverage(ROLE, title, "nothing", "no series was given" if not symbols else "no prices there")

    async def _one(self, title: str, symbol: str, state: State, meter: NodeMeter) -> tuple[Series | None, Coverage]:
        """One series with its own retries."""
        if not symbol or self.prices is None:
            return None, Coverage(ROLE, title, "nothing", "no series was given")
        reason = ""
        for _ in range(self.caps.attempts):
            try:
                meter.source_call()
                async with asyncio.timeout(self.caps.source_timeout_s):
                    series = await self.prices.series(symbol, state.anchor.onset_at, daily=state.anchor.daily)
                return series, Coverage(ROLE, title, "found", symbol)
            except NoSeries as error:
                return None, Coverage(ROLE, title, "nothing", str(error))
            except BoundReached as error:
                return None, Coverage(ROLE, title, "down", str(error))
            except TimeoutError:
                reason = f"{symbol}: no answer within {self.caps.source_timeout_s:g} s"
            except InvestigationError as error:
                reason = str(error)
            except Exception as error:  # noqa: BLE001 -- a source's own fault is that source's state, not the end of the collector
                reason = f"{type(error).__name__}: {error}"
        return None, Coverage(ROLE, title, "down", reason)


def _sighted(state: State) -> Sighted:
    if state.sighted is None:
        raise ValueError("the Timeline has not run")
    return state.sighted


def _of_split(split: Decomposition | None, sighted: Sighted, state: State) -> list[Evidence]:
    """Evidence for a move of the market, of the sector, or of one currency against all others, where that makes up
    most of it."""
    if split is None or not split.total_pct:
        return []
    known = pair(state.case.symbol) if state.case.kind == "currency" else None
    if known is not None:
        return [
            _evidence(sighted, "market_move", f"The {leg.code} against all currencies", claim, leg.code)
            for leg, other in (known.legs, known.legs[::-1])
            if (claim := explanation_of_leg(split, known, other))
        ]
    parts: tuple[tuple[CauseType, str, float | None], ...] = (
        ("market_move", "The market as a whole", split.market_pct),
        ("sector_move", "The sector", split.sector_pct),
    )
    told = f" ({'; '.join(split.basis)})"
    return [
        _evidence(sighted, cause, title, f"{title} moved {part:+.2f}% of {split.total_pct:+.2f}%{told}")
        for cause, title, part in parts
        if part is not None and part / split.total_pct >= SHARE
    ]


def _of_shape(sighted: Sighted, state: State) -> list[Evidence]:
    """Evidence for a hole in the book: a move in hours when few trade that is soon given back."""
    anchor, width = sighted.anchor, timedelta(seconds=sighted.width_s)
    if anchor.daily or state.case.kind != "currency":
        return []
    place = next((n for n, bar in enumerate(sighted.bars) if bar.at == anchor.onset_at), None)
    if place is None or place == 0 or width > timedelta(hours=1):
        return []
    start = sighted.bars[place - 1].close
    onset = sighted.bars[place]
    after = sighted.bars[place : place + 1 + REVERSAL_BARS]
    extreme = max((onset.high, onset.low), key=lambda price: abs(price - start))
    given_back = (extreme - after[-1].close) / (extreme - start) if extreme != start else 0.0
    opens, ends = THIN_HOURS
    hour = anchor.onset_at.astimezone(NEW_YORK).hour
    if given_back < REVERSAL or not opens <= hour < ends:
        return []
    claim = (
        f"{abs(extreme / start - 1):.1%} away and {given_back:.0%} of it back within {REVERSAL_BARS} bars,"
        " between two currency days when few trade"
    )
    return [_evidence(sighted, "liquidity", "Thin trading, stop orders or an error", claim)]


def _evidence(sighted: Sighted, cause: CauseType, topic: str, claim: str, whose: str = "") -> Evidence:
    """Market data for a cause; `whose` is the currency it is, else it is the symbol's own."""
    anchor = sighted.anchor
    key = "liquidity/liquidity" if cause == "liquidity" else f"{cause}/{(whose or anchor.symbol).lower()}"
    return Evidence(
        hypothesis=key,
        cause_type=cause,
        topic=topic,
        rank="B",
        timing="overlap",
        supports=True,
        claim=claim,
        source=sighted.source,
        source_url="",
        published_at=anchor.onset_at,
        effective_at=None,
        precision="hour" if anchor.precision_s > 60 else "minute",
        time_kind="observation",
        collector=ROLE,
        round=1,
        record=f"prices:{cause}",
        why="market data",
        outlet=sighted.source,
        linked=True,
    )
