"""Filters a person gave a name, so that the list can be looked at that way again."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, get_args

from agents.models import AGENT_NAMES, FlashEvent, SignalType, Urgency
from storage.database import Database
from storage.encoding import dump, load, stamp, storable
from storage.models import CardFilter, Since

VIEW_LIMIT: Final = 9
"""So many views are kept: one for each digit."""
NAME_LIMIT: Final = 40
_KINDS: Final = frozenset({*get_args(FlashEvent), *get_args(SignalType)})


class TooManyViews(ValueError):
    """Every place is taken."""


@dataclass(frozen=True, slots=True)
class SavedView:
    """A filter under its name; `place` is the digit it is recalled by.

    Of a span of time only its length is kept, and of the watchlist only that it was asked for: `wanted` gives the
    filter as of the moment it is recalled.
    """

    name: str
    place: int
    filter: CardFilter
    span: timedelta | None = None
    watched: bool = False

    def wanted(self, watchlist: frozenset[str], now: datetime) -> CardFilter:
        """The filter with the watchlist of today and a span that ends `now`."""
        since = Since(self.span, now - self.span) if self.span else None
        return replace(self.filter, since=since, watchlist=watchlist if self.watched else frozenset())


class Views:
    """The table of views."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> list[SavedView]:
        """Every view, by its place."""
        async with self._database.read() as connection:
            rows = await connection.execute_fetchall("SELECT name, place, filter FROM view ORDER BY place")
        return [_view_of(*row) for row in rows]

    async def save(self, name: str, wanted: CardFilter, now: datetime) -> int:
        """Keeps a filter under a name and returns its place; one of the same name is replaced and keeps its place.

        Raises TooManyViews where there is no room for another.
        """
        kept = storable(" ".join(name.split()))[:NAME_LIMIT]

        def job(connection: sqlite3.Connection) -> int:
            taken = dict(connection.execute("SELECT name, place FROM view"))
            free = (number for number in range(1, VIEW_LIMIT + 1) if number not in taken.values())
            place = taken.get(kept) or next(free, None)
            if place is None:
                raise TooManyViews(f"there are {VIEW_LIMIT} views already; take one away first")
            connection.execute(
                "INSERT OR REPLACE INTO view (name, filter, place, saved_at) VALUES (?, ?, ?, ?)",
                (kept, dump(_plain(wanted)), place, stamp(now)),
            )
            return int(place)

        return await self._database.write(job)

    async def remove(self, name: str) -> SavedView | None:
        """Takes a view away and returns it; None where there is none of this name."""

        def job(connection: sqlite3.Connection) -> SavedView | None:
            row = connection.execute(
                "DELETE FROM view WHERE name = ? RETURNING name, place, filter", (name,)
            ).fetchone()
            return _view_of(*row) if row else None

        return await self._database.write(job)


def _plain(wanted: CardFilter) -> dict[str, Any]:
    """What of a filter is kept, as JSON can hold it; what does not restrict is left out."""
    kept = {
        "text": wanted.text,
        "urgencies": sorted(urgency.value for urgency in wanted.urgencies),
        "tickers": sorted(wanted.tickers),
        "sources": sorted(wanted.sources),
        "kinds": sorted(wanted.kinds),
        "agents": sorted(wanted.agents),
        "unread": wanted.unread_only,
        "starred": wanted.starred_only,
        "by_time": not wanted.fyi_last,
        "watchlist": bool(wanted.watchlist),
        "span_s": wanted.since.span.total_seconds() if wanted.since else 0,
    }
    return {key: value for key, value in kept.items() if value}


def _view_of(name: str, place: int, text: str) -> SavedView:
    """A view from its row; what a newer version may have written is passed over."""
    value = load(text)
    filter = CardFilter(
        text=value.get("text", ""),
        urgencies=frozenset(one for one in Urgency if one.value in value.get("urgencies", ())),
        tickers=frozenset(value.get("tickers", ())),
        sources=frozenset(value.get("sources", ())),
        kinds=_KINDS.intersection(value.get("kinds", ())),
        agents=frozenset(one for one in AGENT_NAMES if one in value.get("agents", ())),
        unread_only=value.get("unread", False),
        starred_only=value.get("starred", False),
        fyi_last=not value.get("by_time", False),
    )
    seconds = value.get("span_s", 0)
    return SavedView(
        name, place, filter, timedelta(seconds=seconds) if seconds else None, value.get("watchlist", False)
    )
