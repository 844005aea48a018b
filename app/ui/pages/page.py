"""A page of the detail pane: rows of text, some of which open another page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Literal, TypeAlias

from rich.cells import cell_len

from agents.calls import Asker
from agents.models import AgentName
from app.ui.line import BLANK, Line, Role, Span, left, width, wrap

Tab: TypeAlias = Literal["overview", "agents", "evidence", "tickers"]
TABS: tuple[Tab, ...] = ("overview", "agents", "evidence", "tickers")
NumberName: TypeAlias = Literal["urgency", "impact", "confidence", "agreement", "novelty", "tone"]


@dataclass(frozen=True, slots=True)
class NumberPlace:
    """How one number of the signal came about."""

    name: NumberName


@dataclass(frozen=True, slots=True)
class AgentPlace:
    """One agent's work on the item."""

    agent: AgentName


@dataclass(frozen=True, slots=True)
class EvidencePlace:
    """One answer of one tool, as an agent got it."""

    agent: AgentName
    evidence_id: str


@dataclass(frozen=True, slots=True)
class TickerPlace:
    """How one ticker's score came about."""

    symbol: str


@dataclass(frozen=True, slots=True)
class MemberPlace:
    """One item of the story."""

    item_id: str


@dataclass(frozen=True, slots=True)
class CallPlace:
    """One call to the model, of an agent or of a node of an investigation; `number` counts them from 0."""

    agent: Asker
    number: int


Place: TypeAlias = NumberPlace | AgentPlace | EvidencePlace | TickerPlace | MemberPlace | CallPlace


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a page; `opens` is where enter leads (a place, a tab or a plain id), `link` what `o` opens."""

    line: Line = BLANK
    opens: Place | str | None = None
    link: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """What a page must know of its reader: the width in cells, the time and the zone."""

    cells: int
    now: datetime
    zone: tzinfo | None


GAP = Row()
INDENT = 2
LABEL_CELLS = 13


def heading(text: str, *more: Span) -> Row:
    """The quiet title of a section."""
    return Row((Span(text, "muted"), *more))


def paragraph(text: str, view: View, role: Role = "text", *, indent: int = 0, limit: int = 0) -> Iterator[Row]:
    """Wrapped text, which is already cleaned; `limit` cuts it to that many lines."""
    lines = wrap(text, max(view.cells - indent, 8))
    shown = lines[:limit] if limit else lines
    for index, line in enumerate(shown):
        cut_off = limit and index == limit - 1 and len(lines) > limit
        yield Row((Span(" " * indent + line + (" …" if cut_off else ""), role),))


def labelled(label: str, *value: Span, opens: Place | str | None = None, link: str = "") -> Row:
    """A label in its column and what it says."""
    return Row((Span(left(label, LABEL_CELLS), "muted"), *value), opens=opens, link=link)


def wrapped(label: str, text: str, view: View, role: Role = "text") -> Iterator[Row]:
    """A label in its column and a text that runs on under itself."""
    for index, line in enumerate(wrap(text, max(view.cells - LABEL_CELLS, 8))):
        yield Row((Span(left(label if not index else "", LABEL_CELLS), "muted"), Span(line, role)))


def listed(spans: Iterable[Span], view: View, *, indent: int = 0, start: Line = (), link: str = "") -> Iterator[Row]:
    """Spans that stay whole with a quiet dot between them, carried to the next line where they must be."""
    line: list[Span] = [Span(" " * indent), *start]
    taken = indent + width(start)
    empty = True
    for span in spans:
        size = cell_len(span.text)
        if not empty and taken + 3 + size > view.cells:
            yield Row(tuple(line), link=link)
            line, taken, empty = [Span(" " * indent)], indent, True
        if not empty:
            line.append(Span(" · ", "faint"))
            taken += 3
        line.append(span)
        taken += size
        empty = False
    yield Row(tuple(line), link=link)
