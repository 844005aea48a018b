"""From what a record says to evidence: code ranks it, times it and counts syndicated copies once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from agents.investigation.dates.timing import foretold, timing, timing_of_effect
from agents.investigation.models import Anchor, AssetKind, Collector, Evidence, Rank, Record
from agents.investigation.readings import company as company_reading
from agents.investigation.readings.causes import Reading
from agents.investigation.readings.ranks import rank_of
from feeds.documents.text import clean
from feeds.stories.likeness import is_copy
from feeds.stories.story import Sketch, sketch

_ANY: Final = datetime(1970, 1, 1, tzinfo=UTC)
CLAIM_LIMIT: Final = 300
"""Longest claim in characters."""


def weigh(reading: Reading, anchor: Anchor, kind: AssetKind, collector: Collector, round_: int) -> Evidence:
    """The evidence of one reading. An official record that states when its act took effect is timed by that."""
    record = reading.record
    rank = rank_of(record, own_act=reading.own_act, indirect=reading.indirect)
    if kind != "currency" and rank == "C" and company_reading.commentary(record.text):
        rank = "D"
    effective = record.effective if rank == "A" else None
    when = timing_of_effect(effective, anchor, kind) if effective else None
    if when is None or (when == "lead" and foretold(record, anchor)):
        effective, when = None, timing(record.published_at, record.precision, anchor)
    return Evidence(
        hypothesis=reading.hypothesis,
        cause_type=reading.cause_type,
        topic=reading.topic,
        rank=rank,
        timing=when,
        supports=reading.supports,
        claim=clean(record.title, limit=CLAIM_LIMIT),
        source=record.source,
        source_url=record.url,
        published_at=record.published_at,
        effective_at=record.effective.at if record.effective else None,
        precision=record.precision,
        time_kind="effective" if effective else record.time_kind,
        collector=collector,
        round=round_,
        record=record.id,
        why=reading.why,
        outlet=record.source,
        act=reading.act,
        linked=reading.linked,
    )


def without_copies(records: Iterable[Record]) -> tuple[tuple[Record, int], ...]:
    """Each text once, in its earliest publication, with how many further outlets carried it. Undated ones come last."""
    ordered = sorted(records, key=lambda one: (one.published_at is None, one.published_at or _ANY, one.id))
    kept: list[tuple[Record, int]] = []
    sketches: list[Sketch] = []
    holding: dict[tuple[str, int], list[int]] = {}
    for record in ordered:
        mine = sketch(record.id, record.id, record.title, record.summary, record.source, record.published_at or _ANY)
        keys = [("text", one) for one in mine.shingles] + [("heading", mine.heading)] * bool(mine.heading)
        near = sorted({place for key in keys for place in holding.get(key, ())})
        copied = next((n for n in near if is_copy(mine, sketches[n], mine.terms.names & sketches[n].terms.names)), None)
        if copied is not None:
            kept[copied] = (kept[copied][0], kept[copied][1] + 1)
            continue
        for key in keys:
            holding.setdefault(key, []).append(len(kept))
        sketches.append(mine)
        kept.append((record, 0))
    return tuple(kept)


def with_copies(evidence: Evidence, copies: int) -> Evidence:
    """The evidence with the number of syndicated copies of its text."""
    return replace(evidence, copies=copies) if copies else evidence


def strongest(evidence: Sequence[Evidence]) -> Rank | None:
    """The best rank that supports, None where nothing does."""
    return min((one.rank for one in evidence if one.supports), default=None)
