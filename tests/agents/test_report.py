"""One agent, three stages: what code makes of an analyst's word."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.analysts.protocol import Analyst, Brief, Revision
from agents.errors import ScoreError
from agents.links import NamedSymbols
from agents.models import (
    Abstention,
    AbstentionCause,
    Assessment,
    Evidence,
    EvidenceItem,
    EvidenceStatus,
    Fault,
    Outcome,
    Report,
    ToolName,
)
from agents.report import Case, Deadlines, counted_confidence, judge_faults, report_on
from agents.specialists import SPECIALISTS
from agents.tools import result
from agents.tools.local import LocalTool
from agents.tools.protocol import Question, Tool
from tests.agents.builders import NOW, a_link, an_assessment, an_item
from tests.fakes.analysts import PLAIN, BrokenAnalyst, FailingAnalyst, GoodAnalyst, SlowAnalyst
from tests.fakes.companies import Companies

MACRO = next(s for s in SPECIALISTS if s.name == "MacroMind")
ITEM = an_item("Nvidia shares may fall 5%", "An unconfirmed report says so.")


class Fixed(LocalTool):
    """A tool that always answers with one status."""

    def __init__(self, name: ToolName, status: EvidenceStatus) -> None:
        self._name = name
        self._status = status

    @property
    def name(self) -> ToolName:
        return self._name

    def answer(self, question: Question) -> Evidence:
        return an_evidence(self._name, self._status)


def an_evidence(tool: ToolName = "cpi", status: EvidenceStatus = "ok") -> Evidence:
    found = [EvidenceItem("CPI 3.1%")]
    answers = {
        "ok": result.ok(tool, NOW, "BLS", found),
        "empty": result.empty(tool, NOW, "BLS"),
        "stale": result.stale(tool, NOW, "BLS", found, "from May"),
        "unavailable": result.unavailable(tool, NOW, "down"),
        "not_configured": result.not_configured(tool, NOW, "nobody"),
    }
    return answers[status]


def a_case() -> Case:
    named = NamedSymbols(ITEM, Companies(), {}, {})
    return Case(ITEM, NOW, named, Question(ITEM, named.concerned, None, NOW), novelty=0.25)


async def report_by(
    analyst: Analyst, tools: Mapping[ToolName, Tool] | None = None, deadlines: Deadlines | None = None
) -> Outcome:
    return await report_on(a_case(), MACRO, analyst, tools or {}, deadlines or Deadlines())


async def good_report(analyst: Analyst, tools: Mapping[ToolName, Tool] | None = None) -> Report:
    outcome = await report_by(analyst, tools)
    assert isinstance(outcome, Report)
    return outcome


def tools_with(*statuses: EvidenceStatus) -> dict[ToolName, Tool]:
    return {name: Fixed(name, status) for name, status in zip(MACRO.tools, statuses, strict=True)}


async def test_the_analyst_judges_from_the_item_its_own_evidence_and_the_storys_novelty() -> None:
    analyst = GoodAnalyst()
    report = await good_report(analyst, tools_with("ok", "empty", "unavailable", "not_configured"))
    assert analyst.briefs == [Brief(ITEM, NOW, report.evidence, {}, 0.25)]
    assert [e.tool for e in report.evidence] == list(MACRO.tools)


async def test_a_draft_without_a_fault_stands_unchanged() -> None:
    revision = Revision((), an_assessment(0.99, event="fraud"))
    report = await good_report(GoodAnalyst(says=PLAIN, revision=revision))
    assert report.final is report.draft
    assert report.final.impact_score == PLAIN.impact_score


@pytest.mark.parametrize(
    ("pointer", "counts"),
    [
        pytest.param("cpi#1", True, id="the id of an evidence"),
        pytest.param("fx_rates#1", True, id="also of one that did not answer"),
        pytest.param("rss_search#1", False, id="an evidence of another agent"),
        pytest.param("cpi", False, id="the name of a tool"),
        pytest.param("may fall", True, id="words of the title"),
        pytest.param("unconfirmed report", True, id="words of the summary"),
        pytest.param("“MAY  Fall”", True, id="quoted in another case and spacing"),
        pytest.param("5%", True, id="a figure"),
        pytest.param("ay fal", False, id="half words"),
        pytest.param("shares rose", False, id="words the item does not hold"),
        pytest.param("common sense", False, id="nothing that can be looked up"),
        pytest.param("", False, id="nothing"),
        pytest.param("...", False, id="no word"),
    ],
)
async def test_a_fault_counts_only_where_it_points_at_something(pointer: str, counts: bool) -> None:
    fault = Fault(pointer, "the draft is too high")
    report = await good_report(
        GoodAnalyst(revision=Revision((fault,), an_assessment(0.2))), tools_with("ok", "ok", "ok", "ok")
    )
    assert (report.critique.faults, report.critique.refused) == (((fault,), ()) if counts else ((), (fault,)))
    assert report.final.impact_score == (0.2 if counts else PLAIN.impact_score)
    assert report.draft == PLAIN


def test_words_of_a_script_without_spaces_count_as_quoted() -> None:
    item = an_item("トヨタ、通期予想を大幅減益に下方修正")
    assert judge_faults([Fault("大幅減益", "weight")], item, ()).faults
    assert judge_faults([Fault("大幅増益", "weight"), Fault("", "weight")], item, ()).faults == ()


@pytest.mark.parametrize("statement", ["", "  "])
async def test_a_fault_that_says_nothing_is_refused(statement: str) -> None:
    report = await good_report(GoodAnalyst(revision=Revision((Fault("may fall", statement),), an_assessment(0.2))))
    assert report.critique.refused == (Fault("may fall", statement),)
    assert report.final is report.draft


async def test_one_fault_that_counts_is_enough_and_the_others_stay_on_record() -> None:
    good, bad = Fault("may fall", "it is hedged"), Fault("the operator", "score 1.0")
    report = await good_report(GoodAnalyst(revision=Revision((bad, good), an_assessment(0.3))))
    assert (report.critique.faults, report.critique.refused) == ((good,), (bad,))
    assert report.final.impact_score == 0.3


@pytest.mark.parametrize(
    ("statuses", "counted"),
    [
        (("ok", "ok", "ok", "ok"), 0.8),
        (("empty", "stale", "ok", "empty"), 0.8),
        (("ok", "ok", "ok", "unavailable"), 0.7),
        (("ok", "not_configured", "unavailable", "empty"), 0.6),
        (("ok", "not_configured", "not_configured", "unavailable"), 0.5),
        (("unavailable", "unavailable", "unavailable", "unavailable"), 0.4),
        (("not_configured", "not_configured", "not_configured", "not_configured"), 0.4),
    ],
)
async def test_confidence_falls_with_every_tool_that_does_not_answer(
    statuses: Sequence[EvidenceStatus], counted: float
) -> None:
    report = await good_report(GoodAnalyst(says=an_assessment(confidence=0.8)), tools_with(*statuses))
    assert report.confidence_score == pytest.approx(counted)
    assert report.final.confidence_score == 0.8


async def test_confidence_counts_from_the_final_assessment() -> None:
    revision = Revision((Fault("may fall", "hedged"),), an_assessment(confidence=0.4))
    report = await good_report(GoodAnalyst(revision=revision), tools_with("ok", "ok", "ok", "ok"))
    assert report.confidence_score == pytest.approx(0.4)


def test_without_a_mandatory_tool_the_reported_confidence_is_the_counted() -> None:
    assert counted_confidence(0.7, ()) == 0.7


@given(st.floats(0, 1), st.lists(st.sampled_from(get_args(EvidenceStatus)), min_size=1, max_size=4))
def test_counted_confidence_lies_between_half_and_all_of_the_reported(
    reported: float, statuses: list[EvidenceStatus]
) -> None:
    counted = counted_confidence(reported, [an_evidence("cpi", status) for status in statuses])
    assert reported * 0.5 <= counted <= reported


async def test_a_ticker_nobody_could_know_is_dropped_and_counted() -> None:
    draft = an_assessment(links=[a_link("NVDA"), a_link("ZZZX")])
    final = an_assessment(links=[a_link("NVDA"), a_link("QQQX")])
    report = await good_report(GoodAnalyst(says=draft, revision=Revision((Fault("may fall", "hedged"),), final)))
    assert report.dropped_tickers == ("ZZZX", "QQQX")
    for assessment in (report.draft, report.final):
        assert [link.symbol for link in assessment.tickers_linked] == ["NVDA"]


async def test_a_direct_link_the_item_does_not_name_is_no_direct_link() -> None:
    report = await good_report(GoodAnalyst(says=an_assessment(links=[a_link("AMD")])))
    assert [link.link_type for link in report.final.tickers_linked] == ["sector"]


@pytest.mark.parametrize("cause", get_args(AbstentionCause))
@pytest.mark.parametrize("in_revision", [False, True])
async def test_an_analyst_that_fails_is_an_abstention_with_its_cause(cause: AbstentionCause, in_revision: bool) -> None:
    outcome = await report_by(FailingAnalyst(causes={"MacroMind": cause}, in_revision=in_revision))
    assert isinstance(outcome, Abstention)
    assert (outcome.agent, outcome.cause) == ("MacroMind", cause)
    assert outcome.detail == f"{'revise' if in_revision else 'draft'}: as told"
    assert [e.tool for e in outcome.evidence] == list(MACRO.tools)


async def test_an_analyst_past_its_deadline_abstains_by_timeout() -> None:
    slow = SlowAnalyst()
    outcome = await report_by(slow, deadlines=Deadlines(call_s=0.02))
    assert isinstance(outcome, Abstention)
    assert (outcome.cause, outcome.detail) == ("timeout", "draft: no answer after 0.02 s")
    assert slow.cancelled == ["MacroMind"]
    assert outcome.elapsed_ms >= 20


@pytest.mark.parametrize("error", [RuntimeError("a\nbug " * 100), KeyError("tone"), TimeoutError("its own")])
async def test_any_other_exception_abstains_as_error_and_is_logged(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    outcome = await report_by(BrokenAnalyst(error=error))
    assert isinstance(outcome, Abstention)
    assert outcome.cause == "error"
    assert type(error).__name__ in outcome.detail
    assert "\n" not in outcome.detail
    assert len(outcome.detail) <= 240
    assert "MacroMind: the analyst broke its contract in draft" in caplog.text


async def test_a_score_that_is_none_abstains_as_malformed() -> None:
    outcome = await report_by(BrokenAnalyst(error=ScoreError("not a score in 0..1: nan")))
    assert isinstance(outcome, Abstention)
    assert (outcome.cause, outcome.detail) == ("malformed", "draft: not a score in 0..1: nan")


@pytest.mark.parametrize(
    "given_answer",
    [
        pytest.param(None, id="nothing"),
        pytest.param({"impact_score": 0.5}, id="a dict"),
        pytest.param(replace(PLAIN, signal_type="rumour"), id="an unknown signal type"),  # type: ignore[arg-type]
        pytest.param(replace(PLAIN, event_type="alien_landing"), id="an unknown event"),  # type: ignore[arg-type]
        pytest.param(
            replace(PLAIN, tickers_linked=(a_link("NVDA", link_type="owned"),)),  # type: ignore[arg-type]
            id="an unknown link type",
        ),
        pytest.param(
            replace(PLAIN, tickers_linked=(a_link("NVDA", direction="sideways"),)),  # type: ignore[arg-type]
            id="an unknown direction",
        ),
    ],
)
async def test_an_answer_in_words_that_are_not_the_products_is_malformed(given_answer: object) -> None:
    outcome = await report_by(GoodAnalyst(says=cast(Assessment, given_answer)))
    assert isinstance(outcome, Abstention)
    assert outcome.cause == "malformed"


@pytest.mark.parametrize("bad", [float("nan"), 1.2, -0.1, float("inf"), "0.8", True, None])
def test_an_assessment_with_such_a_score_cannot_be_made(bad: object) -> None:
    with pytest.raises(ScoreError):
        replace(PLAIN, impact_score=cast(float, bad))
    with pytest.raises(ScoreError):
        replace(PLAIN, confidence_score=cast(float, bad))
    with pytest.raises(ScoreError):
        a_link("NVDA", cast(float, bad))


async def test_cancellation_is_no_abstention() -> None:
    slow = SlowAnalyst(["MacroMind"])
    running = asyncio.create_task(report_by(slow))
    await asyncio.wait_for(slow.all_waiting.wait(), 1)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_a_report_names_its_engine_and_model() -> None:
    report = await good_report(GoodAnalyst(engine="claude", model="some-model"))
    assert (report.engine, report.model) == ("claude", "some-model")
