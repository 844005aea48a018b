"""What the tools' findings add to a draft, each as one term that names what was found.

Every amount is small and bounded: evidence moves a score that the item's own words have made, it makes none. Findings
count only where they are about the item: a listed name that stands in it, a release that names its company, a figure
of the series it reports.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Final

from agents.analysts.rules.bearing import moment, timely
from agents.analysts.rules.events import FLASH, find
from agents.analysts.rules.reading import Reading
from agents.models import Evidence, EvidenceItem
from agents.urgency import ALERT_IMPACT, FLASH_IMPACT, NOTE_IMPACT

ANSWERS: Final = frozenset({"ok", "stale"})
"""An old copy of a list or a monthly figure still holds; counts of the day do not (`_mentions`)."""
CROWD: Final = 0.05
"""What the crowd's attention and its lean add at most, each."""
LEAN: Final = 0.55
"""From this share on, certain at 95 %, a crowd leans."""
SURPRISE: Final = 0.3
"""Points between an inflation figure and the last one from which it is a surprise."""
BUSY: Final = 50
"""Mentions a day from which a doubling says something."""
_INFLATION: Final = re.compile(r"\b(?:CPI|consumer prices?|inflation)\b", re.I)
_ELSEWHERE: Final = re.compile(
    r"\b(?:[Ee]uro ?zone|[Ee]uro area|EU|Germany|German|France|French|Spain|Italy|UK|Britain|British|"
    r"Japan|Japanese|Tokyo|China|Chinese|India|Indian|Australian?|Canada|Canadian|Turkey|Turkish|Brazil|Brazilian|"
    r"Mexico|Mexican|Swiss|Switzerland|Sweden|Swedish|Norway|Norwegian|Denmark|Danish|Finland|Iceland|Ireland|Irish|Netherlands|"
    r"Dutch|Belgium|Belgian|Austria|Austrian|Italian|Spanish|Portugal|Greece|Greek|Poland|Polish|Czech|Hungary|Hungarian|"
    r"Romania|Romanian|Bulgaria|Serbia|Croatia|Ukraine|Russian?|Israeli?|Egypt|Egyptian|Nigerian?|Kenyan?|Ghana|"
    r"South African?|Saudi|Korean?|Taiwan|Hong Kong|Singapore|Malaysian?|Thailand|Thai|Indonesian?|Philippines?|"
    r"Vietnam|Pakistani?|Bangladesh|Sri Lankan?|New Zealand|Argentina|Argentine|Chile|Chilean|Colombian?|Peru|"
    r"Venezuela|ECB|BOJ|BoJ|BoE|RBA|RBNZ|BoC|HICP)\b"
)
_OTHER_PRICES: Final = re.compile(
    r"\b(?:PPI|PCE|producer|wholesale|wages?|food|grocery|energy|services|hous(?:e|ing)|home|rent|import|tuition)"
    r"[- ](?:prices? |price index |cost )?(?:inflation|index)\b|\b(?:PPI|PCE|producer prices?|"
    r"wholesale prices?|import prices?)\b|\binflation expectations?\b",
    re.I,
)
"""Prices that are not those consumers pay for all they buy."""
_CURRENT: Final = timedelta(days=80)
"""So long after the beginning of a month its figure can be the last one: the next is out in the middle of the month
after next, now and then a week late."""
_RATE: Final = re.compile(r"(-?\d{1,2}(?:\.\d{1,2})?)\s?(?:%|percent\b|per cent\b|pct\b)(?P<after>[^%]{0,40})", re.I)
_MONTHLY: Final = re.compile(
    r"\b(?:(?:on|from|over|in) (?:the|a|last)? ?(?:previous )?month|month[- ]on[- ]month|m/m|mom)\b", re.I
)
_YEARLY: Final = re.compile(
    r"\b(?:(?:on|over|from|in) (?:the|a|twelve|12)? ?(?:previous |last )?(?:year|months)|year[- ]on[- ]year|y/y|yoy|"
    r"annual(?:ly)?|a year (?:ago|earlier))\b",
    re.I,
)
_INFLATION_AT: Final = re.compile(
    r"\b(?:inflation(?! (?:data|report|figures?|numbers?|reading|print|fears?|expectations?|target))|annual(?:ly)?|"
    r"yearly)\b[^.;:%]{0,40}$",
    re.I,
)
"""Words shortly before a rate that make it one of inflation over a year."""
_CORE: Final = re.compile(r"\bcore\b", re.I)


def evidence_terms(reading: Reading, evidence: Sequence[Evidence], impact: float) -> Iterator[tuple[str, float]]:
    """The terms of one agent's evidence, in the order of its tools; `impact` is what the item's own words have made."""
    for one in evidence:
        if one.status not in ANSWERS:
            continue
        if one.tool == "geo_events":
            yield from sanctions_terms([one])
        elif one.tool == "cpi":
            yield from _cpi(reading, one)
        elif one.tool == "reddit_sentiment":
            yield from _mentions(one, below_next(impact))
        elif one.tool in ("sec_enforcement", "asic_enforcement"):
            yield from _enforcement(reading, one)


def sanctions_terms(evidence: Sequence[Evidence]) -> Iterator[tuple[str, float]]:
    """A name of the item that stands on a sanctions list; one that was just added weighs more. At most one term."""
    hits = [item for one in evidence if one.tool == "geo_events" for item in one.items if _value(item, "sanctions_hit")]
    if hits:
        new = [item for item in hits if _value(item, "new_on_list")]
        first = (new or hits)[0]
        yield _short(first.text), 0.12 if new else 0.06


def below_next(impact: float) -> float:
    """What a score has left below the next step of urgency: what the crowd feels alone makes no news louder."""
    above = next((step for step in (NOTE_IMPACT, ALERT_IMPACT, FLASH_IMPACT) if step > impact), 1.01)
    return max(0.0, above - 0.01 - impact)


def lean(values: Mapping[str, float]) -> str:
    """ "bullish" or "bearish" where the tagged messages say so with 95 % certainty, else ""."""
    low, high = values.get("share_low"), values.get("share_high")
    if low is None or high is None:
        return ""
    return "bullish" if low > LEAN else "bearish" if high < 1 - LEAN else ""


def concerns_item(reading: Reading, finding: EvidenceItem) -> bool:
    """Whether an official finding of these days reports the item's event, or the same kind of act against its company.

    A company that is sanctioned today may have been fined yesterday: that is another matter.
    """
    if not timely(reading.item, finding):
        return False
    if _value(finding, "same_story"):
        return True
    own = {happening.event for happening in reading.happenings}
    return bool(_value(finding, "names_company")) and any(one.pattern.event in own for one in find(finding.text, FLASH))


def _cpi(reading: Reading, one: Evidence) -> Iterator[tuple[str, float]]:
    """An inflation figure of the United States against the last one known before it."""
    text = reading.text
    if not _INFLATION.search(text) or _ELSEWHERE.search(text) or _OTHER_PRICES.search(reading.title):
        return
    core = _CORE.search(text) is not None
    series = next((item for item in one.items if ("core" in item.text) is core), None)
    stated = [float(match[1]) for match in _RATE.finditer(text) if _yearly(text, match)]
    if series is None or not stated or not _current(series, reading):
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


def _current(series: EvidenceItem, reading: Reading) -> bool:
    """Whether a monthly figure was the last one when the item came."""
    return series.at is not None and timedelta() <= moment(reading.item) - series.at <= _CURRENT


def _yearly(text: str, rate: re.Match[str]) -> bool:
    """Whether a stated rate is that of inflation over a year: the words around it say so, and none says a month."""
    if _MONTHLY.search(rate["after"]):
        return False
    before = text[max(0, rate.start() - 50) : rate.start()]
    return _YEARLY.search(rate["after"]) is not None or _INFLATION_AT.search(before) is not None


def _mentions(one: Evidence, room: float) -> Iterator[tuple[str, float]]:
    """Twice the attention of the day before, by a count of today; at most `room`."""
    if one.status != "ok":
        return
    for item in one.items:
        now, before = _value(item, "mentions"), _value(item, "mentions_before")
        if now >= BUSY and now >= 2 * before > 0:
            yield f"mentions up from {before:.0f} to {now:.0f} a day", min(CROWD, room)
            return


def _enforcement(reading: Reading, one: Evidence) -> Iterator[tuple[str, float]]:
    """A release that names a company of the item, or a filing of it that is bad news by itself. At most one term."""
    if not any(mention.about and not mention.quoted for mention in reading.mentions):
        return
    recent = [item for item in one.items if timely(reading.item, item) and item.url != reading.item.url]
    grave = next((item for item in recent if _value(item, "grave")), None)
    named = next((item for item in recent if _value(item, "names_company")), None)
    if grave is not None:
        yield _short(grave.text), 0.06
    elif named is not None:
        yield f'{named.source} names it: "{_short(named.text)}"', 0.05


def _value(item: EvidenceItem, name: str) -> float:
    return next((value for key, value in item.values if key == name), 0.0)


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"
