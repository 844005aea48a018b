"""The ministry's monthly total of interventions: the first official word on a move of the yen."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from agents.investigation.errors import SourceDown
from agents.investigation.official.ministry import InterventionRecords
from agents.investigation.official.monthly_totals import read_index, read_total
from agents.investigation.ports import Remarked
from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Reply
from tests.agents.investigation.builders import at
from tests.agents.investigation.official.builders import an_inquiry, page
from tests.fakes.evidence import Sources, sources

BASE = "/mof/policy/international_policy/reference/feio"
TABLE = (
    "財務省,,,,,,,,\n実施年月日,,,Intervention Date,,,,,\n"
    "年,月,日,Year,Month,Day,金額(amount),売買通貨,Currency pairs\n"
    "平成3年,5月,13日,1991,May,13,139,米ドル売り・日本円買い,the US dollar (sold) the Japanese yen (bought)\n"
)
INDEX = page(
    "<ul><li><a href='20240628.html'>令和6年5月30日～令和6年6月26日</a></li>"
    "<li><a href='20240531.html'>令和6年4月26日～令和6年5月29日</a></li>"
    "<li><a href='../index.html'>外国為替平衡操作の実施状況</a></li></ul>"
)


def total(amount: str) -> str:
    return page(f"<p>〇 期間における外国為替平衡操作額<span>　　{amount}</span></p>")


def serve(world: Sources, amount: str = "9兆7,885億円") -> None:
    world.server.serve(f"{BASE}/foreign_exchange_intervention_operations.csv", TABLE.encode("cp932"))
    world.server.serve(f"{BASE}/data/monthly/index.html", INDEX, content_type="text/html; charset=utf-8")
    for day in ("20240531", "20240628"):
        body = total(amount if day == "20240531" else "0円")
        world.server.serve(f"{BASE}/data/monthly/{day}.html", body, content_type="text/html; charset=utf-8")


def reply(text: str) -> Reply:
    return Reply(200, "text/html", text.encode(), "https://www.mof.go.jp/x")


@pytest.mark.parametrize(
    ("amount", "billions"),
    [("9兆7,885億円", 9_788.5), ("15兆3,993億円", 15_399.3), ("5,620億円", 562.0), ("2兆円", 2_000.0), ("0円", 0.0)],
)
def test_amounts_in_the_ministrys_units(amount: str, billions: float) -> None:
    assert read_total(reply(total(amount))) == billions


@pytest.mark.parametrize("body", [page("<p>maintenance</p>"), total("非公表")])
def test_a_page_without_a_total_is_no_answer(body: str) -> None:
    with pytest.raises(NotAnAnswer):
        read_total(reply(body))


def test_periods_in_years_of_the_era() -> None:
    newest, before = read_index(reply(INDEX))
    assert (newest.published, newest.first, newest.last) == (date(2024, 6, 28), date(2024, 5, 30), date(2024, 6, 26))
    assert before.holds(date(2024, 4, 26))
    assert not before.holds(date(2024, 5, 30))


async def found(now: datetime, amount: str = "9兆7,885億円", onset: str = "2024-04-29T04:00") -> Remarked:
    async with sources() as world:
        serve(world, amount)
        answer = await InterventionRecords(world.access, lambda: now).find(an_inquiry(onset))
    assert isinstance(answer, Remarked)
    return answer


@pytest.mark.parametrize(("amount", "said"), [("9兆7,885億円", "9,788.5 billion yen"), ("0円", "0.0 billion yen")])
async def test_until_the_quarter_is_out_the_total_of_the_month_stands_for_its_days(amount: str, said: str) -> None:
    answer = await found(at("2024-07-01T00:00"), amount)
    (record,) = answer
    assert record.title == f"Foreign exchange intervention operations, 26 April 2024 to 29 May 2024: {said}"
    assert (record.published_at, record.effective) == (at("2024-05-31T10:00"), None)
    assert answer.remark.endswith("the days of its quarter come out on 2024-08-07")


async def test_before_the_total_is_out_the_answer_says_when_it_comes() -> None:
    answer = await found(at("2024-06-28T12:00"), onset="2024-06-27T04:00")
    assert tuple(answer) == ()
    assert answer.remark == (
        "the month's total is expected on 2024-07-31, the days of its quarter come out on 2024-08-07"
    )


async def test_once_the_quarter_is_out_a_day_without_a_row_had_no_operation() -> None:
    answer = await found(at("2024-09-01T00:00"))
    assert answer.remark == "its record of the quarter has no operation near 2024-04-29"


async def test_a_list_that_does_not_come_is_down() -> None:
    async with sources() as world:
        world.server.serve(f"{BASE}/foreign_exchange_intervention_operations.csv", TABLE.encode("cp932"))
        with pytest.raises(SourceDown):
            await InterventionRecords(world.access, lambda: at("2024-07-01T00:00")).find(an_inquiry("2024-04-29T04:00"))
