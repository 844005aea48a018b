"""Which companies an item touches, how strongly and in which direction, as links that code can check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agents.analysts.rules.reading import Reading
from agents.analysts.rules.roles import BUYER
from agents.analysts.rules.tone import tone
from agents.models import Direction, FlashEvent, LinkType, TickerLink
from feeds.symbols.table import Mention

_DEEP: Final = 160
"""Characters after which a name beside others is only one of a list."""
_HARM: Final[frozenset[FlashEvent]] = frozenset(
    {"bankruptcy", "fraud", "regulatory_action", "trading_halt", "sanctions", "export_ban"}
)
"""Events that harm whom they befall, in whatever words."""
_MARKED: Final = ("cashtag", "exchange", "symbol", "watchlist")


def direction(reading: Reading, event: FlashEvent | None = None) -> Direction:
    """Where the item pushes the company it is about."""
    named = reading.named
    role = reading.roles.get(named.symbol) if named is not None else None
    return role.direction if role is not None else _told(reading, event)


def _told(reading: Reading, event: FlashEvent | None) -> Direction:
    """Where the item as a whole points, whoever it is about; a question points nowhere."""
    if event is not None and event in _HARM:
        return "down"
    if "question" in reading.traits or "denied" in reading.traits:
        return "unclear"
    return _sign(reading.tone + 0.3 * reading.surprise)


def _sign(value: float) -> Direction:
    return "up" if value > 0.15 else "down" if value < -0.15 else "unclear"


def direct_links(reading: Reading, impact: float, event: FlashEvent | None = None) -> tuple[TickerLink, ...]:
    """The companies the text names; one that is only named in passing, or in a round-up, is linked weakly."""
    links = []
    for mention in reading.mentions:
        if mention.quoted or _far(reading, mention):
            continue
        weak = not mention.about or "round-up" in reading.traits
        role = reading.roles.get(mention.symbol) if "question" not in reading.traits else None
        buyer = not weak and role is not None and role.label == BUYER
        place = ", beside another name" if mention.beside else ", named in passing" if not mention.about else ""
        links.append(
            TickerLink(
                mention.symbol,
                hundredth(impact * (0.6 if weak else 0.75 if buyer else 1.0)),
                "chain" if mention.beside else "direct",
                role.direction if role else "unclear" if weak else _pushed(reading, mention, event),
                f"{mention.reason}{place}{f', {role.label}' if role else ''}",
            )
        )
    return tuple(links)


def _pushed(reading: Reading, mention: Mention, event: FlashEvent | None) -> Direction:
    """Where a company without a role is pushed: by the whole item if it is the only one, else by its own part of it."""
    if _is_takeover(reading) and any(role.label == BUYER for role in reading.roles.values()):
        return "up"
    if len(set(reading.parts.values())) <= 1 and (not mention.end or mention.symbol in reading.parts):
        return "up" if _is_takeover(reading) else _told(reading, event)
    first = reading.named
    if event is not None and first is not None and mention.symbol == first.symbol:
        return _told(reading, event)
    if "question" in reading.traits or "denied" in reading.traits:
        return "unclear"
    return _sign(tone(reading.parts.get(mention.symbol, ""))[0])


def _is_takeover(reading: Reading) -> bool:
    """Whether a whole company is bought or bid for: what is bought rises to the price offered."""
    matter = reading.matter("company")
    if matter is None or "denied" in reading.traits:
        return False
    return matter.matter.label == "takeover at a price"


def _far(reading: Reading, mention: Mention) -> bool:
    """Whether a name stands so deep in a text about others that it tells nothing of this company."""
    if mention.about or mention.start < _DEEP or mention.symbol in reading.watched:
        return False
    return mention.how not in _MARKED and len(reading.mentions) > 1


def further_links(
    symbols: Sequence[str], kind: LinkType, impact: float, towards: Direction, reason: str
) -> tuple[TickerLink, ...]:
    """Links to companies the text does not name."""
    return tuple(TickerLink(symbol, hundredth(impact), kind, towards, reason) for symbol in symbols)


def hundredth(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 2)
