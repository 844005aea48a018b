"""Flash events: only what a named actor does, or a named target suffers, now."""

from __future__ import annotations

import pytest

from agents.models import FLASH_EVENTS, FlashEvent
from tests.agents.analysts.rules.reading_of import reading

HAPPENING: dict[FlashEvent, tuple[str, ...]] = {
    "bankruptcy": (
        "Harlow Outdoor files for Chapter 11 bankruptcy protection",
        "Meridian Retail Group filed for bankruptcy on Monday",
        "Crypto lender Nordlight enters administration",
        "Airline SkyNova seeks creditor protection",
        "Solar maker Brightfield goes bankrupt",
        "Carmaker Velda files for insolvency in Munich",
        "Shipping line Oceanis placed into receivership",
        "Lender Fairbrook falls into liquidation",
        "Toy chain Playdale begins bankruptcy proceedings",
        "Builder Castor & Sons goes bust",
    ),
    "sanctions": (
        "US imposes sanctions on Russian shipping group",
        "EU adopts new sanctions package against Belarus banks",
        "Treasury sanctions three Chinese refiners",
        "UK slaps sanctions on Iranian oil traders",
        "Washington hits Venezuelan oil firm with sanctions",
        "EU approves embargo on Russian coal",
        "Canada announces sanctions on Haitian elites",
        "OFAC designates Dubai network as Iranian oil smugglers",
        "US reimposes sanctions on Syria",
        "Japan tightens sanctions on North Korean shipping",
    ),
    "export_ban": (
        "China bans exports of graphite to the US",
        "Indonesia halts exports of nickel ore",
        "India restricts exports of sugar",
        "US adds five Chinese chipmakers to entity list",
        "Russia announces export ban on diesel",
        "Beijing tightens export controls on gallium",
        "US restricts chip exports to Gulf states",
        "Commerce puts drone maker on trade blacklist",
        "Argentina suspends beef exports",
        "China imposes export restrictions on tungsten",
    ),
    "tariffs": (
        "Trump imposes 25% tariffs on Canadian steel",
        "EU hits Chinese electric cars with tariffs",
        "US raises tariffs on solar panels",
        "India doubles duties on edible oil",
        "China retaliates with tariffs on US soybeans",
        "US tariffs on Mexican tomatoes take effect",
        "Brazil announces tariffs on imported steel",
        "Turkey levies duties on American coal",
        "Canada sets tariffs on US dairy",
        "Washington increases duties on Vietnamese furniture",
    ),
    "rate_surprise": (
        "Fed cuts rates by half a point in surprise move",
        "Norges Bank unexpectedly raises rates",
        "Emergency rate cut as Bank of Canada acts",
        "Fed slashes rates to near zero",
        "ECB surprises with 50 basis point hike",
        "Turkish central bank shocks with a 500 bps hike",
        "RBA hikes rates unexpectedly",
        "Bank of England delivers shock rate rise",
        "Central bank slashes rates in unscheduled meeting",
        "SNB cuts rates to zero",
    ),
    "trading_halt": (
        "Trading in Norwood Bank shares halted",
        "Nasdaq halts trading in Blue Quarry",
        "Tokyo exchange suspends trading of futures",
        "Circuit breaker triggered: S&P 500 triggers circuit breaker",
        "Shares suspended at Hanley Mining",
        "NYSE suspends trading in Kestrel Energy",
        "Trading of Orbis stock was suspended on Friday",
        "LSE halts trading of nickel miner",
        "Exchange halts all trading after outage",
        "Hong Kong trading in Greenhill was halted",
    ),
    "geopolitical_conflict": (
        "Russia invades neighbouring state",
        "Israel strikes targets in southern Lebanon",
        "Houthi missile hits tanker in Red Sea",
        "Iran seizes oil tankers in Gulf",
        "North Korea launches missile over Japan",
        "Rebels seize oil port in Libya",
        "US launches airstrikes on militia bases",
        "Drone attack on refinery halts output",
        "Pakistan and India exchange fire as troops: India attacks airbase",
        "Saudi pipeline explosion forces shutdown",
    ),
    "fraud": (
        "SEC charges Larkin Capital with fraud",
        "Prosecutors charge founder of Zenco with securities fraud",
        "Former Dellmore chief arrested on fraud charges",
        "Auditor finds fraud at Pinewood Foods",
        "Carbonex fabricated sales for three years",
        "DOJ sues broker over Ponzi scheme",
        "Bank executives convicted of money laundering",
        "SEC accuses Quantum Leap of fraud",
        "Trader indicted for insider trading",
        "Company admits it falsified accounts, accused of fraud",
    ),
    "earnings_shock": (
        "Vantor posts surprise loss as orders vanish",
        "Chipmaker reports unexpected quarterly loss",
        "Shares plunge after Lumio slashes outlook",
        "Stock crashes on profit warning at Feld",
        "Retailer posts shock profit warning",
        "Shares collapse after dismal results",
        "Unexpected loss at Halden sinks shares",
        "Streaming group shocks with weak forecast",
        "Stock plummets as revenue forecast disappoints",
        "Surprise drop in sales at Trellis",
    ),
    "regulatory_action": (
        "FAA grounds regional jets after engine failures",
        "EU fines search giant $2 billion over ads",
        "FTC sues Walton Drug to block merger",
        "SEC charges Alder Brokerage over disclosures",
        "FDA bans Ridley vaping brand",
        "Antitrust watchdog blocks Meridian takeover of Sable",
        "Bank fined $300 million by regulators",
        "BaFin orders Nordlicht Bank to halt lending",
        "Dutch regulator fines payment firm 40 million",
        "Justice Department sues ticket seller Stubly",
    ),
}

NOT_HAPPENING: dict[FlashEvent, tuple[str, ...]] = {
    "bankruptcy": (
        "Harlow Outdoor may file for bankruptcy",
        "How Meridian avoided bankruptcy",
        "Airline exits bankruptcy after two years",
        "Ten years after Lehman filed for bankruptcy",
        "Velda denies it will file for insolvency",
        "Playdale considers filing for bankruptcy",
        "What happens when a bank goes bust?",
        "Bankruptcy judge approves sale of stores",
        "Law firm opens bankruptcy practice",
        "Lender is not filing for bankruptcy, chief says",
    ),
    "sanctions": (
        "US considers sanctions on Russian shipping",
        "EU lifts sanctions on Syrian banks",
        "Washington threatens to impose sanctions on Turkey",
        "Lawmakers call for sanctions on Chinese firms",
        "Why sanctions on Russia failed",
        "Iran braces for sanctions",
        "UK eases sanctions on Belarus",
        "Could the EU impose sanctions on Georgia?",
        "Two years after the EU imposed sanctions on Moscow",
        "Treasury delays sanctions on refiners",
    ),
    "export_ban": (
        "China may ban exports of graphite",
        "Indonesia lifts export ban on palm oil",
        "India plans to restrict exports of sugar",
        "Chipmakers fear US export ban",
        "German exports rise in May",
        "Should the US ban chip exports?",
        "US could add drone maker to entity list",
        "Storm halts exports from Gulf terminal",
        "Exporters hit by strong yen",
        "Russia threatens to ban diesel exports",
    ),
    "tariffs": (
        "Trump threatens to impose tariffs on Canada",
        "EU weighs tariffs on Chinese cars",
        "US suspends tariffs on solar panels",
        "Carmaker warns of tariffs",
        "What tariffs mean for you",
        "Farmers fear tariffs",
        "US could raise tariffs on steel",
        "Tariff talks resume in Geneva",
        "India plans to double duties",
        "US to exempt allies from tariffs",
    ),
    "rate_surprise": (
        "Fed holds rates steady as expected",
        "ECB raises rates by 25 basis points, as expected",
        "Traders bet on surprise rate cut",
        "Could the Fed make an emergency rate cut?",
        "Fed's Smith sees no surprise rate hike",
        "Economists expect rate cut in June",
        "Mortgage rates rise to 7%",
        "Why an emergency rate cut would be a mistake",
        "Bank of Japan keeps policy rate unchanged",
        "Markets price in rate cut",
    ),
    "trading_halt": (
        "Trading resumes in Norwood shares",
        "Exchange may halt trading in meme stocks",
        "Day trading booms among students",
        "Trading volumes fall in August",
        "Sugar trading house hires new boss",
        "Production halted at car plant",
        "Why exchanges halt trading",
        "Regulator weighs trading halt rule",
        "Trading floor reopens after storm",
        "Talks suspended on trading pact",
    ),
    "geopolitical_conflict": (
        "Carmaker launches attack on rivals' prices",
        "Price war begins in streaming",
        "Analysts fear Russia could invade",
        "Workers strike at port over pay",
        "Twenty years after the US launched strikes on Iraq",
        "Heart attack drug wins approval",
        "Trade war talks resume",
        "How drones changed war",
        "Activist attacks board of oil firm",
        "New film recalls invasion of Normandy",
    ),
    "fraud": (
        "Larkin Capital cleared of fraud",
        "Bank launches fraud detection tool",
        "Card fraud costs rise, says study",
        "Law firm reminds investors of fraud class action deadline",
        "Zenco denies fraud claims",
        "How to spot fraud",
        "Court dismisses fraud charges against trader",
        "Could Zenco be charged with fraud?",
        "Ten years after the founder was convicted of fraud",
        "Judge rejects bid to sue bank for fraud",
    ),
    "earnings_shock": (
        "Vantor profit rises 4%",
        "Chipmaker to report quarterly results on May 4",
        "Shares edge lower after results",
        "Retailer reaffirms outlook",
        "Lumio beats estimates",
        "Earnings preview: what to expect from Vantor",
        "Sales up slightly at Trellis",
        "Company posts narrower loss",
        "Revenue in line with forecasts",
        "Dividend raised at Halden",
    ),
    "regulatory_action": (
        "Regulator may fine bank",
        "FAA clears jets to fly",
        "EU considers fine for search giant",
        "Lawmakers urge FTC to sue grocer",
        "Watchdog publishes annual report",
        "SEC commissioner gives speech",
        "Firm appoints former FDA official",
        "Court overturns fine on bank",
        "Should regulators block the deal?",
        "Ten years ago the SEC charged Alder Brokerage",
    ),
}


@pytest.mark.parametrize(("event", "title"), [(event, title) for event in FLASH_EVENTS for title in HAPPENING[event]])
def test_an_event_happening_now_is_found(event: FlashEvent, title: str) -> None:
    found = reading(title).happening(event)
    assert found is not None
    assert found.now, found.doubt
    assert found.quote in title


@pytest.mark.parametrize(
    ("event", "title"), [(event, title) for event in FLASH_EVENTS for title in NOT_HAPPENING[event]]
)
def test_what_is_planned_feared_undone_or_remembered_is_not_happening(event: FlashEvent, title: str) -> None:
    found = reading(title).happening(event)
    assert found is None or not found.now, found.quote
    assert found is None or found.doubt


@pytest.mark.parametrize("event", FLASH_EVENTS)
def test_every_flash_event_has_ten_examples_of_each(event: FlashEvent) -> None:
    assert len(set(HAPPENING[event])) >= 10
    assert len(set(NOT_HAPPENING[event])) >= 10
