"""Tools that answer from memory: no waiting, no deadline, no task of their own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from agents.models import Evidence, ToolName
from agents.tools.protocol import Question
from agents.tools.result import not_configured


class LocalTool(ABC):
    """A tool whose answer is at hand; `answer` is what `ask` returns."""

    @property
    @abstractmethod
    def name(self) -> ToolName: ...

    @abstractmethod
    def answer(self, question: Question) -> Evidence: ...

    async def ask(self, question: Question) -> Evidence:
        return self.answer(question)


@dataclass(frozen=True)
class NotConfigured(LocalTool):
    """A mandatory tool that no source stands behind. `reason` says in words what would answer it."""

    tool: ToolName
    reason: str

    @property
    def name(self) -> ToolName:
        return self.tool

    def answer(self, question: Question) -> Evidence:
        return not_configured(self.tool, question.now, self.reason)
