"""The track record: what was scored before a price was known, each story once for each symbol."""

from __future__ import annotations

from datetime import datetime, timedelta

from agents.models import Urgency
from storage.database import Database
from storage.items import Items
from storage.prices import AFTER, Priced, PriceMarks
from storage.signals import Signals
from storage.track_record import track_record
from tests.storage.samples import GAZETTE, NOW, WIRE, entry, signal

MOVES = dict(zip(AFTER[1:], (0.5, -1.5, 4.0), strict=True))


async def scored(database: Database, title: str, *, at: datetime = NOW + timedelta(seconds=1)) -> str:
    """An item seen at NOW and scored at `at`, linked to AAPL."""
    item = (await Items(database).ingest(WIRE, [entry(title)], now=NOW, backlog=False)).new[0]
    await Signals(database).save(signal(item, Urgency.ALERT, impact=0.7, at=at, tickers=("AAPL",)), alert=None)
    return item


async def priced(database: Database, moves: dict[timedelta, float]) -> None:
    """Fills the marks that have a move, and says of the others that there is no price."""
    marks = PriceMarks(database)
    await marks.open_since(NOW - timedelta(hours=1))
    for due in await marks.due(NOW + timedelta(days=2)):
        found = [
            Priced(after, 100.0 + moves[after], moves[after]) if after in moves else Priced(after, reason="closed")
            for after in due.waiting
            if after
        ]
        await marks.fill([(due, [Priced(AFTER[0], 100.0), *found])])


async def test_a_symbol_is_followed_with_its_moves_and_each_agents_scores(database: Database) -> None:
    await scored(database, "Mill stops work")
    await priced(database, MOVES)
    (one,) = (await track_record(database, since=None, until=None)).followed
    assert (one.symbol, one.urgency, one.impact, one.direction) == ("AAPL", Urgency.ALERT, 0.7, "down")
    assert one.moves == MOVES
    assert {(scores.agent, scores.draft, scores.final) for scores in one.agents} == {
        (agent, 0.7, 0.7) for agent in ("SignalScope", "SentimentPulse", "MacroMind", "SectorScan", "PolicyRadar")
    }


async def test_a_move_that_was_over_before_the_score_is_no_outcome_of_it(database: Database) -> None:
    await scored(database, "Mill stops work", at=NOW + timedelta(minutes=20))
    await priced(database, MOVES)
    (one,) = (await track_record(database, since=None, until=None)).followed
    assert set(one.moves) == {timedelta(hours=1), timedelta(days=1)}


async def test_the_next_trade_of_a_market_that_was_closed_is_not_the_move_of_that_moment(database: Database) -> None:
    await scored(database, "Mill stops work")
    marks = PriceMarks(database)
    await marks.open_since(NOW - timedelta(hours=1))
    (due,) = await marks.due(NOW + timedelta(days=2))
    in_time = Priced(AFTER[1], 101.0, 1.0, NOW + AFTER[1])
    closed = Priced(AFTER[2], 105.0, 5.0, NOW + timedelta(days=3))
    await marks.fill([(due, [Priced(AFTER[0], 100.0), in_time, closed])])
    (one,) = (await track_record(database, since=None, until=None)).followed
    assert one.moves == {AFTER[1]: 1.0}


async def test_a_story_counts_once_for_a_symbol_by_its_first_item(database: Database) -> None:
    first = await scored(database, "Apple recalls every phone sold in March")
    stories = Items(database)
    accepted = await stories.ingest(
        GAZETTE, [entry("Apple recalls every phone sold in March", guid="again")], now=NOW, backlog=False
    )
    (again,) = accepted.new
    await Signals(database).save(signal(again, Urgency.FLASH, impact=0.9, tickers=("AAPL",)), alert=None)
    assert first != again
    await priced(database, MOVES)
    record = await track_record(database, since=None, until=None)
    assert [one.impact for one in record.followed] == [0.7]


async def test_what_waits_and_what_has_no_price_is_counted_and_the_period_holds(database: Database) -> None:
    await scored(database, "Mill stops work")
    await PriceMarks(database).open_since(NOW - timedelta(hours=1))
    waiting = await track_record(database, since=None, until=None)
    assert (waiting.followed, waiting.waiting, waiting.without_price) == ((), 3, 0)
    await priced(database, {AFTER[1]: 0.5})
    record = await track_record(database, since=NOW, until=NOW + timedelta(seconds=1))
    assert (len(record.followed), record.waiting, record.without_price) == (1, 0, 2)
    nothing = await track_record(database, since=NOW + timedelta(seconds=1), until=None)
    assert (nothing.followed, nothing.without_price) == ((), 0)
