"""How far a reading goes. Every engine's readings pass here before they become evidence, and what an engine may claim
of a record is held to what code reads in the same words: a model that obeys a record can make no fact.

hypothesis    one that code knows for the case, of that cause type; its title is code's. A reason in no list keeps its
              own title, in words of the record
own act       only where code reads the actor's own record of this very act: nothing else can be rank A, and an
              intervention is a fact by the ministry's row alone
official      a record of something else supports nothing and refutes nothing, nor does one that code reads the other
              way, unless it is a denial in words that code does not know
intervention  only in words that report one
a company     only where the record names it
orders        a record that gives orders to its reader counts only for what the rest of its words say to the rules
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from agents.investigation.models import Anchor, Case, Evidence, Record
from agents.investigation.moves.currencies import pair
from agents.investigation.moves.instruments import instrument
from agents.investigation.readings.causes import Reading, Refused, causes_in, company_causes, named, shares_went
from agents.investigation.readings.company import Companies
from agents.investigation.readings.known import Known, known_hypotheses
from agents.investigation.readings.ranks import standing
from agents.investigation.readings.rules_thinker import read_record
from agents.orders import without_orders
from feeds.documents.text import clean

OTHER: Final = "other/reason"
"""The hypothesis of a currency move for reasons that are in no list."""
TITLE: Final = 60
"""Longest title of such a reason, in characters."""
_NEGATION: Final = re.compile(
    r"\b(?:not|no|never|neither|without|den(?:y|ies|ied|ial)|rejects?|rejected)\b|n[’']t\b", re.I
)
"""One of these stands in a record that denies an act."""
_WORD: Final = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True)
class Claims:
    """Holds readings to the words of their records."""

    companies: Companies

    def held(
        self, readings: Iterable[Reading | Refused], case: Case, anchor: Anchor
    ) -> tuple[tuple[Reading, ...], tuple[Refused, ...]]:
        """(what counts of the readings, what does not and why). Rules are held by being what they are held to."""
        known = known_hypotheses(case, self.companies)
        kept: list[Reading] = []
        refused: list[Refused] = []
        for reading in readings:
            found = reading if isinstance(reading, Refused) else self._held(reading, known, case, anchor)
            if isinstance(found, Refused):
                refused.append(found)
            else:
                kept.append(found)
        return tuple(kept), tuple(refused)

    def _held(self, reading: Reading, known: dict[str, Known], case: Case, anchor: Anchor) -> Reading | Refused:
        record = reading.record
        by_rules = read_record(record, case, anchor, self.companies)
        if reading == by_rules:
            return reading
        plain, orders = without_its_orders(record)
        if orders:
            by_rules = read_record(plain, case, anchor, self.companies)
        hypothesis = known.get(reading.hypothesis)
        if hypothesis is None or hypothesis.cause_type != reading.cause_type:
            return _refused(record, f"{reading.cause_type} under {reading.hypothesis!r} is no hypothesis of this case")
        agrees = by_rules is not None and by_rules.hypothesis == hypothesis.key
        same_way = by_rules is not None and agrees and by_rules.supports == reading.supports
        if why := _against(reading, plain, hypothesis, by_rules, case):
            return _refused(record, why)
        if orders and not same_way:
            return _refused(record, "it gives orders, and the rest of its words does not say this")
        counted = replace(
            reading,
            topic=hypothesis.title,
            own_act=reading.own_act and same_way and by_rules is not None and by_rules.own_act,
            indirect=agrees and by_rules is not None and by_rules.indirect,
            linked=reading.supports and _tells_of_the_move(plain, case, anchor),
        )
        return _own_reason(counted, reading.topic, plain) if hypothesis.key == OTHER and reading.topic else counted


def without_its_orders(record: Record) -> tuple[Record, bool]:
    """The record as it may be shown to an engine, and whether text that gives orders was taken out of it."""
    text, orders = without_orders(record.text)
    _, by_name = without_orders(record.source)
    if not orders and not by_name:
        return record, False
    title, summary = text[: len(record.title)], text[len(record.title) + 1 :]
    source = "" if by_name else record.source
    return replace(record, title=" ".join(title.split()), summary=" ".join(summary.split()), source=source), True


def _against(reading: Reading, record: Record, hypothesis: Known, by_rules: Reading | None, case: Case) -> str:
    """Why code does not let a record count for a hypothesis; "" where it does."""
    if case.kind != "currency" and by_rules is None:
        return "it does not name the company" if case.kind == "stock" else f"it does not name {case.symbol}"
    if hypothesis.cause_type == "fx_intervention" and not _reports(record, hypothesis):
        return "its words report no intervention"
    if standing(record) not in ("official", "company"):
        return ""
    if by_rules is None or by_rules.hypothesis != hypothesis.key:
        return "" if _reports(record, hypothesis) else "an official record of something else"
    if by_rules.supports == reading.supports or (not reading.supports and _NEGATION.search(record.text)):
        return ""
    return "an official record that says the opposite"


def _reports(record: Record, hypothesis: Known) -> bool:
    """Whether the words of the record are those of the hypothesis' cause and, where it has one, its actor."""
    if hypothesis.cause is None:
        return any(
            kind == hypothesis.cause_type and pattern.search(record.text) for kind, _, pattern in company_causes()
        )
    actor = hypothesis.actor
    if actor is not None and not actor.named_in(f"{record.text}\n{record.source}"):
        return False
    return any(cause.name == hypothesis.cause.name for cause in causes_in(record.text))


def _tells_of_the_move(record: Record, case: Case, anchor: Anchor) -> bool:
    """Whether the text itself says that the price went the way it went."""
    sign = {"up": 1, "down": -1, "both": 0}[anchor.direction]
    of_pair = pair(case.symbol) if case.kind == "currency" else None
    traded = of_pair or (instrument(case.symbol) if case.kind == "other" else None)
    said = traded.stated(record.text) if traded else shares_went(record.text)
    return bool(said) and said == sign


def refuting_rank(one: Evidence, case: Case, anchor: Anchor, companies: Companies) -> Evidence:
    """Evidence that a second reading turned against another hypothesis, with the rank it refutes with: that of an
    official record or of market data only where code reads the same in its claim, else that of a report."""
    if one.rank not in ("A", "B"):
        return one
    said = Record(one.record, one.claim, "", one.source_url, one.source, one.published_at, one.precision)
    by_rules = read_record(said, case, anchor, companies)
    agrees = by_rules is not None and by_rules.hypothesis == one.hypothesis and not by_rules.supports
    return replace(one, rank="B" if agrees else "C")


def _own_reason(reading: Reading, title: str, record: Record) -> Reading | Refused:
    """The reading under a title of its own, which may only say what the record says."""
    title = clean(title, limit=TITLE)
    words = _WORD.findall(title.casefold())
    text = record.text.casefold()
    if not words or any(word not in text for word in words):
        return _refused(record, "the title given to its reason is not in its words")
    if named("intervention").pattern.search(title):
        return _refused(record, "an intervention is no other reason")
    return replace(reading, hypothesis=f"other/{'_'.join(words)[:TITLE]}", topic=title[0].upper() + title[1:])


def _refused(record: Record, why: str) -> Refused:
    return Refused(f"{clean(record.title, limit=80)}: {why}")
