"""Invented sources, entries and signals that the storage tests are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zlib import crc32

from agents.calls import ModelCall, Usage
from agents.models import (
    AGENT_NAMES,
    Abstention,
    AgentName,
    Assessment,
    Critique,
    Evidence,
    EvidenceItem,
    Fault,
    FlashEvent,
    LinkedTicker,
    Outcome,
    Report,
    Signal,
    Synthesis,
    Term,
    TickerLink,
    Urgency,
)
from feeds.models import Entry, Published, Source, Tier, TimeDoubt

NOW = datetime(2026, 3, 10, 18, 30, tzinfo=UTC)
WIRE = Source("wire", "Harbour Wire", "https://wire.example/rss", Tier.NEWSROOM, 60)
GAZETTE = Source("gazette", "Gazette", "https://gazette.example/rss", Tier.OFFICIAL, 120)


def published(at: datetime | None = NOW, doubt: TimeDoubt | None = None) -> Published:
    """A publication time to the second, or one in doubt."""
    return Published(at, "second" if at else "unknown", doubt or (None if at else TimeDoubt.UNDATED))


def entry(title: str, *, guid: str = "", summary: str = "", at: datetime | None = NOW, outlet: str = "") -> Entry:
    """One entry; the guid is the title where none is given."""
    name = guid or title
    return Entry(name, f"https://wire.example/{crc32(name.encode())}", title, summary, published(at), outlet)


def assessment(
    impact: float = 0.5, *, event: FlashEvent | None = None, tickers: Sequence[str] = (), rationale: str = "as it reads"
) -> Assessment:
    """An assessment whose arithmetic sums to its impact."""
    links = tuple(TickerLink(symbol, impact, "direct", "down", "named in the title") for symbol in tickers)
    return Assessment(
        impact,
        0.7,
        "macro_event",
        event,
        links,
        rationale,
        tone=-0.25,
        arithmetic=(Term("base", impact), Term("", 0.0)),
    )


def evidence(tool_id: str = "rss_search#1") -> Evidence:
    """An answer with one finding."""
    found = EvidenceItem(
        "Mill stops work", "https://wire.example/1", "Harbour Wire", NOW - timedelta(hours=1), "second", "filed",
        (("share", 0.1),),
    )  # fmt: skip
    return Evidence(tool_id, "rss_search", "ok", "archive", NOW, "", (found,), "", '{"hits": 1}', 1.25)


def report(
    agent: AgentName, impact: float = 0.5, *, event: FlashEvent | None = None, tickers: Sequence[str] = ()
) -> Report:
    """A report that found one fault in its draft."""
    draft = assessment(impact, event=event, tickers=tickers)
    critique = Critique((Fault("rss_search#1", "an earlier item says so"),), (Fault("nowhere", "unfounded"),))
    return Report(agent, draft, critique, draft, 0.6, (evidence(),), "rules", dropped_tickers=("ZZZZ",), elapsed_ms=1.5)


def abstention(agent: AgentName) -> Abstention:
    """An agent that failed."""
    return Abstention(agent, "timeout", "no answer within 45 s", "rules", (evidence("web_search#1"),))


def model_call(item_id: str, agent: AgentName = "MacroMind") -> ModelCall:
    """A call that gave an answer."""
    return ModelCall(
        item_id=item_id,
        revision=0,
        agent=agent,
        stage="draft",
        model="claude-haiku-5-5",
        prompt_version="0123456789ab",
        fixed='{"system":"judge"}',
        messages='[{"role":"user","content":"Mill stops work — ストップ"}]',
        reply='{"type":"message"}',
        started_at=NOW,
        elapsed_ms=812.5,
        request_id="req_1",
        usage=Usage(1200, 300, 10, 20),
        cost_nano=271_450,
    )


def signal(
    item_id: str,
    urgency: Urgency | None = Urgency.NOTE,
    *,
    impact: float = 0.5,
    revision: int = 0,
    at: datetime = NOW + timedelta(seconds=1),
    tickers: Sequence[str] = ("NVDA",),
    event: FlashEvent | None = None,
) -> Signal:
    """A signal of five reports, or the unscored one of five abstentions where `urgency` is None."""
    if urgency is None:
        outcomes: tuple[Outcome, ...] = tuple(abstention(agent) for agent in AGENT_NAMES)
        return Signal(item_id, revision, outcomes, None, None, True, None, 1.0, "rules", at)
    outcomes = tuple(report(agent, impact, event=event, tickers=tickers) for agent in AGENT_NAMES)
    linked = tuple(LinkedTicker(one, impact, "direct", "down", "named", AGENT_NAMES) for one in tickers)
    summed = Synthesis(impact, 0.6, "macro_event", event, linked, 1.0, -0.25, 5)
    return Signal(item_id, revision, outcomes, summed, urgency, False, "hypothesis", 1.0, "rules", at, notes=("n",))


def later(one: Signal, **change: float) -> Signal:
    """The same signal, scored so much later."""
    return replace(one, scored_at=one.scored_at + timedelta(**change))
