"""Pairs that share their words and not their weight: the first is to be heard, the second is not. All are invented."""

from __future__ import annotations

from typing import Final

from agents.models import Urgency

FLASH, ALERT, NOTE, FYI = Urgency.FLASH, Urgency.ALERT, Urgency.NOTE, Urgency.FYI

BY_TRAP: Final[dict[str, tuple[tuple[Urgency, str], ...]]] = {
    "happening or feared": (
        (FLASH, "Trump imposes 30% tariffs on Mexican cars"),
        (NOTE, "Mexico fears Trump will impose tariffs on cars"),
        (FLASH, "US sanctions Gazprom Bank"),
        (NOTE, "Gazprom Bank braces for US sanctions"),
        (FLASH, "Israel strikes Iranian oil terminal"),
        (FYI, "Could Israel strike Iran's oil terminals?"),
    ),
    "large or small": (
        (FLASH, "Deutsche Bank trading halted after shares collapse"),
        (FYI, "Card trading halted at village fair"),
        (FLASH, "United Airlines files for bankruptcy"),
        (NOTE, "Airport taxi firm Cabwell files for bankruptcy"),
        (ALERT, "GM recalls 6 million trucks over airbags"),
        (NOTE, "GM recalls 2,000 vans over mirror"),
        (ALERT, "Chevron to buy Hess for $53 billion"),
        (NOTE, "Chevron to buy petrol stations in Ireland"),
    ),
    "now or then": (
        (FLASH, "Fed cuts rates in emergency move"),
        (FYI, "How the Fed's emergency rate cut of 2001 worked"),
        (FLASH, "SEC charges Nikola with fraud"),
        (FYI, "Five years after the SEC charged Nikola with fraud"),
        (ALERT, "Intel chief executive steps down"),
        (FYI, "Former Intel chief executive joins university board"),
    ),
    "of a company or of life": (
        (ALERT, "Pfizer drug fails main trial"),
        (FYI, "Murder trial fails to start as juror falls ill"),
        (ALERT, "Ford halts production at two plants after fire"),
        (FYI, "Theatre halts production of Hamlet after fire"),
        (NOTE, "Delta pilots vote to strike"),
        (FYI, "Lightning strikes church tower"),
        (NOTE, "Walmart fined $138 million over permits"),
        (FYI, "Angler fined over undersized trout"),
    ),
    "report or chatter": (
        (ALERT, "Tesla shares dive 12% as margins shrink"),
        (FYI, "Tesla shares: what analysts are saying"),
        (NOTE, "Nike beats profit estimates"),
        (FYI, "Nike earnings: five questions"),
        (NOTE, "US inflation rises to 3.2% in May, as expected"),
        (FYI, "Readers share how inflation changed their holidays"),
    ),
    "the market or its mirror": (
        (ALERT, "OPEC+ agrees to cut output by 2 million barrels a day"),
        (NOTE, "Oil jumps 4% as OPEC+ cuts output"),
        (FLASH, "China bans exports of gallium to US"),
        (NOTE, "Chip stocks fall 3% after China bans gallium exports"),
        (NOTE, "Dollar hits two-year high as Fed stays put"),
        (FYI, "Dollar steady before payrolls"),
    ),
}
"""Where the trap lies, and the urgency each headline should have."""
