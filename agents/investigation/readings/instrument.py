"""What a record says about a move of a commodity, an index, a yield or a coin.

A record counts if it names the instrument and reports a cause, or if it is itself an act of the bank, the statistical
office or the government whose acts move it. A record that tells of a move the other way speaks against its cause.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from agents.investigation.models import Anchor, Case, Record
from agents.investigation.moves.currencies import Currency, currencies, of_host
from agents.investigation.moves.instruments import Instrument
from agents.investigation.readings.causes import Cause, Reading, causes_in, company_causes, named, stance
from agents.investigation.readings.currency import titled
from agents.investigation.readings.known import Known, legal
from agents.investigation.readings.ranks import is_commentary, standing

_BECAUSE: Final = re.compile(r"\b(?:as|after|on|amid|following|over)\b|;", re.I)
"""Words before the reason that a headline gives."""


def read(record: Record, case: Case, traded: Instrument, anchor: Anchor) -> Reading | None:
    """The reading of a record; None where it says nothing about a cause of this move."""
    spoken = stance(record.text)
    if spoken in ("expectation", "no comment"):
        return None
    if record.published_at is None and record.effective is None and is_commentary(record):
        return None
    found = _cause(record, case, traded)
    if found is None:
        return None
    sign = {"up": 1, "down": -1, "both": 0}[anchor.direction]
    stated = traded.stated(record.text)
    against = spoken == "denial" or bool(sign and stated and stated != sign)
    tells = "tells of a move the other way" if stated and stated != sign else "tells of this move"
    return Reading(
        record=record,
        hypothesis=found.key,
        cause_type=found.cause_type,
        topic=found.title,
        supports=not against,
        own_act=standing(record) == "official" and found.cause is not None and _publishes(record, found.actor),
        linked=not against and bool(stated),
        act=spoken == "report",
        why="a denial" if spoken == "denial" else tells if sign and stated else spoken,
    )


def _cause(record: Record, case: Case, traded: Instrument) -> Known | None:
    """The cause it reports: one of the world, the act of a bank or the figure of an office, a legal one, or the reason
    that its title gives for the move."""
    about = traded.named_in(record.text) or case.symbol in record.tickers
    official = standing(record) == "official"
    for cause in causes_in(record.text):
        if cause.scope == "leg" or not (about or official):
            continue
        whose = None if cause.scope in ("world", "vote") else _actor(record, traded)
        if whose is not None or cause.scope in ("world", "vote"):
            return _known(cause, whose)
    if not about:
        return None
    if any(kind == "legal_regulatory" and pattern.search(record.title) for kind, _, pattern in company_causes()):
        return legal(case, traded)
    gives_a_reason = traded.stated(record.title) and _BECAUSE.search(record.title)
    return _known(named("reason"), None) if gives_a_reason else None


def _known(cause: Cause, whose: Currency | None) -> Known:
    key, title = titled(cause, whose or "world")
    return Known(key, cause.type, title, cause, whose)


def _actor(record: Record, traded: Instrument) -> Currency | None:
    """Whose bank or figure it is: the publisher's, else that of the first country or bank named, else the home's; None
    where it is none that moves the instrument."""
    every = currencies().values()
    if standing(record) == "official":
        host = of_host(urlsplit(record.url).hostname or "") if record.url else None
        publisher = next((one for one in every if _publishes(record, one)), host)
        return publisher if publisher in traded.homes else None
    places = [
        (found.start(), one)
        for one in every
        for found in (one.bank.search(record.text), one.country.search(record.text))
        if found
    ]
    first = min(places, key=lambda place: place[0])[1] if places else traded.homes[0]
    return first if first in traded.homes else None


def _publishes(record: Record, whose: Currency | None) -> bool:
    """Whether the publisher is the bank or an office of the currency's home; anybody's for a cause of the world."""
    if whose is None or whose.bank.search(record.source) or whose.country.search(record.source):
        return True
    return bool(record.url) and of_host(urlsplit(record.url).hostname or "") == whose
