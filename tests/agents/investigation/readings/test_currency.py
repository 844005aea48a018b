from __future__ import annotations

from functools import partial

import pytest

from agents.investigation.models import Direction, Record
from agents.investigation.moves.currencies import pair
from agents.investigation.moves.instruments import kind_of
from agents.investigation.readings.causes import Reading
from agents.investigation.readings.currency import read
from tests.agents.investigation.builders import a_record, an_anchor

YEN = pair("USDJPY")


def reading(record: Record, direction: Direction = "down", symbol: str = "USDJPY") -> Reading | None:
    known = pair(symbol)
    assert known is not None
    return read(record, known, an_anchor(direction, symbol=symbol))


boj = partial(a_record, source="Bank of Japan", url="https://www.boj.or.jp/en/mopo/1.htm")
mof = partial(a_record, source="Ministry of Finance Japan", url="https://www.mof.go.jp/english/1.html")


@pytest.mark.parametrize(
    ("title", "summary", "hypothesis"),
    [
        ("Yen leaps four yen in minutes; dealers point at Tokyo", "", "fx_intervention/jpy"),
        ("Japan intervened to buy yen, minister says", "", "fx_intervention/jpy"),
        ("BOJ ends negative rates in a landmark shift", "", "policy_change/boj"),
        ("Fed raises rates by half a point", "", "policy_change/fed"),
        ("US consumer prices rise less than forecast", "The dollar fell.", "macro_event/usd_cpi"),
        ("US payrolls surge by 400,000", "", "macro_event/usd_jobs"),
        ("Trump slaps 25% tariffs on Japanese cars", "", "trade_policy/tariffs"),
        ("Missiles strike capital; yen jumps as investors seek safety", "", "geopolitical_conflict/conflict"),
        ("Yen flash crash blamed on thin liquidity after the holiday", "", "liquidity/liquidity"),
        ("UK votes: exit poll shows hung parliament", "", "macro_event/vote"),
        ("Yen jumps after touching 150 per dollar, intervention suspected", "", "fx_intervention/jpy"),
        ("Minister will take appropriate action against excessive moves of the yen", "", "fx_intervention/jpy"),
        ("Ruling party wins by a landslide in Japanese election", "", "macro_event/vote"),
        ("Japan's prime minister sacks finance minister", "", "policy_change/jpy_fiscal"),
        ("Opposition leader detained in Tokyo, yen slides", "", "geopolitical_conflict/conflict"),
        ("Fitch cuts Japan outlook", "", "macro_event/banks"),
    ],
)
def test_what_a_record_reports(title: str, summary: str, hypothesis: str) -> None:
    found = reading(a_record(title, summary), "both")
    assert found is not None
    assert found.hypothesis == hypothesis


@pytest.mark.parametrize(
    "title",
    [
        "Tornado hits a town in Oklahoma",
        "Economists polled see no change at the Bank of Japan",
        "What to look for in the US inflation report",
        "Kanda: nothing to say on whether the ministry bought yen",
        "Kanda: will not comment on whether Japan intervened",
        "Norges Bank raises its policy rate",
        "Tesla recalls cars",
        "Ghana presidential election: opposition candidate ahead in early count",
        "Ruling party loses three by-elections in Japan",
    ],
)
def test_what_says_nothing_about_a_cause(title: str) -> None:
    assert reading(a_record(title)) is None


def test_a_record_of_interventions_from_before_the_move_does_not_record_it() -> None:
    title = "Foreign exchange intervention operations, April to June 2024, daily data"
    assert reading(mof(title, when="14 05:30", effective="2024-05-14T00:00")) is None
    assert reading(mof(title, when="14 07:30", effective="2024-05-14T00:00")) is not None


def test_a_banks_own_announcement_is_its_act_in_whatever_words() -> None:
    found = reading(boj("Change in the Guideline for Money Market Operations"))
    assert found is not None
    assert (found.hypothesis, found.own_act) == ("policy_change/boj", True)
    assert reading(boj("Monetary Base, May 2024")) is None


def test_a_treasurys_own_announcement_is_a_fiscal_act_of_its_country() -> None:
    plan = a_record("The Growth Plan 2022", source="HM Treasury", url="https://www.gov.uk/government/growth-plan")
    found = reading(plan, symbol="GBPUSD")
    assert found is not None
    assert (found.hypothesis, found.own_act) == ("policy_change/gbp_fiscal", True)


@pytest.mark.parametrize(
    ("title", "hypothesis"),
    [
        ("Yen surges as Bank of Japan underwhelms", "policy_change/boj"),
        ("Yen surges after typhoon shuts ports", "other/reason"),
        ("Yen surges", None),
        ("Yen slides after typhoon shuts ports", None),
    ],
)
def test_a_headline_that_tells_of_this_move_with_a_reason_names_it(title: str, hypothesis: str | None) -> None:
    found = reading(a_record(title))
    assert (found.hypothesis if found else None) == hypothesis


def test_an_official_record_of_another_countrys_bank_supports_nothing() -> None:
    record = a_record(
        "Monetary policy assessment: policy rate raised to 0.5 percent",
        source="Swiss National Bank",
        url="https://www.snb.ch/1",
        when="14 05:30",
    )
    assert reading(record) is None
    assert reading(record, symbol="USDCHF") is not None


@pytest.mark.parametrize(
    ("title", "supports"),
    [
        ("Yen surges as Tokyo steps in", True),
        ("Yen slides as Tokyo steps in late", False),
        ("Dollar tumbles as US inflation slows", True),
        ("Dollar jumps as US inflation slows less", False),
    ],
)
def test_a_text_that_tells_of_the_other_direction_speaks_against(title: str, supports: bool) -> None:
    found = reading(a_record(title))
    assert found is not None
    assert found.supports is supports


def test_an_act_that_pushes_the_other_way_speaks_against_unless_it_came_with_the_move() -> None:
    held = "By a unanimous vote the Bank keeps the overnight rate unchanged"
    earlier = reading(boj("Statement on Monetary Policy", held, when="10 03:00"))
    together = reading(boj("Statement on Monetary Policy", held, when="14 06:10"))
    assert earlier is not None
    assert not earlier.supports
    assert earlier.why == "would push the other way"
    assert together is not None
    assert together.supports


def test_in_a_whipsaw_no_direction_speaks_against() -> None:
    found = reading(boj("Yen slides as Bank of Japan keeps rates unchanged"), "both")
    assert found is not None
    assert found.supports


def test_a_denial_speaks_against_and_is_no_act() -> None:
    found = reading(a_record("Top spokesman denies that Japan intervened in the market"))
    assert found is not None
    assert not found.supports
    assert not found.act


def test_only_the_ministrys_record_is_its_own_act() -> None:
    row = reading(mof("Foreign exchange intervention operations, daily data", "Japanese yen (bought)"))
    speech = reading(mof("Minister ready to respond to excessive moves of the yen"))
    figure = "Projection of current account balances: treasury funds minus 7 trillion"
    projection = reading(boj(f"{figure}; brokers had forecast minus 2 trillion"))
    assert row is not None
    assert row.own_act
    assert speech is not None
    assert not speech.own_act
    assert projection is not None
    assert (projection.hypothesis, projection.own_act, projection.indirect) == ("fx_intervention/jpy", False, True)


def test_a_projection_says_nothing_without_the_forecasts_it_is_set_against() -> None:
    assert reading(boj("Projection of current account balances: treasury funds minus 7 trillion")) is None


@pytest.mark.parametrize(
    ("title", "supports"),
    [
        ("Foreign exchange intervention operations, 26 April to 29 May 2024: 9,788.5 billion yen", True),
        ("Foreign exchange intervention operations (April 26, 2024 \u2013 May 29, 2024): 9,788.5 billion yen", True),
        ("Foreign exchange intervention operations, 26 April to 29 May 2024: 0 yen", False),
        ("Foreign exchange intervention operations, 26 April to 29 May 2024: 0.0 billion yen", False),
        ("Foreign exchange intervention operations, April to June 2024: no operations", False),
        ("Foreign exchange intervention operations, 30 May to 26 June 2024: 9,788.5 billion yen", None),
        ("Foreign exchange intervention operations, 29 March to 25 April 2024: 0 yen", None),
        ("Foreign exchange intervention operations, January to March 2024: no operations", None),
    ],
)
def test_a_ministrys_total_speaks_for_or_against_only_the_days_of_its_period(title: str, supports: bool | None) -> None:
    found = reading(mof(title))
    assert (found.supports if found else None) is supports
    assert found is None or found.own_act


def test_an_undated_explainer_is_no_evidence() -> None:
    assert reading(a_record("How does currency intervention work? A short guide", when=None)) is None


@pytest.mark.parametrize(
    ("symbol", "expected"),
    [("USD/JPY", "USDJPY"), ("usdjpy", "USDJPY"), ("JPY=X", "USDJPY"), ("EURUSD=X", "EURUSD")],
)
def test_spellings_of_a_pair(symbol: str, expected: str) -> None:
    known = pair(symbol)
    assert known is not None
    assert known.symbol == expected


@pytest.mark.parametrize(("symbol", "kind"), [("AAPL", "stock"), ("^GSPC", "other"), ("BTC-USD", "other")])
def test_what_is_no_pair(symbol: str, kind: str) -> None:
    assert pair(symbol) is None
    assert kind_of(symbol) == kind


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("The dollar lost two yen", -1),
        ("The yen leapt past 150", -1),
        ("Yen weakest since 1990", 1),
        ("The dollar jumped and the yen soared", 0),
        ("Dealers saw a dollar-yen fall", 0),
        ("Nothing happened", 0),
    ],
)
def test_which_way_a_text_says_the_pair_went(text: str, sign: int) -> None:
    assert YEN is not None
    assert YEN.stated(text) == sign
