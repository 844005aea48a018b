"""What every sourced tool is built from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from agents.analysts.protocol import Holding
from agents.links import Symbols
from agents.models import EvidenceItem
from agents.tools.asking.access import Access
from agents.tools.asking.request import Request
from agents.tools.findings import marked, newest, of_entry
from agents.tools.hosted import HostedSearch
from agents.tools.protocol import Question
from agents.tools.sourced import Answer, Step, answer
from agents.tools.subjects import Companies
from feeds.models import Entry


@dataclass(frozen=True, slots=True)
class Reach:
    """The sources, and what tells what an item is about. `hosted`: the search of the model's service."""

    access: Access
    symbols: Symbols
    companies: Companies
    watchlist: Mapping[str, Holding]
    hosted: HostedSearch | None = None


def news_step(reach: Reach, source: str, ask: Callable[[Question], Request | None], *, limit: int = 10) -> Step:
    """A news search whose answer is a feed; each finding says whether it reports the item's own event."""

    async def part(question: Question) -> Answer | None:
        request = ask(question)
        if request is None:
            return None
        got = await reach.access.feed(request, question.now)
        found = [of_entry(entry, got.source, (("tier", 3.0),)) for entry in newest(got.value)[:60]]
        return answer(got, marked(found, question)[:limit])

    return Step(source, part)


def publisher_step(
    reach: Reach,
    source: str,
    name: str,
    request: Request,
    *,
    also: Callable[[Question, Entry], bool] = lambda question, entry: False,
    limit: int = 6,
) -> Step:
    """A publisher's own feed: what in it reports the item's event or names its companies, and what `also` lets in.

    In each finding `same_story` and `names_company` are 1 or 0.
    """

    async def part(question: Question) -> Answer | None:
        got = await reach.access.feed(request, question.now)
        concerned = frozenset(reach.companies.symbols_of(question))
        found: list[EvidenceItem] = []
        for entry in newest(got.value)[:100]:
            named = not concerned.isdisjoint(reach.companies.named_in(entry.title)) if concerned else False
            values = (("tier", 1.0), ("names_company", float(named)), ("let_in", float(also(question, entry))))
            found.append(of_entry(entry, name, values))
        return answer(got, [_without(item, "let_in") for item in marked(found, question) if _concerns(item)][:limit])

    return Step(source, part)


def _concerns(item: EvidenceItem) -> bool:
    values = dict(item.values)
    return any(values[name] for name in ("same_story", "names_company", "let_in"))


def _without(item: EvidenceItem, value: str) -> EvidenceItem:
    return replace(item, values=tuple(pair for pair in item.values if pair[0] != value))


def recent(entry: Entry, moment: datetime, days: float) -> bool:
    """Whether an entry was published in the `days` before `moment`."""
    at = entry.published.at
    return at is not None and 0 <= (moment - at).total_seconds() <= days * 86_400


def first_of(items: Sequence[EvidenceItem | None]) -> tuple[EvidenceItem, ...]:
    """The findings that exist."""
    return tuple(item for item in items if item is not None)
