"""Cards: one per story, its first signal of the highest urgency, in screen order; the read side is of this moment."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from agents.models import Urgency
from feeds.models import Entry, Published, Source
from storage.cards import CardReader
from storage.database import Database
from storage.errors import DatabaseClosed, StorageError
from storage.items import Items
from storage.marks import Marks
from storage.models import CardFilter, Since
from storage.signals import Signals
from tests.storage.samples import GAZETTE, NOW, WIRE, entry, later, published, signal

FLASH, ALERT, NOTE, FYI = Urgency.FLASH, Urgency.ALERT, Urgency.NOTE, Urgency.FYI
MINUTE = timedelta(minutes=1)
MILL = "Nordia Steel halts its mill in Orlow"
TELLINGS = (MILL, "Nordia Steel halts its Orlow mill", "Nordia Steel halts mill in Orlow on Tuesday")
COMPANIES = ("Velkor", "Amberline", "Queen Mab Foods", "Tessaly", "Brackwater", "Ostrava Glass")
SOURCES = (WIRE, GAZETTE, replace(WIRE, id="echo", name="Valley Echo", url="https://echo.example/rss"))


class Newsroom:
    """Takes in and scores what a test tells."""

    def __init__(self, database: Database) -> None:
        self.items, self.signals, self.marks = Items(database), Signals(database), Marks(database)

    async def take(self, one: Entry, *, source: Source = WIRE, minutes: float = 0, backlog: bool = False) -> str:
        taken = await self.items.ingest(source, [one], now=NOW + minutes * MINUTE, backlog=backlog)
        return taken.new[0]

    async def score(self, item_id: str, urgency: Urgency | None, impact: float = 0.5, minutes: float = 0) -> int:
        return (
            await self.signals.save(later(signal(item_id, urgency, impact=impact), minutes=minutes), alert=None)
        ).card_key

    async def card(self, number: int, urgency: Urgency | None, *, minutes: float = 0) -> int:
        """A card of its own story, published so many minutes after NOW and seen then."""
        title = f"{COMPANIES[number]} names a new head of research"
        item_id = await self.take(entry(title, at=NOW + minutes * MINUTE), minutes=minutes)
        return await self.score(item_id, urgency)


@pytest.fixture
def room(database: Database) -> Newsroom:
    return Newsroom(database)


@pytest.mark.parametrize(
    ("signals", "shown"),
    [
        ([None, None, None], 0),
        ([None, (FYI, 0.1), None], 1),
        ([(NOTE, 0.5), (ALERT, 0.7), (NOTE, 0.6)], 1),
        ([(NOTE, 0.5), (NOTE, 0.6), (NOTE, 0.55)], 0),
        ([(NOTE, 0.5), (NOTE, 0.5), (NOTE, 0.5)], 0),
        ([(FLASH, 0.4), (ALERT, 0.99), (ALERT, 0.99)], 0),
        ([(FYI, 0.39), (FYI, 0.1), (FLASH, 0.9)], 2),
    ],
)
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
async def test_a_card_shows_the_first_signal_of_the_storys_highest_urgency(
    room: Newsroom, path: Path, signals: list[tuple[Urgency, float] | None], shown: int, order: tuple[int, ...]
) -> None:
    ids = [await room.take(entry(title, at=NOW + n * MINUTE), minutes=n) for n, title in enumerate(TELLINGS)]
    for n in order:
        if one := signals[n]:
            await room.score(ids[n], one[0], one[1])
    with CardReader(path) as reader:
        (key,) = reader.order(CardFilter())
        card = reader.cards([key])[0]
    assert (card.key, card.story_id, card.item_id, card.title) == (key, ids[0], ids[shown], TELLINGS[shown])
    assert card.at == NOW + shown * MINUTE
    assert (card.urgency, card.impact_score) == (signals[shown] or (None, None))


async def test_a_card_keeps_its_key_when_its_urgency_rises_and_falls(room: Newsroom, path: Path) -> None:
    item_id = await room.take(entry(MILL))
    keys = [await room.score(item_id, urgency, minutes=n) for n, urgency in enumerate((FYI, FLASH, NOTE))]
    assert len(set(keys)) == 1
    with CardReader(path) as reader:
        assert reader.cards(keys[:1])[0].urgency == NOTE


@pytest.mark.parametrize(
    ("outlets", "count"),
    [
        ([("", WIRE)], 1),
        ([("", WIRE), ("", GAZETTE)], 2),
        ([("Orlow Post", WIRE), ("ORLOW POST", GAZETTE)], 1),
        ([("Orlow Post", WIRE), ("", GAZETTE), ("Northern Star", GAZETTE)], 3),
        ([("", WIRE), ("Harbour Wire", GAZETTE)], 1),
    ],
)
async def test_outlets_are_counted_once_each(
    room: Newsroom, path: Path, outlets: list[tuple[str, Source]], count: int
) -> None:
    for n, (outlet, source) in enumerate(outlets):
        await room.take(entry(TELLINGS[n], outlet=outlet), source=source, minutes=n)
    with CardReader(path) as reader:
        assert [card.outlets for card in reader.cards(reader.order(CardFilter()))] == [count]


async def test_a_syndicated_copy_is_no_outlet_of_its_own(room: Newsroom, path: Path) -> None:
    body = "The mill in Orlow stopped at noon after a furnace failed, the company said in a notice. " * 3
    for n, outlet in enumerate(("Orlow Post", "Northern Star", "Valley Echo")):
        await room.take(entry(MILL, guid=outlet, summary=body, outlet=outlet), source=SOURCES[n], minutes=n)
    with CardReader(path) as reader:
        (card,) = reader.cards(reader.order(CardFilter()))
        detail = reader.detail(card.key)
        assert detail is not None
        assert card.outlets == 1
        assert [member.syndicated for member in detail.members] == [False, True, True]


async def test_screen_order_is_newest_first_with_fyi_and_unscored_at_the_bottom(room: Newsroom, path: Path) -> None:
    urgencies = (FYI, FLASH, None, NOTE, ALERT, FYI)
    keys = [await room.card(n, urgency, minutes=n) for n, urgency in enumerate(urgencies)]
    with CardReader(path) as reader:
        wanted = [keys[4], keys[3], keys[1], keys[5], keys[2], keys[0]]
        assert reader.order(CardFilter()) == wanted
        assert reader.order(CardFilter(), 4) == wanted[:4]
        assert reader.order(CardFilter(fyi_last=False)) == list(reversed(keys))


async def test_cards_of_the_same_time_stand_by_key(room: Newsroom, path: Path) -> None:
    keys = [await room.card(n, NOTE) for n in range(3)]
    with CardReader(path) as reader:
        assert reader.order(CardFilter()) == sorted(keys, reverse=True)


async def test_history_stands_behind_the_news(room: Newsroom, path: Path) -> None:
    undated = await room.take(replace(entry("Velkor names a new head"), published=Published()), backlog=True)
    live = await room.take(entry("Amberline names a new head", at=NOW - MINUTE), source=GAZETTE)
    with CardReader(path) as reader:
        shown = [card.item_id for card in reader.cards(reader.order(CardFilter()))]
        assert shown == [live, undated]


FILTERS = [
    (CardFilter(), {0, 1, 2, 3, 4, 5}),
    (CardFilter(urgencies=frozenset({FLASH})), {0}),
    (CardFilter(urgencies=frozenset({FLASH, FYI})), {0, 3, 4}),
    (CardFilter(urgencies=frozenset(Urgency)), {0, 1, 2, 3, 4}),
    (CardFilter(unread_only=True), {0, 1, 2, 4, 5}),
    (CardFilter(starred_only=True), {1}),
    (CardFilter(tickers=frozenset({"NVDA"})), {0, 1, 2, 3, 4}),
    (CardFilter(tickers=frozenset({"NVD"})), set()),
    (CardFilter(text="velkor"), {0}),
    (CardFilter(text="new head", urgencies=frozenset({NOTE})), {2}),
    (CardFilter(text="head", tickers=frozenset({"NVDA"}), unread_only=True), {0, 1, 2, 4}),
    (CardFilter(text="nobody"), set()),
    (CardFilter(watchlist=frozenset({"NVDA", "AMD"})), {0, 1, 2, 3, 4}),
    (CardFilter(watchlist=frozenset({"AMD"})), set()),
    (CardFilter(tickers=frozenset({"NVDA"}), watchlist=frozenset({"AMD"})), set()),
    (CardFilter(text="velkor", watchlist=frozenset({"NVDA"})), {0}),
    (CardFilter(since=Since(MINUTE, NOW + 2 * MINUTE)), {2, 3, 4, 5}),
    (CardFilter(sources=frozenset({WIRE.name})), {0, 1, 2, 3, 4, 5}),
    (CardFilter(sources=frozenset({GAZETTE.name}), text="head"), set()),
]


@pytest.mark.parametrize(("wanted", "numbers"), FILTERS)
async def test_filters_restrict_and_keep_the_order(
    room: Newsroom, path: Path, wanted: CardFilter, numbers: set[int]
) -> None:
    keys = [await room.card(n, urgency, minutes=n) for n, urgency in enumerate((FLASH, ALERT, NOTE, FYI, FYI, None))]
    await room.marks.read([keys[3]])
    await room.marks.star(keys[1], True)
    with CardReader(path) as reader:
        whole = reader.order(CardFilter())
        expected = [key for key in whole if keys.index(key) in numbers]
        assert reader.order(wanted) == reader.order(wanted, 100) == expected
        assert reader.matching(wanted, keys) == set(expected)


async def test_a_limited_search_that_its_newest_hits_do_not_fill_looks_at_all(
    room: Newsroom, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    oldest = await room.card(0, FLASH)
    for n in range(1, 6):
        await room.card(n, FYI, minutes=n)
    monkeypatch.setattr("storage.cards.NEWEST_HITS", 2)
    with CardReader(path) as reader:
        for wanted in (CardFilter(text="head"), CardFilter(tickers=frozenset({"NVDA"}))):
            flash = replace(wanted, urgencies=frozenset({FLASH}))
            assert reader.order(flash, 1) == [oldest]
            assert len(reader.order(wanted, 1)) == 1
            assert reader.order(wanted, 100) == reader.order(wanted)


async def test_counts_follow_every_change(room: Newsroom, path: Path) -> None:
    keys = [await room.card(n, urgency) for n, urgency in enumerate((FLASH, NOTE, NOTE, None))]
    await room.marks.read([keys[1], keys[3]])
    with CardReader(path) as reader:
        counts = reader.counts()
        assert (counts.total, counts.unread) == (4, 2)
        assert [counts.of(urgency) for urgency in (*Urgency, None)] == [1, 0, 2, 0, 1]
        assert counts.unread_by_urgency == {FLASH: 1, ALERT: 0, NOTE: 1, FYI: 0, None: 0}
        await room.marks.unread([keys[3]])
        assert reader.counts().unread == 3


@pytest.mark.parametrize(
    ("before", "after", "unread"),
    [
        (NOTE, FLASH, True),
        (FYI, NOTE, True),
        (None, ALERT, True),
        (None, FYI, False),
        (FLASH, NOTE, False),
        (NOTE, NOTE, False),
    ],
)
async def test_a_read_card_is_unread_again_when_its_urgency_rises(
    room: Newsroom, path: Path, before: Urgency | None, after: Urgency, unread: bool
) -> None:
    item_id = await room.take(entry(MILL))
    key = await room.score(item_id, before)
    await room.marks.read([key])
    await room.score(item_id, after, minutes=1)
    with CardReader(path) as reader:
        assert reader.cards([key])[0].read is not unread


async def test_an_unscored_card_has_no_score_at_all(room: Newsroom, path: Path) -> None:
    key = await room.card(0, None)
    with CardReader(path) as reader:
        (card,) = reader.cards([key])
        detail = reader.detail(key)
    assert (card.urgency, card.impact_score, card.confidence_score, card.scored_at) == (None, None, None, None)
    assert (card.tickers, card.agents_ok, card.read, card.starred) == ((), 0, False, False)
    assert detail is not None
    assert detail.signal is not None
    assert detail.signal.synthesis is None


async def test_a_detail_before_any_score(room: Newsroom, path: Path) -> None:
    item_id = await room.take(entry(MILL))
    with CardReader(path) as reader:
        detail = reader.detail(reader.order(CardFilter())[0])
    assert detail is not None
    assert (detail.item.id, detail.signal, detail.outcomes, detail.history) == (item_id, None, (), ())


async def test_members_are_told_in_the_order_they_came(room: Newsroom, path: Path) -> None:
    ids = [
        await room.take(entry(title, outlet=f"Outlet {n}"), source=SOURCES[n], minutes=n)
        for n, title in enumerate(TELLINGS)
    ]
    with CardReader(path) as reader:
        detail = reader.detail(reader.order(CardFilter())[0])
    assert detail is not None
    assert [(one.item_id, one.title, one.outlet, one.tier, one.first_seen_at) for one in detail.members] == [
        (item_id, title, f"Outlet {n}", SOURCES[n].tier, NOW + n * MINUTE)
        for n, (item_id, title) in enumerate(zip(ids, TELLINGS, strict=True))
    ]
    assert detail.members[0].published == published()


async def test_keys_that_are_gone_or_never_were_are_left_out(room: Newsroom, path: Path) -> None:
    keys = [await room.card(n, NOTE) for n in range(3)]
    with CardReader(path) as reader:
        assert [card.key for card in reader.cards([keys[2], 999, keys[0]])] == [keys[2], keys[0]]
        assert reader.cards([]) == []
        assert reader.card(999) is None
        assert reader.detail(999) is None
        assert [card.key for card in reader.cards(keys * 400)] == keys * 400


async def test_a_reader_sees_what_is_committed_after_it_was_opened(room: Newsroom, path: Path) -> None:
    with CardReader(path) as reader:
        assert reader.order(CardFilter()) == []
        key = await room.card(0, NOTE)
        assert reader.order(CardFilter(), 10) == reader.order(CardFilter()) == [key]


async def test_a_reader_holds_no_lock_and_no_log(room: Newsroom, database: Database, path: Path) -> None:
    with CardReader(path) as reader:
        key = await room.card(0, NOTE)
        reader.order(CardFilter())
        reader.detail(key)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            assert other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0


async def test_threads_may_ask_at_once(room: Newsroom, path: Path) -> None:
    keys = [await room.card(n, NOTE) for n in range(4)]
    failures: list[Exception] = []

    def ask(reader: CardReader) -> None:
        try:
            for key in keys * 10:
                assert reader.detail(key) is not None
                assert len(reader.order(CardFilter())) == len(reader.order(CardFilter(), 9)) == 4
        except Exception as error:  # noqa: BLE001 (any failure of the thread is the test's)
            failures.append(error)

    with CardReader(path) as reader:
        threads = [threading.Thread(target=ask, args=(reader,)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == []


def test_a_reader_of_nothing_is_refused(path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be opened"):
        CardReader(path)


async def test_a_closed_reader_refuses_in_words(database: Database) -> None:
    with CardReader(database.path) as reader:
        pass
    for ask in (lambda: reader.order(CardFilter()), lambda: reader.cards([1]), reader.counts):
        with pytest.raises(DatabaseClosed):
            ask()
