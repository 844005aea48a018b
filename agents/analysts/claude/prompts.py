"""What an agent is told: instructions that never change, first, and the item and its evidence, as data, last.

The instructions are the Markdown files of `agents/prompts`, the shared part first, so that a service that caches
prefixes can. Nothing from outside ever stands in them. What comes from outside is one JSON document between two marks,
in which "<" is written as an escape: no text in it can close the marks. It holds no time of ours, so that the same item
with the same evidence is the same request.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import Any, Final

from agents.analysts.claude.validate import AssessmentReply, RevisionReply, wire_schema
from agents.analysts.protocol import Brief, Holding
from agents.budget import ANSWER_BYTES, DATA_BYTES
from agents.calls import Asker, Stage
from agents.models import AGENT_NAMES, Assessment, Evidence, EvidenceItem, ToolName
from feeds.models import Item

FILES: Final[Mapping[Asker, str]] = {
    "SignalScope": "signal_scope.md",
    "SentimentPulse": "sentiment_pulse.md",
    "MacroMind": "macro_mind.md",
    "SectorScan": "sector_scan.md",
    "PolicyRadar": "policy_radar.md",
}
TITLE_BYTES: Final = 600
SUMMARY_BYTES: Final = 2_400
FINDINGS: Final = 6
"""Findings of one evidence that are shown."""
FINDING_BYTES: Final = 320
WATCHED: Final = 8
"""Entries of the watchlist that are shown, those the item names first."""

ABOUT: Final[Mapping[ToolName, str]] = {
    "geo_events": "sanctions, conflict and macro events",
    "rss_search": "earlier news in the reader's own feeds",
    "web_search": "the web",
    "reddit_sentiment": "posts on Reddit",
    "stocktwits_ratio": "bulls and bears on Stocktwits",
    "youtube_sentiment": "videos and comments on YouTube",
    "policy_rates": "policy rates of central banks",
    "cpi": "consumer prices",
    "fx_rates": "exchange rates",
    "oil_gold": "oil and gold prices",
    "sector_peers": "companies of the same industry",
    "supply_chain": "suppliers and customers named in filings",
    "regulatory_documents": "documents of rule makers",
    "central_bank_statements": "statements of central banks",
    "sec_enforcement": "enforcement of the SEC",
    "asic_enforcement": "enforcement of ASIC",
}
"""What each tool is asked about, in words for the model."""


@cache
def instructions(agent: Asker, stage: Stage) -> str:
    """What `agent` is told before it is given anything."""
    parts = ["shared.md", FILES[agent], *(["revise.md"] if stage == "revise" else [])]
    return "\n".join(prompt_text(part) for part in parts)


@cache
def prompt_text(name: str) -> str:
    """A file of `agents/prompts`."""
    return resources.files("agents").joinpath("prompts", name).read_text(encoding="utf-8")


@cache
def schema(stage: Stage) -> dict[str, Any]:
    """The JSON schema of the answer; nobody may change it."""
    return wire_schema(RevisionReply if stage == "revise" else AssessmentReply)


@cache
def version() -> str:
    """Names the instructions, schemas and tools in force; it differs whenever one of them does."""
    told = [instructions(agent, stage) for agent in AGENT_NAMES for stage in ("draft", "revise")]
    return sha256(json.dumps([told, schema("draft"), schema("revise"), ABOUT]).encode()).hexdigest()[:12]


def in_words(wanted: Mapping[str, Any]) -> str:
    """For servers that ignore a schema beside the request: the same schema as a part of the instructions."""
    shape = json.dumps(wanted, separators=(",", ":"))
    return f"# Your answer\n\nAnswer with one JSON object and nothing else. It must match this JSON schema:\n{shape}\n"


def tool_definitions(names: Iterable[ToolName]) -> list[dict[str, Any]]:
    """The agent's own tools, as it may put further questions to them."""
    asked = {
        "type": "object",
        "properties": {
            "words": {"type": "string", "description": "what to look for, at most 12 words"},
            "symbols": {"type": "array", "items": {"type": "string"}, "description": "tickers it is about, or none"},
        },
        "required": ["words", "symbols"],
        "additionalProperties": False,
    }
    return [
        {"name": name, "description": f"Asks {ABOUT[name]} a further question.", "input_schema": asked}
        for name in names
    ]


def material(brief: Brief) -> str:
    """The item, its evidence and the watchlist as delimited data of at most DATA_BYTES."""
    findings, size = FINDINGS, FINDING_BYTES
    while True:
        evidence = [_evidence(one, findings, size) for one in brief.evidence]
        told = delimited({"item": _item(brief.item), "evidence": evidence, "watchlist": _watchlist(brief)})
        if len(told.encode()) <= DATA_BYTES or (findings == 0 and size == 0):
            return told
        findings, size = (findings - 1, size) if findings > 1 else (findings, size // 2) if size > 40 else (0, 0)


def answer(evidence: Evidence) -> str:
    """One further answer of a tool as delimited data of at most ANSWER_BYTES."""
    for findings in range(FINDINGS, -1, -1):
        told = delimited(_evidence(evidence, findings, FINDING_BYTES))
        if len(told.encode()) <= ANSWER_BYTES:
            break
    return told


@cache
def search_instructions() -> str:
    """What is told before a search of the web."""
    return prompt_text("web_search.md")


def search_version() -> str:
    """Names the instructions of a search in force."""
    return sha256(search_instructions().encode()).hexdigest()[:12]


def search(words: str, day: date) -> str:
    """What the web is searched for. With the day in it the same search on the same day is the same request."""
    return delimited({"search_for": words, "today": day.isoformat()})


def own_draft(draft: Assessment) -> str:
    """The draft as the agent gave it, for its second reading. Its words may repeat the item's, so it is data too."""
    return "Your draft:\n" + delimited(
        {
            "impact_score": draft.impact_score,
            "confidence_score": draft.confidence_score,
            "signal_type": draft.signal_type,
            "event_type": draft.event_type or "none",
            "tone": draft.tone,
            "tickers_linked": [
                {
                    "symbol": link.symbol,
                    "impact_score": link.impact_score,
                    "link_type": link.link_type,
                    "direction": link.direction,
                    "reason": link.reason,
                }
                for link in draft.tickers_linked
            ],
            "rationale": draft.rationale,
        }
    )


def delimited(value: object) -> str:
    """`value` as JSON between the marks, which nothing in it can close."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f"<outside>\n{text}\n</outside>"


def _item(item: Item) -> dict[str, Any]:
    published = item.published
    when = published.at.strftime("%Y-%m-%d %H:%M UTC") if published.at else "unknown"
    return {
        "title": cut(item.title, TITLE_BYTES),
        "summary": cut(item.summary, SUMMARY_BYTES),
        "source": cut(item.source_name, 80),
        "source_tier": int(item.tier),
        "published": f"{when} ({published.doubt})" if published.doubt and published.at else when,
        "tickers_by_publisher": list(item.tickers[:12]),
        "change": item.change or "none",
    }


def _evidence(evidence: Evidence, findings: int, size: int) -> dict[str, Any]:
    told: dict[str, Any] = {"id": evidence.id, "status": evidence.status, "source": cut(evidence.source, 60)}
    if evidence.items and findings:
        told["findings"] = [_finding(one, size) for one in evidence.items[:findings]]
        if len(evidence.items) > findings:
            told["more"] = len(evidence.items) - findings
    elif evidence.detail:
        told["detail"] = cut(evidence.detail, 120)
    return told


def _finding(found: EvidenceItem, size: int) -> dict[str, Any]:
    told: dict[str, Any] = {"text": cut(found.text, size)}
    if found.source:
        told["source"] = cut(found.source, 60)
    if found.at is not None:
        told[found.time_kind] = found.at.strftime("%Y-%m-%d" if found.precision == "day" else "%Y-%m-%d %H:%M UTC")
    if found.values:
        told["values"] = {name: round(value, 6) for name, value in found.values[:12]}
    return told


def _watchlist(brief: Brief) -> list[dict[str, Any]]:
    """The watched companies that the item or the evidence touches. The rest of the list is nobody's business."""
    return [_holding(holding) for holding in _touched(brief)]


def _touched(brief: Brief) -> Sequence[Holding]:
    concerned = set(brief.concerned)
    touched = [
        holding
        for holding in brief.watchlist.values()
        if holding.symbol in concerned or concerned & {*holding.suppliers, *holding.customers}
    ]
    touched.sort(key=lambda holding: (holding.symbol not in concerned, not holding.holding, holding.symbol))
    return touched[:WATCHED]


def _holding(holding: Holding) -> dict[str, Any]:
    told: dict[str, Any] = {"symbol": holding.symbol, "held": holding.holding}
    if holding.suppliers:
        told["suppliers"] = list(holding.suppliers[:8])
    if holding.customers:
        told["customers"] = list(holding.customers[:8])
    return told


def cut(text: str, size: int) -> str:
    """`text` in at most `size` bytes, ending in an ellipsis where it was cut."""
    data = text.encode("utf-8", "replace")
    return text if len(data) <= size else data[: max(0, size - 3)].decode("utf-8", "ignore").rstrip() + "…"
