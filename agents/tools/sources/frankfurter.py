"""Frankfurter v2: reference exchange rates of central banks, by day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Reply, Request, address, number
from agents.tools.series import Observation, day

HOST: Final = "https://api.frankfurter.dev"


def span(base: str, quote: str, start: date, end: date) -> Request:
    """One pair over days, as the ECB fixes it."""
    return rates(base, (quote,), start, end)


def rates(base: str, quotes: Sequence[str], start: date, end: date | None = None) -> Request:
    """Several quotes of one unit of `base` from `start` on."""
    return Request(
        "frankfurter",
        address(
            f"{HOST}/v2/rates",
            {"base": base, "quotes": ",".join(quotes), "from": start, "to": end, "providers": "ECB"},
        ),
    )


def read(reply: Reply) -> tuple[Observation, ...]:
    """Rates by pair ("USDJPY"), the identity row left out. A rate dated ahead is given as it is dated."""
    found = []
    for row in reply.json(list):
        if not isinstance(row, dict):
            raise NotAnAnswer("answered with rows of another shape")
        at, rate = day(str(row.get("date"))), number(row.get("rate"))
        base, quote = str(row.get("base")), str(row.get("quote"))
        if at is not None and rate is not None and base != quote:
            found.append(Observation(f"{base}{quote}", at, rate, unit=f"{quote} per {base}"))
    return tuple(found)
