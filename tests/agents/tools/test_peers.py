"""Peers from the offline company table."""

from __future__ import annotations

from agents.models import Evidence
from agents.tools.peers import SectorPeers
from agents.tools.protocol import Question
from tests.agents.builders import NOW, an_item
from tests.fakes.companies import Companies


def ask(*symbols: str) -> Evidence:
    return SectorPeers(Companies()).answer(Question(an_item(), symbols, None, NOW))


def test_peers_are_named_with_what_they_share() -> None:
    evidence = ask("NVDA")
    assert evidence.status == "ok"
    assert [item.text for item in evidence.items] == [
        "AMD Advanced Micro Devices: same industry as NVDA (Semiconductors)",
        "TSM Taiwan Semiconductor: same industry as NVDA (Semiconductors)",
    ]


def test_every_company_named_has_its_peers() -> None:
    assert [item.text.split()[0] for item in ask("LEH", "NVDA").items] == ["JPM", "AMD", "TSM"]


def test_no_company_is_empty_and_says_so() -> None:
    assert (ask().status, ask().detail) == ("empty", "the item names no company")


def test_a_company_the_table_does_not_hold_is_empty_not_unavailable() -> None:
    assert (ask("ZZZX").status, ask("ZZZX").detail) == ("empty", "no peers known of ZZZX")
