"""What the five domains share: from a sheet to an assessment, and the critique of a draft.

A draft takes the item at face value. The critique then reads the item's own words and the evidence again; each
amendment is one fault with its pointer and one term, so that the step from draft to final can be checked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from agents.analysts.protocol import Brief, Revision
from agents.analysts.rules.arithmetic import Sheet, rationale, total
from agents.analysts.rules.company_links import hundredth
from agents.analysts.rules.evidence_terms import evidence_terms
from agents.analysts.rules.magnitude import largest
from agents.analysts.rules.reading import Happening, Reading
from agents.analysts.rules.scan import word_list
from agents.analysts.rules.traits import Trait
from agents.models import Assessment, Fault, FlashEvent, SignalType, TickerLink
from feeds.models import Tier

CEILINGS: dict[Trait, tuple[str, float]] = {
    "solicitation": ("law-firm solicitation", 0.22),
    "calendar": ("announces a date only", 0.28),
    "anniversary": ("looks back", 0.36),
    "routine": ("routine notice", 0.38),
    "local": ("of local interest", 0.38),
}
"""Kinds of items that stay below the feed's fold whatever they mention."""


_ONLY_PREVIEW: Final = re.compile(
    r"preview|what to (?:expect|watch|know)|week ?ahead|to watch|eyes on|countdown to", re.I
)
"""Previews that report nothing else."""
_WRAP_MOVE: Final = 2.0
"""Percent by which a market moves on a day that is not like the others."""
_WRAP_WORDS: Final = word_list(
    "plung* crash* plummet* collaps* soar* surge surges surged surging tumbl* slump* rout record worst biggest "
    "lowest_since highest_since"
)
_CERTAIN: Final = 3.0
"""Log-odds beyond which words add no more."""
_TELLING: Final = 0.02
"""What the wording adds below this tells a reader nothing."""
_OUTSIDE: Final = 0.2
"""Drafts below this say no more than that the item is outside the agent's domain."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """One fault of a draft and what it changes: a term, the tag, the confidence (in points)."""

    fault: Fault
    label: str
    amount: float = 0.0
    ceiling: float | None = None
    clears_event: bool = False
    confidence: float = 0.0


@dataclass(slots=True)
class View:
    """An agent's draft in the making."""

    sheet: Sheet
    signal: SignalType
    confidence: float
    event: FlashEvent | None = None
    links: tuple[TickerLink, ...] = ()


def common_terms(sheet: Sheet, reading: Reading, brief: Brief) -> None:
    """Terms every agent adds in its domain: holdings, source tier, repeats, what its own tools found."""
    held = next((m for m in reading.mentions if m.symbol in brief.watchlist and not m.quoted), None)
    if held is not None:
        holding = brief.watchlist[held.symbol].holding
        sheet.add("named holding" if holding else "named on the watchlist", 0.08 if holding else 0.05)
    if reading.item.tier == Tier.OFFICIAL:
        sheet.add("official source", 0.03)
    elif reading.item.tier == Tier.CROWD:
        sheet.add("crowd source", -0.05)
    if brief.novelty < 1.0:
        sheet.add("repeat within the story", -0.10 * (1.0 - brief.novelty))
    for label, amount in evidence_terms(reading, brief.evidence, sheet.total):
        sheet.add(label, amount)


def assessment(view: View, reading: Reading) -> Assessment:
    """The view as an assessment; the terms sum exactly to the score."""
    terms = view.sheet.closed()
    return Assessment(
        impact_score=total(terms),
        confidence_score=round(min(0.95, max(0.05, view.confidence + _clear(reading))), 2),
        signal_type=view.signal,
        event_type=view.event,
        tickers_linked=view.links,
        rationale=rationale(terms, note(reading, total(terms))),
        tone=reading.tone if reading.of_business else None,
        arithmetic=terms,
    )


def _clear(reading: Reading) -> float:
    """What a clear kind of news adds to an agent's certainty, and what a doubtful one takes.

    Of headlines whose kind leads by six log-odds 96 in a hundred are read right, of those that lead by three 84, of the
    others 56 (`python -m tests.evaluation`, the rows kept from training).
    """
    return 0.08 if reading.clearness >= 6.0 else 0.0 if reading.clearness >= 3.0 else -0.12


def reads_like(reading: Reading, weight: float) -> tuple[str, float]:
    """A term for how much the words are those of price news, which moves shares, and not of products or people."""
    odds = -_CERTAIN if "question" in reading.traits else max(-_CERTAIN, min(_CERTAIN, reading.model.prices))
    amount = weight * odds if abs(weight * odds) >= _TELLING else 0.0
    return "worded like price news" if odds > 0 else "worded like product or people news", amount


def note(reading: Reading, impact: float) -> str:
    """Why the item counts as its kind of news, in words; an agent outside its domain has nothing to say of that."""
    if impact < _OUTSIDE:
        return ""
    rule = reading.kind(reading.signal_type)
    words = [f'"{rule.quote[:40]}"'] if rule else [f'"{word}"' for word in reading.model.words]
    if not words or reading.event is not None or reading.signal_type == "routine_news":
        return ""
    return f"Read as {kind_in_words(reading.signal_type)} by {', '.join(words)}"


def kind_in_words(signal: SignalType) -> str:
    """A kind of news as a trader writes it."""
    return "M&A" if signal == "m_and_a" else signal.replace("_", " ")


def faults_of_item(reading: Reading, happening: Happening | None, *, tagged: bool) -> list[Amendment]:
    """Faults the item's own words show: not yet, unconfirmed, denied, opinion, looking back, a date only."""
    found: list[Amendment] = []
    seen = reading.traits
    for trait, (label, ceiling) in CEILINGS.items():
        if trait == "local" and (reading.named is not None or reading.subjects):
            continue
        if trait in seen and not (trait == "routine" and happening is not None and happening.now):
            found.append(_of_trait(seen[trait], label, ceiling=ceiling, clears=True))
    if happening is not None and not happening.now and happening.doubt and not found:
        statement = f'"{happening.doubt}": not reported as happening now ({happening.label})'
        found.append(Amendment(Fault(happening.doubt, statement), "not happening now", -0.16, None, True, -0.05))
    if "denied" in seen:
        found.append(_of_trait(seen["denied"], "denied", amount=-0.12, clears=True))
    if "opinion" in seen:
        ceiling = 0.5 if reading.move else 0.38
        found.append(_of_trait(seen["opinion"], "comment or analysis", amount=-0.12, ceiling=ceiling, clears=True))
    elif "question" in seen:
        found.append(_of_trait(seen["question"], "asks, does not report", amount=-0.18, ceiling=0.38, clears=True))
    if "market wrap" in seen:
        ceiling = 0.6 if _large_move(reading) else 0.38
        found.append(_of_trait(seen["market wrap"], "markets react to it", ceiling=ceiling, clears=True))
    if "unconfirmed" in seen and not (happening is not None and not happening.now):
        found.append(_of_trait(seen["unconfirmed"], "unconfirmed", amount=-0.08, confidence=-0.12))
    if "preview" in seen and not tagged:
        only = _ONLY_PREVIEW.fullmatch(seen["preview"]) is not None
        found.append(_of_trait(seen["preview"], "preview", amount=-0.1, ceiling=0.38 if only else None))
    if "round-up" in seen:
        found.append(_of_trait(seen["round-up"], "round-up", amount=-0.1, clears=True))
    if "live blog" in seen:
        found.append(_of_trait(seen["live blog"], "a running page, not one report", amount=-0.08))
    if "correction" in seen:
        found.append(_of_trait(seen["correction"], "correction", amount=-0.02, confidence=-0.1))
    return found


def _large_move(reading: Reading) -> bool:
    """Whether a report of the markets tells a move worth a look: by two percent, a record, a plunge."""
    share = largest(reading.magnitudes, "percent")
    return (share is not None and abs(share.value) >= _WRAP_MOVE) or reading.scan.in_title(_WRAP_WORDS) is not None


def _of_trait(
    quote: str,
    label: str,
    *,
    amount: float = 0.0,
    ceiling: float | None = None,
    clears: bool = False,
    confidence: float = 0.0,
) -> Amendment:
    return Amendment(Fault(quote, f'"{quote}": {label}'), label, amount, ceiling, clears, confidence)


def revised(reading: Reading, draft: Assessment, amendments: Sequence[Amendment]) -> Revision:
    """The draft with every amendment applied as a term of its own. Nothing to amend: the draft itself."""
    amendments = [amendment for amendment in amendments if _matters(amendment, draft)]
    if not amendments:
        return Revision((), draft)
    sheet = Sheet(tuple(term for term in draft.arithmetic if term.label != "held to 0..1"))
    for amendment in amendments:
        sheet.add(amendment.label, amendment.amount)
    for amendment in amendments:
        if amendment.ceiling is not None:
            sheet.cap(f"{amendment.label}: at most {amendment.ceiling:.2f}", amendment.ceiling)
    terms = sheet.closed()
    impact = total(terms)
    event = None if any(amendment.clears_event for amendment in amendments) else draft.event_type
    confidence = draft.confidence_score + sum(amendment.confidence for amendment in amendments)
    final = replace(
        draft,
        impact_score=impact,
        confidence_score=round(min(0.95, max(0.05, confidence)), 2),
        event_type=event,
        tickers_linked=_scaled(draft, impact),
        rationale=rationale(terms, note(reading, draft.impact_score)),
        arithmetic=terms,
    )
    return Revision(tuple(amendment.fault for amendment in amendments), final)


def _matters(amendment: Amendment, draft: Assessment) -> bool:
    """Whether an amendment changes this draft: an agent outside its domain has nothing to take back."""
    if amendment.clears_event and draft.event_type is not None:
        return True
    if amendment.ceiling is not None and not amendment.amount:
        return draft.impact_score > amendment.ceiling
    return draft.impact_score >= _OUTSIDE


def _scaled(draft: Assessment, impact: float) -> tuple[TickerLink, ...]:
    factor = impact / draft.impact_score if draft.impact_score else 0.0
    return tuple(replace(link, impact_score=hundredth(link.impact_score * factor)) for link in draft.tickers_linked)
