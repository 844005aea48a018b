"""The first page of a card: what happened, when, how loud and why, who says so, whom it touches."""

from __future__ import annotations

from collections.abc import Iterator

from agents.models import Signal, Synthesis
from agents.urgency import ReadingThresholds, apply_urgency_thresholds
from app.ui.format import (
    DOUBT_WORD,
    TIER_WORD,
    URGENCY_ROLE,
    bar,
    count,
    impact_role,
    moment,
    published,
    score,
    signed,
    span_of,
    words,
)
from app.ui.line import Span, fit, left, right, said, width
from app.ui.pages.page import (
    GAP,
    INDENT,
    LABEL_CELLS,
    MemberPlace,
    NumberName,
    NumberPlace,
    Row,
    TickerPlace,
    View,
    heading,
    labelled,
    listed,
    paragraph,
    wrapped,
)
from app.ui.pages.parts import agent_head, agent_reason, agent_row, reports, rule_words, tally, ticker_row
from app.ui.pages.prices import price_rows
from storage.models import CardDetail, StoryMember

SHOWN_TICKERS = 8
FIGURE = 5
"""Cells of a number, its sign included."""
SHOWN_MEMBERS = 12
_FROM = ReadingThresholds()
READING_WORDS = {
    reading: f"impact {'from' if loud else 'below'} {_FROM.impact:.2f}, confidence {'from' if sure else 'below'}"
    f" {_FROM.confidence:.2f}"
    for reading, loud, sure in (
        ("act by your rules", True, True),
        ("hypothesis", True, False),
        ("known noise", False, True),
        ("ignore", False, False),
    )
}
"""What a reading says of impact and confidence. Its steps are not those of the urgency, and so they are named."""


def overview(detail: CardDetail, view: View) -> Iterator[Row]:
    """The whole page."""
    yield from _head(detail, view)
    yield GAP
    yield from _clocks(detail, view)
    yield GAP
    signal = detail.signal
    if signal is None or signal.synthesis is None:
        yield from _unscored(signal, view)
    else:
        yield from _verdict(signal, signal.synthesis, view)
    if signal is not None:
        yield from _agents(signal, view)
    if signal is not None and signal.synthesis is not None:
        yield from _tickers(signal.synthesis, view)
        yield from price_rows(detail.prices, view)
        yield from _evidence(signal, view)
    yield from _story(detail, view)
    yield from _history(detail, view)


def _head(detail: CardDetail, view: View) -> Iterator[Row]:
    item = detail.item
    link = item.url
    for row in paragraph(said(item.title) or "(no title)", view, "title"):
        yield Row(row.line, link=link)
    others = detail.card.outlets - 1
    by = said(item.source_name) + (f" for {said(item.outlet)}" if item.outlet else "")
    more = f" and {count(others, 'more outlet')}" if others > 0 else ""
    yield from paragraph(f"{by} · {TIER_WORD[item.tier]}{more}", view, "muted")
    if item.change:
        said_in_words = (
            "corrected since it was first read" if item.change == "corrected" else "withdrawn by its publisher"
        )
        yield Row((Span(said_in_words, "warn"), Span(f" · revision {item.revision}", "muted")))
    if detail.note:
        yield GAP
        yield from wrapped("note", said(detail.note), view, "note")
    if item.summary:
        yield GAP
        yield from paragraph(said(item.summary), view, "soft", limit=4)


def _clocks(detail: CardDetail, view: View) -> Iterator[Row]:
    item = detail.item
    doubt = (Span(f"  {DOUBT_WORD[item.published.doubt]}", "warn"),) if item.published.doubt else ()
    yield labelled("published", Span(published(item.published, view.now, view.zone)), *doubt, link=item.url)
    late = ""
    if item.published.at is not None and not item.published.doubt and item.published.precision in ("second", "minute"):
        late = f"  {span_of((item.first_seen_at - item.published.at).total_seconds())} later"
    backlog = "  already in the feed when it was first read" if item.backlog else late
    yield labelled("first seen", Span(moment(item.first_seen_at, view.now, view.zone)), Span(backlog, "muted"))
    if detail.signal is not None:
        took = (detail.signal.scored_at - item.first_seen_at).total_seconds()
        scored = moment(detail.signal.scored_at, view.now, view.zone)
        yield labelled("scored", Span(scored), Span(f"  {span_of(took)} later", "muted"))


def _unscored(signal: Signal | None, view: View) -> Iterator[Row]:
    if signal is None:
        yield Row((Span("scoring… ", "strong"), Span("the five agents are at work", "muted")))
        return
    yield Row((Span("unscored ", "strong"), Span("no agent could judge it; this is not a low score", "muted")))
    for note in signal.notes:
        yield from paragraph(said(note), view, "soft", indent=INDENT)


def _verdict(signal: Signal, synthesis: Synthesis, view: View) -> Iterator[Row]:
    decision = apply_urgency_thresholds(synthesis, signal.outcomes)
    if signal.urgency is not None:
        role = "badge" if signal.urgency == "FLASH" else URGENCY_ROLE[signal.urgency]
        word = f" {signal.urgency.value} " if signal.urgency == "FLASH" else signal.urgency.value
        kind = words(synthesis.event_type or synthesis.signal_type)
        yield Row((Span(word, role), Span(f"  {kind}", "strong")), opens=NumberPlace("urgency"))
    yield from paragraph(rule_words(decision.rule), view, "muted")
    if signal.degraded:
        yield Row((Span(f"degraded: only {synthesis.agents_ok} of 5 agents succeeded, one step quieter", "warn"),))
    if signal.provisional:
        yield Row((Span("provisional ", "text"), Span("by the rules, until the final score is in", "muted")))
    if signal.reading is not None:
        read = Span(signal.reading, "good" if signal.reading == "act by your rules" else "text")
        told = Span(READING_WORDS[signal.reading], "muted")
        yield from listed([read, told], view, start=(Span("reads as ", "muted"),))
    yield GAP
    yield from _numbers(signal, synthesis)
    for note in signal.notes:
        yield from paragraph(said(note), view, "muted")


def _numbers(signal: Signal, synthesis: Synthesis) -> Iterator[Row]:
    heard = reports(signal.outcomes)
    of = {5: "five"}.get(len(heard), str(len(heard)))
    top = max(heard, key=lambda report: report.final.impact_score).agent if heard else ""
    role = impact_role(synthesis.impact_score)
    yield labelled(
        "impact",
        Span(right(score(synthesis.impact_score), FIGURE) + " ", role),
        *bar(synthesis.impact_score, 12, role),
        Span(f"  max of {of}: {top}", "muted"),
        opens=NumberPlace("impact"),
    )
    yield labelled(
        "confidence",
        Span(right(score(synthesis.confidence_score), FIGURE) + " ", "strong"),
        *bar(synthesis.confidence_score, 12, "soft"),
        Span(f"  mean of {of}", "muted"),
        opens=NumberPlace("confidence"),
    )
    spread = (
        "the agents agree" if synthesis.agreement >= 0.75 else "the agents differ" if synthesis.agreement < 0.5 else ""
    )
    yield _number("agreement", score(synthesis.agreement), spread)
    fresh = "first report of this event" if signal.novelty >= 1.0 else "reported before"
    yield _number("novelty", score(signal.novelty), fresh)
    if synthesis.tone is not None:
        yield _number("tone", signed(synthesis.tone), _feel(synthesis.tone, named=bool(synthesis.tickers_linked)))


def _feel(tone: float, *, named: bool) -> str:
    """What a tone means, in words; without a company it speaks of the words alone."""
    if abs(tone) <= 0.1:
        return "neutral"
    whom = "for the named company" if named else "as it is worded"
    return f"{'good' if tone > 0 else 'bad'} {whom}"


def _number(name: NumberName, value: str, told: str) -> Row:
    return labelled(name, Span(right(value, FIGURE)), Span(f"  {told}", "muted"), opens=NumberPlace(name))


def _agents(signal: Signal, view: View) -> Iterator[Row]:
    yield GAP
    yield agent_head(view)
    for outcome in signal.outcomes:
        yield agent_row(outcome, view)
        if reason := agent_reason(outcome):
            yield from paragraph(reason, view, "muted", indent=INDENT, limit=1)


def _tickers(synthesis: Synthesis, view: View) -> Iterator[Row]:
    if not synthesis.tickers_linked:
        return
    yield GAP
    yield heading("tickers", Span("  weighted by confidence", "faint"))
    for ticker in synthesis.tickers_linked[:SHOWN_TICKERS]:
        yield ticker_row(ticker, view, TickerPlace(ticker.symbol))
    if (hidden := len(synthesis.tickers_linked) - SHOWN_TICKERS) > 0:
        yield Row((Span(f"{hidden} more", "muted"),), opens="tickers")


def _evidence(signal: Signal, view: View) -> Iterator[Row]:
    evidence = [one for outcome in signal.outcomes for one in outcome.evidence]
    if not evidence:
        return
    yield GAP
    start = (Span(f"evidence {len(evidence)}  ", "muted"),)
    for row in listed(tally(evidence), view, start=start):
        yield Row(row.line, opens="evidence")


def _story(detail: CardDetail, view: View) -> Iterator[Row]:
    if len(detail.members) < 2:
        return
    yield GAP
    outlets = count(detail.card.outlets, "independent outlet")
    yield heading("story", Span(f"  {count(len(detail.members), 'report')}, {outlets}", "faint"))
    for member in detail.members[:SHOWN_MEMBERS]:
        yield member_row(member, view, detail.item.title)
    if (hidden := len(detail.members) - SHOWN_MEMBERS) > 0:
        yield Row((Span(f"and {hidden} more", "muted"),))


def member_row(member: StoryMember, view: View, headline: str) -> Row:
    """Who reported it when, and under which title where that is another; a syndicated copy says so."""
    at = member.published.at if member.published.at and not member.published.doubt else member.first_seen_at
    told = "copy" if member.syndicated else TIER_WORD[member.tier]
    line = (
        Span(left(moment(at, view.now, view.zone, "minute"), LABEL_CELLS), "muted"),
        Span(left(said(member.outlet or member.source_name), 24), "soft"),
        Span(left(told, 12), "muted"),
    )
    title = "" if member.title == headline else fit(said(member.title), max(view.cells - width(line), 0))
    return Row((*line, Span(title, "muted")), opens=MemberPlace(member.item_id), link=member.url)


def _history(detail: CardDetail, view: View) -> Iterator[Row]:
    if not detail.history:
        return
    yield GAP
    yield heading("earlier scores")
    for past in detail.history:
        told = "unscored" if past.impact_score is None else f"{score(past.impact_score)} {past.urgency or ''}"
        yield labelled(
            f"revision {past.revision}", Span(told), Span(f"  {moment(past.scored_at, view.now, view.zone)}", "muted")
        )


def member_page(member: StoryMember, view: View) -> Iterator[Row]:
    """One item of the story."""
    for row in paragraph(said(member.title) or "(no title)", view, "title"):
        yield Row(row.line, link=member.url)
    by = said(member.source_name) + (f" for {said(member.outlet)}" if member.outlet else "")
    yield from paragraph(f"{by} · {TIER_WORD[member.tier]}", view, "muted")
    yield GAP
    doubt = (Span(f"  {DOUBT_WORD[member.published.doubt]}", "warn"),) if member.published.doubt else ()
    yield labelled("published", Span(published(member.published, view.now, view.zone)), *doubt)
    yield labelled("first seen", Span(moment(member.first_seen_at, view.now, view.zone)))
    if member.syndicated:
        yield labelled("counts as", Span("a copy of another outlet's report; not counted as an outlet", "soft"))
    yield from wrapped("link", said(member.url) or "none", view, "soft" if member.url else "muted")
