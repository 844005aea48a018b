"""The five agents over whole items: what must hold of every score."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.analysts.protocol import Brief, Holding
from agents.analysts.rules.analyst import DOMAINS, RulesAnalyst
from agents.analysts.rules.arithmetic import total
from agents.models import AGENT_NAMES, FLASH_EVENTS, SIGNAL_TYPES, AgentName, Evidence, EvidenceItem, ToolName
from agents.report import judge_faults
from feeds.models import Tier
from feeds.symbols.table import SymbolTable
from tests.agents.analysts.rules.reading_of import NOW, analyst, finals, item, judged, reading

HEADLINES = (
    "Lehman Brothers files for Chapter 11 bankruptcy protection",
    "Apple to report quarterly earnings on August 9",
    "Trump threatens tariffs on Mexico",
    "EU may impose sanctions on shipping group, sources say",
    "Fed cuts rates by half a point in surprise move",
    "OPEC+ agrees to cut output by 2 million bpd",
    "Goldman upgrades Netflix to buy",
    "5 stocks to watch: Apple, Tesla, Ford",
    "Why Boeing shares fell 8%",
    "SEC charges Tesla with fraud",
    "Reddit crowd drives short squeeze in GameStop",
    "Inflation rises to 4.1%, above expectations",
)


def evidence(
    tool: ToolName, *texts: str, source: str = "Other Wire", values: tuple[tuple[str, float], ...] = ()
) -> Evidence:
    found = tuple(EvidenceItem(text=text, source=source, at=NOW, precision="second", values=values) for text in texts)
    return Evidence(f"{tool}#1", tool, "ok" if texts else "empty", source, NOW, items=found)


def test_a_bankruptcy_happening_now_is_serious_and_tagged() -> None:
    found = finals("Lehman Brothers files for Chapter 11 bankruptcy protection")
    loudest = max(found.values(), key=lambda final: final.impact_score)
    assert loudest.impact_score >= 0.80
    assert loudest.event_type == "bankruptcy"


def test_a_date_is_no_news_and_still_links_its_company() -> None:
    found = finals("Apple to report quarterly earnings on August 9")
    assert max(final.impact_score for final in found.values()) < 0.40
    assert all(final.event_type is None for final in found.values())
    assert ("AAPL", "direct") in {(x.symbol, x.link_type) for final in found.values() for x in final.tickers_linked}


@pytest.mark.parametrize("title", HEADLINES)
@pytest.mark.parametrize("agent", AGENT_NAMES)
def test_draft_and_final_are_sums_of_their_terms(agent: AgentName, title: str) -> None:
    draft, revision = judged(agent, title)
    for assessment in (draft, revision.final):
        assert total(assessment.arithmetic) == assessment.impact_score
        assert assessment.rationale.startswith(f"{assessment.impact_score:.2f} = ")
        assert assessment.signal_type in SIGNAL_TYPES
        assert assessment.event_type is None or assessment.event_type in FLASH_EVENTS


@pytest.mark.parametrize("title", HEADLINES)
@pytest.mark.parametrize("agent", AGENT_NAMES)
def test_every_fault_points_at_words_of_the_item(agent: AgentName, title: str) -> None:
    _, revision = judged(agent, title)
    assert judge_faults(revision.faults, item(title), ()).refused == ()


@pytest.mark.parametrize("agent", AGENT_NAMES)
def test_a_draft_without_fault_stands(agent: AgentName) -> None:
    draft, revision = judged(agent, "Velda buys rival for $2 billion")
    assert revision.faults == ()
    assert revision.final == draft


def test_the_same_brief_gives_the_same_answer() -> None:
    first = [judged(agent, title) for title in HEADLINES for agent in AGENT_NAMES]
    fresh = RulesAnalyst(SymbolTable.load(), {})
    assert fresh.engine == "rules"
    assert fresh.model is None
    for (draft, revision), (title, agent) in zip(
        first, [(title, agent) for title in HEADLINES for agent in AGENT_NAMES], strict=True
    ):
        brief = Brief(item(title), NOW)
        again = DOMAINS[agent].draft(fresh.reading(item(title)), brief, SymbolTable.load())
        assert again == draft
        assert DOMAINS[agent].revise(fresh.reading(item(title)), brief, again) == revision


@given(st.text(max_size=160), st.text(max_size=160))
@settings(max_examples=60, deadline=None)
def test_any_text_is_judged_within_bounds(title: str, summary: str) -> None:
    for final in finals(title, summary).values():
        assert 0.0 <= final.impact_score <= 1.0
        assert total(final.arithmetic) == final.impact_score


@pytest.mark.parametrize(
    ("agent", "own", "foreign"),
    [
        ("SignalScope", "US imposes sanctions on Russian shipping group", "Velda posts quarterly profit"),
        ("MacroMind", "Fed cuts rates by half a point in surprise move", "Velda opens flagship shop"),
        ("SectorScan", "Ford cuts full-year profit forecast", "Senate debates immigration"),
        ("PolicyRadar", "FAA grounds Boeing 737 MAX jets", "Ford unveils small truck"),
        ("SentimentPulse", "Reddit crowd drives short squeeze in GameStop", "ECB publishes calendar of tenders"),
    ],
)
def test_each_specialist_is_strong_at_home_and_weak_abroad(agent: AgentName, own: str, foreign: str) -> None:
    assert finals(own)[agent].impact_score >= 0.40
    assert finals(foreign)[agent].impact_score < 0.40


def test_a_holding_weighs_more_than_a_stranger() -> None:
    held = {"F": Holding("F", holding=True)}
    stranger, _ = judged("SectorScan", "Ford cuts full-year profit forecast")
    own, _ = judged("SectorScan", "Ford cuts full-year profit forecast", watchlist=held)
    assert own.impact_score > stranger.impact_score
    assert any(term.label == "named holding" for term in own.arithmetic)


def test_a_directly_named_stock_with_clear_impact_is_not_suppressed() -> None:
    held = {"F": Holding("F", holding=True)}
    draft, _ = judged("SectorScan", "Ford cuts profit forecast, shares plunge 12%", watchlist=held)
    assert draft.impact_score >= 0.75


def test_a_customer_of_a_named_company_is_linked_by_the_chain() -> None:
    watchlist = {"F": Holding("F", suppliers=("MU",))}
    draft, _ = judged("SectorScan", "Micron halts production at its largest plant", watchlist=watchlist)
    link = next(link for link in draft.tickers_linked if link.symbol == "F")
    assert link.link_type == "chain"
    assert "MU is its supplier" in link.reason


def test_a_repeat_weighs_less_than_the_first_report() -> None:
    title = "US imposes sanctions on Russian shipping group"
    assert judged("SignalScope", title, novelty=0.25)[0].impact_score < judged("SignalScope", title)[0].impact_score


def test_an_official_source_weighs_more() -> None:
    title = "US imposes sanctions on Russian shipping group"
    official, _ = judged("SignalScope", title, tier=Tier.OFFICIAL)
    assert official.impact_score > judged("SignalScope", title)[0].impact_score


def test_hedged_words_lower_score_and_confidence_and_clear_the_tag() -> None:
    draft, revision = judged("SignalScope", "US may impose sanctions on Russian shipping group")
    assert draft.event_type == "sanctions"
    assert revision.final.event_type is None
    assert revision.final.impact_score < draft.impact_score
    assert revision.final.confidence_score < draft.confidence_score
    assert any("may" in fault.pointer for fault in revision.faults)


def test_the_crowd_counts_when_it_is_large_enough() -> None:
    title = "Ford shares jump as crowd piles in"
    many = evidence("stocktwits_ratio", "counts", values=(("bulls", 90.0), ("bears", 10.0)))
    few = evidence("stocktwits_ratio", "counts", values=(("bulls", 4.0), ("bears", 1.0)))
    assert judged("SentimentPulse", title, evidence=(many,))[1].faults
    assert not judged("SentimentPulse", title, evidence=(few,))[1].faults


def test_an_agent_outside_its_domain_has_nothing_to_take_back() -> None:
    draft, revision = judged("MacroMind", "Velda may open a shop, sources say")
    assert draft.impact_score < 0.2
    assert revision.faults == ()


def test_a_threat_is_worth_a_note_and_no_tag() -> None:
    draft, revision = judged("SignalScope", "Trump threatens to impose tariffs on Mexico")
    assert draft.event_type == "tariffs"
    assert revision.final.event_type is None
    assert 0.40 <= revision.final.impact_score < 0.65


def test_an_agent_is_surer_of_what_is_plainly_of_one_kind() -> None:
    clear, likely, doubtful = (
        "Velda reports second-quarter results",
        "Ford cuts full-year profit forecast",
        "Velda walks",
    )
    assert reading(clear).clearness >= 6.0 > reading(likely).clearness >= 3.0 > reading(doubtful).clearness
    sure, middling, unsure = (finals(title)["PolicyRadar"].confidence_score for title in (clear, likely, doubtful))
    assert sure > middling > unsure


def test_an_agent_outside_its_domain_does_not_explain_the_kind_of_news() -> None:
    found = finals("Ford cuts full-year profit forecast")
    assert "Read as guidance change" in found["SectorScan"].rationale
    assert "Read as" not in found["PolicyRadar"].rationale


@pytest.mark.parametrize(
    ("act", "minor"),
    [
        ("US imposes sanctions on Russian oil tankers", "US imposes sanctions on Thai company for aiding Iran"),
        ("US raises tariffs on Chinese cars", "US sets preliminary duties on Chinese ceramic tile"),
        ("EU fines Velda 700 million euros", "Town clerk accused of ignoring fraud worth 700 million euros"),
    ],
)
def test_an_act_against_a_target_no_market_hangs_on_is_not_tagged_by_the_supervisor(act: str, minor: str) -> None:
    assert finals(act)["PolicyRadar"].event_type is not None
    assert finals(minor)["PolicyRadar"].event_type is None


def test_talk_of_a_rate_decision_is_none() -> None:
    decided, _ = judged("MacroMind", "Fed cuts interest rates")
    wished, _ = judged("MacroMind", "Trump urges Fed to cut interest rates")
    assert decided.arithmetic[0].label == "rate decision"
    assert wished.arithmetic[0].label == "talk of rates"
    assert decided.impact_score > wished.impact_score


def test_a_central_banker_who_hedges_makes_news() -> None:
    draft, revision = judged("MacroMind", "Lagarde says rate cut likely in June")
    assert draft.impact_score == revision.final.impact_score


def test_markets_that_hardly_move_are_no_news_and_a_rout_is() -> None:
    quiet = finals("Oil edges higher as OPEC cuts output")["SignalScope"]
    rout = finals("Oil plunges 9% as OPEC raises output")["SignalScope"]
    assert quiet.impact_score <= 0.38
    assert rout.impact_score > quiet.impact_score


def test_what_is_of_local_interest_stays_below_the_fold_and_a_listed_company_does_not() -> None:
    assert finals("Football club enters administration")["SectorScan"].impact_score <= 0.38
    assert finals("Carvana enters administration after school bus recall")["SectorScan"].impact_score > 0.40


def test_the_signs_of_a_small_event_say_the_same() -> None:
    draft, _ = judged("SignalScope", "Iranian drones hit fuel depot, minor damage")
    assert ("these overlap", 0.08) in {(term.label, term.amount) for term in draft.arithmetic}


def test_a_watched_market_is_linked_as_an_asset_class() -> None:
    watchlist = {"USDJPY": Holding("USDJPY")}
    draft, _ = judged("MacroMind", "Bank of Japan raises rates, the yen surges", watchlist=watchlist)
    assert [(link.symbol, link.link_type) for link in draft.tickers_linked] == [("USDJPY", "macro")]


def test_a_round_up_links_weakly() -> None:
    titled = "5 stocks to watch: Ford, Tesla"
    links = finals(titled)["SectorScan"].tickers_linked
    alone = finals("Ford cuts full-year profit forecast")["SectorScan"].tickers_linked
    assert max(link.impact_score for link in links) < max(link.impact_score for link in alone)


def test_the_reading_is_made_once_for_five_agents() -> None:
    one = item("Ford cuts full-year profit forecast", "once")
    assert analyst().reading(one) is analyst().reading(one)


def test_five_agents_take_about_a_millisecond() -> None:
    """A generous bound: the figure itself is measured by the benchmarks."""
    by = RulesAnalyst(SymbolTable.load(), {})
    items = [item(f"{title} {number}") for number in range(20) for title in HEADLINES]
    symbols = SymbolTable.load()
    started = time.process_time()
    for one in items:
        brief = Brief(one, datetime(2026, 3, 10, tzinfo=UTC))
        for domain in DOMAINS.values():
            domain.revise(by.reading(one), brief, domain.draft(by.reading(one), brief, symbols))
    assert (time.process_time() - started) / len(items) < 0.006
