"""One evidence opened: the raw answer can be read, whatever it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC

from agents.models import Evidence
from agents.tools.result import empty
from app.ui.line import plain
from app.ui.pages.evidence import one_evidence
from app.ui.pages.page import EvidencePlace, View
from tests.app.ui.samples import DAY, NOW, card_detail

CARD = card_detail(DAY[0], 1)


def opened(change: Callable[[Evidence], Evidence]) -> list[str]:
    """The lines of one evidence, changed."""
    assert CARD.signal is not None
    first = CARD.signal.outcomes[0]
    evidence = change(first.evidence[0])
    outcome = replace(first, evidence=(evidence, *first.evidence[1:]))
    detail = replace(CARD, signal=replace(CARD.signal, outcomes=(outcome, *CARD.signal.outcomes[1:])))
    place = EvidencePlace(outcome.agent, evidence.id)
    return [plain(row.line).rstrip() for row in one_evidence(detail, place, View(80, NOW, UTC))]


def shown(raw: str) -> list[str]:
    """The lines below "the answer as it came"."""
    rows = opened(lambda evidence: replace(evidence, raw=raw))
    return rows[rows.index("the answer as it came") + 1 :]


def test_json_is_laid_out_in_steps_under_the_line_that_says_whose_it_is() -> None:
    assert shown('== BIS  2026-03-10 18:30:00 UTC\n{"a":{"b":[1]}}\n\n== ECB\nKEY,VALUE\n  x,2') == [
        "== BIS  2026-03-10 18:30:00 UTC", "{", '  "a": {', '    "b": [', "      1", "    ]", "  }", "}",
        "== ECB", "KEY,VALUE", "  x,2",
    ]  # fmt: skip


def test_json_that_was_cut_or_goes_too_deep_is_shown_as_it_is() -> None:
    assert shown('{"a": [1, 2') == ['{"a": [1, 2']
    assert shown("7") == ["7"]
    deep = "[" * 700 + "]" * 700
    assert "".join(shown(deep)).replace(" ", "").startswith("[[[")


def test_silence_is_not_shown_where_nobody_was_asked() -> None:
    """ "Asked, and there is nothing" is said of a source that was asked."""
    idle = "\n".join(opened(lambda _: empty("stocktwits_ratio", NOW, "", "the item names no symbol")))
    assert "nobody was asked: there was nothing to ask about" in idle
    assert "the item names no symbol" in idle
    assert "answered in" not in idle
    silent = "\n".join(opened(lambda _: empty("stocktwits_ratio", NOW, "Stocktwits")))
    assert "asked, and there is nothing" in silent
    assert "answered in" in silent
