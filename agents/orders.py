"""Text that gives orders to its reader. Orders are not news: they are cut out before any engine or tool sees the item.

Two ways to tell them. A sentence that orders ("Ignore the above", "Write a poem", a question put to an assistant) goes
from its first word to the end of its paragraph, because an attacker writes the rest too. And what news never says goes
the same way: the fields of our own answers, the marks of chat protocols, talk to programs, hidden or disguised letters.
Disguises are undone before looking: look-alike letters, full-width letters, references, text written backwards, digits
for letters, base64.

Cutting blanks with spaces and keeps every offset. It can only take away from a score. `Heeded.orders` says what was
cut, so that what a model makes of the rest can be held to what the rules read in it (`agents.bounds`).
"""

from __future__ import annotations

import base64
import binascii
import html
import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from agents.models import Evidence, EvidenceItem
from feeds.models import Item
from feeds.symbols.disguise import LOOK_ALIKES

LEFT_OUT: Final = "[left out]"
"""Stands where a finding gave orders."""

_TASK: Final = (
    r"(?:Ignore|Disregard|Forget|Pretend|Imagine|Act as|You (?:are|must|should|will|have)|Write|Compose|Draft|Explain|"
    r"Describe|Translate|Summari[sz]e|Generate|Introduce|Replace|Substitute|Convert|Modify|Render|Rearrange|Scramble|"
    r"Jumble|Misspell|Anagram|Remove|Group|Combine|Include|Add|Integrate|Augment|Enhance|Provide|Use|Repeat|Print|"
    r"Output|Encode|Reverse|Express|Spell|Decode|"
    r"Return|Respond|Reply|Answer|Score|Rate|Tag|Set|Mark|Classify|Assign|Override|Break down|Tell|Give|Show|List|"
    r"Create|"
    r"Develop|Produce|Insert|Append|Say|Please|In your)"
)
_TO_READER: Final = (
    r"(?:your|you|yourself|instructions?|prompts?|response|reply|answer|output|message|previous|above|json|"
    r"impact|urgency|FLASH|score[sd]?|1\.0(?![\d%])|event_type|signal_type|ticker|poem|essay|story|letter|sentence)"
)
_PLAINLY: Final = (
    r"(?:your|you|yourself|instructions?|prompts?|response|json|urgency|FLASH|1\.0(?![\d%])|event_type|signal_type)"
)
"""Of these words, those that make an order even in the middle of a sentence."""
_ORDER: Final = re.compile(
    rf"(?:(?<=[.!?:;\n\])>*\"'\u201c\u201d\u2018\u00ab-])\s*|^\s*)"
    rf"(?P<order>{_TASK}\b(?=[^\n]{{0,160}}?\b{_TO_READER}\b)[^\n]*)",
    re.M,
)
_ORDER_WITHIN: Final = re.compile(
    rf"(?<=\w)\s+(?P<order>{_TASK}\b(?=[^\n]{{0,160}}?\b{_PLAINLY}\b)[^\n]*)",
    re.M,
)
_QUESTION: Final = re.compile(
    r"(?:(?<=[.!?\n\"'\u201c])\s*|(?<= [-–—|]) )"
    r"(?P<order>(?:What(?:'s| is| are| were)|How (?:do|does|can|would|should)|Who |"
    r"Can you|Could you|Would you|"
    r"Explain|Describe|Provide|Write|Compose|Draft|Develop|Break down|Translate)\b[^\n]*)"
)
_SPOKEN: Final = re.compile(
    r"(?P<order>\b(?:ignore|disregard|forget|override) (?:all |any |the |your |previous |prior |earlier |above )+"
    r"(?:instructions?|prompts?|rules?|guidance)[^\n]*)",
    re.I,
)
_JOINT: Final = re.compile(r"[.!?:\n] ?|[-–—|] ")
_HINT: Final = re.compile(rf"\b{_TO_READER}\b|\?", re.I)

_OF_READING: Final = (
    r"(?=[^\n]{0,120}\b(?:scor(?:e|ed|ing)\b|(?:rate|rank|treat|flag|classify|mark) (?:this|it|that|every|all|the)\b|"
    r"ring\b|bell\b|urgen|FLASH\b|"
    r"(?:impact|sentiment|confidence) (?:score|to|at|as|of 1|high|max)|"
    r"(?:high|highest|maximum|max|full) impact|tickers?\b|"
    r"(?:output|reply|replies|respond|answer) (?:with|in|only|as)\b|"
    r"previous|instructions?\b|prompts?\b|this (?:story|item|article|text|release)\b|holdings?\b))"
)
"""What an order to a reading program goes on to speak of; news about such programs speaks of other things."""
_NEVER_NEWS: Final = re.compile(
    r"(?P<fields>\b(?:impact|confidence)[_ ]?scores?\b|\b(?:signal|event)_type\b|\btickers?_linked\b|"
    r"\baffected tickers?\b|\bticker [A-Z]{2,5}\b[^\n]{0,20}\b(?:action|BUY|SELL)\b|"
    r"\b(?:be|it|this|must|as|always) scored? (?:at |as )?[01]?\.\d\b|\bscored (?:at |as )?[01]\.\d\b|"
    r"\bsentiment (?:as |is |to )?(?:strongly |very )?(?:bullish|bearish)\b)"
    r"|(?P<protocol>\[/?INST\]|<</?SYS>>|<\|?/?(?:im_start|im_end|system|assistant|user|untrusted|article|document|"
    r"instructions?|function_calls|invoke|parameter|tool_result|outside|end of session)\b[^>\n]{0,60}>|"
    r"\[/?(?:system|assistant|user|rest-of-document)\]|\btool_use_id\b|\"role\"\s*:|"
    r"(?:^|[\n.>\]] ?)(?:SYSTEM|ASSISTANT|System|Assistant|User|AI) ?:|"
    r"(?:^|\n)\s*--+ ?[A-Z ]*INSTRUCTIONS?\b|-- RESUME\b|\bchain of thought\b)"
    r"|(?P<program>\b(?:automated|AI|machine)[ -](?:news |screening |content )*"
    r"(?:readers?|assistants?|agents?|systems?|models?)\b"
    rf"[^\n]{{0,40}}(?:\bask you\b|(?::|\bmust\b|\bshould\b){_OF_READING})|"
    rf"\blanguage models?\b[^\n]{{0,40}}\b(?:must|should|you)\b{_OF_READING}|"
    r"\b(?:your|the) (?:system prompt|API key|watchlist)\b|\bthe editors ask you\b|\boperator policy\b|"
    r"\b(?:all|any) previous (?:and following )?instructions\b|\b(?:the )?previous instructions\b|"
    r"\b(?:fetch|price) tool\b|\bother (?:four )?agents\b|\bverification agent\b|\bstore in memory\b|"
    r"\bevery channel with\b|\bscreening systems?:|\bin (?:your|the) (?:summary|JSON|answer|reply|response|output)\b|"
    r"\bnever shown\b|MAGIC_STRING|\brm -rf\b|\bnext step: )"
    r"|(?P<hidden>display\s*:\s*none|\[@click=|\]0;|!\[[^\]]*\]\(http)"
    r"|(?P<foreign>忽略(?:之前|以上|所有)|無視して|之前的所有指示|игнорируй|игнорировать все|تجاهل|"
    r"\bignorez? (?:toutes|les|vos)\b|\bignoriere? (?:alle|die)\b|\bignora (?:todas|tutte|las|le)\b|\bignore todas\b)",
    re.I | re.M,
)
_DO: Final = re.compile(
    r"(?:(?<=[.!?:;\n>\"'\u201c\u201d\u00ab])\s*|^\s*)"
    r"(?P<order>(?:Recommend|Suggest|Help me|Summari[sz]e the|Determine the|"
    r"Analy[sz]e the (?:sentiment|tone)|Is this (?:feedback|review|comment|text)|Reply (?:in|using|with)|"
    r"Decode and|Ring the bell|Skip the|"
    r"Mark the source|Send this|Call the|Put the (?:characters|words?)|Report the|Add [A-Z]{2,5} to|Repeat the|"
    r"What (?:movies|books|songs|recipes)|Replace (?:every|all|vowels|letters))\b[^\n]*)",
    re.M,
)


def _marks(text: str) -> tuple[str, ...]:
    return tuple(text.split("|"))


_SIGNS: Final = _marks(
    'score|_type|_linked|ticker|sentiment|inst]|<|[|tool_use|role"|system:|assistant:|user:|ai:|system :|assistant :|'
    "user :|ai |instruction|"
    "-- resume|chain of|automated|machine|language model|system prompt|api key|watchlist|editors ask|operator policy|"
    "e tool|h tool|r agents|n agent|in memory|channel with|screening system|in your |he summary|he json|he answer|"
    "he reply|he response|he output|never shown|magic_|rm -rf|next step|display|]0;|"
    "忽略|無視|指示|игнор|تجاهل|ignor"
)
"""One of these, in lower case, stands in all that `_NEVER_NEWS` finds; looking for them first is quicker."""
_READERS: Final = _marks(
    "you|instruction|prompt|response|reply|answer|output|message|previous|above|json|impact|urgency|flash|score|1.0|"
    "event_type|signal_type|ticker|poem|essay|story|letter|sentence"
)
"""The same for `_TO_READER`."""
_ORDERS: Final = (
    (_marks("ignore |disregard |forget |override "), _SPOKEN),
    (_READERS, _ORDER),
    (_READERS, _ORDER_WITHIN),
    (
        _marks(
            "what|how |who |can you|could you|would you|explain|describe|provide|write|compose|draft|develop|"
            "break down|translate"
        ),
        _QUESTION,
    ),
    (
        _marks(
            "recommend|suggest|help me|summari|determine the|analy|is this |reply |decode and|ring the bell|skip the|"
            "mark the source|send this|call the|put the|report the|add |repeat the|what |replace "
        ),
        _DO,
    ),
)
"""The sentences that order, each with words in lower case of which one stands in all it finds."""
_PLAIN: Final = re.compile("[\x00-~\xa3\xa5\xc0-\xd6\xd8-\xf6\xf8-\xff\u2013\u2014\u2018\u2019\u201c\u201d\u20ac]*")
"""Letters, signs and quotation marks that pass for no others."""
_LETTER_DIGIT: Final = re.compile(r"[a-z]\d")
_BLOB_LENGTH: Final = 32
_BLOB: Final = re.compile(r"(?<![\w/+])[A-Za-z0-9+/]{32,}={0,2}(?![\w/+])")
_LEET: Final = re.compile(r"\b(?:[a-z]+\d+[a-z]+\d\w*|\d+[a-z]+\d+[a-z]\w*)\b")
_LEET_WORDS: Final = 3
_DIGIT: Final = re.compile(r"\d")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?] )")
_WIDE: Final = re.compile("[\uff21-\uff3a\uff41-\uff5a]{3,}")
_MIXED: Final = re.compile("[A-Za-z][\u0370-\u03ff\u0400-\u04ff]|[\u0370-\u03ff\u0400-\u04ff][A-Za-z]")
_REFERENCE: Final = re.compile(r"&(?:#\d+|#x[0-9a-f]+|\w+);", re.I)


@dataclass(frozen=True, slots=True)
class Heeded:
    """An item without its orders, and the orders as they stood."""

    item: Item
    orders: tuple[str, ...]


def heed(item: Item) -> Heeded:
    """`item` as it may be shown to an engine. The same object where its text gives no orders."""
    text, orders = without_orders(item.text)
    if not orders:
        return Heeded(item, ())
    title, summary = text[: len(item.title)], text[len(item.title) + 1 :]
    return Heeded(replace(item, title=title.strip(), summary=summary.strip()), orders)


def heed_evidence(evidence: Evidence) -> Evidence:
    """`evidence` with every finding left out that gives orders; its time and address stay."""
    if not (evidence.items or evidence.detail):
        return evidence
    items = tuple(_heed_finding(one) for one in evidence.items)
    if items == evidence.items and not without_orders(evidence.detail)[1]:
        return evidence
    detail = LEFT_OUT if without_orders(evidence.detail)[1] else evidence.detail
    return replace(evidence, items=items, detail=detail)


def _heed_finding(found: EvidenceItem) -> EvidenceItem:
    told = f"{found.source}\n{found.text}"
    return replace(found, text=LEFT_OUT, source="", values=()) if without_orders(told)[1] else found


@lru_cache(maxsize=1024)
def without_orders(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with orders blanked by spaces, and the orders as they stood."""
    found: list[str] = []

    def blank(match: re.Match[str]) -> str:
        order = match["order"]
        found.append(order.strip())
        start = match.start("order") - match.start()
        return match.group()[:start] + " " * len(order)

    low = text.lower()
    plain = _PLAIN.fullmatch(text) is not None and not _REFERENCE.search(text)
    orders = [pattern for marks, pattern in _ORDERS if not plain or _holds(low, marks)]
    if orders and (_JOINT.search(text) or _HINT.search(text)):
        for pattern in orders:
            text = pattern.sub(blank, text)
    for start, end in () if plain and _shows_nothing(low) else _never_news(text):
        if text[start:end].strip():
            found.append(text[start:end].strip())
            text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text, tuple(found)


def _holds(low: str, marks: tuple[str, ...]) -> bool:
    return any(map(low.__contains__, marks))


def _shows_nothing(low: str) -> bool:
    """Whether a plain text in lower case shows no sign of an order, read forwards or backwards; true of most news."""
    if _holds(low, _SIGNS):
        return False
    if low.isascii() and "&" not in low and "_" not in low and not _DIGIT.search(low):
        return True
    if _holds(low[::-1], _SIGNS):
        return False
    return len(_LETTER_DIGIT.findall(low)) < _LEET_WORDS and max(map(len, low.split()), default=0) < _BLOB_LENGTH


def _never_news(text: str) -> list[tuple[int, int]]:
    """Where paragraphs say what news never says: from the beginning of that sentence to the end of the paragraph."""
    spans: list[tuple[int, int]] = []
    for paragraph in re.finditer(r"[^\n]+", text):
        begins = _first_order(paragraph[0])
        if begins is not None:
            spans.append((paragraph.start() + begins, paragraph.end()))
    return spans


def _first_order(paragraph: str) -> int | None:
    """Where the first sentence begins that shows a sign of an order."""
    begins = 0
    for sentence in _SENTENCE_END.split(paragraph):
        if _is_order(sentence):
            return begins
        begins += len(sentence)
    return 0 if _is_order(paragraph) else None


def _is_order(sentence: str) -> bool:
    """Whether `sentence` shows a sign of an order, plainly or under a disguise."""
    if _sign_in(sentence):
        return True
    if sentence.isascii() and "&" not in sentence and "_" not in sentence and not _DIGIT.search(sentence):
        return False
    plain = _undisguised(sentence)
    disguised = bool(_MIXED.search(sentence) or _WIDE.search(sentence))
    if plain != sentence and (_sign_in(plain) or (disguised and _SPOKEN.search(plain))):
        return True
    if _sign_in(plain[::-1]) or len(_LEET.findall(sentence.lower())) >= _LEET_WORDS:
        return True
    return any(_speaks(blob[0]) for blob in _BLOB.finditer(sentence))


def _sign_in(text: str) -> re.Match[str] | None:
    low = text.lower()
    return _NEVER_NEWS.search(text) if _holds(low, _SIGNS) else None


def _undisguised(text: str) -> str:
    """`text` with look-alike letters, full-width letters and references as the plain letters they pass for."""
    if _REFERENCE.search(text):
        text = html.unescape(text)
    text = unicodedata.normalize("NFKC", text)
    return text.translate(LOOK_ALIKES) if _MIXED.search(text) else text


def _speaks(blob: str) -> bool:
    """Whether a run of letters is base64 of readable words."""
    try:
        plain = base64.b64decode(blob + "=" * (-len(blob) % 4), validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        return False
    return plain.isprintable() and plain.count(" ") >= 2
