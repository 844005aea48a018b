from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from agents.investigation.adjudicator import judge
from agents.investigation.models import AssetKind, CauseType, Decomposition, Evidence, Gathered, Rank, Sighted
from agents.investigation.moves.currencies import pair
from agents.investigation.moves.decomposition import of_pair, of_stock
from agents.investigation.moves.explained import OWN_CAUSES, explanation, refutation_by_prices
from agents.investigation.moves.market_structure import _of_shape, _of_split
from agents.investigation.moves.series import Series
from agents.prices import Bar
from tests.agents.investigation.builders import (
    HOUR,
    NOW,
    ONSET,
    a_case,
    a_sighting,
    a_state,
    an_anchor,
    an_evidence,
    bars,
)


def path(returns: list[float], symbol: str) -> Series:
    price, found = 100.0, [Bar(ONSET - 60 * HOUR, 100, 100, 100, 100)]
    for place, step in enumerate(returns):
        opened, price = price, price * (1 + step / 100)
        found.append(Bar(ONSET + (place - 59) * HOUR, opened, max(opened, price), min(opened, price), price))
    return Series(symbol, tuple(found), HOUR, symbol)


WAVE = [0.1 * (1 if n % 2 else -1) * (1 + n % 5) for n in range(59)]


def sighted(series: Series, symbol: str) -> Sighted:
    return Sighted(an_anchor(symbol=symbol), series.bars, 3600, "prices")


def test_a_stock_splits_into_market_sector_and_residual() -> None:
    market = path([*WAVE, -1.0], "SPY")
    stock = path([*(2 * step for step in WAVE), -5.0], "ACME")
    peer = path([*WAVE, -2.0], "PEER")
    found = of_stock(sighted(stock, "ACME"), market, [peer])
    assert found is not None
    assert found.market_pct == pytest.approx(-2.0, abs=0.01)
    assert found.sector_pct == pytest.approx(-1.0, abs=0.01)
    assert found.residual_pct == pytest.approx(-2.0, abs=0.02)
    assert found.total_pct == pytest.approx(-5.0)


def test_without_enough_common_bars_the_beta_is_assumed_and_said() -> None:
    found = of_stock(sighted(path([*WAVE, -5.0], "ACME"), "ACME"), path([*WAVE, -1.0], "SPY"), [])
    short = path([*WAVE, -1.0], "SPY")
    assert found is not None
    few = of_stock(sighted(path([*WAVE, -5.0], "ACME"), "ACME"), replace(short, bars=short.bars[-5:]), [])
    assert few is not None
    assert "assumed" in few.basis[0]


def test_without_another_series_there_is_no_decomposition() -> None:
    assert of_stock(sighted(path([*WAVE, -5.0], "ACME"), "ACME"), None, []) is None


def test_a_pair_splits_into_what_each_currency_did_against_others() -> None:
    yen = path([*WAVE, -2.0], "USDJPY")
    crosses = [path([*WAVE, -1.5], "EURJPY"), path([*WAVE, -1.7], "GBPJPY"), path([*WAVE, 0.4], "EURUSD")]
    known = pair("USDJPY")
    assert known is not None
    found = of_pair(sighted(yen, "USDJPY"), known, crosses)
    assert found is not None
    assert found.market_pct == pytest.approx(-0.4)
    assert found.currency_pct == pytest.approx(-1.6)
    assert found.residual_pct == pytest.approx(0.0, abs=0.001)


def test_a_move_between_two_currency_days_that_is_given_back_looks_like_a_hole_in_the_book() -> None:
    late = ONSET.replace(hour=22)
    shift = late - ONSET
    given = [replace(bar, at=bar.at + shift) for bar in bars(size=0.0)]
    fall = given[60]
    given[60] = replace(fall, low=fall.open * 0.96, close=fall.open * 0.98)
    given[61] = replace(given[61], open=fall.open * 0.98, low=fall.open * 0.98, high=fall.open, close=fall.open * 0.999)
    anchor = replace(an_anchor(), onset_at=late, ends_at=late + HOUR)
    found = _of_shape(Sighted(anchor, tuple(given), 3600, "p"), a_state())
    assert [(one.cause_type, one.rank, one.timing) for one in found] == [("liquidity", "B", "overlap")]
    by_day = Sighted(an_anchor(), tuple(replace(bar, at=bar.at - shift) for bar in given), 3600, "p")
    assert _of_shape(by_day, a_state()) == []
    assert timedelta(0) < shift


NOISY = [step + 0.03 * (n * 7 % 11 - 5) for n, step in enumerate(WAVE)]


def a_stock(last: float, *, market: float, peer: float | None = None) -> Decomposition:
    peers = [] if peer is None else [path([*WAVE, peer], "PEER")]
    found = of_stock(sighted(path([*NOISY, last], "ACME"), "ACME"), path([*WAVE, market], "SPY"), peers)
    assert found is not None
    return found


def test_the_residual_is_held_against_what_is_left_over_ordinarily() -> None:
    found = a_stock(-5.0, market=-5.0)
    assert found.noise_pct == pytest.approx(0.587, abs=0.01)  # 2 x 1.48 x 0.09, stretched 2.2 times
    assert found.noise_bars == 59


def test_the_larger_the_markets_move_the_less_beta_tells() -> None:
    small, large = a_stock(-1.0, market=-1.0), a_stock(-9.0, market=-9.0)
    assert small.noise_pct is not None
    assert large.noise_pct is not None
    assert large.noise_pct > 1.5 * small.noise_pct


def test_the_basis_says_what_is_ordinary() -> None:
    found = a_stock(-5.0, market=-5.0)
    assert "ordinarily the residual lies within" in found.basis[-1]


def test_too_few_bars_leave_the_noise_open_and_say_so() -> None:
    short = replace(path([*WAVE, -5.0], "SPY"), bars=path([*WAVE, -5.0], "SPY").bars[-12:])
    found = of_stock(sighted(path([*NOISY, -5.0], "ACME"), "ACME"), short, [])
    assert found is not None
    assert (found.noise_pct, explanation(found)) == (None, "")
    assert "too few to tell the residual from noise" in found.basis[-1]


@pytest.mark.parametrize(
    ("last", "market", "peer", "explained"),
    [
        (-5.0, -5.0, None, True),
        (-5.0, -5.03, None, True),
        (-5.0, -1.0, -5.0, True),
        (-5.0, -4.0, None, False),  # a whole percent is left, more than its noise
        (-5.0, 0.0, None, False),
        (-0.1, -0.06, None, False),  # within the noise, and most of it is not the market's
    ],
)
def test_a_stocks_move_is_explained_where_little_is_left_and_most_is_the_markets(
    last: float, market: float, peer: float | None, explained: bool
) -> None:
    assert bool(explanation(a_stock(last, market=market, peer=peer))) is explained


def against(cause: CauseType, split: Decomposition, rank: Rank = "C", symbol: str = "ACME") -> Evidence | None:
    one = an_evidence(rank, "lead", hypothesis=f"{cause}/{symbol.lower()}", cause=cause)
    kind: AssetKind = "currency" if len(symbol) == 6 else "stock"
    return refutation_by_prices([one], a_case(symbol, kind), split, a_sighting())


@pytest.mark.parametrize("cause", sorted(OWN_CAUSES))
def test_an_explained_move_stands_against_every_cause_of_the_company_itself(cause: CauseType) -> None:
    found = against(cause, a_stock(-5.0, market=-5.0))
    assert found is not None
    assert (found.rank, found.timing, found.supports, found.collector) == ("B", "overlap", False, "MarketStructure")
    assert "lie within the ordinary" in found.claim
    assert against(cause, a_stock(-5.0, market=-1.0)) is None


def test_causes_of_the_whole_market_are_not_refuted_by_it() -> None:
    for cause in ("trade_policy", "macro_event", "market_move"):
        assert against(cause, a_stock(-5.0, market=-5.0)) is None


def test_peers_that_fall_with_the_company_do_not_refute_its_own_filing() -> None:
    by_sector, by_market = a_stock(-5.0, market=-1.0, peer=-5.0), a_stock(-5.0, market=-5.0)
    assert against("earnings", by_sector, "C") is not None
    assert against("earnings", by_sector, "A") is None
    assert against("earnings", by_market, "A") is not None


def a_pair(pair_: float, yen: float, dollar: float) -> Decomposition:
    known = pair("USDJPY")
    assert known is not None
    crosses = [path([*WAVE, -yen], "EURJPY"), path([*WAVE, -yen], "GBPJPY"), path([*WAVE, -dollar], "EURUSD")]
    found = of_pair(sighted(path([*WAVE, pair_], "USDJPY"), "USDJPY"), known, crosses)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("hypothesis", "refuted"),
    [
        ("fx_intervention/jpy", True),
        ("policy_change/boj", True),
        ("macro_event/jpy_cpi", True),
        ("policy_change/fed", False),
        ("macro_event/usd_cpi", False),
        ("macro_event/brexit_vote", False),
        ("geopolitical_conflict/conflict", False),
    ],
)
def test_a_move_of_the_dollar_against_all_stands_against_causes_of_the_yen(hypothesis: str, refuted: bool) -> None:
    split = a_pair(-2.0, 0.1, -1.9)
    one = an_evidence("C", "lead", hypothesis=hypothesis)
    found = refutation_by_prices([one], a_case(), split, a_sighting())
    assert (found is not None) is refuted
    assert found is None or "the JPY moved the pair by -0.10%, within its ordinary" in found.claim


def test_a_currency_that_moved_beyond_its_noise_is_not_set_aside() -> None:
    one = an_evidence("C", "lead", hypothesis="fx_intervention/jpy")
    assert refutation_by_prices([one], a_case(), a_pair(-2.0, 0.1, -1.9), a_sighting()) is not None
    assert refutation_by_prices([one], a_case(), a_pair(-3.0, 2.9, -2.9), a_sighting()) is None


def test_too_few_bars_of_the_crosses_say_nothing_of_a_currency() -> None:
    known = pair("USDJPY")
    assert known is not None
    crosses = [
        replace(one, bars=one.bars[-12:]) for one in (path([*WAVE, -0.1], "EURJPY"), path([*WAVE, 1.9], "EURUSD"))
    ]
    found = of_pair(sighted(path([*WAVE, -2.0], "USDJPY"), "USDJPY"), known, crosses)
    assert found is not None
    assert (found.base_noise_pct, found.quote_noise_pct) == (None, None)
    one = an_evidence("C", "lead", hypothesis="fx_intervention/jpy")
    assert refutation_by_prices([one], a_case(), found, a_sighting()) is None
    assert "too few to tell its move from noise" in found.basis[0]


def test_a_move_of_both_currencies_stands_against_neither() -> None:
    for hypothesis in ("fx_intervention/jpy", "policy_change/fed"):
        one = an_evidence("C", "lead", hypothesis=hypothesis)
        assert refutation_by_prices([one], a_case(), a_pair(-3.0, 1.5, -1.5), a_sighting()) is None


def test_what_explains_a_move_is_evidence_for_a_move_of_the_market() -> None:
    state = a_state()
    assert state.sighted is not None
    (dollar,) = _of_split(a_pair(-2.0, 0.1, -1.9), state.sighted, state)
    assert (dollar.hypothesis, dollar.topic) == ("market_move/usd", "The USD against all currencies")
    assert (dollar.rank, dollar.timing, dollar.supports) == ("B", "overlap", True)
    assert _of_split(a_pair(-3.0, 1.5, -1.5), state.sighted, state) == []


def test_a_refuted_cause_is_capped_at_low_and_an_intervention_stays_suspected() -> None:
    gathered = Gathered(
        "Narrative",
        1,
        (
            an_evidence("A", "lead", hypothesis="policy_change/boj", record="a"),
            an_evidence("C", "lead", hypothesis="fx_intervention/jpy", cause="fx_intervention", record="b"),
            an_evidence("C", "lead", hypothesis="macro_event/usd_cpi", cause="macro_event", record="c"),
        ),
        (),
        a_pair(-2.0, 0.1, -1.9),
    )
    found = {one.key: one for one in judge(replace(a_state(), gathered=(gathered,)), 1, NOW)}
    assert {key: (one.certainty, one.status) for key, one in found.items()} == {
        "policy_change/boj": ("low", "refuted"),
        "fx_intervention/jpy": ("low", "suspected"),
        "macro_event/usd_cpi": ("medium", "supported"),
    }
