"""`reddit_sentiment`: what is written on a company, and its tone by our own word scale; counts alone come last."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from agents.models import EvidenceItem
from agents.tools.asking.request import Got
from agents.tools.crowd import Voiced, heard, tone_of_posts
from agents.tools.findings import as_of, finding
from agents.tools.protocol import Question
from agents.tools.reach import Reach
from agents.tools.sourced import Answer, Chain, SourcedTool, Step, answer
from agents.tools.sources import reddit
from agents.tools.sources.reddit import Post
from agents.tools.subjects import Company

SHOWN: Final = 5
"""Posts shown besides the sum."""
SPAN: Final = timedelta(days=7)


def build(reach: Reach) -> SourcedTool:
    """Signed in where the user has an application, else the feed, else how often ApeWisdom counts the symbol."""
    chain = Chain((_signed_in(reach), _feed(reach), _counts(reach)))
    return SourcedTool("reddit_sentiment", (chain,), reach.access.keys, nothing_to_ask="the item names no company")


def _signed_in(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        company = reach.companies.first(question)
        if company is None:
            return None
        keys = reach.access.keys
        token = reddit.token(keys.get("REDDIT_CLIENT_ID"), keys.get("REDDIT_CLIENT_SECRET"))
        given = await reach.access.ask(token, reddit.read_token, question.now)
        request = reddit.search(f'{company.symbol} OR "{company.name}"', given.value)
        got = await reach.access.ask(request, reddit.read_search, question.now)
        return _told(got, _about(got.value, company, reach), company.symbol, question, "")

    return Step("reddit_api", part)


def _feed(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        company = reach.companies.first(question)
        if company is None:
            return None
        got = await reach.access.feed(reddit.feed(f'{company.symbol} OR "{company.name}"'), question.now)
        posts = _about(reddit.posts_of(got.value), company, reach)
        return _told(got, posts, company.symbol, question, "scores are not in the feed")

    return Step("reddit", part)


def _about(posts: Sequence[Post], company: Company, reach: Reach) -> list[Post]:
    """The posts that name the company: the search also finds the word that its symbol is ("ON", "ALL", "IT")."""
    name = re.compile(rf"\b{re.escape(company.name)}\b", re.I)
    return [post for post in posts if name.search(post.text) or company.symbol in reach.companies.named_in(post.text)]


def _told(got: Got[object], posts: Sequence[Post], symbol: str, question: Question, note: str) -> Answer:
    """The sum of the posts known when the item is judged, and the newest of them."""
    moment = as_of(question)
    known = [post for post in reddit.newest(posts) if post.at is not None and moment - SPAN <= post.at <= moment]
    if not known:
        return answer(got, (), note)
    voiced = [Voiced(post.at, heard(post.text)) for post in known]
    items = [tone_of_posts(symbol, voiced, url=got.url, source="Reddit", note=note)]
    return answer(
        got, [*items, *(_post(post, one.tone) for post, one in zip(known[:SHOWN], voiced, strict=False))], note
    )


def _post(post: Post, felt: float) -> EvidenceItem:
    values = [("tone", felt)]
    values += [
        (name, value) for name, value in (("score", post.score), ("comments", post.comments)) if value is not None
    ]
    source = f"Reddit {post.place}".strip()
    return finding(post.text, url=post.url, source=source, at=post.at, precision="second", values=values)


def _counts(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        company = reach.companies.first(question)
        if company is None:
            return None
        got = await reach.access.ask(reddit.ape_wisdom(), reddit.read_ape_wisdom, question.now)
        counted = got.value.get(company.symbol)
        if counted is None:
            return answer(got, (), f"{company.symbol} is not among the most mentioned")
        before = f", {counted.before:.0f} in the 24 h before" if counted.before is not None else ""
        item = finding(
            f"{company.symbol} mentioned {counted.mentions:.0f} times in 24 h{before} (rank {counted.rank:.0f});"
            " attention, not opinion",
            url="https://apewisdom.io",
            source=got.source,
            at=got.fetched_at,
            precision="hour",
            time_kind="observation",
            values=(("mentions", counted.mentions), ("mentions_before", counted.before or 0.0), ("rank", counted.rank)),
        )
        return answer(got, [item], "counts only, no posts")

    return Step("apewisdom", part)
