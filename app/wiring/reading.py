"""Who reads the records of investigations, and what that may cost at most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from agents.investigation.bound import Caps
from agents.investigation.claude.limits import claude_caps
from agents.investigation.claude.thinker import ClaudeThinker
from agents.investigation.errors import InvestigationError
from agents.investigation.ports import Thinker
from agents.investigation.readings.rules_thinker import RulesThinker
from agents.models import Engine
from app.config.config import Config
from app.config.engine import check_engine
from app.wiring.claude import Claude, prices_of
from feeds.symbols.table import SymbolTable


@dataclass(frozen=True, slots=True)
class Reading:
    """An engine and its limits. `thinker` gives the engine itself; it raises InvestigationError where it cannot be had.

    `model` is None for an engine without one; `priced` says whether its worst case in USD is known.
    """

    engine: Engine
    caps: Caps
    thinker: Callable[[SymbolTable], Thinker]
    model: str | None = None
    priced: bool = True

    @property
    def name(self) -> str:
        """The engine with its model, in words."""
        return f"{self.engine} ({self.model})" if self.model else self.engine


BY_RULES: Final = Reading("rules", Caps(), RulesThinker)


def reading_of(config: Config, claude: Callable[[], Claude | None] = lambda: None) -> Reading:
    """The engine that the configuration and the environment choose; raises UsageError for one that cannot work here.

    `claude` gives the connection once it is open.
    """
    if check_engine(config.engine) != "claude":
        return BY_RULES
    limits = config.claude
    price = prices_of(config).get(limits.model)

    def thinker(table: SymbolTable) -> Thinker:
        opened = claude()
        if opened is None:
            raise InvestigationError("the model service is not connected; ask again in a moment")
        return ClaudeThinker(
            opened.caller, limits.model, table, questions=limits.max_extra_calls, call_s=limits.deadline_s
        )

    caps = claude_caps(price, limits.max_extra_calls, limits.deadline_s)
    return Reading("claude", caps, thinker, limits.model, price is not None)
