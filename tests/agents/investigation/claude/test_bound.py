"""Whatever a model does, a run never uses more than was stated: calls, tokens and dollars, counted by the service."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agents.investigation.answer import used
from agents.investigation.claude.limits import OUTPUT_TOKENS, request_bytes
from agents.investigation.models import Gathered, Judged
from agents.investigation.moves.files import FileSeries
from app.investigation.inquiry import World
from tests.agents.analysts.claude.ledgers import office
from tests.agents.investigation.builders import a_series
from tests.agents.investigation.claude.readers import (
    REPORT,
    STATEMENT,
    SUSPICION,
    Inquest,
    question,
    reading,
    role_of,
    said,
    second,
)
from tests.agents.investigation.worlds import Library
from tests.fakes.messages_api import Asked, MessagesApi, Mood, drops, error, html, message, never

SOURCES = ("news_search", "bank_boj", "interventions", "nowhere")
BEHAVIOURS = (
    "reads",
    "asks",
    "asks much",
    "nothing",
    "nonsense",
    "two objects",
    "refuses",
    "cut off",
    "hangs up",
    "a page",
    "silence",
    "400",
    "429",
    "529",
)


def a_mood(script: list[tuple[str, str]], rest: str, questions: int) -> Mood:
    """Behaves as the script says, call by call, then as `rest`; bills every answer at the most it may cost."""
    left = list(script)
    most = {
        "input_tokens": 0,
        "output_tokens": OUTPUT_TOKENS,
        "cache_creation_input_tokens": request_bytes(questions),
        "cache_read_input_tokens": 0,
    }

    async def mood(asked: Asked) -> Any:
        how, source = left.pop(0) if left else (rest, "news_search")
        reads = reading(1, "policy_change/boj"), reading(2, "fx_intervention/jpy"), reading(9, "other/reason")
        wanted = [question(source, f"call {asked.number}")]
        refuting = [{"evidence": 1, "hypothesis": "policy_change/boj", "reason": ""}]
        adjudicates = role_of(asked) == "Adjudicator"
        texts = {
            "reads": second(refuting=refuting) if adjudicates else said(*reads),
            "asks": second() if adjudicates else said(*reads, questions=wanted),
            "asks much": {**said(questions=wanted * 8), "done": False},
            "nothing": second(another_look=False) if adjudicates else said(),
        }
        failing = {
            "400": error(400, "invalid_request_error"),
            "429": error(429, "rate_limit_error", headers={"retry-after-ms": "1"}),
            "529": error(529, "overloaded_error", headers={"retry-after-ms": "1"}),
        }
        moods = {"hangs up": drops(), "a page": html(), "silence": never()}
        if how in moods:
            return await moods[how](asked)
        if how in failing:
            return failing[how]
        if how in ("refuses", "cut off"):
            return message(asked, "no", stop="refusal" if how == "refuses" else "max_tokens", usage=most)
        text = json.dumps(texts[how]) if how in texts else "maybe" if how == "nonsense" else "{} {}"
        return message(asked, text, usage=most)

    return mood


def billed(api: MessagesApi, script: list[tuple[str, str]], rest: str) -> int:
    """How many calls the service may charge: those it did not refuse."""
    done = [how for how, _ in script[: len(api.asked)]] + [rest] * max(0, len(api.asked) - len(script))
    return sum(how not in ("400", "429", "529") for how in done)


@settings(max_examples=40)
@given(
    script=st.lists(st.tuples(st.sampled_from(BEHAVIOURS), st.sampled_from(SOURCES)), max_size=12),
    rest=st.sampled_from(BEHAVIOURS),
    questions=st.integers(0, 4),
    failures=st.integers(0, 3),
    exhaustive=st.booleans(),
)
def test_no_run_uses_more_than_the_worst_case(
    script: list[tuple[str, str]], rest: str, questions: int, failures: int, exhaustive: bool
) -> None:
    async def run() -> None:
        def library(name: str, *records: Any) -> Library:
            return Library(name, records, failures=failures, exhaustive=exhaustive)

        sources = {
            "news_search": library("news", REPORT, SUSPICION),
            "bank_boj": library("bank", STATEMENT),
            "interventions": library("ministry"),
        }
        world = World(FileSeries(a_series()), None, sources)
        async with MessagesApi(a_mood(script, rest, questions)) as api, office(api, cap_usd=100) as o:
            inquest = Inquest(o, questions=questions, call_s=0.15)
            state = await inquest.state(world=world)
            sources_asked = sum(len(one.asked) for one in sources.values())
            worst = inquest.caps.worst_case()
        caps, total = inquest.caps, used(state)
        assert total.calls <= worst.calls
        assert total.tokens <= worst.tokens
        assert total.usd <= worst.usd + 1e-6
        assert o.purse.total <= round(worst.usd * 1e9)
        assert sources_asked + billed(api, script, rest) <= total.calls
        nodes: tuple[Gathered | Judged, ...] = (*state.gathered, *state.judged)
        for node in nodes:
            most = caps.model_calls if isinstance(node, Gathered) else 1
            assert node.model_calls <= most
            assert node.tokens <= node.model_calls * (caps.input_tokens + caps.output_tokens)

    asyncio.run(run())
