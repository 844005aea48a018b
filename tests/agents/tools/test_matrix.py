"""Every source of every tool, each answering badly in every way: its failure is named, the others' answers stay.

`python -m tests.agents.tools.test_matrix` prints the table.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, get_args

import pytest

from agents.models import Evidence, ToolName
from agents.tools.asking.catalogue import SOURCES
from tests.fakes.evidence import KEYS, Sources, a_question, serve, sources
from tests.fakes.feed_server import FeedServer, Handler, reply, silent

JSON: Final = {"Content-Type": "application/json"}
HTML: Final = {"Content-Type": "text/html"}
DEADLINE_S: Final = 2.0
AT_ONCE: Final = 25
LARGE: Final = b"[" + b"1," * 13_500_000 + b"1]"
"""Larger than what any source may send."""

BAD: dict[str, tuple[Handler, str]] = {
    "403 HTML": (reply(403, b"<html><body>Access denied</body></html>", HTML), "refuses this program (403)"),
    "200 HTML": (reply(200, b"<!DOCTYPE html><html>are you human?</html>", HTML), "a page for people"),
    "429": (reply(429, b"slow down", {"Retry-After": "120"}), "asks for fewer requests (429)"),
    "timeout": (silent(), "no answer within"),
    "empty": (reply(200, b""), ""),
    "malformed": (reply(200, b'{"a": [1, 2', JSON), ""),
    "huge": (reply(200, LARGE, JSON), ""),
}
"""Each with the words its failure must hold, where they are the same for every source."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A source of a tool, and those that stand before or behind it in its chain."""

    tool: ToolName
    source: str
    beside: tuple[str, ...]


async def cells() -> list[Cell]:
    """All of them, but for the search that only a model's service makes."""
    async with sources(keys=KEYS) as world:
        found = [
            Cell(name, step.source, tuple(other.source for other in chain.steps if other.source != step.source))
            for name, tool in world.tools.items()
            for chain in tool.chains
            for step in chain.steps
            if not SOURCES[step.source].hosted
        ]
    return list({(cell.tool, cell.source): cell for cell in found}.values())


async def asked(cell: Cell, handler: Handler) -> tuple[Evidence, Sources, float]:
    """The tool's evidence while one of its sources answers like that, and those beside it in its chain are off."""

    def answering(server: FeedServer) -> None:
        serve(server)
        for path in list(server._routes):
            if path.startswith(f"/{cell.source}/"):
                server.script(path, handler)
        server.script("*", handler)

    question = a_question()
    if cell.tool == "central_bank_statements":
        question = a_question("Fed raises interest rates by surprise", event="rate_surprise")
    if (cell.tool, cell.source) == ("fx_rates", "yahoo"):
        question = a_question("Dollar falls against yen", "USDJPY")
    async with sources(keys=KEYS, disabled=cell.beside, answering=answering) as world:
        began = time.monotonic()
        evidence = await world.ask(cell.tool, question, deadline_s=DEADLINE_S if handler is BAD["timeout"][0] else 8.0)
        return evidence, world, time.monotonic() - began


def wrong(cell: Cell, kind: str, evidence: Evidence, world: Sources) -> Iterator[str]:
    """What is not as it must be, in words."""
    title = SOURCES[cell.source].title
    if not world.asked(cell.source):
        yield "was not asked"
    if f"{title}: " not in evidence.detail:
        yield f"is not named: {evidence.detail}"
    elif BAD[kind][1] not in evidence.detail:
        yield f"is not told as {BAD[kind][1]!r}: {evidence.detail}"
    if any(item.source == title for item in evidence.items):
        yield "has given a finding"
    if evidence.status == "empty":
        yield "counts as if nothing were there"
    if world.access.states()[cell.source].standing == "answering":
        yield "stands as answering"
    if "CANARY" in repr(evidence):
        yield "gives a key away"


@pytest.mark.parametrize("kind", BAD)
async def test_each_source_of_each_tool_may_answer_badly_and_is_named(kind: str) -> None:
    found = await cells()
    assert len({cell.tool for cell in found}) == len(get_args(ToolName))
    failed: list[str] = []
    for start in range(0, len(found), AT_ONCE):
        some = found[start : start + AT_ONCE]
        for cell, (evidence, world, took) in zip(
            some, await asyncio.gather(*(asked(cell, BAD[kind][0]) for cell in some)), strict=True
        ):
            failed += [f"{cell.tool} {cell.source}: {words}" for words in wrong(cell, kind, evidence, world)]
            if took > 7.0:
                failed.append(f"{cell.tool} {cell.source}: took {took:.1f} s")
    assert failed == []


async def _table() -> None:
    found = await cells()
    print(f"{'tool':<26}{'source':<18}" + "".join(f"{kind:>11}" for kind in BAD))
    for cell in found:
        marks = []
        for kind, (handler, _) in BAD.items():
            evidence, world, _took = await asked(cell, handler)
            marks.append("ok" if not list(wrong(cell, kind, evidence, world)) else "WRONG")
        print(f"{cell.tool:<26}{cell.source:<18}" + "".join(f"{mark:>11}" for mark in marks))


if __name__ == "__main__":
    sys.exit(asyncio.run(_table()))
