"""The tools of a recording: they answer with what was written down, for its moment, and never pass for live."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from agents.analysts.protocol import Brief
from agents.analysts.recorded import Failure, RecordedAnalyst
from agents.errors import AnalystFailed
from agents.gather import gather
from agents.models import EvidenceItem
from agents.specialists import SPECIALISTS
from agents.tools import build_tools
from agents.tools.recorded import EVERY, NOTHING, recorded_tools
from agents.tools.result import ok, unavailable
from tests.agents.builders import NOW, an_item
from tests.fakes.analysts import GoodAnalyst
from tests.fakes.archive import MemoryArchive
from tests.fakes.companies import Companies
from tests.fakes.evidence import a_question

URL = "https://wire.example/1"
ITEM = replace(an_item("Nvidia falls"), url=URL)
QUESTION = a_question(item=ITEM)


def found(text: str, minutes: float) -> EvidenceItem:
    return EvidenceItem(text, at=NOW + timedelta(minutes=minutes), precision="minute")


ANSWERS = {
    URL: {
        "stocktwits_ratio": ok("stocktwits_ratio", NOW, "recorded, S", [found("then", -5), found("later", 5)]),
        "youtube_sentiment": unavailable("youtube_sentiment", NOW, "was down"),
        "web_search": ok("web_search", NOW, "recorded, W", [found("later only", 5)]),
    },
    EVERY: {"cpi": ok("cpi", NOW, "recorded, BLS", [found("cpi", -60)])},
}


async def test_each_tool_answers_from_the_recording_and_the_rest_say_that_it_holds_nothing() -> None:
    tools = recorded_tools(ANSWERS, build_tools(MemoryArchive([]), Companies()))  # type: ignore[arg-type]
    names = [name for one in SPECIALISTS for name in one.tools]
    answers = {one.tool: one for one in await gather(names, tools, QUESTION, 1.0)}
    assert len(answers) == 16
    assert [item.text for item in answers["stocktwits_ratio"].items] == ["then"]
    assert answers["stocktwits_ratio"].fetched_at == QUESTION.now
    assert answers["cpi"].status == "ok", "what holds for every item"
    assert answers["youtube_sentiment"].status == "unavailable"
    assert (answers["web_search"].status, answers["web_search"].items) == ("empty", ()), "it came later"
    assert (answers["fx_rates"].status, answers["fx_rates"].detail) == ("empty", NOTHING)
    own = {one.source for one in answers.values() if one.source and not one.source.startswith("recorded")}
    assert own == {"offline company table"}, "what the program knows by itself is no live answer either"


async def test_an_agent_fails_where_the_recording_says_so_and_thinks_elsewhere() -> None:
    inner = GoodAnalyst()
    analyst = RecordedAnalyst(inner, {(URL, "MacroMind"): Failure("timeout", "no answer within 45 s")})
    brief = Brief(ITEM, NOW)
    with pytest.raises(AnalystFailed, match="within 45 s") as failed:
        await analyst.draft("MacroMind", brief)
    assert failed.value.cause == "timeout"
    draft = await analyst.draft("SectorScan", brief)
    assert await analyst.revise("SectorScan", brief, draft) == await inner.revise("SectorScan", brief, draft)
    assert (analyst.engine, analyst.model) == (inner.engine, inner.model)
