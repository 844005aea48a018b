"""The lexicon of headlines, ready to be looked up by the first word of a phrase."""

from __future__ import annotations

import re
from collections.abc import Iterable

from feeds.stories import lexicon
from feeds.stories.stems import stem

_PHRASE_WORD = re.compile(r"[^\W_]+(?:[&+'][^\W_]+|\+)*")
WEEKDAYS = frozenset(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"))


def _entries(text: str) -> Iterable[tuple[str, tuple[str, ...]]]:
    """The (name, phrase) pairs of a lexicon list; the name is empty where the list has none."""
    for line in text.strip().replace("\n ", " ").splitlines():
        name, _, phrases = line.rpartition(":")
        for phrase in phrases.split(","):
            yield name, tuple(_PHRASE_WORD.findall(phrase.casefold()))


def _flat(text: str) -> frozenset[str]:
    return frozenset(word for _, phrase in _entries(text) for word in phrase)


_Phrase = tuple[tuple[str, ...], str, str]


def _table(*lists: tuple[str, str], literal: bool = False) -> dict[str, list[_Phrase]]:
    """Phrases by their first word, the longest first, each with the kind and the name it stands for."""
    table: dict[str, list[_Phrase]] = {}
    for kind, text in lists:
        for name, phrase in _entries(text):
            key = phrase if literal else tuple(map(stem, phrase))
            table.setdefault(key[0], []).append((key, kind, name))
    for phrases in table.values():
        phrases.sort(key=lambda entry: -len(entry[0]))
    return table


NAMES = _table(("place", lexicon.PLACES), ("agency", lexicon.AGENCIES), ("name", lexicon.COMPANIES), literal=True)
SENSES = _table(
    ("event", lexicon.EVENTS),
    ("stage", lexicon.STAGES),
    ("object", lexicon.OBJECTS),
    ("same", lexicon.SAME),
    ("goods", lexicon.GOODS),
    ("down", lexicon.DOWN),
    ("up", lexicon.UP),
    ("hold", lexicon.HOLD),
    ("stop", lexicon.STOP),
    ("banned", lexicon.BANNED),
    ("trading", "trading"),
    ("halt", "halt, suspend"),
    ("office", lexicon.OFFICES),
    ("leave", lexicon.LEAVE),
    ("move", lexicon.MOVES),
    ("market", lexicon.MARKETS),
    ("preview", lexicon.PREVIEW),
)
SEAT = {agency: place for place, phrase in _entries(lexicon.SEATED) for agency in [" ".join(phrase)]}
"""The country or union of an agency."""

SMALL = _flat(lexicon.SMALL)
MONTHS = _flat(lexicon.DATES)
COMMON = frozenset(map(stem, _flat(lexicon.COMMON) | MONTHS | WEEKDAYS)) | frozenset(SENSES)
