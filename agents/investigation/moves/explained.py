"""What a decomposition says against a cause: a company's or a currency's own cause needs a move of its own.

A move counts as explained when what is left for the cause lies within its ordinary noise (two deviations over the bars
before the onset) and the rest makes up most of it. Then market data of rank B stands against the cause. With too few
bars to know the noise nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agents.investigation.models import Case, CauseType, Decomposition, Evidence, Sighted
from agents.investigation.moves.currencies import Currency, Pair, currencies, pair

MOST: Final = 0.7
"""From this part of the move on, the market, the sector or the other currency explains it."""
OWN_CAUSES: Final[frozenset[CauseType]] = frozenset(
    {"earnings", "guidance", "m_and_a", "legal_regulatory", "supply_chain", "analyst_action", "other"}
)
"""Causes of a stock's move that lie in the company itself."""


def explanation(split: Decomposition) -> str:
    """What explains a stock's move without a cause of its own, in words; "" where nothing does."""
    if split.noise_pct is None or not split.total_pct or abs(split.residual_pct) > split.noise_pct:
        return ""
    explained = ((split.market_pct or 0.0) + (split.sector_pct or 0.0)) / split.total_pct
    if explained < MOST:
        return ""
    parts = (("the market", split.market_pct), ("the sector", split.sector_pct))
    told = " and ".join(f"{name} {value:+.2f}%" for name, value in parts if value is not None)
    return (
        f"{told} explain {explained:.0%} of {split.total_pct:+.2f}%; the {split.residual_pct:+.2f}% left over lie"
        f" within the ordinary {split.noise_pct:.2f}% ({split.noise_bars} bars)"
    )


def explanation_of_leg(split: Decomposition, known: Pair, leg: Currency) -> str:
    """What explains a pair's move without a move of `leg`, in words; "" where it does not."""
    is_base = leg.code == known.base.code
    own, noise = (split.market_pct, split.base_noise_pct) if is_base else (split.currency_pct, split.quote_noise_pct)
    others = split.currency_pct if is_base else split.market_pct
    if own is None or noise is None or others is None or not split.total_pct or abs(own) > noise:
        return ""
    explained = others / split.total_pct
    if explained < MOST:
        return ""
    other = known.quote if is_base else known.base
    return (
        f"the {other.code} explains {explained:.0%} of {split.total_pct:+.2f}%; the {leg.code} moved the pair by"
        f" {own:+.2f}%, within its ordinary {noise:.2f}% ({split.noise_bars} bars)"
    )


def refutation_by_prices(
    supporting: Sequence[Evidence], case: Case, split: Decomposition | None, sighted: Sighted
) -> Evidence | None:
    """Market data against a hypothesis whose company or currency did not move on its own; None where there is none.

    Where the sector is needed to explain a stock's move, the company's own act at the time stands: its peers may have
    moved because of it.
    """
    if split is None or not supporting:
        return None
    one = supporting[0]
    claim = _of_pair(one, case, split) if case.kind == "currency" else _of_stock(supporting, split)
    if not claim:
        return None
    return replace(
        one,
        rank="B",
        timing="overlap",
        supports=False,
        claim=claim[0].upper() + claim[1:],
        source=sighted.source,
        source_url="",
        published_at=sighted.anchor.onset_at,
        effective_at=None,
        precision="hour" if sighted.anchor.precision_s > 60 else "minute",
        time_kind="observation",
        collector="MarketStructure",
        record=f"explained:{one.hypothesis}",
        why="explained without it",
        outlet=sighted.source,
        copies=0,
        linked=False,
    )


def _of_stock(supporting: Sequence[Evidence], split: Decomposition) -> str:
    if supporting[0].cause_type not in OWN_CAUSES:
        return ""
    by_market = (split.market_pct or 0.0) / split.total_pct if split.total_pct else 0.0
    acted = any(one.rank == "A" and one.timing in ("lead", "overlap") for one in supporting)
    return "" if acted and by_market < MOST else explanation(split)


def _of_pair(one: Evidence, case: Case, split: Decomposition) -> str:
    known = pair(case.symbol)
    leg = actor(one.hypothesis, known) if known else None
    return explanation_of_leg(split, known, leg) if known and leg else ""


def actor(hypothesis: str, known: Pair) -> Currency | None:
    """The leg of the pair whose act a hypothesis is ("fx_intervention/jpy", "policy_change/boj"); None for one of the
    whole world."""
    who = hypothesis.partition("/")[2]
    found = next((one for one in currencies().values() if one.bank_key == who), None)
    found = found or currencies().get(who.partition("_")[0].upper())
    return found if found in known.legs else None
