"""Whether the words around a name make it a company: the traps "Target", "Gap", "Apple pie", "Shell companies".

A text in sentence case tells by capitals; in a headline in title case or capitals only the neighbours tell.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from feeds.symbols.data import WORD, plain, word_set

SUFFIXES: Final = word_set("inc corp corporation co plc ltd llc ag sa nv se company group holdings cos")
_DOES: Final = word_set(
    """
    declares declared reports reported beats beat misses missed announces announced announcing names named appoints
    appointed sees raises raised cuts lowers hikes signs signed acquires acquired buys bought sells sold completes
    completed completing launches launched launching wins won files filed sues sued says said expects expected posts
    posted unveils unveiled plans agrees agreed receives received gains gained falls fell rises rose jumps jumped
    soars soared slides slid slips slipped drops dropped tumbles tumbled plunges plunged surges surged climbs
    climbed rallies rallied slumps slumped sinks sank spikes dips edges recalls recalled warns warned halts suspends
    suspended resumes opens closes closing shuts expands expanded extends invests adds adding begins starts started
    lifts lifted boosts boosted trims trimmed slashes slashed halves doubles doubled mulls eyes acquire swings cut
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
    orders ordered loses lost defeats defeated grounds grounded fined lags lagged outperforms outperformed outpaces
    outpaced overtakes overtook outsells outsold undercuts trounces outranks outshines surpasses surpassed
    pilots engineers mechanics crew crews drivers staff union unions flight flights plant plants factory finance
    cloud baristas attendants cabin dealers dealer shoppers diners tellers refinery refineries ship ships showrooms
    pauses paused scraps scrapped abandons abandoned ditches ditched lands landed shelves shelved bets vows vowed urges
    denies denied apologises apologizes pledges pledged delays probed sacks sacked ousts ousted poaches taps tapped
    snaps strikes acquits appeals settles revives revived relaunches rebrands redesigns reopens reshuffles restates
    restructures retools revamps overhauls overhauled outlines licenses leases insists inks hands furloughs
    exits exited divests divested discloses disclosed debuts curbs courts commits chooses chases borrows blames
    axes axed avoids averts automates attracts amends allocates accelerates
    """
)
_ACTED_ON: Final = word_set(
    """
    fines fined sues sued accuses accused investigates investigated penalises penalizes probes charges
    orders ordered clears cleared
    """
)
"""What courts and watchdogs do to a company, its name next: "fines Meta 798 million euros", "sues Target over data"."""
_FOLLOWS: Final = word_set("over for to of after with on and &")
"""What may follow the name of one who was acted on."""
_BEFORE: Final = word_set(
    """
    shares stock of at by from with and & like including giant maker chain retailer airline carrier bank firm
    company group automaker carmaker drugmaker chipmaker insurer lender owner parent rival unit buy buys sell
    acquire acquires upgrades downgrades initiates on versus vs against joins via backs sues buying why is
    can will does do are has how what when after as if while could should but shareholder investor trader brand
    supplier customer partner competitor startup broker builder miner tech software oil media automakers retailers
    """
)
_ITS: Final = word_set(
    """
    inc corp corporation plc ltd shares stock stocks earnings profit profits revenue revenues sales results quarterly
    dividend eps gaap non q1 q2 q3 q4 fy h1 h2 ipo buyback outlook guidance beats misses posts downgraded upgraded
    foods group shareholders investors grows expands recalls
    """
)
"""What only a company has: a person of the same name says and wins things too."""
_SMALL: Final = word_set("& com of the for in on at by de la del du und von")
_PARTED: Final = re.compile(r"[,;:/()–—]| - ")
_TOKEN: Final = re.compile(rf"(https?://\S+|[#@]\w+)|({WORD.pattern})")
"""Links, hash tags and handles, which are stepped over; words."""
_TO_DO: Final = word_set(
    """
    acquire buy sell report announce release merge present host build cut pay launch close open raise join invest
    issue spin replace supply expand hire lay use start begin offer create restate pull recall shut partner
    collaborate float list demerge delist
    """
)
_PRICED: Final = word_set("ipo offering public upsized senior notes private initial secondary debt convertible shares")
"""What a company prices; of "core prices" nobody is the company."""
_ACRONYMS: Final = word_set("ceo cfo coo cto eps gaap ipo ebitda q1 q2 q3 q4 fy fy22 fy23 h1 h2 pt us s")


class Word(NamedTuple):
    """A word of texts. `plain` is its compared form, `base` the same without a possessive; `proper` starts a name."""

    text: str
    plain: str
    base: str
    proper: bool


class Context:
    """One text cut into words, with the questions the resolver asks about the surroundings of a name."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._parts = _TOKEN.split(text)
        self.words: list[Word] = [_word(word) for word in self._parts[2::3] if word]
        newline = text.find("\n")
        self.title_end = newline if newline >= 0 else len(text)

    @cached_property
    def starts(self) -> list[int]:
        """Where each word begins."""
        starts, at = [], 0
        for place, part in enumerate(self._parts):
            if part and place % 3 == 2:
                starts.append(at)
            at += len(part or "")
        return starts

    def end(self, position: int) -> int:
        """Where a word ends."""
        return self.starts[position] + len(self.words[position].text)

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
        return self.at(position + 1).plain

    def previous_plain(self, position: int) -> str:
        return self.at(position - 1).plain

    def capitalised(self, position: int, length: int) -> bool:
        """Whether all the words of a longer name are written as a name."""
        parts = self.words[position : position + length]
        return all(word.proper or word.plain in _SMALL for word in parts)

    def company_like(self, position: int, *, person: bool = False) -> bool:
        """Whether a one-word name that is also an ordinary word, a place or a `person` is the company here."""
        word, after, before = self.words[position], self.at(position + 1), self._joined_before(position)
        if after.base in SUFFIXES and (after.proper or after.base in ("plc", "ag", "se", "nv")):
            return True
        if after.plain == "to" and self.next_plain(position + 1) in _TO_DO:
            return True
        if person:
            return after.plain in _ITS and not before.proper
        if before.plain in ("the", "a", "an"):
            return False
        if after.plain == "prices":
            return self.next_plain(position + 1) in _PRICED
        if before.plain in _ACTED_ON and (after.text[:1].isdigit() or after.plain in _FOLLOWS or not after.text):
            return True
        between = self.between(position) if after.text else ""
        if word.base != word.plain and not self._upper:
            return not (before.proper and self._inside(position - 1))
        starts = self._starts(position)
        if self._upper:
            return False
        if starts and ":" in between and self._title:
            return True
        if after.plain in _DOES and between.strip() in ("", "-", "("):
            counted = before.text[:1].isdigit()
            return counted or not before.proper or starts or before.base in _BEFORE or self._title
        if self._title:
            return before.plain in ("on", "at", "upgrades", "downgrades", "of") and after.text == ""
        if starts:
            end = self.end(position)
            return bool(re.match(r"\s*(?:,|-?\d|\(|[-–]\s?\d)", self.text[end : end + 4]))
        touching = between.strip(" ") == ""
        if after.proper and touching and after.plain not in _ACRONYMS:
            return False
        return not (before.proper and self._inside(position - 1) and before.plain not in _BEFORE)

    def _joined_before(self, position: int) -> Word:
        """The word before, unless a comma, a dash or a possessive parts the two."""
        before = self.at(position - 1)
        parted = position > 0 and (before.base != before.plain or _PARTED.search(self.between(position - 1)))
        return _NOTHING if parted else before

    def between(self, position: int) -> str:
        """What stands between a word and the next."""
        return self.text[self.end(position) : self.starts[position + 1]]

    def at(self, position: int) -> Word:
        """The word at a position; nothing outside the text."""
        return self.words[position] if 0 <= position < len(self.words) else _NOTHING

    def _starts(self, position: int) -> bool:
        """Whether the word opens a sentence, where a capital says nothing."""
        if position == 0:
            return True
        return bool(re.search(r"[.!?:\n“\"‘*]", self.between(position - 1)))

    def _inside(self, position: int) -> bool:
        """Whether the word stands inside a sentence, so that its capital makes it part of a name."""
        return position >= 0 and not self._starts(position) and self.at(position).text[:1].isupper()


@lru_cache(maxsize=16384)
def _word(text: str) -> Word:
    """One object for all places of a word; the words of news repeat."""
    low = text.lower().replace("’", "'")
    base = low[:-2] if low.endswith("'s") else low[:-1] if low.endswith("'") else low
    proper = text[:1].isupper() or text[:1].isdigit() or any(letter.isupper() for letter in text)
    return Word(text, plain(text), plain(base), proper)


_NOTHING: Final = Word("", "", "", False)
