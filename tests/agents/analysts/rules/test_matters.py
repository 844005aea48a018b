"""Matters that are no flash event: what they are worth, and that their words are those of the item."""

from __future__ import annotations

import pytest

from agents.analysts.rules.matters import MATTERS, matters
from agents.analysts.rules.scan import Scan
from tests.agents.analysts.rules.reading_of import finals, judged, reading

REPORTED: tuple[tuple[str, str], ...] = (
    ("takeover at a price", "Orion Energy to buy Halcyon for $9 billion"),
    ("takeover at a price", "Palisade confirms it will be bought for $9.2 billion"),
    ("bid raised, refused or dropped", "Velda rejects takeover bid from rival"),
    ("the deciding trial fails", "Pellworm Biotech says its main trial failed"),
    ("the deciding trial fails", "Drug misses goal in late-stage study"),
    ("leaves bankruptcy", "Velda emerges from bankruptcy"),
    ("drug or trial fails", "Velda drug flops in early trial"),
    ("drug or trial fails", "FDA declines to approve Pellworm's heart drug"),
    ("drug approved or trial succeeds", "FDA approves Pellworm heart drug"),
    ("chief leaves", "Velda chief executive ousted by board"),
    ("chief leaves", "Velda ousts CEO over accounts"),
    ("chair or finance chief leaves", "Velda finance chief resigns"),
    ("forecast cut or withdrawn", "Velda withdraws full-year profit forecast"),
    ("forecast raised", "Velda lifts annual sales outlook"),
    ("results far from the expected", "Velda quarterly profit triples"),
    ("results against estimates", "Velda profit tops estimates"),
    ("production stopped", "Velda halts production at three plants"),
    ("large recall", "Velda recalls 1.4 million cars"),
    ("infrastructure out of action", "Oil pipeline shut by ransomware attack"),
    ("breach or cyberattack", "Hackers steal data of Velda customers"),
    ("accused by a short seller", "Short seller says Velda inflated sales"),
    ("activist or large stake", "Hedge fund builds 6% stake in Velda"),
    ("debt trouble", "Velda misses bond payment"),
    ("at odds with its creditors", "Velda in talks with lenders about its debt"),
    ("at odds with its creditors", "Bondholders of Velda reject debt swap"),
    ("jobs cut or sites closed", "Velda to cut 2,000 jobs"),
    ("view of an analyst house", "Broker downgrades Velda to sell"),
    ("view of an analyst house", "Broker cuts Velda to underweight"),
    ("view of an analyst house", "Broker raises Velda target to $150"),
    ("about a deal", "Velda workers uneasy after takeover"),
    ("ports or railways on strike", "Dockworkers walk out at eastern ports"),
    ("contract or order", "Velda wins order for 40 trains"),
    ("capital measure", "Velda suspends dividend"),
    ("dispute with workers", "Dock workers walk out over pay"),
    ("capital measure", "Velda prices $400 million notes offering"),
    ("capital measure", "Velda postpones IPO"),
    ("a peg is given up", "Central bank scraps currency cap"),
    ("a peg is given up", "Egypt devalues pound"),
    ("a market at an extreme", "Cocoa hits record on poor harvest"),
    ("intervention in a currency", "Japan intervenes to prop up yen"),
    ("rating of a major state cut", "Fitch downgrades France"),
    ("a state defaults", "Argentina defaults on dollar bonds"),
    ("oil producers decide", "OPEC+ agrees to raise output"),
    ("oil producers fall out", "OPEC+ talks collapse"),
    ("a state calls for the IMF", "Pakistan requests IMF bailout"),
    ("market in free fall", "Dow plunges in worst day since 1987"),
    ("state money", "China unveils stimulus package"),
    ("a deal is blocked", "FTC sues to block drugstore merger"),
    ("a judgment or a penalty", "Jury finds Velda liable for leak"),
    ("a judgment of billions", "Jury orders Velda to pay $4.7 billion"),
    ("a top court rules", "Supreme Court sides with Velda"),
    ("a sanction or a tariff is lifted or put off", "US delays tariffs on cars"),
    ("an investigation opens", "FTC to review Velda's cloud contracts"),
    ("an investigation opens", "Prosecutors open investigation into Velda"),
    ("a law or an order", "Senate passes chip subsidies bill"),
)
NOT_REPORTED: tuple[tuple[str, str], ...] = (
    ("takeover at a price", "Velda buys stake in rival for $2 billion"),
    ("drug or trial fails", "Judge says prosecutors failed to prepare trial"),
    ("chief leaves", "Former Velda CEO opens restaurant"),
    ("chief leaves", "Panel blames ousted CEO of Velda"),
    ("large recall", "Velda recalls founding year"),
    ("bid raised, refused or dropped", "Velda launches app in bid to win users"),
    ("drug approved or trial succeeds", "Insurers win US approval for $60 billion merger"),
    ("market in free fall", "Stocks edge higher in quiet trade"),
    ("the deciding trial fails", "Velda starts late-stage trial"),
    ("view of an analyst house", "Velda moves to hold down costs"),
    ("a judgment of billions", "Jury orders Velda to pay $4 million"),
    ("capital measure", "Traders talk of Velda IPO"),
    ("a market at an extreme", "Cocoa edges up"),
)


@pytest.mark.parametrize(("label", "title"), REPORTED)
def test_a_matter_is_found_in_words_of_the_item(label: str, title: str) -> None:
    found = {one.matter.label: one for one in matters(Scan(title))}
    assert label in found
    assert found[label].quote in title


@pytest.mark.parametrize(("label", "title"), NOT_REPORTED)
def test_what_only_resembles_a_matter_is_none(label: str, title: str) -> None:
    assert label not in {one.matter.label for one in matters(Scan(title))}


def test_every_matter_has_an_example() -> None:
    assert {matter.label for matter in MATTERS} - {label for label, _ in REPORTED} <= {
        "deal",
        "recall or safety defect",
        "rating of a state cut",
    }


@pytest.mark.parametrize("title", [title.replace("Velda", "Boeing") for _, title in REPORTED if "Velda" in title])
def test_a_listed_name_weighs_more_than_an_unlisted_one(title: str) -> None:
    listed = max(final.impact_score for final in finals(title).values())
    unlisted = max(final.impact_score for final in finals(title.replace("Boeing", "Velda")).values())
    assert listed >= unlisted


def test_a_matter_of_the_title_goes_before_one_of_the_lead() -> None:
    found = reading("Boeing suspends dividend", "The chief executive resigns as well.").matter("company")
    assert found is not None
    assert found.matter.label == "capital measure"


def test_a_buyer_moves_less_than_what_it_buys() -> None:
    links = {link.symbol: link for link in finals("Pfizer to buy Biogen for $43 billion")["SectorScan"].tickers_linked}
    assert links["PFE"].impact_score < links["BIIB"].impact_score
    assert "the buyer" in links["PFE"].reason


def test_a_name_beside_another_is_linked_by_the_chain_and_weakly() -> None:
    draft, _ = judged("SectorScan", "Apple supplier Foxconn halts iPhone plant")
    links = {link.symbol: link for link in draft.tickers_linked}
    assert links["AAPL"].link_type == "chain"
    assert links["2317.TW"].link_type == "direct"
    assert links["AAPL"].impact_score < links["2317.TW"].impact_score


def test_a_name_deep_in_a_text_about_others_is_not_linked() -> None:
    lead = (
        "The carmaker blamed weak demand in Europe and higher costs of steel and freight for the change, which it said"
        " would last into spring."
    )
    draft, _ = judged("SectorScan", "Ford cuts full-year profit forecast", f"{lead} Shares of Netflix rose.")
    assert [link.symbol for link in draft.tickers_linked] == ["F"]


@pytest.mark.parametrize(
    ("title", "toned"),
    [
        ("Boeing wins record order", True),
        ("Oil prices slump", True),
        ("Unlisted brewer posts loss", True),
        ("Novelist's new book recalls invasion of Normandy", False),
        ("Storm kills three in mountains", False),
    ],
)
def test_only_companies_and_markets_have_a_tone(title: str, *, toned: bool) -> None:
    assert (finals(title)["SentimentPulse"].tone is not None) is toned


@pytest.mark.parametrize(
    ("title", "rings"),
    [
        ("Hertz files for bankruptcy", True),
        ("Harbour Bank files for bankruptcy protection", True),
        ("Retailer Crumb files for bankruptcy owing $4 billion", True),
        ("Bakery group Crumb files for bankruptcy", False),
        ("Nasdaq halts trading in Tesla pending news", True),
        ("Trading in Crumb Biotech halted", False),
        ("Bakery group Crumb files for Chapter 11", False),
    ],
)
def test_the_end_of_a_small_name_rings_no_bell(title: str, *, rings: bool) -> None:
    final = finals(title)["SectorScan"]
    assert final.event_type in ("bankruptcy", "trading_halt")
    assert (final.impact_score >= 0.80) is rings
    assert finals(title)["MacroMind"].event_type is None


@pytest.mark.parametrize(
    ("title", "tagged"),
    [
        ("Harbour Bank files for bankruptcy protection", True),
        ("Lehman Brothers files for Chapter 11 bankruptcy protection", True),
        ("American Airlines files for Chapter 11", True),
        ("Bakery group Crumb files for bankruptcy", False),
        ("Retailer Crumb files for bankruptcy owing $4 billion", False),
    ],
)
def test_the_supervisors_mind_the_failure_of_those_that_others_depend_on(title: str, *, tagged: bool) -> None:
    final = finals(title)["PolicyRadar"]
    assert (final.event_type == "bankruptcy") is tagged
    assert (("others depend on it", 0.10) in {(term.label, term.amount) for term in final.arithmetic}) is tagged
    assert (final.impact_score >= 0.65) is tagged


def test_what_is_bought_rises_and_its_buyer_may_go_either_way() -> None:
    draft, _ = judged("SectorScan", "Broadcom clinches $61 billion VMware deal")
    assert {link.symbol: link.direction for link in draft.tickers_linked} == {"VMW": "up", "AVGO": "unclear"}


def test_a_takeover_that_is_denied_lifts_nobody() -> None:
    draft, _ = judged("SectorScan", "Broadcom denies it will buy VMware for $61 billion")
    assert "up" not in {link.direction for link in draft.tickers_linked}


@pytest.mark.parametrize(
    ("title", "lifted"),
    [
        ("US lifts tariffs on steel", True),
        ("EU eases sanctions on Syria", True),
        ("Trump delays auto tariffs by a month", True),
        ("Wall Street ends lower as chip export ban weighs", False),
        ("Ford cuts full-year forecast as US tariffs bite", False),
        ("Ford shares drop on tariffs", False),
        ("Oil drops after sanctions on Rosneft", False),
        ("Apple delays launch, blames tariffs", False),
    ],
)
def test_who_cuts_or_falls_because_of_tariffs_does_not_lift_them(title: str, *, lifted: bool) -> None:
    found = reading(title).matter("policy")
    assert (found is not None and found.matter.label == "a sanction or a tariff is lifted or put off") is lifted


@pytest.mark.parametrize(
    "title",
    [
        "Sable Ridge Energy in talks with lenders about its debt",
        "Velda strikes debt restructuring deal with creditors",
        "AMC in talks with lenders about its debt",
    ],
)
def test_talks_with_creditors_are_no_takeover_and_no_macro_event(title: str) -> None:
    assert reading(title).signal_type not in ("m_and_a", "macro_event")
