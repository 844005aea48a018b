"""What the tools' findings add to a draft, each as one term that names what was found.

Every amount is small and bounded: evidence moves a score that the item's own words have made, it makes none. Findings
count only where they are about the item: a listed name that stands in it, a release that names its company, a figure
of the series it reports.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from agents.analysts.rules.reading import Reading
from agents.models import Evidence, EvidenceItem

FRESH: Final = frozenset({"ok", "stale"})
LEAN: Final = 0.55
"""From this share on, certain at 95 %, a crowd leans."""
SURPRISE: Final = 0.3
"""Points between an inflation figure and the last one from which it is a surprise."""
BUSY: Final = 50
"""Mentions a day from which a doubling says something."""
_INFLATION: Final = re.compile(r"\b(?:CPI|consumer prices?|inflation)\b", re.I)
_ELSEWHERE: Final = re.compile(
    r"\b(?:[Ee]uro ?zone|[Ee]uro area|EU|Germany|German|France|French|Spain|Italy|UK|Britain|British|"
    r"Japan|Japanese|Tokyo|China|Chinese|India|Indian|Australia|Canada|Canadian|Turkey|Turkish|Brazil|Mexico|Swiss|Sweden|Korea|Argentina)\b"
)
_RATE: Final = re.compile(r"(-?\d{1,2}(?:\.\d{1,2})?)\s?(?:%|percent\b|per cent\b|pct\b)(?P<after>[^%]{0,40})", re.I)
_MONTHLY: Final = re.compile(
    r"\b(?:(?:on|from|over|in) (?:the|a|last)? ?(?:previous )?month|month[- ]on[- ]month|m/m|mom)\b", re.I
)
_CORE: Final = re.compile(r"\bcore\b", re.I)


def evidence_terms(reading: Reading, evidence: Sequence[Evidence]) -> Iterator[tuple[str, float]]:
    """The terms of one agent's evidence, in the order of its tools."""
    for one in evidence:
        if one.status not in FRESH:
            continue
        if one.tool == "geo_events":
            yield from sanctions_terms([one])
        elif one.tool == "cpi":
            yield from _cpi(reading, one)
        elif one.tool == "reddit_sentiment":
            yield from _mentions(one)
        elif one.tool in ("sec_enforcement", "asic_enforcement"):
            yield from _enforcement(reading, one)


def sanctions_terms(evidence: Sequence[Evidence]) -> Iterator[tuple[str, float]]:
    """A name of the item that stands on a sanctions list; one that was just added weighs more. At most one term."""
    hits = [item for one in evidence if one.tool == "geo_events" for item in one.items if _value(item, "sanctions_hit")]
    if hits:
        new = [item for item in hits if _value(item, "new_on_list")]
        first = (new or hits)[0]
        yield _short(first.text), 0.12 if new else 0.06


def lean(values: Mapping[str, float]) -> str:
    """ "bullish" or "bearish" where the tagged messages say so with 95 % certainty, else ""."""
    low, high = values.get("share_low"), values.get("share_high")
    if low is None or high is None:
        return ""
    return "bullish" if low > LEAN else "bearish" if high < 1 - LEAN else ""


def concerns_item(finding: EvidenceItem) -> bool:
    """Whether an official finding reports the item's event or names its company."""
    return bool(_value(finding, "same_story") or _value(finding, "names_company"))


def _cpi(reading: Reading, one: Evidence) -> Iterator[tuple[str, float]]:
    """An inflation figure of the United States against the last one known before it."""
    text = reading.text
    if not _INFLATION.search(text) or _ELSEWHERE.search(text) or not one.items:
        return
    core = _CORE.search(text) is not None
    series = next((item for item in one.items if ("core" in item.text) is core), None)
    stated = [float(match[1]) for match in _RATE.finditer(text) if not _MONTHLY.search(match["after"])]
    if series is None or not stated:
        return
    values = dict(series.values)
    last = values.get("value")
    if last is not None and abs(stated[0] - last) < 0.06:
        last = values.get("previous")  # the source holds the reported month already: what was known is the one before
    if last is None:
        return
    step = stated[0] - last
    if abs(step) >= SURPRISE:
        yield f"{abs(step):.1f} points {'above' if step > 0 else 'below'} the last CPI ({last:.1f}%)", 0.07


def _mentions(one: Evidence) -> Iterator[tuple[str, float]]:
    """Twice the attention of the day before."""
    for item in one.items:
        now, before = _value(item, "mentions"), _value(item, "mentions_before")
        if now >= BUSY and now >= 2 * before > 0:
            yield f"mentions up from {before:.0f} to {now:.0f} a day", 0.05
            return


def _enforcement(reading: Reading, one: Evidence) -> Iterator[tuple[str, float]]:
    """A release that names a company of the item, or a filing of it that is bad news by itself. At most one term."""
    if not any(mention.about and not mention.quoted for mention in reading.mentions):
        return
    grave = next((item for item in one.items if _value(item, "grave")), None)
    named = next((item for item in one.items if _value(item, "names_company") and item.url != reading.item.url), None)
    if grave is not None:
        yield _short(grave.text), 0.06
    elif named is not None:
        yield f'{named.source} names it: "{_short(named.text)}"', 0.05


def _value(item: EvidenceItem, name: str) -> float:
    return next((value for key, value in item.values if key == name), 0.0)


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"
