"""One JSON request to a service, and what its answer means for the message."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from app.alerts.errors import ChannelGone, NotSent, Rejected, Unanswered
from app.log import one_line, redact
from feeds.errors import FetchError, HttpStatus, HungUp, Refused, Unreachable
from feeds.network.http import HttpClient, Response

DEADLINE_S: Final = 15.0
ANSWER_BYTES: Final = 64 * 1024
LONGEST_WAIT: Final = timedelta(minutes=15)


async def post(
    http: HttpClient,
    url: str,
    body: bytes,
    *,
    label: str,
    headers: Mapping[str, str] | None = None,
    deadline_s: float = DEADLINE_S,
) -> Response:
    """The answer, whatever its status. Raises NotSent where nothing can have arrived, else Unanswered."""
    sent = {"content-type": "application/json; charset=utf-8", **(headers or {})}
    try:
        return await http.request(
            "POST",
            url,
            headers=sent,
            content=body,
            deadline_s=deadline_s,
            max_bytes=ANSWER_BYTES,
            turn=f"alert:{label}",
        )
    except Refused as error:
        raise ChannelGone(_told(error)) from None
    except HungUp as error:
        raise Unanswered(_told(error)) from None
    except Unreachable as error:
        raise NotSent(_told(error)) from None
    except HttpStatus as error:
        wait = timedelta(seconds=error.retry_after_s) if error.retry_after_s else None
        raise NotSent(_told(error), wait) from None
    except FetchError as error:
        raise Unanswered(_told(error)) from None


def judge(answer: Response, *, said: str = "", retry_in: timedelta | None = None) -> None:
    """Returns where the service took the message. Raises what its status means; `said` are its own words."""
    status = answer.status
    if 200 <= status < 300:
        return
    told = f"answered {status}{': ' + clipped(said) if said else ''}"
    if status == 429 or (status == 503 and retry_in is not None):
        raise NotSent(told, min(retry_in or timedelta(minutes=1), LONGEST_WAIT))
    if status in (502, 504):
        raise Unanswered(told)
    if status >= 500 or status in (408, 425):
        raise NotSent(told)
    if status in (401, 403, 404, 410) or 300 <= status < 400:
        raise ChannelGone(told)
    raise Rejected(told)


def retry_header(answer: Response) -> timedelta | None:
    """The pause a Retry-After header asks for."""
    from feeds.network.header_times import retry_after_s

    seconds = retry_after_s(answer.headers)
    return None if seconds is None else timedelta(seconds=seconds)


def answer_json(answer: Response) -> Any:
    """The JSON of an answer; None where it is none."""
    try:
        return json.loads(answer.body)
    except (ValueError, RecursionError):
        return None


def clipped(text: str) -> str:
    """A service's own words, one short line without secrets."""
    return redact(one_line(text.strip()))[:160]


def _told(error: FetchError) -> str:
    return redact(str(error)).removesuffix("; it is tried again").removesuffix(", cut off")
