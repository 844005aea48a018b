"""What a service can do: asked, else told by its address, and the user's word last."""

from __future__ import annotations

from datetime import datetime
from types import SimpleNamespace
from typing import Any

import pytest

from agents.analysts.claude.capabilities import FULL, PLAIN, Capabilities, ServerChoice, offer
from tests.agents.analysts.claude.ledgers import office
from tests.fakes.messages_api import MessagesApi

OWN, LOCAL = "https://api.anthropic.com", "http://127.0.0.1:11434"


def listed(
    name: str,
    *,
    structured: bool = True,
    lifecycle: str = "active",
    capable: bool = True,
    search: bool | None = None,
) -> Any:
    able = SimpleNamespace(structured_outputs=SimpleNamespace(supported=structured))
    if search is not None:
        able.server_tools = SimpleNamespace(supported=search, web_search=SimpleNamespace(supported=search))
    return SimpleNamespace(
        id=name, capabilities=able if capable else None, lifecycle=lifecycle, retires_at=datetime(2026, 12, 24)  # noqa: DTZ001 -- the service's own
    )  # fmt: skip


@pytest.mark.parametrize(
    ("models", "url", "choice", "expected"),
    [
        (None, OWN, "auto", Capabilities(search=True)),
        (None, LOCAL, "auto", PLAIN),
        ([listed("m", capable=False)], LOCAL, "auto", PLAIN),
        ([listed("m")], LOCAL, "auto", FULL),
        ([listed("m", structured=False)], OWN, "auto", Capabilities(structured=False, search=True)),
        ([listed("m", search=False)], OWN, "auto", FULL),
        ([listed("m", search=True)], LOCAL, "auto", Capabilities(search=True)),
        ([listed("m", search=True)], LOCAL, "plain", PLAIN),
        ([listed("other")], OWN, "auto", Capabilities(search=True)),
        ([listed("m")], OWN, "plain", PLAIN),
        (None, LOCAL, "anthropic", FULL),
    ],
)
def test_what_may_stand_in_a_request(
    models: list[Any] | None, url: str, choice: ServerChoice, expected: Capabilities
) -> None:
    assert offer(models, ["m"], url, choice).of("m") == expected


def test_a_model_that_is_missing_or_leaves_soon_is_said() -> None:
    found = offer([listed("old", lifecycle="deprecated")], ["old", "new", "new"], OWN, "auto")
    assert found.notices == (
        "old is deprecated, it retires on 2026-12-24: set another [claude] model",
        "the service does not list new; it lists old",
    )


async def test_the_service_is_asked_once_and_one_that_cannot_say_is_plain() -> None:
    async with MessagesApi() as api, office(api) as o:
        assert (await o.caller.offer()).models == ("claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5")
        assert await o.caller.capabilities("claude-haiku-5-5") == FULL
    async with MessagesApi(lists=False) as api, office(api) as o:
        assert (await o.caller.offer()).models is None
        assert await o.caller.capabilities("claude-haiku-5-5") == PLAIN
    async with MessagesApi(searches=True) as api, office(api) as o:
        assert (await o.caller.capabilities("claude-haiku-5-5")).search
