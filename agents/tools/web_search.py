"""`web_search`: the user's own search service where there is one, a keyless news search last.

A search that runs inside a model's turn belongs to the analyst that has the model, not here.
"""

from __future__ import annotations

from collections.abc import Callable

from agents.models import EvidenceItem
from agents.tools.findings import marked
from agents.tools.protocol import Question
from agents.tools.reach import Reach, news_step
from agents.tools.request import Reply, Request
from agents.tools.sourced import Answer, Chain, SourcedTool, Step, answer
from agents.tools.sources import news, web
from agents.tools.subjects import EVENT_WORDS, search_words

Reader = Callable[[Reply], tuple[EvidenceItem, ...]]
_KEYED: tuple[tuple[str, str, Callable[[str, str], Request], Reader], ...] = (
    ("searxng", "SEARXNG_URL", web.searxng, web.read_searxng),
    ("brave", "BRAVE_API_KEY", web.brave, web.read_brave),
    ("tavily", "TAVILY_API_KEY", web.tavily, web.read_tavily),
    ("exa", "EXA_API_KEY", web.exa, web.read_exa),
)


def build(reach: Reach) -> SourcedTool:
    """SearXNG, Brave, Tavily and Exa in this order as far as they are set up, then Bing and Google News."""

    def words(question: Question) -> str:
        """The company together with the event, so that it is not the question `rss_search` asks."""
        found = search_words(question, reach.companies)
        event = EVENT_WORDS[question.event_type] if question.event_type else "news"
        return f"{found} {event}" if found and event != found else found

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
    steps.append(news_step(reach, "bing_news", free(news.bing_news)))
    steps.append(news_step(reach, "google_news", free(lambda asked: news.google_news(f"{asked} when:1d"))))
    return SourcedTool("web_search", (Chain(tuple(steps)),), reach.access.keys)
