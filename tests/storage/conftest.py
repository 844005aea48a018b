"""A real database in a file for each test."""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from storage.database import Database
from tests.storage.samples import NOW

MEMORY = Path("/dev/shm")


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    """Where the database lies: in memory where the system has a folder there, so that no test waits for a disk."""
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK):
        with tempfile.TemporaryDirectory(dir=MEMORY, prefix="tapewatch-") as folder:
            yield Path(folder) / "tape.db"
    else:
        yield tmp_path / "tape.db"


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    """An open, empty database."""
    async with Database.open(path, now=NOW) as opened:
        yield opened
