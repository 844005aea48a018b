"""Whether the words around a name make it a company: the traps "Target", "Gap", "Apple pie", "Shell companies".

A text in sentence case tells by capitals; in a headline in title case or capitals only the neighbours tell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from feeds.symbols.data import WORD, plain, word_set

if TYPE_CHECKING:
    from feeds.symbols.matching import Mention

_SUFFIXES: Final = word_set("inc corp corporation co plc ltd llc ag sa nv se company group holdings cos")
_DOES: Final = word_set(
    """
    declares declared reports reported beats beat misses missed announces announced announcing names named appoints
    appointed sees raises raised cuts lowers hikes signs signed acquires acquired buys bought sells sold completes
    completed completing launches launched launching wins won files filed sues sued says said expects expected posts
    posted unveils unveiled plans agrees agreed receives received gains gained falls fell rises rose jumps jumped
    soars soared slides slid slips slipped drops dropped tumbles tumbled plunges plunged surges surged climbs
    climbed rallies rallied slumps slumped sinks sank spikes dips edges recalls recalled warns warned halts suspends
    suspended resumes opens closes closing shuts expands expanded extends invests adds adding begins starts started
    joins partners teams introduces introduced pays paid settles settled faces faced hires hired fires lays
    reaffirms grows grew cancels cancelled withdraws withdrew guides forecasts forecast projects delivers delivered
    ships makes made
    takes took gets got tops topped trails shares stock stocks earnings profit revenue sales results quarterly
    dividend eps gaap non ceo cfo coo chief chairman executive boss founder investors shareholders employees workers
    stores unit division subsidiary q1 q2 q3 q4 fy h1 h2 downgraded upgraded initiated slotted reinstated awarded
    secures secured priced confirms confirmed goes implements implemented rejects rejected seeks sought
    considers weighs weighing exploring explores nears reaches reached will could would might construct has
    is was offers offered stops ends owner parent rival supplier maker store alongside updates reiterates ipo debt bonds
    deal bid merger takeover board launch spin buyback outlook guidance preview downgrade upgrade
    """
)
_BEFORE: Final = word_set(
    """
    shares stock of at by from with and & like including giant maker chain retailer airline carrier bank firm
    company group automaker carmaker drugmaker chipmaker insurer lender owner parent rival unit buy buys sell
    acquire acquires upgrades downgrades initiates on versus vs against joins via backs sues buying why is
    """
)
_HOUSE_SAYS: Final = word_set(
    """
    says said sees expects cuts raises lowers boosts trims upgrades downgrades initiates reiterates maintains starts
    recommends analyst analysts economist economists strategist strategists lifts adjusts reaffirms warns
    recommended forecasts predicts now downgraded upgraded likes thinks estimates advises research
    """
)
_RATING: Final = re.compile(
    r"\b(?:PT|price targets?|downgrad|upgrad|overweight|underweight|outperform|underperform|neutral|initiat|rating|"
    r"is cut|analysts?|economists?|strategists?|recommend|straddles|sector perform|buy rating|forecasts?|"
    r"recession|inflation|rate (?:cut|hike)s?)",
    re.I,
)
_TOKEN: Final = re.compile(rf"https?://\S+|[#@]\w+|(?P<word>{WORD.pattern})")
"""Words, stepping over links, hash tags and handles."""
_TO_DO: Final = word_set(
    """
    acquire buy sell report announce release merge present host build cut pay launch close open raise join invest
    issue spin replace supply expand hire lay use start begin offer create restate pull recall shut partner
    collaborate
    """
)
_PRICED: Final = word_set("ipo offering public upsized senior notes private initial secondary debt convertible shares")
"""What a company prices; of "core prices" nobody is the company."""
_BESIDE: Final = re.compile(
    r"(?:['’]s)?[- ](?:\w+ )?(?:suppliers?|rivals?|backers?|backed|partners?|customers?|competitors?|veteran|alumni)\b"
    r"|[- ](?:\([A-Z]+\) )?(?:[A-Z]?\d\S* )?(?:jets?|planes|aircraft|orders?)\b"
)
"""What makes a name only describe somebody else: "Apple supplier Velda"."""
_BESIDE_BEFORE: Final = re.compile(
    r"\b(?:suppl(?:y|ies|ied|ier) (?:[\w ]{0,30})?(?:to|for)|positions? in|holdings? in|(?:contract|order)s? (?:by|"
    r"from|with)|(?:sell|sold) itself to|(?:rival|competitor|customer|partner|unit|subsidiary|backer)s? (?:of|"
    r"to))(?: [A-Z]\w+(?: Co| SE| Inc| Corp)?,?(?: and)?)? $"
)
"""Words before a name that say the same: "which supplies wire to Tesla"."""
_ACRONYMS: Final = word_set("ceo cfo coo cto eps gaap ipo ebitda q1 q2 q3 q4 fy fy22 fy23 h1 h2 pt us s")


class Word(NamedTuple):
    """A word of a text. `plain` is its compared form, `base` the same without a possessive; `proper` starts a name."""

    text: str
    start: int
    end: int
    plain: str
    base: str
    proper: bool


class Context:
    """One text cut into words, with the questions the resolver asks about the surroundings of a name."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words: tuple[Word, ...] = tuple(_word(match) for match in _TOKEN.finditer(text) if match.lastgroup)
        newline = text.find("\n")
        self._title_end = newline if newline >= 0 else len(text)

    @cached_property
    def _letters(self) -> list[str]:
        """The longer words, from whose capitals the style of the text is told."""
        return [word.text for word in self.words if len(word.text) > 3 and word.text[0].isalpha()]

    @cached_property
    def _upper(self) -> bool:
        """Whether the text is written in capitals."""
        return bool(self._letters) and sum(map(str.isupper, self._letters)) > 0.7 * len(self._letters)

    @cached_property
    def _title(self) -> bool:
        """Whether the text is written in title case."""
        capitals = sum(word[0].isupper() for word in self._letters)
        return len(self._letters) > 2 and capitals > 0.72 * len(self._letters)

    def next_plain(self, position: int) -> str:
        return self._at(position + 1).plain

    def previous_plain(self, position: int) -> str:
        return self._at(position - 1).plain

    def capitalised(self, position: int, length: int) -> bool:
        """Whether all the words of a longer name are written as a name."""
        parts = self.words[position : position + length]
        return sum(word.proper for word in parts if len(word.plain) > 3) >= sum(len(w.plain) > 3 for w in parts)

    def company_like(self, position: int) -> bool:
        """Whether a one-word name that is also an ordinary word, person or place is the company here."""
        word, after, before = self.words[position], self._at(position + 1), self._at(position - 1)
        if after.base in _SUFFIXES and (after.proper or after.base in ("plc", "ag", "se", "nv")):
            return True
        if after.plain == "to" and self.next_plain(position + 1) in _TO_DO:
            return True
        if before.plain in ("the", "a", "an"):
            return False
        if after.plain == "prices":
            return self.next_plain(position + 1) in _PRICED
        between = self.text[word.end : after.start] if after.text else ""
        if word.base != word.plain and not self._upper:
            return not (before.proper and self._inside(position - 1))
        starts = self._starts(position)
        if self._upper:
            return False
        if starts and ":" in between and self._title:
            return True
        if after.plain in _DOES and between.strip() in ("", "-", "("):
            return not (before.proper and not starts and before.base not in _BEFORE) or self._title
        if self._title:
            return before.plain in ("on", "at", "upgrades", "downgrades", "of") and after.text == ""
        if starts:
            return bool(re.match(r"\s*(?:,|-?\d|\(|[-–]\s?\d)", self.text[word.end : word.end + 4]))
        touching = between.strip(" ") == ""
        if after.proper and touching and after.plain not in _ACRONYMS:
            return False
        return not (before.proper and self._inside(position - 1) and before.plain not in _BEFORE)

    def quoted_house(self, first: int, last: int) -> bool:
        """Whether a bank at these words is only the house whose opinion is reported."""
        after, before = self._at(last + 1), self._at(first - 1)
        if after.base in _SUFFIXES:
            after = self._at(last + 2)
        ends = self.text[self.words[last].end : self.words[last].end + 3].strip()
        if before.text and not after.text:
            mark = self.text[before.end : self.words[first].start].strip()
            if mark in (":", "-", "–", "—") or before.plain in ("by", "at", "to"):
                return True
        if before.plain in ("at", "by") and _RATING.search(self.text):
            return True
        if before.plain in ("analyst", "analysts", "economist", "economists", "&") and before.plain != "&":
            return True
        return after.plain in _HOUSE_SAYS and (bool(_RATING.search(self.text)) or ends == ":")

    def judged(self, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """The same mentions with `about` and `beside` settled.

        The text is about what its headline names first; `beside` is a name that only describes somebody else.
        """
        decided = []
        first_end: int | None = None
        for mention in mentions:
            about = not mention.quoted and mention.start < self._title_end
            if about and first_end is not None:
                gap = self.text[first_end : mention.start]
                about = mention.how in ("cashtag", "exchange") or len(gap) < 24 or not re.search(r"[,;:]|\bas\b", gap)
            beside = not mention.quoted and self._beside(mention)
            about = about and not beside
            if about:
                first_end = mention.end
            decided.append(replace(mention, about=about, beside=beside))
        return tuple(decided)

    def _beside(self, mention: Mention) -> bool:
        if _BESIDE.match(self.text, mention.end):
            return True
        return _BESIDE_BEFORE.search(self.text, max(0, mention.start - 70), mention.start) is not None

    def _at(self, position: int) -> Word:
        return self.words[position] if 0 <= position < len(self.words) else _NOTHING

    def _starts(self, position: int) -> bool:
        """Whether the word opens a sentence, where a capital says nothing."""
        if position == 0:
            return True
        between = self.text[self.words[position - 1].end : self.words[position].start]
        return bool(re.search(r"[.!?:\n“\"‘*]", between))

    def _inside(self, position: int) -> bool:
        """Whether the word stands inside a sentence, so that its capital makes it part of a name."""
        return position >= 0 and not self._starts(position) and self._at(position).text[:1].isupper()


def _word(match: re.Match[str]) -> Word:
    text = match.group()
    start = match.start()
    return Word(text, start, start + len(text), *_forms(text))


@lru_cache(maxsize=16384)
def _forms(text: str) -> tuple[str, str, bool]:
    """The compared form of a word, the same without a possessive, and whether it starts a name. The words repeat."""
    low = text.lower().replace("’", "'")
    base = low[:-2] if low.endswith("'s") else low[:-1] if low.endswith("'") else low
    proper = text[:1].isupper() or text[:1].isdigit() or any(letter.isupper() for letter in text)
    return plain(text), plain(base), proper


_NOTHING: Final = Word("", 0, 0, "", "", False)
