"""What goes wrong on the way to a source, as SourceErrors in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agents.tools.asking.errors import Fault, NotAnAnswer, SourceError
from feeds.errors import FeedError, HttpStatus, ParseError, Refused, TimedOut, Unreachable
from feeds.network.header_times import retry_after_s

if TYPE_CHECKING:
    from feeds.network.http import Response

_WORDS: Final = {
    400: "does not understand the question",
    401: "wants a valid key",
    402: "wants to be paid",
    403: "refuses this program",
    404: "has nothing under this address",
    422: "does not take the question",
    429: "asks for fewer requests",
    451: "may not answer here for legal reasons",
}
_REFUSALS: Final = frozenset({401, 402, 403, 451})
_FAULTS: Final[tuple[tuple[type[FeedError], Fault], ...]] = (
    (Refused, "refused"),
    (TimedOut, "timeout"),
    (Unreachable, "unreachable"),
    (ParseError, "no_answer"),
)


def refusal(answer: Response) -> SourceError:
    """The failure behind an answer in a status nobody wants."""
    status = answer.status
    words = _WORDS.get(status) or ("has trouble" if status >= 500 else "gives no answer")
    if b"Undeclared Automated Tool" in answer.body:
        words = "refuses programs without a contact; set network.contact to your mail address"
    elif b"Request Rate Threshold" in answer.body:
        return SourceError("limited", f"was asked too often and blocks for ten minutes ({status})", 600.0)
    if status == 429:
        return SourceError("limited", f"{words} ({status})", retry_after_s(answer.headers))
    fault: Fault = "refused" if status in _REFUSALS else "timeout" if status >= 500 else "status"
    return SourceError(fault, f"{words} ({status})", retry_after_s(answer.headers))


def told(error: Exception) -> SourceError:
    """Any other failure: of the network, of the feed parser, or of a reader at an answer it did not expect."""
    if isinstance(error, SourceError):
        return error
    if isinstance(error, HttpStatus):
        return SourceError("limited" if error.status == 429 else "status", str(error), error.retry_after_s)
    if isinstance(error, FeedError):
        return SourceError(_fault_of(error), str(error))
    return NotAnAnswer(f"the answer could not be read ({type(error).__name__})")


def _fault_of(error: FeedError) -> Fault:
    return next((fault for kind, fault in _FAULTS if isinstance(error, kind)), "no_answer")
