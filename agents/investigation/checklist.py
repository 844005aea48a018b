"""What every investigation looks at: the fixed checklist of each collector. It is part of the answer.

What does not apply to a kind of symbol is not on its list; a check that has no source is down, which is said, and is
never left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

from agents.investigation.errors import NotConfigured
from agents.investigation.models import Case, Collector, Record
from agents.investigation.moves.currencies import Currency, Pair, currencies, of_host, pair
from agents.investigation.moves.instruments import instrument
from agents.investigation.ports import Inquiry, RecordSource
from agents.investigation.readings.ranks import standing

FILES_BEFORE: Final = timedelta(days=30)
REPORTS_AFTER: Final = timedelta(days=14)
"""How far around the move the records of a file count, unless the user says."""


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the checklist: who looks, what it is called, and which records belong to it in a file.

    `files_only`: it holds what a file has beyond the other checks, so there is nobody to ask for it.
    """

    collector: Collector
    name: str
    title: str
    belongs: Callable[[Record], bool]
    files_only: bool = False


def checks_of(case: Case) -> tuple[Check, ...]:
    """The checklist of the record collectors for this kind of symbol, in the order in which it is shown."""
    known = pair(case.symbol) if case.kind == "currency" else None
    primary = _currency_checks(known) if known else _company_checks() if case.kind == "stock" else _other_checks(case)
    return (*primary, *_NARRATIVE)


_NARRATIVE = (
    Check("Narrative", "first_seen", "own database of first-seen times", lambda record: False),
    Check("Narrative", "news_search", "news search", lambda record: standing(record) not in ("official", "company")),
)


def _currency_checks(known: Pair) -> tuple[Check, ...]:
    legs = known.legs
    ministries = "|".join(sorted({re.escape(leg.ministry) for leg in legs if leg.ministry != leg.bank_name}))
    checks = [
        _official(
            "interventions", "intervention records", rf"\bintervention\b|{ministries or '(?!)'}|ministry of finance"
        ),
    ]
    checks += [_bank(leg) for leg in legs]
    if any(leg.code == "JPY" for leg in legs):
        checks.insert(
            1, _official("current_account", "Bank of Japan current account projections", r"\bcurrent account")
        )
    checks += [_statistics(leg) for leg in legs]
    if any(leg.code == "USD" for leg in legs):
        checks.append(_PRESIDENT)
    taken = [check.belongs for check in checks]
    return (*checks, _rest(taken))


def _company_checks() -> tuple[Check, ...]:
    checks = [
        _official("filings", "company filings (SEC)", r"\b(?:8-K|10-[QK]|form \w+|sec\.gov|filing)\b"),
        Check("PrimarySource", "releases", "company releases", lambda record: standing(record) == "company"),
        _official("halts", "halt notices", r"\b(?:halt(?:ed|s)?|trading suspension|resum\w+ trading)\b"),
        _official("regulators", "regulators and courts", r"\b(?:FDA|FTC|DOJ|SEC|court|commission|administration)\b"),
    ]
    return (*checks, _rest([check.belongs for check in checks]))


def _other_checks(case: Case) -> tuple[Check, ...]:
    traded = instrument(case.symbol)
    homes = traded.homes if traded else (currencies()["USD"],)
    checks = [*(_bank(home) for home in homes), *(_statistics(home) for home in homes), _PRESIDENT]
    return (*checks, _rest([check.belongs for check in checks]))


_STATISTICS: Final = re.compile(
    r"\b(?:consumer price|cpi|payroll|unemployment|gross domestic|gdp|retail sales|statistic\w*|auction|inventories)\b",
    re.I,
)


def _official(name: str, title: str, pattern: str) -> Check:
    words = re.compile(pattern, re.I)

    def belongs(record: Record) -> bool:
        return (
            standing(record) == "official" and words.search(f"{record.text}\n{record.source}\n{record.url}") is not None
        )

    return Check("PrimarySource", name, title, belongs)


_PRESIDENT: Final = _official(
    "president", "US presidential documents", r"\b(?:president|executive order|proclamation|white house)\b"
)


def _bank(leg: Currency) -> Check:
    def belongs(record: Record) -> bool:
        return standing(record) == "official" and leg.bank.search(record.source) is not None

    return Check("PrimarySource", f"bank_{leg.bank_key}", f"{leg.bank_name} decisions", belongs)


def _statistics(leg: Currency) -> Check:
    """The figures of a currency's home, by the country of the office that published them."""

    def belongs(record: Record) -> bool:
        home = of_host(urlsplit(record.url).hostname or "") if record.url else None
        mine = home == leg if home is not None else leg.country.search(record.source) is not None
        return standing(record) == "official" and mine and _STATISTICS.search(record.text) is not None

    title = _OFFICES.get(leg.code, f"{leg.adjective} statistics")
    return Check("PrimarySource", f"statistics_{leg.code.lower()}", title, belongs)


_OFFICES: Final = {
    "USD": "US statistics (BLS, BEA)",
    "EUR": "euro area statistics (Eurostat)",
    "GBP": "UK statistics (ONS)",
    "JPY": "Japanese consumer prices (Statistics Bureau)",
}
"""What is looked at for the currencies whose office can be asked."""


def _rest(taken: Sequence[Callable[[Record], bool]]) -> Check:
    def belongs(record: Record) -> bool:
        return standing(record) == "official" and not any(one(record) for one in taken)

    return Check("PrimarySource", "government", "other official records", belongs, files_only=True)


@dataclass(frozen=True, slots=True)
class Missing:
    """Stands where nobody can be asked."""

    name: str
    exhaustive: bool = True

    async def find(self, inquiry: Inquiry) -> Sequence[Record]:
        raise NotConfigured("no source is set up")


@dataclass(frozen=True, slots=True)
class FileSource:
    """The records of files that stand for one check. Files are the whole world, so a first answer is all there is."""

    name: str
    records: tuple[Record, ...]
    exhaustive: bool = True

    async def find(self, inquiry: Inquiry) -> Sequence[Record]:
        """The records near the move: what is older is history, and reports soon repeat; official ones come out late."""
        anchor = inquiry.anchor
        since = anchor.onset_at - FILES_BEFORE if inquiry.case.window_s is None else inquiry.since
        late = anchor.ends_at + REPORTS_AFTER
        return [
            record
            for record in self.records
            if record.published_at is None
            or record.effective is not None
            or (since <= record.published_at <= (inquiry.until if standing(record) == "official" else late))
        ]


def from_files(case: Case, records: Sequence[Record]) -> tuple[tuple[Check, RecordSource], ...]:
    """The checklist answered from given records: each record belongs to the first check that claims it."""
    left = list(records)
    bound: list[tuple[Check, RecordSource]] = []
    for check in checks_of(case):
        if check.name == "first_seen":
            continue
        mine: list[Record] = []
        others: list[Record] = []
        for record in left:
            (mine if check.belongs(record) else others).append(record)
        left = others
        bound.append((check, FileSource(check.title, tuple(mine))))
    return tuple(bound)


def from_sources(case: Case, sources: Mapping[str, RecordSource]) -> tuple[tuple[Check, RecordSource], ...]:
    """The checklist with the sources that are there, by the name of the check; what is not there is down."""
    asked = (check for check in checks_of(case) if not check.files_only)
    return tuple((check, sources.get(check.name) or Missing(check.title)) for check in asked)
