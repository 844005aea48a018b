"""What part a name plays in a text: what it is about, somebody mentioned, the house whose view is reported."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from feeds.symbols.context import SUFFIXES, Context
from feeds.symbols.data import word_set

if TYPE_CHECKING:
    from feeds.symbols.matching import Mention

_HOUSE_SAYS: Final = word_set(
    """
    says said sees expects cuts raises lowers boosts trims upgrades downgrades initiates reiterates maintains starts
    recommends analyst analysts economist economists strategist strategists lifts adjusts reaffirms warns
    recommended forecasts predicts now downgraded upgraded likes thinks estimates advises research
    """
)
_HOUSE_OPINES: Final = word_set(
    "says said sees expects warns thinks predicts forecasts reckons recommends likes favors"
)
_OF_MARKETS: Final = re.compile(
    r"\b(?:oil|crude|brent|gold|silver|copper|stocks|equities|bonds?|yields?|dollar|euro|yen|sterling|yuan|rates?|Fed|ECB|"
    r"BOJ|BoE|markets?|economy|inflation|recession|GDP|growth|China|Europe|Japan|S&P|Nasdaq|bitcoin|commodit\w+|housing|"
    r"payrolls|tariffs|election|sector|rally|bulls?|bears?|shares)\b",
    re.I,
)
_OF_ITSELF: Final = re.compile(
    r"\b(?:it|its|own|profits?|earnings|revenues?|results|costs?|jobs|CEO|CFO|chief executive|board|employees|staff|"
    r"bankers|dividend|net interest|tax|loans?|lending|margins?|branch(?:es)?|clients?|customers|settle\w*|fine|probe|"
    r"lawsuit|layoffs|bonus(?:es)?|capital|quarter|trading revenue|will|to (?:cut|buy|sell|close|pay|hire|appoint))\b",
    re.I,
)
"""What a house says of itself; then it is the story."""
_SOON: Final = 40
"""Characters after its name within which it speaks of itself."""
_RATING: Final = re.compile(
    r"\b(?:PT|equal[- ]?weight|(?:market|peer|sector) ?perform|price objectives?|conviction list|top picks?|"
    r"to (?:strong )?(?:buy|hold|sell)\b(?! \w)|price targets?|downgrad|upgrad|overweight|underweight|outperform|"
    r"underperform|neutral|initiat|rating|"
    r"is cut|analysts?|economists?|strategists?|recommend|straddles|sector perform|buy rating|forecasts?|"
    r"recession|inflation|rate (?:cut|hike)s?)",
    re.I,
)
_BESIDE: Final = re.compile(
    r"(?:['’]s)?[- ](?:\w+ )?(?:suppliers?|rivals?|backers?|backed|partners?|customers?|competitors?|veteran|alumni)\b"
    r"|[- ](?:\([A-Z]+\) )?(?:[A-Z]?\d\S* )?(?:jets?|planes|aircraft|order|"
    r"orders(?! (?:\d|up to|an?\b|its|the|more|new|two|three|four|five|six|ten|dozens|staff|workers|employees)))\b"
)
"""What makes a name only describe somebody else: "Apple supplier Velda"; who "orders 60 jets" is the story itself."""
_BESIDE_BEFORE: Final = re.compile(
    r"\b(?:suppl(?:y|ies|ied|ier) (?:[\w ]{0,30})?(?:to|for)|positions? in|holdings? in|(?:contract|order)s? (?:by|"
    r"from|with)|(?:sell|sold) itself to|(?:rival|competitor|customer|partner|unit|subsidiary|backer)s? (?:of|"
    r"to))(?: [A-Z]\w+(?: Co| SE| Inc| Corp)?,?(?: and)?)? $"
)
"""Words before a name that say the same: "which supplies wire to Tesla"."""


_ANALYSTS: Final = word_set("analyst analysts economist economists strategist strategists team")
_OWN_FIGURES: Final = re.compile(
    r"\b(?:profits?|earnings|revenues?|results|net income|trading|lending|deposits|jobs|layoffs|bonus(?:es)?|staff|"
    r"bankers|dividends?|costs?)\b[^,;:.]*$",
    re.I,
)
_NETWORKS: Final = word_set("reddit facebook twitter youtube instagram whatsapp linkedin snapchat")
_UNLISTED: Final = word_set("x telegram tiktok discord bluesky threads")
"""Networks whose names link no company, beside which others are named."""
_GATHERING: Final = word_set(
    """
    forum forums post thread threads chat chats group groups page pages account message messages traders crowd army
    chatter rumour rumours rumor rumors favorite favourite poll
    """
)
"""What makes the name of a network only the place: "a Reddit forum"."""
_THEIR_CROWD: Final = re.compile(r" users (?:pile|drive|drove|push|bid|hype|talk|flock|swap|cheer|egg)\w*\b", re.I)
_TALKING: Final = re.compile(
    r"\b(?:investors?|traders?|people|post(?:s|ed|ing)?|wr(?:ote|ites)|sa(?:id|ys)|announc\w+|tweet\w*|rumou?rs?|viral|"
    r"talk\w*|chatter|buzz\w*|hyped?|memes?|squeeze|forums?|threads?|comments?|mention\w*|discuss\w*|shar(?:e|ed|ing)|"
    r"spread\w*|trend\w*|popular|crowd|fans|followers|videos?|clips?|livestream\w*|messages?|hoax)\b",
    re.I,
)
"""Words before "on Reddit" that say people talk there."""
_AIMED_AT: Final = word_set(
    """
    ruling decision verdict report pressure tax crackdown down curbs ban fine fines limits suit lawsuit bid bet bets
    bullish bearish cautious positive negative upbeat optimistic sour sours warm warms rating target outlook coverage
    view stance note ads advertising spend spending outage hearing vote law rules short long attack focus update
    estimates forecasts
    """
)
"""Words before "on Facebook" after which the company itself is meant."""


def quoted_house(context: Context, first: int, last: int) -> bool:
    """Whether a bank at these words is only the house whose opinion is reported."""
    after, before = context.at(last + 1), context.at(first - 1)
    if after.base in SUFFIXES:
        after = context.at(last + 2)
    ends = context.text[context.end(last) : context.end(last) + 3].strip()
    if before.text and not after.text:
        mark = context.between(first - 1).strip()
        if mark in (":", "-", "–", "—") or before.plain in ("by", "at", "to"):
            return True
    if before.plain in ("at", "by") and _RATING.search(context.text) and not _own_figures(context, first):
        return True
    if before.plain in _ANALYSTS:
        return True
    if after.plain in _HOUSE_OPINES and _OF_MARKETS.search(context.text):
        said = context.end(last)
        soon = len(context.text) if after.plain == "warns" else said + _SOON
        if not _OF_ITSELF.search(context.text, said, soon):
            return True
    if after.plain in ("upgraded", "downgraded") and context.next_plain(last + 1) in ("by", "at"):
        return False
    return after.plain in _HOUSE_SAYS and (bool(_RATING.search(context.text)) or ends == ":")


def _own_figures(context: Context, first: int) -> bool:
    """Whether what stands "at" or "by" the house is its own business: "profit rises at JPMorgan"."""
    if context.at(first - 2).plain in _ANALYSTS:
        return False
    at = context.starts[first]
    return _OWN_FIGURES.search(context.text, max(0, at - _SOON), at) is not None


def place_of_talk(context: Context, first: int, last: int) -> bool:
    """Whether a network at these words is only where people talk: "rumour spreads on Reddit", "a Facebook group"."""
    if context.words[first].plain not in _NETWORKS or first != last:
        return False
    if context.next_plain(last) in _GATHERING or _THEIR_CROWD.match(context.text, context.end(last)):
        return True
    before = context.previous_plain(first)
    if before == "&" and context.previous_plain(first - 1) in _NETWORKS | _UNLISTED:
        first -= 2
        before = context.previous_plain(first)
    if before == "via":
        return True
    if before not in ("on", "across") or context.at(first - 2).plain in _AIMED_AT:
        return False
    return _TALKING.search(context.text, 0, context.starts[first]) is not None


def judged(context: Context, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The same mentions with `about` and `beside` settled.

    The text is about what its headline names first; `beside` is a name that only describes somebody else.
    """
    decided = []
    first_end: int | None = None
    for mention in mentions:
        about = not mention.quoted and mention.start < context.title_end
        if about and first_end is not None:
            gap = context.text[first_end : mention.start]
            about = mention.how in ("cashtag", "exchange") or len(gap) < 24 or not re.search(r"[,;:]|\bas\b", gap)
        beside = not mention.quoted and _beside(context.text, mention)
        about = about and not beside
        if about:
            first_end = mention.end
        settled = mention.about == about and mention.beside == beside
        decided.append(mention if settled else replace(mention, about=about, beside=beside))
    return tuple(decided)


def _beside(text: str, mention: Mention) -> bool:
    if _BESIDE.match(text, mention.end):
        return True
    return _BESIDE_BEFORE.search(text, max(0, mention.start - 70), mention.start) is not None
