"""What a text says, reduced to what an edit must touch to matter to a trader.

An edit matters when it changes a number or a word of the title (typing errors apart), or withdraws or corrects the
text. White space, capitals, punctuation, "UPDATE 2-" labels, clock stamps and comment counts do not matter.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b

from feeds.models import Change

_LABEL = re.compile(
    r"^\s*(?:(?:update|wrapup|refile|breaking(?: news)?|live|watch|exclusive|just in|new)\s*\d*|updated?)\s*[-–—:|]+\s*"
    r"|\s*[(\[]\s*(?:updated?\s*\d*|live)(?:\s*[:,-]?\s*\d[^)\]]{0,30})?\s*[)\]]\s*$"
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_REVISED = re.compile(
    r"\b(?:last )?(?:updated|modified)(?: on| at)?\s*:?\s*"
    rf"(?:\d{{4}}-\d\d-\d\d(?:t[\d:.+z-]*)?|{_MONTH} \d{{1,2}},?(?: \d{{4}})?|\d{{1,2}} {_MONTH}(?: \d{{4}})?)"
)
_STAMP = re.compile(
    r"\b\d[\d,]*(?:(?<=\d)(?::\d\d){1,2}(?:\s?[ap]\.?m\b\.?)?"
    r"|\s+(?:(?:second|sec|minute|min|hour|hr|day)s?\s+ago|(?:comment|view|like|repl(?:y|ie)|upvote)s?)\b"
    r"|[\s-]min(?:ute)?s?\s+read\b)"
)
_UNIT = r"(?:%|percent|per cent|basis points|bps?|trillion|trn|billion|bln|bn|million|mln|mn|thousand|[kmb])"
_NUMBER = re.compile(rf"(\d+(?:[,.]\d+)*)\s?({_UNIT}(?![a-z]))?")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?%?$")
_PERCENT = re.compile(r"(?<=\d)\s?(?:percent|per cent)\b")
_UNIT_NAMES = {
    "percent": "%",
    "per cent": "%",
    "basis points": "bp",
    "bps": "bp",
    "trillion": "tn",
    "trn": "tn",
    "billion": "b",
    "bln": "b",
    "bn": "b",
    "million": "m",
    "mln": "m",
    "mn": "m",
    "thousand": "k",
}
_WORD = re.compile(r"\d+(?:[,.]\d+)*%?|[^\W\d_]+(?:['’][^\W\d_]+)*")
_SMALL_WORDS = frozenset(
    ("a", "an", "the", "of", "in", "on", "at", "to", "for", "and", "as", "by", "with", "from", "its")
)
_CHANGE_STEMS = (
    "withdr",
    "retract",
    "kill",
    "disregard",
    "delet",
    "remov",
    "correct",
    "refile",
    "errat",
    "clarif",
    "earlier",
)
"""A quick look before the patterns below: without one of these none of them matches."""
_WITHDRAWN = re.compile(
    r"^\W*(?:withdrawn|retracted|retraction|story withdrawn|killed|kill)\s*[-–—:|\])]"
    r"|\b(?:story|article|report|headline|alert|item|this release)\s+(?:has been |was |is )?"
    r"(?:withdrawn|retracted|removed|deleted)\b"
    r"|\bplease disregard\b|[(\[](?:withdrawn|retracted)[)\]]"
)
_CORRECTED = re.compile(
    r"^\W*(?:correct(?:ion|ed|s)|refile|erratum|clarification)\b\s*[-–—:|(\d]|[(\[](?:corrected|correction|corrects)\b"
    r"|\b(?:correct(?:s|ed) (?:headline|figure|paragraph|to (?:say|show|read))|an earlier version)\b"
)


def change_of(title: str, summary: str) -> Change:
    """What the text says of itself: "withdrawn", "corrected" or "" (says nothing)."""
    parts = [
        part for part in (title.casefold(), summary[:300].casefold()) if any(stem in part for stem in _CHANGE_STEMS)
    ]
    if any(_WITHDRAWN.search(part) for part in parts):
        return "withdrawn"
    if any(_CORRECTED.search(part) for part in parts):
        return "corrected"
    return ""


def numbers(text: str) -> frozenset[str]:
    """The numbers of a text with their unit, written one way: "3.1%", "25bp", "1500", "2b". Stamps are left out."""
    found = _NUMBER.findall(plain(text.casefold()))
    return frozenset(_one_way(figure) + _UNIT_NAMES.get(unit, unit) for figure, unit in found)


def plain(text: str) -> str:
    """Casefolded `text` without the labels, and without the stamps that change from poll to poll."""
    text = _LABEL.sub(" ", text)
    if "updated" in text or "modified" in text:
        text = _REVISED.sub(" ", text)
    return _STAMP.sub(" ", text)


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """The words and numbers of a title in order, in one case, without stamps, labels and small words."""
    text = plain(text.casefold())
    if "percent" in text or "per cent" in text:
        text = _PERCENT.sub("%", text)
    found = _WORD.findall(text)
    return tuple(_one_way(word) if "," in word else word for word in found if word not in _SMALL_WORDS)


def _one_way(figure: str) -> str:
    return figure.replace(",", "") if _THOUSANDS.match(figure) else figure


def digest(*parts: str) -> str:
    """A stable 16-digit hexadecimal name of the parts."""
    return blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def meaning_hash(title: str, summary: str) -> str:
    """Equal for two versions of a text whose numbers and whose word on itself (withdrawn, corrected) are the same.

    The words of the title are compared apart, by `same_title`, because typing errors need both versions.
    """
    figures = numbers(title) | numbers(summary)
    return digest(change_of(title, summary), *sorted(figures))


def same_title(old: str, new: str) -> bool:
    """Whether two titles say the same: equal words in the same order, up to repaired typing errors."""
    before, after = words(old), words(new)
    return before == after or (
        len(before) == len(after)
        and all(one == other or _typing_error(one, other) for one, other in zip(before, after, strict=True))
    )


def _typing_error(one: str, other: str) -> bool:
    """One letter added, dropped, changed or swapped with its neighbour in a longer word; never a number."""
    if min(len(one), len(other)) < 5 or one[0] != other[0] or not (one.isalpha() and other.isalpha()):
        return False
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1:
        return False
    start = next((i for i, letter in enumerate(one) if letter != other[i]), len(one))
    if len(one) < len(other):
        return one[start:] == other[start + 1 :]
    swapped = one[start + 1 : start + 2] + one[start : start + 1]
    return one[start + 1 :] == other[start + 1 :] or (
        swapped == other[start : start + 2] and one[start + 2 :] == other[start + 2 :]
    )
