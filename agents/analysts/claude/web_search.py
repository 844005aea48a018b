"""The service's own web search: one bounded call that only searches, and of its answer only what the service says.

Kept are the pages with their titles, addresses and ages, and the passages the service quotes from them. What the model
writes is dropped: it is no evidence. Whatever goes wrong is a SourceError in words, and a service that cannot search is
asked once.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Iterable
from datetime import UTC
from typing import Any, Final

from agents.analysts.claude import prompts
from agents.analysts.claude.call import Caller
from agents.analysts.claude.failures import CallFailed, Failure
from agents.analysts.claude.message import Answer, readable
from agents.analysts.claude.request import Order, Script
from agents.analysts.claude.validate import BadReply
from agents.analysts.protocol import Bill
from agents.budget import OUTPUT_TOKENS, SEARCH_BYTES, SEARCH_TOKENS
from agents.models import AbstentionCause, AgentName
from agents.tools.asking.catalogue import SOURCES
from agents.tools.asking.errors import Fault, NotAsked, SourceError
from agents.tools.hosted import Found, Hit
from agents.tools.protocol import Question
from feeds.documents.text import clean

log = logging.getLogger(__name__)

SEARCHES: Final = 1
"""Searches the service may make inside one call."""
RAW: Final = 6_000

_FAULTS: Final[dict[AbstentionCause, Fault]] = {
    "timeout": "timeout",
    "refusal": "status",
    "malformed": "no_answer",
    "truncated": "no_answer",
    "budget": "spent",
    "unavailable": "unreachable",
    "authentication": "refused",
    "error": "status",
}
_ERRORS: Final[dict[str, tuple[Fault, str]]] = {
    "too_many_requests": ("limited", "asks for fewer searches"),
    "unavailable": ("unreachable", "is not available at the moment"),
    "max_uses_exceeded": ("status", "was used up before it found anything"),
    "query_too_long": ("status", "finds the search too long"),
    "request_too_large": ("status", "finds the request too large"),
    "invalid_tool_input": ("status", "does not understand the search"),
}
"""What the service calls a search that failed inside a good answer."""
_EARLY: Final = {
    "pause_turn": "paused",
    "max_tokens": "was cut off",
    "model_context_window_exceeded": "was cut off",
}
"""Why an answer ends early, in words."""
_NO_SUCH_TOOL: Final = re.compile(r"web[_ ]search|\btools?\b", re.I)


class SearchFailed(CallFailed):
    """The call was answered and the search in it failed; `fault` says how."""

    def __init__(self, fault: Fault, words: str) -> None:
        super().__init__(Failure("unavailable", words))
        self.fault: Fault = fault


class ClaudeSearch:
    """The search of the service that thinks for the agents (`agents.tools.hosted.HostedSearch`).

    It searches with the model of the agent whose tool it is, within the same limits of money and rate as every call.
    """

    def __init__(self, caller: Caller, agent: AgentName = "SignalScope") -> None:
        self._caller = caller
        self._agent = agent
        self._unable = ""

    @property
    def unable(self) -> str:
        """Why the service is not asked again until the next start."""
        return self._unable

    async def search(self, words: str, question: Question) -> Found:
        """The pages the service finds for `words` today. Raises SourceError."""
        model = self._caller.settings.models[self._agent]
        if not self._unable and not (await self._caller.capabilities(model)).search:
            self._cannot(f"is not offered for {model} here")
        if self._unable:
            raise NotAsked("not_set_up", self._unable)
        try:
            found, tokens = await self._caller.make(self._order(words, question, model))
        except CallFailed as failed:
            raise self._told(failed) from None
        if tokens > SEARCH_BYTES + SEARCH_TOKENS + OUTPUT_TOKENS:
            self._cannot(f"took {tokens:,} tokens, more than any search is reckoned at")
        return found

    def _order(self, words: str, question: Question, model: str) -> Order[tuple[Found, int]]:
        return Order(
            agent=self._agent,
            item_id=question.item.id,
            revision=question.item.revision,
            stage="search",
            messages=({"role": "user", "content": prompts.search(words, question.now.astimezone(UTC).date())},),
            read=_searched,
            bill=question.bill or Bill(),
            until=asyncio.get_running_loop().time() + SOURCES["claude_search"].deadline_s,
            script=Script(
                model=model,
                instructions=prompts.search_instructions(),
                schema={},
                version=prompts.search_version(),
                most_bytes=SEARCH_BYTES,
                most_output=OUTPUT_TOKENS,
                searches=SEARCHES,
            ),
        )

    def _told(self, failed: CallFailed) -> SourceError:
        """The failure of a call as that of a source."""
        if isinstance(failed, SearchFailed):
            return SourceError(failed.fault, failed.detail)
        if failed.cause == "error" and _NO_SUCH_TOOL.search(failed.detail):
            self._cannot(f"is refused ({failed.detail})")
            return NotAsked("not_set_up", self._unable)
        fault = _FAULTS[failed.cause]
        return (NotAsked if fault == "spent" else SourceError)(fault, failed.detail, failed.failure.after_s)

    def _cannot(self, why: str) -> None:
        self._unable = why
        log.warning("Claude web search %s: the news searches are asked instead", why)


def _searched(answer: Answer) -> tuple[Found, int]:
    """What the answer found, and the tokens it took."""
    return found_in(answer), answer.usage.total if answer.usage else 0


def found_in(answer: Answer) -> Found:
    """The pages an answer brings. Raises SearchFailed where its searches failed, BadReply where it made none.

    A search that failed beside one that did not is only mentioned, and so is an answer that ended early.
    """
    results = [block for block in answer.content if block.get("type") == "web_search_tool_result"]
    if not results:
        if answer.stop in _EARLY:
            raise SearchFailed("no_answer", f"{_EARLY[answer.stop]} before it searched")
        raise BadReply("the model answered without searching")
    lists = [block["content"] for block in results if isinstance(block.get("content"), list)]
    errors = [_error(block.get("content")) for block in results if not isinstance(block.get("content"), list)]
    if not lists:
        raise errors[0]
    cited = _cited(answer.content)
    hits = tuple(_hits((row for rows in lists for row in rows), cited))
    if not hits and any(lists):
        raise BadReply("the search's result is not a list of pages")
    notes = [f"a search {error.detail}" for error in errors]
    if answer.stop in _EARLY:
        notes.append(f"the answer {_EARLY[answer.stop]} after it")
    raw = clean(json.dumps(readable(lists), ensure_ascii=False, indent=1), limit=RAW, one_line=False)
    return Found(hits, raw, "; ".join(notes))


def _error(content: Any) -> SearchFailed:
    code = content.get("error_code") if isinstance(content, dict) else None
    if not isinstance(code, str):
        return SearchFailed("no_answer", "answered with something that is no list of pages")
    fault, words = _ERRORS.get(code, ("no_answer", f"failed ({clean(code, limit=40)})"))
    return SearchFailed(fault, words)


def _hits(rows: Iterable[Any], cited: dict[str, list[str]]) -> Iterable[Hit]:
    for row in rows:
        if isinstance(row, dict) and row.get("type") == "web_search_result" and isinstance(row.get("url"), str):
            age, url = row.get("page_age"), row["url"]
            passages = tuple(cited.get(url, ()))
            yield Hit(str(row.get("title") or ""), url, age if isinstance(age, str) else "", passages)


def _cited(blocks: Iterable[dict[str, Any]]) -> dict[str, list[str]]:
    """The passages the service quotes, each once, by the address of their page."""
    found: dict[str, list[str]] = {}
    for block in blocks:
        given = block.get("citations") if block.get("type") == "text" else None
        for one in given if isinstance(given, list) else ():
            if isinstance(one, dict) and isinstance(one.get("url"), str) and isinstance(one.get("cited_text"), str):
                passages = found.setdefault(one["url"], [])
                if one["cited_text"] not in passages:
                    passages.append(one["cited_text"])
    return found
