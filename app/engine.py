"""Which analyst thinks for the agents, decided from the configuration alone."""

from __future__ import annotations

from agents.models import Engine
from app.errors import UsageError


def check_engine(choice: str) -> Engine:
    """The engine for the configured `choice`; raises UsageError for one this build does not have.

    "auto" is `rules`: there is no other analyst yet.
    """
    if choice == "claude":
        raise UsageError('engine claude: this build has no claude analyst yet; use --engine rules or engine = "auto"')
    return "rules"
