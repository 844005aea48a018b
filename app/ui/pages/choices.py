"""What a filter can be made of, as rows: the parts of it, and the choices of one part. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias, get_args

from agents.models import AGENT_NAMES, FlashEvent, SignalType, Urgency
from app.ui.filter_words import since_words
from app.ui.format import span_of, words
from app.ui.line import Span, fit, left, said
from app.ui.pages.page import GAP, Row, View
from storage.models import Card, CardFilter, Since

Part: TypeAlias = Literal["urgencies", "tickers", "sources", "kinds", "agents", "since"]
PARTS: dict[Part, str] = {
    "urgencies": "urgency",
    "since": "time",
    "tickers": "ticker",
    "kinds": "kind of event",
    "sources": "source",
    "agents": "decided by",
}
SPANS = tuple(timedelta(minutes=minutes) for minutes in (15, 60, 240, 1_440, 10_080))
LABEL = 16


@dataclass(frozen=True, slots=True)
class Offer:
    """What there is to choose from besides what the program knows by itself."""

    card: Card | None = None
    sources: Sequence[str] = ()
    watchlist: Mapping[str, bool] | None = None


def part_rows(filter: CardFilter, view: View) -> list[Row]:
    """The parts of a filter and what each restricts to now."""
    rows = [Row((Span("Show only", "title"),)), GAP]
    for part, name in PARTS.items():
        chosen = getattr(filter, part)
        told = "any"
        if isinstance(chosen, Since):
            told = since_words(chosen, view.now, view.zone)
        elif chosen:
            told = ", ".join(named(part, one) for one in in_order(part, chosen))
        line = (
            Span(left(name, LABEL), "muted"),
            Span(fit(told, max(view.cells - LABEL - 2, 4)), "strong" if chosen else "soft"),
        )
        rows.append(Row(line, opens=part))
    return rows


def choice_rows(part: Part, filter: CardFilter, offer: Offer, view: View) -> list[Row]:
    """The choices of one part, those in force marked; a row opens as its place in `choices`."""
    rows = [Row((Span(PARTS[part].capitalize(), "title"), Span("  enter takes one, or lets it go", "muted"))), GAP]
    chosen = getattr(filter, part)
    for place, one in enumerate(choices(part, filter, offer)):
        on = chosen is not None and (one == chosen.span if isinstance(chosen, Since) else one in chosen)
        mark = Span("✓ " if on else "  ", "good")
        name = fit(named(part, one), max(view.cells - 4, 4))
        rows.append(Row((mark, Span(name, "strong" if on else "text")), opens=str(place)))
    if len(rows) == 2:
        rows.append(Row((Span(_NOTHING[part], "muted"),)))
    return rows


def choices(part: Part, filter: CardFilter, offer: Offer) -> list[Any]:
    """What may be chosen of a part: what is in force and what the selected card has come first."""
    card = offer.card
    match part:
        case "urgencies":
            return list(Urgency)
        case "since":
            return list(SPANS)
        case "agents":
            return list(AGENT_NAMES)
        case "kinds":
            first = [card.event_type or card.signal_type] if card else []
            return _unique([*sorted(filter.kinds), *first, *get_args(FlashEvent), *get_args(SignalType)])
        case "sources":
            return _unique([*sorted(filter.sources), *([card.source_name] if card else []), *offer.sources])
        case "tickers":
            of_card = [one.symbol for one in card.tickers] if card else []
            return _unique([*sorted(filter.tickers), *of_card, *sorted(offer.watchlist or ())])


def toggled(filter: CardFilter, part: Part, one: Any, now: datetime) -> CardFilter:
    """The filter with one choice taken, or let go where it was in force."""
    if part == "since":
        again = filter.since is not None and filter.since.span == one
        return replace(filter, since=None if again else Since(one, now - one))
    return replace(filter, **{part: getattr(filter, part) ^ {one}})


def named(part: Part, one: Any) -> str:
    """A choice as a person reads it."""
    match part:
        case "urgencies":
            return str(one.value)
        case "since":
            return f"the last {span_of(one.total_seconds())}"
        case "kinds":
            return words(one)
    return said(str(one), limit=60)


def in_order(part: Part, chosen: frozenset[Any]) -> list[Any]:
    """What is chosen, in the order a person expects."""
    known: Sequence[Any] = {"urgencies": tuple(Urgency), "agents": AGENT_NAMES}.get(part, ())
    return [one for one in known if one in chosen] or sorted(chosen)


def _unique(found: list[Any]) -> list[Any]:
    return [one for one in dict.fromkeys(found) if one]


_NOTHING: dict[Part, str] = {
    "tickers": "the selected card has no ticker, and there is no watchlist; / finds a symbol as $NVDA",
    "sources": "no feed has answered yet",
}
