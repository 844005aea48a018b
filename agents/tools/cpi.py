"""`cpi`: consumer prices of the United States: the yearly and the monthly rate, and the yearly one a month before.

The month is when prices were taken; when the figure became known is in the release, not here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Final

from agents.models import EvidenceItem
from agents.tools.asking.request import Got
from agents.tools.findings import as_of
from agents.tools.protocol import Question
from agents.tools.reach import Reach
from agents.tools.series import Observation, by_series, lapsed
from agents.tools.sourced import Answer, Chain, SourcedTool, Step, answer
from agents.tools.sources import bls, fred

FRED_INDEX: Final = "CPIAUCNS"
FRED_ADJUSTED: Final = "CPIAUCSL"
PROMISED: Final = timedelta(days=80)
"""So long after its beginning a month is the last one that is out."""


def build(reach: Reach) -> SourcedTool:
    """BLS itself; FRED with a key, and its open series, where BLS does not answer."""
    return SourcedTool("cpi", (Chain((_bls(reach), _keyed(reach), _open(reach))),), reach.access.keys)


def _bls(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        request = bls.cpi(question.now, reach.access.keys.get("BLS_API_KEY"))
        got = await reach.access.ask(request, bls.read, question.now)
        return _told(got, got.value, bls.INDEX, bls.ADJUSTED, question, "https://www.bls.gov/cpi/")

    return Step("bls", part)


def _keyed(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        request = fred.keyed(FRED_INDEX, reach.access.keys.get("FRED_API_KEY"))
        got = await reach.access.ask(request, partial(fred.read_keyed, FRED_INDEX), question.now)
        return _told(got, got.value, FRED_INDEX, "", question, got.url)

    return Step("fred_api", part)


def _open(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        request = fred.series((FRED_INDEX, FRED_ADJUSTED), date(question.now.year - 2, 1, 1))
        got = await reach.access.ask(request, fred.read, question.now)
        return _told(got, got.value, FRED_INDEX, FRED_ADJUSTED, question, got.url)

    return Step("fred", part)


def _told(
    got: Got[object], observations: Sequence[Observation], index: str, adjusted: str, question: Question, url: str
) -> Answer:
    series = by_series(observations)
    moment = as_of(question)
    items = [
        item
        for label, name in (("US consumer prices", index), ("US core consumer prices", bls.CORE))
        if (item := _inflation(label, series.get(name, ()), series.get(adjusted, ()), got.source, url, moment))
        is not None
    ]
    return answer(got, items, lapsed=lapsed(items, PROMISED, moment))


def _inflation(
    label: str,
    index: Sequence[Observation],
    adjusted: Sequence[Observation],
    source: str,
    url: str,
    moment: datetime,
) -> EvidenceItem | None:
    """Rates in percent; `previous` is the yearly rate a month before. None without thirteen months.

    A month's figure is out in the middle of the next one, so what is too young for `moment` is left out.
    """
    values = {(one.at.year, one.at.month): one.value for one in index if _out_by(one.at, moment)}
    if not values:
        return None
    newest = max(values)
    now, before = _yearly(values, newest), _yearly(values, _month_before(newest))
    if now is None:
        return None
    monthly = {(one.at.year, one.at.month): one.value for one in adjusted} if "core" not in label else {}
    last, prior = monthly.get(newest), monthly.get(_month_before(newest))
    step = (last / prior - 1) * 100 if last and prior else None
    found = [("value", round(now, 2))]
    found += [("previous", round(before, 2))] if before is not None else []
    found += [("month_percent", round(step, 2))] if step is not None else []
    text = f"{label} {now:+.1f}% on the year"
    text += f", {before:+.1f}% the month before" if before is not None else ""
    text += f", {step:+.1f}% on the month" if step is not None else ""
    at = next(one.at for one in index if (one.at.year, one.at.month) == newest)
    return EvidenceItem(f"{text} ({at:%B %Y})", url, source, at, "month", "observation", tuple(found))


def _yearly(values: Mapping[tuple[int, int], float], month: tuple[int, int]) -> float | None:
    now, then = values.get(month), values.get((month[0] - 1, month[1]))
    return (now / then - 1) * 100 if now and then else None


def _month_before(month: tuple[int, int]) -> tuple[int, int]:
    return (month[0], month[1] - 1) if month[1] > 1 else (month[0] - 1, 12)


def _out_by(month: datetime, moment: datetime) -> bool:
    """Whether the figure of a month can be known: no earlier than the tenth of the month after it."""
    year, number = (month.year, month.month + 1) if month.month < 12 else (month.year + 1, 1)
    return datetime(year, number, 10, tzinfo=month.tzinfo) <= moment
