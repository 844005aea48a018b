"""Presidential documents and documents that name a company, from the Federal Register by days."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.investigation.errors import SourceDown
from agents.investigation.official.presidency import PresidentialDocuments
from agents.investigation.official.register import RegisterDocuments
from tests.agents.investigation.builders import at
from tests.agents.investigation.official.builders import LATER, an_inquiry
from tests.fakes.evidence import sources
from tests.fakes.feed_server import FeedServer, reply

PATH = "/federal_register/api/v1/documents.json"
SIGNED = {
    "count": 3,
    "results": [
        {
            "title": "Modifying Reciprocal Tariff Rates",
            "signing_date": "2024-05-14",
            "publication_date": "2024-05-20",
            "html_url": "https://www.federalregister.gov/d/1",
        },
        {"title": "National Small Business Week", "signing_date": "2024-05-14", "publication_date": "2024-05-17"},
        {"title": "Adjusting Imports of Steel", "signing_date": "2024-05-02", "publication_date": "2024-05-13"},
    ],
}
NAMED = {
    "count": 1,
    "results": [
        {
            "title": "Order Against Nvidia",
            "type": "Notice",
            "publication_date": "2024-05-14",
            "html_url": "https://www.federalregister.gov/d/2",
            "agencies": [{"name": "Federal Trade Commission"}],
        }
    ],
}


def serving(body: dict[str, Any]) -> Any:
    def answering(server: FeedServer) -> None:
        server.serve(PATH, json.dumps(body), content_type="application/json")

    return answering


async def test_documents_are_dated_by_the_day_they_were_signed_and_only_those_that_may_move_a_price_count() -> None:
    async with sources(answering=serving(SIGNED)) as world:
        (one,) = await PresidentialDocuments(world.access, lambda: LATER).find(an_inquiry("2024-05-14T17:00"))
        path = world.server.requests()[-1].path
    assert (one.title, one.published_at, one.precision) == (
        "Modifying Reciprocal Tariff Rates",
        at("2024-05-14T00:00"),
        "day",
    )
    assert "publication_date%5D%5Bgte%5D=2024-05-11" in path
    assert "publication_date%5D%5Blte%5D=2024-06-06" in path


async def test_documents_that_name_the_company_between_the_days() -> None:
    async with sources(answering=serving(NAMED)) as world:
        inquiry = an_inquiry("2024-05-14T14:00", "NVDA", name="Nvidia")
        (one,) = await RegisterDocuments(world.access, lambda: LATER).find(inquiry)
        path = world.server.requests()[-1].path
    assert one.title == "Notice: Order Against Nvidia"
    assert one.source == "Federal Register, Federal Trade Commission"
    assert "%22Nvidia%22" in path


async def test_a_search_without_a_hit_is_nothing_and_a_refusal_is_down() -> None:
    async with sources(answering=serving({"count": 0})) as world:
        assert await PresidentialDocuments(world.access, lambda: LATER).find(an_inquiry("2024-05-14T17:00")) == []
    async with sources(answering=lambda server: server.script(PATH, reply(500))) as world:
        with pytest.raises(SourceDown):
            await RegisterDocuments(world.access, lambda: LATER).find(an_inquiry("2024-05-14T14:00", "NVDA"))
