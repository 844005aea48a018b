"""Short spellings of bars, records and moves for the tables of these tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from agents.investigation.models import (
    Anchor,
    AssetKind,
    Case,
    CauseType,
    Direction,
    Effective,
    Evidence,
    Rank,
    Record,
    Sighted,
    Timing,
)
from agents.investigation.moves.series import Series
from agents.investigation.state import State
from agents.prices import Bar
from feeds.models import Precision, TimeKind

ONSET = datetime(2024, 5, 14, 6, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
NOW = datetime(2024, 5, 15, 12, 0, tzinfo=UTC)


def at(text: str) -> datetime:
    """A UTC time from "14 06:30" (day and time of May 2024) or an ISO text."""
    if len(text) == 8:
        return datetime.fromisoformat(f"2024-05-{text[:2]}T{text[3:]}:00+00:00")
    return datetime.fromisoformat(text).replace(tzinfo=UTC) if "+" not in text else datetime.fromisoformat(text)


def an_anchor(direction: Direction = "down", *, daily: bool = False, symbol: str = "USDJPY") -> Anchor:
    """An hourly move at `ONSET` with the lead window that belongs to it."""
    return Anchor(symbol, ONSET, ONSET + HOUR, ONSET - 2 * HOUR, 3600, -2.0, 2.4, 30.0, direction, True, 72, daily)


def a_case(symbol: str = "USDJPY", kind: AssetKind = "currency", when: datetime | None = ONSET) -> Case:
    return Case("c1", symbol, kind, f"What moved {symbol}?", NOW, when)


def bars(count: int = 80, *, onset: int = 60, size: float = 0.02, width: timedelta = HOUR) -> tuple[Bar, ...]:
    """Quiet bars with one fall of `size` (a part of the price) in the bar `onset`, which begins at `ONSET`."""
    found, price = [], 150.0
    for place in range(count):
        opened = price
        step = (0.0003 + 0.0001 * (place % 3)) * (1 if place % 2 else -1)
        price = opened * (1 - size) if place == onset else opened * (1 + step)
        high, low = max(opened, price) * 1.0002, min(opened, price) * 0.9998
        found.append(Bar(ONSET + (place - onset) * width, opened, high, low, price))
    return tuple(found)


def a_series(given: Sequence[Bar] | None = None, *, symbol: str = "USDJPY", width: timedelta = HOUR) -> Series:
    return Series(symbol, tuple(given or bars()), width, "prices.csv")


def a_sighting(direction: Direction = "down", given: Sequence[Bar] | None = None) -> Sighted:
    return Sighted(an_anchor(direction), tuple(given or bars()), 3600.0, "prices.csv", 1)


def a_state(direction: Direction = "down") -> State:
    return State(a_case(), a_sighting(direction))


def a_record(
    title: str,
    summary: str = "",
    *,
    source: str = "Reuters",
    url: str = "https://www.reuters.com/markets/1",
    when: str | None = "14 06:30",
    precision: Precision = "minute",
    effective: str | None = None,
    key: str = "",
    tickers: Sequence[str] = (),
) -> Record:
    return Record(
        id=key or title,
        title=title,
        summary=summary,
        url=url,
        source=source,
        published_at=at(when) if when else None,
        precision=precision if when else "unknown",
        effective=Effective(at(effective), "day") if effective else None,
        tickers=tuple(tickers),
    )


def an_evidence(
    rank: Rank = "C",
    timing: Timing = "overlap",
    *,
    supports: bool = True,
    hypothesis: str = "policy_change/boj",
    cause: CauseType = "policy_change",
    when: str | None = "14 06:30",
    kind: TimeKind = "published",
    record: str = "r1",
    claim: str = "Bank changes course",
    act: bool = True,
    outlet: str = "Reuters",
    linked: bool = False,
    precision: Precision = "minute",
) -> Evidence:
    return Evidence(
        hypothesis=hypothesis,
        cause_type=cause,
        topic="Bank of Japan: monetary policy",
        rank=rank,
        timing=timing,
        supports=supports,
        claim=claim,
        source=outlet,
        source_url="",
        published_at=at(when) if when else None,
        effective_at=None,
        precision=precision,
        time_kind=kind,
        collector="Narrative",
        round=1,
        record=record,
        outlet=outlet,
        act=act,
        linked=linked,
    )
