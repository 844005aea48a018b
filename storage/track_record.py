"""What a score said of a symbol and what its price did afterwards: the rows a scorecard is made of."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from agents.models import AgentName, Direction, FlashEvent, Urgency
from storage.encoding import Row, load_assessment, load_linked, moment, stamp, urgency_of
from storage.readers import Readable


@dataclass(frozen=True, slots=True)
class AgentScores:
    """One agent's impact before and after its own critique."""

    agent: AgentName
    draft: float
    final: float


@dataclass(frozen=True, slots=True)
class Followed:
    """One symbol of one scored item and its moves in percent, by the time since publication.

    `impact` and `direction` are the symbol's own after synthesis; `agents` judged the item. A move is in `moves` only
    where the item was scored before its moment: what was scored later was no forecast of it.
    """

    symbol: str
    scored_at: datetime
    urgency: Urgency
    event_type: FlashEvent | None
    impact: float
    confidence: float
    direction: Direction
    agents: tuple[AgentScores, ...]
    moves: dict[timedelta, float]


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """All that is followed in a span, and how many price marks of it still wait or will never have a price."""

    followed: tuple[Followed, ...]
    waiting: int
    without_price: int


async def track_record(database: Readable, *, since: datetime | None, until: datetime | None) -> TrackRecord:
    """The symbols of items first seen in the span (open where None), oldest first.

    A story counts once per symbol, by the first of its items that was scored: repeats of one event are one outcome. The
    next trade after a market that was closed at the moment is not the move of that moment and is left out.
    """
    span = (0 if since is None else stamp(since), _FOREVER if until is None else stamp(until))
    async with database.read() as connection:
        marks = [tuple(row) for row in await connection.execute_fetchall(_MARKS, span)]
        reports = [tuple(row) for row in await connection.execute_fetchall(_REPORTS, span)]
        states = dict([tuple(row) for row in await connection.execute_fetchall(_STATES, span)])
    agents: dict[int, list[AgentScores]] = defaultdict(list)
    for item, agent, draft, final in reports:
        before = load_assessment(draft).impact_score
        agents[item].append(
            AgentScores(agent, before, before if final is None else load_assessment(final).impact_score)
        )
    moves: dict[tuple[int, str], dict[timedelta, float]] = defaultdict(dict)
    signals: dict[int, Row] = {}
    opened: dict[tuple[int, str], int] = {}
    for item, symbol, card, after_s, change, *signal in marks:
        if opened.setdefault((card, symbol), item) == item:
            moves[item, symbol][timedelta(seconds=after_s)] = change
            signals[item] = tuple(signal)
    followed = [_followed(symbol, signals[item], tuple(agents[item]), found) for (item, symbol), found in moves.items()]
    return TrackRecord(
        tuple(one for one in followed if one is not None), states.get("waiting", 0), states.get("none", 0)
    )


def _followed(
    symbol: str, signal: Row, agents: tuple[AgentScores, ...], moves: dict[timedelta, float]
) -> Followed | None:
    """None where the newest signal no longer links the symbol."""
    scored_at, urgency, event_type, confidence, linked = signal
    ticker = next((one for one in load_linked(linked) if one.symbol == symbol), None)
    rank = urgency_of(urgency)
    if ticker is None or rank is None:
        return None
    return Followed(
        symbol=symbol,
        scored_at=moment(scored_at),
        urgency=rank,
        event_type=event_type,
        impact=ticker.impact_score,
        confidence=confidence,
        direction=ticker.direction,
        agents=agents,
        moves=moves,
    )


_FOREVER: Final = 2**62
_SPAN: Final = "item.first_seen_at >= ? AND item.first_seen_at < ?"
_SCORED: Final = (
    "JOIN scoring ON scoring.item = item.id"
    " JOIN signal ON signal.item = item.id AND signal.revision = scoring.revision AND signal.impact IS NOT NULL"
)
_MARKS: Final = (
    "SELECT item.id, price_mark.symbol, item.card, price_mark.after_s, price_mark.change_pct, signal.scored_at,"
    " signal.urgency, signal.event_type, signal.confidence, signal.linked"
    f" FROM item {_SCORED} JOIN price_mark ON price_mark.item = item.id"
    f" WHERE {_SPAN} AND price_mark.state = 'known' AND price_mark.after_s > 0 AND price_mark.change_pct IS NOT NULL"
    " AND signal.scored_at < price_mark.moment"
    " AND (price_mark.traded_at IS NULL OR price_mark.traded_at <= price_mark.moment)"
    " ORDER BY item.first_seen_at, item.id, price_mark.symbol"
)
_REPORTS: Final = (
    f"SELECT item.id, report.agent, report.draft, report.final FROM item {_SCORED}"
    " JOIN report ON report.item = item.id AND report.revision = scoring.revision"
    f" WHERE {_SPAN} AND report.draft IS NOT NULL AND EXISTS (SELECT 1 FROM price_mark WHERE"
    " price_mark.item = item.id AND price_mark.state = 'known') ORDER BY report.id"
)
_STATES: Final = (
    "SELECT price_mark.state, count(*) FROM item JOIN price_mark ON price_mark.item = item.id"
    f" WHERE {_SPAN} AND price_mark.after_s > 0 GROUP BY price_mark.state"
)
