"""Stage times: of the newest items alone, failures counted apart, and nothing timed that has no time."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from agents.models import Outcome, Report
from feeds.models import Published, TimeDoubt
from storage.calls import Calls
from storage.database import Database
from storage.items import Items
from storage.signals import Signals
from storage.stage_times import StageTimes, stage_times, taken
from tests.storage.samples import NOW, WIRE, abstention, entry, model_call, signal

COMPANIES = ("Velkor", "Amberline", "Queen Mab Foods", "Tessaly")


@pytest.mark.parametrize(
    ("durations", "p50", "p95"),
    [([7.0], 7.0, 7.0), ([3.0, 1.0, 2.0], 2.0, 3.0), ([float(n) for n in range(1, 101)], 50.0, 96.0)],
)
def test_percentiles_are_values_that_occurred(durations: list[float], p50: float, p95: float) -> None:
    found = taken(durations)
    assert (found.n, found.p50_ms, found.p95_ms, found.max_ms) == (len(durations), p50, p95, max(durations))


async def test_an_empty_history_has_no_times(database: Database) -> None:
    assert await stage_times(database) == StageTimes()


async def test_each_stage_is_timed_over_the_newest_items(database: Database) -> None:
    items, signals = Items(database), Signals(database)
    ids = []
    for number, company in enumerate(COMPANIES):
        at = NOW + timedelta(minutes=number)
        told = await items.ingest(WIRE, [entry(f"{company} names a new head", at=at - timedelta(seconds=5))], now=at)
        made = signal(told.new[0])
        first, *rest = (one for one in made.outcomes if isinstance(one, Report))
        slow = replace(first, elapsed_ms=100.0 * (number + 1), cost_usd=0.25)
        outcomes: tuple[Outcome, ...] = (slow, *rest[:-1], abstention(rest[-1].agent))
        await signals.save(replace(made, outcomes=outcomes, scored_at=at + timedelta(seconds=number + 1)), alert=None)
        ids.append(told.new[0])
    found = await stage_times(database, newest=2)
    assert found.items == 2
    assert (found.publishing.n, found.publishing.p50_ms) == (2, 5000.0)
    assert (found.scoring.p50_ms, found.scoring.max_ms) == (3000.0, 4000.0)
    slow_agent, silent = found.agents[0], found.agents[-1]
    assert (slow_agent.taken.p50_ms, slow_agent.taken.max_ms, slow_agent.cost_usd) == (300.0, 400.0, 0.5)
    assert (silent.taken.n, silent.abstained, silent.cost_usd) == (0, 2, None)
    assert {one.tool: one.statuses for one in found.tools}["rss_search"] == {"ok": 10}


async def test_a_time_that_is_in_doubt_is_not_timed(database: Database) -> None:
    items, signals = Items(database), Signals(database)
    doubtful = replace(entry("Velkor names a head"), published=Published(NOW, "second", TimeDoubt.ZONE_UNKNOWN))
    told = await items.ingest(WIRE, [doubtful], now=NOW)
    old = await items.ingest(WIRE, [entry("Amberline opens a plant")], now=NOW, backlog=True)
    for item_id in (*told.new, *old.new):
        await signals.save(signal(item_id), alert=None)
    found = await stage_times(database)
    assert (found.items, found.publishing.n, found.scoring.n) == (2, 0, 2)


async def test_calls_from_the_cache_cost_nothing_and_failures_are_counted(database: Database) -> None:
    items, calls = Items(database), Calls(database)
    [item_id] = (await items.ingest(WIRE, [entry("Velkor names a head")], now=NOW)).new
    await Signals(database).save(signal(item_id), alert=None)
    call = model_call(item_id)
    for one in (call, replace(call, cached=True), replace(call, cause="timeout", elapsed_ms=45_000.0)):
        await calls.keep(one)
    [draft] = (await stage_times(database)).calls
    assert (draft.model, draft.stage, draft.cached, draft.failed) == (call.model, "draft", 1, 1)
    assert (draft.taken.n, draft.taken.max_ms, draft.input_tokens) == (2, 45_000.0, 2 * call.usage.input_tokens)
    assert draft.cost_usd == pytest.approx(2 * (call.cost_nano or 0) / 1e9)
