"""`oil_gold`: crude and gold: official spot prices by day, and the futures of the moment, each said for what it is."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from agents.tools.findings import as_of
from agents.tools.protocol import Question
from agents.tools.quotes import last_quote
from agents.tools.reach import Reach, first_of
from agents.tools.series import by_series, finding, lapsed
from agents.tools.sourced import Answer, Chain, SourcedTool, Step, answer
from agents.tools.sources import eia, fred

PROMISED: Final = timedelta(days=21)
"""Spot prices come up to a week late, and later over holidays."""
_SPOT: Final = {"DCOILWTICO": "WTI", "DCOILBRENTEU": "Brent"}


def build(reach: Reach) -> SourcedTool:
    """Spot oil from EIA with a key, else from FRED, days late; crude and gold futures from Yahoo, minutes late."""
    chains = (
        Chain((_eia(reach), _fred(reach))),
        Chain((_future(reach, "WTI", "NYMEX crude future, about 10 min late"),), needed=False),
        Chain((_future(reach, "GOLD", "COMEX gold future, not spot, about 10 min late"),)),
    )
    return SourcedTool("oil_gold", chains, reach.access.keys)


def _eia(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        got = await reach.access.ask(eia.spot(reach.access.keys.get("EIA_API_KEY")), eia.read, question.now)
        series = by_series(got.value).get("WTI", [])
        item = finding("WTI", series, source=got.source, url=got.url, what="spot, Cushing", as_of=as_of(question))
        found = first_of([item])
        return answer(got, found, lapsed=lapsed(found, PROMISED, as_of(question)))

    return Step("eia", part)


def _fred(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        since = date(
            question.now.year if question.now.month > 1 else question.now.year - 1, question.now.month - 1 or 12, 1
        )
        got = await reach.access.ask(fred.series(tuple(_SPOT), since), fred.read, question.now)
        series = by_series(got.value)
        items = [
            finding(
                f"{label} in USD a barrel",
                series.get(name, []),
                source=got.source,
                url=got.url,
                what="spot by EIA",
                as_of=as_of(question),
            )
            for name, label in _SPOT.items()
        ]
        found = first_of(items)
        return answer(got, found, lapsed=lapsed(found, PROMISED, as_of(question)))

    return Step("fred", part)


def _future(reach: Reach, symbol: str, what: str) -> Step:
    async def part(question: Question) -> Answer | None:
        return await last_quote(reach.access, symbol, what, question)

    return Step("yahoo", part)
