"""What a source is asked and what came back, before anybody has read it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeAlias, TypeVar
from urllib.parse import urlencode

from agents.tools.asking.errors import NotAnAnswer

Identity: TypeAlias = tuple[str, str, bytes | None]
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_HTML = (b"<!doctype html", b"<html", b"<head", b"<script", b"<body")


@dataclass(frozen=True, slots=True)
class Request:
    """One question to one source. `url` is without any key, so that it can be kept and shown.

    `secret_params` and `secret_headers` are added only while it is sent. `accepts` are the statuses the reader knows
    what to do with, `html` that a page is what was asked for, `private` that the answer itself is a secret. `mirror` is
    the same question to a second host, tried once where the first refuses.
    """

    source: str
    url: str
    content: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    secret_params: Mapping[str, str] = field(default_factory=dict)
    secret_headers: Mapping[str, str] = field(default_factory=dict)
    accepts: frozenset[int] = frozenset({200})
    html: bool = False
    private: bool = False
    lifetime_s: float | None = None
    mirror: str = ""

    @property
    def identity(self) -> Identity:
        """What makes two questions the same."""
        return (self.source, self.url, self.content)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer of an accepted status. `url` is the public address it was asked under."""

    status: int
    content_type: str
    body: bytes
    url: str

    @property
    def text(self) -> str:
        """The body as text: UTF-8, with or without a mark, else Windows Latin."""
        try:
            return self.body.decode("utf-8-sig")
        except UnicodeDecodeError:
            return self.body.decode("cp1252", "replace")

    def json(self, kind: type[T]) -> T:
        """The body as a JSON value of `kind` (dict or list). Raises NotAnAnswer."""
        try:
            value = json.loads(self.body)
        except (ValueError, RecursionError):
            raise NotAnAnswer("answered with something that is not JSON") from None
        if not isinstance(value, kind):
            raise NotAnAnswer("answered with JSON of another shape")
        return value

    @property
    def is_html(self) -> bool:
        """Whether the body is a page for people, whatever its content type says."""
        return self.body[:400].lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(_HTML)


@dataclass(frozen=True, slots=True)
class Brought(Generic[T_co]):
    """A read answer just come. `raw` is it as text, cut and without keys, `reply` as bytes, where they are known."""

    value: T_co
    raw: str
    latency_ms: float
    reply: Reply | None = None


@dataclass(frozen=True, slots=True)
class Got(Generic[T_co]):
    """A read answer. `raw` is the answer as text, cut; `stale` says in words why it is an old one, else it is empty."""

    value: T_co
    source: str
    url: str
    fetched_at: datetime
    raw: str = ""
    stale: str = ""


def address(base: str, params: Mapping[str, object] | Sequence[tuple[str, object]] = ()) -> str:
    """`base` with a query; parameters that are None are left out."""
    pairs = params.items() if isinstance(params, Mapping) else params
    query = urlencode([(name, str(value)) for name, value in pairs if value is not None])
    return f"{base}?{query}" if query else base


def rows(value: Any, *path: str) -> list[dict[str, Any]]:
    """The list of objects at `path` inside parsed JSON; what is no object in it is left out. Raises NotAnAnswer."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    if not isinstance(value, list):
        raise NotAnAnswer("answered without the list it promises")
    return [row for row in value if isinstance(row, dict)]


def number(value: object) -> float | None:
    """A finite number from JSON or text; None for what is missing or no number."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        read = float(value.replace(",", "")) if isinstance(value, str) else float(value)
    except (ValueError, OverflowError):
        return None
    return read if abs(read) < 1e18 else None
