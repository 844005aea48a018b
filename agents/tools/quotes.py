"""The last price of a market and its change over the day, as a finding."""

from __future__ import annotations

from datetime import timedelta

from agents.models import EvidenceItem
from agents.prices import WIDTHS
from agents.tools.asking.access import Access
from agents.tools.findings import as_of
from agents.tools.protocol import Question
from agents.tools.sourced import Answer, answer
from agents.tools.sources import yahoo


async def last_quote(access: Access, symbol: str, what: str, question: Question) -> Answer:
    """The last bar of five minutes known when the item is judged, against the last one a day earlier."""
    moment = as_of(question)
    request = yahoo.chart(symbol, "5m", moment - timedelta(days=4), moment)
    got = await access.ask(request, yahoo.read_chart, question.now)
    bars = [bar for bar in got.value.bars if bar.at <= moment]
    if not bars:
        return answer(got, (), f"{got.source}: no quote of {symbol} in the last days")
    last = bars[-1]
    before = next((bar for bar in reversed(bars) if bar.at <= last.at - timedelta(days=1)), None)
    ended = min(last.at + WIDTHS["5m"], moment)
    values = [("value", last.close)]
    text = f"{symbol} {last.close:g}{f' {got.value.currency}' if got.value.currency else ''}"
    if before is not None and before.close:
        change = (last.close / before.close - 1) * 100
        values.append(("change_percent", round(change, 4)))
        text += f", {change:+.2f}% in 24 h"
    text += f" ({what}, {ended:%Y-%m-%d %H:%M} UTC)"
    return answer(got, [EvidenceItem(text, got.url, got.source, ended, "minute", "observation", tuple(values))])
