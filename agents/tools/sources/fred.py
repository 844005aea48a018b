"""FRED: series of the St. Louis Fed, as open CSV without a key and as JSON with one."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from datetime import date
from typing import Final

from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Reply, Request, address, number, rows
from agents.tools.series import Observation, day

OPEN_HOST: Final = "https://fred.stlouisfed.org"
KEYED_HOST: Final = "https://api.stlouisfed.org"


def series(names: Sequence[str], start: date) -> Request:
    """Several series from `start` on, without a key."""
    return Request("fred", address(f"{OPEN_HOST}/graph/fredgraph.csv", {"id": ",".join(names), "cosd": start}))


def read(reply: Reply) -> tuple[Observation, ...]:
    """All observations of an open CSV; blanks and dots are days without a value."""
    lines = csv.reader(reply.text.splitlines())
    header = next(lines, [])
    if len(header) < 2 or header[0] not in ("observation_date", "DATE"):
        raise NotAnAnswer("answered with something that is not its table")
    found = []
    for row in lines:
        at = day(row[0]) if row else None
        for name, text in zip(header[1:], row[1:], strict=False):
            value = number(text)
            if at is not None and value is not None:
                found.append(Observation(name, at, value))
    return tuple(found)


def keyed(name: str, key: str) -> Request:
    """The last two dozen observations of one series, with the user's key."""
    params = {"series_id": name, "file_type": "json", "sort_order": "desc", "limit": 24}
    return Request(
        "fred_api", address(f"{KEYED_HOST}/fred/series/observations", params), secret_params={"api_key": key}
    )


def read_keyed(name: str, reply: Reply) -> tuple[Observation, ...]:
    """The observations of a keyed answer."""
    found = []
    for row in rows(reply.json(dict), "observations"):
        at, value = day(str(row.get("date"))), number(row.get("value"))
        if at is not None and value is not None:
            found.append(Observation(name, at, value))
    return tuple(found)
