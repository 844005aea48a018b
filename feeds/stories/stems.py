"""One form of a word, however it is bent: cut, cuts, cutting."""

from __future__ import annotations

from functools import lru_cache

# fmt: off
_IRREGULAR = {
    "sank": "sink", "sunk": "sink", "fell": "fall", "fallen": "fall", "rose": "rise", "risen": "rise",
    "held": "hold", "bought": "buy", "sold": "sell", "kept": "keep", "won": "win", "lost": "lose",
    "grew": "grow", "sought": "seek", "left": "leave", "shrank": "shrink", "shrunk": "shrink",
    "halves": "halve", "began": "begin", "taken": "take", "took": "take", "frozen": "freeze", "froze": "freeze",
    "struck": "strike", "sues": "sue", "sued": "sue", "suing": "sue", "rating": "grade", "ratings": "grade",
    "led": "lead", "denied": "deny", "denies": "deny", "stood": "stand", "withdrew": "withdraw",
}
# fmt: on


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """The stem of a casefolded word: crude, no dictionary form, but the same for a lexicon and for a headline."""
    word = _IRREGULAR.get(word, word)
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 5 and word.endswith("ing"):
        word = word[:-3]
    elif len(word) > 4 and word.endswith(("ed", "shes", "ches", "xes", "sses", "zes")):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 2 and word[-1] == word[-2]:
        word = word[:-1]
    return word
