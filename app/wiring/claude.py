"""The claude analyst with its accounts: what it may spend, what it has cost, what it was asked before."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from agents.analysts.claude.analyst import ClaudeAnalyst
from agents.analysts.claude.call import Caller, Settings
from agents.analysts.claude.prices import PriceError, price_table
from agents.analysts.claude.rate import Limiter
from agents.analysts.claude.transport import DEFAULT_URL, Connection, Transport
from agents.analysts.claude.web_search import ClaudeSearch
from agents.budget import Price, nano_usd
from agents.calls import CallBook
from agents.models import AGENT_NAMES, AgentName
from agents.tools.web_search import HOSTED_S
from app.config.config import Config
from app.config.engine import service
from app.config.zone import zone
from app.errors import ConfigError
from storage.cache import Replies
from storage.usage import SpendLedger
from storage.usage_file import UsageFile

LATE_S = 15.0
"""So much longer than an agent may think an alert waits for the final score, so that its tools can answer first."""


@dataclass(frozen=True, slots=True)
class Claude:
    """The analyst at work and its purse. Money is counted by the real day, whatever clock a replay runs on.

    `search` is the service's own search of the web, where the user wants it.
    """

    caller: Caller
    analyst: ClaudeAnalyst
    search: ClaudeSearch | None
    ledger: SpendLedger
    cap_nano: int
    today: Callable[[], date]

    @property
    def late_s(self) -> float:
        """So much longer than an agent may think an alert waits for the final score."""
        return LATE_S + (HOSTED_S if self.search else 0.0)

    def spent_usd(self) -> float:
        """What today has cost so far, everything reserved included."""
        return self.ledger.known(self.today()) / 1e9


def models_of(config: Config) -> dict[AgentName, str]:
    """The model of each agent."""
    return {agent: config.claude.agent_models.get(agent, config.claude.model) for agent in AGENT_NAMES}


def prices_of(config: Config) -> dict[str, Price]:
    """The price table with the user's own prices on top; raises ConfigError."""
    try:
        return price_table(config.claude.prices)
    except PriceError as error:
        raise ConfigError(str(error)) from error


def today_in(config: Config) -> Callable[[], date]:
    """Gives the date by which the budget counts: the user's own."""
    here = zone(config.timezone)
    return lambda: datetime.now(here).date()


@asynccontextmanager
async def open_claude(
    config: Config, usage_file: Path, *, book: CallBook | None = None, use_cache: bool = True
) -> AsyncIterator[Claude]:
    """The analyst, its connections and accounts; all is closed again at the end."""
    key, base_url = service()
    today = today_in(config)
    async with AsyncExitStack() as stack:
        usage = await stack.enter_async_context(UsageFile.open(usage_file, now=datetime.now(UTC)))
        transport = Transport(Connection(key, base_url or DEFAULT_URL))
        stack.push_async_callback(transport.close)
        ledger = SpendLedger(usage)
        await ledger.spent(today())
        settings = Settings(
            models=models_of(config),
            prices=prices_of(config),
            cap_nano=nano_usd(config.claude.daily_budget_usd),
            max_extra_calls=config.claude.max_extra_calls,
            now=lambda: datetime.now(UTC),
            today=today,
            server=config.claude.server,
            use_cache=use_cache,
        )
        limiter = Limiter(config.claude.concurrency, settings.now)
        caller = Caller(transport, limiter, ledger, settings, cache=Replies(usage), book=book)
        search = ClaudeSearch(caller) if config.claude.web_search else None
        analyst = ClaudeAnalyst(caller, ledger, config.claude.model)
        yield Claude(caller, analyst, search, ledger, settings.cap_nano, today)
