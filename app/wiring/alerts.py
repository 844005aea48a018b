"""The policy of alerts and their channels, from the configuration."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta, tzinfo
from pathlib import Path
from random import Random
from typing import Final
from urllib.parse import urlsplit

from agents.models import Urgency
from app.alerts.channels.desktop import Desktop, desktop_way
from app.alerts.channels.ntfy import Ntfy, read_ntfy
from app.alerts.channels.protocol import Channel
from app.alerts.channels.screen import Screen
from app.alerts.channels.telegram import Telegram, read_telegram
from app.alerts.channels.through_apprise import ThroughApprise
from app.alerts.channels.webhook import Webhook
from app.alerts.channels.webpush import Subscriptions, WebPush
from app.alerts.config import resolved
from app.alerts.decision import Policy, Route
from app.alerts.dispatcher import Dispatcher
from app.alerts.no_screen import NoScreen
from app.alerts.quiet import QuietHours
from app.alerts.rule import LOUD
from app.alerts.user_rules import read_rules, symbols_of
from app.alerts.worker import Desk, Worker
from app.clock import Clock
from app.config.config import Config
from app.config.zone import zone
from app.errors import ConfigError
from app.events import Bus
from app.paths import database_file
from app.pipeline.trouble import Troubles
from app.pipeline.write_pause import WritePause
from feeds.network.http import HttpClient
from feeds.network.transport import host_of
from storage.alerts import TERMINAL
from storage.database import Database
from storage.mutes import Mutes
from storage.outbox import Outbox

WEBPUSH: Final = "webpush:"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A channel as the configuration asks for it."""

    label: str
    url: str = field(repr=False)
    route: Route
    secret: str = field(default="", repr=False)
    server: str = ""


def groups_of(config: Config) -> dict[str, frozenset[str]]:
    """The symbols behind each "@name": the user's groups, the watchlist and the holdings in it."""
    own = {f"@{name}": frozenset(symbols) for name, symbols in config.alerts.groups.items()}
    watched = frozenset(one.symbol for one in config.watchlist)
    return {**own, "@watchlist": watched, "@holdings": frozenset(one.symbol for one in config.watchlist if one.holding)}


def wanted_channels(config: Config) -> list[Wanted]:
    """The channels besides the terminal and the desktop. Raises ConfigError for an address that cannot be one."""
    found: dict[str, Wanted] = {}
    for urgency, addresses in ((Urgency.FLASH, config.alerts.flash), (Urgency.ALERT, config.alerts.alert)):
        for place, address in enumerate(addresses):
            url = _address(address.get_secret_value(), f"alerts.{urgency.lower()}[{place}]")
            label = _label(url)
            before = found[label].route.urgencies if label in found else frozenset()
            found[label] = Wanted(label, url, Route(label, before | {urgency}))
    groups = groups_of(config)
    for place, entry in enumerate(config.alerts.channel):
        url = _address(entry.url.get_secret_value(), f"alerts.channel[{place}].url")
        secret = entry.secret.get_secret_value()
        if secret and not resolved(secret):
            raise ConfigError(f"alerts.channel[{place}].secret: the environment has no {secret.removeprefix('env:')}")
        symbols = symbols_of(entry.tickers, groups) if entry.tickers else None
        route = Route(entry.name, frozenset(Urgency(one) for one in entry.urgency), symbols)
        found[entry.name] = Wanted(entry.name, url, route, secret=resolved(secret), server=entry.server)
    return list(found.values())


def policy_of(config: Config, routes: Iterable[Route], time_zone: tzinfo) -> Policy:
    """What the configuration says of alerts; `routes` are the channels besides the terminal."""
    alerts = config.alerts
    return Policy(
        max_age=timedelta(seconds=alerts.max_age_s),
        routes=(Route(TERMINAL), *routes),
        rules=read_rules(alerts.rule, groups_of(config)),
        quiet=QuietHours.read(alerts.quiet_hours, time_zone),
        cooldown={Urgency(name): timedelta(seconds=seconds) for name, seconds in alerts.cooldown_s.items()},
    )


def build_channel(wanted: Wanted, http: HttpClient, *, contact: str, clock: Clock, webpush_file: Path) -> Channel:
    """The channel behind an address: our own for Telegram, ntfy, webhooks and Web Push, apprise for every other."""
    url, label = wanted.url, wanted.label
    if url.startswith(("https://", "http://")):
        return Webhook(label, url, http, secret=wanted.secret, clock=clock.now)
    if url.startswith(WEBPUSH):
        return WebPush(label, Subscriptions(webpush_file), http, contact=contact, clock=clock.now)
    if telegram := read_telegram(url):
        return Telegram(label, telegram, http, server=wanted.server)
    if ntfy := read_ntfy(url):
        return Ntfy(label, ntfy, http)
    return ThroughApprise(label, url)


@asynccontextmanager
async def open_channels(
    config: Config, *, clock: Clock, webpush_file: Path | None = None
) -> AsyncIterator[list[tuple[Route, Channel]]]:
    """The channels outside the terminal, each with what it is for; closed at the end of the block."""
    wanted = wanted_channels(config)
    file = webpush_file or subscriptions_file(database_file())
    async with AsyncExitStack() as stack:
        hosts = [*config.network.allow_hosts, *(host for one in wanted for host in _own_hosts(one))]
        http = await stack.enter_async_context(HttpClient(contact=config.network.contact, allow_hosts=hosts))
        made: list[tuple[Route, Channel]] = []
        way = desktop_way()
        if config.alerts.desktop and way != "terminal":
            made.append((Route(Desktop.label, LOUD), Desktop(way)))
        for one in wanted:
            channel = build_channel(one, http, contact=config.network.contact, clock=clock, webpush_file=file)
            made.append((one.route, channel))
        for _, channel in made:
            stack.push_async_callback(channel.aclose)
        yield made


@asynccontextmanager
async def open_dispatcher(
    config: Config,
    database: Database,
    clock: Clock,
    bus: Bus,
    pause: WritePause,
    troubles: Troubles,
    *,
    offline: bool,
    screen: bool,
) -> AsyncIterator[Dispatcher]:
    """Decides and delivers. `offline`: a replay tells this terminal and nobody else. `screen`: there is one to tell."""
    time_zone = zone(config.timezone)
    desk = Desk(
        outbox=Outbox(database),
        mutes=Mutes(database),
        clock=clock,
        pause=pause,
        troubles=troubles,
        dice=Random(),
        quiet=QuietHours.read(config.alerts.quiet_hours, time_zone),
        zone=time_zone,
    )
    max_age = timedelta(seconds=config.alerts.max_age_s)
    terminal = Worker(Screen(bus, max_age=max_age), desk) if screen else NoScreen(desk, max_age=max_age)
    async with AsyncExitStack() as stack:
        made: Sequence[tuple[Route, Channel]] = ()
        if not offline:
            file = subscriptions_file(database.path)
            made = await stack.enter_async_context(open_channels(config, clock=clock, webpush_file=file))
        policy = policy_of(config, (route for route, _ in made), time_zone)
        yield Dispatcher(policy, desk, [terminal, *(Worker(channel, desk) for _, channel in made)])


def subscriptions_file(database: Path) -> Path:
    """Where the browsers of a database are kept."""
    return database.with_name("browsers.json")


def _address(written: str, key: str) -> str:
    """The address itself. Raises ConfigError without naming it."""
    url = resolved(written)
    if not url:
        raise ConfigError(f"{key}: the environment has no {written.removeprefix('env:')}; set it to the address")
    if url.startswith(WEBPUSH) or "://" in url:
        return url
    raise ConfigError(f"{key}: not an address of a channel; they look like tgram://TOKEN/CHAT or ntfy://TOPIC")


def _label(url: str) -> str:
    """A name for an address that gives nothing of it away."""
    scheme = url.partition(":")[0].lower()
    kind = "webhook" if scheme in ("http", "https") else scheme
    return f"{kind}-{hashlib.sha256(url.encode()).hexdigest()[:6]}"


def _own_hosts(wanted: Wanted) -> list[str]:
    """The host the user named for a channel: it may be on the user's own network."""
    if wanted.server:
        return [host_of(wanted.server)]
    if wanted.url.startswith(("https://", "http://")):
        return [host_of(wanted.url)]
    if ntfy := read_ntfy(wanted.url):
        return [urlsplit(ntfy.server).netloc]
    return []
