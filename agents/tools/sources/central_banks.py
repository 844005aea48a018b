"""Central banks: policy rates as series (BIS, ECB, Bank of Japan) and their statements as feeds."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Reply, Request, address, number, rows
from agents.tools.series import Observation, day

AREAS: Final[Mapping[str, str]] = {
    "US": "United States",
    "XM": "euro area",
    "JP": "Japan",
    "GB": "United Kingdom",
    "AU": "Australia",
    "CH": "Switzerland",
    "CA": "Canada",
}
STATEMENTS: Final[tuple[tuple[str, str, str], ...]] = (
    ("fed", "Federal Reserve", "https://www.federalreserve.gov/feeds/press_monetary.xml"),
    ("ecb_press", "ECB", "https://www.ecb.europa.eu/rss/press.html"),
    ("boj_news", "Bank of Japan", "https://www.boj.or.jp/en/rss/whatsnew.xml"),
    ("boe", "Bank of England", "https://www.bankofengland.co.uk/rss/news"),
    ("rba", "RBA", "https://www.rba.gov.au/rss/rss-cb-media-releases.xml"),
)
"""Source, name and feed of each central bank whose statements the tools watch."""
FURTHER_STATEMENTS: Final[tuple[tuple[str, str, str], ...]] = (
    ("snb", "Swiss National Bank", "https://www.snb.ch/public/rss/en/mopo"),
    ("boc", "Bank of Canada", "https://www.bankofcanada.ca/content_type/press-releases/feed/"),
)
"""Those that are asked only about a move of their own currency."""
_ECB: Final = "https://data-api.ecb.europa.eu/service/data"
_BOJ: Final = "https://www.stat-search.boj.or.jp/api/v1/getDataCode"


def bis() -> Request:
    """Policy rates of seven areas in percent, the last thirty observations of each."""
    url = f"https://stats.bis.org/api/v1/data/WS_CBPOL/D.{'+'.join(AREAS)}"
    return Request("bis", address(url, {"lastNObservations": 30, "detail": "dataonly", "format": "csv"}))


def ecb_deposit_rate() -> Request:
    """The ECB's deposit facility rate, the day it is decided."""
    return Request("ecb", address(f"{_ECB}/FM/D.U2.EUR.4F.KR.DFR.LEV", {"lastNObservations": 10, "format": "csvdata"}))


def ecb_rates(quotes: Sequence[str], start: datetime) -> Request:
    """Reference exchange rates, units per euro, fixed 14:10 and published about 16:00 Frankfurt time."""
    params = {"startPeriod": start.date(), "format": "csvdata", "detail": "dataonly"}
    return Request("ecb", address(f"{_ECB}/EXR/D.{'+'.join(quotes)}.EUR.SP00.A", params))


def read_csv(reply: Reply, series_column: str) -> tuple[Observation, ...]:
    """The observations of an SDMX table; `series_column` tells them apart. NaN and blanks are days without a value."""
    table = csv.DictReader(reply.text.splitlines())
    if table.fieldnames is None or not {"TIME_PERIOD", "OBS_VALUE", series_column} <= set(table.fieldnames):
        raise NotAnAnswer("answered with something that is not its table")
    found = []
    for row in table:
        at, value = day(row["TIME_PERIOD"] or ""), number(row["OBS_VALUE"])
        if at is not None and value is not None:
            found.append(Observation(row[series_column] or "", at, value))
    return tuple(found)


def boj(database: str, codes: Sequence[str], now: datetime) -> Request:
    """Daily series of the Bank of Japan over this month and the last; bounds are months."""
    start = (now.replace(day=1) - timedelta(days=1)).strftime("%Y%m")
    params = {
        "format": "json",
        "lang": "en",
        "db": database,
        "code": ",".join(codes),
        "startDate": start,
        "endDate": now.strftime("%Y%m"),
    }
    return Request("boj", address(_BOJ, params))


def read_boj(reply: Reply) -> tuple[Observation, ...]:
    """Observations by series code. The status that counts is in the body; a hole is null."""
    body = reply.json(dict)
    if body.get("STATUS") != 200:
        raise NotAnAnswer(f"answered with status {str(body.get('STATUS'))[:10]} inside", "status")
    found = []
    for series in rows(body, "RESULTSET"):
        held = series.get("VALUES")
        if not isinstance(held, dict):
            continue
        unit = str(series.get("UNIT") or "").casefold()
        for stamp, given in zip(held.get("SURVEY_DATES") or (), held.get("VALUES") or (), strict=False):
            at, value = _boj_day(str(stamp)), number(given)
            if at is not None and value is not None:
                found.append(Observation(str(series.get("SERIES_CODE")), at, value, unit=unit))
    return tuple(found)


def statements(source: str, url: str) -> Request:
    """What a central bank published last."""
    return Request(source, url)


def _boj_day(stamp: str) -> datetime | None:
    try:
        return datetime.strptime(stamp, "%Y%m%d").replace(tzinfo=UTC)
    except ValueError:
        return None
