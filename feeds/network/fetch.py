"""One poll of one feed: a conditional GET, and what its answer means.

An HTML page with status 200 is not judged here: whether bytes are a feed is the parser's question.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from feeds.errors import HttpStatus
from feeds.models import Source, Validators
from feeds.network.header_times import fresh_for_s, retry_after_s
from feeds.network.http import DEADLINE_S, HttpClient, Response
from feeds.network.outcomes import Fetched, NotModified
from feeds.network.transport import host_of

__all__ = ["Fetched", "NotModified", "fetch"]

_ACCEPT = (
    "application/rss+xml, application/atom+xml, application/feed+json, application/rdf+xml, "
    "application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.5"
)
_PERMANENT = frozenset({301, 308})
_VALIDATOR_CHARS = 1024
_INTERVALS_S = {"news.google.com": 2.0, "www.sec.gov": 0.15, "data.sec.gov": 0.15}
_WORDS = {
    401: "wants a login; check the address or the key in it",
    403: "refuses this program; check the address",
    404: "has nothing at this address; check it",
    406: "refuses to send a feed; check the address",
    410: "says the feed is gone for good; remove it",
    429: "asks for fewer requests; it is tried later",
    451: "may not send it here for legal reasons",
}


async def fetch(
    client: HttpClient,
    source: Source,
    validators: Validators,
    *,
    deadline_s: float = DEADLINE_S,
    now: datetime | None = None,
) -> Fetched | NotModified:
    """Polls `source`; conditional whenever there are validators, both sent back byte for byte.

    Raises a FetchError, HttpStatus for an answer that is neither document nor 304. `now` stands in for a Date header
    where a server gives times without one.
    """
    answer = await client.get(
        source.url,
        headers={"accept": _ACCEPT, **_conditions(validators)},
        deadline_s=deadline_s,
        host_interval_s=_INTERVALS_S.get(host_of(source.url), 0.0),
    )
    fresh = fresh_for_s(answer.headers, now)
    moved = _permanent_url(answer)
    given = _validators(answer.headers)
    if answer.status == 304 and validators != Validators():
        kept = Validators(given.etag or validators.etag, given.last_modified or validators.last_modified)
        return NotModified(kept, answer.url, moved, fresh, answer.elapsed_ms)
    if answer.status not in (200, 203):
        raise _refusal(answer, now)
    content_type = answer.headers.get("content-type", "")
    return Fetched(answer.body, content_type, given, answer.url, moved, fresh, answer.elapsed_ms)


def _conditions(validators: Validators) -> dict[str, str]:
    named = {"if-none-match": validators.etag, "if-modified-since": validators.last_modified}
    return {name: value for name, value in named.items() if value is not None and _safe(value)}


def _validators(headers: Mapping[str, str]) -> Validators:
    etag, last_modified = headers.get("etag"), headers.get("last-modified")
    return Validators(etag if _safe(etag) else None, last_modified if _safe(last_modified) else None)


def _safe(value: str | None) -> bool:
    """False for what could break the next request: empty, huge, not plain ASCII."""
    return bool(value) and value is not None and len(value) <= _VALIDATOR_CHARS and all(" " <= c <= "~" for c in value)


def _permanent_url(answer: Response) -> str | None:
    permanent = bool(answer.redirects) and all(status in _PERMANENT for status, _ in answer.redirects)
    return answer.url if permanent else None


def _refusal(answer: Response, now: datetime | None) -> HttpStatus:
    host = host_of(answer.url)
    words = _WORDS.get(answer.status)
    if words is None:
        words = "has trouble; it is tried again" if answer.status >= 500 else "gives no document; check the address"
    if answer.status == 403 and f".{host}".endswith(".sec.gov"):
        words = "refuses programs without a contact; set network.contact to your mail address"
    return HttpStatus(f"{host}: {words} ({answer.status})", answer.status, retry_after_s(answer.headers, now))
