"""A workbook of the shape of the Bank of Japan's daily one, with invented figures."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape

Cell = str | float | None
ROWS: Final[Sequence[Sequence[Cell]]] = (
    ("", "日銀当座預金増減要因と金融調節"),
    ("", "Sources of Changes in Current Account Balances", None, None, None, "予想 Projections", "速報", "確報 Final"),
    ("", "銀行券要因", None, None, None, -300.0, -310.0, -305.0),
    ("", "Banknotes"),
    ("", "財政等要因"),
    ("", "", "Treasury funds and others", None, None, -75_600.0, -75_500.0, -75_420.0),
    ("", "資金過不足", None, None, None, -75_900.0, -75_810.0, -75_725.0),
    ("", "Surplus / Shortage of funds"),
)
"""Amounts in units of 100 million yen; an amount stands in the Japanese or the English row of its item."""

_PARTS: Final = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/'
    'vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"'
    ' Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r='
    '"http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="1" sheetId="1"'
    ' r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"'
    ' Target="worksheets/sheet1.xml"/></Relationships>',
}


def workbook(rows: Sequence[Sequence[Cell]] = ROWS, more: Mapping[str, str] | None = None) -> bytes:
    """The bytes of a workbook with one sheet; `more` are further parts of the archive."""
    written = "".join(f'<row r="{n}">{_cells(n, row)}</row>' for n, row in enumerate(rows, 1))
    sheet = (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        f"<sheetData>{written}</sheetData></worksheet>"
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {**_PARTS, "xl/worksheets/sheet1.xml": sheet, **(more or {})}.items():
            archive.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>{text}')
    return packed.getvalue()


def _cells(number: int, row: Sequence[Cell]) -> str:
    found = []
    for place, value in enumerate(row):
        at = f"{'ABCDEFGH'[place]}{number}"
        if isinstance(value, float):
            found.append(f'<c r="{at}"><v>{value}</v></c>')
        elif value is not None:
            found.append(f'<c r="{at}" t="inlineStr"><is><t>{escape(value)}</t></is></c>')
    return "".join(found)
