"""From a signal to the wish to alert: every gate in its order, each with its word in the trace. Pure.

The gates: score, the user's rules, urgency, age, mutes, channels, quiet hours. Storage adds the last two, which need
the outbox: whether the story has alerted already, and the cooldown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from agents.models import Signal, Synthesis, Urgency
from app.alerts.mutes import Subject, muting, subject_of
from app.alerts.quiet import QuietHours, holding
from app.alerts.rule import LOUD, too_old
from app.alerts.user_rules import Rule, Ruled, apply_rules
from feeds.models import Item
from storage.alerts import TERMINAL, AlertDraft, Mute, Outcome, Step


@dataclass(frozen=True, slots=True)
class Route:
    """A channel and what it is for; without `symbols` it is for all news."""

    channel: str
    urgencies: frozenset[Urgency] = LOUD
    symbols: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """What the configuration says of alerts."""

    max_age: timedelta
    routes: tuple[Route, ...] = (Route(TERMINAL),)
    rules: tuple[Rule, ...] = ()
    quiet: QuietHours | None = None
    cooldown: Mapping[Urgency, timedelta] = field(default_factory=dict)


def decide(
    item: Item, signal: Signal, *, policy: Policy, mutes: Sequence[Mute], accepted_at: datetime, now: datetime
) -> AlertDraft | None:
    """The alert a signal is worth, or the record of what stopped it; None for feed news that no rule speaks of."""
    total, urgency = signal.synthesis, signal.urgency
    if total is None or urgency is None:
        return None
    ruled = apply_rules(policy.rules, item, signal, urgency, total)
    if urgency not in LOUD and not ruled.touched:
        return None
    scored = f"{urgency} by score: impact {total.impact_score:.2f}, {total.event_type or total.signal_type}"
    trace = [Step("score", "passed", scored), *ruled.steps]
    outcome, step = _gate(item, ruled, subject_of(item, signal), policy, mutes, accepted_at, now)
    trace.append(step)
    channels: tuple[str, ...] = ()
    if outcome == "alert":
        channels, steps = _channels(ruled, policy, total)
        trace += steps
        held = holding(now, ruled.urgency, policy.quiet, mutes)
        if held:
            trace.append(Step(held.why, "held", f"until {held.until:%Y-%m-%d %H:%M} UTC, then as one digest"))
    return AlertDraft(
        _reason(ruled.urgency, urgency, total),
        now,
        channels,
        urgency=ruled.urgency,
        outcome=outcome,
        trace=tuple(trace),
        kind=_kind(ruled.urgency, total),
        cooldown=policy.cooldown.get(ruled.urgency, timedelta(0)),
    )


def _gate(
    item: Item,
    ruled: Ruled,
    subject: Subject,
    policy: Policy,
    mutes: Sequence[Mute],
    accepted_at: datetime,
    now: datetime,
) -> tuple[Outcome, Step]:
    """The first gate that stops an alert, or that none does."""
    if ruled.muted_by:
        return "muted", Step("rules", "stopped", f"muted by {ruled.muted_by}")
    if ruled.urgency not in LOUD:
        return "feed only", Step("urgency", "stopped", f"{ruled.urgency} goes to the feed only")
    if old := too_old(item, accepted_at=accepted_at, now=now, max_age=policy.max_age):
        return "too old", Step("age", "stopped", old)
    if muted := muting(subject, mutes, now):
        told = ", ".join(f"{one.kind} {one.shown} until {one.until:%Y-%m-%d %H:%M} UTC" for one in muted)
        return "muted", Step("mute", "stopped", told)
    return "alert", Step("age and mutes", "passed", "fresh, and nothing mutes it")


def _channels(ruled: Ruled, policy: Policy, total: Synthesis) -> tuple[tuple[str, ...], list[Step]]:
    if ruled.channels is not None:
        known = {route.channel for route in policy.routes}
        chosen = tuple(name for name in ruled.channels if name in known)
        return chosen, [Step("channels", "changed", f"by rule: {', '.join(chosen) or 'none'}")]
    symbols = {one.symbol for one in total.tickers_linked}
    fitting: list[str] = []
    left_out: list[str] = []
    for route in policy.routes:
        if ruled.urgency not in route.urgencies:
            left_out.append(f"{route.channel} takes no {ruled.urgency}")
        elif route.symbols is not None and not symbols & route.symbols:
            left_out.append(f"{route.channel} is for other tickers")
        else:
            fitting.append(route.channel)
    detail = ", ".join(fitting) or "none"
    return tuple(fitting), [Step("channels", "passed", "; ".join((detail, *left_out)))]


def _reason(urgency: Urgency, scored: Urgency, total: Synthesis) -> str:
    by_rule = ""
    if urgency is not scored:
        order = tuple(Urgency)
        word = "raised" if order.index(urgency) < order.index(scored) else "lowered"
        by_rule = f" ({word} from {scored} by rule)"
    return f"{urgency}: {total.event_type or total.signal_type}, impact {total.impact_score:.2f}{by_rule}"


def _kind(urgency: Urgency, total: Synthesis) -> str:
    symbol = total.tickers_linked[0].symbol if total.tickers_linked else "no ticker"
    return f"{urgency} {total.event_type or total.signal_type} {symbol}"
