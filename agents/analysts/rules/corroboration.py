"""What the evidence says of the item's own event: other outlets report it, or somebody denies it.

Only findings about the same event count: those a tool marks `same_story`, and those that report the same flash event of
a name the item has too. Another company's bankruptcy confirms nothing, its denial denies nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from agents.analysts.rules.events import FLASH, find
from agents.analysts.rules.judgement import Amendment
from agents.analysts.rules.reading import Reading
from agents.models import Evidence, EvidenceItem, Fault

_NEWS: Final = ("rss_search", "web_search", "geo_events")
"""The tools whose findings are reports."""
_DENIAL: Final = re.compile(r"\b(?:denies|denied|denying|refutes?|refuted)\b", re.I)
_NAME: Final = re.compile(r"\b[A-Z][\w&.’'-]+")


def faults_of_evidence(reading: Reading, evidence: Sequence[Evidence]) -> list[Amendment]:
    """What other reports of the same event say: other outlets confirm, or one denies."""
    found: list[Amendment] = []
    for one in evidence:
        if one.tool not in _NEWS or one.status != "ok":
            continue
        same = [item for item in one.items if same_event(reading, item)]
        outlets = sorted({item.source for item in same if item.source and item.source != reading.item.source_name})
        denial = next((item for item in same if _DENIAL.search(item.text)), None)
        if denial is not None:
            fault = Fault(one.id, f'{denial.source or one.source} reports a denial: "{denial.text[:80]}"')
            found.append(Amendment(fault, "denied elsewhere", -0.1, None, True, -0.1))
        elif outlets:
            fault = Fault(
                one.id, f"{len(outlets)} other outlet{'s' * (len(outlets) > 1)} report it: {', '.join(outlets[:3])}"
            )
            found.append(Amendment(fault, "reported by other outlets", 0.02, None, False, 0.03 * min(3, len(outlets))))
    return found


def same_event(reading: Reading, finding: EvidenceItem) -> bool:
    """Whether a finding reports what the item reports."""
    if dict(finding.values).get("same_story") == 1:
        return True
    own = {happening.event for happening in reading.happenings}
    if not own or not own & {found.pattern.event for found in find(finding.text, FLASH)}:
        return False
    return bool(_names(reading.title) & _names(finding.text))


def _names(text: str) -> frozenset[str]:
    """Words written as names; the first word of a text is one only where another text agrees."""
    return frozenset(_NAME.findall(text))
