"""What prices show of a move, as records of ours for an engine that reads, and how far its conclusions go.

An observation is a measurement by code. It fits a cause or speaks against it and states none, so its evidence is rank B
in the bar of the onset. Whose causes it may fit is decided by the decomposition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from agents.investigation.models import Anchor, Case, Collector, Decomposition, Evidence, Gathered, Record
from agents.investigation.moves.currencies import pair
from agents.investigation.readings.causes import Reading, Refused
from agents.investigation.readings.known import Known

ROLE: Final[Collector] = "MarketStructure"
FITS: Final = 0.5
"""From this part of the move on, it fits a cause of the company or currency whose part it is."""
AGAINST: Final = 0.2
"""Below this part the move is not the company's or the currency's own, which speaks against its causes."""


def observed(gathered: Gathered, anchor: Anchor) -> tuple[Record, ...]:
    """What code measured, a record each: the lines of the decomposition, its sum, and the shape of the move."""
    split = gathered.decomposition
    told = [one.claim for one in gathered.evidence]
    if split is not None:
        parts = (("market", split.market_pct), ("sector", split.sector_pct), ("currency", split.currency_pct))
        known = [f"{name} {value:+.2f}%" for name, value in parts if value is not None]
        told += [*split.basis, f"of {split.total_pct:+.2f}%: {', '.join(known)}, left over {split.residual_pct:+.2f}%"]
    return tuple(
        Record(
            id=f"prices:{number}",
            title=line,
            summary="",
            url="",
            source="prices",
            published_at=anchor.onset_at,
            precision="hour" if anchor.precision_s > 60 else "minute",
            time_kind="observation",
        )
        for number, line in enumerate(dict.fromkeys(told), start=1)
    )


def concluded(
    readings: Iterable[Reading | Refused], case: Case, split: Decomposition | None, known: Mapping[str, Known]
) -> tuple[tuple[Reading, ...], tuple[Refused, ...]]:
    """(the readings that the decomposition bears out, one for each hypothesis; what does not count)."""
    kept: dict[str, Reading] = {}
    refused: list[Refused] = []
    for reading in readings:
        if isinstance(reading, Refused):
            refused.append(reading)
        elif reading.hypothesis not in kept:
            share = _share(known.get(reading.hypothesis), case, split)
            if share is None or (share < FITS if reading.supports else share >= AGAINST):
                effect = "support" if reading.supports else "refute"
                refused.append(Refused(f"prices do not {effect} {reading.hypothesis}"))
            else:
                kept[reading.hypothesis] = reading
    return tuple(kept.values()), tuple(refused)


def evidence_of(reading: Reading, known: Known, anchor: Anchor, round_: int) -> Evidence:
    """Evidence of market data: rank B, in the bar of the onset."""
    record = reading.record
    return Evidence(
        hypothesis=known.key,
        cause_type=known.cause_type,
        topic=known.title,
        rank="B",
        timing="overlap",
        supports=reading.supports,
        claim=record.title,
        source=record.source,
        source_url="",
        published_at=anchor.onset_at,
        effective_at=None,
        precision=record.precision,
        time_kind="observation",
        collector=ROLE,
        round=round_,
        record=record.id,
        why=reading.why,
        outlet=record.source,
        act=False,
    )


def _share(hypothesis: Known | None, case: Case, split: Decomposition | None) -> float | None:
    """Which part of the move is that of the hypothesis' own company or currency; None where prices cannot tell."""
    if hypothesis is None or split is None or not split.total_pct:
        return None
    if case.kind != "currency":
        return split.residual_pct / split.total_pct
    of_pair = pair(case.symbol)
    if of_pair is None or hypothesis.actor is None:
        return None
    parts = {of_pair.base.code: split.market_pct, of_pair.quote.code: split.currency_pct}
    part = parts.get(hypothesis.actor.code)
    return None if part is None else part / split.total_pct
