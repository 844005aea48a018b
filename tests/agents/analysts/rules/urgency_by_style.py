"""How loudly a trader wants to hear of it, told in the styles feeds write in. All headlines are invented."""

from __future__ import annotations

from typing import Final

from agents.models import Urgency

FLASH, ALERT, NOTE, FYI = Urgency.FLASH, Urgency.ALERT, Urgency.NOTE, Urgency.FYI

BY_STYLE: Final[dict[str, tuple[tuple[Urgency, str], ...]]] = {
    "wire": (
        (FLASH, "BREAKING: Russia invades Estonia, NATO calls emergency session"),
        (FLASH, "EXCLUSIVE-U.S. adds YMTC to trade blacklist, bars American suppliers"),
        (FLASH, "UPDATE 3-Japan Airlines files for bankruptcy protection"),
        (FLASH, "Trump slaps 50% tariff on copper imports"),
        (FLASH, "PBOC cuts benchmark rate in surprise move"),
        (FLASH, "Credit Suisse fined $5.3 billion by US Justice Department"),
        (ALERT, "UPDATE 2-Tesla misses delivery estimates by wide margin, shares fall 8%"),
        (ALERT, "Disney's Iger abruptly steps down as CEO"),
        (ALERT, "Chevron halts output at Gulf of Mexico platforms ahead of hurricane"),
        (ALERT, "OPEC+ collapses into price war as Russia walks out"),
        (NOTE, "China's exports fall 7.5% in May"),
        (NOTE, "ECB's Lagarde says June cut likely"),
        (NOTE, "U.S. crude stockpiles fall by 5 million barrels"),
        (NOTE, "Honda to recall 120,000 Civics over steering"),
        (NOTE, "FTC to review Microsoft's cloud practices"),
        (FYI, "FACTBOX-Who is who in the new German cabinet"),
        (FYI, "TIMELINE-Ten years of Greek bailouts"),
        (FYI, "DIARY-Top economic events to June 30"),
    ),
    "press release": (
        (ALERT, "Moderna Announces Phase 3 Trial Did Not Meet Primary Endpoint"),
        (ALERT, "AbbVie to Acquire Cerevel Therapeutics for $8.7 Billion"),
        (NOTE, "Micron Announces Pricing of $1 Billion Senior Notes Offering"),
        (NOTE, "Cisco Reports Fourth Quarter Earnings"),
        (FYI, "Adobe Named a Leader in Digital Experience Report"),
        (FYI, "Hilton Opens First Hotel in Bhutan"),
        (FYI, "IBM to Participate in the Citi Technology Conference"),
        (FYI, "Bragar Eagel & Squire Reminds Lucid Investors of Upcoming Deadline"),
    ),
    "broker and blog": (
        (NOTE, "JPMorgan starts Arm at overweight"),
        (NOTE, "Citi slashes Boeing price target after delivery halt"),
        (NOTE, "Deutsche Bank lowers Intel to hold"),
        (FYI, "3 dividend stocks to hold forever"),
        (FYI, "Should you buy Nvidia before earnings?"),
        (FYI, "Why Costco members love the food court"),
        (FYI, "My portfolio: what I learned from losing money on Peloton"),
    ),
    "shares on the move": (
        (ALERT, "Nvidia sinks 17% on fears over Chinese rival"),
        (ALERT, "Spotify soars 14% after profit triples"),
        (ALERT, "Boeing tumbles 9% after second crash"),
        (NOTE, "Amazon slips 2% in late trade"),
        (NOTE, "Exxon gains as crude climbs"),
        (FYI, "Nasdaq futures little changed"),
    ),
    "policy and courts": (
        (FLASH, "FDIC takes over Signature Bank"),
        (FLASH, "SEC sues Ripple and Coinbase over unregistered tokens"),
        (FLASH, "EU orders Apple to pay 13 billion euros in back taxes"),
        (ALERT, "Supreme Court rules against Bayer in weedkiller case"),
        (NOTE, "House passes defence bill"),
        (NOTE, "UK watchdog opens inquiry into Amazon's Deliveroo stake"),
        (FYI, "Senator visits flood victims"),
        (FYI, "Court hears dispute over garden fence"),
    ),
    "places and people": (
        (FYI, "Tourists return to Red Sea resorts"),
        (FYI, "Actor sued over film contract"),
        (FYI, "Football club enters administration"),
        (FYI, "War museum reopens after renovation"),
        (FYI, "School fined for dirty kitchen"),
        (FYI, "Earthquake drill held in Tokyo"),
        (FYI, "Student banned from exam for cheating"),
        (FYI, "Sanctions against referee lifted by league"),
    ),
}
"""Where or how it is written, and the urgency each headline should have."""
