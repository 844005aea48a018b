"""What a record says about a move of a stock: only records that name the company count, whatever else happened.

A stock move without a record that names the company has no named cause, and the answer says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from agents.analysts.rules.events import FLASH, KINDS, find
from agents.analysts.rules.traits import traits
from agents.investigation.models import Anchor, Case, CauseType, Record
from agents.investigation.readings.causes import Reading, company_causes, is_opinion, shares_went
from agents.investigation.readings.ranks import standing


class Named(Protocol):
    """A company found in a text."""

    @property
    def symbol(self) -> str: ...

    @property
    def start(self) -> int: ...


class Companies(Protocol):
    """Finds companies in texts; `feeds.symbols.table.SymbolTable` is one."""

    def mentions(self, text: str, *, extra: Mapping[str, tuple[str, ...]] | None = None) -> Sequence[Named]: ...

    def reported(self, symbol: str) -> str: ...

    def name(self, symbol: str) -> str: ...

    def known(self, symbol: str) -> bool: ...


_SIGNALS: Final[dict[str, CauseType]] = {
    "earnings": "earnings",
    "guidance_change": "guidance",
    "m_and_a": "m_and_a",
    "supply_chain": "supply_chain",
}
_EVENTS: Final[dict[str, CauseType]] = {
    "fraud": "legal_regulatory",
    "regulatory_action": "legal_regulatory",
    "tariffs": "trade_policy",
    "export_ban": "trade_policy",
    "earnings_shock": "earnings",
}


_PAUSED: Final = re.compile(
    r"\btrading\b[^.;:\n]{0,40}?\b(?:halt\w*|paus\w*|suspen\w*)|\bhalts? trading\b"
    r"|\b(?:shares|stock)\b[^.;:\n]{0,30}?\b(?:halted|suspended)\b|\bhalt(?:ed)?\b.{0,20}\bnews pending\b",
    re.I,
)
_BY_THE_PRICE: Final = re.compile(
    r"\bvolatilit\w+|\bLUD[PS]\b|\bLULD\b|\bcircuit breaker|\blimit[- ](?:up|down)\b|\bstock trading pause", re.I
)
"""A pause that the move itself set off is no cause of it."""
_BY_A_REGULATOR: Final = re.compile(
    r"\bsuspended by\b|\bregulatory concern|\bnot (?:compliant|current)\b|\badditional information\b", re.I
)
"""Such a halt is an act. One for pending news only says that news is coming, and is no cause either."""


def read(record: Record, case: Case, companies: Companies, anchor: Anchor) -> Reading | None:
    """The reading of a record; None where it does not name the company."""
    place = _place(record, case, companies)
    if place is None:
        return None
    text = record.text
    cause, topic = _cause(text)
    paused = _PAUSED.search(text) is not None
    if paused and (_BY_THE_PRICE.search(text) or (cause == "other" and not _BY_A_REGULATOR.search(text))):
        return None
    stated = shares_went(text)
    sign = {"up": 1, "down": -1, "both": 0}[anchor.direction]
    subject = place < max(20, len(record.title) // 3)
    against = bool(sign and stated and stated != sign and subject)
    return Reading(
        record=record,
        hypothesis=f"{cause}/{case.symbol.lower()}",
        cause_type=cause,
        topic=f"{topic}: {companies.name(case.symbol)}",
        supports=not against,
        own_act=standing(record) in ("official", "company"),
        linked=bool(stated and stated == sign),
        act=subject and not _is_opinion(text),
        why="tells of a move the other way" if against else "named first" if subject else "named in passing",
    )


def commentary(text: str) -> bool:
    """Whether a text that names the company is opinion rather than a report."""
    return _is_opinion(text)


def _is_opinion(text: str) -> bool:
    return is_opinion(text) or "opinion" in traits(text)


def _place(record: Record, case: Case, companies: Companies) -> int | None:
    """Where the company is first named; 0 where the publisher attached its symbol; None where it is not named."""
    wanted = companies.reported(case.symbol)
    extra = {case.symbol: case.names} if case.names else None
    for mention in companies.mentions(record.text, extra=extra):
        if companies.reported(mention.symbol) == wanted:
            return mention.start
    return 0 if any(companies.reported(symbol) == wanted for symbol in record.tickers) else None


def _cause(text: str) -> tuple[CauseType, str]:
    """The kind of cause a text about a company reports, the title before the rest."""
    title = text.partition("\n")[0]
    for part in (title, text):
        for cause, name, pattern in company_causes():
            if pattern.search(part):
                return cause, name
    for found in find(text, (*FLASH, *KINDS)):
        known = _EVENTS.get(found.pattern.event or "") or _SIGNALS.get(found.pattern.signal)
        if known:
            return known, next((name for cause, name, _ in company_causes() if cause == known), "Company news")
    return "other", "Company news"
