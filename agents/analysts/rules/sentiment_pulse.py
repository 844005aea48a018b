"""SentimentPulse: how the crowd will take it: tone, price moves, attention."""

from __future__ import annotations

from typing import Final

from agents.analysts.protocol import Brief, Revision
from agents.analysts.rules.arithmetic import Sheet
from agents.analysts.rules.bearing import timely
from agents.analysts.rules.company_links import direct_links
from agents.analysts.rules.evidence_terms import CROWD, below_next, lean
from agents.analysts.rules.judgement import (
    Amendment,
    View,
    assessment,
    common_terms,
    faults_of_item,
    reads_like,
    revised,
)
from agents.analysts.rules.magnitude import largest
from agents.analysts.rules.reading import Reading
from agents.models import Assessment, Evidence, Fault
from agents.tools.crowd import interval
from feeds.symbols.table import SymbolTable

_PRICE_NEWS: Final = ("earnings", "guidance_change")
"""Kinds of news that are of prices and results whatever their words are like."""


def draft(reading: Reading, brief: Brief, symbols: SymbolTable) -> Assessment:
    """Attention and tone: strong words about a known name move the crowd, dry notices do not."""
    sheet = Sheet()
    crowd = reading.kind("sentiment_surge")
    view = View(sheet, "sentiment_surge" if crowd else reading.signal_type, 0.5)
    named = reading.named is not None
    sheet.add("crowd event" if crowd else "ordinary attention", 0.46 if crowd else 0.16 if named else 0.10)
    if abs(reading.tone) >= 0.2:
        words = ", ".join(reading.tone_words[:3])
        sheet.add(f"tone {reading.tone:+.2f} ({words})", (0.22 if named else 0.12) * abs(reading.tone))
    move = reading.move
    if move:
        sheet.add(f'price move ("{move}")', 0.18 if named else 0.10)
        share = largest(reading.magnitudes, "percent")
        if share is not None and abs(share.value) >= 5:
            sheet.add(share.quote.strip(), 0.05 if abs(share.value) < 10 else 0.1)
    if named:
        if reading.signal_type not in _PRICE_NEWS:
            sheet.add(*reads_like(reading, 0.04))
        sheet.add("a name the crowd trades", 0.06)
    common_terms(sheet, reading, brief)
    view.confidence = 0.64 if move or crowd else 0.52
    if named or view.sheet.total >= 0.4:
        view.links = direct_links(reading, min(1.0, max(0.0, sheet.total)))
    return assessment(view, reading)


def revise(reading: Reading, brief: Brief, draft: Assessment) -> Revision:
    """Hedges in the item, and what the crowd's own counts say."""
    amendments = faults_of_item(reading, None, tagged=False)
    room = below_next(draft.impact_score)
    for one in brief.evidence:
        amendments += _crowd(reading, one, room)
        asked = one.status == "empty" and one.source
        if asked and draft.impact_score >= 0.4 and one.tool != "youtube_sentiment":
            fault = Fault(one.id, f"{one.source}: {one.detail or 'nobody talks about it'}")
            amendments.append(Amendment(fault, "the crowd is silent", -0.04, None, False, 0.0))
    return revised(reading, draft, amendments)


def _crowd(reading: Reading, evidence: Evidence, room: float) -> list[Amendment]:
    """A crowd that certainly leans adds to the score, at most `room`; against the item's tone it takes certainty."""
    if evidence.status != "ok":
        return []
    for item in evidence.items:
        values = dict(item.values)
        if "bulls" not in values or not timely(reading.item, item):
            continue
        bulls, bears = int(values["bulls"]), int(values.get("bears", 0.0))
        low, high = interval(bulls, bulls + bears)
        side = lean({"share_low": low, "share_high": high})
        if side:
            against = reading.tone <= -0.2 if side == "bullish" else reading.tone >= 0.2
            said = f"the crowd is {side}: {bulls} to {bears}{', against the tone of the item' if against else ''}"
            worth, sure = min(CROWD, room), -0.05 if against else 0.1
            return [Amendment(Fault(evidence.id, said), f"crowd {side}", worth, None, False, sure)]
    return []
