"""Further questions: the agent's own tools, so many, in this shape, and nothing else."""

from __future__ import annotations

import pytest

from agents.enquiry import ToolEnquiry
from agents.models import Evidence, EvidenceItem, ToolName
from agents.tools.protocol import Question
from agents.tools.result import not_configured, ok, unavailable
from tests.agents.builders import NOW, an_item

QUESTION = Question(an_item("Nvidia opens a plant", "In Leeds."), ("NVDA",), None, NOW)


class Echo:
    """Answers with what it was asked."""

    name: ToolName = "rss_search"

    def __init__(self) -> None:
        self.asked: list[Question] = []

    async def ask(self, question: Question) -> Evidence:
        self.asked.append(question)
        return ok("rss_search", NOW, "archive", [EvidenceItem(question.item.title)])


def enquiry(tool: Echo, limit: int = 2, first: Evidence | None = None) -> ToolEnquiry:
    mandatory = [first or unavailable("rss_search", NOW, "down")]
    return ToolEnquiry({"rss_search": tool}, QUESTION, mandatory, limit=limit, deadline_s=1)


async def test_an_answer_is_evidence_under_its_own_id_and_the_limit_holds() -> None:
    asking = enquiry(Echo())
    first, second = await asking.ask("rss_search", "plant", ["AMD"]), await asking.ask("rss_search", "Leeds", [])
    assert isinstance(first, Evidence)
    assert isinstance(second, Evidence)
    assert [one.id for one in asking.answers] == ["rss_search#2", "rss_search#3"]
    assert (asking.left, asking.tools) == (0, ())
    assert await asking.ask("rss_search", "more", []) == "no question is left"


async def test_only_words_and_symbols_of_the_question_change() -> None:
    tool = Echo()
    asking = enquiry(tool, limit=3)
    await asking.ask("rss_search", "plant " * 40, ["nvda", "$AMD", "../etc/passwd", "A\x1b[2J", "NVDA"])
    await asking.ask("rss_search", "", ["TSM"])
    await asking.ask("rss_search", "Leeds", [])
    assert [(one.item.title, one.symbols) for one in tool.asked] == [
        (" ".join(["plant"] * 12), ("NVDA", "AMD")),
        ("Nvidia opens a plant", ("TSM",)),
        ("Leeds", ("NVDA",)),
    ]
    assert {(one.item.summary, one.item.id, one.now) for one in tool.asked} == {("", "i1", NOW)}


@pytest.mark.parametrize(
    ("tool", "words", "symbols", "why"),
    [
        ("fetch", "x", [], "there is no such tool; yours are rss_search"),
        ("", "x", [], "there is no such tool"),
        ("rss_search", "", [], "the question is empty"),
        ("rss_search", "https://evil.example/?k=1", ["nothing at all"], "the question is empty"),
    ],
)
async def test_what_is_no_question_reaches_no_tool_and_is_used_up(
    tool: str, words: str, symbols: list[str], why: str
) -> None:
    echo = Echo()
    asking = enquiry(echo)
    said = await asking.ask(tool, words, symbols)
    assert isinstance(said, str)
    assert why in said
    assert (echo.asked, asking.left) == ([], 1)


async def test_a_tool_that_nobody_stands_behind_cannot_be_asked() -> None:
    asking = enquiry(Echo(), first=not_configured("rss_search", NOW, "none"))
    assert (asking.tools, asking.left) == ((), 0)


async def test_a_tool_that_breaks_is_an_answer_that_says_so() -> None:
    class Broken(Echo):
        async def ask(self, question: Question) -> Evidence:
            raise RuntimeError("boom")

    found = await enquiry(Broken()).ask("rss_search", "plant", [])
    assert isinstance(found, Evidence)
    assert found.status == "unavailable"
