"""Short spellings of items, links and reports for the tables of these tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from agents.models import (
    Abstention,
    AbstentionCause,
    AgentName,
    Assessment,
    Critique,
    Direction,
    Evidence,
    FlashEvent,
    LinkType,
    Report,
    SignalType,
    TickerLink,
)
from feeds.models import Item, Published, Tier

NOW = datetime(2026, 3, 10, 18, 30, tzinfo=UTC)


def an_item(title: str = "Nvidia opens a plant", summary: str = "", *, tickers: Sequence[str] = ()) -> Item:
    """An item of a newsroom, published and first seen at `NOW`."""
    return Item(
        id="i1",
        source_id="wire",
        source_name="Wire",
        tier=Tier.NEWSROOM,
        title=title,
        summary=summary,
        url="https://wire.example/1",
        published=Published(NOW, "second", None),
        first_seen_at=NOW,
        story_id="i1",
        tickers=tuple(tickers),
    )


def a_link(
    symbol: str,
    impact: float = 0.5,
    link_type: LinkType = "direct",
    direction: Direction = "up",
    reason: str = "named",
) -> TickerLink:
    return TickerLink(symbol, impact, link_type, direction, reason)


def an_assessment(
    impact: float = 0.5,
    confidence: float = 0.8,
    *,
    signal_type: SignalType = "routine_news",
    event: FlashEvent | None = None,
    links: Sequence[TickerLink] = (),
    tone: float | None = None,
) -> Assessment:
    return Assessment(impact, confidence, signal_type, event, tuple(links), "because", tone)


def a_report(
    agent: AgentName = "SignalScope",
    impact: float = 0.5,
    confidence: float = 0.8,
    *,
    reported: float | None = None,
    signal_type: SignalType = "routine_news",
    event: FlashEvent | None = None,
    links: Sequence[TickerLink] = (),
    tone: float | None = None,
    draft: Assessment | None = None,
    evidence: Sequence[Evidence] = (),
) -> Report:
    """A report whose counted confidence is `confidence` and whose reported one is `reported` (default: the same)."""
    final = an_assessment(
        impact,
        confidence if reported is None else reported,
        signal_type=signal_type,
        event=event,
        links=links,
        tone=tone,
    )
    return Report(agent, draft or final, Critique(), final, confidence, tuple(evidence), "rules")


def an_abstention(agent: AgentName, cause: AbstentionCause = "timeout") -> Abstention:
    return Abstention(agent, cause, "as told", "rules")
