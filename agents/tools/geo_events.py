"""`geo_events`: sanctions, conflict and trade measures: official documents, the lists themselves, and GDELT.

A name on a list is no news by itself; it is told with `sanctions_hit` 1, and `new_on_list` 1 where an earlier copy of
the list did not hold it.
"""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta
from typing import Final

from agents.models import EvidenceItem
from agents.tools.asking.errors import NotAsked
from agents.tools.asking.request import Request
from agents.tools.findings import as_of, finding, marked
from agents.tools.protocol import Question, Tool
from agents.tools.reach import Reach, publisher_step, recent
from agents.tools.sourced import Answer, Chain, SourcedTool, Step, answer
from agents.tools.sources import federal_register, news, sanctions
from agents.tools.sources.sanctions import Listed, SanctionsList
from agents.tools.subjects import GEO_EVENTS, search_words
from feeds.models import Entry

AGENCIES: Final = (
    "foreign-assets-control-office",
    "industry-and-security-bureau",
    "trade-representative-office-of-united-states",
)
FEEDS: Final = (
    (
        "ofsi",
        "OFSI",
        "https://www.gov.uk/government/organisations/office-of-financial-sanctions-implementation.atom",
    ),
    ("eu_sanctions", "EU", "https://webgate.ec.europa.eu/fsd/fsf/public/rss"),
)
_SANCTIONS: Final = re.compile(r"\b(?:sanction|blacklist|embargo|asset freeze|OFAC|SDN)", re.I)
DAYS: Final = 14


def build(reach: Reach, own: Tool | None) -> SourcedTool:
    """All sources at once. GDELT and the feeds abroad may fail without making the answer unknown."""
    chains = [
        Chain((_documents(reach),)),
        Chain((_list(reach, "ofac", sanctions.ofac()),)),
        Chain((_list(reach, "un_sanctions", sanctions.un()),), needed=False),
        *(
            Chain((publisher_step(reach, *one[:2], Request(one[0], one[2]), also=_just_sanctioned),), needed=False)
            for one in FEEDS
        ),
        Chain((_open_sanctions(reach),), needed=False),
        Chain((_gdelt(reach),), needed=False),
    ]
    return SourcedTool("geo_events", tuple(chains), reach.access.keys, own)


def _just_sanctioned(question: Question, entry: Entry) -> bool:
    """An item on sanctions is shown what these offices said in the last three days."""
    return _about_sanctions(question) and recent(entry, as_of(question), 3)


def _about_sanctions(question: Question) -> bool:
    return question.event_type == "sanctions" or _SANCTIONS.search(question.item.text) is not None


def _documents(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        company = reach.companies.first(question)
        if company is None and question.event_type not in GEO_EVENTS:
            return None
        since = (question.now - timedelta(days=DAYS)).date()
        term = f'"{company.name}"' if company else ""
        request = federal_register.documents(term=term, agencies=AGENCIES, since=since)
        got = await reach.access.ask(request, federal_register.read, question.now)
        return answer(got, marked(got.value, question)[:6])

    return Step("federal_register", part)


def _list(reach: Reach, source: str, request: Request) -> Step:
    """Names of the item that stand on a list. What the copy before, be it of an earlier run, did not hold is new."""
    read = sanctions.read_ofac if source == "ofac" else sanctions.read_un
    seen: list[SanctionsList] = []
    kept = asyncio.Lock()

    async def part(question: Question) -> Answer | None:
        async with kept:
            if not seen and (before := await reach.access.before(request, read, question.now)) is not None:
                seen.append(before)
        got = await reach.access.ask(request, read, question.now)
        if not seen or seen[-1] is not got.value:
            seen[:] = [*seen[-1:], got.value]
        earlier = seen[0].numbers if len(seen) == 2 else None
        hits = got.value.named_in(question.item.text, single=_about_sanctions(question))
        return answer(got, [_hit(one, got.source, source, earlier) for one in hits[:6]])

    return Step(source, part)


def _hit(one: Listed, title: str, source: str, earlier: frozenset[str] | None) -> EvidenceItem:
    new = earlier is not None and one.number not in earlier
    url = f"https://sanctionssearch.ofac.treas.gov/Details.aspx?id={one.number}" if source == "ofac" else ""
    return finding(
        f'"{one.name}" is on the {title} ({one.programs or one.kind}){", new since the last copy" if new else ""}',
        url=url,
        source=title,
        at=one.listed_at,
        precision="day",
        time_kind="effective",
        values=(("sanctions_hit", 1.0), ("new_on_list", float(new))),
    )


def _open_sanctions(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        company = reach.companies.first(question)
        if company is None:
            return None
        request = sanctions.open_sanctions(company.name, reach.access.keys.get("OPENSANCTIONS_API_KEY"))
        got = await reach.access.ask(request, sanctions.read_open_sanctions, question.now)
        same = [one for one in got.value if one.name.casefold().startswith(company.name.casefold())]
        return answer(got, [_hit(one, got.source, "opensanctions", None) for one in same[:3]])

    return Step("opensanctions", part)


def _gdelt(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        words = search_words(question, reach.companies)
        request = news.gdelt(words) if words else None
        if words and request is None:
            raise NotAsked("status", f'GDELT: "{words}" is too short to be searched')
        if request is None:
            return None
        got = await reach.access.ask(request, news.read_gdelt, question.now)
        return answer(got, marked(got.value, question)[:6])

    return Step("gdelt", part)
