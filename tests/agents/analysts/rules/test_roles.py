"""What each company is in a sentence."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from agents.analysts.rules.roles import Role, roles
from agents.analysts.rules.scan import Scan, Watched
from feeds.symbols.table import SymbolTable
from tests.agents.analysts.rules.direction_by_kind import BY_KIND
from tests.agents.analysts.rules.direction_cases import TWO_SIDES


def labels(text: str) -> dict[str, str]:
    """The roles in words, by symbol."""
    return {symbol: role.label for symbol, role in played(text).items()}


def played(text: str, scan: Scan | None = None) -> Mapping[str, Role]:
    """The roles by symbol."""
    return roles(scan or Scan(text), SymbolTable.load().mentions(text))[0]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Pfizer agrees to buy Biogen", {"PFE": "the buyer", "BIIB": "what is bid for"}),
        ("Biogen to be acquired by Merck", {"BIIB": "what is bid for", "MRK": "the buyer"}),
        ("Apple sues Qualcomm", {"AAPL": "the plaintiff", "QCOM": "accused"}),
        (
            "Ford and GM slide while Tesla gains",
            {"F": "its shares fall", "GM": "its shares fall", "TSLA": "its shares rise"},
        ),
        ("Boeing shares drop after Airbus books record orders", {"BA": "its shares fall", "AIR.PA": "wins business"}),
        ("Goldman Sachs upgrades Nvidia to buy", {"NVDA": "rated higher"}),
    ],
)
def test_who_does_what_to_whom(text: str, wanted: dict[str, str]) -> None:
    assert {symbol: label for symbol, label in labels(text).items() if symbol in wanted} == wanted


@pytest.mark.parametrize(
    "text",
    [
        "Pfizer will not buy Biogen",
        "Auto parts may rise if Qualcomm wins antitrust case",
        "Regulator asks whether Boeing faces strike",
        "Lufthansa shuts kitchens as cabin crew strike over pay",
        "Inspector to probe whether Pentagon chief helped Boeing",
        "Sky shares leap as Comcast and Fox lock horns",
        "Colfax hires Goldman to sell unit",
    ],
)
def test_what_is_denied_or_of_another_gives_no_role(text: str) -> None:
    assert {label for label in labels(text).values() if label not in ("the buyer",)} == set()


def test_names_joined_by_and_share_one_part() -> None:
    text = "Tokyo Electron and ASML under pressure"
    _, parts = roles(Scan(text), SymbolTable.load().mentions(text))
    assert parts["8035.T"] == parts["ASML"] == "@ under pressure"


def test_each_company_has_its_own_part_of_the_sentence() -> None:
    text = "Walmart raises outlook, Target warns"
    _, parts = roles(Scan(text), SymbolTable.load().mentions(text))
    assert parts == {"WMT": "@ raises outlook", "TGT": "@ warns"}


class EveryPattern(Scan):
    """A scan under which every pattern is tried."""

    def holds(self, pattern: Watched) -> bool:
        return True


def test_no_pattern_is_left_out_for_want_of_its_first_words() -> None:
    for title, summary, _ in (*TWO_SIDES, *BY_KIND):
        text = f"{title}\n{summary}"
        assert played(text) == played(text, EveryPattern(text)), title


@pytest.mark.parametrize("mark", ["<1>", "@", "I <1> @ #"])
def test_marks_in_the_text_stand_for_no_company(mark: str) -> None:
    assert labels(f"{mark} to buy Pfizer while Merck waits") == {"PFE": "what is bid for"}


def test_a_list_of_many_names_gives_roles_to_the_first_only() -> None:
    text = " and sues ".join(
        f"${symbol}"
        for symbol in ("AAPL", "MSFT", "NVDA", "AMD", "INTC", "TSLA", "META", "AMZN", "NFLX", "ORCL", "CRM", "IBM")
    )
    assert len(labels(f"{text} and sues $QCOM and sues $AVGO")) <= 12
