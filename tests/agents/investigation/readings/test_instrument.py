from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from agents.investigation.checklist import checks_of
from agents.investigation.models import Direction, Record
from agents.investigation.moves.instruments import instrument, kind_of
from agents.investigation.readings.causes import Reading
from agents.investigation.readings.claims import Claims
from agents.investigation.readings.instrument import read
from agents.investigation.readings.known import known_hypotheses
from agents.investigation.readings.rules_thinker import read_record
from feeds.symbols.table import SymbolTable
from tests.agents.investigation.builders import a_case, a_record, an_anchor

TABLE = SymbolTable.load()


def reading(record: Record, symbol: str, direction: Direction = "down") -> Reading | None:
    traded = instrument(symbol)
    assert traded is not None
    return read(record, a_case(symbol, "other"), traded, an_anchor(direction, symbol=symbol))


@pytest.mark.parametrize(
    ("symbol", "title", "hypothesis"),
    [
        ("BTC-USD", "Bitcoin tumbles after SEC sues exchange", "legal_regulatory/btc-usd"),
        ("BTCUSD", "Crypto exchange hacked, bitcoin falls", None),
        ("BTCUSD", "Bitcoin slides after theft at exchange", "other/reason"),
        ("GOLD", "Gold slides as ceasefire hopes cut haven demand", "geopolitical_conflict/conflict"),
        ("GC=F", "Gold falls after Fed raises interest rates", "policy_change/fed"),
        ("^GSPC", "S&P 500 drops after hot US inflation data", "macro_event/usd_cpi"),
        ("SPX", "Wall Street plunges as tariffs take effect", "trade_policy/tariffs"),
        ("CL=F", "Oil plunges after OPEC agrees surprise output cut", "macro_event/shock"),
        ("NI225", "Tokyo stocks tumble after Bank of Japan raises rates", "policy_change/boj"),
        ("GOLD", "Tesla recalls cars", None),
        ("GOLD", "Missiles hit a port in Ukraine", None),
        ("GOLD", "Gold falls after Norges Bank raises its policy rate", "other/reason"),
        ("GOLD", "Gold seen steady, economists expect no change at the Fed", None),
    ],
)
def test_what_a_record_reports_of_an_instrument(symbol: str, title: str, hypothesis: str | None) -> None:
    found = reading(a_record(title), symbol)
    assert (found and found.hypothesis) == hypothesis


def test_a_record_that_tells_of_a_move_the_other_way_speaks_against_its_cause() -> None:
    title = "Gold slides as ceasefire hopes cut haven demand"
    down, up = reading(a_record(title), "GOLD", "down"), reading(a_record(title), "GOLD", "up")
    assert down is not None
    assert (down.supports, down.linked) == (True, True)
    assert up is not None
    assert (up.supports, up.linked) == (False, False)


def test_the_banks_own_decision_counts_without_naming_the_instrument() -> None:
    fed = a_record(
        "FOMC statement: policy rate raised", source="Federal Reserve", url="https://www.federalreserve.gov/1"
    )
    boj = a_record("Statement on Monetary Policy", source="Bank of Japan", url="https://www.boj.or.jp/en/1.htm")
    found = reading(fed, "GOLD")
    assert found is not None
    assert (found.hypothesis, found.own_act) == ("policy_change/fed", True)
    assert reading(boj, "GOLD") is None
    assert reading(boj, "^N225") is not None


@pytest.mark.parametrize("symbol", ["GOLD", "GC=F", "BTCUSD", "BTC-USD", "SPX", "^GSPC", "WTI", "VIX", "DXY", "KC=F"])
def test_what_is_no_company_has_no_filings_on_its_checklist(symbol: str) -> None:
    assert kind_of(symbol) == "other"
    names = {check.name for check in checks_of(a_case(symbol, "other"))}
    assert "bank_fed" in names
    assert not names & {"filings", "halts", "releases"}


def test_readings_are_held_to_the_hypotheses_of_the_instrument() -> None:
    case = a_case("BTC-USD", "other")
    anchor = an_anchor("down", symbol="BTC-USD")
    for title in ("Bitcoin tumbles after SEC sues exchange", "Bitcoin slides after Fed raises interest rates"):
        found = read_record(a_record(title), case, anchor, TABLE)
        assert found is not None
        assert found.hypothesis in known_hypotheses(case, TABLE)
        assert Claims(TABLE).held([found], case, anchor) == ((found,), ())


@pytest.mark.parametrize(
    ("symbol", "begins", "ends"),
    [
        ("BTCUSD", "2024-05-14 00:00", "2024-05-15 00:00"),
        ("GOLD", "2024-05-13 21:00", "2024-05-14 21:00"),
        ("SPX", "2024-05-14 13:30", "2024-05-14 20:00"),
        ("NI225", "2024-05-14 00:00", "2024-05-14 06:30"),
    ],
)
def test_the_day_of_an_instrument(symbol: str, begins: str, ends: str) -> None:
    traded = instrument(symbol)
    assert traded is not None
    day = tuple(datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (begins, ends))
    assert traded.day(date(2024, 5, 14)) == day
