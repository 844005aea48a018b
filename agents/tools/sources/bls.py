"""BLS: consumer prices of the United States by month. An open question counts against twenty a day."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, Final

from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Reply, Request, number, rows
from agents.tools.series import Observation

INDEX: Final = "CUUR0000SA0"
"""All items, not seasonally adjusted: what the yearly rate is computed from."""
ADJUSTED: Final = "CUSR0000SA0"
"""All items, seasonally adjusted: what the monthly rate is computed from."""
CORE: Final = "CUUR0000SA0L1E"


def cpi(now: datetime, key: str = "") -> Request:
    """Three indices over two years; the key goes into the body, which is then part of the secret."""
    asked: dict[str, Any] = {
        "seriesid": [INDEX, ADJUSTED, CORE],
        "startyear": str(now.year - 2),
        "endyear": str(now.year),
    }
    version = "v2" if key else "v1"
    if key:
        asked["registrationkey"] = key
    return Request(
        "bls",
        f"https://api.bls.gov/publicAPI/{version}/timeseries/data/",
        json.dumps(asked).encode(),
        {"content-type": "application/json"},
    )


def read(reply: Reply) -> tuple[Observation, ...]:
    """Monthly index values. A refused question is a 200 with its own status; "-" is a month without a value."""
    body = reply.json(dict)
    if body.get("status") != "REQUEST_SUCCEEDED":
        messages = body.get("message")
        said = str(messages[0]) if isinstance(messages, list) and messages else str(body.get("status"))
        raise NotAnAnswer(
            f"did not process the question: {said[:100]}", "limited" if "threshold" in said else "no_answer"
        )
    found = []
    for series in rows(body, "Results", "series"):
        for row in rows(series, "data"):
            period, year, value = str(row.get("period")), str(row.get("year")), number(row.get("value"))
            if (
                value is not None
                and year.isdigit()
                and period[:1] == "M"
                and period[1:].isdigit()
                and 1 <= int(period[1:]) <= 12
            ):
                at = datetime(int(year), int(period[1:]), 1, tzinfo=UTC)
                found.append(Observation(str(series.get("seriesID")), at, value, "month"))
    return tuple(found)
