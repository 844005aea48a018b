"""What a record says about a move of a currency pair: which cause, whose act, and whether it fits the direction.

A record speaks for a cause only if the act is that of one of the two currencies or of the whole world, and only if it
does not push the other way. An act of another country's bank says nothing about the pair, however official.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from agents.investigation.dates.timing import currency_day, foretold, timing
from agents.investigation.models import Anchor, Record
from agents.investigation.moves.currencies import Currency, Pair, currencies, of_host
from agents.investigation.readings.causes import (
    Cause,
    Reading,
    causes_in,
    data_direction,
    mood,
    named,
    policy_direction,
    says,
    stance,
)
from agents.investigation.readings.intervention_titles import period, reports_none
from agents.investigation.readings.ranks import is_commentary, standing

_MARKETS: Final = re.compile(
    r"\b(?:currenc\w+|dollar|gold|bonds?|yields?|oil|stocks?|shares|markets?|wall street|havens?"
    r"|risk|treasuries|investors|traders)\b",
    re.I,
)
_PROJECTION: Final = re.compile(
    r"\b(?:projection|brokers?|current[- ]account balances?|central bank accounts|money market estimates)\b", re.I
)
_TREASURY: Final = re.compile(r"\btreasury\b|\b(?:ministry of finance|finance ministry)\b", re.I)
_DECISION: Final = re.compile(
    r"\b(?:statement|decisions?|announce\w*|introduc\w*|expan\w*|chang\w*|guideline|operations?|measures?|purchases?|"
    r"rates?|framework|facility|swap|liquidity|meeting)\b",
    re.I,
)
"""What a bank calls a decision, so that its statistics are none."""
_BECAUSE: Final = re.compile(r"\b(?:as|after|on|amid|following|over)\b|;", re.I)
"""Words before the reason that a headline gives."""
_SWUNG: Final = re.compile(r"\b(?:swing\w*|swung|whipsaw\w*|see-?saw\w*|gyrat\w*|choppy|wild\w*|round trip)\b", re.I)
"""Words for a move that went both ways."""
_FORECAST: Final = re.compile(r"\b(?:forecasts?|brokers?|expected|estimates?|predicted)\b", re.I)
_RECORD: Final = re.compile(r"\bintervention operations?\b|\bintervention record\b", re.I)
_BUYS: Final = r"(?:bought|buys?|buying|purchases?|support(?:s|ed)?)"
_SELLS: Final = r"(?:sold|sells?|selling|dump(?:s|ed|ing))"


def read(record: Record, pair: Pair, anchor: Anchor) -> Reading | None:
    """The reading of a record; None where it says nothing about a cause of this move."""
    text = record.text
    if record.published_at is None and record.effective is None and is_commentary(record):
        return None
    if _is_beside_the_point(record, anchor):
        return None
    spoken = stance(text)
    if spoken in ("expectation", "no comment"):
        return None
    for cause in causes_in(text):
        actor = _actor(cause, record, pair)
        if actor is not None:
            return _reading(record, pair, anchor, cause, actor, spoken)
    unworded = _unworded(record, pair, anchor)
    if unworded is None or (actor := _actor(unworded, record, pair)) is None:
        return None
    return _reading(record, pair, anchor, unworded, actor, spoken)


def _is_beside_the_point(record: Record, anchor: Anchor) -> bool:
    """Whether it is an official figure that says nothing of this move: a record of interventions of another period or
    from before the move, or a projection of current accounts without the forecasts that it has to be set against."""
    if standing(record) != "official":
        return False
    if _RECORD.search(record.title) and foretold(record, anchor):
        return True
    if _RECORD.search(record.title) and record.effective is None and (covered := period(record.title)) is not None:
        return not covered[0] <= currency_day(anchor.onset_at) <= covered[1]
    return _PROJECTION.search(record.title) is not None and _FORECAST.search(record.text) is None


def _unworded(record: Record, pair: Pair, anchor: Anchor) -> Cause | None:
    """What a record reports whose words are in no list: an act of the bank or treasury that published it, an act of a
    bank that its title names beside this move, or else a reason its title gives for this move."""
    title = record.title
    official = standing(record) == "official"
    if official and _DECISION.search(title) and any(leg.bank.search(record.source) for leg in pair.legs):
        return named("policy")
    if official and _TREASURY.search(record.source):
        return named("fiscal")
    tells = pair.stated(title) == {"up": 1, "down": -1, "both": 0}[anchor.direction] != 0
    if anchor.direction == "both":
        tells = _SWUNG.search(title) is not None and any(leg.named_in(title) for leg in pair.legs)
    if not tells:
        return None
    if any(leg.bank.search(title) for leg in pair.legs):
        return named("policy")
    return named("reason") if _BECAUSE.search(title) else None


def _reading(record: Record, pair: Pair, anchor: Anchor, cause: Cause, actor: Currency | str, spoken: str) -> Reading:
    key, topic = titled(cause, actor)
    stated = pair.stated(record.text)
    sign = {"up": 1, "down": -1, "both": 0}[anchor.direction]
    supports, why = True, ""
    pushes = 0 if spoken == "warning" else _pushes(cause, record.text, pair, actor)
    if cause.name == "policy" and timing(record.published_at, record.precision, anchor) in ("overlap", "lead"):
        pushes = 0  # with the move itself the surprise counts, which the words of a decision do not tell
    if spoken == "denial":
        supports, why = False, "a denial"
    elif cause.name == "intervention" and _RECORD.search(record.title) and reports_none(record.title):
        supports, why = False, "the record of the period has no operation"
    elif sign and stated:
        supports = stated == sign
        why = "tells of this move" if supports else "tells of a move the other way"
    elif sign and pushes:
        supports = pushes == sign
        why = "fits the direction" if supports else "would push the other way"
    return Reading(
        record=record,
        hypothesis=key,
        cause_type=cause.type,
        topic=topic,
        supports=supports,
        own_act=_own_act(cause, record, actor),
        indirect=cause.name == "intervention" and _PROJECTION.search(record.text) is not None,
        linked=supports and bool(stated),
        act=spoken == "report",
        why=why or spoken,
    )


def _actor(cause: Cause, record: Record, pair: Pair) -> Currency | str | None:
    """Whose act it would be; None where it concerns neither currency of the pair."""
    text = _with_address(record)
    if cause.scope == "leg":
        named = [leg for leg in pair.legs if leg.named_in(text)]
        foreign = [leg for leg in named if leg.code != "USD"]
        return next(iter(foreign or named), None)
    if cause.scope == "bank":
        return _bank(record, text, pair)
    if cause.scope in ("country", "data"):
        return _country(record, text, pair)
    if cause.scope == "vote":
        return "world"
    concerned = currencies().values() if cause.name == "vote" else pair.legs
    touches = any(one.named_in(text) for one in concerned) or _MARKETS.search(record.text)
    return "world" if touches else None


def _bank(record: Record, text: str, pair: Pair) -> Currency | None:
    """The central bank that acts: the publisher itself, else the first one named, else that of the country named."""
    known = currencies().values()
    publisher = next((one for one in known if one.bank.search(record.source)), None)
    if publisher is None:
        places = [(found.start(), one) for one in known if (found := one.bank.search(text))]
        publisher = min(places, key=lambda place: place[0])[1] if places else None
    if publisher is None:
        official = standing(record) == "official"
        among = tuple(known) if official else pair.legs
        publisher = next((one for one in among if one.country.search(text)), None)
        publisher = publisher or next((leg for leg in pair.legs if not official and leg.money.search(text)), None)
    return publisher if publisher in pair.legs or (publisher and publisher.code == "USD") else None


def _country(record: Record, text: str, pair: Pair) -> Currency | None:
    """The country whose figure or budget it is: by the publisher, else by the first one the title names."""
    of_source = next((one for one in currencies().values() if one.country.search(record.source)), None)
    if of_source is None and standing(record) == "official" and urlsplit(record.url).hostname:
        of_source = of_host(urlsplit(record.url).hostname or "")
    if of_source is not None and standing(record) == "official":
        return of_source if of_source in pair.legs or of_source.code == "USD" else None
    named = [(found.start(), one) for one in currencies().values() if (found := one.country.search(text))]
    if named:
        first = min(named, key=lambda place: place[0])[1]
        return first if first in pair.legs or first.code == "USD" else None
    return next((leg for leg in pair.legs if leg.code == "USD"), None)


def _with_address(record: Record) -> str:
    """The text, and the words of the address, which often name the subject that a headline leaves out."""
    return f"{record.text}\n{record.source}\n{re.sub(r'[-_/.]+', ' ', urlsplit(record.url).path)}"


def titled(cause: Cause, actor: Currency | str) -> tuple[str, str]:
    """(key, title) of the hypothesis."""
    if isinstance(actor, str):
        return f"{cause.type}/{cause.name}", cause.title
    if cause.name == "intervention":
        return f"{cause.type}/{actor.code.lower()}", f"Currency intervention ({actor.ministry})"
    if cause.name == "policy":
        return f"{cause.type}/{actor.bank_key}", f"{actor.bank_name}: monetary policy"
    title = cause.title[0].lower() + cause.title[1:]
    return f"{cause.type}/{actor.code.lower()}_{cause.name}", f"{actor.adjective} {title}"


def _pushes(cause: Cause, text: str, pair: Pair, actor: Currency | str) -> int:
    """Which way the act itself would push the pair; 0 where that is open."""
    if cause.scope == "world" and cause.name != "liquidity":
        return mood(text) * pair.calmer()
    if isinstance(actor, str):
        return 0
    if cause.name == "intervention":
        return pair.sign(actor, _bought(text, actor))
    if cause.name == "policy":
        return pair.sign(actor, policy_direction(text))
    return pair.sign(actor, data_direction(text)) if cause.scope == "data" else 0


def _bought(text: str, actor: Currency) -> int:
    """Whether the authorities bought (1) or sold (-1) their own currency; 0 where the text does not say."""
    money = actor.money.pattern
    bought = re.search(
        rf"{_BUYS} (?:\w+ )?(?:{money})|(?:{money})[- \w]{{0,10}}?(?:\(bought\)|buying|purchases)", text, re.I
    )
    sold = re.search(rf"{_SELLS} (?:\w+ )?(?:{money})|(?:{money})[- \w]{{0,10}}?(?:\(sold\)|selling)", text, re.I)
    if "dollar bids" in text.lower() or re.search(rf"{_BUYS} (?:us )?dollars?\b", text, re.I):
        return -1
    return 0 if bool(bought) == bool(sold) else 1 if bought else -1


def _own_act(cause: Cause, record: Record, actor: Currency | str) -> bool:
    """Whether the publisher is the actor: only the ministry records interventions, only the bank its decisions."""
    if standing(record) != "official":
        return False
    if cause.name == "intervention":
        return _RECORD.search(record.text) is not None and not says("no_comment", record.text)
    if cause.name == "policy":
        return isinstance(actor, str) or actor.bank.search(record.source) is not None
    return True
