"""SEC EDGAR: who files under which number, the industry a filer names, what filings say, and what the SEC publishes.

Every host of the SEC wants a contact in the User-Agent and counts requests together. A sentence found in a filing shows
that two names stand together, not that one supplies the other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from typing import Final
from urllib.parse import quote

from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Reply, Request, address, rows
from agents.tools.series import day
from feeds.documents.text import clean, html_to_text

WHOLE_LIST: Final = 5_000
"""A ticker list with fewer rows is cut off: who is missing from it may exist."""
LITIGATION: Final = "https://www.sec.gov/enforcement-litigation/litigation-releases/rss"
ADMINISTRATIVE: Final = "https://www.sec.gov/enforcement-litigation/administrative-proceedings/rss"
CURRENT_8K: Final = (
    "https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent&type=8-K&owner=include&count=100&output=atom"
)
LOOKED_AT: Final = 200
"""Places of a filing that name the company and are looked at for a sentence."""
_DAY: Final = 86_400.0
_RELATION: Final = re.compile(
    r"\b(?:customers?|suppliers?|supplied|supplies|vendors?|sole[- ]source|accounted for|"
    r"purchase (?:orders?|agreement)|contract manufacturers?|foundr(?:y|ies)|distributors?|licensees?)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Filer:
    """A company as the SEC lists it."""

    cik: int
    symbol: str
    title: str


@dataclass(frozen=True, slots=True)
class Tickers:
    """All filers with a listing, by symbol and by number."""

    by_symbol: Mapping[str, Filer]
    by_cik: Mapping[int, Filer]

    def filer(self, symbol: str) -> Filer | None:
        """The filer of a symbol; None where it has none. Raises NotAnAnswer where a cut list cannot tell."""
        found = self.by_symbol.get(symbol.replace(".", "-"))
        if found is None and len(self.by_symbol) < WHOLE_LIST:
            raise NotAnAnswer(f"its list of tickers is cut off at {len(self.by_symbol)} rows")
        return found


@dataclass(frozen=True, slots=True)
class Industry:
    """The industry code a filer chose for itself; it is coarse."""

    code: str
    words: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A filing whose text holds the words asked for. `filed` is a day."""

    filer: str
    form: str
    filed: datetime | None
    url: str


def tickers() -> Request:
    """Every listed filer, once a day."""
    return Request("edgar", "https://www.sec.gov/files/company_tickers.json", lifetime_s=_DAY)


def read_tickers(reply: Reply) -> Tickers:
    """The list; of several classes of a share the first stands for the number."""
    by_symbol: dict[str, Filer] = {}
    by_cik: dict[int, Filer] = {}
    for row in reply.json(dict).values():
        if not isinstance(row, dict) or not isinstance(row.get("cik_str"), int):
            continue
        filer = Filer(row["cik_str"], clean(str(row.get("ticker")), limit=15), clean(str(row.get("title")), limit=80))
        by_symbol.setdefault(filer.symbol, filer)
        by_cik.setdefault(filer.cik, filer)
    if not by_symbol:
        raise NotAnAnswer("answered without a single ticker")
    return Tickers(by_symbol, by_cik)


def submissions(cik: int) -> Request:
    """What the SEC knows of one filer."""
    return Request("edgar", f"https://data.sec.gov/submissions/CIK{cik:010d}.json", lifetime_s=_DAY)


def older_submissions(name: str) -> Request:
    """An older part of a filer's list, by the name its newest part gives."""
    return Request("edgar", f"https://data.sec.gov/submissions/{name}", lifetime_s=_DAY)


def read_industry(reply: Reply) -> Industry:
    """The filer's industry code; empty where it has none."""
    body = reply.json(dict)
    if "sic" not in body and "filings" not in body:
        raise NotAnAnswer("answered with something that is no filer")
    return Industry(clean(str(body.get("sic") or ""), limit=4), clean(str(body.get("sicDescription") or ""), limit=80))


def companies(code: str) -> Request:
    """Filers of annual reports with an industry code."""
    params = {
        "action": "getcompany",
        "SIC": code,
        "type": "10-K",
        "owner": "include",
        "count": 100,
        "start": 0,
        "output": "atom",
    }
    return Request("edgar", address("https://www.sec.gov/cgi-bin/browse-edgar", params), lifetime_s=_DAY)


def read_companies(reply: Reply) -> tuple[int, ...]:
    """Their numbers; the answer is Atom whose entries no feed reader knows."""
    if b"<feed" not in reply.body[:2_000]:
        raise NotAnAnswer("answered with something that is not its list of companies")
    numbers = re.findall(rb"<cik>0*([0-9]{1,10})</cik>", reply.body, re.I)
    return tuple(dict.fromkeys(int(number) for number in numbers))


def full_text(name: str, since: date, until: date) -> Request:
    """Filings of others that hold the company's name beside the word "customer"."""
    params = {
        "q": f'"{name}" "customer"',
        "forms": "10-K,10-Q,8-K",
        "dateRange": "custom",
        "startdt": since,
        "enddt": until,
    }
    return Request("edgar", address("https://efts.sec.gov/LATEST/search-index", params), lifetime_s=_DAY)


def read_full_text(reply: Reply) -> tuple[Hit, ...]:
    """The hits, the most fitting first."""
    found = []
    for row in rows(reply.json(dict), "hits", "hits"):
        source = row.get("_source")
        number, _, file = str(row.get("_id") or "").partition(":")
        if not isinstance(source, dict) or not file:
            continue
        names, ciks = source.get("display_names"), source.get("ciks")
        if not (isinstance(names, list) and names and isinstance(ciks, list) and ciks and str(ciks[0]).isdigit()):
            continue
        folder = f"https://www.sec.gov/Archives/edgar/data/{int(ciks[0])}/{number.replace('-', '')}"
        form = clean(str(source.get("form") or source.get("file_type") or ""), limit=20)
        filed = day(str(source.get("file_date")))
        found.append(Hit(clean(str(names[0]), limit=100), form, filed, f"{folder}/{quote(file)}"))
    return tuple(found)


def document(url: str) -> Request:
    """The text of one filing."""
    return Request("edgar", url, html=True, lifetime_s=7 * _DAY)


def sentence_with(name: str, reply: Reply) -> str:
    """The first sentence that names the company and speaks of a trade with it; "" where none does."""
    text = reply.text
    for match in islice(re.finditer(re.escape(name), text, re.I), LOOKED_AT):
        window = html_to_text(text[max(0, match.start() - 900) : match.end() + 900], limit=1_800)
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z])", window):
            if name.casefold() in sentence.casefold() and _RELATION.search(sentence) and len(sentence) < 700:
                return sentence
    return ""


def feed(url: str) -> Request:
    """One of the SEC's own feeds."""
    return Request("edgar", url)
