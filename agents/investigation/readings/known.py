"""The hypotheses that code knows for a case, by key: whoever reads records names one of them, so that what several
collectors find meets under the same key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from agents.investigation.models import CAUSE_TYPES, Case, CauseType
from agents.investigation.moves.currencies import Currency, Pair, currencies, pair
from agents.investigation.moves.instruments import Instrument, instrument
from agents.investigation.readings.causes import Cause, causes, company_causes
from agents.investigation.readings.company import Companies
from agents.investigation.readings.currency import titled

_OF_CURRENCIES: Final = frozenset({"fx_intervention", "liquidity", "market_move", "sector_move"})
"""Cause types that no record of a company states: acts on currencies, and what prices alone show."""
_WORDS: Final[Mapping[CauseType, str]] = {
    "policy_change": "Policy",
    "macro_event": "Economic event",
    "geopolitical_conflict": "War and political conflict",
    "other": "Company news",
}


@dataclass(frozen=True, slots=True)
class Known:
    """A hypothesis that a record may speak for or against. `cause` is its kind and `actor` the currency whose act it
    would be, where it is one of a currency pair."""

    key: str
    cause_type: CauseType
    title: str
    cause: Cause | None = None
    actor: Currency | None = None


def known_hypotheses(case: Case, companies: Companies) -> dict[str, Known]:
    """Every hypothesis that code knows for the case, by key, in a fixed order."""
    of_pair = pair(case.symbol) if case.kind == "currency" else None
    traded = instrument(case.symbol) if case.kind == "other" else None
    of_other = _of_instrument(case, traded) if traded else _of_company(case, companies)
    return {one.key: one for one in (_of_pair(of_pair) if of_pair else of_other)}


def legal(case: Case, traded: Instrument) -> Known:
    """What courts and regulators do to an instrument that has no company behind it."""
    return Known(f"legal_regulatory/{case.symbol.lower()}", "legal_regulatory", f"Legal or regulatory: {traded.name}")


def _of_instrument(case: Case, traded: Instrument) -> Iterator[Known]:
    for cause in causes():
        if cause.scope in ("world", "vote"):
            yield _known(cause, None)
        elif cause.scope != "leg":
            yield from (_known(cause, home) for home in traded.homes)
    yield legal(case, traded)


def _of_pair(known: Pair) -> Iterator[Known]:
    dollar = currencies()["USD"]
    moved_by = tuple(dict.fromkeys((*known.legs, dollar)))  # the dollar's rates and figures move every pair
    for cause in causes():
        if cause.scope in ("world", "vote"):
            yield _known(cause, None)
        elif cause.scope == "leg":
            yield from (_known(cause, leg) for leg in known.legs)
        else:
            yield from (_known(cause, one) for one in moved_by)


def _known(cause: Cause, actor: Currency | None) -> Known:
    key, title = titled(cause, actor or "world")
    return Known(key, cause.type, title, cause, actor)


def _of_company(case: Case, companies: Companies) -> Iterator[Known]:
    named = {cause: title for cause, title, _ in company_causes()}
    for cause_type in CAUSE_TYPES:
        if cause_type not in _OF_CURRENCIES:
            title = named.get(cause_type) or _WORDS[cause_type]
            yield Known(f"{cause_type}/{case.symbol.lower()}", cause_type, f"{title}: {companies.name(case.symbol)}")


def is_named(case: Case, companies: Companies) -> bool:
    """Whether it is known how records name what the case is about."""
    if case.kind == "currency" or instrument(case.symbol) or companies.known(case.symbol):
        return True
    return any(name != case.symbol for name in case.names)
