"""The files an investigation is given: what a spreadsheet writes is read, what is no text is refused in one line."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

import pytest

from app.errors import UsageError
from app.investigation.given import read_prices

TABLE = "time\tclose\n2024-05-14T06:00Z\t1.5\n2024-05-14T06:01Z\t1.6\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_prices_are_read_in_the_encodings_spreadsheets_write(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "prices.txt"
    mark = "\ufeff" if encoding in ("utf-16-le", "utf-16-be") else ""
    file.write_bytes((mark + TABLE).encode(encoding))
    assert [bar.close for bar in read_prices(file, "USDJPY", UTC).bars] == [1.5, 1.6]


def test_what_is_no_text_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "prices.csv"
    file.write_bytes(b"time,close\n\xff\xfe\x00")
    with pytest.raises(UsageError, match="neither UTF-8 nor UTF-16 text"):
        read_prices(file, "USDJPY", UTC)
