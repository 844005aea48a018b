"""Rows of the read side as cards, members of a story and past scores."""

from __future__ import annotations

from typing import Final

from feeds.models import Tier
from storage.encoding import Row, load_linked, moment, moment_or_none, urgency_of
from storage.models import Card, CardTicker, PastScore, StoryMember
from storage.rows import published

CARD_COLUMNS: Final = (
    "card.key, opener.item_id, item.item_id, item.title, item.source_name, source.tier, item.url, card.at,"
    " item.published_at, item.precision, item.doubt, item.first_seen_at, signal.scored_at, card.urgency, signal.impact,"
    " signal.confidence, signal.signal_type, signal.event_type, signal.linked, card.outlets, signal.agents_ok,"
    " signal.degraded, signal.novelty, item.change, card.unread, card.starred, signal.provisional"
)
CARD_JOINS: Final = (
    "JOIN item AS opener ON opener.id = card.key JOIN item ON item.id = card.item"
    " JOIN source ON source.key = item.source JOIN scoring ON scoring.item = item.id"
    " LEFT JOIN signal ON signal.item = item.id AND signal.revision = scoring.revision"
)


def card_of(row: Row) -> Card:
    """A card, from CARD_COLUMNS."""
    linked = load_linked(row[18]) if row[18] else ()
    return Card(
        key=row[0],
        story_id=row[1],
        item_id=row[2],
        title=row[3],
        source_name=row[4],
        tier=Tier(row[5]),
        url=row[6],
        at=moment(row[7]),
        published=published(row[8], row[9], row[10]),
        first_seen_at=moment(row[11]),
        scored_at=moment_or_none(row[12]),
        urgency=urgency_of(row[13]),
        impact_score=row[14],
        confidence_score=row[15],
        signal_type=row[16],
        event_type=row[17],
        tickers=tuple(CardTicker(one.symbol, one.impact_score, one.link_type, one.direction) for one in linked),
        outlets=row[19],
        agents_ok=row[20] or 0,
        degraded=bool(row[21]),
        novelty=1.0 if row[22] is None else row[22],
        change=row[23],
        read=not row[24],
        starred=bool(row[25]),
        provisional=bool(row[26]),
    )


MEMBER_LIMIT: Final = 200
MEMBERS: Final = (
    "SELECT item.item_id, item.title, item.source_name, item.outlet, source.tier, item.url, item.published_at,"
    " item.precision, item.doubt, item.first_seen_at, item.syndicated FROM item JOIN source ON source.key = item.source"
    f" WHERE item.card = ? ORDER BY item.id LIMIT {MEMBER_LIMIT}"
)


def member_of(row: Row) -> StoryMember:
    """A member of a story, from MEMBERS."""
    return StoryMember(
        item_id=row[0],
        title=row[1],
        source_name=row[2],
        outlet=row[3],
        tier=Tier(row[4]),
        url=row[5],
        published=published(row[6], row[7], row[8]),
        first_seen_at=moment(row[9]),
        syndicated=bool(row[10]),
    )


PAST_SCORES: Final = (
    "SELECT revision, scored_at, urgency, impact FROM signal WHERE item = ? AND revision <> ?"
    " UNION ALL SELECT revision, scored_at, urgency, impact FROM earlier_score WHERE item = ?"
    " ORDER BY scored_at DESC LIMIT 50"
)


def past_score_of(row: Row) -> PastScore:
    """An earlier score, from PAST_SCORES."""
    return PastScore(row[0], moment(row[1]), urgency_of(row[2]), row[3])
