"""The investigation over the public sources, our own database and the price tool, or over files alone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from agents.investigation.errors import NoSeries, SourceDown
from agents.investigation.memory_rows import MemoryRows
from agents.investigation.models import Case
from agents.investigation.moves.currencies import Pair, pair
from agents.investigation.moves.instruments import instrument
from agents.investigation.moves.series import Series
from agents.investigation.ports import RecordSource, Related, Rows, SeriesSource
from agents.prices import BarWidth, NoPrices
from agents.tools.asking.access import Access
from agents.tools.prices import Prices
from app.config.config import Config
from app.investigation.inquiry import Inquirer, World
from app.wiring.claude import open_claude
from app.wiring.public_sources import public_sources
from app.wiring.reading import reading_of
from app.wiring.tools import open_access
from feeds.symbols.table import SymbolTable
from storage.calls import Calls
from storage.database import Database, View
from storage.errors import StorageError
from storage.first_seen import FirstSeen
from storage.investigations import Investigations
from storage.readers import Readable

Now = Callable[[], datetime]

MARKET: Final = "SPY"
"""What a stock's market is measured by: a fund on the S&P 500 with a price in every bar of a session."""
PEERS: Final = 3
THIRD: Final = ("EUR", "GBP", "AUD", "CHF", "CAD")
"""Currencies the legs of a pair are measured against."""
FINE: Final = timedelta(days=57)
HOURLY: Final = timedelta(days=720)


@dataclass(frozen=True, slots=True)
class ToolSeries:
    """The price tool as a source of series: as fine as it goes back to the asked time."""

    prices: Prices
    now: Now
    name: str = "price tool"

    async def series(self, symbol: str, around: datetime | None, *, daily: bool | None = None) -> Series:
        """Bars around a time. Raises NoSeries where the sources hold none, SourceDown where they do not answer."""
        now = self.now()
        at = around or now
        width: BarWidth = "1d" if daily else "5m" if now - at < FINE else "1h" if now - at < HOURLY else "1d"
        before = timedelta(days=400) if width == "1d" else timedelta(days=4 if width == "5m" else 20)
        after = timedelta(days=15) if width == "1d" else timedelta(days=1)
        got = await self.prices.bars(symbol, at - before, min(now, at + after), width, now=now)
        if isinstance(got, NoPrices):
            raise (NoSeries if got.answered else SourceDown)(f"{symbol}: {got.reason}")
        return Series.of(got)


@asynccontextmanager
async def open_inquirer(
    config: Config,
    case: Case,
    *,
    now: Now,
    given: World | None,
    prices: SeriesSource | None,
    database: Path | None,
    usage_file: Path,
) -> AsyncIterator[tuple[Inquirer, Case, Investigations | None]]:
    """(what runs the case, the case to run, where it is kept; None where the database is not to be had).

    `given` is a world of files; `prices` a price file beside the network. A like question that was interrupted goes on.
    `usage_file` holds what model calls cost. Raises UsageError for an engine that cannot work here.
    """
    reading = reading_of(config)
    async with AsyncExitStack() as stack:
        table = SymbolTable.load()
        kept, readable = await _database(stack, database, now)
        world = given
        if world is None:
            case = replace(case, names=case.names or names_of(case, table))
            opened = open_access(config, usage_file) if config.tools.enabled else None
            access = await stack.enter_async_context(opened) if opened else None
            world = build_world(case, table, access, readable, now, prices)
        case = replace(case, engine=reading.engine)
        if kept is not None:
            case = await kept.begin(case)
        rows: Rows = kept if kept is not None else MemoryRows()
        if reading.engine == "claude":
            book = Calls(readable) if isinstance(readable, Database) else None
            claude = await stack.enter_async_context(open_claude(config, usage_file, book=book))
            reading = reading_of(config, lambda: claude)
        yield Inquirer(world, reading.thinker(table), rows, table, reading.caps), case, kept


async def _database(
    stack: AsyncExitStack, path: Path | None, now: Now
) -> tuple[Investigations | None, Readable | None]:
    """The database to keep the run in and to read from; only to read from where another instance writes it."""
    if path is None:
        return None, None
    try:
        database = await stack.enter_async_context(Database.open(path, now=now()))
        return Investigations(database, now), database
    except StorageError:
        try:
            return None, await stack.enter_async_context(View.open(path))
        except StorageError:
            return None, None


def names_of(case: Case, table: SymbolTable) -> tuple[str, ...]:
    """The words to look for in texts: the company's name, or the two moneys and their banks."""
    known = pair(case.symbol)
    if known is None and (traded := instrument(case.symbol)):
        return traded.search
    if known is None:
        return (table.name(case.symbol),) if table.known(case.symbol) else (case.symbol,)
    words = {"JPY": "yen", "USD": "dollar", "EUR": "euro", "GBP": "sterling", "CHF": "franc", "CNY": "yuan"}
    moneys = [words.get(leg.code, leg.code) for leg in known.legs if leg.code != "USD"]
    return (*moneys, *(leg.bank_name for leg in known.legs))


def build_world(
    case: Case,
    table: SymbolTable,
    access: Access | None,
    database: Readable | None,
    now: Now,
    prices: SeriesSource | None,
) -> World:
    """The checklist's sources as far as they are there; without `access` the network is not asked."""
    sources: dict[str, RecordSource] = {}
    if database is not None:
        sources["first_seen"] = FirstSeen(database)
    if access is None:
        return World(prices or Unasked(), None, sources)
    sources |= public_sources(case, access, now)
    series: SeriesSource = prices or ToolSeries(Prices(access), now)
    return World(series, None, sources, related(case, table))


@dataclass(frozen=True, slots=True)
class Unasked:
    """Stands where the network is not asked: the tools are switched off, or a day is replayed."""

    name: str = "no price tool"

    async def series(self, symbol: str, around: datetime | None, *, daily: bool | None = None) -> Series:
        yours = f"`tapewatch why {symbol} --prices FILE.csv` reads a file of yours"
        raise NoSeries(f"{symbol}: this run asks nothing of the network; {yours}")


def related(case: Case, table: SymbolTable) -> Related:
    """The series to split a move with."""
    known = pair(case.symbol)
    if known is not None:
        return Related(crosses=_crosses(known))
    return Related(market=MARKET, peers=table.peers(case.symbol, PEERS)) if case.kind == "stock" else Related()


def _crosses(known: Pair) -> tuple[str, ...]:
    """Two pairs of either leg against currencies outside the pair, written as the market quotes them."""
    order = ("EUR", "GBP", "AUD", "NZD", "USD", "CAD", "CHF", "JPY")
    third = [code for code in THIRD if code not in (known.base.code, known.quote.code)][:2]

    def rank(code: str) -> int:
        return order.index(code) if code in order else len(order)

    return tuple("".join(sorted((leg.code, code), key=rank)) for leg in known.legs for code in third)
