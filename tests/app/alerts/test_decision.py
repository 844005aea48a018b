"""From a signal to an alert: every gate says what it did."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Any

import pytest

from agents.models import FlashEvent, LinkedTicker, Signal, Synthesis, Urgency
from app.alerts.decision import Policy, Route, decide
from app.alerts.quiet import QuietHours
from app.alerts.rule import LOUD
from app.alerts.user_rules import read_rules
from app.config import config
from feeds.models import Item, Published, Tier
from storage.alerts import AlertDraft, Mute, Step

POLICY = Policy(timedelta(minutes=30), (Route("terminal"), Route("phone", frozenset({Urgency.FLASH}))))
CHIPS = {"@chips": frozenset({"NVDA", "AMD"})}


def item(now: datetime, *, backlog: bool = False, title: str = "US adds 14 chipmakers to export list") -> Item:
    dated = Published(now, "second", None)
    return Item("i", "wire", "Harbour Wire", Tier.NEWSROOM, title, "", "", dated, now, "story", backlog=backlog)


def signal(
    now: datetime,
    urgency: Urgency | None = Urgency.FLASH,
    *,
    impact: float = 0.9,
    event: FlashEvent | None = "export_ban",
) -> Signal:
    linked = (LinkedTicker("NVDA", 0.88, "direct", "down", "named"),)
    total = Synthesis(impact, 0.8, "policy_change", event, linked, 1.0, None, 5) if urgency else None
    return Signal("i", 0, (), total, urgency, False, None, 1.0, "rules", now)


def ask(
    now: datetime, urgency: Urgency | None = Urgency.FLASH, *, policy: Policy = POLICY, it: Item | None = None,
    mutes: tuple[Mute, ...] = (), **others: Any,
) -> AlertDraft | None:  # fmt: skip
    made = signal(now, urgency, **others)
    return decide(it or item(now), made, policy=policy, mutes=mutes, accepted_at=now, now=now)


def rules(text: str) -> Policy:
    read = config.parse(f"[alerts]\ngroups = {{ chips = ['NVDA', 'AMD'] }}\n{PHONE}{text}", "c").alerts
    return replace(POLICY, rules=read_rules(read.rule, CHIPS))


PHONE = "[[alerts.channel]]\nname = 'phone'\nurl = 'ntfy://news'\n"


@pytest.mark.parametrize(
    ("urgency", "outcome", "channels"),
    [
        (Urgency.FLASH, "alert", ("terminal", "phone")),
        (Urgency.ALERT, "alert", ("terminal",)),
        (Urgency.NOTE, None, ()),
        (Urgency.FYI, None, ()),
        (None, None, ()),
    ],
)
def test_delivery_by_urgency(
    now: datetime, urgency: Urgency | None, outcome: str | None, channels: tuple[str, ...]
) -> None:
    draft = ask(now, urgency)
    assert (draft and draft.outcome) == outcome
    assert draft is None or draft.channels == channels


def test_the_trace_names_every_gate_and_the_reason_event_and_impact(now: datetime) -> None:
    draft = ask(now)
    assert draft is not None
    assert draft.reason == "FLASH: export_ban, impact 0.90"
    assert draft.trace == (
        Step("score", "passed", "FLASH by score: impact 0.90, export_ban"),
        Step("age and mutes", "passed", "fresh, and nothing mutes it"),
        Step("channels", "passed", "terminal, phone"),
    )


def test_history_is_recorded_and_silent(now: datetime) -> None:
    draft = ask(now, it=item(now, backlog=True))
    assert draft is not None
    assert (draft.outcome, draft.trace[-1].detail) == ("too old", "the feed held it already when it was first read")


def test_a_mute_is_recorded_with_its_end(now: datetime) -> None:
    mute = Mute(1, "ticker", "NVDA", "NVDA", now, now + timedelta(hours=2))
    draft = ask(now, mutes=(mute,))
    assert draft is not None
    assert (draft.outcome, draft.trace[-1]) == (
        "muted",
        Step("mute", "stopped", "ticker NVDA until 2026-03-10 20:30 UTC"),
    )


def test_a_channel_for_other_tickers_stays_silent_and_says_so(now: datetime) -> None:
    policy = replace(POLICY, routes=(Route("terminal"), Route("oil", LOUD, frozenset({"XOM"}))))
    draft = ask(now, policy=policy)
    assert draft is not None
    assert draft.channels == ("terminal",)
    assert draft.trace[-1].detail == "terminal; oil is for other tickers"


def test_quiet_hours_are_in_the_trace_of_what_they_hold(now: datetime) -> None:
    policy = replace(POLICY, quiet=QuietHours(time(18), time(20), now.tzinfo))  # type: ignore[arg-type]
    held, passed = ask(now, Urgency.ALERT, policy=policy), ask(now, policy=policy)
    assert held is not None
    assert passed is not None
    assert held.trace[-1] == Step("quiet hours", "held", "until 2026-03-10 20:00 UTC, then as one digest")
    assert passed.trace[-1].gate == "channels"


def test_the_cooldown_counts_by_urgency_event_and_leading_ticker(now: datetime) -> None:
    policy = replace(POLICY, cooldown={Urgency.ALERT: timedelta(minutes=5)})
    draft = ask(now, Urgency.ALERT, policy=policy)
    assert draft is not None
    assert (draft.kind, draft.cooldown) == ("ALERT export_ban NVDA", timedelta(minutes=5))


RULE = "[[alerts.rule]]\nname = 'mine'\n"


@pytest.mark.parametrize(
    ("when", "fits"),
    [
        ("", True),
        ("urgency = ['NOTE']", True),
        ("urgency = ['FYI']", False),
        ("ticker = ['@chips']", True),
        ("ticker = ['XOM', 'NVDA']", True),
        ("ticker = ['XOM']", False),
        ("event = ['export_ban']", True),
        ("event = ['fraud']", False),
        ("signal_type = ['policy_change']", True),
        ("signal_type = ['earnings']", False),
        ("source = ['harbour wire']", True),
        ("source = ['wire']", True),
        ("source = ['Gazette']", False),
        ("text = 'CHIPMAKERS'", True),
        ("text = 'oats'", False),
        ("min_impact = 0.5", True),
        ("min_impact = 0.51", False),
        ("min_confidence = 0.8", True),
        ("min_confidence = 0.81", False),
        ("ticker = ['NVDA'], min_impact = 0.6", False),
    ],
)
def test_a_rule_applies_where_every_condition_fits(now: datetime, when: str, fits: bool) -> None:
    policy = rules(f"{RULE}when = {{ {when} }}\nthen = {{ raise = 'FLASH' }}\n")
    draft = ask(now, Urgency.NOTE, policy=policy, impact=0.5)
    assert (draft is not None and draft.urgency is Urgency.FLASH) is fits


@pytest.mark.parametrize(
    ("then", "urgency", "outcome", "channels", "step"),
    [
        ("raise = 'FLASH'", Urgency.FLASH, "alert", ("terminal", "phone"), "raised from ALERT to FLASH"),
        ("raise = 'NOTE'", Urgency.ALERT, "alert", ("terminal",), "applies"),
        ("lower = 'NOTE'", Urgency.NOTE, "feed only", (), "lowered from ALERT to NOTE"),
        ("channels = ['phone']", Urgency.ALERT, "alert", ("phone",), "goes to phone"),
        ("channels = []", Urgency.ALERT, "alert", (), "goes to no channel"),
        ("mute = true", Urgency.ALERT, "muted", (), "muted"),
    ],
)
def test_what_a_rule_does(
    now: datetime, then: str, urgency: Urgency, outcome: str, channels: tuple[str, ...], step: str
) -> None:
    draft = ask(now, Urgency.ALERT, policy=rules(f"{RULE}then = {{ {then} }}\n"))
    assert draft is not None
    assert (draft.urgency, draft.outcome, draft.channels) == (urgency, outcome, channels)
    assert draft.trace[1].gate == "mine"
    assert draft.trace[1].detail == step


def test_rules_apply_in_their_order_and_one_that_mutes_is_the_last(now: datetime) -> None:
    policy = rules(
        f"{RULE}then = {{ raise = 'FLASH' }}\n"
        "[[alerts.rule]]\nname = 'second'\nwhen = { urgency = ['FLASH'] }\nthen = { mute = true }\n"
        "[[alerts.rule]]\nname = 'third'\nthen = { lower = 'FYI' }\n"
    )
    draft = ask(now, Urgency.ALERT, policy=policy)
    assert draft is not None
    assert [step.gate for step in draft.trace] == ["score", "mine", "second", "rules"]
    assert draft.outcome == "muted"
