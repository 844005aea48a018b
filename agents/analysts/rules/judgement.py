"""What the five domains share: from a sheet to an assessment, links to companies, and the critique of a draft.

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
from agents.analysts.rules.evidence_terms import evidence_terms
from agents.analysts.rules.reading import Happening, Reading
from agents.analysts.rules.traits import Trait
from agents.models import Assessment, Direction, Fault, FlashEvent, LinkType, SignalType, TickerLink
from feeds.models import Tier
from feeds.symbols.table import Mention

CEILINGS: dict[Trait, tuple[str, float]] = {
    "solicitation": ("law-firm solicitation", 0.22),
    "calendar": ("announces a date only", 0.28),
    "anniversary": ("looks back", 0.36),
    "routine": ("routine notice", 0.38),
}
"""Kinds of items that stay below the feed's fold whatever they mention."""


_BUYS: Final = re.compile(
    r"\W+(?:\w+ ){0,3}?(?:(?:to|will|may|could|would|near|nears|plans to|agrees to) (?:buy|acquire|merge)|buys|"
    r"bought|acquir\w+|clinch\w*|snaps? up|raises bid|takes? (?:\S+ ){0,3}stake|invests)\b"
)
"""After the name of a company that buys: its own shares move less than those of what it buys."""
_DEEP: Final = 160
"""Characters after which a name beside others is only one of a list."""
_MARKED: Final = ("cashtag", "exchange", "symbol", "watchlist")
_ONLY_PREVIEW: Final = re.compile(
    r"preview|what to (?:expect|watch|know)|week ?ahead|to watch|eyes on|countdown to", re.I
)
"""Previews that report nothing else."""
_CERTAIN: Final = 3.0
"""Log-odds beyond which words add no more."""
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
    for label, amount in evidence_terms(reading, brief.evidence):
        sheet.add(label, amount)


def assessment(view: View, reading: Reading) -> Assessment:
    """The view as an assessment; the terms sum exactly to the score."""
    terms = view.sheet.closed()
    return Assessment(
        impact_score=total(terms),
        confidence_score=round(min(0.95, max(0.05, view.confidence)), 2),
        signal_type=view.signal,
        event_type=view.event,
        tickers_linked=view.links,
        rationale=rationale(terms, note(reading)),
        tone=reading.tone if reading.of_business else None,
        arithmetic=terms,
    )


def reads_like(reading: Reading, weight: float) -> tuple[str, float]:
    """A term for how much the words are those of price news, which moves shares, and not of products or people."""
    odds = -_CERTAIN if "question" in reading.traits else max(-_CERTAIN, min(_CERTAIN, reading.model.prices))
    return "worded like price news" if odds > 0 else "worded like product or people news", weight * odds


def note(reading: Reading) -> str:
    """Why the item counts as its kind of news, in words."""
    rule = reading.kind(reading.signal_type)
    words = [f'"{rule.quote[:40]}"'] if rule else [f'"{word}"' for word in reading.model.words]
    if not words or reading.event is not None or reading.signal_type == "routine_news":
        return ""
    return f"Read as {reading.signal_type.replace('_', ' ')} by {', '.join(words)}"


def direction(reading: Reading, event: FlashEvent | None = None) -> Direction:
    """Where the item pushes a named company."""
    if event is not None and event in (
        "bankruptcy",
        "fraud",
        "regulatory_action",
        "trading_halt",
        "sanctions",
        "export_ban",
    ):
        return "down"
    value = reading.tone + 0.3 * reading.surprise
    return "up" if value > 0.15 else "down" if value < -0.15 else "unclear"


def direct_links(reading: Reading, impact: float, event: FlashEvent | None = None) -> tuple[TickerLink, ...]:
    """The companies the text names; one that is only named in passing, or in a round-up, is linked weakly."""
    links = []
    towards = direction(reading, event)
    for mention in reading.mentions:
        if mention.quoted or _far(reading, mention):
            continue
        weak = not mention.about or "round-up" in reading.traits
        buyer = not weak and _BUYS.match(reading.text, mention.end) is not None
        role = ", beside another name" if mention.beside else ", named in passing" if not mention.about else ""
        links.append(
            TickerLink(
                mention.symbol,
                _hundredth(impact * (0.6 if weak else 0.75 if buyer else 1.0)),
                "chain" if mention.beside else "direct",
                towards if not weak else "unclear",
                f"{mention.reason}{', the buyer' if buyer else role}",
            )
        )
    return tuple(links)


def _far(reading: Reading, mention: Mention) -> bool:
    """Whether a name stands so deep in a text about others that it tells nothing of this company."""
    if mention.about or mention.start < _DEEP or mention.symbol in reading.watched:
        return False
    return mention.how not in _MARKED and len(reading.mentions) > 1


def further_links(
    symbols: Sequence[str], kind: LinkType, impact: float, towards: Direction, reason: str
) -> tuple[TickerLink, ...]:
    """Links to companies the text does not name."""
    return tuple(TickerLink(symbol, _hundredth(impact), kind, towards, reason) for symbol in symbols)


def faults_of_item(reading: Reading, happening: Happening | None, *, tagged: bool) -> list[Amendment]:
    """Faults the item's own words show: not yet, unconfirmed, denied, opinion, looking back, a date only."""
    found: list[Amendment] = []
    seen = reading.traits
    for trait, (label, ceiling) in CEILINGS.items():
        if trait in seen and not (trait == "routine" and happening is not None and happening.now):
            found.append(_of_trait(seen[trait], label, ceiling=ceiling, clears=True))
    if happening is not None and not happening.now and happening.doubt and not found:
        statement = f'"{happening.doubt}": the {happening.label} is not reported as happening now'
        found.append(Amendment(Fault(happening.doubt, statement), "not happening now", -0.16, None, True, -0.05))
    if "denied" in seen:
        found.append(_of_trait(seen["denied"], "denied", amount=-0.12, clears=True))
    if "opinion" in seen:
        ceiling = 0.5 if reading.move else 0.38
        found.append(_of_trait(seen["opinion"], "comment or analysis", amount=-0.12, ceiling=ceiling, clears=True))
    elif "question" in seen:
        found.append(_of_trait(seen["question"], "asks, does not report", amount=-0.18, ceiling=0.38, clears=True))
    if "market wrap" in seen:
        found.append(_of_trait(seen["market wrap"], "markets react to it", ceiling=0.6, clears=True))
    if "unconfirmed" in seen and not (happening is not None and not happening.now):
        found.append(_of_trait(seen["unconfirmed"], "unconfirmed", amount=-0.08, confidence=-0.12))
    if "preview" in seen and not tagged:
        only = _ONLY_PREVIEW.fullmatch(seen["preview"]) is not None
        found.append(_of_trait(seen["preview"], "preview", amount=-0.1, ceiling=0.38 if only else None))
    if "round-up" in seen:
        found.append(_of_trait(seen["round-up"], "round-up", amount=-0.1, clears=True))
    if "correction" in seen:
        found.append(_of_trait(seen["correction"], "correction", amount=-0.02, confidence=-0.1))
    return found


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
            sheet.cap(amendment.label, amendment.ceiling)
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
        rationale=rationale(terms, note(reading)),
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
    return tuple(replace(link, impact_score=_hundredth(link.impact_score * factor)) for link in draft.tickers_linked)


def _hundredth(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 2)
