"""Which analyst thinks for the agents, decided from the configuration and the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping

from agents.models import Engine
from app.errors import UsageError

KEY = "ANTHROPIC_API_KEY"
ADDRESS = "ANTHROPIC_BASE_URL"
NO_KEY = "local"
"""What a server of the user's own gets as a key where none is set."""


def check_engine(choice: str, environment: Mapping[str, str] | None = None) -> Engine:
    """The engine for the configured `choice`; raises UsageError for one that cannot work here.

    "auto" is `claude` where a key is set, else `rules`. `claude` without a key needs a server of the user's own.
    """
    given = os.environ if environment is None else environment
    if choice == "auto":
        return "claude" if given.get(KEY) else "rules"
    if choice == "claude" and not (given.get(KEY) or given.get(ADDRESS)):
        raise UsageError(
            f"engine claude needs a key: set {KEY}, or {ADDRESS} for a model server of your own, or use --engine rules"
        )
    return "claude" if choice == "claude" else "rules"


def service(environment: Mapping[str, str] | None = None) -> tuple[str, str | None]:
    """The key and the address of the model service; None is the service's own address."""
    given = os.environ if environment is None else environment
    return given.get(KEY) or NO_KEY, given.get(ADDRESS) or None
