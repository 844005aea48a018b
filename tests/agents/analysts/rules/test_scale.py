"""What makes an event larger than its kind, and what is at stake for a company."""

from __future__ import annotations

import pytest

from agents.analysts.rules.magnitude import magnitudes
from agents.analysts.rules.scale import at_stake, scale
from agents.analysts.rules.scan import Scan
from tests.agents.analysts.rules.reading_of import judged


def sized(text: str) -> dict[str, float]:
    return dict(scale(Scan(text), magnitudes(text)))


@pytest.mark.parametrize(
    ("text", "label", "sign"),
    [
        ("Russia invades Estonia", "full-scale or state war", 1),
        ("China begins blockade of Taiwan", "full-scale or state war", 1),
        ("Pipeline shut", "supply taken off the market", 1),
        ("World's largest copper mine floods", "a large share of the world", 1),
        ("Outage felt worldwide", "felt worldwide", 1),
        ("Lender collapses", "a default or a collapse", 1),
        ("Quake hits chip plants", "a storm, a quake or a flood", 1),
        ("Drones hit depot", "drones or a single site", -1),
        ("Minor damage at port", "limited or foreseen", -1),
        ("Exports resume", "relief, not loss", -1),
        ("Decree signed", "a formal step", -1),
    ],
)
def test_a_sign_of_size_is_a_term(text: str, label: str, sign: int) -> None:
    assert sized(text)[label] * sign > 0


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("OPEC cuts output by 2 million bpd", 0.03),
        ("OPEC cuts output by 4 million bpd", 0.06),
        ("Strike stops 90,000 bpd", -0.05),
    ],
)
def test_more_barrels_weigh_more(text: str, amount: float) -> None:
    assert amount in sized(text).values()


def test_what_output_comes_to_is_no_change() -> None:
    assert not [label for label in sized("OPEC raises output to 26 million bpd") if "26" in label]


@pytest.mark.parametrize(
    ("title", "label"),
    [
        ("Velda cannot guarantee dividend", 'its finances ("dividend")'),
        ("Asbestos found in Velda powder", 'safety of what it sells ("Asbestos")'),
        ("Velda's phone slump", 'trouble ("slump")'),
        ("Velda under scrutiny", 'in the sights of an authority ("scrutiny")'),
    ],
)
def test_what_is_at_stake_is_told_with_its_word(title: str, label: str) -> None:
    stake = at_stake(Scan(title))
    assert stake is not None
    assert stake[0] == label
    assert stake[1] > 0


def test_nothing_is_at_stake_in_a_shop_opening_or_below_the_title() -> None:
    assert at_stake(Scan("Velda opens shop\nIts debt is no matter here")) is None


def test_trouble_of_a_named_company_weighs_more_than_its_shops() -> None:
    trouble, _ = judged("SectorScan", "Apple's iPhone slump")
    shops, _ = judged("SectorScan", "Apple's Milan shop")
    assert trouble.impact_score > shops.impact_score
    assert 'trouble ("slump")' in trouble.rationale


def test_a_weighty_matter_has_said_what_is_at_stake() -> None:
    draft, _ = judged("SectorScan", "Toyota recalls 40,000 hybrids over brake defect")
    assert not [term for term in draft.arithmetic if term.label.startswith("safety")]
