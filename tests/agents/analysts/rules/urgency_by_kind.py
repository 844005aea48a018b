"""The same question kind by kind: how loudly a trader wants to hear of it. All headlines are invented."""

from __future__ import annotations

from typing import Final

from agents.models import Urgency

FLASH, ALERT, NOTE, FYI = Urgency.FLASH, Urgency.ALERT, Urgency.NOTE, Urgency.FYI

BY_KIND: Final[dict[str, tuple[tuple[Urgency, str], ...]]] = {
    "insolvency": (
        (FLASH, "Silicon Valley Bank shut by regulators after deposit run"),
        (FLASH, "Evergrande, China's biggest property developer, files for bankruptcy protection"),
        (FLASH, "Carvana files for Chapter 11"),
        (ALERT, "Plug Power warns of going concern doubt as cash dwindles"),
        (NOTE, "Dunmore Ski Lodge files for Chapter 11"),
        (NOTE, "Family-owned Brightwell Dairy files for Chapter 7 liquidation"),
        (NOTE, "Restaurant chain Pepperpot files for Chapter 11 protection"),
        (NOTE, "Furniture seller Oakline enters Chapter 11 with debts of $40 million"),
        (NOTE, "Hertz emerges from bankruptcy"),
        (FYI, "Bankrupt retailer's brand name sold at auction"),
        (FYI, "How a small town survived the bankruptcy of its only mill"),
    ),
    "medicine": (
        (ALERT, "Biotech's lead cancer drug fails pivotal trial"),
        (ALERT, "Biotech discloses its main trial failed"),
        (ALERT, "Sarepta plunges 40% after patient death in gene therapy trial"),
        (ALERT, "FDA places clinical hold on Novavax combination vaccine"),
        (ALERT, "Viking Therapeutics obesity drug succeeds in trial, shares double"),
        (NOTE, "FDA approves Gilead's twice-yearly HIV injection"),
        (FYI, "Merck starts late-stage trial of obesity pill"),
        (FYI, "Researchers say walking lowers heart risk"),
    ),
    "capital": (
        (NOTE, "Rivian prices $500 million share offering at a discount"),
        (ALERT, "Plug Power announces $300 million stock offering, shares fall 12%"),
        (NOTE, "Apple announces $110 billion buyback"),
        (ALERT, "Intel scraps dividend and cuts 15,000 jobs, shares plunge 26%"),
        (FYI, "Reddit sets date for annual meeting"),
    ),
    "results": (
        (ALERT, "Dollar General slashes annual profit outlook"),
        (ALERT, "Palantir shares surge 22% as AI demand lifts forecast"),
        (ALERT, "Super Micro shares crash 33% after auditor quits"),
        (ALERT, "Lululemon issues profit warning"),
        (NOTE, "Home Depot quarterly sales slip 1%, outlook kept"),
        (NOTE, "PepsiCo reaffirms full-year guidance"),
        (FYI, "Colgate to webcast second-quarter results on July 25"),
    ),
    "deals": (
        (ALERT, "Capital One to acquire Discover in $35 billion all-stock deal"),
        (ALERT, "Biden blocks Nippon Steel's $14.9 billion takeover of U.S. Steel"),
        (NOTE, "Salesforce and Informatica end merger talks"),
        (NOTE, "Disney to sell stake in Indian TV unit"),
    ),
    "courts and watchdogs": (
        (FLASH, "FTC sues Amazon, alleging illegal monopoly"),
        (FLASH, "SEC charges Binance and its founder with fraud"),
        (ALERT, "Jury orders Johnson & Johnson to pay $4.7 billion in talc case"),
        (NOTE, "EU opens antitrust probe into Microsoft Teams"),
        (NOTE, "Wells Fargo fined $37 million over foreign exchange fees"),
        (FYI, "Appeals court weighs zoning rules for beach houses"),
        (FYI, "Lawyer disbarred after client funds go missing"),
    ),
    "the economy": (
        (FLASH, "Russia's central bank doubles key rate to 20% in emergency move"),
        (FLASH, "Fed slashes rates to near zero in emergency move"),
        (ALERT, "US core inflation unexpectedly accelerates to 5.2%, well above forecasts"),
        (ALERT, "US economy unexpectedly contracts in first quarter"),
        (ALERT, "Swiss central bank scraps currency cap, franc soars 30%"),
        (ALERT, "Dow plunges 1,500 points in worst day since 2020"),
        (ALERT, "Argentina defaults on $500 million bond payment"),
        (NOTE, "Swedish inflation eases to 2.1%"),
        (NOTE, "Norges Bank lifts rates by quarter point as expected"),
        (NOTE, "Fed minutes show officials split over timing of cuts"),
        (NOTE, "Fitch lowers outlook on Hungary to negative"),
        (FYI, "Economists debate how to measure happiness"),
    ),
    "war and trade": (
        (FLASH, "Iran closes Strait of Hormuz to tankers"),
        (FLASH, "China begins naval blockade of Taiwan"),
        (FLASH, "India launches strikes on Pakistan"),
        (NOTE, "Ukrainian drones hit Russian oil depot, small fire"),
        (NOTE, "Trump lifts sanctions on Syria"),
        (NOTE, "US delays tariffs on Mexican goods by a month"),
        (FYI, "Russia and Ukraine agree prisoner swap"),
        (FYI, "President attends memorial for war veterans"),
        (FYI, "Army cadets graduate in Delhi"),
    ),
    "halts and crowds": (
        (FLASH, "NYSE suspends trading in First Republic Bank shares"),
        (NOTE, "Nasdaq halts trading in penny stock Zyntra pending news"),
        (ALERT, "CrowdStrike update crashes Windows computers worldwide, shares sink 15%"),
        (ALERT, "GameStop soars 70% as day traders return"),
        (NOTE, "Retail traders pile into AMC options"),
        (FYI, "Trading card fair suspended after flood"),
        (FYI, "Tesla owner drives across Australia"),
        (FYI, "Spotify adds audiobooks to its app"),
    ),
    "supply": (
        (ALERT, "Fire shuts Renesas chip plant for a month"),
        (ALERT, "US East Coast dockworkers walk out, shutting 36 ports"),
        (ALERT, "Apple supplier Skyworks loses iPhone content, shares fall 25%"),
        (NOTE, "Dockworkers at US East Coast ports vote to strike"),
        (NOTE, "Maersk reroutes ships around Africa"),
        (FYI, "Local bakery runs short of flour"),
    ),
    "houses and markets": (
        (NOTE, "Barclays cuts Apple to underweight"),
        (NOTE, "UBS raises Nvidia target to $150"),
        (NOTE, "Cocoa hits record above $10,000 a tonne"),
        (NOTE, "Natural gas drops 6% on mild weather"),
        (ALERT, "Oil crashes below zero for first time"),
        (FYI, "Analyst explains why she left Wall Street"),
    ),
    "people": (
        (ALERT, "Novo Nordisk ousts chief executive after shares slump"),
        (NOTE, "Ford finance chief to retire next year"),
        (FYI, "Unilever names new head of tea brands"),
        (FYI, "Retired banker runs across Wales for charity"),
    ),
}
"""What kind of news, and the urgency each headline should have."""
