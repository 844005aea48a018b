"""How a number came about: who gave what, and the sum that makes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agents.models import LinkedTicker, Report, Signal, Synthesis
from agents.urgency import (
    ALERT_IMPACT,
    FLASH_IMPACT,
    MIN_AGENTS,
    NOTE_IMPACT,
    PROMOTION_IMPACT,
    apply_urgency_thresholds,
)
from app.ui.format import DIRECTION_ROLE, DIRECTION_SIGN, score, signed, words
from app.ui.line import Line, Role, Span, left, said
from app.ui.pages.page import GAP, AgentPlace, NumberName, Row, View, heading, labelled, paragraph
from app.ui.pages.parts import reports, rule_words
from storage.models import CardDetail

TITLES: dict[NumberName, str] = {
    "urgency": "How loud",
    "impact": "Impact",
    "confidence": "Confidence",
    "agreement": "Agreement",
    "novelty": "Novelty",
    "tone": "Tone",
}
LADDER = (
    f"FLASH  impact from {FLASH_IMPACT:.2f} and a flash event tagged by any agent",
    f"FLASH  impact from {PROMOTION_IMPACT:.2f} and a flash event tagged by PolicyRadar or MacroMind",
    f"ALERT  impact from {ALERT_IMPACT:.2f}",
    f"NOTE   impact from {NOTE_IMPACT:.2f}",
    "FYI    below",
    f"Fewer than {MIN_AGENTS} of 5 agents: degraded, and one step quieter.",
)


def number_page(detail: CardDetail, name: NumberName, view: View) -> Iterator[Row]:
    """One number of the signal, explained."""
    yield Row((Span(TITLES[name], "title"),))
    yield GAP
    signal = detail.signal
    if signal is None or signal.synthesis is None:
        yield Row((Span("there is no score yet", "muted"),))
        return
    yield from _PAGES[name](detail, signal, signal.synthesis, view)


def _column(heard: list[Report], value: Callable[[Report], Line]) -> Iterator[Row]:
    for report in heard:
        yield Row((Span(left(report.agent, 16), "text"), *value(report)), opens=AgentPlace(report.agent))


def _urgency(detail: CardDetail, signal: Signal, synthesis: Synthesis, view: View) -> Iterator[Row]:
    yield from paragraph(rule_words(apply_urgency_thresholds(synthesis, signal.outcomes).rule), view, "strong")
    yield GAP
    yield heading("flash events tagged")
    heard = reports(signal.outcomes)
    yield from _column(heard, lambda one: (_tagged(one), Span(f"  impact {score(one.final.impact_score)}", "muted")))
    yield GAP
    yield heading("the rule")
    for line in LADDER:
        yield from paragraph(line, view, "muted")


def _tagged(report: Report) -> Span:
    event = report.final.event_type
    return Span(left(words(event), 22), "strong") if event else Span(left("none", 22), "muted")


def _impact(detail: CardDetail, signal: Signal, synthesis: Synthesis, view: View) -> Iterator[Row]:
    yield from paragraph(
        "The highest final impact among the agents: a miss costs more than a false alarm.", view, "muted"
    )
    yield GAP
    top = synthesis.impact_score

    def value(one: Report) -> Line:
        own = one.final.impact_score
        return (
            Span(score(own), "strong" if own == top else "soft"),
            Span("  ← the maximum" if own == top else "", "muted"),
        )

    yield from _column(reports(signal.outcomes), value)
    yield _result("impact", score(top))


def _confidence(detail: CardDetail, signal: Signal, synthesis: Synthesis, view: View) -> Iterator[Row]:
    yield from paragraph(
        "The mean of the agents' counted confidence: one certain agent does not remove the others' doubt.",
        view,
        "muted",
    )
    yield GAP
    heard = reports(signal.outcomes)
    yield from _column(heard, lambda one: (Span(score(one.confidence_score), "soft"),))
    total = sum(one.confidence_score for one in heard)
    yield _result("mean", score(synthesis.confidence_score), f"{total:.2f} ÷ {len(heard)}")


def _agreement(detail: CardDetail, signal: Signal, synthesis: Synthesis, view: View) -> Iterator[Row]:
    yield from paragraph("1 − (highest − lowest final impact). It is shown and changes nothing.", view, "muted")
    yield GAP
    heard = reports(signal.outcomes)
    yield from _column(heard, lambda one: (Span(score(one.final.impact_score), "soft"),))
    finals = [one.final.impact_score for one in heard]
    yield _result("agreement", score(synthesis.agreement), f"1 − ({score(max(finals))} − {score(min(finals))})")


def _novelty(detail: CardDetail, signal: Signal, synthesis: Synthesis, view: View) -> Iterator[Row]:
    told = "1 for the first report of an event, halved by each repeat within 24 hours, back up with a new fact."
    yield from paragraph(told, view, "muted")
    yield GAP
    yield labelled("reports", Span(str(len(detail.members)), "soft"), opens="overview")
    yield _result("novelty", score(signal.novelty))


def _tone(detail: CardDetail, signal: Signal, synthesis: Synthesis, view: View) -> Iterator[Row]:
    yield from paragraph(
        "The mean of the tones given, weighted by confidence; positive is good for the named company.", view, "muted"
    )
    yield GAP

    def value(one: Report) -> Line:
        tone = one.final.tone
        return (
            Span("no view" if tone is None else signed(tone), "muted" if tone is None else "soft"),
            Span(f"  × {score(one.confidence_score)}", "muted"),
        )

    yield from _column(reports(signal.outcomes), value)
    yield _result("tone", "no view" if synthesis.tone is None else signed(synthesis.tone))


def _result(label: str, value: str, formula: str = "") -> Row:
    return Row((Span(left(label, 16), "muted"), Span(value, "title"), Span(f"  {formula}" if formula else "", "muted")))


_PAGES: dict[NumberName, Callable[[CardDetail, Signal, Synthesis, View], Iterator[Row]]] = {
    "urgency": _urgency,
    "impact": _impact,
    "confidence": _confidence,
    "agreement": _agreement,
    "novelty": _novelty,
    "tone": _tone,
}


def ticker_page(detail: CardDetail, symbol: str, view: View) -> Iterator[Row]:
    """One ticker: what each agent gave, weighted by its confidence."""
    yield Row((Span(said(symbol, limit=20), "symbol"), Span("  impact on this ticker", "muted")))
    yield GAP
    linked = _linked(detail, symbol)
    if detail.signal is None or linked is None:
        yield Row((Span("this ticker is no longer linked", "muted"),))
        return
    yield heading("agent           impact   weight  link     why")
    weighted = weights = 0.0
    for report in reports(detail.signal.outcomes):
        for link in report.final.tickers_linked:
            if link.symbol != symbol:
                continue
            weighted += link.impact_score * report.confidence_score
            weights += report.confidence_score
            sign: Role = DIRECTION_ROLE[link.direction]
            line = (
                Span(left(report.agent, 16), "text"),
                Span(f"{DIRECTION_SIGN[link.direction]} ", sign),
                Span(f"{score(link.impact_score)} × ", "soft"),
                Span(f"{score(report.confidence_score)}    ", "muted"),
                Span(left(link.link_type, 8), "soft"),
            )
            yield Row((*line, Span(" " + said(link.reason, limit=200), "muted")), opens=AgentPlace(report.agent))
    formula = (
        f"{weighted:.3f} ÷ {weights:.2f}, the mean weighted by confidence"
        if weights
        else "plain mean: all weights are 0"
    )
    yield _result(f"{DIRECTION_SIGN[linked.direction]} {linked.link_type}", score(linked.impact_score), formula)
    yield GAP
    yield from paragraph(said(linked.reason, limit=600), view, "soft")


def _linked(detail: CardDetail, symbol: str) -> LinkedTicker | None:
    if detail.signal is None or detail.signal.synthesis is None:
        return None
    return next((one for one in detail.signal.synthesis.tickers_linked if one.symbol == symbol), None)
