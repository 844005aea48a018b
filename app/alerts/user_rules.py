"""The user's own rules, applied to a signal in their order. Pure: they change the delivery, never the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agents.models import Signal, Synthesis, Urgency
from app.alerts.config import RuleEntry
from feeds.models import Item
from storage.alerts import Step

_LOUDEST = tuple(Urgency)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its groups of symbols resolved."""

    name: str
    entry: RuleEntry
    symbols: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Ruled:
    """What the rules made of a signal. `channels` None leaves the configured ones; `touched` says that any applied."""

    urgency: Urgency
    channels: tuple[str, ...] | None = None
    muted_by: str = ""
    touched: bool = False
    steps: tuple[Step, ...] = ()


def read_rules(entries: Sequence[RuleEntry], groups: Mapping[str, frozenset[str]]) -> tuple[Rule, ...]:
    """The rules of the configuration; `groups` are the symbols behind each "@name"."""
    return tuple(
        Rule(entry.name or f"rule {number}", entry, symbols_of(entry.when.ticker, groups))
        for number, entry in enumerate(entries, 1)
    )


def symbols_of(tickers: Sequence[str], groups: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Symbols with every group among them resolved."""
    return frozenset(symbol for one in tickers for symbol in (groups.get(one, ()) if one.startswith("@") else (one,)))


def apply_rules(rules: Sequence[Rule], item: Item, signal: Signal, urgency: Urgency, total: Synthesis) -> Ruled:
    """`urgency` and the channels after every rule that fits; one that mutes is the last."""
    ruled = Ruled(urgency)
    for rule in rules:
        reason = mismatch(rule, item, ruled.urgency, total)
        if reason:
            ruled = replace(ruled, steps=(*ruled.steps, Step(rule.name, "passed", f"does not apply: {reason}")))
            continue
        ruled = _follow(rule, ruled)
        if ruled.muted_by:
            break
    return ruled


def mismatch(rule: Rule, item: Item, urgency: Urgency, total: Synthesis) -> str:
    """The first condition of a rule that does not fit, in words; empty where all do."""
    when = rule.entry.when
    symbols = {one.symbol for one in total.tickers_linked} | set(item.tickers)
    sources = {name.casefold() for name in (item.source_id, item.source_name, item.outlet) if name}
    checks = (
        (when.urgency, urgency in when.urgency, f"urgency is {urgency}"),
        (when.ticker, bool(symbols & rule.symbols), f"tickers are {', '.join(sorted(symbols)) or 'none'}"),
        (when.event, total.event_type in when.event, f"event is {total.event_type or 'none'}"),
        (when.signal_type, total.signal_type in when.signal_type, f"signal type is {total.signal_type}"),
        (when.source, any(one.casefold() in sources for one in when.source), f"source is {item.source_name}"),
        (when.text, when.text.casefold() in item.text.casefold(), f"the text has no {when.text!r}"),
        (when.min_impact, total.impact_score >= when.min_impact, f"impact is {total.impact_score:.2f}"),
        (
            when.min_confidence,
            total.confidence_score >= when.min_confidence,
            f"confidence is {total.confidence_score:.2f}",
        ),
    )
    return next((told for wanted, fits, told in checks if wanted and not fits), "")


def _follow(rule: Rule, ruled: Ruled) -> Ruled:
    """What a rule that applies does."""
    then, urgency, done = rule.entry.then, ruled.urgency, []
    if then.raise_to and _LOUDEST.index(Urgency(then.raise_to)) < _LOUDEST.index(urgency):
        done.append(f"raised from {urgency} to {then.raise_to}")
        urgency = Urgency(then.raise_to)
    if then.lower_to and _LOUDEST.index(Urgency(then.lower_to)) > _LOUDEST.index(urgency):
        done.append(f"lowered from {urgency} to {then.lower_to}")
        urgency = Urgency(then.lower_to)
    channels = ruled.channels if then.channels is None else then.channels
    if then.channels is not None:
        done.append(f"goes to {', '.join(then.channels) or 'no channel'}")
    if then.mute:
        done.append("muted")
    step = Step(rule.name, "stopped" if then.mute else "changed" if done else "passed", ", ".join(done) or "applies")
    return Ruled(urgency, channels, rule.name if then.mute else "", True, (*ruled.steps, step))
