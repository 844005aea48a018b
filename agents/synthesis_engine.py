"""Adds the reports of one item up to one signal. Pure arithmetic, the same for every engine.

Over the agents that succeeded:

  impact_score       max of the final impacts: a miss costs more than a false alarm
  confidence_score   mean of the counted confidences: one certain agent does not remove the others' doubt
  ticker impact      mean over the agents that name the ticker, weighted by confidence (all weights 0: plain mean)
  ticker link_type   the closest given: direct, chain, sector, macro
  ticker direction   the direction with the most confidence behind it (all weights 0: the most agents); a tie is unclear
  ticker reason      that of the agent with the closest link, then the highest ticker impact
  signal_type        that of the agent with the highest impact, then the higher confidence, then table order
  event_type         the same choice among the agents that tag a flash event
  agreement          1 - (max - min) of the final impacts
  tone               mean over the agents that have one, weighted by confidence (all weights 0: plain mean)

"Confidence" is always the counted one, which falls with every tool that did not answer. Sums are exact (`math.fsum`)
and comparisons are made at nine decimals, so that neither the order of the reports nor float rounding decides anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum
from typing import TypeAlias

from agents.models import LINK_TYPES, Direction, LinkedTicker, LinkType, Outcome, Report, Synthesis, TickerLink
from agents.specialists import TABLE_ORDER

_CLOSENESS: dict[LinkType, int] = {link_type: place for place, link_type in enumerate(LINK_TYPES)}
_DECIMALS = 9

_Naming: TypeAlias = tuple[Report, TickerLink]


def comparable(value: float) -> float:
    """`value` as it is compared with another score: 0.1 + 0.7 counts as 0.8."""
    return round(value, _DECIMALS)


def synthesize(outcomes: Sequence[Outcome]) -> Synthesis | None:
    """The signal that the reports among `outcomes` add up to; None where no agent succeeded (unscored, not low)."""
    reports = sorted((o for o in outcomes if isinstance(o, Report)), key=lambda report: TABLE_ORDER[report.agent])
    if not reports:
        return None
    impacts = [report.final.impact_score for report in reports]
    confidences = [report.confidence_score for report in reports]
    loudest = min(reports, key=_rank)
    tagging = [report for report in reports if report.final.event_type is not None]
    toned = [(report.final.tone, report.confidence_score) for report in reports if report.final.tone is not None]
    return Synthesis(
        impact_score=max(impacts),
        confidence_score=_weighted_mean((confidence, 1.0) for confidence in confidences),
        signal_type=loudest.final.signal_type,
        event_type=min(tagging, key=_rank).final.event_type if tagging else None,
        tickers_linked=_tickers(reports),
        agreement=1.0 - (max(impacts) - min(impacts)),
        tone=_weighted_mean(toned) if toned else None,
        agents_ok=len(reports),
    )


def _rank(report: Report) -> tuple[float, float, int]:
    """Sorts the agent whose word decides first: highest impact, then higher confidence, then table order."""
    return (
        -comparable(report.final.impact_score),
        -comparable(report.confidence_score),
        TABLE_ORDER[report.agent],
    )


def _weighted_mean(pairs: Iterable[tuple[float, float]]) -> float:
    """Mean of the values of (value, weight) pairs; plain where all weights are 0. Never outside the values given."""
    given = list(pairs)
    values = [value for value, _ in given]
    total = fsum(weight for _, weight in given)
    mean = fsum(value * weight for value, weight in given) / total if total else fsum(values) / len(values)
    return min(max(mean, min(values)), max(values))


def _tickers(reports: Sequence[Report]) -> tuple[LinkedTicker, ...]:
    """One entry a symbol: highest impact first, then the closer link, then the symbol."""
    namings: dict[str, list[_Naming]] = {}
    for report in reports:
        for link in _once_each(report.final.tickers_linked):
            namings.setdefault(link.symbol, []).append((report, link))
    linked = [_ticker(symbol, named) for symbol, named in namings.items()]
    linked.sort(key=lambda t: (-comparable(t.impact_score), _CLOSENESS[t.link_type], t.symbol))
    return tuple(linked)


def _once_each(links: Sequence[TickerLink]) -> Iterable[TickerLink]:
    """An agent has one voice a symbol: of several links to it the closest, then the one with the highest impact."""
    chosen: dict[str, TickerLink] = {}
    for link in links:
        if link.symbol not in chosen or _link_rank(link) < _link_rank(chosen[link.symbol]):
            chosen[link.symbol] = link
    return chosen.values()


def _link_rank(link: TickerLink) -> tuple[int, float]:
    return _CLOSENESS[link.link_type], -comparable(link.impact_score)


def _ticker(symbol: str, named: Sequence[_Naming]) -> LinkedTicker:
    """The consensus on `symbol` of the agents that name it; `named` is in table order."""
    _, closest = min(named, key=lambda naming: (*_link_rank(naming[1]), *_rank(naming[0])))
    return LinkedTicker(
        symbol=symbol,
        impact_score=_weighted_mean((link.impact_score, report.confidence_score) for report, link in named),
        link_type=closest.link_type,
        direction=_direction(named),
        reason=closest.reason,
        agents=tuple(report.agent for report, _ in named),
    )


def _direction(named: Sequence[_Naming]) -> Direction:
    """The direction most confidence stands behind. "Unclear" is a vote of its own, and what a tie gives."""
    all_silent = not any(report.confidence_score for report, _ in named)
    votes: dict[Direction, list[float]] = {}
    for report, link in named:
        votes.setdefault(link.direction, []).append(1.0 if all_silent else report.confidence_score)
    weights = {direction: comparable(fsum(given)) for direction, given in votes.items()}
    most = max(weights.values())
    leaders = [direction for direction, weight in weights.items() if weight == most]
    return leaders[0] if len(leaders) == 1 else "unclear"
