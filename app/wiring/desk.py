"""The desk with its analyst and tools."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from agents.analysts.protocol import Analyst, Holding
from agents.analysts.rules.analyst import RulesAnalyst
from agents.desk import Desk
from agents.models import AGENT_NAMES, ToolName
from agents.report import Deadlines
from agents.tools import build_tools
from agents.tools.asking.access import Access
from agents.tools.hosted import HostedSearch
from agents.tools.protocol import Archive as EarlierItems
from agents.tools.protocol import Tool
from agents.tools.public import public_tools
from agents.tools.reach import Reach
from agents.tools.subjects import Companies
from agents.tools.web_search import HOSTED_S
from app.config.config import Config
from app.config.engine import check_engine
from app.wiring.offline_desk import event_reader, offline_desk
from app.wiring.tools import open_access
from feeds.symbols.table import SymbolTable
from storage.archive import Archive
from storage.database import View
from storage.errors import StorageError

if TYPE_CHECKING:
    from app.wiring.claude import Claude

log = logging.getLogger(__name__)


def watchlist(config: Config) -> dict[str, Holding]:
    """The watched symbols as the agents take them."""
    return {
        watched.symbol: Holding(watched.symbol, watched.names, watched.holding, watched.suppliers, watched.customers)
        for watched in config.watchlist
    }


def build_desk(
    config: Config,
    archive: EarlierItems | None,
    *,
    tools: bool,
    source_ids: Sequence[str] = (),
    access: Access | None = None,
    model: Analyst | None = None,
    hosted: HostedSearch | None = None,
) -> Desk:
    """The desk with `model`, held to what rules read, or else with the rules analyst. Its first call loads the symbol
    table. Without `access` tools stay offline. `hosted` is the search of the model's service.
    """
    watched = watchlist(config)
    if model is None and tools and access is None:
        return offline_desk(watched, archive, source_ids)
    symbols = SymbolTable.load()
    analyst = RulesAnalyst(symbols, watched)
    asked: Mapping[ToolName, Tool] = {}
    if tools:
        asked = build_tools(archive, symbols, source_ids or None)
        if access is not None and config.tools.enabled:
            asked = public_tools(asked, reach(access, symbols, watched, hosted))
    event = event_reader(analyst)
    if model is None:
        return Desk(analyst, asked, symbols, watched, read_event=event)
    return Desk(
        model,
        asked,
        symbols,
        watched,
        deadlines=_deadlines(config, hosted),
        read_event=event,
        read_by_rules=analyst.view,
        extra_calls=config.claude.max_extra_calls,
    )


def _deadlines(config: Config, hosted: HostedSearch | None) -> Deadlines:
    """A search by the model's service takes longer than any other tool."""
    usual = Deadlines(call_s=config.claude.deadline_s)
    return replace(usual, tool_s=usual.tool_s + HOSTED_S) if hosted else usual


def items_at_once(config: Config) -> int:
    """How many items keep the model's calls busy without one waiting long for its turn; rules take one at a time."""
    if check_engine(config.engine) == "rules":
        return 1
    return config.claude.concurrency // len(AGENT_NAMES) + 2


def reach(
    access: Access, symbols: SymbolTable, watched: Mapping[str, Holding], hosted: HostedSearch | None = None
) -> Reach:
    """What the tools are built from."""
    names = {symbol: holding.names for symbol, holding in watched.items()}
    return Reach(access, symbols, Companies(symbols, names), watched, hosted)


@asynccontextmanager
async def open_desk(
    config: Config, *, archive: Path | None, tools: bool, usage_file: Path, use_cache: bool = True
) -> AsyncIterator[Desk]:
    """A desk for items that are not kept. `archive` is a database to read earlier items from."""
    async with AsyncExitStack() as stack:
        earlier: EarlierItems | None = None
        if tools and archive is not None:
            try:
                earlier = Archive(await stack.enter_async_context(View.open(archive)))
            except StorageError as error:
                log.warning("scoring without the earlier items: %s", error)
        claude: Claude | None = None
        if check_engine(config.engine) == "claude":
            from app.wiring.claude import open_claude  # a run by rules does without it

            claude = await stack.enter_async_context(open_claude(config, usage_file, use_cache=use_cache))
        # Opened last, so that no search is under way any more when the model's accounts are closed.
        access = (
            await stack.enter_async_context(open_access(config, usage_file)) if tools and config.tools.enabled else None
        )
        model, hosted = (claude.analyst, claude.search) if claude else (None, None)
        yield build_desk(config, earlier, tools=tools, access=access, model=model, hosted=hosted)
