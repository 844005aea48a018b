"""What a signal says in the terms of the labelled sets."""

from __future__ import annotations

from collections.abc import Sequence

from agents.models import LinkedTicker, Signal, Urgency
from tests.evaluation.corpus import Row


def solicitation(text: str) -> bool:
    low = text.lower()
    return any(
        mark in low
        for mark in ("law firm", "law office", "class action", " llp", "investors with losses", "lieff cabraser")
    )


def given_type(row: Row, signal: Signal) -> str:
    given = signal.synthesis
    if given is None:
        return "none"
    if row["event_type"] == "regulatory_action":
        legal = given.signal_type == "policy_change" or given.event_type in ("regulatory_action", "fraud")
        return "regulatory_action" if legal else given.signal_type
    if given.event_type in ("regulatory_action", "fraud"):
        return "regulatory_action"
    return {"guidance_change": "earnings"}.get(given.signal_type, given.signal_type)


def says(signal: Signal, wanted: str) -> bool:
    given = signal.synthesis
    return given is not None and wanted in (given.event_type, given.signal_type)


def closest(signal: Signal) -> str:
    given = signal.synthesis
    return "none" if given is None else str(given.event_type or given.signal_type)


def links(signal: Signal) -> Sequence[LinkedTicker]:
    return signal.synthesis.tickers_linked if signal.synthesis else ()


def tone_label(signal: Signal) -> str:
    tone = (signal.synthesis.tone or 0.0) if signal.synthesis else 0.0
    return "positive" if tone > 0.15 else "negative" if tone < -0.15 else "neutral"


def upward(before: Signal, after: Signal) -> bool:
    if before.synthesis is None or after.synthesis is None:
        return True
    order = list(Urgency)
    louder = order.index(after.urgency or Urgency.FYI) < order.index(before.urgency or Urgency.FYI)
    more = {link.symbol for link in links(after)} - {link.symbol for link in links(before)}
    event = after.synthesis.event_type not in (None, before.synthesis.event_type)
    return louder or bool(more) or event or after.synthesis.impact_score > before.synthesis.impact_score


def share(values: Sequence[bool]) -> float:
    return sum(values) / len(values)


def precision(counts: Sequence[tuple[int, int, int]]) -> float:
    hit, wrong = sum(c[0] for c in counts), sum(c[1] for c in counts)
    return hit / (hit + wrong) if hit else 0.0


def recall(counts: Sequence[tuple[int, int, int]]) -> float:
    hit, missed = sum(c[0] for c in counts), sum(c[2] for c in counts)
    return hit / (hit + missed) if hit else 0.0


def f_measure(counts: Sequence[tuple[int, int, int]]) -> float:
    hit, wrong, missed = (sum(c[place] for c in counts) for place in range(3))
    return 2 * hit / (2 * hit + wrong + missed) if hit else 0.0
