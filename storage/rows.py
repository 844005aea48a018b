"""Rows of the tables as the types of the inner layers; each list of columns stands beside its reader."""

from __future__ import annotations

from typing import Final

from feeds.models import Item, PollState, Published, Source, Tier, TimeDoubt, Validators
from storage.encoding import BY_RANK, Row, moment, moment_or_none
from storage.models import AlertRow, SourceRow

SOURCE_COLUMNS: Final = (
    "source_id, name, url, tier, interval_s, builtin, status, etag, last_modified, next_check_at, last_checked_at,"
    " last_ok_at, last_full_at, failures, last_error, redirect_url, redirect_since, latency_ms, items, last_item_at"
)


def source_row(row: Row) -> SourceRow:
    """A source with its state, from SOURCE_COLUMNS."""
    state = PollState(
        status=row[6],
        validators=Validators(row[7], row[8]),
        next_check_at=moment_or_none(row[9]),
        last_checked_at=moment_or_none(row[10]),
        last_ok_at=moment_or_none(row[11]),
        last_full_at=moment_or_none(row[12]),
        failures=row[13],
        last_error=row[14],
        redirect_url=row[15],
        redirect_since=moment_or_none(row[16]),
        latency_ms=row[17],
    )
    source = Source(row[0], row[1], row[2], Tier(row[3]), row[4], bool(row[5]))
    return SourceRow(source, state, row[18], moment_or_none(row[19]))


ITEM_COLUMNS: Final = (
    "item.item_id, source.source_id, item.source_name, source.tier, item.title, item.summary, item.url,"
    " item.published_at, item.precision, item.doubt, item.first_seen_at, opener.item_id, item.outlet, item.tickers,"
    " item.revision, item.change, item.backlog"
)
ITEM_JOINS: Final = "JOIN source ON source.key = item.source JOIN item AS opener ON opener.id = item.card"


def published(at: int | None, precision: str, doubt: str | None) -> Published:
    """A publication time from its three columns."""
    return Published(moment_or_none(at), precision, TimeDoubt(doubt) if doubt else None)  # type: ignore[arg-type]


def item_of(row: Row) -> Item:
    """An item, from ITEM_COLUMNS."""
    return Item(
        id=row[0],
        source_id=row[1],
        source_name=row[2],
        tier=Tier(row[3]),
        title=row[4],
        summary=row[5],
        url=row[6],
        published=published(row[7], row[8], row[9]),
        first_seen_at=moment(row[10]),
        story_id=row[11],
        outlet=row[12],
        tickers=tuple(row[13].split()),
        revision=row[14],
        change=row[15],
        backlog=bool(row[16]),
    )


ALERT_COLUMNS: Final = (
    "alert.key, alert.card, opener.item_id, item.item_id, alert.urgency, alert.reason, alert.created_at,"
    " delivery.delivered_at, coalesce(delivery.attempts, 0), alert.acknowledged_at"
)
ALERT_JOINS: Final = (
    "JOIN item AS opener ON opener.id = alert.card JOIN item ON item.id = alert.item"
    " LEFT JOIN delivery ON delivery.alert = alert.key AND delivery.channel = ?"
)


def alert_row(row: Row) -> AlertRow:
    """A row of the outbox, from ALERT_COLUMNS."""
    return AlertRow(
        key=row[0],
        card_key=row[1],
        story_id=row[2],
        item_id=row[3],
        urgency=BY_RANK[row[4]],
        reason=row[5],
        created_at=moment(row[6]),
        delivered_at=moment_or_none(row[7]),
        attempts=row[8],
        acknowledged_at=moment_or_none(row[9]),
    )
