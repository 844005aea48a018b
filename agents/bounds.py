"""How far a model's word goes. What it says of an item is held to what the built-in rules read in the same words.

Text without orders
  impact    at most LIFT above the rules' impact (a model sees more than rules, but not anything)
  event     only one that the rules recognise in the item, certain or doubtful
Text that gave orders, which were cut out before anybody saw it (`agents.orders`)
  impact    as without orders while nobody is woken by it; from ALERT on at most MARGIN above the rules' impact, and
            never more than MARGIN below it
  event     only one that the rules read as happening now
  tickers   only those the rules link or the rest of the text names
  the rest  direction and tone never against the rules'

A ticker's impact is held like the item's. Which tickers may be linked at all, and how closely, is `agents.links`; which
tools may be asked, and how often, `agents.enquiry`. Each change is a note on the report, in words.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from agents.models import AGENT_NAMES, Assessment, Direction, FlashEvent, TickerLink
from agents.urgency import ALERT_IMPACT
from feeds.models import Item

LIFT = 0.40
"""The most a model may score above the rules."""
MARGIN = 0.25
"""The most a model may differ from the rules where the text gave orders."""

_QUIET = ALERT_IMPACT - 0.001
"""The most an impact may be without anybody being told."""
_CLEAR = 0.2
"""From here on the rules' tone has a sign that nobody may turn round."""


@dataclass(frozen=True, slots=True)
class RulesView:
    """What the rules make of an item without evidence: the loudest of the five, the events, the links."""

    impact_score: float
    tone: float | None
    directions: Mapping[str, Direction]
    events: frozenset[FlashEvent]
    certain: frozenset[FlashEvent]


ReadByRules = Callable[[Item], Awaitable[RulesView]]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits for one item."""

    view: RulesView
    ordered: bool

    @property
    def highest(self) -> float:
        """The most the impact may be."""
        lifted = min(1.0, self.view.impact_score + LIFT)
        if not self.ordered:
            return lifted
        return min(lifted, max(self.view.impact_score + MARGIN, _QUIET))

    @property
    def lowest(self) -> float:
        """The least the impact may be."""
        return max(0.0, self.view.impact_score - MARGIN) if self.ordered else 0.0


@dataclass(frozen=True, slots=True)
class Held:
    """An assessment within its bounds, and what had to be changed, a line each."""

    assessment: Assessment
    notes: tuple[str, ...] = ()


def view_of(
    assessments: Sequence[Assessment], events: frozenset[FlashEvent], certain: frozenset[FlashEvent]
) -> RulesView:
    """The rules' view of an item, from what they say for each of the five agents."""
    if len(assessments) != len(AGENT_NAMES):
        raise ValueError("the rules judge for every agent")
    loudest = max(assessments, key=lambda one: one.impact_score)
    directions: dict[str, Direction] = {}
    for one in sorted(assessments, key=lambda one: -one.impact_score):
        for link in one.tickers_linked:
            directions.setdefault(link.symbol, link.direction)
    tones = [one.tone for one in assessments if one.tone is not None]
    return RulesView(
        impact_score=loudest.impact_score,
        tone=tones[0] if tones else None,
        directions=directions,
        events=events,
        certain=certain,
    )


def hold(given: Assessment, bounds: Bounds, named: Sequence[str]) -> Held:
    """`given` within `bounds`; `named` are the symbols the item's text names once its orders are cut out."""
    notes: list[str] = []
    why = "the text gives orders" if bounds.ordered else "beyond what its words support"
    impact = min(max(given.impact_score, bounds.lowest), bounds.highest)
    if impact != given.impact_score:
        notes.append(f"impact {given.impact_score:.2f} held to {impact:.2f}: {why}")
    event = given.event_type
    if event is not None and event not in (bounds.view.certain if bounds.ordered else bounds.view.events):
        notes.append(f"{event} not counted: no words of the item report it")
        event = None
    links = tuple(replace(one, impact_score=min(one.impact_score, bounds.highest)) for one in given.tickers_linked)
    held = replace(given, impact_score=impact, event_type=event, tickers_linked=links)
    if bounds.ordered:
        held = _as_the_rules_see_it(held, bounds.view, named, notes)
    return Held(held if held != given else given, tuple(notes))


def _as_the_rules_see_it(given: Assessment, view: RulesView, named: Sequence[str], notes: list[str]) -> Assessment:
    """All else that an order could have turned: the links, their directions, the tone."""
    known = {*view.directions, *named}
    links: list[TickerLink] = []
    for link in given.tickers_linked:
        if link.symbol not in known:
            notes.append(f"{link.symbol} not linked: the text gives orders and does not name it")
            continue
        seen = view.directions.get(link.symbol, "unclear")
        against = seen != "unclear" and link.direction not in (seen, "unclear")
        links.append(replace(link, direction=seen) if against else link)
    tone = given.tone
    if tone is not None and view.tone is not None and abs(view.tone) >= _CLEAR and tone * view.tone < 0:
        notes.append(f"tone {tone:+.2f} held to {view.tone:+.2f}: the text gives orders")
        tone = view.tone
    return replace(given, tickers_linked=tuple(links), tone=tone)
