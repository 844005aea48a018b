"""The `[alerts]` table: who is told of what, where and when, and the user's own rules; names are checked at load."""

from __future__ import annotations

import difflib
import os
import re
from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr, ValidationInfo, field_validator

from agents.models import FLASH_EVENTS, SIGNAL_TYPES, Urgency
from app.config.parts import Secrets, Section, Strings, Symbols, must_be_one_of, must_match, nearest

SECRET_KEYS: frozenset[int | str] = frozenset({"flash", "alert", "url", "secret"})
"""Keys of the table whose values are never shown."""

OWN_CHANNELS = ("terminal", "desktop")
OWN_GROUPS = ("@watchlist", "@holdings")
_HOURS = r"|([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d"

QuietHours = Annotated[str, must_match(_HOURS, 'hours are written like "22:00-06:30"')]
UrgencyName = Annotated[str, must_be_one_of("urgency", [one.value for one in Urgency])]
Urgencies = Annotated[tuple[UrgencyName, ...], Field(strict=False)]
Events = Annotated[tuple[Annotated[str, must_be_one_of("event", FLASH_EVENTS)], ...], Field(strict=False)]
SignalTypes = Annotated[tuple[Annotated[str, must_be_one_of("signal type", SIGNAL_TYPES)], ...], Field(strict=False)]
Ticker = Annotated[
    str,
    must_match(r"@[a-z][a-z0-9_-]*|[A-Z0-9][A-Z0-9.=^-]{0,14}", 'write a symbol like "NVDA" or a group like "@chips"'),
]
Tickers = Annotated[tuple[Ticker, ...], Field(strict=False)]
ChannelName = Annotated[str, must_match(r"[a-z][a-z0-9_-]{0,30}", 'a channel is named like "phone"')]
GroupName = Annotated[str, must_match(r"[a-z][a-z0-9_-]{0,30}", 'a group is named like "chips"')]
Score = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False, strict=False)]


def _source_like(value: str) -> str:
    """Refuses what is nearly, but not quite, the name of a built-in source; another name may be an outlet's."""
    from feeds.registry import builtin_sources  # only rules that name a source need the list

    known = {name for one in builtin_sources() for name in (one.id, one.name)}
    folded = {name.casefold(): name for name in known}
    if value.casefold() not in folded:
        close = difflib.get_close_matches(value.casefold(), folded, n=1, cutoff=0.85)
        if close:
            raise ValueError(f"no source is called {value!r}; did you mean {folded[close[0]]}?")
    return value


class When(Section):
    """What a signal must be for a rule to apply: every key that is given must fit, in a list any of its values."""

    urgency: Urgencies = ()
    ticker: Tickers = ()
    event: Events = ()
    signal_type: SignalTypes = ()
    source: Annotated[tuple[Annotated[str, AfterValidator(_source_like)], ...], Field(strict=False)] = ()
    text: str = Field(default="", max_length=200)
    min_impact: Score = 0.0
    min_confidence: Score = 0.0


class Then(Section):
    """What a rule does: other channels, a louder or quieter urgency for the delivery, or silence."""

    channels: Strings | None = None
    raise_to: UrgencyName | None = Field(default=None, alias="raise")
    lower_to: UrgencyName | None = Field(default=None, alias="lower")
    mute: bool = False


class RuleEntry(Section):
    """One rule of the user."""

    name: str = Field(default="", max_length=60)
    when: When = When()
    then: Then


class ChannelEntry(Section):
    """A channel with a name: where alerts go, of which urgency, and about which symbols (none: all)."""

    name: ChannelName
    url: SecretStr
    secret: SecretStr = SecretStr("")
    server: str = ""
    urgency: Urgencies = ("FLASH", "ALERT")
    tickers: Tickers = ()

    @field_validator("name")
    @classmethod
    def _not_ours(cls, value: str) -> str:
        if value in OWN_CHANNELS:
            raise ValueError(f"{value} is a channel of the program; choose another name")
        return value


class Alerts(Section):
    """Who is told, when, and how old news may be at first sight to be worth an alert (`max_age_s`).

    `cooldown_s` keeps back alerts of the same urgency, event and leading symbol for so long after one went out.
    """

    flash: Secrets = ()
    alert: Secrets = ()
    quiet_hours: QuietHours = ""
    bell: bool = True
    desktop: bool = True
    max_age_s: int = Field(default=1800, ge=0)
    cooldown_s: dict[UrgencyName, Annotated[int, Field(ge=0, le=86_400)]] = Field(default={})
    groups: dict[GroupName, Symbols] = Field(default={})
    channel: Annotated[tuple[ChannelEntry, ...], Field(strict=False)] = ()
    rule: Annotated[tuple[RuleEntry, ...], Field(strict=False)] = ()

    @field_validator("channel")
    @classmethod
    def _channels_fit(cls, value: tuple[ChannelEntry, ...], info: ValidationInfo) -> tuple[ChannelEntry, ...]:
        names = [one.name for one in value]
        for place, one in enumerate(value):
            if one.name in names[:place]:
                raise ValueError(f"two channels are called {one.name!r}")
            _check_groups(one.tickers, info, f"channel {one.name!r}")
        return value

    @field_validator("rule")
    @classmethod
    def _rules_fit(cls, value: tuple[RuleEntry, ...], info: ValidationInfo) -> tuple[RuleEntry, ...]:
        if "channel" not in info.data:
            return value
        known = [*OWN_CHANNELS, *(one.name for one in info.data["channel"])]
        for place, one in enumerate(value, 1):
            called = f"rule {one.name or place!r}"
            _check_groups(one.when.ticker, info, called)
            for name in one.then.channels or ():
                if name not in known:
                    raise ValueError(f"{called}: no channel is called {name!r}; {nearest(name, known)}")
            if one.then == Then():
                raise ValueError(f"{called} does nothing; then takes channels, raise, lower or mute")
        return value

    @property
    def addresses(self) -> tuple[str, ...]:
        """Every address and key of the table as it was written."""
        own = (value for one in self.channel for value in (one.url, one.secret))
        return tuple(one.get_secret_value() for one in (*self.flash, *self.alert, *own))

    @property
    def secrets(self) -> tuple[str, ...]:
        """The addresses and keys in clear, and their parts that are worth hiding, for the log to know them."""
        return tuple(part for address in self.addresses for part in secret_parts(resolved(address)) if part)


def _check_groups(tickers: tuple[str, ...], info: ValidationInfo, called: str) -> None:
    known = [*OWN_GROUPS, *(f"@{name}" for name in info.data.get("groups", ()))]
    for one in tickers:
        if one.startswith("@") and one not in known:
            raise ValueError(f"{called}: no group is called {one!r}; {nearest(one, known)}")


def resolved(address: str) -> str:
    """`address`, or what the environment holds where it says "env:NAME"; empty where it holds nothing."""
    return os.environ.get(address.removeprefix("env:"), "") if address.startswith("env:") else address


def secret_parts(address: str) -> tuple[str, ...]:
    """An address and those of its parts that may stand alone in somebody's message: tokens, passwords, topics."""
    rest = address.partition("://")[2] or address
    parts = [part for part in re.split(r"[/?&=@#]", rest) if len(part) >= 8 and not _host_like(part)]
    return tuple(dict.fromkeys((address, *parts)))


def _host_like(part: str) -> bool:
    return re.fullmatch(r"(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?|[\d.]+:\d+|localhost(?::\d+)?", part) is not None
