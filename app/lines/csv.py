"""Signals as rows of a table: one row a signal, for a spreadsheet.

A cell that a spreadsheet would take for a formula gets an apostrophe in front, as OWASP advises; numbers stay numbers.
"""

from __future__ import annotations

import csv
from typing import Final, TextIO

from app.lines.contract import SignalLine

COLUMNS: Final = (
    "id",
    "first_seen_at",
    "published_at",
    "scored_at",
    "urgency",
    "impact_score",
    "confidence_score",
    "signal_type",
    "event_type",
    "tickers",
    "tone",
    "novelty",
    "agreement",
    "reading",
    "degraded",
    "agents_ok",
    "engine",
    "model",
    "cost_usd",
    "source",
    "outlet",
    "title",
    "url",
)
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


class SignalTable:
    """Writes the header and then a row for each signal."""

    def __init__(self, stream: TextIO) -> None:
        self._rows = csv.writer(stream, lineterminator="\n")
        self._rows.writerow(COLUMNS)

    def write(self, line: SignalLine) -> None:
        """One signal as a row; its tickers as `NVDA up 0.88 direct` with a semicolon between them."""
        found = line.model_dump(mode="json", exclude={"agents"})
        item = found["item"]
        found |= {name: item[name] for name in ("source", "outlet", "title", "url")}
        found["tickers"] = "; ".join(
            f"{one.symbol} {one.direction} {one.impact_score:.2f} {one.link_type}" for one in line.tickers_linked
        )
        self._rows.writerow([_cell(found[name]) for name in COLUMNS])


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
