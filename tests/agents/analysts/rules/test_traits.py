"""How an item says what it says, with the words that show it."""

from __future__ import annotations

import pytest

from agents.analysts.rules.traits import Trait, traits

SHOWN: dict[Trait, tuple[str, ...]] = {
    "solicitation": (
        "Rosen Law Firm reminds investors of class action against Velda",
        "SHAREHOLDER ALERT: investigation of Norwood Bank",
        "Investors with losses over $100,000 in Zenco should contact the firm",
    ),
    "calendar": (
        "Apple to report quarterly earnings on August 9",
        "Velda to announce second quarter results on May 4",
        "Norwood schedules third-quarter conference call",
        "Zenco announces conference call to discuss results",
    ),
    "preview": ("Earnings preview: Velda", "Dollar slips ahead of jobs report", "Wall Street week ahead"),
    "anniversary": ("Ten years after Lehman", "Looking back at the crash of 2008", "On the anniversary of Brexit vote"),
    "opinion": (
        "Why the Fed is wrong",
        "Opinion: banks need more capital",
        "Analysis: what next for oil",
        "Breakingviews - A deal too far",
        "Velda earnings: five questions",
    ),
    "round-up": ("5 stocks to watch on Monday", "Top premarket movers: Velda, Zenco", "Morning Bid: rates again"),
    "market wrap": (
        "Wall St. rebounds on jobs report",
        "World stock markets edge higher as tariffs kick in",
        "Chip stocks fall after export ban",
    ),
    "live blog": ("Business live Pound slides - as it happened", "Live updates: bank collapses"),
    "local": ("Football club enters administration", "Murder trial fails to start"),
    "denied": ("Velda denies report of bankruptcy", "Bank says it has no plans to sell unit", "Minister rules out tax"),
    "unconfirmed": ("Velda may sell unit", "Zenco in talks to buy rival, sources say", "Norwood reportedly cuts jobs"),
    "question": ("Is the rally over?", "Could rates fall again?"),
    "correction": ("CORRECTED-Velda profit rises", "Correction: Zenco bid is for 40%"),
    "routine": ("Velda declares quarterly dividend", "Zenco appoints finance chief"),
}
CLEAN = (
    "Harlow Outdoor files for Chapter 11 bankruptcy protection",
    "Fed raises rates by 50 basis points",
    "Velda buys rival for $2 billion",
    "US imposes sanctions on shipping group",
    "SEC charges Velda founder with fraud; he denies wrongdoing",
    "Velda chief denied bail in fraud case",
    "Bayer shares sag after US jury verdict in Roundup cancer trial",
)


@pytest.mark.parametrize(("trait", "text"), [(trait, text) for trait, texts in SHOWN.items() for text in texts])
def test_a_trait_is_seen_with_words_of_the_text(trait: Trait, text: str) -> None:
    found = traits(text)
    assert trait in found
    assert found[trait].rstrip("?") in text


@pytest.mark.parametrize("text", CLEAN)
def test_plain_reports_show_none_that_lowers_them(text: str) -> None:
    assert not set(traits(text))
