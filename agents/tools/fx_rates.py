"""`fx_rates`: reference rates of the main currencies by day, and the last quote of the pairs an item names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

from agents.models import EvidenceItem
from agents.tools.asking.request import Got
from agents.tools.findings import as_of
from agents.tools.protocol import Question
from agents.tools.quotes import last_quote
from agents.tools.reach import Reach, first_of
from agents.tools.series import Observation, by_series, finding, lapsed
from agents.tools.sourced import Answer, Chain, SourcedTool, Step, answer
from agents.tools.sources import central_banks, frankfurter, yahoo

QUOTES: Final = ("EUR", "JPY", "GBP", "CHF", "AUD", "CAD", "CNY")
_DOLLAR_LAST: Final = frozenset({"EUR", "GBP", "AUD", "NZD"})
"""Currencies whose pair with the dollar is quoted in dollars."""
_BOJ_PAIRS: Final = {"FXERD04": "USDJPY", "FXERD34": "EURUSD"}
DAYS: Final = 10
PROMISED: Final = timedelta(days=7)
"""Rates are fixed each working day; the longest run of holidays is six days."""


def build(reach: Reach) -> SourcedTool:
    """ECB rates by Frankfurter, by the ECB itself, else two pairs of the Bank of Japan; Yahoo for named pairs."""
    chains = (Chain((_frankfurter(reach), _ecb(reach), _boj(reach))), Chain((_live(reach),), needed=False))
    return SourcedTool("fx_rates", chains, reach.access.keys)


def _frankfurter(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        since = (question.now - timedelta(days=DAYS)).date()
        got = await reach.access.ask(frankfurter.rates("USD", QUOTES, since), frankfurter.read, question.now)
        return _told(got, [_conventional(one) for one in got.value], "ECB reference rate", question)

    return Step("frankfurter", part)


def _conventional(one: Observation) -> Observation:
    """A rate of the dollar as its pair is quoted: EURUSD, but USDJPY."""
    quote = one.series[3:]
    if quote not in _DOLLAR_LAST or not one.value:
        return one
    return replace(one, series=f"{quote}USD", value=1 / one.value)


def _ecb(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        start = question.now - timedelta(days=DAYS)
        request = central_banks.ecb_rates(("USD", *QUOTES[1:]), start)
        got = await reach.access.ask(request, lambda reply: central_banks.read_csv(reply, "CURRENCY"), question.now)
        euro = [replace(one, series=f"EUR{one.series}") for one in got.value]
        return _told(got, euro, "ECB reference rate, 14:10 Frankfurt", question)

    return Step("ecb", part)


def _boj(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        request = central_banks.boj("FM08", tuple(_BOJ_PAIRS), question.now)
        got = await reach.access.ask(request, central_banks.read_boj, question.now)
        named = [replace(one, series=_BOJ_PAIRS[one.series]) for one in got.value if one.series in _BOJ_PAIRS]
        return _told(got, named, "Tokyo rate at 17:00", question)

    return Step("boj", part)


def _told(got: Got[object], observations: Sequence[Observation], what: str, question: Question) -> Answer:
    """One finding for each pair, those the item names first."""
    series = by_series(observations)
    order = sorted(series, key=lambda pair: (pair not in question.symbols, pair))
    moment = as_of(question)
    items: list[EvidenceItem | None] = []
    for pair in order:
        shown = [replace(one, value=float(f"{one.value:.5g}"), unit="") for one in series[pair]]
        items.append(finding(pair, shown, source=got.source, url=got.url, what=what, as_of=moment))
    found = first_of(items)
    return answer(got, found, lapsed=lapsed(found, PROMISED, moment))


def _live(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        pairs = [symbol for symbol in question.symbols if yahoo.is_pair(symbol)]
        return await last_quote(reach.access, pairs[0], "indicative quote", question) if pairs else None

    return Step("yahoo", part)
