"""The Bank of Japan's daily workbook: what is expected to change the current account balances on a day, and what did.

Amounts in units of 100 million yen. "Treasury funds and others" holds what the ministry pays or takes in, an
intervention among much else; banknotes and treasury funds add up to the surplus of funds, which is checked.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Reply, Request

UNIT: Final = 10.0
"""Units of the workbook in a billion yen."""
UNPACKED: Final = 16 * 2**20
"""Most bytes of a workbook once it is unpacked."""
_HOST: Final = "https://www.boj.or.jp/en/statistics/boj/fm/juq/d_release"
_ROWS: Final = {
    "banknotes": re.compile(r"^Banknotes\b", re.I),
    "treasury": re.compile(r"^Treasury funds and others\b", re.I),
    "surplus": re.compile(r"^Surplus\s*/\s*Shortage\b", re.I),
}
_LABELS: Final = range(1, 5)
_COLUMN: Final = {"projection": 5, "provisional": 6, "final": 7}
"""Columns F, G and H."""
_LIFETIME: Final = 3600.0


@dataclass(frozen=True, slots=True)
class TreasuryFunds:
    """ "Treasury funds and others" of a day in billions of yen, negative where they drain the accounts. `final` is
    None until it is out."""

    projection: float
    final: float | None


def projection(day: date) -> Request:
    """The workbook that projects `day`, out the evening before."""
    return Request("boj_accounts", f"{_HOST}/jp/jp{day:%Y%m%d}.xlsx", lifetime_s=_LIFETIME)


def results(day: date) -> Request:
    """The workbook with projection, provisional and final figures of `day`, out the next morning and kept by year."""
    return Request("boj_accounts", f"{_HOST}/jd/{day.year}/jd{day:%Y%m%d}.xlsx", lifetime_s=_LIFETIME)


def read(reply: Reply) -> TreasuryFunds:
    """The row of treasury funds. Raises NotAnAnswer for what is no such workbook or does not add up."""
    rows = _sheet(reply.body)
    projected = {name: _value(rows, pattern, _COLUMN["projection"]) for name, pattern in _ROWS.items()}
    notes, treasury, surplus = projected["banknotes"], projected["treasury"], projected["surplus"]
    if notes is None or treasury is None or surplus is None:
        raise NotAnAnswer("answered with a workbook without treasury funds")
    if abs(notes + treasury - surplus) > 1:
        raise NotAnAnswer("answered with a workbook whose items do not add up")
    final = _value(rows, _ROWS["treasury"], _COLUMN["final"])
    return TreasuryFunds(treasury / UNIT, None if final is None else final / UNIT)


def _sheet(body: bytes) -> list[list[object]]:
    """The cells of the first sheet from A1 on."""
    from python_calamine import CalamineError, CalamineWorkbook  # read only when a move of the yen is looked into

    try:
        with zipfile.ZipFile(io.BytesIO(body)) as packed:
            if sum(part.file_size for part in packed.infolist()) > UNPACKED:
                raise NotAnAnswer("answered with a workbook that is too large")
        book = CalamineWorkbook.from_filelike(io.BytesIO(body))
        return [list(row) for row in book.get_sheet_by_index(0).to_python(skip_empty_area=False)]
    except (zipfile.BadZipFile, CalamineError, IndexError):
        raise NotAnAnswer("answered with something that is no workbook") from None


def _value(rows: Sequence[Sequence[object]], label: re.Pattern[str], column: int) -> float | None:
    """The amount in a labelled row. The English label stands under the Japanese one, and either row may hold it."""
    for place, row in enumerate(rows):
        named = next((str(row[at]).strip() for at in _LABELS if at < len(row) and str(row[at]).strip()), "")
        if label.search(re.sub(r"\s+", " ", named)):
            held = [_number(rows[at], column) for at in (place - 1, place) if at >= 0]
            known = [value for value in held if value is not None]
            return sum(known) if known else None
    return None


def _number(row: Sequence[object], column: int) -> float | None:
    value = row[column] if column < len(row) else None
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
