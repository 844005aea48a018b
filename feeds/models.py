"""What the feeds layer produces. All datetimes are aware UTC; all text is already cleaned (`feeds.documents.text`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Literal

Precision = Literal["second", "minute", "hour", "day", "month", "unknown"]
TimeKind = Literal["published", "first_seen", "effective", "observation", "filed"]


class Tier(IntEnum):
    """How close a source stands to the fact it reports; 1 is closest."""

    OFFICIAL = 1
    NEWSROOM = 2
    AGGREGATOR = 3
    CROWD = 4


class TimeDoubt(StrEnum):
    """Why a publication time may not be taken at its word. Shown on the card, never repaired by a guess."""

    UNDATED = "undated"
    ZONE_UNKNOWN = "zone unknown"
    FUTURE = "future"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Published:
    """When the publisher says it published.

    `at` is None where the feed gave no time or one nobody can read; it is never filled with the time of reading.
    """

    at: datetime | None = None
    precision: Precision = "unknown"
    doubt: TimeDoubt | None = TimeDoubt.UNDATED


@dataclass(frozen=True, slots=True)
class Source:
    """A feed that is polled.

    `id` is a stable slug ("fed-press"); `interval_s` is the shortest time between two polls in seconds.
    """

    id: str
    name: str
    url: str
    tier: Tier
    interval_s: int = 300
    builtin: bool = True


@dataclass(frozen=True, slots=True)
class Validators:
    """What a server gave to ask "anything newer?" with. Kept per source, sent back as they came."""

    etag: str | None = None
    last_modified: str | None = None


PollStatus = Literal["new", "ok", "unchanged", "failing"]


@dataclass(frozen=True, slots=True)
class PollState:
    """What is known of a source after its last check.

    `next_check_at` None means due now. `failures` counts consecutive failed checks; `last_error` is one line in words.
    `last_full_at` is when the document was last fetched without validators (bad validators are broken once a day).
    `redirect_url` and `redirect_since` remember a permanent redirect; it is learned after days of the same answer.
    """

    status: PollStatus = "new"
    validators: Validators = Validators()
    next_check_at: datetime | None = None
    last_checked_at: datetime | None = None
    last_ok_at: datetime | None = None
    last_full_at: datetime | None = None
    failures: int = 0
    last_error: str = ""
    redirect_url: str = ""
    redirect_since: datetime | None = None
    latency_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a parsed feed document, cleaned, before anybody asked whether it is new.

    `guid` and `url` are empty where the feed gave none; `outlet` names the newsroom when an aggregator quotes one.
    """

    guid: str
    url: str
    title: str
    summary: str
    published: Published
    outlet: str = ""
    updated: Published = field(default_factory=Published)


@dataclass(frozen=True, slots=True)
class ParsedFeed:
    """A feed document that could be read. `notices` are things a reader should know ("cut off", "wrong charset")."""

    title: str
    format: Literal["rss", "atom", "rdf", "json"]
    entries: tuple[Entry, ...]
    notices: tuple[str, ...] = ()


Change = Literal["", "corrected", "withdrawn"]


@dataclass(frozen=True, slots=True)
class Item:
    """One published thing, accepted once and kept for ever under the same `id`.

    `revision` counts meaning-changing edits from 0; `backlog` marks what a feed already held when it was first read,
    which is history and never an alert. `story_id` equals the `id` of the item that opened the story.
    `tickers` are symbols the publisher itself attached.
    """

    id: str
    source_id: str
    source_name: str
    tier: Tier
    title: str
    summary: str
    url: str
    published: Published
    first_seen_at: datetime
    story_id: str
    outlet: str = ""
    tickers: tuple[str, ...] = ()
    revision: int = 0
    change: Change = ""
    backlog: bool = False

    @property
    def text(self) -> str:
        """Title and summary as one text, the title first."""
        return f"{self.title}\n{self.summary}" if self.summary else self.title
