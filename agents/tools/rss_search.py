"""`rss_search`: what others report on the same story, company or event: our own feeds first, then a news search."""

from __future__ import annotations

from agents.tools.asking.request import Request
from agents.tools.protocol import Question, Tool
from agents.tools.reach import Reach, news_step
from agents.tools.sourced import Chain, SourcedTool
from agents.tools.sources import news
from agents.tools.subjects import search_words


def build(reach: Reach, own: Tool | None) -> SourcedTool:
    """Google News, and Bing News where that gives no answer. An item without company and event is searched nowhere."""

    def google(question: Question) -> Request | None:
        words = search_words(question, reach.companies)
        return news.google_news(f'"{words}" when:2d') if words else None

    def bing(question: Question) -> Request | None:
        words = search_words(question, reach.companies)
        return news.bing_news(f'"{words}"') if words else None

    steps = (news_step(reach, "google_news", google), news_step(reach, "bing_news", bing))
    return SourcedTool("rss_search", (Chain(steps),), reach.access.keys, own)
