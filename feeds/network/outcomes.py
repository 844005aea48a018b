"""What a poll can bring besides an error. Light to import, since the schedule and the database need only this."""

from __future__ import annotations

from dataclasses import dataclass

from feeds.models import Validators


@dataclass(frozen=True, slots=True)
class Fetched:
    """A document. `validators` are for the next poll; `final_url` is where it came from.

    `permanent_url` is the target where every hop to it was permanent. `fresh_for_s` is how long the server calls it
    fresh, in seconds; None where it says nothing.
    """

    body: bytes
    content_type: str
    validators: Validators
    final_url: str
    permanent_url: str | None
    fresh_for_s: float | None
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class NotModified:
    """The server has nothing newer than `validators`; it cost one request and no body."""

    validators: Validators
    final_url: str
    permanent_url: str | None
    fresh_for_s: float | None
    elapsed_ms: float
