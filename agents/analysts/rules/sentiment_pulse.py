"""SentimentPulse: how the crowd will take it: tone, price moves, attention."""

from __future__ import annotations

from agents.analysts.protocol import Brief, Revision
from agents.analysts.rules.arithmetic import Sheet
from agents.analysts.rules.judgement import (
    Amendment,
    View,
    assessment,
    common_terms,
    direct_links,
    faults_of_item,
    revised,
)
from agents.analysts.rules.magnitude import largest
from agents.analysts.rules.reading import Reading
from agents.models import Assessment, Fault
from feeds.symbols import SymbolTable


def draft(reading: Reading, brief: Brief, symbols: SymbolTable) -> Assessment:
    """Attention and tone: strong words about a known name move the crowd, dry notices do not."""
    sheet = Sheet()
    crowd = reading.kind("sentiment_surge")
    view = View(sheet, "sentiment_surge" if crowd else reading.signal_type, 0.5)
    sheet.add("crowd event" if crowd else "ordinary attention", 0.42 if crowd else 0.14)
    named = any(mention.about and not mention.quoted for mention in reading.mentions)
    if abs(reading.tone) >= 0.2:
        words = ", ".join(reading.tone_words[:3])
        sheet.add(f"tone {reading.tone:+.2f} ({words})", (0.22 if named else 0.12) * abs(reading.tone))
    move = reading.move
    if move:
        sheet.add(f'price move ("{move}")', 0.22)
        share = largest(reading.magnitudes, "percent")
        if share is not None and abs(share.value) >= 5:
            sheet.add(share.quote.strip(), 0.05 if abs(share.value) < 10 else 0.1)
    if named:
        sheet.add("a name the crowd trades", 0.06)
    common_terms(sheet, reading, brief)
    view.confidence = 0.6 if move or crowd else 0.45
    if named or view.sheet.total >= 0.4:
        view.links = direct_links(reading, min(1.0, max(0.0, sheet.total)))
    return assessment(view, reading)


def revise(reading: Reading, brief: Brief, draft: Assessment) -> Revision:
    """Hedges in the item, and what the crowd's own counts say."""
    amendments = faults_of_item(reading, None, tagged=False)
    for one in brief.evidence:
        values = dict(value for item in one.items for value in item.values)
        bulls, bears = values.get("bulls", 0.0), values.get("bears", 0.0)
        if one.status == "ok" and bulls + bears >= 20:
            share = bulls / (bulls + bears)
            lean = "bullish" if share > 0.65 else "bearish" if share < 0.35 else ""
            if lean:
                fault = Fault(one.id, f"the crowd is {lean}: {bulls:.0f} to {bears:.0f}")
                amendments.append(Amendment(fault, f"crowd {lean}", 0.05, None, False, 0.1))
        elif one.status == "empty" and draft.impact_score >= 0.4 and one.tool != "youtube_sentiment":
            fault = Fault(one.id, "nobody talks about it")
            amendments.append(Amendment(fault, "the crowd is silent", -0.04, None, False, 0.0))
    return revised(reading, draft, amendments)
