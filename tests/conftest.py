"""What every test may use."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")
"""The same examples in every run: a failure is of the change at hand. `--hypothesis-profile default` looks further."""

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture
def shared() -> Path:
    """The folder of hostile inputs and recordings beside the checkout; the test skips where it is missing."""
    if not SHARED.is_dir():
        pytest.skip("the shared corpus beside the checkout is missing")
    return SHARED


@pytest.fixture
def now() -> datetime:
    """A fixed time: a Tuesday afternoon in New York."""
    return datetime(2026, 3, 10, 18, 30, tzinfo=UTC)
