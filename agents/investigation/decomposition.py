"""How a move splits up: what the market, the sector or a currency as a whole did in the same bar, and what is left.

A stock's share of the market is its beta over the bars before the onset; the sector's is what its peers did beyond
theirs. A pair splits into what either currency did against others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import fmean
from typing import Final

from agents.investigation.currencies import Currency, Pair, pair
from agents.investigation.models import Decomposition, Sighted
from agents.investigation.series import Series
from agents.prices import Bar

ENOUGH: Final = 20
"""So many common bars before the onset are needed for a beta; below it a beta of 1 is assumed and said."""

Changes = Mapping[object, float]


def changes(bars: Sequence[Bar]) -> dict[object, float]:
    """The return of each bar in percent of the close before, by the bar's time (by its day for dated bars)."""
    daily = len(bars) > 1 and (bars[1].at - bars[0].at).total_seconds() >= 72_000
    return {
        (bar.at.date() if daily else bar.at): 100 * (bar.close / before.close - 1) for before, bar in pairwise(bars)
    }


def of_stock(sighted: Sighted, market: Series | None, peers: Sequence[Series]) -> Decomposition | None:
    """Market, sector and residual of a stock's move; None where neither series holds the onset."""
    own = changes(sighted.bars)
    key = _key(sighted, own)
    if key is None:
        return None
    total, basis = own[key], []
    market_part: float | None = None
    market_changes = changes(market.bars) if market else {}
    if market and key in market_changes:
        beta, stated = _beta(own, market_changes, key)
        market_part = beta * market_changes[key]
        basis.append(f"{market.symbol} {market_changes[key]:+.2f}% x beta {beta:.2f}{stated}")
    beyond = [one for series in peers if (one := _beyond(series, market_changes, key)) is not None]
    sector_part = fmean(beyond) if beyond else None
    if beyond:
        basis.append(f"{len(beyond)} peers, mean beyond the market {sector_part:+.2f}%")
    if market_part is None and sector_part is None:
        return None
    left = total - (market_part or 0.0) - (sector_part or 0.0)
    return Decomposition(round(total, 4), _r(market_part), _r(sector_part), None, round(left, 4), tuple(basis))


def of_pair(sighted: Sighted, known: Pair, crosses: Sequence[Series]) -> Decomposition | None:
    """What either currency did against others: the base's part as the market's, the quote's as the currency's."""
    own = changes(sighted.bars)
    key = _key(sighted, own)
    if key is None:
        return None
    base = _broad(known.base, known, crosses, key)
    quote = _broad(known.quote, known, crosses, key)
    if base is None and quote is None:
        return None
    total = own[key]
    against = -quote if quote is not None else None
    basis = [
        f"{leg.code} against others {value:+.2f}%"
        for leg, value in ((known.base, base), (known.quote, quote))
        if value is not None
    ]
    left = total - (base or 0.0) - (against or 0.0)
    return Decomposition(round(total, 4), _r(base), None, _r(against), round(left, 4), tuple(basis))


def _key(sighted: Sighted, own: Changes) -> object | None:
    anchor = sighted.anchor
    found = next((bar.at for bar in sighted.bars if bar.at >= anchor.onset_at), None)
    if anchor.daily:
        day = anchor.ends_at.date()
        return day if day in own else None
    return found if found in own else None


def _beta(own: Changes, other: Changes, onset: object) -> tuple[float, str]:
    """(beta before the onset, a remark where it is assumed)."""
    common = [key for key in own if key in other and key < onset]  # type: ignore[operator]
    if len(common) < ENOUGH:
        return 1.0, " (assumed, too few common bars)"
    mine, theirs = [own[key] for key in common], [other[key] for key in common]
    my_mean, their_mean = fmean(mine), fmean(theirs)
    spread = sum((value - their_mean) ** 2 for value in theirs)
    if not spread:
        return 1.0, " (assumed, the market stood still)"
    return sum((a - my_mean) * (b - their_mean) for a, b in zip(mine, theirs, strict=True)) / spread, ""


def _beyond(series: Series, market: Changes, key: object) -> float | None:
    """What a peer did beyond its share of the market."""
    own = changes(series.bars)
    if key not in own:
        return None
    if key not in market:
        return own[key]
    return own[key] - _beta(own, market, key)[0] * market[key]


def _broad(leg: Currency, known: Pair, crosses: Sequence[Series], key: object) -> float | None:
    """The mean move of a currency against those outside the pair, in percent."""
    found = []
    for series in crosses:
        cross = pair(series.symbol)
        others = {known.base.code, known.quote.code} - {leg.code}
        moved = changes(series.bars).get(key)
        if cross is None or moved is None or cross.sign(leg, 1) == 0 or others & {one.code for one in cross.legs}:
            continue
        found.append(cross.sign(leg, 1) * moved)
    return fmean(found) if found else None


def _r(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
