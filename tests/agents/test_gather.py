"""Every mandatory tool is asked, all at once, and none can break or delay its agent past a deadline."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from agents.gather import gather
from agents.models import Evidence, ToolName
from agents.tools.local import LocalTool, NotConfigured
from agents.tools.protocol import Question, Tool
from agents.tools.result import empty
from tests.agents.builders import NOW, an_item

QUESTION = Question(an_item(), (), None, NOW)
NAMES: tuple[ToolName, ...] = ("policy_rates", "cpi", "fx_rates")


@dataclass
class Waiting:
    """A tool that answers once `release` is set."""

    name: ToolName
    release: asyncio.Event = field(default_factory=asyncio.Event)
    asked: asyncio.Event = field(default_factory=asyncio.Event)

    async def ask(self, question: Question) -> Evidence:
        self.asked.set()
        await self.release.wait()
        return empty(self.name, question.now, "somebody")


@dataclass
class Raising:
    name: ToolName
    error: Exception

    async def ask(self, question: Question) -> Evidence:
        raise self.error


@dataclass
class Answering:
    """A tool that answers with whatever it was given."""

    name: ToolName
    answer: Evidence

    async def ask(self, question: Question) -> Evidence:
        return self.answer


class BrokenAtHand(LocalTool):
    @property
    def name(self) -> ToolName:
        return "cpi"

    def answer(self, question: Question) -> Evidence:
        raise KeyError("no such series")


async def test_all_tools_are_asked_at_once_and_answer_in_the_order_asked() -> None:
    tools = {name: Waiting(name) for name in NAMES}
    gathering = asyncio.create_task(gather(NAMES, tools, QUESTION, 5))
    for tool in tools.values():
        await asyncio.wait_for(tool.asked.wait(), 1)
    for name in reversed(NAMES):
        tools[name].release.set()
    assert [evidence.tool for evidence in await gathering] == list(NAMES)


async def test_a_tool_that_is_missing_is_not_configured() -> None:
    (evidence,) = await gather(("cpi",), {}, QUESTION, 5)
    assert (evidence.tool, evidence.status) == ("cpi", "not_configured")
    assert evidence.detail


async def test_a_tool_past_its_deadline_is_unavailable_and_the_others_are_not() -> None:
    slow, quick = Waiting("policy_rates"), Waiting("cpi")
    quick.release.set()
    evidence = await gather(("policy_rates", "cpi"), {"policy_rates": slow, "cpi": quick}, QUESTION, 0.02)
    assert [e.status for e in evidence] == ["unavailable", "empty"]
    assert evidence[0].detail == "no answer after 0.02 s"
    assert evidence[0].elapsed_ms >= 20


@pytest.mark.parametrize("error", [RuntimeError("a bug"), ValueError("bad JSON"), TimeoutError("socket")])
async def test_a_tool_that_raises_is_unavailable_with_what_it_raised(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    (evidence,) = await gather(("cpi",), {"cpi": Raising("cpi", error)}, QUESTION, 5)
    assert evidence.status == "unavailable"
    assert evidence.detail == f"the tool failed: {type(error).__name__}: {error}"
    assert "cpi: the tool broke its contract" in caplog.text


async def test_a_tool_at_hand_that_raises_is_unavailable_too(caplog: pytest.LogCaptureFixture) -> None:
    (evidence,) = await gather(("cpi",), {"cpi": BrokenAtHand()}, QUESTION, 5)
    assert evidence.status == "unavailable"
    assert "KeyError" in caplog.text


async def test_a_tool_that_answers_for_another_is_unavailable() -> None:
    tools: dict[ToolName, Tool] = {"cpi": Answering("cpi", empty("fx_rates", NOW, "somebody"))}
    (evidence,) = await gather(("cpi",), tools, QUESTION, 5)
    assert (evidence.tool, evidence.status) == ("cpi", "unavailable")


async def test_tools_at_hand_and_tools_that_wait_come_back_together() -> None:
    quick = Waiting("policy_rates")
    quick.release.set()
    tools: dict[ToolName, Tool] = {"policy_rates": quick, "cpi": NotConfigured("cpi", "BLS would answer")}
    evidence = await gather(NAMES, tools, QUESTION, 5)
    assert [(e.tool, e.status) for e in evidence] == [
        ("policy_rates", "empty"),
        ("cpi", "not_configured"),
        ("fx_rates", "not_configured"),
    ]


async def test_evidence_ids_are_unique_within_a_report() -> None:
    evidence = await gather(NAMES, {}, QUESTION, 5)
    assert len({e.id for e in evidence}) == len(NAMES)


async def test_cancelling_stops_the_tools() -> None:
    tool = Waiting("cpi")
    gathering = asyncio.create_task(gather(("cpi",), {"cpi": tool}, QUESTION, 5))
    await asyncio.wait_for(tool.asked.wait(), 1)
    gathering.cancel()
    with pytest.raises(asyncio.CancelledError):
        await gathering
