"""How a move splits up: what the market, the sector or a currency as a whole did in the same bar, and what is left.

A stock's share of the market is its beta over the bars before the onset; the sector's is what its peers did beyond
theirs. A pair splits into what either currency did against others. What is left over is held against what is left over
ordinarily, before the onset.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, median
from typing import Final

from agents.investigation.models import Decomposition, Sighted
from agents.investigation.moves.currencies import Currency, Pair, pair
from agents.investigation.moves.series import Series
from agents.prices import Bar

ENOUGH: Final = 20
"""So many common bars before the onset are needed for a beta; below it a beta of 1 is assumed and said."""
_NORMAL: Final = 1.4826
"""Standard deviations in a median absolute deviation."""

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
    basis: list[str] = []
    in_market = _share(own, changes(market.bars), key) if market else None
    if market and in_market:
        basis.append(f"{market.symbol} {in_market.moved:+.2f}% x beta {in_market.beta:.2f}{in_market.remark}")
    found = (_beyond(series, in_market, key) for series in peers)
    beyond = [one for one in found if key in one]
    sector_part = fmean(one[key] for one in beyond) if beyond else None
    if beyond:
        basis.append(f"{len(beyond)} peers, mean beyond the market {sector_part:+.2f}%")
    market_part = in_market.part if in_market else None
    if market_part is None and sector_part is None:
        return None
    left = own[key] - (market_part or 0.0) - (sector_part or 0.0)
    usual = _usual_residual(own, in_market, beyond, key)
    basis.append(_noise_in_words("the residual", usual))
    return Decomposition(
        total_pct=round(own[key], 4),
        market_pct=_r(market_part),
        sector_pct=_r(sector_part),
        currency_pct=None,
        residual_pct=round(left, 4),
        basis=tuple(basis),
        noise_pct=_r(usual.noise),
        noise_bars=usual.bars,
    )


def of_pair(sighted: Sighted, known: Pair, crosses: Sequence[Series]) -> Decomposition | None:
    """What either currency did against others: the base's part as the market's, the quote's as the currency's."""
    own = changes(sighted.bars)
    key = _key(sighted, own)
    if key is None:
        return None
    bases, quotes = (_broad(leg, known, crosses) for leg in known.legs)
    base, quote = bases.get(key), quotes.get(key)
    if base is None and quote is None:
        return None
    total = own[key]
    against = -quote if quote is not None else None
    usual_base, usual_quote = _usual(bases, key), _usual(quotes, key)
    basis = [
        f"{leg.code} against others {value:+.2f}%, {_noise_in_words('its move', usual)}"
        for leg, value, usual in ((known.base, base, usual_base), (known.quote, quote, usual_quote))
        if value is not None
    ]
    left = total - (base or 0.0) - (against or 0.0)
    return Decomposition(
        total_pct=round(total, 4),
        market_pct=_r(base),
        sector_pct=None,
        currency_pct=_r(against),
        residual_pct=round(left, 4),
        basis=tuple(basis),
        base_noise_pct=_r(usual_base.noise),
        quote_noise_pct=_r(usual_quote.noise),
        noise_bars=min(usual_base.bars, usual_quote.bars),
    )


@dataclass(frozen=True, slots=True)
class _Share:
    """A stock's share of its market: the beta before the onset, with a remark where it had to be assumed, and the sum
    of the market's squared moves it was taken from."""

    market: Changes
    beta: float
    spread: float
    moved: float
    remark: str

    @property
    def part(self) -> float:
        return self.beta * self.moved

    @property
    def stretch(self) -> float:
        """How much wider the residual of this bar lies than an ordinary one: beta is only an estimate, and its error
        grows with the market's move."""
        return math.sqrt(1 + self.moved**2 / self.spread) if self.spread else 1.0


@dataclass(frozen=True, slots=True)
class _Usual:
    """Two ordinary deviations over so many bars before the onset; None where they are too few."""

    noise: float | None
    bars: int


def _key(sighted: Sighted, own: Changes) -> object | None:
    anchor = sighted.anchor
    found = next((bar.at for bar in sighted.bars if bar.at >= anchor.onset_at), None)
    if anchor.daily:
        day = anchor.ends_at.date()
        return day if day in own else None
    return found if found in own else None


def _share(own: Changes, market: Changes, key: object) -> _Share | None:
    """The share of the market in the bar of the onset; None where the market has no price there."""
    if key not in market:
        return None
    beta, spread, remark = _beta(own, market, key)
    return _Share(market, beta, spread, market[key], remark)


def _beta(own: Changes, other: Changes, onset: object) -> tuple[float, float, str]:
    """(beta before the onset, the sum of squares it rests on, a remark where it is assumed)."""
    common = [key for key in own if key in other and key < onset]  # type: ignore[operator]
    if len(common) < ENOUGH:
        return 1.0, 0.0, " (assumed, too few common bars)"
    mine, theirs = [own[key] for key in common], [other[key] for key in common]
    my_mean, their_mean = fmean(mine), fmean(theirs)
    spread = sum((value - their_mean) ** 2 for value in theirs)
    if not spread:
        return 1.0, 0.0, " (assumed, the market stood still)"
    together = sum((a - my_mean) * (b - their_mean) for a, b in zip(mine, theirs, strict=True))
    return together / spread, spread, ""


def _beyond(series: Series, in_market: _Share | None, key: object) -> Changes:
    """What a peer did beyond its share of the market, bar by bar."""
    own = changes(series.bars)
    if in_market is None or key not in own:
        return own
    beta, _, _ = _beta(own, in_market.market, key)
    return {at: moved - beta * in_market.market[at] for at, moved in own.items() if at in in_market.market}


def _usual_residual(own: Changes, in_market: _Share | None, beyond: Sequence[Changes], key: object) -> _Usual:
    """What was left over before the onset. A beta that is assumed measures no residual."""
    if in_market is not None and in_market.remark:
        return _Usual(None, 0)
    left = {}
    for at, moved in own.items():
        peers = [one[at] for one in beyond if at in one]
        if (in_market is None or at in in_market.market) and len(peers) == len(beyond):
            of_market = in_market.beta * in_market.market[at] if in_market else 0.0
            left[at] = moved - of_market - (fmean(peers) if peers else 0.0)
    usual = _usual(left, key)
    if usual.noise is None or in_market is None:
        return usual
    return _Usual(usual.noise * in_market.stretch, usual.bars)


def _usual(moves: Changes, onset: object) -> _Usual:
    """Two deviations of what was before the onset, by the median, which one wild bar does not move."""
    before = [value for key, value in moves.items() if key < onset]  # type: ignore[operator]
    if len(before) < ENOUGH:
        return _Usual(None, len(before))
    middle = median(before)
    deviation = _NORMAL * median(abs(value - middle) for value in before)
    return _Usual(2 * deviation or None, len(before))


def _noise_in_words(what: str, usual: _Usual) -> str:
    if usual.noise is None:
        return f"{usual.bars} bars are too few to tell {what} from noise"
    return f"ordinarily {what} lies within {usual.noise:.2f}% ({usual.bars} bars)"


def _broad(leg: Currency, known: Pair, crosses: Sequence[Series]) -> Changes:
    """The mean move of a currency against those outside the pair, in percent, bar by bar."""
    found: dict[object, list[float]] = {}
    for series in crosses:
        cross = pair(series.symbol)
        others = {known.base.code, known.quote.code} - {leg.code}
        if cross is None or cross.sign(leg, 1) == 0 or others & {one.code for one in cross.legs}:
            continue
        for key, moved in changes(series.bars).items():
            found.setdefault(key, []).append(cross.sign(leg, 1) * moved)
    return {key: fmean(values) for key, values in found.items()}


def _r(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
