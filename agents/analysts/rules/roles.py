"""Which way an item pushes each company it names: what the company does there, or what is done to it.

A sentence about two companies is rarely good for both: who sues and who is sued, who buys and what is bought, who wins
the order and who loses it. First a move of the company's own shares decides, then its role in a statement, then what
is stated in its own part of the text. The patterns are data (`roles.toml`); where none matches nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, cast

from agents.analysts.rules.events import data
from agents.analysts.rules.scan import Scan, Watched, watched
from agents.models import Direction
from feeds.symbols.table import Mention

BUYER: Final = "the buyer"
"""Its own shares move less than those of what it buys."""
_JOINED: Final = re.compile(r"\s*(?:,|&|/|,? and|,? or)?\s*")
"""What stands between names that do or suffer the same."""
_AFTER_NAME: Final = re.compile(r"(?!\w)(?:['’]s?(?!\w))?(?: \([^)]{1,20}\))?")
_WORD_ENDS: Final = re.compile(r"(?<=\w)")
_PART: Final = re.compile(
    r"[;:\n]|, |\. | - | — | – |(?<=\s)(?:as|while|after|but|yet|despite|although|though|amid|when|whereas|with|"
    r"even as)(?=\s)"
)
"""Where another statement begins, perhaps about another company."""
_GAP: Final = re.compile(r"~(\d) ?")
_GAP_WORD: Final = r"(?!(?:as|while|but|after|amid|when|not|never|no|without|[a-z]+n't) )[^\\s@#;]*[^\\s@#;,]"
"""A word that stays inside one statement, with the backslashes of a replacement."""
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_TOKEN: Final = re.compile(r"<(\d+)>")
_MARKS: Final = str.maketrans({"<": " ", ">": " ", "@": " ", "#": " ", "’": "'"})
_MOST: Final = 12
"""Companies whose roles are looked for; a text that names more is a list."""
_NEAR: Final = 45
"""Letters before a statement in which words that take it back are looked for."""
_NO_FACT: Final = re.compile(
    r"(?:(?:\bnot|n't|\bnever|\bwithout|\bno longer|\bunlikely|\bhow to)(?: [\w@#]+){0,2}"
    r"|\b(?:if|unless|whether)(?: [\w@#]+){0,5}) $"
)
_FIRST: Final = re.compile(r"(?:@ )?(?:~\d ?)?(?:\(\?<![^)]*\))*(?:\(\?:((?:[^()]|\([^()]*\))*)\)(?!\?)|([a-z]+))")
_LETTERS: Final = re.compile(r"[a-z]+(?![?*])")
_ENDS: Final = (
    r"(?=$|[,.;:!?\n-]| (?:[\d.]+|as|after|on|amid|in|by|to|from|despite|even|with|following|ahead|but|while|when|for|"
    r"more|over|nearly|almost|about|sharply|again|premarket|pre-market|after-hours|further|most|past|above|below|and|up|"
    r"down|higher|lower|slightly|late|early|today|before|since|another|as much)\b)"
)
"""What may follow a move that has no object: "gains 3%", not "gains approval"."""
_RISE: Final = (
    r"(?:ris(?:es?|ing)|rose|climb(?:s|ed)?|jump(?:s|ed)?|soar(?:s|ed)?|surg(?:es|ed?)|gain(?:s|ed)?|"
    r"rall(?:ies|ied)|(?<=shares )rally|"
    r"advanc(?:es|ed?)|rebound(?:s|ed)?|pop(?:s|ped)?|leap(?:s|ed|t)?|spik(?:es|ed?)|rocket(?:s|ed)?|skyrockets?|"
    r"(?:edge[sd]?|inch(?:es|ed)?|trade[sd]?|move[sd]?|open(?:s|ed)?|close[sd]?) (?:up|higher)|"
    r"up(?= \d)|add(?:s|ed)(?= [\d.]+%)|"
    r"hits? (?:a |an |all-time )?(?:record|all-time|new) ?(?:high)?)"
)
_FALL: Final = (
    r"(?:f[ae]lls?|falling|drop(?:s|ped)?|slid(?:es?)?|s[iua]nks?|slump(?:s|ed)?|plung(?:es|ed?)|tumbl(?:es|ed?)|"
    r"slip(?:s|ped)?|dip(?:s|ped)?|tank(?:s|ed)?|nosedive[sd]?|skid(?:s|ded)?|crash(?:es|ed)|"
    r"(?<=shares )crash|retreat(?:s|ed)?|"
    r"declin(?:es|ed?)|plummet(?:s|ed)?|swoon(?:s|ed)?|div(?:es|ed?)|sheds?(?= \d)|los(?:es|t|e)(?= \d)|"
    r"(?:edge[sd]?|inch(?:es|ed)?|trade[sd]?|move[sd]?|open(?:s|ed)?|close[sd]?) (?:down|lower)|down(?= \d))"
)
_OWN: Final = r"@(?: shares?| stock| inc| corp)?(?: also| \w+ly| have| has)? "
_SHARES: Final = (
    r"(?:^|[,;:.] |@ |\b(?:its|as|and|but|while|after|when|yet|the|sends?|with|that|why) )(?:shares|stock)(?: of @)?"
    r"(?: also| \w+ly| have| has| price| were| was)? "
)
"""Shares of no other name: "its shares", and not "Velda shares" in an item about somebody else."""
_MOVE_WORDS: Final = (
    "ris rose climb jump soar surg gain rall advanc rebound pop leap spik rocket skyrocket edge inch trade move open "
    "close up hit fall fell drop slid sink sank sunk slump plung tumbl slip dip tank nosediv skid crash retreat declin "
    "plummet swoon div shed los add down lift boost drag send"
)


@dataclass(frozen=True, slots=True)
class Role:
    """What a company is in the text, in words, and which way that pushes its shares."""

    label: str
    direction: Direction


_RISES: Final = Role("its shares rise", "up")
_FALLS: Final = Role("its shares fall", "down")


@dataclass(frozen=True, slots=True)
class _Row:
    """Patterns that say one thing."""

    role: Role
    pattern: Watched


def roles(scan: Scan, mentions: Sequence[Mention]) -> tuple[Mapping[str, Role], Mapping[str, str]]:
    """The roles of the companies named, by symbol, and the part of the text that speaks of each.

    A company without a role is not in the first, one that only suffers what another does not in the second.
    """
    placed = [one for one in mentions if one.end]
    if not placed:
        return {}, {}
    masked, groups = _masked(scan.text, placed)
    parts = _parts(masked, groups, placed)
    found: dict[str, Role] = {}
    spoken: dict[str, str] = {}
    for mention in placed[:_MOST]:
        group = groups[mention.symbol]
        own = parts.get(group, "")
        if own:
            spoken[mention.symbol] = own
        role = _role(scan, mention, _seen_by(masked, group), own)
        if role is not None:
            found[mention.symbol] = role
    return found, spoken


def _role(scan: Scan, mention: Mention, text: str, own: str) -> Role | None:
    """What decides first: what overrules all, the shares, the role, the statement."""
    subject = bool(own) and mention.about and not mention.beside
    own = own if subject else ""
    return (
        _first(_OVERRULING, scan, own)
        or (None if mention.beside else _moved(scan, text, own))
        or _acting(scan, text, mention)
        or _first(_STATEMENTS, scan, own)
    )


def _first(rows: tuple[_Row, ...], scan: Scan, text: str) -> Role | None:
    """The role of the first row that matches."""
    for row in rows if text else ():
        match = row.pattern.regex.search(text) if scan.holds(row.pattern) else None
        if match and not _taken_back(text, match.start()):
            return row.role
    return None


def _acting(scan: Scan, text: str, mention: Mention) -> Role | None:
    """The role in a statement; a name that only describes another ("Apple supplier Velda") does nothing itself."""
    for row in _ROLES:
        match = row.pattern.regex.search(text) if scan.holds(row.pattern) else None
        if match is None or (mention.beside and match.group().startswith("@")):
            continue
        if not _taken_back(text, match.start()):
            return row.role
    return None


def _taken_back(text: str, start: int) -> bool:
    """Whether the words just before a statement deny it, make it a condition or only a wish."""
    return _NO_FACT.search(text, max(0, start - _NEAR), start) is not None


def _moved(scan: Scan, text: str, own: str) -> Role | None:
    """Where its own shares go: "Velda sinks 4%", or "shares sink" in the part that speaks of it."""
    if not scan.holds(_MOVES):
        return None
    match = _OF_NAME.search(text) or (_OF_SHARES.search(own) if own else None)
    if match is None:
        return None
    return _RISES if match["up"] or match["up2"] else _FALLS


def _masked(text: str, mentions: Sequence[Mention]) -> tuple[str, Mapping[str, int]]:
    """The text in small letters with every name as "<n>", n being its group, and the groups by symbol.

    Names that only "and" or a comma parts are one group: they do or suffer the same.
    """
    spans = _spans(text, mentions)
    group = {mention.symbol: number for number, mention in enumerate(mentions)}
    for (_, end, symbol), (start, _, other) in pairwise(spans):
        if symbol != other and _JOINED.fullmatch(text, end, start):
            kept, gone = group[symbol], group[other]
            group = {one: kept if number == gone else number for one, number in group.items()}
    parts: list[str] = []
    last, before = 0, -1
    for start, end, symbol in spans:
        if before != group[symbol] or not _JOINED.fullmatch(text, last, start):
            parts += _plain(text[last:start]), f"<{group[symbol]}>"
        last, before = end, group[symbol]
    parts.append(_plain(text[last:]))
    return "".join(parts), group


def _plain(text: str) -> str:
    """In small letters and without the marks that stand for names here."""
    return text.lower().translate(_MARKS)


def _spans(text: str, mentions: Sequence[Mention]) -> list[tuple[int, int, str]]:
    """Where the names stand, every repeat too, first to last and none within another."""
    found: list[tuple[int, int, str]] = []
    for mention in sorted(mentions, key=lambda one: one.start - one.end):
        name = _POSSESSIVE.sub("", mention.text)
        at = text.find(name) if name else -1
        while at >= 0:
            after = _AFTER_NAME.match(text, at + len(name))
            stop = after.end() if after and not _WORD_ENDS.match(text, at) else at
            if stop > at and not any(at < end and start < stop for start, end, _ in found):
                found.append((at, stop, mention.symbol))
            at = text.find(name, at + len(name))
    return sorted(found)


def _seen_by(masked: str, group: int) -> str:
    """The text with one group as "@" and every other as "#"."""
    return _TOKEN.sub("#", masked.replace(f"<{group}>", "@"))


def _parts(masked: str, groups: Mapping[str, int], mentions: Sequence[Mention]) -> dict[int, str]:
    """By group the part of the text it is the subject of: from its first name to where another company's begins."""
    silent = {groups[one.symbol] for one in mentions if one.quoted or one.beside}
    acting = {groups[one.symbol] for one in mentions} - silent or silent
    if len(acting) == 1:
        only = next(iter(acting))
        return {only: _seen_by(masked, only)}
    owner: int | None = None
    found: dict[int, list[str]] = {}
    for part in _PART.split(masked):
        named = [number for number in map(int, _TOKEN.findall(part)) if number in acting]
        owner = named[0] if named else owner
        if owner is not None:
            found.setdefault(owner, []).append(_seen_by(part, owner))
    return {number: " ; ".join(parts) for number, parts in found.items()}


def _stems(pattern: str) -> list[str]:
    """The beginnings of the words of which one must stand in a text that the pattern matches."""
    found = _FIRST.match(pattern)
    if found is None:
        raise ValueError(f"a pattern must begin with its words: {pattern}")
    heads = [_LETTERS.match(word) for word in (found[1] or found[2]).split("|")]
    if None in heads:
        raise ValueError(f"a pattern that begins with no word needs stems beside it: {pattern}")
    return [head[0] for head in heads if head]


def _rows(name: str) -> tuple[_Row, ...]:
    rows = []
    for row in data("roles.toml")[name]:
        told = row.get("stems", "").split()
        stems = told or [stem for pattern in row["patterns"] for stem in _stems(pattern)]
        joined = "|".join(rf"(?<![\w#@]){pattern}(?!\w)" for pattern in row["patterns"])
        role = Role(row["label"], cast(Direction, row["direction"]))
        rows.append(_Row(role, watched(_GAP.sub(rf"(?:{_GAP_WORD} ){{0,\1}}", joined), stems)))
    return tuple(rows)


_ROLES: Final = _rows("role")
_OVERRULING: Final = _rows("overruling")
_STATEMENTS: Final = _rows("statement")
_MOVES: Final = watched("", _MOVE_WORDS)
_OF_NAME: Final = re.compile(
    rf"(?:(?:^|(?<=\s)){_OWN}|\b(?:shares|stock) (?:of|in) @ )(?:(?P<up>{_RISE})|{_FALL}){_ENDS}(?P<up2>)?"
)
_OF_SHARES: Final = re.compile(
    rf"{_SHARES}(?:(?P<up>{_RISE})|{_FALL})\b"
    rf"|\b(?:(?P<up2>lift|boost|help)|drag|hit|sink|hurt)(?:s|ed|ing)? (?:the |its )?(?:shares|stock)\b"
)
