from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime

import pytest
from pydantic import ValidationError

from agents.models import (
    Abstention,
    Assessment,
    Critique,
    Evidence,
    EvidenceItem,
    Fault,
    LinkedTicker,
    Report,
    Signal,
    Synthesis,
    Urgency,
)
from app.lines.contract import ItemInput, SignalLine, schema, signal_line
from feeds.models import Item, Published, Tier

SIGNAL_KEYS = {
    "id", "item", "urgency", "impact_score", "confidence_score", "signal_type", "event_type", "tickers_linked",
    "novelty", "agreement", "tone", "reading", "degraded", "agents_ok", "agents", "engine", "model", "cost_usd",
    "provisional", "notes", "published_at", "first_seen_at", "scored_at",
}  # fmt: skip
AGENT_KEYS = {
    "agent", "status", "cause", "draft_impact_score", "impact_score", "confidence_score", "reported_confidence",
    "event_type", "signal_type", "critique", "rationale", "evidence", "elapsed_ms",
}  # fmt: skip


def item(now: datetime) -> Item:
    return Item("i1", "s", "Wire", Tier.OFFICIAL, "Título", "", "https://a.example/", Published(), now, "i1")


def scored(now: datetime) -> Signal:
    draft = Assessment(0.9, 0.8, "policy_change", "export_ban", (), "draft", tone=-0.5)
    final = Assessment(0.8, 0.7, "policy_change", "export_ban", (), "0.80 = export ban 0.85, unconfirmed -0.05")
    evidence = Evidence("rss_search#1", "rss_search", "ok", "own items", now, items=(EvidenceItem("earlier", at=now),))
    report = Report(
        "PolicyRadar", draft, Critique((Fault("may", "hedged"),)), final, 0.6, (evidence,), "rules", elapsed_ms=1.23456
    )
    silent = Abstention("MacroMind", "timeout", "after 45 s", "rules")
    ticker = LinkedTicker("NVDA", 0.8, "direct", "down", "named", ("PolicyRadar",))
    total = Synthesis(0.8, 0.6, "policy_change", "export_ban", (ticker,), 1.0, -0.5, 1)
    return Signal("i1", 0, (report, silent), total, Urgency.ALERT, True, "hypothesis", 1.0, "rules", now)


def test_a_signal_is_told_in_the_words_of_the_contract(now: datetime) -> None:
    line = json.loads(signal_line(item(now), scored(now)).model_dump_json())
    assert set(line) == SIGNAL_KEYS
    assert all(set(agent) >= AGENT_KEYS for agent in line["agents"])
    assert (line["urgency"], line["impact_score"], line["published_at"]) == ("ALERT", 0.8, None)
    assert line["scored_at"] == "2026-03-10T18:30:00Z"
    assert line["item"]["title"] == "Título"
    policy, macro = line["agents"]
    assert (policy["draft_impact_score"], policy["impact_score"]) == (0.9, 0.8)
    assert (policy["confidence_score"], policy["reported_confidence"]) == (0.6, 0.7)
    assert policy["critique"] == [{"pointer": "may", "statement": "hedged"}]
    assert policy["evidence"][0]["items"][0]["text"] == "earlier"
    assert (macro["status"], macro["cause"], macro["impact_score"]) == ("abstained", "timeout", None)
    assert line["tickers_linked"][0] == {
        "symbol": "NVDA",
        "impact_score": 0.8,
        "link_type": "direct",
        "direction": "down",
        "reason": "named",
        "agents": ["PolicyRadar"],
    }


def test_scores_have_four_decimals_and_notes_are_told(now: datetime) -> None:
    signal = scored(now)
    assert signal.synthesis is not None
    total = replace(signal.synthesis, impact_score=0.1 + 0.2, tone=-1 / 3)
    line = json.loads(signal_line(item(now), replace(signal, synthesis=total, notes=("odd tag",))).model_dump_json())
    assert (line["impact_score"], line["tone"]) == (0.3, -0.3333)
    assert (line["notes"], line["provisional"]) == (["odd tag"], False)


def test_unscored_is_null_and_not_zero(now: datetime) -> None:
    silent = tuple(Abstention(agent, "error", "x", "rules") for agent in ("SignalScope", "MacroMind"))
    unscored = Signal("i1", 0, silent, None, None, True, None, 1.0, "rules", now)
    line = json.loads(signal_line(item(now), unscored).model_dump_json())
    for key in ("urgency", "impact_score", "confidence_score", "signal_type", "agreement", "tone", "reading"):
        assert line[key] is None
    assert line["agents_ok"] == 0


def test_what_is_printed_is_valid_by_its_own_model(now: datetime) -> None:
    text = signal_line(item(now), scored(now)).model_dump_json()
    assert SignalLine.model_validate_json(text).model_dump_json() == text


def test_the_schema_is_closed_and_names_every_key() -> None:
    found = schema()
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert found["additionalProperties"] is False
    assert set(found["required"]) == SIGNAL_KEYS  # type: ignore[call-overload]


@pytest.mark.parametrize("value", [float("nan"), 1.2, -0.1, "0.8", True])
def test_no_line_can_carry_a_score_that_is_none(now: datetime, value: object) -> None:
    line = json.loads(signal_line(item(now), scored(now)).model_dump_json())
    line["impact_score"] = value
    with pytest.raises(ValidationError):
        SignalLine.model_validate(line, strict=True)


@pytest.mark.parametrize(
    "line",
    [
        {},
        {"title": ""},
        {"title": 5},
        {"title": "x", "summary": []},
        {"title": "x", "published_at": True},
        {"title": "x", "published_at": float("inf")},
        {"title": "x", "tickers": "NVDA"},
        {"title": "x", "tickers": [1]},
        {"title": "x", "id": 1.5},
    ],
)
def test_wrong_types_of_an_input_line_are_refused(line: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ItemInput.model_validate(line)


def test_an_input_line_needs_a_title_alone_and_may_hold_more() -> None:
    read = ItemInput.model_validate({"title": "x", "id": 7, "published_at": 1.5, "other": {}})
    assert (read.title, read.id, read.summary) == ("x", 7, None)
