"""Every source fails once: the verdict is then unknown and names it. With all healthy and nothing there, it says so."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from app.clock import SteppedClock
from app.investigation.asking import Wanted
from app.wiring.inquiries import Inquiries
from storage.database import Database
from tests.app.program import run
from tests.fakes.evidence import sources
from tests.fakes.feed_server import FeedServer
from tests.fakes.public_world import STOCK, Answer, currency_world, prices, recent_move, serve, stock_world

NOW: Final = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
PAIR_FELL: Final = recent_move(NOW, 6)
STOCK_FELL: Final = recent_move(NOW, 15)
WORLDS: Final[dict[str, tuple[Callable[[datetime], dict[str, Answer]], datetime]]] = {
    "USDJPY": (currency_world, PAIR_FELL),
    STOCK: (stock_world, STOCK_FELL),
}


def world(symbol: str) -> tuple[dict[str, Answer], datetime]:
    made, onset = WORLDS[symbol]
    return made(onset), onset


def failures() -> list[tuple[str, str, str]]:
    """(symbol, path, line) of every source but the price series itself and those of which several stand together."""
    found = []
    for symbol in WORLDS:
        alone = [prices("USDJPY=X"), prices(STOCK)]
        several = [
            path
            for path, one in world(symbol)[0].items()
            if one.line in ("sector peers", "other pairs of either currency")
        ]
        found += [(symbol, path, one.line) for path, one in world(symbol)[0].items() if path not in (*alone, *several)]
    return found


@pytest.mark.parametrize(("symbol", "path", "line"), failures())
async def test_a_source_that_fails_makes_the_verdict_unknown_and_is_named(
    symbol: str, path: str, line: str, tmp_path: Path
) -> None:
    answers, onset = world(symbol)
    async with (
        sources(answering=lambda server: serve(server, answers, but=path)) as made,
        Database.open(tmp_path / "t.db", now=NOW) as database,
    ):
        asked = Inquiries(database, SteppedClock(NOW), lambda: made.access)
        found = await asked.ask(Wanted(symbol, onset), lambda event: None)
    assert found.answer.verdict == "unknown"
    # Filings and releases are read from the same list of the SEC.
    named = {line, "company releases"} if line.startswith("company filings") else {line}
    assert set(found.answer.unknown_because) == named


@pytest.mark.parametrize("symbol", WORLDS)
async def test_series_that_all_fail_are_named(symbol: str, tmp_path: Path) -> None:
    answers, onset = world(symbol)
    line = "sector peers" if symbol == STOCK else "other pairs of either currency"
    left = {path: one for path, one in answers.items() if one.line != line}
    async with (
        sources(answering=lambda server: serve(server, left)) as made,
        Database.open(tmp_path / "t.db", now=NOW) as database,
    ):
        found = await Inquiries(database, SteppedClock(NOW), lambda: made.access).ask(
            Wanted(symbol, onset), lambda event: None
        )
    assert (found.answer.verdict, found.answer.unknown_because) == ("unknown", (line,))


async def why(home: Path, server: FeedServer, symbol: str, onset: datetime) -> dict[str, Any]:
    """The program in its own process."""
    home.mkdir()
    config = home / "config.toml"
    config.write_text(f'[tools]\nbase_urls = {{ default = "{server.url("").rstrip("/")}" }}\n')
    done = await run(home, "why", symbol, "--at", f"{onset:%Y-%m-%dT%H:%MZ}", "--json", "--config", str(config))
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


@pytest.mark.parametrize("symbol", WORLDS)
async def test_while_every_source_answers_and_has_nothing_there_is_no_public_cause(symbol: str, tmp_path: Path) -> None:
    answers, onset = world(symbol)
    async with (
        sources(answering=lambda server: serve(server, answers)) as made,
        Database.open(tmp_path / "t.db", now=NOW) as database,
    ):
        asked = Inquiries(database, SteppedClock(NOW), lambda: made.access)
        found = (await asked.ask(Wanted(symbol, onset), lambda event: None)).answer
    assert (found.verdict, found.unknown_because) == ("no_public_cause", ())
    assert {line.state for line in found.coverage} == {"found", "nothing"}
    assert found.used.calls <= found.bound.calls


async def test_the_program_over_the_network(tmp_path: Path) -> None:
    async def asked(symbol: str, broken: str) -> dict[str, Any]:
        answers, onset = world(symbol)
        async with FeedServer() as server:
            serve(server, answers, but=broken)
            return await why(tmp_path / symbol, server, symbol, onset)

    pair, stock = await asyncio.gather(asked("USDJPY", ""), asked(STOCK, "/trade_halts/rss.aspx"))
    assert (pair["verdict"], pair["unknown_because"]) == ("no_public_cause", [])
    assert {line["state"] for line in pair["coverage"]} <= {"found", "nothing"}
    assert pair["used"]["calls"] <= pair["bound"]["calls"]
    assert (stock["verdict"], stock["unknown_because"]) == ("unknown", ["halt notices"])
