"""Filters that look inside a card: who reported it, what kind of event it is, which agent decided its score."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from agents.models import AgentName, Assessment, FlashEvent, Report, Signal, Urgency
from storage.cards import CardReader
from storage.database import Database
from storage.items import Items
from storage.models import CardFilter
from storage.signals import Signals
from tests.storage.samples import GAZETTE, NOW, WIRE, entry, signal


def decided_by(agent: AgentName, item_id: str, event: FlashEvent | None) -> Signal:
    """A signal whose highest impact is that of one agent, reached in its revision."""
    made = signal(item_id, Urgency.NOTE, impact=0.55, event=event)

    def outcome(report: Report) -> Report:
        low = replace(report.draft, impact_score=0.2)
        final: Assessment = replace(low, impact_score=0.55) if report.agent == agent else low
        return replace(report, draft=low, final=final)

    reports = tuple(outcome(one) for one in made.outcomes if isinstance(one, Report))
    return replace(made, outcomes=reports)


@pytest.fixture
async def cards(database: Database) -> dict[str, int]:
    """The keys of two cards, by the company they tell of."""
    items, signals = Items(database), Signals(database)
    one = await items.ingest(WIRE, [entry("Velkor is charged with fraud")], now=NOW)
    two = await items.ingest(GAZETTE, [entry("Amberline names a head of research")], now=NOW + timedelta(minutes=9))
    await signals.save(decided_by("PolicyRadar", one.new[0], "fraud"), alert=None)
    await signals.save(decided_by("SectorScan", two.new[0], None), alert=None)
    return {"velkor": one.cards[0], "amberline": two.cards[0]}


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        (CardFilter(sources=frozenset({WIRE.name})), {"velkor"}),
        (CardFilter(sources=frozenset({WIRE.name, GAZETTE.name})), {"velkor", "amberline"}),
        (CardFilter(kinds=frozenset({"fraud"})), {"velkor"}),
        (CardFilter(kinds=frozenset({"macro_event"})), {"amberline"}),
        (CardFilter(agents=frozenset({"PolicyRadar"})), {"velkor"}),
        (CardFilter(agents=frozenset({"SectorScan", "MacroMind"})), {"amberline"}),
        (CardFilter(agents=frozenset({"MacroMind"})), set()),
        (CardFilter(agents=frozenset({"PolicyRadar"}), kinds=frozenset({"fraud"}), text="velkor"), {"velkor"}),
        (CardFilter(agents=frozenset({"PolicyRadar"}), sources=frozenset({GAZETTE.name})), set()),
    ],
)
async def test_a_filter_looks_inside_the_card(
    cards: dict[str, int], path: Path, wanted: CardFilter, names: set[str]
) -> None:
    expected = {cards[name] for name in names}
    with CardReader(path) as reader:
        assert set(reader.order(wanted)) == expected
        assert set(reader.order(wanted, 10)) == expected
        assert reader.matching(wanted, list(cards.values())) == expected


async def test_the_first_keys_of_such_a_filter_come_from_the_newest_cards_alone(
    database: Database, cards: dict[str, int], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.cards.NEWEST_HITS", 2)
    await Items(database).ingest(GAZETTE, [entry("Tessaly opens a plant", at=NOW + timedelta(hours=1))], now=NOW)
    wanted = CardFilter(sources=frozenset({WIRE.name}))
    with CardReader(path) as reader:
        assert reader.order(wanted, 1) == []
        assert reader.order(wanted) == [cards["velkor"]]
        assert reader.matching(wanted, [cards["velkor"]]) == {cards["velkor"]}
