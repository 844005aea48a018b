"""The public sources of an investigation by the check of the checklist they answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from agents.investigation.models import Case
from agents.investigation.moves.currencies import pair
from agents.investigation.official import statistics
from agents.investigation.official.archives import ARCHIVED, Archived, BankArchive
from agents.investigation.official.current_accounts import CurrentAccountProjections
from agents.investigation.official.filings import CompanyFilings
from agents.investigation.official.halts import HaltNotices
from agents.investigation.official.ministry import InterventionRecords
from agents.investigation.official.presidency import PresidentialDocuments
from agents.investigation.official.register import RegisterDocuments
from agents.investigation.official.statistics import Office, OfficeReleases
from agents.investigation.ports import RecordSource
from agents.investigation.sources import FeedSource, NewsSearch, Several
from agents.tools.asking.access import Access
from agents.tools.asking.request import Request
from agents.tools.sources import edgar, news
from agents.tools.sources.central_banks import FURTHER_STATEMENTS, STATEMENTS

Now = Callable[[], datetime]

_BLS_FEED: Final = "https://www.bls.gov/feed/bls_latest.rss"
_BANKS: Final[Mapping[str, str]] = {
    "fed": "fed",
    "ecb_press": "ecb",
    "boj_news": "boj",
    "boe": "boe",
    "rba": "rba",
    "snb": "snb",
    "boc": "boc",
}
"""Keys of the banks by the source of their feed."""


def public_sources(case: Case, access: Access, now: Now) -> dict[str, RecordSource]:
    """The public sources by the check they answer; which checks a case has is the checklist's."""
    return {
        "news_search": NewsSearch("news search", access, news.google_news, now),
        **_banks(access, now),
        **_statistics(access, now),
        "president": PresidentialDocuments(access, now),
        **(_of_yen(access, now) if _has_yen(case) else {}),
        **(_of_company(access, now) if case.kind == "stock" else {}),
    }


def _feed(access: Access, now: Now, source: str, url: str, publisher: str) -> FeedSource:
    return FeedSource(publisher, access, Request(source, url), publisher, now)


def _banks(access: Access, now: Now) -> dict[str, RecordSource]:
    """Each bank's feed, with its archive behind it where there is one."""
    found: dict[str, RecordSource] = {}
    for source, publisher, url in (*STATEMENTS, *FURTHER_STATEMENTS):
        bank, feed = _BANKS[source], _feed(access, now, source, url, publisher)
        archive = BankArchive(bank, publisher, access, now) if bank in ARCHIVED else None
        found[f"bank_{bank}"] = Archived(publisher, feed, archive) if archive else feed
    return found


def _statistics(access: Access, now: Now) -> dict[str, RecordSource]:
    """The statistical offices. The United States have two; FRED stands behind both where the user has a key."""

    def office(one: Office) -> OfficeReleases:
        return OfficeReleases(one, access, now)

    labor: RecordSource = Archived(
        statistics.BLS.publisher,
        _feed(access, now, "bls_news", _BLS_FEED, statistics.BLS.publisher),
        office(statistics.BLS),
    )
    accounts: RecordSource = office(statistics.BEA)
    if key := access.keys.get("FRED_API_KEY"):
        fred = office(statistics.fred(key))
        labor, accounts = (Archived(one.name, one, fred) for one in (labor, accounts))
    return {
        "statistics_usd": Several("US statistics", (labor, accounts)),
        "statistics_eur": office(statistics.EUROSTAT),
        "statistics_gbp": office(statistics.ONS),
        "statistics_jpy": office(statistics.JAPAN),
    }


def _has_yen(case: Case) -> bool:
    known = pair(case.symbol)
    return known is not None and any(leg.code == "JPY" for leg in known.legs)


def _of_yen(access: Access, now: Now) -> dict[str, RecordSource]:
    return {
        "interventions": InterventionRecords(access, now),
        "current_account": CurrentAccountProjections(access, now),
    }


def _of_company(access: Access, now: Now) -> dict[str, RecordSource]:
    litigation = _feed(access, now, "edgar", edgar.LITIGATION, "Securities and Exchange Commission")
    return {
        "filings": CompanyFilings(access, now, releases=False),
        "releases": CompanyFilings(access, now, releases=True, name="company releases"),
        "halts": HaltNotices(access, now),
        "regulators": Several("regulators and courts", (litigation, RegisterDocuments(access, now))),
    }
