"""Tools of a recording: they answer with what was written down beside its items, say so, and ask nobody.

What the recording holds for an item and a tool is given; else what it holds for every item; else what our own database
knows; else `empty`. Every source begins with "recorded", so that nothing of it passes for live.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from agents.models import Evidence, ToolName
from agents.specialists import SPECIALISTS
from agents.tools.findings import known_then
from agents.tools.local import NotConfigured
from agents.tools.protocol import Question, Tool
from agents.tools.result import empty

RECORDED: Final = "recorded"
NOTHING: Final = "the recording holds nothing on this story"

Answers = Mapping[str, Mapping[ToolName, Evidence]]
"""By the address of an item, or `EVERY`, and by tool."""
EVERY: Final = "*"


@dataclass(frozen=True, slots=True)
class RecordedTool:
    """One tool of a recording; `own` is answered by our database."""

    tool: ToolName
    answers: Answers
    own: Tool | None = None

    @property
    def name(self) -> ToolName:
        return self.tool

    async def ask(self, question: Question) -> Evidence:
        """The evidence as it was written down, without what came later than the question."""
        written = self.answers.get(question.item.url, {}).get(self.tool)
        if written is None:
            own = await self.own.ask(question) if self.own is not None else None
            if own is not None and own.status == "ok":
                return own
            written = self.answers.get(EVERY, {}).get(self.tool)
        if written is None:
            return empty(self.tool, question.now, RECORDED, NOTHING)
        items = known_then(written.items, question)
        status = "empty" if written.status == "ok" and not items else written.status
        return replace(written, fetched_at=question.now, items=items, status=status)


def recorded_tools(answers: Answers, offline: Mapping[ToolName, Tool]) -> dict[ToolName, Tool]:
    """All sixteen tools over a recording; `offline` are those of `build_tools`."""
    names = [name for specialist in SPECIALISTS for name in specialist.tools]
    return {name: RecordedTool(name, answers, _answering(offline.get(name))) for name in names}


def _answering(tool: Tool | None) -> Tool | None:
    return None if isinstance(tool, NotConfigured) else tool
