"""Tools that answer from memory."""

from __future__ import annotations

from agents.tools.local import NotConfigured
from agents.tools.protocol import Question
from tests.agents.builders import NOW, an_item


async def test_a_tool_without_a_source_says_what_would_answer_it() -> None:
    tool = NotConfigured("cpi", "the BLS series would answer this")
    question = Question(an_item(), (), None, NOW)
    evidence = await tool.ask(question)
    assert (evidence.tool, evidence.status, evidence.detail) == (
        "cpi",
        "not_configured",
        "the BLS series would answer this",
    )
    assert tool.answer(question) == evidence
