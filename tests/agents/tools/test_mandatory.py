"""All sixteen tools, and who stands behind each."""

from __future__ import annotations

from typing import get_args

import pytest

from agents.models import ToolName
from agents.tools import build_tools
from agents.tools.archive import NO_ARCHIVE, EarlierNews, SourceNews
from agents.tools.mandatory import PUBLISHERS, UNANSWERED
from agents.tools.protocol import Question
from tests.agents.builders import NOW, an_item
from tests.fakes.archive import MemoryArchive
from tests.fakes.companies import Companies

TOOL_NAMES: tuple[ToolName, ...] = get_args(ToolName)
QUESTION = Question(an_item(), (), None, NOW)


@pytest.mark.parametrize("archive", [None, MemoryArchive()])
async def test_every_mandatory_tool_exists_under_its_name_and_answers(archive: MemoryArchive | None) -> None:
    tools = build_tools(archive, Companies(), ["wire"])
    assert sorted(tools) == sorted(TOOL_NAMES)
    for name, tool in tools.items():
        evidence = await tool.ask(QUESTION)
        assert tool.name == evidence.tool == name


async def test_a_tool_that_nothing_answers_says_in_words_what_would() -> None:
    tools = build_tools(MemoryArchive(), Companies(), [])
    for name in UNANSWERED:
        evidence = await tools[name].ask(QUESTION)
        assert evidence.status == "not_configured"
        assert "would answer this" in evidence.detail


async def test_without_a_database_its_tools_are_not_configured_never_empty() -> None:
    tools = build_tools(None, Companies())
    for name in ("rss_search", *PUBLISHERS):
        evidence = await tools[name].ask(QUESTION)
        assert (evidence.status, evidence.detail) == ("not_configured", NO_ARCHIVE)
    assert (await tools["sector_peers"].ask(QUESTION)).status == "empty"


def test_each_tool_asks_the_sources_that_fit_it() -> None:
    known = ["fed-press", "fed-speeches", "federal-register-sec", "federal-register-ofac", "sec-litigation", "wire"]
    tools = build_tools(MemoryArchive(), Companies(), known)
    asked = {name: tool.source_ids for name, tool in tools.items() if isinstance(tool, SourceNews)}
    assert asked == {
        "geo_events": ("federal-register-ofac",),
        "regulatory_documents": ("federal-register-sec", "federal-register-ofac"),
        "central_bank_statements": ("fed-press", "fed-speeches"),
        "sec_enforcement": ("sec-litigation",),
        "asic_enforcement": (),
    }
    assert isinstance(tools["rss_search"], EarlierNews)


@pytest.mark.parametrize("name", PUBLISHERS)
def test_the_built_in_feeds_hold_a_source_for_each_tool_that_feeds_answer(name: ToolName) -> None:
    tool = build_tools(MemoryArchive(), Companies())[name]
    assert isinstance(tool, SourceNews)
    assert tool.source_ids
