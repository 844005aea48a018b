"""How an item says what it says: unconfirmed, denied, not yet, looking back, opinion, calendar, solicitation, round-up.

Each trait carries the words that show it, so that a critique can point at them.
"""

from __future__ import annotations

import re
from typing import Final, Literal

Trait = Literal[
    "unconfirmed",
    "denied",
    "question",
    "opinion",
    "anniversary",
    "calendar",
    "preview",
    "solicitation",
    "round-up",
    "correction",
    "routine",
    "reaction",
]

_PATTERNS: Final[tuple[tuple[Trait, tuple[str, ...], re.Pattern[str]], ...]] = (
    (
        "solicitation",
        ("law firm", "law office", "investors", "shareholder", "class action", "llp", "investigation", "deadline", "attorney", "counsel"),
        re.compile(
            r"\b(?:law (?:firm|offices?)(?: of)?|LLP|class action|lead plaintiff|shareholder alert|investor alert|equity alert|"
            r"investigation (?:alert|reminder|notice)|deadline (?:reminder|alert)|encourages investors|reminds investors|"
            r"investors with losses|with losses (?:of|to|over)|contact the firm|securities fraud law|looming deadline|"
            r"on behalf of (?:\w+ ){0,3}(?:investors|shareholders)|rosen|investigates claims)\b",
            re.I,
        ),
    ),
    (
        "calendar",
        ("to report", "to announce", "to release", "to host", "to hold", "to present", "to discuss", "schedule", "sets date", "date", "conference call", "webcast", "to participate", "to post", "to publish", "due to report", "will report", "will announce", "will release", "will host"),
        re.compile(
            r"\b(?:(?:to|will) (?:report|announce|release|host|hold|present|publish|issue|discuss|webcast|participate|post|speak)\b"
            r"[^.;]{0,70}\b(?:earnings|results?|conference|quarter|call|webcast|on (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri)\w*|figures|meeting|investor day)"
            r"|(?:announces?|sets?|schedules?|confirms?) (?:the )?(?:date|timing|conference call|release date)\b|schedules\b[^.;]{0,60}\b(?:call|results|release|webcast)"
            r"|earnings release date|conference call (?:and webcast|to discuss|on)|announces[^.;]{0,60}\b(?:conference call|earnings release|results date)|due to report|indicative calendars?)\b",
            re.I,
        ),
    ),
    (
        "preview",
        ("preview", "ahead of", "what to expect", "week ahead", "weekahead", "outlook for", "before earnings", "upcoming", "eyes on", "awaits", "await", "to watch", "countdown"),
        re.compile(
            r"\b(?:preview|ahead of (?:\w+ ){0,4}(?:earnings|results|report|data|meeting|decision|speech|call|release)|what to (?:expect|watch|know)|week ?ahead|upcoming|"
            r"before (?:\w+ )?earnings|eyes on|awaits?|countdown to|to watch)\b",
            re.I,
        ),
    ),
    (
        "anniversary",
        ("anniversary", "years ", "decade", "year ago", "in 19", "in 20", "looks back", "looking back", "history", "legacy", "remember", "lessons", "timeline", "from boom to bust", "years-old", "on this day"),
        re.compile(
            r"\b(?:anniversary|(?:\d+|ten|five|two|three|twenty|a) (?:years?|decades?) (?:ago|after|on|since|later|earlier)|decades? (?:after|since|on|of|ago)|looks? back|looking back|"
            r"legacy of|remember(?:s|ing)?|lessons (?:from|of)|timeline|boom to bust|on this day|in (?:19\d\d|200\d|201[0-7]))\b",
            re.I,
        ),
    ),
    (
        "opinion",
        ("opinion", "analysis", "comment", "column", "breakingviews", "factbox", "explain", "view", "cramer", "podcast", "why", "how", "what", "should", "editorial", "take five", "q&a", "as it happened", "newsletter", "listen", "letter", "review", "here's", "buy ", "sell ", "stock is", "briefing", "live", "big take", "read ", "exclusive-analysis", "says", "?", ":"),
        re.compile(
            r"(?:^|\n)\W*(?:opinion|analysis|commentary|column|factbox|explainer|instant view|analyst view|timeline|take five|live markets|business live|"
            r"(?:the )?guardian view|(?:jim )?cramer\b|cramer's|why\b|how\b|what(?:'s|’s)?\b|here'?s\b|should\b|editorial|q ?& ?a|graphic|podcast|listen|watch|insight|"
            r"from breakingviews|breakingviews|letters?\b|review|profile|newsmaker|special report|wall st(?:reet)? week|the big|dear\b|i'm\b|i’m\b|is\b|are\b|can\b|will\b|do\b|does\b|could\b)"
            r"|\b(?:big take|as it happened|breakingviews|podcast|newsletter|op-ed|explainer|must read|too much too soon|reasons (?:to|why)|a strong buy|is a buy|sell this stock|buy this stock|what you need)\b"
            r"|: (?:Cramer|podcast|editorial)|\| ?[A-Z][a-z]+ [A-Z][a-z]+\s*$",
            re.I,
        ),
    ),
    (
        "round-up",
        ("stocks", "things", "movers", "wrap", "round-up", "roundup", "morning", "among", "gainers", "losers", "briefing", "briefs", "highlights", "headlines", "digest", "top "),
        re.compile(
            r"\b(?:\d+|three|five|ten|top) (?:\w+ ){0,2}(?:stocks|things|names|picks|charts|shares)\b|#?\d ?things\b|\bstocks to (?:watch|buy|sell)\b|\b(?:movers|gainers|losers|market wrap|round-?up|"
            r"morning (?:bid|briefing|brief|note)|news highlights|top news|daily digest|press digest|deals of the day|research alert)\b",
            re.I,
        ),
    ),
    (
        "denied",
        ("den", "refut", "no plan", "not ", "rules out", "ruled out", "dismiss", "false", "fake", "untrue", "rumor", "rumour", "debunk"),
        re.compile(
            r"\b(?:denies|denied|deny|denying|refutes?|refuted|no plans? to|not planning|not considering|rules? out|ruled out|dismiss(?:es|ed) (?:report|rumou?r|talk|claim|speculation)\w*|"
            r"debunk\w*|false (?:report|rumou?r|claim)s?|fake|untrue|is not (?:filing|seeking|bankrupt|insolvent))\b",
            re.I,
        ),
    ),
    (
        "unconfirmed",
        ("may ", "might", "could", "reportedly", "rumo", "sources", "source", "familiar", "said to", "unconfirmed", "alleged", "speculat", "possible", "potential", "seen ", "likely", "expected", "considering", "considers", "mulls", "weigh", "talks", "plans to", "exploring", "explores", "near", "if ", "would", "threat", "eyes", "set to", "poised", "proposes", "vows", "prepares", "report says", "takes look", "risk", "fear", "hope"),
        re.compile(
            r"\b(?:may|might|could|would|reportedly|rumou?r(?:s|ed)?|sources?(?: say| said)?\b|people familiar|(?:is |are )?said to|unconfirmed|alleged(?:ly)?|speculation|possible|potential(?:ly)?|likely|"
            r"(?:is |are )?expected to|consider(?:s|ing)|mull(?:s|ing)|weigh(?:s|ing)|in (?:advanced )?talks|plans? to|explor(?:es|ing)|nears?|threat(?:ens|ened|en)?|eye(?:s|ing)|set to|poised to|"
            r"propos(?:es|ed)|vows?|prepar(?:es|ing)|risks?|fears?|hopes?)\b"
        ),
    ),
    (
        "correction",
        ("correct", "clarif", "retract"),
        re.compile(r"\b(?:correction|corrected|corrects|clarification|retracts?|retracted)\b", re.I),
    ),
    (
        "routine",
        ("dividend", "distribution", "appoints", "names", "to present", "conference", "launches", "award", "ex-div", "form ", "certified", "partner", "opens", "introduces", "ranked", "recogni", "celebrat"),
        re.compile(
            r"\b(?:declares? (?:\$|quarterly|monthly|a )|(?:monthly|quarterly) (?:dividend|distribution)|goes ex[- ]dividend|appoints?|presents? at|named (?:one of|to)|wins? award|awards? recognition|form (?:8-k|10-q|10-k|4)\b|"
            r"slideshow|certified|ranked|recogni[sz]ed|celebrates?|introduces|announces payment)\b",
            re.I,
        ),
    ),
    (
        "reaction",
        ("says", "said", "regret", "slam", "condemn", "criti", "urge", "calls for", "braces", "reacts", "respond", "vow", "defend", "oppose", "accus", "comment", "tells", "warn", "impact of", "prepares for", "wants", "backs", "seeks remedies", "challenge"),
        re.compile(
            r"\b(?:says?|said|regrets?|slams?|condemns?|criticis?zes?|criticises|criticizes|urges?|calls? for|braces? for|reacts?|responds?|defends?|opposes?|opposed|accuses?|tells?|warns?|impact of|prepares? for|wants?|backs?|no comment|challenges?)\b",
            re.I,
        ),
    ),
)

_NOT_YET: Final = re.compile(
    r"\b(?:may|might|could|would|should|if|whether|threat\w*|vow\w*|plan(?:s|ned|ning)?|propos\w+|consider\w*|weigh\w*|mull\w*|prepar\w+|ready to|set to|poised|likely|expect\w*|"
    r"fear\w*|risk\w*|warn\w*|call(?:s|ed)? for|urg(?:es?|ed)|demand\w*|want\w*|hop(?:es?|ing)|hint\w*|eye[sd]?|look(?:s|ing) (?:at|to)|seek(?:s|ing)? to|talks?|near(?:s|ing)?|discuss\w*|possible|"
    r"potential|wary|brac\w+|ahead of|before|unless|until|bill to|push(?:es)? (?:for|to)|back(?:s|ed)|favou?rs?|bet(?:s|ting)?|pric(?:es?|ing) in|seen|can|to|ask(?:s|ed)?|pressure\w*|predict\w*|forecast\w*|request\w*|how|why|what)\s(?:\S+\s){0,4}$",
    re.I,
)
_UNDONE: Final = re.compile(
    r"\b(?:no|not|never|n't|without|avoid\w*|avert\w*|lift(?:s|ed|ing)?|eas(?:es?|ed|ing)|exempt\w*|delay\w*|postpon\w*|suspend\w*|exit\w*|emerg\w+|spared?|clear(?:s|ed)?|acquit\w*|dismiss\w*|"
    r"drop(?:s|ped)?|scrap\w*|remov\w+|reject\w*|revers\w+|roll(?:s|ed)? back|halt\w*|end(?:s|ed)?|den(?:y|ies|ied)|fail(?:s|ed)? to|refus\w+|overturn\w*|unlikely|rescu\w+|waiv\w+|relief|fake|hoax|mock|drill|exercise|game|film|movie|novel|book|series|play|museum)\b",
    re.I,
)


def traits(text: str) -> dict[Trait, str]:
    """The traits of the text, each with the words that show it."""
    low = text.lower()
    found: dict[Trait, str] = {}
    for trait, stems, pattern in _PATTERNS:
        if any(stem in low for stem in stems):
            match = pattern.search(text)
            if match:
                found[trait] = match.group().strip()
    title = text.partition("\n")[0].rstrip()
    if title.endswith("?"):
        found["question"] = title[-40:].split(" ", 1)[-1]
    return found


def not_yet(before: str) -> str:
    """Words just before a happening that put it in the future or in somebody's wish, or ""."""
    match = _NOT_YET.search(before[-70:] if not before.endswith(" ") else before[-70:])
    return match.group().strip() if match else ""


def undone(before: str, quote: str) -> str:
    """Words that turn a happening round (lifted, averted, acquitted), or ""."""
    match = _UNDONE.search(before[-30:]) or _UNDONE.search(quote)
    return match.group().strip() if match else ""
