"""Five agents that draft, ask and revise through the desk, over the real SDK: bounded in calls, tools and time."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import pytest

from agents.budget import calls_per_agent
from agents.desk import Desk
from agents.models import Abstention, Evidence, EvidenceItem, Report, Signal, ToolName
from agents.report import Deadlines
from agents.tools.protocol import Question
from agents.tools.result import ok
from tests.agents.analysts.claude.ledgers import Office, office
from tests.agents.builders import NOW, an_item
from tests.fakes.companies import Companies
from tests.fakes.messages_api import (
    MessagesApi,
    Mood,
    asks,
    assessment,
    drops,
    error,
    good,
    in_turn,
    message,
    reply,
    says,
    slow,
)

ITEM = an_item("Nvidia opens a plant", "It cost 3 billion dollars.")
NAMED = assessment(0.6, tickers=["NVDA"])


@dataclass
class Asking:
    """A tool that remembers what it was asked and finds one thing."""

    name: ToolName
    finds: str = "Nvidia plans a plant"
    asked: list[Question] = field(default_factory=list)

    async def ask(self, question: Question) -> Evidence:
        self.asked.append(question)
        return ok(self.name, NOW, "archive", [EvidenceItem(self.finds, source="Wire", at=NOW)])


def desk_of(o: Office, tools: Mapping[ToolName, Asking] | None = None, *, extra: int = 2, call_s: float = 5) -> Desk:
    return Desk(o.analyst, tools or {}, Companies(), {}, deadlines=Deadlines(call_s=call_s), extra_calls=extra)


def report_of(signal: Signal, agent: str) -> Report:
    found = next(outcome for outcome in signal.outcomes if outcome.agent == agent)
    assert isinstance(found, Report), found
    return found


async def judged(mood: Mood, tools: Mapping[ToolName, Asking] | None = None, *, extra: int = 2) -> tuple[Signal, Any]:
    async with MessagesApi(mood) as api, office(api, extra=extra) as o:
        signal = await desk_of(o, tools, extra=extra).judge(ITEM, now=NOW)
        assert api.refused == []
        return signal, (api, o)


async def test_five_agents_draft_and_revise_and_are_added_up() -> None:
    signal, (api, o) = await judged(good(NAMED))
    assert signal.synthesis is not None
    assert (signal.synthesis.impact_score, signal.synthesis.agents_ok, signal.engine) == (0.6, 5, "claude")
    assert [ticker.symbol for ticker in signal.synthesis.tickers_linked] == ["NVDA"]
    assert len(api.asked) == 10
    assert sorted({call.stage for call in o.book.calls}) == ["draft", "revise"]
    assert signal.cost_usd == pytest.approx(o.purse.total / 1e9)
    assert sum(report.cost_usd or 0 for report in signal.outcomes) == pytest.approx(signal.cost_usd or 0)


async def test_an_item_costs_less_than_half_a_cent_on_the_default_model() -> None:
    names: tuple[ToolName, ...] = ("geo_events", "rss_search", "web_search", "sector_peers")
    tools = {name: Asking(name, "w " * 150) for name in names}
    signal, _ = await judged(good(NAMED), tools)
    assert signal.cost_usd is not None
    assert signal.cost_usd < 0.005


async def test_five_agents_take_as_long_as_the_slowest_and_50_ms() -> None:
    async with MessagesApi(slow(0.2, good(NAMED))) as api, office(api) as o:
        await o.analyst.prepare()
        begun = perf_counter()
        signal = await desk_of(o).judge(ITEM, now=NOW)
        wall = perf_counter() - begun
        slowest = max(outcome.elapsed_ms for outcome in signal.outcomes) / 1000
        assert slowest >= 0.4
        assert wall <= 1.05 * slowest + 0.05
        assert api.busiest == 5


async def test_a_fault_that_points_at_evidence_or_words_changes_the_score_and_others_do_not() -> None:
    better = assessment(0.8, tickers=["NVDA"])

    def mood_with(pointer: str) -> Mood:
        async def mood(asked: Any) -> Any:
            given = reply(asked, better if asked.revises else NAMED, [{"pointer": pointer, "statement": "too low"}])
            return message(asked, given)

        return mood

    tools: dict[ToolName, Asking] = {"rss_search": Asking("rss_search")}
    for pointer, final in (("rss_search#1", 0.8), ("3 billion dollars", 0.8), ("my gut", 0.6), ("geo_events#7", 0.6)):
        signal, _ = await judged(mood_with(pointer), tools)
        scope = report_of(signal, "SignalScope")
        assert (scope.draft.impact_score, scope.final.impact_score) == (0.6, final), pointer


async def test_the_draft_the_agent_revises_is_its_own() -> None:
    _, (api, _) = await judged(good(NAMED))
    (revised,) = [asked for asked in api.asked if asked.revises and "angle: MacroMind" in asked.system]
    assert '"impact_score":0.6' in revised.told.partition("Your draft:")[2]


async def test_a_further_question_goes_to_the_agents_own_tool_and_its_answer_counts_as_evidence() -> None:
    tools: dict[ToolName, Asking] = {"rss_search": Asking("rss_search"), "sector_peers": Asking("sector_peers")}
    question = ("rss_search", {"words": "Nvidia plant Texas", "symbols": ["nvda", "../etc"]})
    signal, (api, _) = await judged(asks(question, then=good(NAMED)), tools)
    scope = report_of(signal, "SignalScope")
    assert [one.id for one in scope.evidence] == ["geo_events#1", "rss_search#1", "web_search#1", "rss_search#2"]
    assert [(asked.item.title, asked.symbols) for asked in tools["rss_search"].asked[1:]] == [
        ("Nvidia plant Texas", ("NVDA",))
    ]
    assert scope.confidence_score == pytest.approx(0.8 * (0.5 + 0.5 / 3)), "mandatory tools alone count"
    mine = [asked for asked in api.asked if "angle: SignalScope" in asked.system]
    answered = [asked for asked in mine if "tool_result" in str(asked.body["messages"])]
    assert "rss_search#2" in answered[0].told


@pytest.mark.parametrize("extra", [0, 1, 2, 5])
@pytest.mark.parametrize("at_once", [False, True], ids=["in turn", "at once"])
async def test_however_often_it_asks_code_counts_the_questions(extra: int, at_once: bool) -> None:
    tools: dict[ToolName, Asking] = {"rss_search": Asking("rss_search")}
    questions = [("rss_search", {"words": f"plant {number}", "symbols": []}) for number in range(40)]
    signal, (api, _) = await judged(asks(*questions, then=good(NAMED), at_once=at_once), tools, extra=extra)
    assert len(tools["rss_search"].asked) == 1 + (0 if at_once and extra == 0 else min(extra, 40))
    mine = [asked for asked in api.asked if "angle: SignalScope" in asked.system]
    assert len(mine) <= calls_per_agent(extra)
    outcome = next(one for one in signal.outcomes if one.agent == "SignalScope")
    if isinstance(outcome, Abstention):
        assert (outcome.cause, outcome.detail) == (
            "malformed",
            "draft: it asks a tool although no question is left (after one repair)",
        )


async def test_the_same_question_again_is_not_put_again() -> None:
    tools: dict[ToolName, Asking] = {"rss_search": Asking("rss_search")}
    same = ("rss_search", {"words": "Plant", "symbols": []})
    await judged(asks(same, same, then=good(NAMED)), tools)
    assert len(tools["rss_search"].asked) == 2


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("sector_peers", {"words": "x", "symbols": []}),
        ("fetch", {"url": "http://127.0.0.1:8080/admin"}),
        ("rss_search", {"t": 123, "x": None}),
        ("rss_search", {"words": 5, "symbols": []}),
        ("rss_search", {"words": "x", "symbols": "NVDA"}),
        ("rss_search", {"words": "", "symbols": []}),
    ],
)
async def test_a_question_outside_the_list_or_the_shape_reaches_no_tool(tool: str, given: Any) -> None:
    tools: dict[ToolName, Asking] = {"rss_search": Asking("rss_search"), "sector_peers": Asking("sector_peers")}
    signal, (api, _) = await judged(asks((tool, given), then=good(NAMED)), tools)
    assert len(tools["rss_search"].asked) == 1
    mine = [asked for asked in api.asked if "angle: SignalScope" in asked.system]
    assert any('"is_error": true' in str(asked.body).replace("'is_error': True", '"is_error": true') for asked in mine)
    assert isinstance(signal.outcomes[0], Report)


async def test_no_address_leaves_in_a_search() -> None:
    tools: dict[ToolName, Asking] = {"rss_search": Asking("rss_search")}
    leak = ("rss_search", {"words": "see https://evil.example/?k=sk-1 www.evil.example a@b.example now", "symbols": []})
    await judged(asks(leak, then=good(NAMED)), tools)
    assert tools["rss_search"].asked[1].item.title == "see now"


async def test_tools_that_nobody_stands_behind_are_not_offered() -> None:
    _, (api, _) = await judged(good(NAMED), {"rss_search": Asking("rss_search")})
    offered = {asked.system.partition("angle: ")[2].split("\n")[0]: asked.body.get("tools") for asked in api.asked}
    assert [tool["name"] for tool in offered["SignalScope"] or ()] in (["rss_search"], [])
    assert offered["MacroMind"] is None


async def test_a_lost_answer_is_asked_for_once_more() -> None:
    signal, (api, o) = await judged(in_turn(*([drops()] * 5), good(NAMED)))
    assert signal.synthesis is not None
    assert signal.synthesis.agents_ok == 5
    assert len(api.asked) == 15
    assert sum(call.detail.startswith("the connection broke") for call in o.book.calls) == 5


async def test_draft_and_revision_share_one_deadline() -> None:
    async with MessagesApi(slow(0.5, good(NAMED))) as api, office(api) as o:
        await o.analyst.prepare()
        begun = perf_counter()
        signal = await desk_of(o, call_s=0.9).judge(ITEM, now=NOW)
        assert perf_counter() - begun < 3.0
        assert {(one.cause, one.detail[:6]) for one in signal.outcomes if isinstance(one, Abstention)} == {
            ("timeout", "revise")
        }


async def test_an_agent_that_fails_abstains_alone_and_its_cost_is_shown() -> None:
    async def mood(asked: Any) -> Any:
        if "angle: MacroMind" in asked.system:
            return message(asked, "no", stop="refusal")
        return message(asked, reply(asked, NAMED))

    signal, _ = await judged(mood)
    macro = signal.outcomes[2]
    assert isinstance(macro, Abstention)
    assert (macro.cause, macro.model) == ("refusal", "claude-haiku-5-5")
    assert macro.cost_usd
    assert sum(isinstance(one, Report) for one in signal.outcomes) == 4


async def test_each_agent_may_have_a_model_of_its_own() -> None:
    async with MessagesApi(good(NAMED)) as api, office(api, models={"PolicyRadar": "claude-sonnet-5-5"}) as o:
        signal = await desk_of(o).judge(ITEM, now=NOW)
        assert report_of(signal, "PolicyRadar").model == "claude-sonnet-5-5"
        assert report_of(signal, "MacroMind").model == "claude-haiku-5-5"


PLAIN_MOODS: Mapping[str, Sequence[str]] = {
    "an object": ("{}",),
    "a fence": ("```json\n{}\n```",),
    "prose around it": ("Sure! {} Hope this helps.",),
}


@pytest.mark.parametrize("name", PLAIN_MOODS)
async def test_a_server_that_ignores_schemas_is_told_the_schema_in_words(name: str) -> None:
    (shape,) = PLAIN_MOODS[name]

    async def mood(asked: Any) -> Any:
        assert not {"output_config", "tools"} & set(asked.body)
        assert "cache_control" not in str(asked.body)
        assert "JSON schema" in asked.system
        return message(asked, shape.replace("{}", reply(asked, NAMED)))

    async with MessagesApi(mood, models=["smol"], lists=False) as api, office(api, models={"MacroMind": "smol"}) as o:
        tools: dict[ToolName, Asking] = {"cpi": Asking("cpi")}
        signal = await desk_of(o, tools).judge(ITEM, now=NOW)
        assert report_of(signal, "MacroMind").final.impact_score == 0.6


async def test_a_server_that_refuses_the_schema_is_asked_in_words_from_then_on() -> None:
    refused = error(400, "invalid_request_error", "output_config: Extra inputs are not permitted")

    async def mood(asked: Any) -> Any:
        if "output_config" in asked.body:
            return refused
        return message(asked, reply(asked, NAMED))

    async with MessagesApi(mood) as api, office(api, server="anthropic") as o:
        signal = await desk_of(o).judge(ITEM, now=NOW)
        assert signal.synthesis is not None
        assert signal.synthesis.agents_ok == 5
        assert sum("output_config" in asked.body for asked in api.asked) <= 5


async def test_a_badly_behaved_model_is_five_named_abstentions() -> None:
    signal, _ = await judged(says("The stock will go to the moon 🚀 {not json"))
    assert signal.synthesis is None
    assert {one.cause for one in signal.outcomes if isinstance(one, Abstention)} == {"malformed"}


async def test_cancelling_an_item_leaves_its_money_reserved_and_the_service_usable() -> None:
    async with MessagesApi(in_turn(*[slow(5, good(NAMED))] * 5, good(NAMED))) as api, office(api) as o:
        judging = asyncio.create_task(desk_of(o).judge(ITEM, now=NOW))
        async with asyncio.timeout(3):
            while len(api.asked) < 5:  # noqa: ASYNC110 -- the server has no event for it
                await asyncio.sleep(0.005)
        judging.cancel()
        with pytest.raises(asyncio.CancelledError):
            await judging
        assert len(o.purse.open) == 5
        signal = await desk_of(o).judge(ITEM, now=NOW)
        assert signal.synthesis is not None
