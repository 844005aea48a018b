"""One pass over the words of a text that tells which of the many patterns can match at all.

A watched pattern names stems, one of which its text must hold, and perhaps a second list, one of which it must hold
too. All of them stand in one table; a text is cut into words once, and a pattern whose stems are not there is not
tried. A stem is the beginning of a word; ending in a space it is a whole word; of two words it is both, one after the
other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+|[^\s\w]")
_HEAD: Final = 7
"""Letters of a stem that are compared."""
_REMEMBERED: Final = 20_000
"""Words whose patterns are kept; the words of news repeat."""
_LEAD: Final = 180
"""Characters of a summary that can hold the lead, which ends with its first sentence."""
_SENTENCE: Final = re.compile(r"(?<![A-Z])[.!?] ")

_LETTERS: Final = re.compile(r"(?<!\\)[A-Z]+")
"""Letters of a pattern that are no escape."""
_OTHER_CASES: Final = re.compile("[\u0130\u0131\u017f]")
"""Letters that match others than their small form where case is ignored."""

_starts: dict[str, int] = {}
_whole: dict[str, int] = {}
_pairs: dict[str, list[tuple[str, int]]] = {}
_masks: dict[str, int] = {}
_count = 0


@dataclass(slots=True, eq=False)
class Watched:
    """A pattern that is tried only where one of its stems stands, and one of its further stems where it has any.

    `bit` and `also` are the places of the two lists in the table. `low` is a pattern that ignores case, in small
    letters and minding case, made when first asked for: it finds the place in a lowered text at a third of the cost.
    """

    regex: re.Pattern[str]
    bit: int
    also: int = 0
    low: re.Pattern[str] | None = None

    def search(self, text: str, low: str, end: int) -> re.Match[str] | None:
        """The first match in `text` before `end`; `low` is the text in small letters, "" where case is not simple."""
        if not low or not self.regex.flags & re.IGNORECASE:
            return self.regex.search(text, 0, end)
        if self.low is None:
            self.low = _lowered(self.regex)
        found = self.low.search(low, 0, end)
        return self.regex.match(text, found.start(), end) if found else None


def watched(regex: re.Pattern[str] | str, stems: str | Iterable[str], also: str | Iterable[str] = ()) -> Watched:
    """Enters a pattern into the table. A text is a list of stems without spaces, "=" before the whole words."""
    compiled = re.compile(regex) if isinstance(regex, str) else regex
    return Watched(compiled, _place(stems), _place(also) if also else 0)


def _lowered(regex: re.Pattern[str]) -> re.Pattern[str]:
    return re.compile(_LETTERS.sub(lambda part: part[0].lower(), regex.pattern), regex.flags & ~re.IGNORECASE)


def _place(stems: str | Iterable[str]) -> int:
    """The bit of a new list of stems."""
    global _count
    if isinstance(stems, str):
        stems = [f"{stem[1:]} " if stem[0] == "=" else stem for stem in stems.split()]
    bit = 1 << _count
    _count += 1
    for stem in stems:
        _enter(stem.lower(), bit)
    _masks.clear()
    return bit


def _enter(stem: str, bit: int) -> None:
    words = [word for word in _WORD.findall(stem) if word != "-"] or ["-"]
    if len(words) > 1:
        _pairs.setdefault(words[0], []).append((words[1], bit))
    elif stem.endswith(" "):
        _whole[words[0]] = _whole.get(words[0], 0) | bit
    else:
        head = words[0][:_HEAD]
        _starts[head] = _starts.get(head, 0) | bit


def word_list(text: str, flags: int = re.IGNORECASE) -> Watched:
    """A pattern of whole words: "sue sues investigat*", a star standing for any ending, "_" for a space."""
    words = [word.replace("_", " ") for word in text.split()]
    parts = [re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", "[- ]") for word in words]
    stems = [word.rstrip("*") if word.endswith("*") or " " in word else f"{word} " for word in words]
    return watched(re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)", flags), stems)


class Scan:
    """A text with the patterns that can match in its title, in its lead (the title and one sentence) and anywhere."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._low = "" if _OTHER_CASES.search(text) else text.lower()
        newline = text.find("\n")
        self.title_end = newline if newline >= 0 else len(text)
        sentence = _SENTENCE.search(text, self.title_end, self.title_end + _LEAD)
        self.lead_end = sentence.start() + 1 if sentence else min(len(text), self.title_end + _LEAD)
        self._in_title = _mask(text[: self.title_end])
        self._in_lead = self._in_title
        if self.lead_end > self.title_end:
            self._in_lead |= _mask(text[self.title_end : self.lead_end])
        self._anywhere = self._in_lead
        if len(text) > self.lead_end:
            self._anywhere |= _mask(text[self.lead_end :])

    def search(self, pattern: Watched) -> re.Match[str] | None:
        """The first match in the text."""
        return pattern.search(self.text, self._low, len(self.text)) if _may_match(pattern, self._anywhere) else None

    def in_lead(self, pattern: Watched) -> re.Match[str] | None:
        """The first match in the title or the first sentence after it."""
        return pattern.search(self.text, self._low, self.lead_end) if _may_match(pattern, self._in_lead) else None

    def in_title(self, pattern: Watched) -> re.Match[str] | None:
        """The first match in the title."""
        return pattern.search(self.text, self._low, self.title_end) if _may_match(pattern, self._in_title) else None

    def holds(self, pattern: Watched) -> bool:
        """Whether a stem of the pattern stands anywhere in the text."""
        return _may_match(pattern, self._anywhere)


def scan_of(text: str | Scan) -> Scan:
    """The scan of a text, or the scan itself."""
    return text if isinstance(text, Scan) else Scan(text)


def _may_match(pattern: Watched, mask: int) -> bool:
    return bool(pattern.bit & mask) and (not pattern.also or bool(pattern.also & mask))


def _mask(text: str) -> int:
    """The bits of all patterns that have a stem in the text."""
    words = _WORD.findall(text.lower())
    mask = 0
    distinct = set(words)
    for word in distinct:
        known = _masks.get(word)
        mask |= _of_word(word) if known is None else known
    if _pairs.keys().isdisjoint(distinct):
        return mask
    for word, following in pairwise(word for word in words if word != "-"):
        for second, bit in _pairs.get(word, ()):
            if following.startswith(second):
                mask |= bit
    return mask


def _of_word(word: str) -> int:
    mask = _whole.get(word, 0)
    for length in range(1, min(len(word), _HEAD) + 1):
        mask |= _starts.get(word[:length], 0)
    if len(_masks) >= _REMEMBERED:
        _masks.clear()
    _masks[word] = mask
    return mask
