"""The service's own web search for the fake Messages API: pages, quotations, errors, all invented.

    MessagesApi(searching(page("Title", "https://outlet.example/1", "6 days ago")), searches=True)

What is no search is answered by `then`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tests.fakes.messages_api import Asked, Mood, Said, error, good, message

SECRET: Final = "EroTCioIBxgCIiQ0NGFlNjc2ENCRYPTED"
"""What only the service can read; it may turn up nowhere."""
PROSE: Final = "In my own words: this is very big."
"""What the model writes about the pages; it is no evidence."""
USED: Final = {"input_tokens": 8_984, "output_tokens": 520}


def page(title: str, url: str, age: str | None = None) -> dict[str, Any]:
    """A result as the service gives it."""
    return {"type": "web_search_result", "title": title, "url": url, "page_age": age, "encrypted_content": SECRET}


def quotes(url: str, text: str, title: str = "t") -> dict[str, Any]:
    """A quotation from a page."""
    return {
        "type": "web_search_result_location",
        "url": url,
        "title": title,
        "cited_text": text,
        "encrypted_index": SECRET,
    }


def results(content: Any, number: int = 0) -> list[dict[str, Any]]:
    """One search as two blocks: asked, and what came; `content` is a list of pages or an error."""
    name = f"srvtoolu_{number}"
    return [
        {"type": "server_tool_use", "id": name, "name": "web_search", "input": {"query": "nvidia sanctions"}},
        {"type": "web_search_tool_result", "tool_use_id": name, "content": content},
    ]


def search_error(code: str) -> dict[str, str]:
    """A search that failed inside a good answer."""
    return {"type": "web_search_tool_result_error", "error_code": code}


def found(
    asked: Asked,
    *blocks: Mapping[str, Any],
    stop: str = "end_turn",
    searches: int | None = 1,
    tokens: Mapping[str, int] | None = None,
) -> Said:
    """A message with these blocks and the count of searches."""
    made = {} if searches is None else {"server_tool_use": {"web_search_requests": searches, "web_fetch_requests": 0}}
    usage: Any = {**(tokens or USED), **made}
    return message(asked, blocks=blocks, stop=stop, usage=usage)


def searching(
    *pages: Mapping[str, Any], cited: Sequence[Mapping[str, Any]] = (), prose: str = PROSE, then: Mood | None = None
) -> Mood:
    """Finds these pages for every search, and writes `prose` about them with the quotations of `cited`."""
    text = {"type": "text", "text": prose, "citations": list(cited) or None}
    return answers_search(*results(list(pages)), text, then=then)


def answers_search(
    *blocks: Mapping[str, Any],
    stop: str = "end_turn",
    searches: int | None = 1,
    tokens: Mapping[str, int] | None = None,
    then: Mood | None = None,
) -> Mood:
    """Answers every search with these blocks."""

    async def mood(asked: Asked) -> Any:
        if not asked.searches:
            return await (then or good())(asked)
        return found(asked, *blocks, stop=stop, searches=searches, tokens=tokens)

    return mood


def for_search(searched: Mood, then: Mood | None = None) -> Mood:
    """Answers searches as `searched`, and all else as `then`."""

    async def mood(asked: Asked) -> Any:
        return await (searched if asked.searches else then or good())(asked)

    return mood


def no_such_tool() -> Said:
    """What a server says that does not know the search."""
    return error(
        400, "invalid_request_error", "tools.0: Input tag 'web_search_20250305' does not match the expected tags"
    )
