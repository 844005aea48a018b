"""How loudly a signal is delivered, and how its numbers are read. Pure rules over named thresholds.

  FLASH   impact >= 0.80 and any agent tags a flash event; or impact >= 0.40 and PolicyRadar or MacroMind tags one
  ALERT   impact >= 0.65
  NOTE    impact >= 0.40
  FYI     below

Fewer than 3 of 5 agents: degraded, and urgency falls by one (FYI stays). A threshold is reached at its exact value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agents.models import AGENT_NAMES, AgentName, Outcome, Reading, Report, Synthesis, Urgency
from agents.specialists import TABLE_ORDER
from agents.synthesis_engine import comparable

FLASH_IMPACT = 0.80
"""From here a flash event tagged by any agent makes FLASH."""
PROMOTION_IMPACT = 0.40
"""From here a flash event tagged by a promoting agent makes FLASH."""
ALERT_IMPACT = 0.65
NOTE_IMPACT = 0.40
PROMOTING_AGENTS: frozenset[AgentName] = frozenset({"PolicyRadar", "MacroMind"})
"""The agents whose flash event counts at moderate impact already."""
MIN_AGENTS = 3
"""With fewer successful agents than this a signal is degraded."""

BAR_RED = 0.70
BAR_AMBER = 0.45

BarColour = Literal["red", "amber", "blue"]

_LOUDEST_FIRST = tuple(Urgency)


@dataclass(frozen=True, slots=True)
class UrgencyDecision:
    """An urgency with the rule that gave it, in words a trader can check."""

    urgency: Urgency
    degraded: bool
    rule: str


@dataclass(frozen=True, slots=True)
class ReadingThresholds:
    """From where on impact and confidence are called high, both 0..1."""

    impact: float = 0.65
    confidence: float = 0.60


def apply_urgency_thresholds(synthesis: Synthesis, outcomes: Sequence[Outcome]) -> UrgencyDecision:
    """The urgency of `synthesis`, which `outcomes` added up to. Only tags of final assessments count."""
    urgency, rule = _by_thresholds(synthesis.impact_score, _tags(outcomes))
    if synthesis.agents_ok >= MIN_AGENTS:
        return UrgencyDecision(urgency, degraded=False, rule=rule)
    quieter = _LOUDEST_FIRST[min(_LOUDEST_FIRST.index(urgency) + 1, len(_LOUDEST_FIRST) - 1)]
    step = f"one down from {urgency}" if quieter is not urgency else f"{urgency} stays"
    few = f"degraded, {synthesis.agents_ok} of {len(AGENT_NAMES)} agents: {step}"
    return UrgencyDecision(quieter, degraded=True, rule=f"{rule}; {few}")


def reading(impact: float, confidence: float, thresholds: ReadingThresholds | None = None) -> Reading:
    """Impact read with confidence: what kind of news this is for somebody with rules of their own."""
    limits = thresholds or ReadingThresholds()
    certain = _reaches(confidence, limits.confidence)
    if _reaches(impact, limits.impact):
        return "act by your rules" if certain else "hypothesis"
    return "known noise" if certain else "ignore"


def bar_colour(impact: float) -> BarColour:
    """The colour of the impact bar: red from 0.70, amber from 0.45, blue below."""
    if _reaches(impact, BAR_RED):
        return "red"
    return "amber" if _reaches(impact, BAR_AMBER) else "blue"


def _reaches(value: float, threshold: float) -> bool:
    return comparable(value) >= threshold


def _tags(outcomes: Sequence[Outcome]) -> tuple[Report, ...]:
    """The reports whose final assessment tags a flash event, in table order."""
    tagging = [o for o in outcomes if isinstance(o, Report) and o.final.event_type is not None]
    return tuple(sorted(tagging, key=lambda report: TABLE_ORDER[report.agent]))


def _by_thresholds(impact: float, tags: Sequence[Report]) -> tuple[Urgency, str]:
    if tags and _reaches(impact, FLASH_IMPACT):
        return Urgency.FLASH, f"{_compared(impact, FLASH_IMPACT)} and {_tagged(tags)}"
    promoting = [report for report in tags if report.agent in PROMOTING_AGENTS]
    if promoting and _reaches(impact, PROMOTION_IMPACT):
        return Urgency.FLASH, f"{_compared(impact, PROMOTION_IMPACT)} and {_tagged(promoting)}"
    if _reaches(impact, ALERT_IMPACT):
        return Urgency.ALERT, _compared(impact, ALERT_IMPACT)
    if _reaches(impact, NOTE_IMPACT):
        return Urgency.NOTE, _compared(impact, NOTE_IMPACT)
    return Urgency.FYI, _compared(impact, NOTE_IMPACT)


def _tagged(tags: Sequence[Report]) -> str:
    """Who tagged which flash event: "bankruptcy tagged by SignalScope, MacroMind"."""
    by_event: dict[str, list[str]] = {}
    for report in tags:
        by_event.setdefault(str(report.final.event_type), []).append(report.agent)
    return "; ".join(f"{event} tagged by {', '.join(agents)}" for event, agents in by_event.items())


def _compared(impact: float, threshold: float) -> str:
    """The comparison in words, with as many decimals as it takes to be true as printed."""
    reached = _reaches(impact, threshold)
    shown = next(
        (text for text in (f"{impact:.{places}f}" for places in range(2, 9)) if (float(text) >= threshold) == reached),
        f"{comparable(impact):.9f}",
    )
    return f"impact {shown} {'>=' if reached else '<'} {threshold:.2f}"
