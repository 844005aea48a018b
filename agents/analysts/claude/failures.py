"""What can go wrong with a call, as a table: the abstention it becomes, whether it may be tried again, what must stop.

refused for now    408, 409, 429 with a short Retry-After, 5xx and 529, "overloaded" inside a 200: not charged, again
lost               sent, and the connection broke: may have been charged, again only as the stage's spare call
halting            401, 402, 403, spend limits, an unknown model, a Retry-After beyond reason: nothing more is sent
                   until the halt ends, and every agent says why and how to mend it
final              400, 413, refusal, truncation, a body that is no message: this call only
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

from agents.errors import AnalystFailed
from agents.models import AbstentionCause
from feeds.documents.text import clean

LONGEST_WAIT_S: Final = 15.0
"""A Retry-After beyond this is not waited for."""
LONGEST_HALT_S: Final = 300.0
"""After so long even an absurd Retry-After is put to the test again."""
SPEND_HALT_S: Final = 3600.0
DETAIL: Final = 200

SPEND_LIMITS: Final = frozenset({"enforced_spend_limit_reached", "contract_spend_limit_reached", "ramp_limit_exceeded"})
NOT_SENT: Final = frozenset({"ConnectError", "ConnectTimeout", "PoolTimeout", "UnsupportedProtocol"})
"""Names of transport errors after which the service has seen nothing of the call."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A call that gave no usable answer. `halt_s`: nothing is sent for so long, None: until the next start."""

    cause: AbstentionCause
    detail: str
    again: bool = False
    after_s: float | None = None
    lost: bool = False
    halts: bool = False
    halt_s: float | None = None
    one_model: bool = False


class CallFailed(AnalystFailed):
    """A call without a usable answer. `text` is what the model said, where it said anything."""

    def __init__(self, failure: Failure, text: str = "") -> None:
        super().__init__(failure.cause, failure.detail)
        self.failure = failure
        self.text = text


def of_status(status: int, headers: Mapping[str, str], body: str, now: datetime, *, model: str) -> Failure:
    """The failure an HTTP answer other than 200 is."""
    kind, message, code = _error_in(body)
    said = f"{status} {kind}".strip() + (f": {message}" if message else "")
    said = clean(said, limit=DETAIL)
    if code in SPEND_LIMITS or status == 402 or (status == 400 and "credit balance" in message.casefold()):
        mend = "raise the limit or add credit in the service's console"
        return Failure(
            "budget", f"the service's spend limit is reached ({said}): {mend}", halts=True, halt_s=SPEND_HALT_S
        )
    if status in (401, 403):
        return Failure("authentication", f"the key was refused ({said}): check ANTHROPIC_API_KEY", halts=True)
    if status == 404:
        mend = "set [claude] model to one that `tapewatch budget` lists, or check ANTHROPIC_BASE_URL"
        return Failure("error", f"no such model or address, {model} ({said}): {mend}", halts=True, one_model=True)
    if status in (408, 409, 429) or status >= 500:
        return _for_now(status, said, wait_of(headers, now))
    return Failure("error", f"the service refused the request ({said})")


def _for_now(status: int, said: str, wait: float | None) -> Failure:
    what = "rate limit" if status == 429 else "the service is overloaded or down"
    if wait is not None and wait > LONGEST_WAIT_S:
        halt = min(wait, LONGEST_HALT_S)
        detail = f"{what} ({said}), it asks to wait {wait:.0f} s; nothing is sent for {halt:.0f} s"
        return Failure("unavailable", detail, halts=True, halt_s=halt)
    return Failure("unavailable", f"{what} ({said})", again=True, after_s=wait)


def of_error_object(body: str) -> Failure | None:
    """The failure in a 200 whose body is an error object; None where it is none."""
    kind, message, _ = _error_in(body)
    if not kind:
        return None
    said = clean(f"an error inside a 200: {kind}: {message}", limit=DETAIL)
    return Failure(
        "unavailable" if kind in ("overloaded_error", "api_error") else "malformed",
        said,
        again=kind == "overloaded_error",
    )


def of_transport(error: BaseException) -> Failure:
    """The failure a broken connection is; `error` is what the SDK raised, its cause what the transport did."""
    causes: list[str] = []
    cause: BaseException | None = error
    while cause is not None and len(causes) < 6:
        causes.append(type(cause).__name__)
        cause = cause.__cause__
    name = next((one for one in causes[1:]), causes[0])
    if NOT_SENT & set(causes):
        return Failure("unavailable", f"the service cannot be reached ({name}): check ANTHROPIC_BASE_URL", again=True)
    return Failure("unavailable", f"the connection broke before the answer ({name})", lost=True)


def wait_of(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds the service asks to wait, by milliseconds, seconds or a date; None where it does not say."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            wait = float(headers[name]) * scale
        except (KeyError, ValueError):
            continue
        if 0 <= wait < float("inf"):
            return wait
    try:
        at = parsedate_to_datetime(headers["retry-after"])
    except (KeyError, ValueError, TypeError):
        return None
    return max(0.0, (at - now).total_seconds()) if at.tzinfo else None


def _error_in(body: str) -> tuple[str, str, str]:
    """Type, message and code of an error body; empty strings where it is none."""
    try:
        found: Any = json.loads(body)
    except (ValueError, RecursionError):
        return "", "", ""
    error = found.get("error") if isinstance(found, dict) else None
    if not isinstance(error, dict):
        return "", "", ""
    details = error.get("details")
    code = details.get("error_code") if isinstance(details, dict) else error.get("error_code") or error.get("code")
    return str(error.get("type") or "error"), str(error.get("message") or ""), str(code or "")
