"""How the evidence sources are doing: kept as last seen, and what an earlier run knew stays."""

from __future__ import annotations

from datetime import timedelta

from agents.tools.asking.health import SourceState
from storage.database import Database
from storage.evidence_sources import EvidenceSources, evidence_sources, still_resting
from tests.storage.samples import NOW

MINUTE = timedelta(minutes=1)
RESTING = SourceState(
    "bis", "BIS", "resting", "none needed", "asks for fewer requests (429)", 300.0, 4, 81.5, NOW, 3, 20,
    "asks for fewer requests (429)", NOW, 0.25,
)  # fmt: skip


async def test_a_state_is_kept_with_its_limit_last_error_and_clock(database: Database) -> None:
    await EvidenceSources(database).keep([RESTING], NOW)
    (kept,) = await evidence_sources(database)
    assert (kept.used, kept.most, kept.last_error, kept.last_error_at, kept.skew_s) == (
        3, 20, "asks for fewer requests (429)", NOW, 0.25,
    )  # fmt: skip
    assert (kept.next_try_at, kept.latency_ms, kept.last_ok_at) == (NOW + 5 * MINUTE, 81.5, NOW)


async def test_a_run_that_has_not_asked_yet_forgets_nothing_an_earlier_one_knew(database: Database) -> None:
    sources = EvidenceSources(database)
    await sources.keep([RESTING], NOW)
    await sources.keep([SourceState("bis", "BIS", "not asked yet", "none needed")], NOW + MINUTE)
    (kept,) = await evidence_sources(database)
    assert (kept.standing, kept.reason, kept.next_try_at, kept.seen_at) == ("not asked yet", "", None, NOW + MINUTE)
    assert (kept.latency_ms, kept.last_ok_at, kept.skew_s, kept.used) == (81.5, NOW, 0.25, 3)
    assert kept.last_error == "asks for fewer requests (429)"


async def test_what_was_to_be_left_alone_is_left_alone_by_the_next_run(database: Database) -> None:
    answering = SourceState("ecb", "ECB", "answering", "none needed")
    await EvidenceSources(database).keep([RESTING, answering], NOW)
    assert await still_resting(database, NOW + MINUTE) == {"bis": (240.0, "asks for fewer requests (429)")}
    assert await still_resting(database, NOW + 5 * MINUTE) == {}
