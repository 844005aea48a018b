"""Asks an agent's mandatory tools, all at once, and brings back exactly one evidence for each.

A tool may not raise and may not outlive its deadline; one that does in spite of that is `unavailable`, and says why.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import perf_counter

from agents.models import Evidence, ToolName
from agents.tools.local import LocalTool
from agents.tools.protocol import Question, Tool
from agents.tools.result import not_configured, unavailable

_log = logging.getLogger(__name__)


async def gather(
    names: Sequence[ToolName], tools: Mapping[ToolName, Tool], question: Question, deadline_s: float
) -> tuple[Evidence, ...]:
    """One evidence for each of `names`, in that order. A tool that is missing is `not_configured`."""
    answers: dict[ToolName, Evidence] = {}
    waiting: list[Tool] = []
    for name in names:
        tool = tools.get(name)
        if tool is None:
            answers[name] = not_configured(name, question.now, "this run asks no such tool")
        elif isinstance(tool, LocalTool):
            answers[name] = _answer(tool, question)
        else:
            waiting.append(tool)
    if waiting:
        for evidence in await asyncio.gather(*(_ask(tool, question, deadline_s) for tool in waiting)):
            answers[evidence.tool] = evidence
    return tuple(answers[name] for name in names)


def _answer(tool: LocalTool, question: Question) -> Evidence:
    try:
        return _own(tool, tool.answer(question), question)
    except Exception as error:  # noqa: BLE001 -- whatever breaks in a tool, its agent goes on without it
        return _broken(tool, question, error)


async def _ask(tool: Tool, question: Question, deadline_s: float) -> Evidence:
    started = perf_counter()
    evidence: Evidence
    try:
        async with asyncio.timeout(deadline_s) as deadline:
            evidence = _own(tool, await tool.ask(question), question)
    except TimeoutError as error:
        if deadline.expired():
            evidence = unavailable(tool.name, question.now, f"no answer after {deadline_s:g} s")
        else:
            evidence = _broken(tool, question, error)
    except Exception as error:  # noqa: BLE001 -- whatever breaks in a tool, its agent goes on without it
        evidence = _broken(tool, question, error)
    return replace(evidence, elapsed_ms=(perf_counter() - started) * 1000)


def _own(tool: Tool, given: object, question: Question) -> Evidence:
    """`given` if it is an evidence of `tool`; `unavailable` otherwise."""
    if isinstance(given, Evidence) and given.tool == tool.name:
        return given
    return unavailable(tool.name, question.now, "the tool answered with something that is not its evidence")


def _broken(tool: Tool, question: Question, error: Exception) -> Evidence:
    _log.error("%s: the tool broke its contract", tool.name, exc_info=error)
    return unavailable(tool.name, question.now, f"the tool failed: {type(error).__name__}: {error}")
