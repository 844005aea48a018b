"""A web search that a model's service runs. The analyst that has the model offers it; the tools only know its shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from agents.tools.protocol import Question


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that was found, as the service tells it: outside text. `age` is its word for how old the page is ("6 days
    ago", "April 30, 2025"), `cited` are passages of the page."""

    title: str
    url: str
    age: str = ""
    cited: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """What one search found, in the service's order. `raw` is the answer as text; `note` is what a reader must know."""

    hits: tuple[Hit, ...]
    raw: str = ""
    note: str = ""


class HostedSearch(Protocol):
    """One search is one bounded call that costs money; what a model writes about the pages is no part of the answer."""

    @property
    def unable(self) -> str:
        """Why it cannot be asked until the next start, in words; "" where it can."""
        ...

    async def search(self, words: str, question: Question) -> Found:
        """The pages found for `words`, for the item of `question`. Raises SourceError."""
        ...
