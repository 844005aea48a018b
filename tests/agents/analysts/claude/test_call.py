"""The failure contract, through the real SDK over loopback: each fault is a named abstention in time, none a number."""

from __future__ import annotations

import asyncio
import json
import logging
from time import perf_counter
from typing import Any

import pytest

from agents.analysts.claude.failures import CallFailed
from agents.analysts.protocol import Bill, Brief
from agents.budget import Price
from agents.models import AbstentionCause, AgentName
from tests.agents.analysts.claude.ledgers import MODEL, Book, Office, Purse, Shelf, office
from tests.agents.builders import NOW, an_item
from tests.fakes.messages_api import (
    MODELS,
    MessagesApi,
    Mood,
    assessment,
    drops,
    error,
    fails,
    good,
    html,
    in_turn,
    message,
    never,
    overloaded,
    says,
    slow,
)

ITEM = an_item("Nvidia opens a plant", "It cost 3 billion dollars.")
GOOD = json.dumps(assessment())


def a_brief(within_s: float = 5.0, title: str = "") -> Brief:
    item = an_item(title) if title else ITEM
    return Brief(item, NOW, until=asyncio.get_running_loop().time() + within_s)


async def failure_of(o: Office, within_s: float = 5.0) -> CallFailed:
    with pytest.raises(CallFailed) as failed:
        await o.analyst.draft("MacroMind", a_brief(within_s))
    return failed.value


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Back-off without the waiting."""
    monkeypatch.setattr("agents.analysts.claude.call.BACK_OFF_S", 0.01)


FAULTS: dict[str, tuple[Mood, AbstentionCause, str, int]] = {
    "refusal": (says("I will not", stop="refusal"), "refusal", "refused", 1),
    "cut off": (says('{"impact_score": 0.8, "ti', stop="max_tokens"), "truncated", "max_tokens", 1),
    "cut off though it looks whole": (says(GOOD, stop="max_tokens"), "truncated", "max_tokens", 1),
    "context full": (says(GOOD, stop="model_context_window_exceeded"), "truncated", "context", 1),
    "paused": (says("", stop="pause_turn"), "malformed", "pause_turn", 2),
    "an unknown end": (says(GOOD, stop="some_new_reason"), "malformed", "some_new_reason", 2),
    "no end": (says(GOOD, stop=None), "malformed", "None", 2),
    "malformed twice": (says("not json"), "malformed", "after one repair", 2),
    "nothing said": (says(""), "malformed", "empty", 2),
    "bad request": (fails(error(400, "invalid_request_error", "messages: too odd")), "error", "too odd", 1),
    "too large": (fails(error(413, "request_too_large")), "error", "413", 1),
    "overloaded for good": (overloaded(), "unavailable", "Overloaded", 3),
    "broken for good": (fails(error(500, "api_error")), "unavailable", "500", 3),
    "rate limited for good": (fails(error(429, "rate_limit_error")), "unavailable", "rate limit", 3),
    "a page": (html(), "malformed", "web page", 2),
    "an error in a 200": (
        fails(error(200, "invalid_request_error", "odd")),
        "malformed",
        "an error inside a 200",
        2,
    ),
    "overloaded in a 200": (fails(error(200, "overloaded_error", "Overloaded")), "unavailable", "inside a 200", 3),
    "hung up": (drops(), "unavailable", "connection broke", 2),
    "hung up in the middle": (
        drops(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"),
        "unavailable",
        "connection broke",
        2,
    ),
}


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.usefixtures("impatient")
async def test_every_fault_of_the_service_is_an_abstention_with_its_name(name: str) -> None:
    mood, cause, words, requests = FAULTS[name]
    async with MessagesApi(mood) as api, office(api) as o:
        failed = await failure_of(o)
        assert (failed.cause, len(api.asked)) == (cause, requests)
        assert words in failed.detail
        assert api.refused == []
        assert o.book.calls[-1].cause == cause
        assert o.book.calls[-1].reply or "hung" in name


STOPPING: dict[str, tuple[Mood, AbstentionCause, str]] = {
    "the key": (fails(error(401, "authentication_error", "invalid x-api-key")), "authentication", "ANTHROPIC_API_KEY"),
    "the permission": (fails(error(403, "permission_error")), "authentication", "ANTHROPIC_API_KEY"),
    "the payment": (fails(error(402, "billing_error")), "budget", "console"),
    "the credit": (
        fails(error(400, "invalid_request_error", "Your credit balance is too low to access the API.")),
        "budget",
        "console",
    ),
    "the spend limit": (
        fails(error(429, "rate_limit_error", error_code="enforced_spend_limit_reached")),
        "budget",
        "spend limit",
    ),
    "a day's wait": (
        fails(error(429, "rate_limit_error", headers={"retry-after": "86400"})),
        "unavailable",
        "asks to wait 86400 s",
    ),
    "an endless wait": (
        fails(error(529, "overloaded_error", headers={"retry-after": "4294967296"})),
        "unavailable",
        "nothing is sent for 300 s",
    ),
}


@pytest.mark.parametrize("name", STOPPING)
async def test_what_no_repeat_can_mend_stops_all_calls_at_once_and_says_how_to_mend_it(name: str) -> None:
    mood, cause, words = STOPPING[name]
    async with MessagesApi(mood) as api, office(api) as o:
        assert await o.analyst.rests() is None
        failed = await failure_of(o)
        assert failed.cause == cause
        assert words in failed.detail
        again = await failure_of(o)
        assert (again.cause, again.detail) == (failed.cause, failed.detail)
        assert len(api.asked) == 1
        assert await o.analyst.rests() == failed.detail


async def test_calls_that_wait_for_a_turn_when_the_key_is_refused_are_never_sent() -> None:
    async with MessagesApi(slow(0.05, fails(error(401, "authentication_error")))) as api, office(api, slots=1) as o:
        drafts = [o.analyst.draft("MacroMind", a_brief(title=f"Nvidia opens plant {n}")) for n in range(5)]
        ends = await asyncio.gather(*drafts, return_exceptions=True)
        assert [end.cause for end in ends if isinstance(end, CallFailed)] == ["authentication"] * 5
        assert len(api.asked) == 1


async def test_an_unknown_model_stops_only_the_agents_that_use_it() -> None:
    async with MessagesApi() as api, office(api, models={"MacroMind": "claude-nothing"}) as o:
        failed = await failure_of(o)
        assert failed.cause == "error"
        assert "claude-nothing" in failed.detail
        await failure_of(o)
        assert (await o.analyst.draft("SectorScan", a_brief())).impact_score == 0.55
        assert await o.analyst.rests() is None


async def test_a_wrong_key_is_refused_by_the_service_and_never_shown() -> None:
    async with MessagesApi() as api, office(api, key="sk-wrong-0123456789") as o:
        failed = await failure_of(o)
        assert failed.cause == "authentication"
        assert "sk-wrong" not in failed.detail + repr(o.book.calls) + repr(o.caller._transport._connection)


@pytest.mark.parametrize("fault", [error(429, "rate_limit_error", headers={"retry-after-ms": "60"}), error(529, "x")])
@pytest.mark.usefixtures("impatient")
async def test_a_short_refusal_is_waited_out_and_costs_nothing(fault: Any) -> None:
    async with MessagesApi(in_turn(fails(fault), good())) as api, office(api) as o:
        begun = perf_counter()
        assert (await o.analyst.draft("MacroMind", a_brief())).impact_score == 0.55
        assert perf_counter() - begun >= (0.06 if fault.status == 429 else 0)
        (call,) = o.book.calls
        assert (call.attempts, call.cause) == (2, None)
        assert o.purse.total == call.cost_nano == o.purse.settled[-1]
        assert o.purse.settled[0] == 0


async def test_silence_ends_at_the_deadline_and_its_money_stays_reserved() -> None:
    async with MessagesApi(never()) as api, office(api) as o:
        begun = perf_counter()
        failed = await failure_of(o, within_s=0.3)
        assert 0.25 < perf_counter() - begun < 0.6
        assert failed.cause == "timeout"
        (call,) = o.book.calls
        assert (call.cause, len(o.purse.open)) == ("timeout", 1)
        assert call.cost_nano == o.purse.total > 0


async def test_after_a_timeout_the_next_call_works() -> None:
    async with MessagesApi(in_turn(never(), good())) as api, office(api) as o:
        await failure_of(o, within_s=0.2)
        assert (await o.analyst.draft("MacroMind", a_brief())).impact_score == 0.55


@pytest.mark.usefixtures("impatient")
async def test_a_service_that_is_not_there_is_named() -> None:
    async with office("http://127.0.0.1:9") as o:
        failed = await failure_of(o, within_s=3.0)
        assert failed.cause in ("unavailable", "timeout")
        assert "cannot be reached" in failed.detail
        assert o.purse.total == 0


async def test_one_repair_shows_the_model_what_was_wrong_and_both_calls_are_paid() -> None:
    async with MessagesApi(says('{"impact_score": 7}', GOOD)) as api, office(api) as o:
        bill = Bill()
        brief = Brief(ITEM, NOW, until=asyncio.get_running_loop().time() + 5, bill=bill)
        assert (await o.analyst.draft("MacroMind", brief)).impact_score == 0.55
        second = api.asked[1]
        assert "impact_score: Input should be less than or equal to 1" in second.told
        assert second.body["messages"][1] == {"role": "assistant", "content": '{"impact_score": 7}'}
        assert [call.cause for call in o.book.calls] == ["malformed", None]
        assert bill.calls == 2
        assert bill.nano == o.purse.total > 0


async def test_the_same_work_is_answered_from_the_cache_and_costs_nothing() -> None:
    shelf = Shelf()
    async with MessagesApi() as api, office(api, shelf=shelf) as o:
        first = await o.analyst.draft("MacroMind", a_brief())
    async with MessagesApi(overloaded()) as api, office(api, shelf=shelf) as o:
        assert await o.analyst.draft("MacroMind", a_brief()) == first
        assert (api.asked, o.purse.total) == ([], 0)
        (call,) = o.book.calls
        assert (call.cached, call.cost_nano, call.attempts) == (True, 0, 0)


@pytest.mark.parametrize("other", ["another title", "another model", "another agent", "not wanted"])
async def test_other_work_is_not_answered_from_the_cache(other: str) -> None:
    shelf = Shelf()
    async with MessagesApi() as api, office(api, shelf=shelf) as o:
        await o.analyst.draft("MacroMind", a_brief())
    changed: dict[str, Any] = {"models": {"MacroMind": MODELS[1]}} if other == "another model" else {}
    changed |= {"use_cache": False} if other == "not wanted" else {}
    async with MessagesApi() as api, office(api, shelf=shelf, **changed) as o:
        agent: AgentName = "SectorScan" if other == "another agent" else "MacroMind"
        await o.analyst.draft(agent, a_brief(title="Nvidia opens two plants" if other == "another title" else ""))
        assert len(api.asked) == 1


async def test_a_malformed_answer_is_never_cached() -> None:
    async with MessagesApi(says("nonsense")) as api, office(api) as o:
        await failure_of(o)
        assert o.shelf.replies == {}


async def test_money_is_reserved_for_the_worst_and_settled_for_what_was_used() -> None:
    usage = {
        "input_tokens": 1_000,
        "output_tokens": 300,
        "cache_creation_input_tokens": 200,
        "cache_read_input_tokens": 5_000,
    }

    async def mood(asked: Any) -> Any:
        return message(asked, GOOD, usage=usage)

    async with MessagesApi(mood) as api, office(api) as o:
        await o.analyst.draft("MacroMind", a_brief())
        expected = 1_000 * 100 + 300 * 500 + 200 * 125 + 5_000 * 10
        assert o.purse.settled == [expected]
        assert o.purse.highest > 5 * expected, "what is reserved covers a token a byte and the longest answer"
        (call,) = o.book.calls
        assert (call.cost_nano, call.usage.cache_read_tokens) == (expected, 5_000)


async def test_an_answer_that_does_not_count_its_tokens_costs_the_whole_reservation() -> None:
    async def mood(asked: Any) -> Any:
        said = message(asked, GOOD)
        body = json.loads(said.body)
        del body["usage"]
        return type(said)(200, json.dumps(body).encode(), said.headers)

    async with MessagesApi(mood) as api, office(api) as o:
        await o.analyst.draft("MacroMind", a_brief())
        (call,) = o.book.calls
        assert call.cost_nano == o.purse.total == o.purse.highest > 0


async def test_the_cap_holds_with_ten_calls_in_flight() -> None:
    async with MessagesApi(slow(0.05, good())) as api, office(api, cap_usd=0.012) as o:
        drafts = [o.analyst.draft("MacroMind", a_brief(title=f"Nvidia opens plant {n}")) for n in range(30)]
        ends = await asyncio.gather(*drafts, return_exceptions=True)
        spent = [end for end in ends if isinstance(end, CallFailed)]
        assert {end.cause for end in spent} == {"budget"}
        assert 3 <= len(api.asked) < 30
        assert len(api.asked) + len(spent) == 30
        assert o.purse.highest <= 12_000_000
        assert "model budget of $0.01" in spent[0].detail


async def test_a_model_without_a_price_is_called_on_an_own_server_and_shown_as_unpriced() -> None:
    async with MessagesApi(models=["smol"]) as api, office(api, models={"MacroMind": "smol"}) as o:
        bill = Bill()
        await o.analyst.draft("MacroMind", Brief(ITEM, NOW, until=asyncio.get_running_loop().time() + 5, bill=bill))
        assert (o.book.calls[0].cost_nano, bill.usd, bill.unpriced) == (None, None, 1)
        assert o.purse.total == 0


async def test_the_paid_service_is_not_called_without_a_price_because_the_cap_could_not_hold() -> None:
    async with office("https://api.anthropic.com", prices={"other": Price(1, 1, 1, 1)}, server="anthropic") as o:
        o.caller._offer = _nothing_learnt()
        failed = await failure_of(o)
        assert failed.cause == "budget"
        assert f"{MODEL} has no known price" in failed.detail


def _nothing_learnt() -> Any:
    from agents.analysts.claude.capabilities import Offer

    return Offer("anthropic", None, {})


async def test_every_call_is_kept_word_for_word_with_its_figures() -> None:
    async with MessagesApi() as api, office(api) as o:
        await o.analyst.draft("PolicyRadar", a_brief())
        (asked,), (call,) = api.asked, o.book.calls
        assert json.loads(call.messages) == asked.body["messages"]
        fixed = json.loads(call.fixed)
        assert fixed == {key: asked.body[key] for key in fixed}
        assert {"system", "output_config"} <= set(fixed)
        assert json.loads(call.reply)["id"] == "msg_000000"
        assert (call.item_id, call.agent, call.stage, call.model) == (ITEM.id, "PolicyRadar", "draft", MODEL)
        assert call.request_id == "req_000001"
        assert call.elapsed_ms > 0
        assert api.key not in call.fixed + call.messages + call.reply


async def test_the_request_asks_for_nothing_the_service_refuses() -> None:
    async with MessagesApi() as api, office(api) as o:
        await o.analyst.draft("MacroMind", a_brief())
        body = api.asked[0].body
        assert set(body) == {"model", "max_tokens", "messages", "system", "output_config"}
        assert body["output_config"]["format"]["type"] == "json_schema"
        assert body["system"][-1]["cache_control"] == {"type": "ephemeral"}


async def test_prompts_never_reach_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        async with MessagesApi(overloaded()) as api, office(api) as o:
            await failure_of(o, within_s=0.4)
    assert "Nvidia opens" not in caplog.text
    assert api.key not in caplog.text


def test_the_accounts_of_these_tests_start_empty() -> None:
    assert (Purse().total, Shelf().replies, Book().calls) == (0, {}, [])
