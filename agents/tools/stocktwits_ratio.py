"""`stocktwits_ratio`: bulls to bears among the messages whose writers say which they are."""

from __future__ import annotations

from collections.abc import Sequence

from agents.models import EvidenceItem
from agents.tools.crowd import Voiced, heard, interval, said_span, span, tone_of_posts
from agents.tools.findings import as_of, finding
from agents.tools.protocol import Question
from agents.tools.reach import Reach
from agents.tools.sourced import Answer, Chain, SourcedTool, Step, answer
from agents.tools.sources import stocktwits
from agents.tools.sources.stocktwits import Message


def build(reach: Reach) -> SourcedTool:
    """The newest messages on the first symbol of the item that Stocktwits follows."""

    async def part(question: Question) -> Answer | None:
        spelled = [stocktwits.spelled(symbol) for symbol in question.symbols]
        symbol = next((one for one in spelled if one), None)
        if symbol is None:
            return None
        got = await reach.access.ask(stocktwits.stream(symbol), stocktwits.read, question.now)
        moment = as_of(question)
        known = [message for message in got.value if message.at is not None and message.at <= moment]
        return answer(got, _findings(symbol, known, got.source) if known else ())

    steps = (Step("stocktwits", part),)
    nothing = "the item names no symbol that Stocktwits follows"
    return SourcedTool("stocktwits_ratio", (Chain(steps),), reach.access.keys, nothing_to_ask=nothing)


def _findings(symbol: str, messages: Sequence[Message], source: str) -> list[EvidenceItem]:
    """The ratio with its 95 % interval over the tagged messages, and the tone of all."""
    url = f"https://stocktwits.com/symbol/{symbol}"
    bulls = sum(message.tag > 0 for message in messages)
    bears = sum(message.tag < 0 for message in messages)
    voiced = [Voiced(message.at, heard(message.text)) for message in messages]
    low, high = interval(bulls, bulls + bears)
    ends = span(voiced)
    share = f"{bulls / (bulls + bears):.0%} bulls (95 %: {low:.0%} to {high:.0%})" if bulls + bears else "nobody says"
    ratio = finding(
        f"{symbol}: {bulls} bullish to {bears} bearish among {len(messages)} messages {said_span(voiced)}: {share}",
        url=url,
        source=source,
        at=ends[1] if ends else None,
        precision="second" if ends else "unknown",
        time_kind="observation",
        values=(
            ("bulls", float(bulls)),
            ("bears", float(bears)),
            ("untagged", float(len(messages) - bulls - bears)),
            ("share_low", round(low, 3)),
            ("share_high", round(high, 3)),
        ),
    )
    return [ratio, tone_of_posts(symbol, voiced, url=url, source=source)]
