"""Signals: everything typed comes back exactly, one transaction, repeats change nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.models import (
    AGENT_NAMES,
    FLASH_EVENTS,
    LINK_TYPES,
    SIGNAL_TYPES,
    Abstention,
    AbstentionCause,
    AgentName,
    Assessment,
    Critique,
    Direction,
    Evidence,
    EvidenceItem,
    EvidenceStatus,
    Fault,
    LinkedTicker,
    Outcome,
    Reading,
    Report,
    Synthesis,
    Term,
    TickerLink,
    ToolName,
    Urgency,
)
from feeds.models import Precision, TimeKind
from storage.alerts import AlertDraft
from storage.cards import CardReader
from storage.database import Database
from storage.encoding import RANK
from storage.errors import UnknownItem
from storage.items import Items
from storage.migrate import builtin_migrations
from storage.models import CardFilter, PastScore
from storage.reports import EVIDENCE_OF, REPORTS_OF, outcomes_of, write_outcomes
from storage.signals import Signals
from tests.storage.samples import NOW, WIRE, entry, later, report, signal

MILL = entry("Nordia Steel halts its mill in Orlow")
SUIT = entry("Velkor sues Amberline over patents")
DRAFT = AlertDraft("FLASH: export_ban, impact 0.91", NOW)


@pytest.fixture
def items(database: Database) -> Items:
    return Items(database)


@pytest.fixture
def signals(database: Database) -> Signals:
    return Signals(database, max_attempts=3, back_off=timedelta(seconds=30))


@pytest.fixture
async def item_id(items: Items) -> str:
    return (await items.ingest(WIRE, [MILL], now=NOW)).new[0]


texts = st.text(st.characters(codec="utf-8"), max_size=12)
scores = st.floats(0, 1)
numbers = st.floats(allow_nan=False)
times = st.datetimes(timezones=st.just(UTC))
links = st.sampled_from(LINK_TYPES)
directions = st.sampled_from(get_args(Direction))
assessments = st.builds(
    Assessment,
    scores,
    scores,
    st.sampled_from(SIGNAL_TYPES),
    st.none() | st.sampled_from(FLASH_EVENTS),
    st.lists(st.builds(TickerLink, texts, scores, links, directions, texts), max_size=2).map(tuple),
    texts,
    st.none() | st.floats(-1, 1),
    st.lists(st.builds(Term, texts, numbers), max_size=2).map(tuple),
)
findings = st.builds(
    EvidenceItem,
    texts,
    texts,
    texts,
    st.none() | times,
    st.sampled_from(get_args(Precision)),
    st.sampled_from(get_args(TimeKind)),
    st.lists(st.tuples(texts, numbers), max_size=2).map(tuple),
)
evidences = st.lists(
    st.builds(
        Evidence,
        texts,
        st.sampled_from(get_args(ToolName)),
        st.sampled_from(get_args(EvidenceStatus)),
        texts,
        times,
        texts,
        st.lists(findings, max_size=2).map(tuple),
        texts,
        texts,
        numbers,
    ),
    max_size=2,
).map(tuple)
faults = st.lists(st.builds(Fault, texts, texts), max_size=2).map(tuple)


SCHEMA = [
    statement
    for step in builtin_migrations()
    for statement in step.statements
    if any(f"TABLE {table} " in statement for table in ("report", "evidence"))
]


def outcomes(agent: AgentName) -> st.SearchStrategy[Outcome]:
    engine, model, money = st.sampled_from(["rules", "claude"]), st.none() | texts, st.none() | numbers
    kept = st.builds(
        Report,
        st.just(agent),
        assessments,
        st.builds(Critique, faults, faults),
        assessments,
        scores,
        evidences,
        engine,
        model,
        st.lists(texts, max_size=2).map(tuple),
        numbers,
        money,
        st.lists(texts, max_size=2).map(tuple),
    )
    cause = st.sampled_from(get_args(AbstentionCause))
    lost = st.builds(Abstention, st.just(agent), cause, texts, engine, evidences, model, numbers, money)
    return kept | lost


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.tuples(*(outcomes(agent) for agent in AGENT_NAMES)))
def test_every_outcome_comes_back_exactly(tmp_path: Path, given_outcomes: tuple[Outcome, ...]) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in SCHEMA:
            connection.execute(statement)
        write_outcomes(connection, [(1, 0, given_outcomes)])
        reports = connection.execute(REPORTS_OF, (1, 0)).fetchall()
        assert outcomes_of(reports, connection.execute(EVIDENCE_OF, (1, 0)).fetchall()) == given_outcomes


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"degraded": True, "reading": None, "novelty": 0.1 + 0.2, "notes": ("a", "ü\n", "")},
        {"engine": "claude", "model": "claude-haiku-5-5", "cost_usd": 0.1 + 0.7},
        {"scored_at": datetime.max.replace(tzinfo=UTC), "reading": get_args(Reading)[0]},
        {
            "synthesis": Synthesis(
                1 / 3, 2 / 3, "earnings", None, (LinkedTicker("BRK.B", 0.1, "chain", "unclear", "", ()),), 0.0, None, 1
            )
        },
    ],
    ids=lambda change: ",".join(change) or "plain",
)
async def test_a_signal_comes_back_exactly(
    signals: Signals, item_id: str, path: Path, change: dict[str, object]
) -> None:
    one = replace(signal(item_id), **change)  # type: ignore[arg-type]
    saved = await signals.save(one, alert=None)
    assert await signals.load(item_id, 0) == one
    with CardReader(path) as reader:
        detail = reader.detail(saved.card_key)
        assert detail is not None
        assert detail.signal == one


async def test_an_unscored_signal_comes_back_exactly(signals: Signals, item_id: str) -> None:
    one = signal(item_id, None)
    await signals.save(one, alert=None)
    assert await signals.load(item_id, 0) == one
    assert await signals.load(item_id, 1) is None
    assert await signals.load("nothing", 0) is None


async def test_outcomes_are_kept_as_they_land_and_abstentions_are_tried_again(signals: Signals, item_id: str) -> None:
    landed, lost = report(AGENT_NAMES[3]), signal(item_id, None).outcomes[0]
    await signals.save_outcome(item_id, 0, landed)
    await signals.save_outcome(item_id, 0, lost)
    assert await signals.outcomes(item_id, 0) == {AGENT_NAMES[3]: landed}
    better = replace(landed, confidence_score=0.9)
    await signals.save_outcome(item_id, 0, better)
    assert await signals.outcomes(item_id, 0) == {AGENT_NAMES[3]: better}
    assert await signals.outcomes(item_id, 1) == {}


async def test_the_same_signal_again_changes_nothing(signals: Signals, item_id: str, path: Path) -> None:
    one = signal(item_id, Urgency.FLASH)
    first = await signals.save(one, alert=DRAFT)
    assert (first.state, first.alert_key) == ("scored", f"{item_id}:FLASH")
    with closing(sqlite3.connect(path)) as connection:
        before = connection.execute("PRAGMA data_version").fetchone()
        again = await signals.save(one, alert=DRAFT)
        assert (again.card_key, again.state, again.alert_key) == (first.card_key, "scored", None)
        assert connection.execute("PRAGMA data_version").fetchone() == before


async def test_a_new_score_keeps_the_old_one_in_the_history(signals: Signals, item_id: str, path: Path) -> None:
    await signals.save(signal(item_id, Urgency.ALERT, impact=0.7), alert=None)
    second = later(signal(item_id, Urgency.NOTE, impact=0.4), minutes=1)
    key = (await signals.save(second, alert=None)).card_key
    with CardReader(path) as reader:
        detail = reader.detail(key)
        assert detail is not None
        assert detail.signal == second
        assert detail.card.urgency is Urgency.NOTE
        assert detail.history == (PastScore(0, NOW + timedelta(seconds=1), Urgency.ALERT, 0.7),)


async def test_a_score_of_a_new_revision_takes_the_place_of_the_old_one(
    signals: Signals, items: Items, item_id: str, path: Path
) -> None:
    await signals.save(signal(item_id, Urgency.FLASH, impact=0.9), alert=None)
    await items.ingest(WIRE, [replace(MILL, title="CORRECTED: Nordia Steel halts two mills in Orlow")], now=NOW)
    one = later(signal(item_id, Urgency.FYI, impact=0.1, revision=1), minutes=1)
    saved = await signals.save(one, alert=None)
    assert saved.state == "scored"
    with CardReader(path) as reader:
        detail = reader.detail(saved.card_key)
        assert detail is not None
        assert (detail.card.urgency, detail.signal) == (Urgency.FYI, one)
        assert [(past.revision, past.urgency) for past in detail.history] == [(0, Urgency.FLASH)]


async def test_a_signal_of_the_text_before_an_edit_goes_to_the_history_alone(
    signals: Signals, items: Items, item_id: str, path: Path
) -> None:
    await items.ingest(WIRE, [replace(MILL, title="CORRECTED: Nordia Steel halts two mills in Orlow")], now=NOW)
    saved = await signals.save(signal(item_id, Urgency.FLASH), alert=DRAFT)
    assert (saved.state, saved.alert_key) == ("pending", None)
    with CardReader(path) as reader:
        assert reader.cards([saved.card_key])[0].urgency is None
        assert reader.alerts_unacknowledged() == []
    assert await items.pending(9, now=NOW) == [item_id]


async def test_without_a_score_an_item_is_tried_again_with_back_off_and_then_given_up(
    signals: Signals, items: Items, item_id: str
) -> None:
    states, waits = [], []
    at = NOW
    for _ in range(3):
        states.append((await signals.save(replace(signal(item_id, None), scored_at=at), alert=None)).state)
        due = [wait for wait in (0, 29, 30, 59, 60, 120) if await items.pending(9, now=at + timedelta(seconds=wait))]
        waits.append(due[0] if due else None)
        at += timedelta(minutes=5)
    assert states == ["pending", "pending", "unscored"]
    assert waits == [30, 60, None]
    assert (await items.work([item_id])) == []


async def test_an_attempt_that_gave_no_signal_counts_as_well(signals: Signals, items: Items, item_id: str) -> None:
    assert [await signals.failed(item_id, 0, now=NOW) for _ in range(4)] == [
        "pending",
        "pending",
        "unscored",
        "unscored",
    ]
    assert await items.pending(9, now=NOW + timedelta(days=9)) == []


async def test_a_failure_after_the_score_or_of_older_text_changes_nothing(
    signals: Signals, items: Items, item_id: str
) -> None:
    await signals.save(signal(item_id), alert=None)
    assert await signals.failed(item_id, 0, now=NOW) == "scored"
    await items.ingest(WIRE, [replace(MILL, title="CORRECTED: Nordia Steel halts two mills in Orlow")], now=NOW)
    assert await signals.failed(item_id, 0, now=NOW) == "pending"
    assert (await items.work([item_id]))[0].attempts == 0


async def test_a_failed_score_never_replaces_a_score(signals: Signals, item_id: str) -> None:
    one = signal(item_id)
    await signals.save(one, alert=None)
    saved = await signals.save(later(signal(item_id, None), minutes=1), alert=None)
    assert saved.state == "scored"
    assert await signals.load(item_id, 0) == one


async def test_a_score_of_the_same_moment_as_a_failed_attempt_counts(signals: Signals, item_id: str) -> None:
    states = [
        (await signals.save(signal(item_id, urgency), alert=None)).state for urgency in (None, None, Urgency.NOTE)
    ]
    assert states == ["pending", "pending", "scored"]


async def test_an_edit_gives_an_item_that_was_given_up_its_attempts_back(
    signals: Signals, items: Items, item_id: str
) -> None:
    for _ in range(3):
        await signals.failed(item_id, 0, now=NOW)
    await items.ingest(WIRE, [replace(MILL, title="CORRECTED: Nordia Steel halts two mills in Orlow")], now=NOW)
    assert [work.attempts for work in await items.work([item_id])] == [0]


async def test_tickers_that_a_new_score_does_not_name_lead_nowhere(signals: Signals, item_id: str, path: Path) -> None:
    await signals.save(signal(item_id, tickers=["NVDA", "AMD"]), alert=None)
    await signals.save(later(signal(item_id, tickers=["AMD", "ASML"]), minutes=1), alert=None)
    with CardReader(path) as reader:
        found = {
            symbol: len(reader.order(CardFilter(tickers=frozenset({symbol}))))
            + len(reader.order(CardFilter(text=symbol)))
            for symbol in ("NVDA", "AMD", "ASML")
        }
    assert found == {"NVDA": 0, "AMD": 2, "ASML": 2}


@pytest.mark.parametrize("revision", [0, 3])
async def test_what_nobody_accepted_cannot_be_scored(signals: Signals, item_id: str, revision: int) -> None:
    with pytest.raises(UnknownItem):
        await signals.save(signal(item_id if revision else "nothing", revision=revision), alert=None)


def test_every_urgency_has_a_rank_and_louder_is_higher() -> None:
    ranks = [RANK[urgency] for urgency in Urgency]
    assert ranks == [3, 2, 1, 0]


async def test_a_provisional_score_shows_while_its_item_waits_and_leaves_no_trace(
    database: Database, path: Path
) -> None:
    signals, items = Signals(database), Items(database)
    (item_id,) = (await items.ingest(WIRE, [entry("Mill stops work")], now=NOW)).new
    first = replace(signal(item_id, Urgency.FLASH, impact=0.9), provisional=True)
    assert (await signals.save(first, alert=None)).state == "pending"
    assert await items.pending(10, now=NOW) == [item_id]
    with CardReader(path) as reader:
        (card,) = reader.cards(reader.order(CardFilter()))
        assert (card.provisional, card.urgency, card.impact_score) == (True, Urgency.FLASH, 0.9)
        unscored = replace(signal(item_id, None), scored_at=NOW + timedelta(seconds=5))
        assert (await signals.save(unscored, alert=None)).state == "pending", "a failed attempt is counted"
        assert await items.pending(10, now=NOW) == [], "and the next one comes later"
        final = later(signal(item_id, Urgency.NOTE), seconds=9)
        assert (await signals.save(final, alert=None)).state == "scored"
        again = later(first, seconds=12)
        assert (await signals.save(again, alert=None)).state == "scored"
        detail = reader.detail(card.key)
    assert detail is not None
    assert (detail.card.provisional, detail.card.urgency, detail.history) == (False, Urgency.NOTE, ())
    assert await signals.load(item_id, 0) == final
