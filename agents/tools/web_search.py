"""`web_search`: the user's own search service where there is one, then that of the model's service, a keyless news
search last.

The model's service searches in a turn of its own before anybody drafts anything, and only where a model thinks. It
costs money, so it is asked only about what is happening now: the pages it finds have no dates, and of the past an
undated page proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, timedelta
from time import perf_counter
from typing import Final

from agents.models import EvidenceItem
from agents.tools.asking.errors import NotAsked
from agents.tools.asking.keys import WITH_CLAUDE
from agents.tools.asking.request import Brought, Reply, Request
from agents.tools.findings import as_of, marked
from agents.tools.hosted import Found
from agents.tools.protocol import Question
from agents.tools.reach import Reach, news_step
from agents.tools.sourced import DEADLINE_S, Answer, Chain, SourcedTool, Step, answer
from agents.tools.sources import news, web
from agents.tools.subjects import EVENT_WORDS, search_words

HOSTED_S: Final = 15.0
"""So long the model's service may search before news searches are asked instead; its answer is kept all the same."""
HOSTED_DEADLINE_S: Final = HOSTED_S + DEADLINE_S
"""The deadline of the tool where a model's service searches."""
RECENT: Final = timedelta(minutes=10)
"""A search from longer ago says when it was made."""

Reader = Callable[[Reply], tuple[EvidenceItem, ...]]
_KEYED: tuple[tuple[str, str, Callable[[str, str], Request], Reader], ...] = (
    ("searxng", "SEARXNG_URL", web.searxng, web.read_searxng),
    ("brave", "BRAVE_API_KEY", web.brave, web.read_brave),
    ("tavily", "TAVILY_API_KEY", web.tavily, web.read_tavily),
    ("exa", "EXA_API_KEY", web.exa, web.read_exa),
)


def build(reach: Reach) -> SourcedTool:
    """SearXNG, Brave, Tavily and Exa as far as they are set up, then Claude's search, then Bing and Google News."""

    def words(question: Question) -> str:
        return _words(reach, question)

    def keyed(source: str, key: str, ask: Callable[[str, str], Request], read: Reader) -> Step:
        async def part(question: Question) -> Answer | None:
            asked = words(question)
            if not asked:
                return None
            got = await reach.access.ask(ask(asked, reach.access.keys.get(key)), read, question.now)
            return answer(got, marked(got.value, question)[:10])

        return Step(source, part)

    def free(ask: Callable[[str], Request]) -> Callable[[Question], Request | None]:
        return lambda question: ask(asked) if (asked := words(question)) else None

    steps = [keyed(*one) for one in _KEYED]
    steps.append(_hosted_step(reach))
    steps.append(news_step(reach, "bing_news", free(news.bing_news)))
    steps.append(news_step(reach, "google_news", free(lambda asked: news.google_news(f"{asked} when:1d"))))
    deadline_s = HOSTED_DEADLINE_S if reach.hosted else DEADLINE_S
    return SourcedTool("web_search", (Chain(tuple(steps)),), reach.access.keys, deadline_s=deadline_s)


def _words(reach: Reach, question: Question) -> str:
    """The company together with the event, so that it is not the question `rss_search` asks.

    They come from our own tables: nothing an item says is searched for in its words.
    """
    found = search_words(question, reach.companies)
    event = EVENT_WORDS[question.event_type] if question.event_type else "news"
    return f"{found} {event}" if found and event != found else found


def _hosted_step(reach: Reach) -> Step:
    """One search of the model's service for each question and day, whoever asks."""
    hosted = reach.hosted

    async def part(question: Question) -> Answer | None:
        asked = _words(reach, question)
        if not asked:
            return None

        async def bring() -> Brought[Found]:
            if hosted is None:
                raise NotAsked("not_set_up", WITH_CLAUDE)
            begun = perf_counter()
            found = await hosted.search(asked, question)
            return Brought(found, found.raw, (perf_counter() - begun) * 1000)

        request = web.claude(asked, question.now.astimezone(UTC).date())
        got = await reach.access.brought(request, bring, question.now)
        notes = [got.value.note] if got.value.note else []
        if question.now - got.fetched_at > RECENT:
            notes.append(f"searched at {got.fetched_at:%H:%M} UTC")
        return answer(got, web.pages(got.value, question), "; ".join(notes))

    def unfit(question: Question) -> str:
        if as_of(question) != question.now:
            return "finds pages without dates, which prove nothing of the past"
        return hosted.unable if hosted else ""

    return Step("claude_search", part, HOSTED_S, unfit)
