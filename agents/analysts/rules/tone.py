"""The tone of a text for the company it is about, -1 (bad) to 1 (good), with the words that made it.

Finance has its own scale: a falling loss is good, rising costs are bad, and "to 8.2 from 5.1" is a rise without a verb.
"""

from __future__ import annotations

import re
from typing import Final

from feeds.symbols.data import word_set

_WORD: Final = re.compile(r"[a-z][a-z'’-]*|\d+(?:[.,]\d+)*%?|[.;!?]")
_UP: Final = word_set(
    """
    rise rises rose risen rising up increase increases increased increasing grow grows grew growing grown growth
    jump jumps jumped climb climbs climbed gain gains gained higher expand expands expanded doubled doubles triple
    tripled improve improves improved improving improvement surge surges surged soar soars soared advance advances
    advanced widen widens widened strengthen strengthened accelerated recover recovered recovers rebound rebounds
    rebounded rally rallies rallied hike hikes hiked boost boosts boosted lift lifts lifted raise raises raised
    exceeded outperform upgrade upgraded upgrades tops topped
    """
)
_DOWN: Final = word_set(
    """
    fall falls fell fallen falling down decrease decreases decreased decreasing decline declines declined declining
    drop drops dropped slip slips slipped slid slide slides lower lowered lowers sink sinks sank slump slumps
    slumped shrink shrank shrinks plunge plunges plunged tumble tumbles tumbled narrow narrows narrowed contract
    contracted weaken weakened weakens weaker worsen worsened cut cuts cutting reduce reduces reduced halved dip
    dips dipped crash crashed collapse collapsed plummet plummeted downgrade downgraded downgrades slash slashed
    slashes ease eased eases dived sag sagged
    """
)
_BAD_THING: Final = word_set(
    """
    loss losses cost costs debt debts expense expenses unemployment deficit deficits claims inflation impairment
    writedown provisions charges delays defaults bankruptcies layoffs complaints
    """
)
_GOOD: Final[dict[str, float]] = dict.fromkeys(
    word_set(
        """
        profit-making strong stronger strongest record best win wins won winning success successful successfully
        positive benefit benefits approval approved approves approve secures secured awarded award beat beats
        beating upbeat bullish buy outperforms agreement agreed partnership launch launches launched breakthrough
        profitable opportunity optimistic confident boosting upside rebounding milestone innovative leading resumes
        resume solid robust efficient savings backs backed long undervalued breakout cheap overweight rewards reward
        accretive demand growth-oriented attractive improve thrives ahead healthy favorable good great better bull
        calls expanding support supports supported expansion contract order orders selected pleased satisfied
        strengthening synergies
        """
    ),
    0.5,
) | {
    "record": 0.7,
    "beats": 0.8,
    "beat": 0.8,
    "wins": 0.7,
    "won": 0.7,
    "bullish": 0.9,
    "launch": 0.25,
    "launches": 0.25,
    "launched": 0.25,
    "contract": 0.35,
    "order": 0.35,
    "orders": 0.35,
    "agreement": 0.25,
    "agreed": 0.25,
    "buy": 0.4,
    "long": 0.4,
    "good": 0.3,
    "demand": 0.2,
    "ahead": 0.2,
    "better": 0.5,
    "leading": 0.25,
    "support": 0.25,
    "positive": 0.7,
    "calls": 0.3,
    "award": 0.4,
    "awarded": 0.5,
    "high": 0.3,
    "highs": 0.5,
}
_BAD: Final[dict[str, float]] = dict.fromkeys(
    word_set(
        """
        weak warn warns warned warning miss misses missed disappointing disappoints disappoint bankruptcy bankrupt
        insolvency fraud probe probes investigation lawsuit sued sues fine fined fines penalty recall recalls
        recalled halt halts halted suspend suspends suspended delay delayed layoff layoffs redundancies scandal
        crisis bearish sell short underperform underweight threat threatens risk risks fear fears concern concerns
        trouble struggling struggles hit hurt hurts negative unprofitable shortage strike strikes default defaults
        ban banned bans sanctions tariffs slowdown slow slower worst worse bad poor loss losses lose loses lost fail
        fails failed failure downbeat overvalued bleak pressure dispute closure close closes shut axe axed resign
        resigns quits ousted breach hack hacked fire crash crashes accident blow backlash scrutiny turmoil woes
        writedown impairment dispose damage damages injured killed dismal painful terminated abandons
        """
    ),
    0.6,
) | {
    "bankruptcy": 1.2,
    "fraud": 1.2,
    "short": 0.6,
    "close": 0.15,
    "closes": 0.15,
    "fire": 0.3,
    "risk": 0.3,
    "risks": 0.4,
    "sell": 0.35,
    "loss": 0.6,
    "hit": 0.3,
    "bearish": 0.9,
    "plunge": 1.0,
    "low": 0.2,
    "warns": 0.8,
    "warning": 0.8,
    "misses": 0.8,
    "missed": 0.8,
    "slow": 0.4,
    "pressure": 0.4,
    "strike": 0.4,
}
_STRONG: Final = word_set(
    """
    surge surges surged soar soars soared plunge plunges plunged tumble tumbles tumbled slump slumps slumped crash
    crashed collapse collapsed plummet plummeted slash slashed jump jumps jumped doubled tripled rally rallies
    rallied sank sinks
    """
)
_NOT: Final = word_set(
    """
    not no never without nor denies denied cannot can't won't isn't doesn't don't didn't wasn't fails failed fail
    avoid avoids avoided
    """
)
_FROM: Final = re.compile(
    r"(\d[\d,]*(?:\.\d+)?)\s?(?:%|percent|mn|mln|m|million|bn|billion)?[^.;]{0,40}?\b(?:from|compared (?:to|with)|"
    r"versus|vs\.?|against|while)\b[^.;]{0,60}?(\d[\d,]*(?:\.\d+)?)",
    re.I,
)


def tone(text: str) -> tuple[float, tuple[str, ...]]:
    """The tone and up to five words that weighed most."""
    words = _WORD.findall(text.lower())
    parts: list[tuple[float, str]] = []
    for place, word in enumerate(words):
        weight = _weight(word, words, place)
        if weight and any(before in _NOT for before in words[max(0, place - 3) : place]):
            weight *= -0.7
        if weight:
            parts.append((weight, word))
    if not any(word in _UP or word in _DOWN for _, word in parts):
        change = _comparison(text)
        if change:
            parts.append(change)
    total = sum(weight for weight, _ in parts)
    parts.sort(key=lambda part: (-abs(part[0]), part[1]))
    return round(total / (1.0 + abs(total)), 2), tuple(word for _, word in parts[:5])


def _weight(word: str, words: list[str], place: int) -> float:
    direction = (word in _UP) - (word in _DOWN)
    if direction:
        near = [*words[max(0, place - 5) : place], *words[place + 1 : place + 4]]
        bad = any(other in _BAD_THING for other in near)
        return direction * (-0.8 if bad else 0.8) * (1.4 if word in _STRONG else 1.0)
    if word in _BAD_THING:
        near = [*words[max(0, place - 4) : place], *words[place + 1 : place + 6]]
        if any(other in _UP or other in _DOWN for other in near):
            return 0.0
    return _GOOD.get(word, 0.0) - _BAD.get(word, 0.0)


def _comparison(text: str) -> tuple[float, str] | None:
    """ "EUR 8.2 mn, compared to EUR 5.1 mn": a rise, or a fall where the thing is a loss."""
    match = _FROM.search(text)
    if match is None:
        return None
    now, before = (float(number.replace(",", "")) for number in match.groups())
    if now == before or 1900 < now < 2100 or 1900 < before < 2100:
        return None
    bad = bool(re.search(r"\b(?:loss|costs?|expenses|negative)\b", text[: match.end()], re.I))
    return (0.8 if (now > before) is not bad else -0.8), match.group()[:40]
