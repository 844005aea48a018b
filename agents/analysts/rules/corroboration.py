"""What the evidence says of the item's own event: other outlets report it, or somebody denies it.

Only findings about the same event count: those a tool marks `same_story`, and those that report the same flash event of
a name the item has too. Another company's bankruptcy confirms nothing, its denial denies nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from agents.analysts.rules.bearing import outlets, timely
from agents.analysts.rules.events import FLASH, find
from agents.analysts.rules.judgement import Amendment
from agents.analysts.rules.reading import Reading
from agents.models import Evidence, EvidenceItem, Fault

_NEWS: Final = ("rss_search", "web_search", "geo_events")
"""The tools whose findings are reports."""
_DENIAL: Final = re.compile(
    r"\b(?:denies|denied|denying|refutes?|refuted)\b(?! (?:any |all |the )?(?:wrongdoing|liability|guilt|charges?|"
    r"allegations?|accusations?))",
    re.I,
)
"""Who denies the charges does not deny that there are some."""
_NAME: Final = re.compile(r"\b[A-Z][\w&.’'-]+")


def faults_of_evidence(reading: Reading, evidence: Sequence[Evidence]) -> list[Amendment]:
    """What other reports of the same event say, over all searches at once: outlets that confirm it, or a denial."""
    same = [
        (one, item)
        for one in evidence
        if one.tool in _NEWS and one.status == "ok"
        for item in one.items
        if same_event(reading, item)
    ]
    denied = next(((one, item) for one, item in same if _DENIAL.search(item.text)), None)
    if denied is not None:
        one, item = denied
        fault = Fault(one.id, f'{item.source or one.source} reports a denial: "{item.text[:80]}"')
        return [Amendment(fault, "denied elsewhere", -0.1, None, True, -0.1)]
    found = outlets(reading, (item for _, item in same))
    if not found:
        return []
    holder = next(one for one, item in same if item.source == found[0])
    verb = "s report" if len(found) > 1 else " reports"
    fault = Fault(holder.id, f"{len(found)} other outlet{verb} it: {', '.join(found[:3])}")
    return [Amendment(fault, "reported by other outlets", 0.02, None, False, 0.03 * min(3, len(found)))]


def same_event(reading: Reading, finding: EvidenceItem) -> bool:
    """Whether a finding reports what the item reports, and at that time."""
    if not timely(reading.item, finding):
        return False
    if dict(finding.values).get("same_story") == 1:
        return True
    own = {happening.event for happening in reading.happenings}
    if not own or not own & {found.pattern.event for found in find(finding.text, FLASH)}:
        return False
    return bool(_names(reading.title) & _names(finding.text))


def _names(text: str) -> frozenset[str]:
    """Words written as names; the first word of a text is one only where another text agrees."""
    return frozenset(_NAME.findall(text))
