"""EIA: spot prices of oil by day, with the user's key."""

from __future__ import annotations

from agents.tools.asking.request import Reply, Request, address, number, rows
from agents.tools.series import Observation, day


def spot(key: str) -> Request:
    """West Texas Intermediate at Cushing, the last ten days."""
    url = address("https://api.eia.gov/v2/seriesid/PET.RWTC.D", {"num": 10})
    return Request("eia", url, secret_params={"api_key": key})


def read(reply: Reply) -> tuple[Observation, ...]:
    """Observations in dollars a barrel."""
    found = []
    for row in rows(reply.json(dict), "response", "data"):
        at, value = day(str(row.get("period"))), number(row.get("value"))
        if at is not None and value is not None:
            found.append(Observation("WTI", at, value, unit="USD a barrel"))
    return tuple(found)
