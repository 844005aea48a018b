from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from agents.investigation.currencies import pair
from agents.investigation.decomposition import of_pair, of_stock
from agents.investigation.market_structure import _of_shape
from agents.investigation.models import Sighted
from agents.investigation.series import Series
from agents.prices import Bar
from tests.agents.investigation.builders import HOUR, ONSET, a_state, an_anchor, bars


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
