"""What a mute covers. Pure; the list itself is kept by `storage.mutes`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from agents.models import FLASH_EVENTS, SIGNAL_TYPES, Signal
from feeds.models import Item
from storage.alerts import Mute
from storage.models import Card

LONGEST = timedelta(days=31)
_UNITS = {"m": 60, "h": 3600, "d": 86_400}


@dataclass(frozen=True, slots=True)
class Subject:
    """What an item or a card is about, as far as a mute is concerned. `tickers` are (symbol, link type)."""

    story_id: str
    sources: frozenset[str]
    tickers: tuple[tuple[str, str], ...]
    events: frozenset[str]

    @property
    def symbols(self) -> frozenset[str]:
        """The symbols it is directly about; those it touches where it names none directly."""
        direct = frozenset(symbol for symbol, link in self.tickers if link == "direct")
        return direct or frozenset(symbol for symbol, _ in self.tickers)


def subject_of(item: Item, signal: Signal) -> Subject:
    """The subject of a scored item."""
    total = signal.synthesis
    linked = tuple((one.symbol, one.link_type) for one in total.tickers_linked) if total else ()
    events = (total.event_type, total.signal_type) if total else ()
    return Subject(
        item.story_id, _names(item.source_id, item.source_name, item.outlet), linked, frozenset(filter(None, events))
    )


def subject_of_card(card: Card) -> Subject:
    """The subject of a card."""
    return Subject(
        card.story_id,
        _names(card.source_name),
        tuple((one.symbol, one.link_type) for one in card.tickers),
        frozenset(filter(None, (card.event_type, card.signal_type))),
    )


def muting(subject: Subject, mutes: Iterable[Mute], now: datetime) -> tuple[Mute, ...]:
    """The mutes that silence `subject` at `now`; empty where it may be heard.

    News of several companies is silent only where every company it is directly about is muted: a miss costs more than
    an alert too many.
    """
    active = [one for one in mutes if now < one.until]
    for one in active:
        if _covers(one, subject):
            return (one,)
    tickers = {one.value: one for one in active if one.kind == "ticker"}
    symbols = subject.symbols
    return tuple(tickers[name] for name in sorted(symbols)) if symbols and symbols <= tickers.keys() else ()


def _covers(mute: Mute, subject: Subject) -> bool:
    match mute.kind:
        case "source":
            return mute.value.casefold() in subject.sources
        case "story":
            return mute.value == subject.story_id
        case "event":
            return mute.value in subject.events
        case _:
            return False


def _names(*names: str) -> frozenset[str]:
    return frozenset(name.casefold() for name in names if name)


def duration(text: str) -> timedelta | None:
    """How long a person means by "90", "30m", "2h", "1h30m" or "3d" (a bare number is minutes); None for what is not
    understood or is longer than a month."""
    if text.isascii() and text.isdigit():
        text += "m"
    if re.fullmatch(r"(?:\d{1,5}[mhd])+", text) is None:
        return None
    seconds = sum(int(number) * _UNITS[unit] for number, unit in re.findall(r"(\d+)([mhd])", text))
    wanted = timedelta(seconds=seconds)
    return wanted if timedelta(0) < wanted <= LONGEST else None


EVENT_NAMES: tuple[str, ...] = (*FLASH_EVENTS, *SIGNAL_TYPES)
"""What may be muted as an event."""
