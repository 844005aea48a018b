"""The evidence tools by themselves, for the command that lists and tries them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from agents.analysts.rules.analyst import RulesAnalyst
from agents.gather import gather
from agents.links import NamedSymbols, canonical
from agents.models import Evidence, ToolName
from agents.prices import NoPrices, PriceSeries
from agents.tools import build_tools, prices
from agents.tools.asking.access import Access
from agents.tools.hosted import HostedSearch
from agents.tools.prices import Prices
from agents.tools.protocol import Question
from agents.tools.public import public_tools
from agents.tools.sourced import SourcedTool
from app.config.config import Config
from app.wiring.desk import reach, watchlist
from app.wiring.tools import claude_thinks, open_access
from feeds.models import Item, Published, Tier
from feeds.symbols.table import SymbolTable
from storage.archive import Archive
from storage.database import View
from storage.errors import StorageError
from storage.evidence_sources import evidence_sources
from storage.models import EvidenceSource

DEADLINE_S = 30.0
PRICES = "prices"


@dataclass(frozen=True, slots=True)
class OpenTools:
    """The tools over the public sources. `sources` are each tool's, in the order of asking."""

    tools: Mapping[ToolName, SourcedTool]
    access: Access
    symbols: SymbolTable
    analyst: RulesAnalyst
    view: View | None

    @property
    def sources(self) -> dict[str, Sequence[str]]:
        """The sources of each tool, and of the prices that no agent asks for."""
        return {**{name: tool.sources for name, tool in self.tools.items()}, PRICES: prices.SOURCES}

    async def ask(self, name: ToolName, query: str, now: datetime) -> Evidence:
        """One tool's evidence on `query`, a headline or a symbol."""
        question = self._question(query, now)
        return (await gather((name,), self.tools, question, DEADLINE_S))[0]

    async def bars(self, symbol: str, now: datetime) -> PriceSeries | NoPrices:
        """The last day of a symbol in bars of five minutes."""
        return await Prices(self.access).bars(canonical(symbol), now - timedelta(days=1), now, "5m", now=now)

    async def last_seen(self) -> list[EvidenceSource]:
        """How the monitor that keeps this database last saw the sources; nothing without one."""
        try:
            return await evidence_sources(self.view) if self.view is not None else []
        except StorageError:
            return []

    def _question(self, query: str, now: datetime) -> Question:
        """The question an item with this title would put."""
        symbol = canonical(query)
        known = (symbol,) if self.symbols.known(symbol) else ()
        item = Item(
            "query",
            "query",
            "query",
            Tier.CROWD,
            query,
            "",
            "",
            Published(now, "second", None),
            now,
            "query",
            tickers=known,
        )
        event = self.analyst.reading(item).event
        concerned = NamedSymbols(item, self.symbols, {}, {}).concerned
        return Question(item, concerned, event.event if event else None, now)


async def _hosted(stack: AsyncExitStack, config: Config, usage_file: Path) -> HostedSearch | None:
    """The search of the model's service, where one thinks."""
    if not claude_thinks(config):
        return None
    from app.wiring.claude import open_claude  # a run by rules does without it

    return (await stack.enter_async_context(open_claude(config, usage_file))).search


@asynccontextmanager
async def open_tools(
    config: Config, *, archive: Path, usage_file: Path | None = None, paid: bool = False
) -> AsyncIterator[OpenTools]:
    """All sixteen tools, with the earlier items of the database at `archive` where it can be read.

    In `usage_file` requests to sources with a limit are counted, and what a search by the service of the model that
    thinks costs; that may be asked only where something is `paid`.
    """
    async with AsyncExitStack() as stack:
        view: View | None = None
        try:
            view = await stack.enter_async_context(View.open(archive))
        except StorageError:
            view = None  # the tools do without earlier items; there may be no database yet
        hosted = await _hosted(stack, config, usage_file) if usage_file and paid else None
        access = await stack.enter_async_context(open_access(config, usage_file))
        symbols, watched = SymbolTable.load(), watchlist(config)
        offline = build_tools(Archive(view) if view else None, symbols)
        tools = public_tools(offline, reach(access, symbols, watched, hosted))
        yield OpenTools(tools, access, symbols, RulesAnalyst(symbols, watched), view)
