"""The outbox: one alert per story, again on a rise or a new fact, delivered at least once under the same key."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from agents.models import Urgency
from storage.alerts import AlertDraft
from storage.cards import CardReader
from storage.database import Database
from storage.items import Items
from storage.outbox import Outbox
from storage.signals import Signals
from tests.storage.samples import GAZETTE, NOW, WIRE, entry, later, signal

FLASH, ALERT, NOTE = Urgency.FLASH, Urgency.ALERT, Urgency.NOTE
OPENS = "Nordia Steel halts its mill in Orlow"
REPEATS = "Nordia Steel halts its Orlow mill"
ADDS = "Nordia Steel halts its Orlow mill, files for bankruptcy"


class Desk:
    """Takes an item in and saves its signal with an alert."""

    def __init__(self, database: Database) -> None:
        self.items, self.signals, self.outbox = Items(database), Signals(database), Outbox(database)
        self.ids: dict[str, str] = {}

    async def tell(self, title: str, urgency: Urgency, *, minutes: int = 0) -> str | None:
        source = WIRE if title == OPENS else GAZETTE
        now = NOW + timedelta(minutes=minutes)
        for item_id in (await self.items.ingest(source, [entry(title)], now=now, backlog=False)).new:
            self.ids[title] = item_id
        one = later(signal(self.ids[title], urgency), minutes=minutes)
        return (await self.signals.save(one, alert=AlertDraft(f"{urgency} on {title}", now))).alert_key

    def name(self, key: str | None) -> str:
        for title, item_id in self.ids.items():
            key = (key or "silent").replace(item_id, title)
        return key or ""


@pytest.fixture
def desk(database: Database) -> Desk:
    return Desk(database)


@pytest.mark.parametrize(
    ("told", "raised"),
    [
        ([(OPENS, FLASH)], [f"{OPENS}:FLASH"]),
        ([(OPENS, ALERT), (REPEATS, ALERT)], [f"{OPENS}:ALERT", "silent"]),
        ([(OPENS, ALERT), (REPEATS, FLASH)], [f"{OPENS}:ALERT", f"{OPENS}:FLASH"]),
        ([(OPENS, FLASH), (REPEATS, ALERT)], [f"{OPENS}:FLASH", "silent"]),
        ([(OPENS, ALERT), (ADDS, ALERT)], [f"{OPENS}:ALERT", f"{OPENS}:ALERT:{ADDS}"]),
        ([(OPENS, FLASH), (ADDS, ALERT)], [f"{OPENS}:FLASH", f"{OPENS}:ALERT:{ADDS}"]),
        ([(OPENS, ALERT), (ADDS, FLASH)], [f"{OPENS}:ALERT", f"{OPENS}:FLASH"]),
        ([(OPENS, ALERT), (ADDS, ALERT), (ADDS, ALERT)], [f"{OPENS}:ALERT", f"{OPENS}:ALERT:{ADDS}", "silent"]),
        ([(OPENS, ALERT), (OPENS, ALERT)], [f"{OPENS}:ALERT", "silent"]),
        ([(OPENS, ALERT), (OPENS, FLASH)], [f"{OPENS}:ALERT", f"{OPENS}:FLASH"]),
        ([(OPENS, FLASH), (OPENS, NOTE), (OPENS, FLASH)], [f"{OPENS}:FLASH", "silent", "silent"]),
        ([(OPENS, ALERT), (ADDS, FLASH), (ADDS, FLASH)], [f"{OPENS}:ALERT", f"{OPENS}:FLASH", "silent"]),
    ],
)
async def test_a_story_alerts_once_and_again_on_a_rise_or_a_new_fact(
    desk: Desk, told: list[tuple[str, Urgency]], raised: list[str]
) -> None:
    keys = [await desk.tell(title, urgency, minutes=n) for n, (title, urgency) in enumerate(told)]
    assert [desk.name(key) for key in keys] == raised
    assert [row.key for row in await desk.outbox.pending()] == [key for key in keys if key]


async def test_the_story_of_the_table_is_one_story(desk: Desk) -> None:
    for title in (OPENS, REPEATS, ADDS):
        await desk.tell(title, NOTE)
    works = [await desk.items.get(item_id) for item_id in desk.ids.values()]
    assert len({item.story_id for item in works}) == 1


async def test_a_signal_without_an_alert_leaves_the_outbox_empty(desk: Desk) -> None:
    (item_id,) = (await desk.items.ingest(WIRE, [entry(OPENS)], now=NOW)).new
    assert (await desk.signals.save(signal(item_id, FLASH), alert=None)).alert_key is None
    assert await desk.outbox.pending() == []


async def test_a_row_holds_all_that_a_channel_needs(desk: Desk, path: Path) -> None:
    key = await desk.tell(OPENS, FLASH)
    assert key is not None
    (row,) = await desk.outbox.pending()
    item_id = desk.ids[OPENS]
    assert (row.key, row.story_id, row.item_id, row.urgency) == (f"{item_id}:FLASH", item_id, item_id, FLASH)
    assert (row.reason, row.created_at, row.attempts) == (f"FLASH on {OPENS}", NOW, 0)
    with CardReader(path) as reader:
        assert reader.alert(key) == row
        assert reader.card(row.card_key) is not None
        assert reader.alert("nothing") is None


async def test_delivery_is_counted_before_and_marked_after(desk: Desk, path: Path) -> None:
    key = await desk.tell(OPENS, FLASH)
    assert key is not None
    await desk.outbox.attempted([key])
    await desk.outbox.attempted([key])
    assert [row.attempts for row in await desk.outbox.pending()] == [2]
    await desk.outbox.delivered([key], now=NOW + timedelta(seconds=1))
    await desk.outbox.delivered([key], now=NOW + timedelta(seconds=9))
    assert await desk.outbox.pending() == []
    with CardReader(path) as reader:
        row = reader.alert(key)
        assert row is not None
        assert (row.attempts, row.delivered_at) == (2, NOW + timedelta(seconds=1))


async def test_channels_are_delivered_apart(desk: Desk) -> None:
    (item_id,) = (await desk.items.ingest(WIRE, [entry(OPENS)], now=NOW)).new
    draft = AlertDraft("why", NOW, channels=("terminal", "push"))
    key = (await desk.signals.save(signal(item_id, FLASH), alert=draft)).alert_key
    assert key is not None
    await desk.outbox.delivered([key], now=NOW)
    assert [await desk.outbox.pending(channel) for channel in ("terminal", "none")] == [[], []]
    assert [row.key for row in await desk.outbox.pending("push")] == [key]


async def test_only_a_flash_waits_for_a_person_and_the_first_to_see_it_stands(desk: Desk, path: Path) -> None:
    flash = await desk.tell(OPENS, FLASH)
    alert = await desk.tell("Velkor sues Amberline over patents", ALERT, minutes=1)
    assert flash is not None
    assert alert is not None
    with CardReader(path) as reader:
        assert [row.key for row in reader.alerts_unacknowledged()] == [flash]
        await desk.outbox.acknowledge([flash, alert, "nothing"], "terminal", NOW + timedelta(seconds=5))
        await desk.outbox.acknowledge([flash], "phone", NOW + timedelta(seconds=9))
        assert reader.alerts_unacknowledged() == []
        row = reader.alert(flash)
        assert row is not None
        assert row.acknowledged_at == NOW + timedelta(seconds=5)


async def test_the_newest_flash_is_told_first(desk: Desk, path: Path) -> None:
    first = await desk.tell(OPENS, FLASH)
    second = await desk.tell("Velkor sues Amberline over patents", FLASH, minutes=1)
    with CardReader(path) as reader:
        assert [row.key for row in reader.alerts_unacknowledged()] == [second, first]
    assert [row.key for row in await desk.outbox.pending()] == [first, second]


async def test_alerts_and_their_deliveries_survive_a_power_cut(desk: Desk, database: Database) -> None:
    statements: list[str] = []
    await database.write(lambda connection: connection.set_trace_callback(statements.append))

    def synced() -> bool:
        found = "PRAGMA synchronous = FULL" in statements
        statements.clear()
        return found

    (quiet,) = (await desk.items.ingest(WIRE, [entry("Velkor names a new head")], now=NOW)).new
    await desk.signals.save(signal(quiet), alert=None)
    assert not synced()
    key = await desk.tell(OPENS, FLASH) or ""
    assert synced()
    for change in (
        desk.outbox.attempted([key]),
        desk.outbox.delivered([key], now=NOW),
        desk.outbox.acknowledge([key], "t", NOW),
    ):
        await change
        assert synced()
