"""Further questions an agent puts to its own tools. The list of tools, the number of questions and the shape of each
are kept here, whatever a model asks for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from agents.gather import gather
from agents.links import canonical
from agents.models import Evidence, ToolName
from agents.tools.protocol import Question, Tool
from feeds.documents.text import clean

WORDS: Final = 12
LETTERS: Final = 120
_LINK: Final = re.compile(r"\S*(?:://|www\.|@)\S*")
_SYMBOL: Final = re.compile(r"[A-Z0-9][A-Z0-9.=^-]{0,14}")


class ToolEnquiry:
    """At most `limit` further questions of one agent on one item. Each answer joins `answers` under its own id."""

    def __init__(
        self,
        tools: Mapping[ToolName, Tool],
        question: Question,
        mandatory: Sequence[Evidence],
        *,
        limit: int,
        deadline_s: float,
    ) -> None:
        self._tools = tools
        self._question = question
        self._deadline_s = deadline_s
        self._left = limit
        self._askable = tuple(one.tool for one in mandatory if one.status != "not_configured" and one.tool in tools)
        self._asked: set[tuple[str, str, tuple[str, ...]]] = set()
        self.answers: list[Evidence] = []

    @property
    def tools(self) -> tuple[ToolName, ...]:
        """The agent's own tools that somebody stands behind; none once the questions are used up."""
        return self._askable if self._left else ()

    @property
    def left(self) -> int:
        """How many questions are left."""
        return self._left if self._askable else 0

    async def ask(self, tool: str, words: str, symbols: Sequence[str]) -> Evidence | str:
        """The evidence, or in words why the question was not put. A question that is refused is used up too."""
        if not self._left:
            return "no question is left"
        self._left -= 1
        name = next((one for one in self._askable if one == tool), None)
        if name is None:
            return f"there is no such tool; yours are {', '.join(self._askable)}"
        looked_for = plain_words(words)
        meant = tuple(dict.fromkeys(canonical(one) for one in symbols if _SYMBOL.fullmatch(canonical(one))))
        if not looked_for and not meant:
            return "the question is empty"
        key = (name, looked_for.casefold(), meant)
        if key in self._asked:
            return "this was asked before; the answer is the same"
        self._asked.add(key)
        item = replace(self._question.item, title=looked_for or self._question.item.title, summary="")
        question = replace(self._question, item=item, symbols=meant or self._question.symbols)
        (found,) = await gather((name,), self._tools, question, self._deadline_s)
        number = 2 + sum(one.tool == name for one in self.answers)
        found = replace(found, id=f"{name}#{number}")
        self.answers.append(found)
        return found


def plain_words(text: str) -> str:
    """What may leave the program as a search: a few plain words without addresses."""
    plain = clean(_LINK.sub(" ", text), limit=LETTERS * 2)
    return " ".join(plain.split()[:WORDS])[:LETTERS].strip()
