from __future__ import annotations

from dataclasses import replace
from datetime import UTC, timedelta

import pytest
from rich.cells import cell_len

from app.ui.line import Role, Span, plain, width
from app.ui.widgets.card_lines import card_lines
from feeds.models import Published, TimeDoubt
from storage.models import Card, CardTicker
from tests.app.ui.samples import DAY, NOW, card_detail, day

FLASH = card_detail(DAY[0], 1).card


def _shown(card: Card, cells: int = 88) -> list[str]:
    return [plain(line).rstrip() for line in card_lines(card, cells, NOW, UTC)]


def test_a_card_reads_figures_then_title_then_tickers_and_source() -> None:
    figures, title, links = _shown(FLASH)
    assert figures == "▌  FLASH  18:00  0.91 ━━━━━━━━━─  c0.84  export ban" + " " * 29 + "×7  5/5"
    assert title == "▌• US adds 14 chipmakers to the export-control list, effective today"
    assert links == "▌  NVDA ▼.86 direct   AMD ▼.78 direct   ASML ?.53 chain" + " " * 16 + "Federal Register"


@pytest.mark.parametrize("card", [detail.card for detail in day()], ids=lambda card: card.title[:12])
def test_no_line_is_too_wide_and_the_impact_is_whole_at_any_width(card: Card) -> None:
    for cells in range(30, 121):
        lines = card_lines(card, cells, NOW, UTC)
        assert all(width(line) <= cells for line in lines), cells
        if card.impact_score is not None:
            assert f"{card.impact_score:.2f}" in plain(lines[0]), cells


@pytest.mark.parametrize(
    ("cells", "there", "gone"),
    [
        (88, ["━━━━━━━━━─", "c0.84", "export ban", "×7", "5/5"], []),
        (66, ["━━━━─", "c0.84", "export ban", "×7", "5/5"], ["━━━━━━"]),
        (62, ["c0.84", "export ban", "×7", "5/5"], ["━"]),
        (56, ["c0.84", "export ban", "×7"], ["━", "5/5"]),
        (48, ["export ban", "×7"], ["━", "5/5", "c0.84"]),
        (42, ["export ban"], ["━", "5/5", "c0.84", "×7"]),
        (34, ["FLASH", "18:00", "0.91"], ["━", "5/5", "c0.84", "×7", "export ban"]),
    ],
)
def test_a_narrow_card_drops_its_least_important_columns(cells: int, there: list[str], gone: list[str]) -> None:
    line = _shown(FLASH, cells)[0]
    assert all(part in line for part in there)
    assert not any(part in line for part in gone)


@pytest.mark.parametrize(
    ("change", "mark"),
    [
        ({"change": "corrected"}, "corrected · "),
        ({"change": "withdrawn"}, "withdrawn · "),
        ({"degraded": True, "agents_ok": 2}, "degraded · "),
        ({"provisional": True}, "provisional · "),
        ({"published": Published(None, "unknown", TimeDoubt.UNDATED)}, "undated · "),
        ({"published": Published(NOW, "minute", TimeDoubt.ZONE_UNKNOWN)}, "zone unknown · "),
        ({"published": Published(NOW, "minute", TimeDoubt.FUTURE)}, "dated in the future · "),
    ],
)
def test_what_a_reader_must_know_is_said_in_words(change: dict[str, object], mark: str) -> None:
    card = replace(FLASH, **change)  # type: ignore[arg-type]
    assert mark in _shown(card)[2]


def test_a_doubtful_time_is_marked_where_it_stands() -> None:
    card = replace(FLASH, first_seen_at=FLASH.at, published=Published(None, "unknown", TimeDoubt.UNDATED))
    assert "18:00?" in _shown(card)[0]


def test_history_without_a_credible_time_shows_none() -> None:
    undated = Published(None, "unknown", TimeDoubt.UNDATED)
    card = replace(FLASH, at=FLASH.at - timedelta(days=1), first_seen_at=FLASH.at, published=undated)
    assert " FLASH  —      0.91" in _shown(card)[0]


def test_no_time_is_cut() -> None:
    at = FLASH.at - timedelta(days=10)
    for doubt in (None, TimeDoubt.ZONE_UNKNOWN):
        card = replace(FLASH, at=at, first_seen_at=at, published=Published(at, "minute", doubt))
        assert f"{at.day} {at:%b} " in _shown(card)[0]


def test_a_degraded_card_shows_its_agents_at_any_width() -> None:
    assert "2/5" in _shown(replace(FLASH, degraded=True, agents_ok=2), 36)[0]


@pytest.mark.parametrize(("scored_at", "word"), [(None, "scoring…"), (NOW, "unscored")])
def test_an_unscored_card_shows_no_number(scored_at: object, word: str) -> None:
    card = replace(
        FLASH,
        urgency=None,
        impact_score=None,
        confidence_score=None,
        agents_ok=0,
        scored_at=scored_at,  # type: ignore[arg-type]
    )
    line = _shown(card)[0]
    assert word in line
    assert "0.00" not in line
    assert "/5" not in line


def test_read_and_starred_are_signs_too() -> None:
    _, title, links = _shown(replace(FLASH, read=True, starred=True))
    assert title.startswith("▌  US adds")
    assert links.startswith("▌★ NVDA")


@pytest.mark.parametrize(("impact", "role"), [(0.70, "red"), (0.45, "amber"), (0.44, "blue")])
def test_one_accent_and_the_colour_of_the_impact(impact: float, role: Role) -> None:
    first = card_lines(replace(FLASH, impact_score=impact), 88, NOW, UTC)[0]
    assert Span(f"{impact:.2f}", role) in first
    assert first[0] == Span("▌", "flash")


def test_tickers_that_do_not_fit_are_counted() -> None:
    many = tuple(CardTicker(f"TICK{n}", 0.5, "direct", "up") for n in range(9))
    line = _shown(replace(FLASH, tickers=many), 60)[2]
    assert "+" in line
    hidden = int(line.split("+")[1].split()[0])
    assert line.count("TICK") + hidden == 9
    assert cell_len(line) <= 60
