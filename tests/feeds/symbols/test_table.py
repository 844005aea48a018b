"""Company links need a reason: names, brands, marks, and the traps of ordinary words."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feeds.symbols.table import Mention, SymbolTable

TABLE = SymbolTable.load()


def linked(text: str) -> dict[str, Mention]:
    return {mention.symbol: mention for mention in TABLE.mentions(text) if not mention.quoted}


NAMED = (
    ("Apple unveils a cheaper laptop", "AAPL", "short name"),
    ("Johnson & Johnson lifts outlook", "JNJ", "short name"),
    ("J&J lifts outlook", "JNJ", "short name"),
    ("AT&T sheds media unit", "T", "short name"),
    ("Macy's closes stores", "M", "short name"),
    ("McDonald’s raises prices", "MCD", "short name"),
    ("Eli Lilly's diabetes drug impresses", "LLY", "short name"),
    ("Coca-Cola raises prices", "KO", "short name"),
    ("Lockheed Martin Corporation wins order", "LMT", "short name"),
    ("Google fined in India", "GOOGL", "brand"),
    ("Facebook adds feature", "META", "brand"),
    ("Instagram down for thousands", "META", "brand"),
    ("YouTube raises fees", "GOOGL", "brand"),
    ("Buy $NVDA before the split", "NVDA", "cashtag"),
    ("$F recalls trucks", "F", "cashtag"),
    ("Recall at carmaker (NYSE: F) widens", "F", "exchange"),
    ("Chipmaker (NASDAQ:MU) cuts output", "MU", "exchange"),
    ("Miner (LSE: GLEN) halts smelter", "GLEN.L", "exchange"),
    ("Carmaker 7203.T cuts output", "TM", "exchange"),
    ("Lender <BAC.N> cuts jobs", "BAC", "exchange"),
    ("Software group (CRM) raises outlook", "CRM", "symbol"),
    ("Traders pile into NVDA again", "NVDA", "symbol"),
    ("Siemens wins rail order", "SIE.DE", "short name"),
    ("Toyota cuts output", "TM", "short name"),
    ("Airbus delivers 60 jets", "AIR.PA", "name"),
)


@pytest.mark.parametrize(("text", "symbol", "how"), NAMED)
def test_a_company_is_linked_with_its_reason(text: str, symbol: str, how: str) -> None:
    found = linked(text)
    assert list(found) == [symbol]
    mention = found[symbol]
    assert mention.how == how
    assert mention.about
    assert text[mention.start : mention.end] == mention.text
    assert mention.text.strip("<>()") in mention.reason or symbol in mention.reason


TRAPS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "TGT": (
        (
            "Target beats estimates",
            "Target's holiday sales jump",
            "Shares of Target fell after the report",
            "Target to buy delivery startup",
            "Target Corp names finance chief",
            "The discount chain Target and rivals cut prices",
            "$TGT gaps down",
            "Retailer (NYSE: TGT) warns",
            "Walmart and Target cut prices",
            "Target shares sink",
        ),
        (
            "Fed misses its inflation target",
            "Target price raised at broker",
            "Target date funds grow",
            "Bank sets new emissions Target for 2030",
            "On target: exports grow",
            "Takeover target rejects bid",
            "Rebels target oil port",
            "TARGET DATE SET FOR SUMMIT",
            "Interest rate target unchanged",
            "Target audience shifts online",
        ),
    ),
    "GAP": (
        (
            "Gap cuts full-year outlook",
            "Gap Inc shuts stores",
            "Gap shares jump",
            "Gap names new chief executive",
            "Gap reports quarterly loss",
            "The clothing retailer Gap said it would close stores",
            "$GAP rallies",
            "Gap's Old Navy spins off",
            "Gap to close 30 stores",
            "Gap raises forecast",
        ),
        (
            "Gap between rich and poor widens",
            "Gender pay gap narrows",
            "Trade gap widens in May",
            "Gap widens in trade balance",
            "Output gap closes, says central bank",
            "Mind the gap: rail chaos returns",
            "Funding gap threatens hospitals",
            "The Wealth Gap Grows",
            "Skills gap hits factories",
            "Gap in coverage alarms doctors",
        ),
    ),
    "AAPL": (
        (
            "Apple hits record high",
            "Apple's services grow",
            "Apple Inc raises prices",
            "Regulators probe Apple over fees",
            "Apple, Samsung settle dispute",
            "iPhone sales slide in China",
            "$AAPL climbs",
            "AAPL falls 3%",
            "Why Apple matters",
            "Apple to open store in Mumbai",
        ),
        (
            "Apple pie recipes for autumn",
            "Apple orchards hit by frost",
            "Apple growers seek visas",
            "Cider and apple juice prices rise",
            "Apple harvest falls in Poland",
            "Big Apple braces for storm",
            "Fiona Apple announces tour",
            "Apple trees in bloom",
            "An apple a day, says study",
            "Apple exports to India resume",
        ),
    ),
    "SHEL": (
        (
            "Shell cuts dividend",
            "Shell's LNG unit grows",
            "Shell plc sells refinery",
            "Shell to buy solar firm",
            "Royal Dutch Shell sells oil sands",
            "Shell shares rise",
            "Oil major Shell said it would leave Russia",
            "$SHEL up",
            "Shell, BP cut output",
            "Shell beats profit forecast",
        ),
        (
            "Shell companies used to launder money",
            "Shell company law tightened",
            "Shell shock lingers for veterans",
            "Artillery shell hits village",
            "Egg shell shortage puzzles bakers",
            "Shell firms probed in Cyprus",
            "Soft shell crab prices rise",
            "Turtle shell trade banned",
            "Shell game: how taxes vanish",
            "SHELL COMPANIES PROBED",
        ),
    ),
    "V": (
        (
            "Visa to buy Tink for $2 billion",
            "Visa shares fall",
            "Visa Inc beats estimates",
            "Visa's profit rises",
            "Visa raises fees for merchants",
            "Mastercard and Visa settle",
            "$V edges up",
            "Payments group (NYSE: V) reports",
            "Visa reports record volumes",
            "Visa suspends operations in Russia",
        ),
        (
            "Visa requirements tightened for tourists",
            "Visa ban lifted for Indonesians",
            "Work visa rules eased",
            "Visa applications surge",
            "Student visa fees rise",
            "Golden visa scheme ends",
            "Visa waiver talks resume",
            "Tourist visa programme reopens",
            "V for victory, says mayor",
            "Visa restrictions imposed on officials",
        ),
    ),
    "F": (
        (
            "Ford recalls 300,000 trucks",
            "Ford's electric unit loses billions",
            "Ford Motor cuts jobs",
            "$F drops",
            "Ford (NYSE: F) recalls trucks",
            "Ford to cut 1,000 jobs in Europe",
            "GM and Ford raise prices",
            "Ford shares slide",
            "Carmaker Ford said it would idle a plant",
            "Ford reports profit",
        ),
        (
            "Fed raises rates",
            "Harrison Ford injured on set",
            "Doug Ford wins election",
            "Ford Foundation grants $10 million",
            "F grades rise in schools",
            "Former president Gerald Ford honoured",
            "Plan F emerges in Brexit talks",
            "Tom Ford shows new collection",
            "River ford closed after floods",
            "F-35 order delayed",
        ),
    ),
}


@pytest.mark.parametrize(("symbol", "text"), [(s, text) for s, (real, _) in TRAPS.items() for text in real])
def test_the_company_is_linked_where_it_is_meant(symbol: str, text: str) -> None:
    assert symbol in linked(text)


@pytest.mark.parametrize(("symbol", "text"), [(s, text) for s, (_, false) in TRAPS.items() for text in false])
def test_the_ordinary_word_is_not_linked(symbol: str, text: str) -> None:
    assert symbol not in linked(text)


@pytest.mark.parametrize(
    ("symbol", "meant", "other"),
    [
        ("CCK", "Crown will construct a second line at its Parma plant", "Crown prince visits Paris"),
        ("CCK", "Crown shares rise", "The Crown returns for a sixth season"),
        ("PGR", "Progressive reports quarterly profit", "Progressive lawmakers rally in Ohio"),
        ("U", "Unity: Sell This Stock And Walk Away", "Unity government formed in Libya"),
        ("CCL", "Carnival shares rise as bookings recover", "Carnival season opens in Rio"),
        ("LMND", "Lemonade posts wider loss", "Lemonade recipes for summer"),
        ("SNAP", "Snap shares sink", "Snap election called in Japan"),
        ("SNOW", "Snowflake forecasts slower growth", "Snowflake decorations sell out"),
        ("TOST", "Toast to cut 10% of staff", "Toast of the town: new restaurant"),
        ("LUV", "Southwest cancels flights", "Southwest China hit by floods"),
        ("MNST", "Monster Beverage lifts sales", "Monster storm hits Texas"),
        ("MTCH", "Match Group names chief", "Match day for students"),
        ("GIS", "General Mills lifts prices", "Attorney General Mills sues landlord"),
        ("DG", "Dollar General cuts outlook", "Dollar general strength weighs on gold"),
        ("ALLY", "Ally Financial misses by $0.11", "Ally of president resigns"),
    ],
)
def test_an_ordinary_word_needs_company_like_surroundings(symbol: str, meant: str, other: str) -> None:
    assert symbol in linked(meant)
    assert symbol not in linked(other)


@pytest.mark.parametrize(
    "text",
    [
        "ALL EYES ON NOW: IT IS COST OF LIVING",
        "IT jobs ARE scarce NOW",
        "A T-shirt for ALL",
        "COST of living bites",
        "MA and PA shops close",
        "META analysis of diets",
        "The CEO and CFO met the SEC, FDA and IMF",
        "GDP, CPI and PPI due",
        "US and UK agree",
        "Fed's Powell speaks",
        "Amazon rainforest fires spread",
        "Covid delta variant spreads",
        "Meeting in Boston, Houston and Chicago",
        "President Lincoln remembered",
        "S&P 500 slips",
        "Kanye West sues",
        "Oracle of Omaha speaks",
        "Now is the time to plant",
        "Intel agencies warn of plot",
        "Discover how to save",
        "$A\u0336M\u0336D\u0336 halts trading",
    ],
)
def test_capitals_people_and_places_are_no_companies(text: str) -> None:
    assert linked(text) == {}


@pytest.mark.parametrize(
    ("text", "subject", "house"),
    [
        ("Goldman upgrades Netflix to buy", "NFLX", "GS"),
        ("Ford is cut at Deutsche Bank ahead of earnings", "F", "DB"),
        ("Tesla price target raised by Morgan Stanley", "TSLA", "MS"),
        ("Recession likely this year: Citigroup", None, "C"),
    ],
)
def test_the_house_that_is_quoted_is_not_linked(text: str, subject: str | None, house: str) -> None:
    assert list(linked(text)) == ([subject] if subject else [])
    assert any(mention.symbol == house and mention.quoted for mention in TABLE.mentions(text))


def test_a_bank_is_linked_where_it_is_the_story() -> None:
    assert "GS" in linked("Goldman Sachs profit falls 20%")


def test_about_and_mentioned() -> None:
    found = TABLE.mentions("Ford recalls trucks\nRivals such as Tesla and General Motors were not affected")
    assert [(mention.symbol, mention.about) for mention in found] == [("F", True), ("TSLA", False), ("GM", False)]


def test_a_name_that_describes_somebody_else_is_not_what_it_is_about() -> None:
    assert [m.about for m in TABLE.mentions("Apple supplier shares slide")] == [False]
    assert [m.about for m in TABLE.mentions("Ford's rivals cut prices")] == [False]


@pytest.mark.parametrize(
    "text",
    [
        "Core prices rose 0.3% in May",
        "Core sales fall at retailers",
        "Swiss National Bank cuts rates",
        "National Bank of Egypt raises rates",
    ],
)
def test_statistics_and_central_banks_are_no_companies(text: str) -> None:
    assert linked(text) == {}


@pytest.mark.parametrize("text", ["Ford could build cars in Spain", "Target might close shops"])
def test_a_trap_before_a_verb_of_will_is_the_company(text: str) -> None:
    assert len(linked(text)) == 1


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("Apple supplier Velda halts plant", "AAPL"),
        ("Velda, a supplier to Boeing, halts plant", "BA"),
        ("Velda wins contract from Lockheed Martin", "LMT"),
    ],
)
def test_a_name_that_describes_another_is_beside_it(text: str, symbol: str) -> None:
    assert linked(text)[symbol].beside
    assert not linked(text)[symbol].about


def test_a_name_that_is_the_story_is_not_beside_another() -> None:
    assert not linked("Boeing wins order for 40 jets")["BA"].beside


@pytest.mark.parametrize("symbol", ["US10Y", "EURUSD", "SPX", "GOLD", "AAPL", "7203.T"])
def test_markets_are_known_like_companies(symbol: str) -> None:
    assert TABLE.known(symbol)


def test_an_equal_watchlist_is_the_same_watchlist() -> None:
    first = TABLE.mentions("Velda opens a plant", extra={"VLD": ("Velda",)})
    assert TABLE.mentions("Velda opens a plant", extra={"VLD": ("Velda",)}) is first


def test_a_us_symbol_that_another_company_took_over_is_not_this_company() -> None:
    assert TABLE.reported("SIE.DE") == "SIE.DE"
    assert TABLE.reported("7203.T") == "TM"


def test_the_larger_companies_are_told_from_the_rest() -> None:
    assert TABLE.large("AAPL")
    assert TABLE.large("SIE.DE")
    assert not TABLE.large("NOSUCH")


def test_the_watchlist_adds_names() -> None:
    watch = {"VLD.L": ("Velda Holdings", "Velda")}
    found = TABLE.mentions("Velda wins order", extra=watch)
    assert [(mention.symbol, mention.how) for mention in found] == [("VLD.L", "watchlist")]
    assert TABLE.mentions("Velda wins order") == ()


def test_a_share_class_is_reported_under_its_company() -> None:
    assert TABLE.reported("GOOG") == "GOOGL"
    assert list(linked("$GOOG and $GOOGL rise")) == ["GOOGL"]


def test_names_sectors_and_peers_come_from_the_offline_map() -> None:
    assert TABLE.known("XOM")
    assert not TABLE.known("ZZZZZ")
    assert TABLE.name("XOM").lower().startswith("exxon")
    assert TABLE.name("ZZZZZ") == "ZZZZZ"
    assert TABLE.sector("XOM") == "Energy"
    assert TABLE.sector("ZZZZZ") == ""
    peers = TABLE.peers("XOM", 5)
    assert "CVX" in peers
    assert "XOM" not in peers
    assert len(peers) == 5
    assert TABLE.peers("ZZZZZ") == ()


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("EUR/USD falls to 1.05", ["EURUSD"]),
        ("Yen weakens past 160, USDJPY at high", ["USDJPY"]),
        ("Gold prices jump as 10-year Treasury yield falls", ["GOLD", "US10Y"]),
        ("Crude slips; Brent near $80", ["WTI", "BRENT"]),
        ("Sterling slides, the euro steady", ["GBPUSD", "EURUSD"]),
        ("Bitcoin tops $100,000", ["BTCUSD"]),
        ("Wall Street ends flat", ["SPX"]),
        ("Golden handshake for chief", []),
        ("Olive oil tasting", []),
        ("Cornwall hotel opens", []),
    ],
)
def test_markets_are_subjects(text: str, symbols: list[str]) -> None:
    assert [subject.symbol for subject in TABLE.subjects(text)] == symbols


@given(st.text(max_size=200))
@settings(deadline=None)
def test_any_text_is_searched_without_failing(text: str) -> None:
    for mention in TABLE.mentions(text):
        assert 0 <= mention.start <= mention.end <= len(text)
        assert mention.reason


def test_a_headline_takes_well_under_a_millisecond() -> None:
    """A generous bound; `python -m tests.evaluation matching` prints the figure."""
    texts = [text for text, _, _ in NAMED] * 20
    started = time.process_time()
    for text in texts:
        TABLE.mentions(text)
    assert (time.process_time() - started) / len(texts) < 0.0008


def test_no_company_has_the_symbol_of_a_market() -> None:
    assert [mention.symbol for mention in TABLE.mentions("W&T Offshore profit falls")] == []
    assert [one.symbol for one in TABLE.subjects("WTI falls below $60")] == ["WTI"]
    assert TABLE.name("WTI") == "WTI"
