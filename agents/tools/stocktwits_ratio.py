"""`stocktwits_ratio`: bulls to bears among the messages whose writers say which they are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from agents.models import EvidenceItem
from agents.tools.crowd import Voiced, heard, interval, said_span, span, tone_of_posts
from agents.tools.findings import as_of, finding
from agents.tools.protocol import Question
from agents.tools.reach import Reach
from agents.tools.sourced import Answer, Chain, SourcedTool, Step, answer
from agents.tools.sources import stocktwits
from agents.tools.sources.stocktwits import Message

SPAN: Final = timedelta(days=3)
"""What was written before says nothing of today's news; over a weekend little is written."""


def build(reach: Reach) -> SourcedTool:
    """The newest messages on the first symbol of the item that Stocktwits follows."""

    async def part(question: Question) -> Answer | None:
        followed = {*reach.companies.symbols_of(question), *stocktwits.COINS}
        spelled = [stocktwits.spelled(symbol) for symbol in question.symbols if symbol in followed]
        symbol = next((one for one in spelled if one), None)
        if symbol is None:
            return None
        got = await reach.access.ask(stocktwits.stream(symbol), stocktwits.read, question.now)
        moment = as_of(question)
        known = [message for message in got.value if message.at is not None and moment - SPAN <= message.at <= moment]
        if not known:
            return answer(got, (), f"nothing on {symbol} in the last {SPAN.days} days" if got.value else "")
        return answer(got, _findings(symbol, known, got.source))

    steps = (Step("stocktwits", part),)
    nothing = "the item names no symbol that Stocktwits follows"
    return SourcedTool("stocktwits_ratio", (Chain(steps),), reach.access.keys, nothing_to_ask=nothing)


def _findings(symbol: str, messages: Sequence[Message], source: str) -> list[EvidenceItem]:
    """The ratio with its 95 % interval over the writers who say which they are, and the tone of all messages."""
    url = f"https://stocktwits.com/symbol/{symbol}"
    voices = _voices(messages)
    bulls, bears = voices.count(1), voices.count(-1)
    voiced = [Voiced(message.at, heard(message.text)) for message in messages]
    low, high = interval(bulls, bulls + bears)
    ends = span(voiced)
    share = f"{bulls / (bulls + bears):.0%} bulls (95 %: {low:.0%} to {high:.0%})" if bulls + bears else "nobody says"
    writers = f" of {len(voices)} writers" if len(voices) < len(messages) else ""
    among = f"{len(messages)} messages{writers} {said_span(voiced)}"
    ratio = finding(
        f"{symbol}: {bulls} bullish to {bears} bearish among {among}: {share}",
        url=url,
        source=source,
        at=ends[1] if ends else None,
        precision="second" if ends else "unknown",
        time_kind="observation",
        values=(
            ("bulls", float(bulls)),
            ("bears", float(bears)),
            ("untagged", float(voices.count(0))),
            ("share_low", round(low, 3)),
            ("share_high", round(high, 3)),
        ),
    )
    return [ratio, tone_of_posts(symbol, voiced, url=url, source=source)]


def _voices(messages: Sequence[Message]) -> list[int]:
    """What each writer says he is, by the last message that says it: who writes twenty times is one voice."""
    said: dict[str, int] = {}
    for place, message in enumerate(messages):
        writer = message.writer or f"unknown {place}"
        said[writer] = said.get(writer) or message.tag
    return list(said.values())
