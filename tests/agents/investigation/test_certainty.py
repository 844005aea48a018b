from __future__ import annotations

import itertools

import pytest

from agents.investigation.certainty import CAP, derive, label, product
from agents.investigation.models import RANKS, TIMINGS, Certainty, Rank, Timing
from tests.agents.investigation.builders import an_evidence

TABLE: dict[tuple[Rank, Timing], tuple[float, Certainty]] = {
    ("A", "lead"): (1.00, "high"),
    ("A", "overlap"): (0.60, "medium"),
    ("A", "background"): (0.30, "low"),
    ("A", "lag"): (0.30, "low"),
    ("B", "lead"): (0.70, "medium"),
    ("B", "overlap"): (0.42, "low"),
    ("B", "background"): (0.21, "low"),
    ("B", "lag"): (0.21, "low"),
    ("C", "lead"): (0.50, "medium"),
    ("C", "overlap"): (0.30, "low"),
    ("C", "background"): (0.15, "minimal"),
    ("C", "lag"): (0.15, "minimal"),
    ("D", "lead"): (0.30, "low"),
    ("D", "overlap"): (0.18, "minimal"),
    ("D", "background"): (0.09, "minimal"),
    ("D", "lag"): (0.09, "minimal"),
    ("E", "lead"): (0.10, "minimal"),
    ("E", "overlap"): (0.06, "minimal"),
    ("E", "background"): (0.03, "minimal"),
    ("E", "lag"): (0.03, "minimal"),
}


def test_the_table_covers_every_rank_and_timing() -> None:
    assert set(TABLE) == set(itertools.product(RANKS, TIMINGS))


@pytest.mark.parametrize(("cell", "expected"), TABLE.items())
def test_every_cell_of_the_table(cell: tuple[Rank, Timing], expected: tuple[float, Certainty]) -> None:
    score, word = expected
    assert product(*cell) == pytest.approx(score)
    derived = derive([an_evidence(*cell)])
    assert (derived.rank, derived.timing) == cell
    assert derived.product == pytest.approx(score)
    assert label(derived.product) == word


@pytest.mark.parametrize("cell", TABLE)
@pytest.mark.parametrize("against", RANKS)
def test_refuting_evidence_of_rank_a_or_b_caps_at_low(cell: tuple[Rank, Timing], against: Rank) -> None:
    score, word = TABLE[cell]
    derived = derive([an_evidence(*cell), an_evidence(against, "overlap", supports=False)])
    if against in ("A", "B") and score > CAP:
        assert (derived.capped, label(derived.product)) == (True, "low")
    else:
        assert (derived.capped, label(derived.product)) == (False, word)
        assert derived.product == pytest.approx(score)


def test_corroboration_never_adds_up() -> None:
    assert derive([an_evidence("C", "lead", record=f"r{n}") for n in range(50)]).product == pytest.approx(0.5)


def test_the_best_product_counts_not_the_best_rank() -> None:
    derived = derive([an_evidence("A", "lag"), an_evidence("C", "lead")])
    assert derived.formula == "C x lead = 0.50"


def test_without_support_there_is_no_certainty() -> None:
    derived = derive([an_evidence("A", "lead", supports=False)])
    assert (derived.rank, derived.product, derived.formula) == (None, 0.0, "nothing supports it = 0.00")
