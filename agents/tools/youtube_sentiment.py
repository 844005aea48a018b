"""`youtube_sentiment`: videos on a company and the tone of their titles and descriptions."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from agents.tools.asking.errors import SourceError
from agents.tools.asking.request import Got
from agents.tools.crowd import Voiced, heard, tone_of_posts
from agents.tools.findings import as_of, finding
from agents.tools.protocol import Question
from agents.tools.reach import Reach
from agents.tools.sourced import Answer, Chain, SourcedTool, Step, answer
from agents.tools.sources import youtube
from agents.tools.sources.reddit import Post, newest
from agents.tools.subjects import Company
from feeds.models import ParsedFeed

SHOWN: Final = 4
SPAN: Final = timedelta(days=7)


def build(reach: Reach) -> SourcedTool:
    """The search of its API with a key; without one, or when its hundred searches are spent, some market channels."""
    chain = Chain((_search(reach), _channels(reach)))
    return SourcedTool("youtube_sentiment", (chain,), reach.access.keys, nothing_to_ask="the item names no company")


def _search(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        company = reach.companies.first(question)
        if company is None:
            return None
        request = youtube.search(f"{company.name} stock", reach.access.keys.get("YOUTUBE_API_KEY"))
        got = await reach.access.ask(request, youtube.read_search, question.now)
        return _told(got, got.value, company, question, "")

    return Step("youtube_api", part)


def _channels(reach: Reach) -> Step:
    """Videos of the channels that name the company. A channel that fails is counted; all failing is a failure."""

    async def part(question: Question) -> Answer | None:
        company = reach.companies.first(question)
        if company is None:
            return None
        asked = [reach.access.feed(youtube.channel(number), question.now) for _, number in youtube.CHANNELS]
        given = await asyncio.gather(*asked, return_exceptions=True)
        failed: list[SourceError] = []
        posts: list[Post] = []
        last: Got[ParsedFeed] | None = None
        for (name, _), got in zip(youtube.CHANNELS, given, strict=True):
            if isinstance(got, SourceError):
                failed.append(got)
            elif isinstance(got, BaseException):
                raise got
            else:
                last = got
                posts += youtube.videos_of(got.value, name)
        if last is None:
            raise failed[0]
        note = f"{len(given) - len(failed)} of {len(given)} market channels answered"
        named = [post for post in posts if company.symbol in reach.companies.named_in(post.text)]
        return _told(last, named, company, question, note)

    return Step("youtube", part)


def _told(got: Got[object], posts: Sequence[Post], company: Company, question: Question, note: str) -> Answer:
    moment = as_of(question)
    known = [post for post in newest(posts) if post.at is not None and moment - SPAN <= post.at <= moment]
    if not known:
        return answer(got, (), note)
    voiced = [Voiced(post.at, heard(post.text)) for post in known]
    total = tone_of_posts(company.symbol, voiced, url=got.url, source="YouTube", note="titles and descriptions only")
    shown = [
        finding(
            post.text,
            url=post.url,
            source=f"YouTube, {post.place}",
            at=post.at,
            precision="second",
            values=(("tone", one.tone),),
        )
        for post, one in zip(known[:SHOWN], voiced, strict=False)
    ]
    return answer(got, [total, *shown], note)
