"""Halt notices of a company by day, and which of them can be a cause."""

from __future__ import annotations

import pytest

from agents.investigation.errors import SourceDown
from agents.investigation.official.halts import HaltNotices
from agents.investigation.readings import company as company_reading
from feeds.symbols.table import SymbolTable
from tests.agents.investigation.builders import at
from tests.agents.investigation.official.builders import LATER, an_inquiry, page
from tests.fakes.evidence import sources
from tests.fakes.feed_server import FeedServer

PATH = "/rss.aspx"


def item(symbol: str, code: str, day: str = "05/14/2024", time: str = "09:41:10.120", resumed: str = "09:46:10") -> str:
    return (
        f"<item><title>{symbol}</title><ndaq:HaltDate>{day}</ndaq:HaltDate><ndaq:HaltTime>{time}</ndaq:HaltTime>"
        f"<ndaq:IssueSymbol>{symbol}</ndaq:IssueSymbol><ndaq:Market>NASDAQ</ndaq:Market>"
        f"<ndaq:ReasonCode>{code}</ndaq:ReasonCode><ndaq:PauseThresholdPrice />"
        f"<ndaq:ResumptionDate>{day}</ndaq:ResumptionDate>"
        f"<ndaq:ResumptionTradeTime>{resumed}</ndaq:ResumptionTradeTime></item>"
    )


def halts(*items: str) -> str:
    head = '<?xml version="1.0"?><rss version="2.0" xmlns:ndaq="http://www.nasdaqtrader.com/"><channel>'
    return f"{head}<title>Halts</title>{''.join(items)}</channel></rss>"


def answering(server: FeedServer, body: str = halts(item("NVDA", "T1"), item("ZZZ", "LUDP"))) -> None:
    server.serve(f"/trade_halts{PATH}", body, content_type="text/xml")


async def test_the_halts_of_the_company_on_the_day_of_the_move_and_the_one_before() -> None:
    async with sources(answering=answering) as world:
        found = await HaltNotices(world.access, lambda: LATER).find(an_inquiry("2024-05-14T13:30", "NVDA"))
        asked = [seen.path.rpartition("=")[2] for seen in world.server.requests()]
    assert asked == ["05132024", "05142024"]
    assert {one.title for one in found} == {"NVDA: trading halted, news pending (T1)"}
    one = found[0]
    assert (one.published_at, one.precision, one.tickers) == (at("2024-05-14T13:41:10"), "second", ("NVDA",))
    assert one.summary == "Trading resumed 09:46:10 New York"


async def test_a_quiet_day_has_no_halts_and_a_page_is_no_answer() -> None:
    async with sources(answering=lambda server: answering(server, halts())) as world:
        assert await HaltNotices(world.access, lambda: LATER).find(an_inquiry("2024-05-14T13:30", "NVDA")) == []
    async with sources(answering=lambda server: answering(server, page("<p>busy</p>"))) as world:
        with pytest.raises(SourceDown):
            await HaltNotices(world.access, lambda: LATER).find(an_inquiry("2024-05-14T13:30", "NVDA"))


@pytest.mark.parametrize(
    ("code", "own_act"),
    [("LUDP", None), ("M", None), ("T5", None), ("MWC1", None), ("T1", None), ("H10", True), ("T12", True)],
)
async def test_a_pause_that_the_price_set_off_is_no_cause_and_one_by_a_regulator_is_its_act(
    code: str, own_act: bool | None
) -> None:
    async with sources(answering=lambda server: answering(server, halts(item("NVDA", code)))) as world:
        inquiry = an_inquiry("2024-05-14T13:30", "NVDA")
        record = (await HaltNotices(world.access, lambda: LATER).find(inquiry))[0]
    read = company_reading.read(record, inquiry.case, SymbolTable.load(), inquiry.anchor)
    assert (read.own_act if read else None) is own_act
