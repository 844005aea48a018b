"""Why a feed could not be read. Each message is one line a trader can act on.

FeedError
  FetchError        nothing usable came over the network
    Refused           the address is not allowed (private network, scheme, too many redirects)
    Unreachable       no connection: DNS, TLS, refused, dropped
      HungUp          connected, then dropped without an answer: what was sent may have arrived
    TimedOut          the total deadline passed
    TooLarge          more decoded bytes than the cap
    Garbled           the body is not what its headers promise (cut off, broken or unknown coding)
    HttpStatus        an answer that is not the document (status, Retry-After)
  ParseError        bytes came, but they are no feed
    NotAFeed          HTML, empty, challenge page, unknown format
    Malformed         looks like a feed and holds nothing readable
    ParserKilled      the worker passed its limit of time or memory
"""

from __future__ import annotations


class FeedError(Exception):
    """A feed could not be read; `str(error)` is the one line to show."""


class FetchError(FeedError):
    """Nothing usable came over the network."""


class Refused(FetchError):
    """The address may not be reached: scheme, private network, or too many redirects."""


class Unreachable(FetchError):
    """No connection: DNS, TLS, refused or dropped."""


class HungUp(Unreachable):
    """The peer took the connection and dropped it before it answered; what was sent may have arrived."""


class TimedOut(FetchError):
    """The total deadline of the request passed."""


class TooLarge(FetchError):
    """The decoded body passed the cap."""


class Garbled(FetchError):
    """The body is not what its headers promise: cut off, broken gzip, or a coding nobody asked for."""


class HttpStatus(FetchError):
    """An answer that is not the document. `retry_after_s` is the server's wish, already clamped."""

    def __init__(self, message: str, status: int, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after_s = retry_after_s


class ParseError(FeedError):
    """Bytes came, but they are no feed."""


class NotAFeed(ParseError):
    """HTML, an empty body, a challenge page or an unknown format."""


class Malformed(ParseError):
    """Looks like a feed, but nothing in it could be read."""


class ParserKilled(ParseError):
    """The parser worker passed its limit of time or memory and was killed."""
