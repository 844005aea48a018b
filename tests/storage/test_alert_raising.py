"""Whether a story alerts again, why it did or did not, and the cooldown; what is silenced and noted."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from agents.models import Urgency
from storage.alert_log import AlertReader
from storage.alerts import AlertDraft, Step
from storage.cards import CardReader
from storage.database import Database
from storage.errors import NotWritable, OlderSchema
from storage.items import Items
from storage.mutes import Mutes, adding, beside, lifting, requeueing
from storage.notes import Notes
from storage.outbox import Outbox
from storage.signals import Signals
from tests.storage.samples import GAZETTE, NOW, WIRE, entry, later, signal

FLASH, ALERT = Urgency.FLASH, Urgency.ALERT
OPENS = "Nordia Steel halts its mill in Orlow"
REPEATS = "Nordia Steel halts its Orlow mill"
ADDS = "Nordia Steel halts its Orlow mill, files for bankruptcy"
SUIT = "Velkor sues Amberline over patents"


class Teller:
    """Takes items in and saves their signals."""

    def __init__(self, database: Database) -> None:
        self.items, self.signals = Items(database), Signals(database)

    async def tell(
        self, title: str, urgency: Urgency, draft: AlertDraft, *, minutes: int = 0
    ) -> tuple[str, str | None]:
        now = NOW + timedelta(minutes=minutes)
        source = WIRE if title == OPENS else GAZETTE
        (item,) = (await self.items.ingest(source, [entry(title)], now=now)).new
        saved = await self.signals.save(
            later(signal(item, urgency), minutes=minutes), alert=replace(draft, created_at=now)
        )
        return item, saved.alert_key


DRAFT = AlertDraft("why", NOW, trace=(Step("score", "passed", "ALERT by score"),))


async def test_the_reason_of_a_second_alert_says_whether_it_is_a_rise_or_a_new_fact(
    database: Database, path: Path
) -> None:
    teller = Teller(database)
    await teller.tell(OPENS, ALERT, DRAFT)
    await teller.tell(REPEATS, FLASH, DRAFT, minutes=1)
    await teller.tell(ADDS, ALERT, DRAFT, minutes=2)
    with AlertReader(path) as reader:
        assert [row.reason for row in reader.log()] == [
            "why; a new fact in the story",
            "why; urgency rose from ALERT to FLASH",
            "why",
        ]


async def test_every_decision_is_kept_with_its_trace_also_of_what_stayed_silent(database: Database, path: Path) -> None:
    teller = Teller(database)
    first, key = await teller.tell(OPENS, ALERT, DRAFT)
    again, none = await teller.tell(REPEATS, ALERT, DRAFT, minutes=1)
    muted = replace(DRAFT, outcome="muted", trace=(*DRAFT.trace, Step("mute", "stopped", "ticker NVDA")))
    silent, nothing = await teller.tell(SUIT, FLASH, muted, minutes=2)
    assert none is nothing is None
    with AlertReader(path) as reader:
        (one,) = reader.decisions(first)
        assert (one.outcome, one.alert) == ("alert", key)
        assert one.trace == (*DRAFT.trace, Step("story", "passed", "first alert of this story"))
        assert reader.decisions(key or "") == [one]
        (two,) = reader.decisions(again[:12])
        assert (two.outcome, two.alert) == ("told before", None)
        assert two.trace[-1] == Step("story", "stopped", "the story alerted already as ALERT, no new fact since")
        (three,) = reader.decisions(silent)
        assert (three.outcome, three.trace) == ("muted", muted.trace)
        assert reader.decisions("nothing") == []
        assert len(reader.log()) == 1


async def test_what_a_revision_alerted_with_stays_on_record(database: Database, path: Path) -> None:
    teller = Teller(database)
    item, key = await teller.tell(OPENS, ALERT, DRAFT)
    await teller.signals.save(
        later(signal(item, ALERT), minutes=1), alert=replace(DRAFT, created_at=NOW + timedelta(minutes=1))
    )
    with AlertReader(path) as reader:
        assert [one.alert for one in reader.decisions(item)] == [key]


async def test_an_alert_goes_with_the_urgency_a_rule_gave_it_and_the_card_keeps_its_score(
    database: Database, path: Path
) -> None:
    _, key = await Teller(database).tell(OPENS, ALERT, replace(DRAFT, urgency=FLASH))
    assert key is not None
    assert key.endswith(":FLASH")
    with CardReader(path) as reader:
        row = reader.alert(key)
        assert row is not None
        assert row.urgency is FLASH
        card = reader.card(row.card_key)
        assert card is not None
        assert card.urgency is ALERT


async def test_the_cooldown_holds_the_same_kind_until_it_is_over_and_no_longer(database: Database, path: Path) -> None:
    teller, outbox = Teller(database), Outbox(database)
    cooled = replace(DRAFT, kind="ALERT fraud NVDA", cooldown=timedelta(minutes=5))
    titles = [OPENS, SUIT, "Queen Mab Foods recalls oats", "Tessaly opens a copper mine"]
    keys = [
        (await teller.tell(title, ALERT, cooled, minutes=n))[1] for n, title in zip((0, 1, 4, 6), titles, strict=True)
    ]
    due = await outbox.due("terminal", NOW + timedelta(minutes=4))
    assert [one.key for one in due] == [keys[0], keys[3]]
    due = await outbox.due("terminal", NOW + timedelta(minutes=6))
    assert [(one.key, one.held) for one in due] == [
        (keys[0], ""),
        (keys[1], "cooldown"),
        (keys[2], "cooldown"),
        (keys[3], ""),
    ]
    with AlertReader(path) as reader:
        row = reader.alert(keys[1] or "")
        assert row is not None
        (decision,) = reader.decisions(row.key)
        assert decision.trace[-1] == Step("cooldown", "held", "ALERT fraud NVDA: held until 2026-03-10 18:35:00 UTC")


async def test_mutes_last_until_their_end_and_a_new_one_replaces_the_old(database: Database, path: Path) -> None:
    mutes = Mutes(database)
    hour = NOW + timedelta(hours=1)
    first = await mutes.add("ticker", "NVDA", "NVDA", until=hour, now=NOW, by="here")
    second = await mutes.add("ticker", "NVDA", "NVDA", until=hour, now=NOW, by="here")
    assert [one.id for one in await mutes.active(NOW)] == [second]
    assert first != second
    assert await mutes.active(hour) == []
    assert await mutes.lift([first, second, 99], NOW) == (second,)
    assert await mutes.active(NOW) == []
    with AlertReader(path) as reader:
        assert reader.mutes(NOW) == []


async def test_mutes_can_be_made_beside_a_running_monitor(database: Database, path: Path) -> None:
    until = NOW + timedelta(hours=1)
    number = beside(path, adding("source", "Harbour Wire", "Harbour Wire", until=until, now=NOW, by="cli"))
    assert [one.id for one in await Mutes(database).active(NOW)] == [number]
    assert beside(path, lifting([number], NOW)) == (number,)
    assert await Mutes(database).active(NOW) == []


def test_beside_nothing_and_beside_an_older_database_it_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotWritable, match="open the monitor once"):
        beside(tmp_path / "none.db", lifting([1], NOW))
    old = tmp_path / "old.db"
    connection = sqlite3.connect(old)
    connection.execute("PRAGMA application_id = 0x74617065")
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    with pytest.raises(OlderSchema):
        beside(old, lifting([1], NOW))


async def test_dead_letters_can_wait_again(database: Database) -> None:
    outbox = Outbox(database)
    _, key = await Teller(database).tell(OPENS, FLASH, replace(DRAFT, channels=("phone", "hook")))
    assert key is not None
    for channel in ("phone", "hook"):
        await outbox.give_up([key], "answered 403", channel=channel)
    assert await database.write(requeueing("phone")) == 1
    assert [one.key for one in await outbox.due("phone", NOW)] == [key]
    assert await outbox.due("hook", NOW) == []


async def test_a_note_is_kept_shown_and_undone(database: Database, path: Path) -> None:
    await Teller(database).tell(OPENS, ALERT, DRAFT)
    notes = Notes(database)
    assert await notes.write(1, "  sold half  ", NOW) == ""
    assert await notes.write(1, "sold all", NOW) == "sold half"
    with CardReader(path) as reader:
        detail = reader.detail(1)
        assert detail is not None
        assert detail.note == "sold all"
        assert await notes.write(1, "", NOW) == "sold all"
        detail = reader.detail(1)
        assert detail is not None
        assert detail.note == ""
