"""The labelled rows of the evaluation folder. Nothing of them is kept in the project."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Row = dict[str, Any]

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "eval"


def rows(name: str, folder: Path = FOLDER) -> list[Row]:
    """The rows of a JSONL file, packed or not."""
    return list(_read(folder / name))


def _read(path: Path) -> Iterator[Row]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def as_written(text: str) -> str:
    """A headline with the spacing of the corpus undone ("U . S . , 2 . 5" is "U.S., 2.5")."""
    text = re.sub(r"\b([A-Z]) \. ([A-Z]) \.", r"\1.\2.", text)
    text = re.sub(r"(\d) ([.,]) (\d)", r"\1\2\3", text)
    text = re.sub(r" ([.,:;?!])(?= |$)", r"\1", text)
    return re.sub(r"https?://\S+", "", text).strip()
