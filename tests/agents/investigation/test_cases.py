"""Whole cases, invented: a move, what was on the wires around it, and what an honest answer may say.

Each world is files alone, read by the rules. A case says the verdict, the first hypothesis with its certainty and
status, and what must not be said of any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cache
from typing import Final

import pytest

from agents.investigation.memory_rows import MemoryRows
from agents.investigation.models import Record
from agents.investigation.moves.series import Series
from agents.investigation.ports import Related
from agents.investigation.readings.rules_thinker import RulesThinker
from agents.investigation.state import Answer
from agents.prices import Bar
from app.investigation.inquiry import Inquirer, World, case_of, file_world
from feeds.models import Precision
from feeds.symbols.table import SymbolTable
from tests.agents.investigation.builders import a_record, at
from tests.agents.investigation.worlds import Shelf

HOUR: Final = timedelta(hours=1)
MINUTES: Final = timedelta(minutes=5)
DAY: Final = timedelta(days=1)
LATER: Final = at("2026-11-30T12:00")


@dataclass(frozen=True)
class Told:
    """One item on the wires."""

    when: str
    title: str
    summary: str = ""
    by: tuple[str, str] = ("Reuters", "https://www.reuters.com/markets/1")
    precision: Precision = "minute"
    effective: str | None = None
    tickers: tuple[str, ...] = ()


MINISTRY = ("Ministry of Finance Japan", "https://www.mof.go.jp/english/feio/1.html")
BOJ = ("Bank of Japan", "https://www.boj.or.jp/en/mopo/1.htm")
ECB = ("European Central Bank", "https://www.ecb.europa.eu/press/1")
BLS = ("US Bureau of Labor Statistics", "https://www.bls.gov/news.release/cpi.htm")
CHATTER = ("FX chatter", "https://x.com/fxchatter/1")
BLOG = ("MarketBuzz", "https://marketbuzz.example/1")
HALTS = ("Nasdaq Trader", "https://www.nasdaqtrader.com/1")
RELEASE = ("Business Wire", "https://www.businesswire.com/1")
FDA = ("Food and Drug Administration", "https://www.fda.gov/news/1")


@dataclass(frozen=True)
class Move:
    """Quiet bars, then these changes in percent from `onset` on. `went` gives the first bar its extremes in percent,
    `shut` how long there were no prices before it, `at_once` that it opens where it closes."""

    symbol: str
    onset: str
    changes: tuple[float, ...]
    price: float = 150.0
    width: timedelta = HOUR
    went: tuple[float, float] | None = None
    shut: timedelta = timedelta(0)
    at_once: bool = False

    def series(self) -> Series:
        onset, price, found = at(self.onset), self.price, list[Bar]()
        steps = [*(_quiet(n) for n in range(80)), *self.changes, *(_quiet(n) for n in range(8))]
        for n, step in enumerate(steps):
            begins, ends = (
                onset + (n - 80) * self.width - (self.shut if n < 80 else timedelta(0)),
                price * (1 + step / 100),
            )
            first = n == 80
            opened = ends if first and self.at_once else price
            high, low = max(opened, ends) * 1.0001, min(opened, ends) * 0.9999
            if first and self.went:
                high, low = price * (1 + self.went[0] / 100), price * (1 + self.went[1] / 100)
            found.append(Bar(begins, opened, high, low, ends))
            price = ends
        return Series(self.symbol, tuple(found), self.width, "prices.csv")


def _quiet(n: int) -> float:
    return (0.02 + 0.01 * (n % 3)) * (1 if n % 2 else -1)


@dataclass(frozen=True)
class Expected:
    """What an honest answer says. `never` are hypotheses that may not reach medium."""

    verdict: str
    first: str = ""
    certainty: str = ""
    status: str = ""
    never: tuple[str, ...] = ()
    said: str = ""
    noted: str = ""


@dataclass(frozen=True)
class Whole:
    name: str
    move: Move
    told: tuple[Told, ...]
    expected: Expected
    others: dict[str, Move] = field(default_factory=dict)


YEN_UP = Move("USDJPY", "2025-10-14T04:00", (-2.4,))
WARNED = Told(
    "2025-10-14T02:30", "Japan finance minister says ready to take decisive action against speculative yen moves"
)
SUSPECTED = Told("2025-10-14T04:20", "Yen surges more than 2 percent, traders suspect intervention by Tokyo")
SILENT = Told("2025-10-14T04:30", "Japan top currency diplomat declines to comment on whether Tokyo intervened")
TOTAL = "Foreign exchange intervention operations, 29 September to 29 October 2025"
NO_CAUSE = "no_public_cause"

CASES = (
    Whole(
        "a whipsaw at a bank's decision",
        Move("USDJPY", "2025-03-12T05:00", (0.05, 0.3), went=(1.0, -1.1)),
        (
            Told("2025-03-12T05:12", "Statement on Monetary Policy, 12 March 2025", "Greater flexibility.", BOJ),
            Told("2025-03-12T05:15", "Yen swings wildly after Bank of Japan tweaks bond programme"),
            Told("2025-03-11T09:00", "Economists see no change from Bank of Japan this week"),
        ),
        Expected("cause_found", "policy_change/boj", "medium", "supported"),
    ),
    Whole(
        "a gap over the weekend",
        Move("USDJPY", "2025-06-15T21:00", (-1.6, -0.1), shut=48 * HOUR, at_once=True),
        (
            Told(
                "2025-06-14T15:20", "Missiles strike oil terminals in the Gulf; United States orders strikes in reply"
            ),
            Told("2025-06-15T22:30", "Yen jumps as traders flee to havens after weekend strikes"),
            Told("2025-06-13T12:00", "Stocks close higher on Wall Street, dollar steady"),
        ),
        Expected(
            "cause_found",
            "geopolitical_conflict/conflict",
            "medium",
            "supported",
            noted="no prices for 48 h before the onset (weekend)",
        ),
    ),
    Whole(
        "a rumour that is denied",
        Move("EURUSD", "2025-09-03T13:00", (-0.9, 0.7), 1.16),
        (
            Told("2025-09-03T13:04", "RUMOUR: ECB to hold emergency meeting on rate cut", by=CHATTER),
            Told("2025-09-03T13:10", "ECB weighs emergency rate cut, people familiar with the matter say", by=BLOG),
            Told("2025-09-03T13:40", "ECB denies it plans an emergency meeting", by=ECB),
            Told("2025-09-03T13:45", "Euro recovers after ECB denies report of emergency meeting"),
        ),
        Expected(NO_CAUSE, "policy_change/ecb", "minimal", "refuted"),
    ),
    Whole(
        "an intervention, on the day",
        YEN_UP,
        (WARNED, SUSPECTED, SILENT),
        Expected("cause_found", "fx_intervention/jpy", "medium", "suspected", said="No official record of the act"),
    ),
    Whole(
        "an intervention, with the total of its month",
        YEN_UP,
        (WARNED, SUSPECTED, SILENT, Told("2025-10-31T10:00", f"{TOTAL}: 2,511.0 billion yen", by=MINISTRY)),
        Expected("cause_found", "fx_intervention/jpy", "medium", "suspected"),
    ),
    Whole(
        "an intervention, with the record of its day",
        YEN_UP,
        (
            WARNED,
            SUSPECTED,
            Told(
                "2026-02-06T00:00",
                "Foreign exchange intervention operations, October to December 2025, daily data",
                "14 October 2025: 2,511.0 billion yen, US dollar (sold) Japanese yen (bought)",
                MINISTRY,
                effective="2025-10-14T00:00",
            ),
        ),
        Expected("cause_found", "fx_intervention/jpy", "high", "confirmed"),
    ),
    Whole(
        "an intervention that the month's total does not bear out",
        YEN_UP,
        (WARNED, SUSPECTED, Told("2025-10-31T10:00", f"{TOTAL}: 0 yen", by=MINISTRY)),
        Expected(NO_CAUSE, "fx_intervention/jpy", "low", "suspected", said="not borne out by the record"),
    ),
    Whole(
        "the record of another month",
        YEN_UP,
        (
            SUSPECTED,
            Told(
                "2025-12-30T10:00",
                "Foreign exchange intervention operations, 27 November to 26 December 2025: 900.0 billion yen",
                by=MINISTRY,
            ),
        ),
        Expected(NO_CAUSE, "fx_intervention/jpy", "low", "suspected"),
    ),
    Whole(
        "words alone",
        Move("USDJPY", "2025-10-14T04:00", (-0.8,)),
        (
            Told("2025-10-14T03:40", "Japan finance minister warns against excessive yen weakness"),
            Told("2025-10-14T09:00", "Japan did not intervene in currency market, finance ministry official says"),
        ),
        Expected("cause_found", "fx_intervention/jpy", "medium", "suspected", said="No report says that it took place"),
    ),
    Whole(
        "a figure and an unrelated decision",
        Move("USDJPY", "2025-07-15T12:00", (1.1,)),
        (
            Told("2025-07-15T12:30", "Consumer Price Index - June 2025", "More than forecast.", BLS),
            Told("2025-07-15T12:31", "US inflation hotter than expected in June; dollar jumps"),
            Told("2025-07-14T18:00", "What to watch: economists expect US CPI to rise 0.3 percent"),
            Told(
                "2025-07-15T12:10",
                "Bank of Canada leaves rate unchanged",
                by=("Bank of Canada", "https://www.bankofcanada.ca/1"),
            ),
        ),
        Expected("cause_found", "macro_event/usd_cpi", "medium", "supported", never=("policy_change/boc",)),
    ),
    Whole(
        "the dollar moved against all, whatever was said of the yen",
        Move("USDJPY", "2025-10-14T04:00", (-2.0,)),
        (WARNED, SUSPECTED),
        Expected(NO_CAUSE, "fx_intervention/jpy", "low", "suspected"),
        {
            "EURJPY": Move("EURJPY", "2025-10-14T04:00", (0.02,)),
            "EURUSD": Move("EURUSD", "2025-10-14T04:00", (2.0,), 1.1),
        },
    ),
    Whole(
        "a halt, and the release that ended it",
        Move("NVDA", "2025-05-14T14:00", (-9.0, 0.4), 120.0, MINUTES, shut=timedelta(minutes=40)),
        (
            Told(
                "2025-05-14T13:20",
                "NVDA: trading halted, news pending (T1)",
                by=HALTS,
                precision="second",
                tickers=("NVDA",),
            ),
            Told("2025-05-14T13:41", "NVIDIA Cuts Second Quarter Revenue Outlook", by=RELEASE),
            Told("2025-05-14T14:06", "Nvidia shares plunge after chipmaker cuts outlook"),
            Told("2025-05-14T14:03", "NVDA: trading halted, volatility pause (LUDP)", by=HALTS, tickers=("NVDA",)),
        ),
        Expected("cause_found", "guidance/nvda", "high", "supported", noted="no prices for 40 min before the onset"),
    ),
    Whole(
        "a halt for news that did not come",
        Move("NVDA", "2025-05-14T14:00", (-9.0, 0.4), 120.0, MINUTES, shut=timedelta(minutes=40)),
        (Told("2025-05-14T13:20", "NVDA: trading halted, news pending (T1)", by=HALTS, tickers=("NVDA",)),),
        Expected(NO_CAUSE),
    ),
    Whole(
        "a split in prices that are not adjusted",
        Move("NVDA", "2025-06-10T00:00", (-90.05, 0.3), 1_200.0, DAY),
        (Told("2025-06-09T20:30", "Nvidia ten-for-one stock split takes effect after the close"),),
        Expected("cause_found", "other/nvda", "medium", "supported", noted="that of a 10-for-1 split"),
    ),
    Whole(
        "a fall in sympathy with a peer",
        Move("AMD", "2025-05-14T14:00", (-3.0,), 100.0, MINUTES),
        (
            Told("2025-05-14T13:41", "NVIDIA Cuts Second Quarter Revenue Outlook", by=RELEASE, tickers=("NVDA",)),
            Told("2025-05-14T14:06", "Nvidia shares plunge after chipmaker cuts outlook; AMD and Broadcom slide"),
        ),
        Expected(NO_CAUSE, "sector_move/amd", "low", "suspected", never=("guidance/amd",)),
        {
            "SPY": Move("SPY", "2025-05-14T14:00", (-0.02,), 500.0, MINUTES),
            "NVDA": Move("NVDA", "2025-05-14T14:00", (-3.1,), 120.0, MINUTES),
            "AVGO": Move("AVGO", "2025-05-14T14:00", (-2.9,), 200.0, MINUTES),
        },
    ),
    Whole(
        "a regulator's decision on the company",
        Move("PFE", "2025-05-14T14:00", (-6.0,), 28.0, MINUTES),
        (
            Told("2025-05-14T13:58", "FDA issues complete response letter to Pfizer for haemophilia therapy", by=FDA),
            Told("2025-05-14T14:03", "Pfizer shares fall after FDA declines to approve haemophilia therapy"),
            Told("2025-05-14T10:00", "FDA advisers back rival vaccine from Moderna"),
        ),
        Expected("cause_found", "legal_regulatory/pfe", "high", "supported"),
    ),
    Whole(
        "a takeover of others",
        Move("AMD", "2025-05-14T14:00", (3.0,), 100.0, MINUTES),
        (
            Told(
                "2025-05-14T13:58", "Qualcomm to buy Intel for 90 billion dollars", by=RELEASE, tickers=("INTC", "QCOM")
            ),
            Told("2025-05-14T14:10", "Chip stocks rally on Intel takeover"),
        ),
        Expected(NO_CAUSE),
    ),
    Whole(
        "an old story that comes up again",
        Move("BA", "2025-05-14T14:00", (-4.0,), 180.0, MINUTES),
        (
            Told("2025-05-09T12:00", "Boeing to pay 2 billion dollars to settle probe into 737 MAX"),
            Told("2025-05-14T14:30", "Boeing agreed to pay 2 billion dollars to settle probe into 737 MAX", by=BLOG),
        ),
        Expected(NO_CAUSE, never=("legal_regulatory/ba",)),
    ),
    Whole(
        "another company of a like name",
        Move("META", "2025-05-14T14:00", (-5.0,), 500.0, MINUTES),
        (
            Told("2025-05-14T13:58", "Meta Materials files for bankruptcy"),
            Told("2025-05-14T13:59", "Researchers publish meta-analysis of vaccines"),
        ),
        Expected(NO_CAUSE),
    ),
    Whole(
        "a word that is a company's name",
        Move("TGT", "2025-05-14T14:00", (-5.0,), 90.0, MINUTES),
        (
            Told("2025-05-14T13:58", "Analyst lifts price target for Costco after strong sales"),
            Told("2025-05-14T13:59", "Drone strike hits target near refinery"),
        ),
        Expected(NO_CAUSE),
    ),
)


@cache
def companies() -> SymbolTable:
    return SymbolTable.load()


async def answer(case: Whole) -> Answer:
    records = [
        a_record(
            one.title,
            one.summary,
            source=one.by[0],
            url=one.by[1],
            when=one.when,
            precision=one.precision,
            effective=one.effective,
            key=str(n),
            tickers=one.tickers,
        )
        for n, one in enumerate(case.told)
    ]
    inquirer = Inquirer(world_of(case, records), RulesThinker(companies()), MemoryRows(), companies())
    return await inquirer.ask(case_of(case.move.symbol, asked_at=LATER, at=at(case.move.onset)), lambda: LATER)


def world_of(case: Whole, records: Sequence[Record]) -> World:
    """Files alone, and where the case has other series these beside them."""
    series = case.move.series()
    world = file_world(series, records)
    if not case.others:
        return world
    shelf = Shelf({case.move.symbol: series, **{name: move.series() for name, move in case.others.items()}})
    market = "SPY" if "SPY" in case.others else ""
    others = tuple(name for name in case.others if name != market)
    return replace(world, prices=shelf, related=Related(market, others) if market else Related(crosses=others))


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
async def test_the_answer_is_honest(case: Whole) -> None:
    found, expected = await answer(case), case.expected
    assert found.anchor is not None
    assert found.anchor.onset_at.replace(hour=0, minute=0) == at(case.move.onset).replace(hour=0, minute=0)
    assert found.verdict == expected.verdict
    if expected.first:
        best = found.hypotheses[0]
        assert (best.key, best.certainty, best.status) == (expected.first, expected.certainty, expected.status)
        assert expected.said in best.statement
    loud = {one.key for one in found.hypotheses if one.certainty in ("medium", "high")}
    assert not loud & set(expected.never)
    assert loud <= {expected.first}
    assert any(expected.noted in note for note in ("", *found.notes))
    for one in found.hypotheses:
        assert one.status != "confirmed" or one.certainty == "high"
        late = [e for e in one.evidence if e.timing == "lead" and e.time_kind != "effective"]
        assert all(e.published_at is not None and e.published_at < found.anchor.onset_at for e in late)


async def test_copies_of_one_report_count_once() -> None:
    title, summary = "Walmart warns tariffs will raise prices this month", "Higher duties leave it no choice."
    outlets = (
        ("Reuters", "https://www.reuters.com/1"),
        ("MSN", "https://www.msn.com/1"),
        ("Herald", "https://h.example/1"),
    )
    told = tuple(Told(f"2025-05-14T13:5{6 + n}", title, summary, by) for n, by in enumerate(outlets))
    found = await answer(Whole("", Move("WMT", "2025-05-14T14:00", (-3.5,), 90.0, MINUTES), told, Expected("")))
    (one,) = found.hypotheses
    assert [(evidence.source, evidence.copies) for evidence in one.evidence] == [("Reuters", 2)]
    assert (one.outlets, one.certainty) == (1, "medium")
