"""Invented cards for the screen: a small day, and as many more as a test wants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from agents.models import (
    AGENT_NAMES,
    Abstention,
    AgentName,
    Assessment,
    Critique,
    Direction,
    Evidence,
    EvidenceItem,
    EvidenceStatus,
    Fault,
    FlashEvent,
    LinkType,
    Outcome,
    Report,
    Signal,
    SignalType,
    Term,
    TickerLink,
    ToolName,
    Urgency,
)
from agents.specialists import SPECIALISTS
from agents.synthesis_engine import synthesize
from agents.urgency import apply_urgency_thresholds, reading
from feeds.models import Change, Item, PollState, Published, Source, Tier, TimeDoubt
from storage.models import Card, CardDetail, CardTicker, PastScore, SourceRow, StoryMember

NOW = datetime(2026, 3, 10, 18, 2, 11, tzinfo=UTC)

Link = tuple[str, float, LinkType, Direction]


@dataclass(frozen=True, slots=True)
class Story:
    """What a sample card is made from. `ago_s` is its age in seconds at NOW."""

    title: str
    impact: float = 0.3
    confidence: float = 0.7
    kind: SignalType = "routine_news"
    event: FlashEvent | None = None
    links: Sequence[Link] = ()
    source: str = "Newsroom"
    tier: Tier = Tier.NEWSROOM
    outlets: int = 1
    ago_s: float = 60
    read: bool = False
    starred: bool = False
    change: Change = ""
    doubt: TimeDoubt | None = None
    abstain: int = 0
    summary: str = ""
    url: str = "https://news.example/story"
    scored: bool = True


DAY: tuple[Story, ...] = (
    Story(
        "US adds 14 chipmakers to the export-control list, effective today",
        0.91,
        0.84,
        "policy_change",
        "export_ban",
        (("NVDA", 0.88, "direct", "down"), ("AMD", 0.80, "direct", "down"), ("ASML", 0.55, "chain", "unclear")),
        "Federal Register",
        Tier.OFFICIAL,
        7,
        59,
        summary="The rule adds fourteen entities to the control list for advanced logic and memory. It takes effect on "
        "publication; licences already granted stay valid for 30 days.",
    ),
    Story(
        "Maersk lifts full-year guidance as Red Sea detours lengthen",
        0.74,
        0.71,
        "guidance_change",
        None,
        (("MAERSK-B", 0.74, "direct", "up"), ("ZIM", 0.52, "sector", "up")),
        "Company release",
        Tier.OFFICIAL,
        3,
        240,
    ),
    Story(
        "Report: buyout group in talks for German chemicals maker, no price given",
        0.71,
        0.45,
        "m_and_a",
        None,
        (("LXS", 0.69, "direct", "up"),),
        "Newsroom, unnamed sources",
        Tier.NEWSROOM,
        2,
        600,
        abstain=1,
        starred=True,
    ),
    Story(
        "ECB's chief economist sees services inflation easing into spring",
        0.58,
        0.77,
        "policy_change",
        None,
        (("EURUSD", 0.40, "macro", "unclear"),),
        "ECB speech",
        Tier.OFFICIAL,
        1,
        900,
        read=True,
    ),
    Story(
        "Strike notice at the port of Antwerp from Monday night",
        0.49,
        0.68,
        "supply_chain",
        None,
        (("UMI", 0.44, "chain", "down"),),
        "Newsroom",
        Tier.NEWSROOM,
        4,
        1260,
        doubt=TimeDoubt.ZONE_UNKNOWN,
    ),
    Story(
        "US weekly jobless claims 231k against 228k expected",
        0.45,
        0.86,
        "macro_event",
        None,
        (),
        "Labor Department",
        Tier.OFFICIAL,
        9,
        1920,
        read=True,
    ),
    Story(
        "日本銀行、政策金利を0.75%に据え置き 決定は全員一致",
        0.44,
        0.8,
        "policy_change",
        None,
        (("USDJPY", 0.41, "macro", "unclear"), ("8306.T", 0.40, "sector", "down")),
        "日本銀行",
        Tier.OFFICIAL,
        5,
        2500,
    ),
    Story(
        "Regulator fines broker over client money; firm corrects its earlier statement",
        0.62,
        0.6,
        "policy_change",
        None,
        (("HOOD", 0.6, "direct", "down"),),
        "Litigation release",
        Tier.OFFICIAL,
        1,
        2900,
        change="corrected",
        abstain=3,
    ),
    Story("Opinion: why index investors should care about share lending", 0.22, 0.85, source="Newsroom", ago_s=1980),
    Story(
        "Midsize software maker to report third-quarter results on 9 December",
        0.12,
        0.93,
        "earnings",
        source="Release",
        ago_s=2520,
        read=True,
        doubt=TimeDoubt.UNDATED,
    ),
    Story("5 dividend stocks to watch this week", 0.08, 0.9, links=(("KO", 0.05, "direct", "unclear"),), ago_s=4000),
    Story("Grain exporter opens second terminal at Constanța", 0.31, 0.5, "supply_chain", ago_s=30, scored=False),
)


def day(now: datetime = NOW) -> list[CardDetail]:
    """The small day, keys from 1."""
    return [card_detail(story, key, now) for key, story in enumerate(DAY, start=1)]


def many(number: int, now: datetime = NOW, first_key: int = 1_000) -> list[CardDetail]:
    """`number` plain cards, the first key the oldest."""
    grades = (0.2, 0.45, 0.5, 0.7)
    return [
        card_detail(
            Story(f"Plain story number {n}", grades[n % 4], 0.7, ago_s=(number - n) * 20 + 30),
            first_key + n,
            now,
            light=True,
        )
        for n in range(number)
    ]


def card_detail(story: Story, key: int, now: datetime = NOW, *, light: bool = False) -> CardDetail:
    """A card with everything that opens from it. `light` leaves the evidence out."""
    seen = now - timedelta(seconds=story.ago_s)
    at = None if story.doubt is TimeDoubt.UNDATED else seen - timedelta(seconds=28)
    published = Published(at, "unknown" if at is None else "second", story.doubt)
    item = Item(
        f"item-{key}",
        "sample",
        story.source,
        story.tier,
        story.title,
        story.summary,
        story.url,
        published,
        seen,
        f"item-{key}",
        change=story.change,
        revision=1 if story.change else 0,
    )
    outcomes = tuple(_outcome(name, story, seen, light=light) for name in AGENT_NAMES)
    signal = _signal(item, story, outcomes, seen + timedelta(seconds=8)) if story.scored else None
    return CardDetail(_card(key, item, story, signal), item, signal, _members(item, story), _history(story, seen))


def _signal(item: Item, story: Story, outcomes: tuple[Outcome, ...], scored_at: datetime) -> Signal:
    synthesis = synthesize(outcomes)
    decision = apply_urgency_thresholds(synthesis, outcomes) if synthesis else None
    return Signal(
        item.id,
        item.revision,
        outcomes,
        synthesis,
        decision.urgency if decision else None,
        decision.degraded if decision else False,
        reading(synthesis.impact_score, synthesis.confidence_score) if synthesis else None,
        1.0 if story.outlets == 1 else 0.5,
        "rules",
        scored_at,
    )


def _card(key: int, item: Item, story: Story, signal: Signal | None) -> Card:
    synthesis = signal.synthesis if signal else None
    doubted = item.published.at is None or item.published.doubt
    return Card(
        key,
        item.story_id,
        item.id,
        item.title,
        item.source_name,
        item.tier,
        item.url,
        item.first_seen_at if doubted or item.published.at is None else item.published.at,
        item.published,
        item.first_seen_at,
        signal.scored_at if signal else None,
        signal.urgency if signal else None,
        synthesis.impact_score if synthesis else None,
        synthesis.confidence_score if synthesis else None,
        synthesis.signal_type if synthesis else None,
        synthesis.event_type if synthesis else None,
        tuple(CardTicker(t.symbol, t.impact_score, t.link_type, t.direction) for t in synthesis.tickers_linked)
        if synthesis
        else (),
        story.outlets,
        synthesis.agents_ok if synthesis else 0,
        signal.degraded if signal else False,
        signal.novelty if signal else 1.0,
        story.change,
        story.read,
        story.starred,
    )


def _outcome(name: AgentName, story: Story, seen: datetime, *, light: bool) -> Outcome:
    place = AGENT_NAMES.index(name)
    evidence = (
        () if light else tuple(_evidence(tool, seen, index) for index, tool in enumerate(SPECIALISTS[place].tools))
    )
    if place > 0 and place <= story.abstain:
        return Abstention(name, "timeout", "no answer within 45 s", "rules", evidence, elapsed_ms=45_000)
    impact = max(round(story.impact - 0.06 * place, 2), 0.0)
    links = (
        tuple(
            TickerLink(
                symbol,
                max(round(score - 0.02 * place, 2), 0),
                kind,
                direction,
                f"{symbol} stands in the text of the notice",
            )
            for symbol, score, kind, direction in story.links
        )
        if place < 3
        else ()
    )
    final = Assessment(
        impact,
        min(story.confidence + 0.05, 1.0),
        story.kind,
        story.event if name in ("SignalScope", "PolicyRadar") else None,
        links,
        "The notice names the companies and takes effect at once." if place != 2 else "No bearing on rates or prices.",
        tone=-0.6 if place < 2 else None,
        arithmetic=(
            Term("what kind of event it is", round(impact - 0.05, 2)),
            Term("an official source", 0.10),
            Term("not yet confirmed elsewhere", -0.05),
        ),
    )
    draft = replace(final, impact_score=max(round(impact - 0.19, 2), 0)) if place == 0 else final
    faults = (
        (Fault("effective today", "The draft took the rule for a proposal, but the text says it is in force."),)
        if place == 0
        else ()
    )
    return Report(name, draft, Critique(faults), final, min(story.confidence, 1.0), evidence, "rules", elapsed_ms=2.4)


def _evidence(tool: ToolName, seen: datetime, index: int) -> Evidence:
    states: tuple[EvidenceStatus, ...] = ("ok", "empty", "unavailable", "not_configured")
    status = states[index % 4]
    told = {"unavailable": "429 too many requests, asked again at 14:07", "not_configured": "no key is set"}.get(
        status, ""
    )
    items = (
        (
            EvidenceItem(
                "Commerce department adds fourteen entities to the list",
                "https://register.example/rule",
                "Federal Register",
                seen - timedelta(minutes=4),
                "minute",
                "published",
            ),
            EvidenceItem(
                "Earlier rule on the same list",
                "",
                "Archive",
                seen - timedelta(days=40),
                "day",
                "effective",
                (("entities", 9.0),),
            ),
        )
        if status == "ok"
        else ()
    )
    raw = '{"results": [{"title": "Commerce department adds fourteen entities"}]}' if status == "ok" else ""
    return Evidence(
        f"{tool}#1", tool, status, f"{tool}.example", seen, f"https://{tool}.example/q", items, told, raw, 120.4
    )


def _members(item: Item, story: Story) -> tuple[StoryMember, ...]:
    names = (
        "Federal Register",
        "Wire",
        "Morning Paper",
        "Börsenblatt",
        "The Ledger",
        "Market Desk",
        "日経風新聞",
        "Daily",
        "Post",
    )
    return tuple(
        StoryMember(
            item.id if n == 0 else f"{item.id}-{n}",
            item.title,
            item.source_name if n == 0 else names[n % len(names)],
            "",
            story.tier if n == 0 else Tier.NEWSROOM,
            f"https://outlet{n}.example/story",
            Published(item.first_seen_at + timedelta(minutes=n), "minute", None),
            item.first_seen_at + timedelta(minutes=n),
            n == 2,
        )
        for n in range(story.outlets)
    )


def _history(story: Story, seen: datetime) -> tuple[PastScore, ...]:
    return (PastScore(0, seen - timedelta(hours=1), Urgency.NOTE, 0.51),) if story.change else ()


def sources(now: datetime = NOW) -> list[SourceRow]:
    """A few sources in every state."""
    ok = PollState("ok", next_check_at=now + timedelta(seconds=48), last_ok_at=now - timedelta(seconds=12))
    failing = PollState(
        "failing",
        next_check_at=now + timedelta(minutes=8),
        last_ok_at=now - timedelta(hours=3),
        failures=4,
        last_error="503 from the server, which asks to wait 8 minutes",
    )
    made = [
        ("fed-press", "Federal Reserve: press releases", Tier.OFFICIAL, replace(ok, status="unchanged"), 214),
        ("sec-press", "SEC: press releases", Tier.OFFICIAL, ok, 1_023),
        ("boj", "日本銀行: 新着情報", Tier.OFFICIAL, ok, 88),
        ("wire", "Market wire", Tier.NEWSROOM, failing, 4_310),
        ("crowd", "Crowd board", Tier.CROWD, PollState("new"), 0),
    ]
    return [
        SourceRow(Source(id, name, f"https://{id}.example/rss", tier), state, items, now if items else None)
        for id, name, tier, state, items in made
    ]
