"""A card as three lines of text. Pure: a narrow feed loses its least important columns, and no number is ever cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from types import MappingProxyType

from app.ui.format import (
    DIRECTION_ROLE,
    DIRECTION_SIGN,
    DOUBT_WORD,
    URGENCY_ROLE,
    bar,
    card_time,
    impact_role,
    score,
    short_score,
    words,
)
from app.ui.line import Line, Role, Span, fit, left, said, spread, width
from storage.models import Card, CardTicker

GUTTER = 3
HELD_SIGN, WATCHED_SIGN = "◆", "◇"
NOBODY: Mapping[str, bool] = MappingProxyType({})
BAR_CELLS = 10
_BADGE_CELLS = 7
_TIME_CELLS = 6
_EVENT_CELLS = 17
_TICKER_GAP = "   "


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns of the first line are shown, and how wide the bar is (0: none)."""

    confidence: bool
    event: bool
    outlets: bool
    agents: bool
    bar: int


def columns(cells: int) -> Columns:
    """The columns that fit a feed of that width; the first to go is the bar, the last the event."""
    return Columns(
        event=cells >= 42,
        outlets=cells >= 48,
        confidence=cells >= 56,
        agents=cells >= 62,
        bar=BAR_CELLS if cells >= 72 else 5 if cells >= 66 else 0,
    )


def watch_sign(symbol: str, watchlist: Mapping[str, bool]) -> Line:
    """What stands before a symbol one watches."""
    held = watchlist.get(symbol)
    return () if held is None else (Span(HELD_SIGN if held else WATCHED_SIGN, "strong"),)


def accent(card: Card) -> Role:
    """The one colour of a card."""
    return URGENCY_ROLE[card.urgency] if card.urgency else "fyi"


def card_lines(
    card: Card,
    cells: int,
    now: datetime,
    zone: tzinfo | None,
    *,
    selected: bool = False,
    watchlist: Mapping[str, bool] = NOBODY,
) -> tuple[Line, Line, Line]:
    """The three lines of `card` in `cells` cells: figures, title, tickers and source.

    The edge of a selected card is twice as wide, which can be seen without colours too. A ticker of the `watchlist`
    has a sign before it, a full one where it is held.
    """
    room = max(cells - GUTTER - 1, 0)
    edge = Span("█" if selected else "▌", accent(card))
    star = Span("★" if card.starred else " ", "note")
    dot = Span(" " if card.read else "•", accent(card))
    return (
        (edge, Span(" "), *_badge(card), *_figures(card, cells, now, zone)),
        (edge, dot, Span(" "), _title(card, room)),
        (edge, star, Span(" "), *_links(card, room, watchlist)),
    )


def time_of(card: Card, now: datetime, zone: tzinfo | None) -> str:
    """The time of a card in six cells, marked where it is the arrival because the publisher's own is in doubt.

    History without a credible time has none: the day it is sorted under is a place in the list, not a time.
    """
    if card.published.doubt is None:
        return card_time(card.at, now, zone)
    if card.at < card.first_seen_at:
        return "—"
    time = card_time(card.at, now, zone)
    return f"{time}?" if len(time) < _TIME_CELLS else time


def _badge(card: Card) -> Line:
    word = card.urgency.value if card.urgency else "·"
    if card.urgency == "FLASH":
        return (Span(f" {word} ", "badge"), Span(" "))
    return (Span(left(f" {word}", _BADGE_CELLS) + " ", accent(card) if card.urgency else "muted"),)


def _figures(card: Card, cells: int, now: datetime, zone: tzinfo | None) -> Line:
    shown = columns(cells)
    line: list[Span] = [
        Span(left(time_of(card, now, zone), _TIME_CELLS) + " ", "warn" if card.published.doubt else "muted")
    ]
    if card.impact_score is None:
        line.append(Span("unscored" if card.scored_at else "scoring…", "soft"))
    else:
        line.append(Span(score(card.impact_score), impact_role(card.impact_score)))
        if shown.bar:
            line += [Span(" "), *bar(card.impact_score, shown.bar, impact_role(card.impact_score))]
        if shown.confidence and card.confidence_score is not None:
            line.append(Span(f"  c{score(card.confidence_score)}", "soft"))
        if shown.event:
            line.append(Span(f"  {_kind(card)}", accent(card) if card.event_type else "soft"))
    taken = 1 + 1 + _BADGE_CELLS + 1
    return spread(tuple(line), _reach(card, shown), cells - taken - 1, gap=1)


def _kind(card: Card) -> str:
    name = card.event_type or card.signal_type
    return fit(words(name), _EVENT_CELLS) if name else ""


def _reach(card: Card, shown: Columns) -> Line:
    """How many outlets carry it and how many agents judged it, in fixed cells so that both line up."""
    spans: list[Span] = []
    if shown.outlets:
        spans.append(Span(f"×{card.outlets}".rjust(3) if card.outlets > 1 else "   ", "soft"))
    if card.degraded and card.agents_ok:
        spans.append(Span(f"  {card.agents_ok}/5", "warn"))
    elif shown.agents:
        spans.append(Span(f"  {card.agents_ok}/5" if card.impact_score is not None else "     ", "muted"))
    return tuple(spans)


def _title(card: Card, room: int) -> Span:
    title = said(card.title) or "(no title)"
    if card.change == "withdrawn":
        return Span(fit(title, room), "muted")
    if card.urgency in ("FLASH", "ALERT"):
        return Span(fit(title, room), "text" if card.read else "title")
    if card.urgency == "NOTE":
        return Span(fit(title, room), "soft" if card.read else "strong")
    return Span(fit(title, room), "muted" if card.read else "soft")


def marks(card: Card) -> list[tuple[str, Role]]:
    """What a reader must know beside the score, in words."""
    found: list[tuple[str, Role]] = []
    if card.change:
        found.append((card.change, "warn"))
    if card.published.doubt:
        found.append((DOUBT_WORD[card.published.doubt], "warn"))
    if card.degraded:
        found.append(("degraded", "warn"))
    if card.muted:
        found.append(("muted", "muted"))
    if card.provisional:
        found.append(("provisional", "soft"))
    return found


def _links(card: Card, room: int, watchlist: Mapping[str, bool]) -> Line:
    notes = marks(card)
    source = said(card.source_name)
    noted = sum(len(text) + 3 for text, _ in notes)
    linked = sorted(card.tickers, key=lambda one: one.symbol not in watchlist) if watchlist else card.tickers
    tickers = _tickers(linked, room - noted - min(len(source), 12) - 2, watchlist)
    free = room - width(tickers) - noted - (2 if tickers else 0)
    end: list[Span] = []
    for text, role in notes:
        end += [Span(text, role), Span(" · ", "faint")]
    end.append(Span(fit(source, max(free, 0)), "muted"))
    return spread(tickers, tuple(end), room)


def _tickers(tickers: Sequence[CardTicker], room: int, watchlist: Mapping[str, bool]) -> Line:
    """As many tickers as fit whole, strongest first, their link type while there is room; then how many are left."""
    for with_link in (True, False):
        for shown in range(len(tickers), 0, -1):
            line = _ticker_line(tickers, shown, watchlist, with_link=with_link)
            if width(line) <= room:
                return line
            if with_link and shown <= 2:
                break
    return ()


def _ticker_line(tickers: Sequence[CardTicker], shown: int, watchlist: Mapping[str, bool], *, with_link: bool) -> Line:
    spans: list[Span] = []
    for index, ticker in enumerate(tickers[:shown]):
        spans += [
            Span(_TICKER_GAP if index else ""),
            *watch_sign(ticker.symbol, watchlist),
            Span(said(ticker.symbol, limit=20) + " ", "symbol"),
            Span(DIRECTION_SIGN[ticker.direction], DIRECTION_ROLE[ticker.direction]),
            Span(short_score(ticker.impact_score), "soft"),
        ]
        if with_link:
            spans.append(Span(f" {ticker.link_type}", "muted"))
    if hidden := len(tickers) - shown:
        spans.append(Span(f"{_TICKER_GAP}+{hidden}", "muted"))
    return tuple(spans)
