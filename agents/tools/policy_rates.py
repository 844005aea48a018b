"""`policy_rates`: what the central banks' rates are and when they last moved."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final

from agents.models import EvidenceItem
from agents.tools.asking.request import Got
from agents.tools.findings import as_of
from agents.tools.protocol import Question
from agents.tools.reach import Reach, first_of
from agents.tools.series import Observation, by_series, lapsed, last_change
from agents.tools.sourced import Answer, Chain, SourcedTool, Step, answer
from agents.tools.sources import central_banks, fred

BOJ_CALL_RATE: Final = "STRDCLUCON"
PROMISED: Final = timedelta(days=14)
"""The banks' own series have a value for each day or working day."""
BIS_PROMISED: Final = timedelta(days=45)
"""The BIS gathers daily values and gives them out some weeks late."""


def build(reach: Reach) -> SourcedTool:
    """BIS for seven areas; the ECB, the Bank of Japan and the Fed's own series for the day itself."""
    chains = (
        Chain((_bis(reach),)),
        Chain((_fed(reach),), needed=False),
        Chain((_ecb(reach),), needed=False),
        Chain((_boj(reach),), needed=False),
    )
    return SourcedTool("policy_rates", chains, reach.access.keys)


def _bis(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        got = await reach.access.ask(
            central_banks.bis(), lambda reply: central_banks.read_csv(reply, "REF_AREA"), question.now
        )
        series = by_series(got.value)
        named = [(area, name) for area, name in central_banks.AREAS.items() if area in series]
        named += [(area, area) for area in series if area not in central_banks.AREAS]
        moment = as_of(question)
        items = [_rate(f"{name} policy rate", series[area], got.source, got.url, moment) for area, name in named]
        return _told(got, items, BIS_PROMISED, moment)

    return Step("bis", part)


def _fed(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        request = fred.series(("DFEDTARL", "DFEDTARU"), _since(question.now))
        got = await reach.access.ask(request, fred.read, question.now)
        series = by_series(got.value)
        label = "Fed funds target, upper bound"
        moment = as_of(question)
        return _told(got, [_rate(label, series.get("DFEDTARU", ()), got.source, got.url, moment)], PROMISED, moment)

    return Step("fred", part)


def _ecb(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        request = central_banks.ecb_deposit_rate()
        got = await reach.access.ask(request, lambda reply: central_banks.read_csv(reply, "FREQ"), question.now)
        moment = as_of(question)
        return _told(got, [_rate("ECB deposit rate", got.value, got.source, got.url, moment)], PROMISED, moment)

    return Step("ecb", part)


def _boj(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        request = central_banks.boj("FM01", (BOJ_CALL_RATE,), question.now)
        got = await reach.access.ask(request, central_banks.read_boj, question.now)
        series = [one for one in got.value if one.series == BOJ_CALL_RATE]
        moment = as_of(question)
        item = _rate("Tokyo overnight call rate", series, got.source, got.url, moment, "market rate")
        return _told(got, [item], PROMISED, moment)

    return Step("boj", part)


def _told(got: Got[object], items: Sequence[EvidenceItem | None], promised: timedelta, moment: datetime) -> Answer:
    found = first_of(items)
    return answer(got, found, lapsed=lapsed(found, promised, moment))


def _rate(
    label: str, series: Sequence[Observation], source: str, url: str, moment: datetime, what: str = "official rate"
) -> EvidenceItem | None:
    """The rate in force at `moment` and its last step; `change` is that step in percentage points."""
    known = sorted((one for one in series if one.at <= moment), key=lambda one: one.at)
    if not known:
        return None
    last, step = known[-1], last_change(known)
    moved = f", last step {step[0]:+.2f} on {step[1]:%Y-%m-%d}" if step else f", unchanged since {known[0].at:%Y-%m-%d}"
    values = [("value", last.value)]
    values += [("change", step[0]), ("days_since_step", float((moment - step[1]).days))] if step else []
    text = f"{label} {last.value:g}%{moved} ({what}, {last.at:%Y-%m-%d})"
    return EvidenceItem(text, url, source, last.at, last.precision, "observation", tuple(values))


def _since(now: datetime) -> date:
    """The start of the month a year ago, so that the address stays the same for a month."""
    return date(now.year - 1, now.month, 1)
