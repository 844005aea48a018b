"""The Bank of Japan's projection of the settlement day, over the loopback and from workbooks made here."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from agents.investigation.errors import SourceDown
from agents.investigation.official.current_accounts import CurrentAccountProjections
from agents.investigation.ports import Inquiry, Remarked
from agents.tools.asking.errors import NotAnAnswer
from agents.tools.asking.request import Reply
from agents.tools.sources import current_account
from tests.agents.investigation.builders import ONSET, a_case, an_anchor
from tests.agents.investigation.official.workbooks import ROWS, Cell, workbook
from tests.fakes.evidence import sources
from tests.fakes.feed_server import reply

LATER = ONSET + timedelta(days=200)
TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
SETTLED = "/boj_accounts/en/statistics/boj/fm/juq/d_release/jd/2024/jd20240516.xlsx"
PROJECTED = "/boj_accounts/en/statistics/boj/fm/juq/d_release/jp/jp20240516.xlsx"


def an_inquiry(onset: datetime = ONSET) -> Inquiry:
    anchor = replace(an_anchor(), onset_at=onset, ends_at=onset + timedelta(hours=1))
    return Inquiry(a_case(), anchor, onset - timedelta(days=3), onset + timedelta(days=120))


def read(body: bytes) -> current_account.TreasuryFunds:
    return current_account.read(Reply(200, TYPE, body, "https://www.boj.or.jp/x"))


def test_the_amount_may_stand_in_the_japanese_or_the_english_row_of_its_item() -> None:
    assert read(workbook()) == current_account.TreasuryFunds(-7_560.0, -7_542.0)


def test_before_the_day_is_over_there_is_no_final_figure() -> None:
    rows = [list(row)[:6] for row in ROWS]
    assert read(workbook(rows)) == current_account.TreasuryFunds(-7_560.0, None)


def without(label: str) -> list[list[Cell]]:
    return [list(row) for row in ROWS if label not in row]


def unbalanced() -> list[list[Cell]]:
    return [[-70_000.0 if cell == -75_600.0 else cell for cell in row] for row in ROWS]


@pytest.mark.parametrize(
    "body",
    [
        b"<html>maintenance</html>",
        b"PK\x03\x04 cut off",
        workbook(without("Treasury funds and others")),
        workbook(unbalanced()),
        workbook(more={"xl/media/large.xml": "0" * (current_account.UNPACKED + 1)}),
    ],
    ids=["a page", "cut off", "no treasury funds", "items do not add up", "unpacks to too much"],
)
def test_what_is_not_the_banks_workbook_is_no_answer(body: bytes) -> None:
    with pytest.raises(NotAnAnswer):
        read(body)


@pytest.mark.parametrize(
    ("now", "path"),
    [(LATER, SETTLED), (datetime(2024, 5, 15, 12, tzinfo=UTC), PROJECTED)],
    ids=["from the results that are kept", "from the projection on the evening before"],
)
async def test_the_projection_for_the_settlement_day(now: datetime, path: str) -> None:
    async with sources() as world:
        world.server.serve(path, workbook(), content_type=TYPE)
        found = await CurrentAccountProjections(world.access, lambda: now).find(an_inquiry())
    (record,) = found
    assert record.title == (
        "Projection of current account balances for 16 May 2024: treasury funds and others minus 7,560.0 billion yen"
    )
    assert (record.published_at, record.precision) == (datetime(2024, 5, 15, 9, tzinfo=UTC), "hour")
    assert isinstance(found, Remarked)
    assert found.remark.startswith("2024-05-16: treasury funds and others minus 7,560.0 billion yen")


async def test_a_projection_that_is_not_out_yet_is_not_asked_for_and_says_when() -> None:
    async with sources() as world:
        source = CurrentAccountProjections(world.access, lambda: ONSET + timedelta(hours=3))
        found = await source.find(an_inquiry())
        assert world.server.requests() == []
    assert isinstance(found, Remarked)
    assert (tuple(found), found.remark) == ((), "the projection for 2024-05-16 comes out on 2024-05-15")


async def test_a_trade_after_the_close_of_new_york_settles_a_day_later() -> None:
    evening = datetime(2024, 5, 14, 21, 30, tzinfo=UTC)
    async with sources() as world:
        world.server.serve(SETTLED.replace("0516", "0517"), workbook(), content_type=TYPE)
        (record,) = await CurrentAccountProjections(world.access, lambda: LATER).find(an_inquiry(evening))
    assert "for 17 May 2024" in record.title


async def test_a_workbook_that_does_not_come_is_down() -> None:
    async with sources() as world:
        world.server.script(SETTLED, reply(503))
        with pytest.raises(SourceDown):
            await CurrentAccountProjections(world.access, lambda: LATER).find(an_inquiry())
