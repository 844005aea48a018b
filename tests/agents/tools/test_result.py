"""The five answers a tool can give, and that they never mix."""

from __future__ import annotations

import pytest

from agents.models import ANSWERED, EvidenceItem
from agents.tools.result import RAW_LIMIT, empty, not_configured, ok, stale, unavailable
from tests.agents.builders import NOW

FOUND = [EvidenceItem("CPI 3.1%")]


def test_each_constructor_gives_its_own_status() -> None:
    answers = [
        ok("cpi", NOW, "BLS", FOUND),
        empty("cpi", NOW, "BLS"),
        stale("cpi", NOW, "BLS", FOUND, "from May"),
        unavailable("cpi", NOW, "down"),
        not_configured("cpi", NOW, "no key"),
    ]
    assert [answer.status for answer in answers] == ["ok", "empty", "stale", "unavailable", "not_configured"]
    assert [answer.status in ANSWERED for answer in answers] == [True, True, True, False, False]
    assert {(answer.id, answer.tool, answer.fetched_at) for answer in answers} == {("cpi#1", "cpi", NOW)}


def test_ok_without_a_finding_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing found is `empty`"):
        ok("cpi", NOW, "BLS", [])


def test_detail_is_one_line_of_bounded_length() -> None:
    detail = unavailable("cpi", NOW, "  connection\nrefused  " + "x" * 1000).detail
    assert detail.startswith("connection refused x")
    assert len(detail) == 300


def test_raw_is_cut_to_its_limit() -> None:
    assert len(ok("cpi", NOW, "BLS", FOUND, raw="x" * (RAW_LIMIT + 1)).raw) == RAW_LIMIT
