"""`tapewatch alerts`: try the channels, read the log and the reasons, silence things for a while."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING

import click

from app.commands.options import Options, global_options
from app.errors import AppError, UsageError

if TYPE_CHECKING:
    from app.alerts.trial import Tried
    from app.config.config import Config
    from storage.alert_log import AlertReader
    from storage.alerts import MuteKind

KINDS = ("ticker", "source", "story", "event", "all")


@click.group("alerts")
@global_options
def command(options: Options) -> None:
    """Try the channels, read the log and the reasons, silence things for a while."""


@command.command("test")
@global_options
def test_channels(options: Options) -> None:
    """Send one test alert through every configured channel; ends with 1 where one fails."""
    from app.log import logging_to

    config = options.load()
    with logging_to(None, debug=options.debug, secrets=config.alerts.secrets, quiet=not options.debug):
        failed = asyncio.run(_try_channels(config, options))
    if failed:
        raise AppError(f"{failed} of the channels did not take the test alert")


async def _try_channels(config: Config, options: Options) -> int:
    """Prints a line for each channel; returns how many failed."""
    from app.alerts.osc import notification
    from app.alerts.trial import trial_message, try_all
    from app.clock import SystemClock
    from app.config.zone import zone
    from app.log import redact
    from app.wiring.alerts import open_channels, subscriptions_file

    clock = SystemClock()
    message = trial_message(clock.now(), zone(config.timezone))
    file = subscriptions_file(options.database_file)
    async with open_channels(config, clock=clock, webpush_file=file) as made:
        channels = [channel for _, channel in made]
        width = max((len(one.label) for one in channels), default=0)
        width = max(width, len("terminal"))
        if sys.stdout.isatty() and config.alerts.desktop:
            sys.stdout.write(notification(message.title, "\n".join(message.lines)))
        bell = "bell and banner" if config.alerts.bell else "banner"
        click.echo(f"{'terminal':<{width}}  ok      {bell}, while the monitor is open")
        failed = 0

        def told(tried: Tried) -> str:
            outcome = f"failed  {redact(tried.error)}" if tried.error else f"ok      in {tried.elapsed_s:.1f} s"
            return f"{tried.label:<{width}}  {outcome}"

        async for tried in try_all(channels, message):
            failed += bool(tried.error)
            click.echo(told(tried))
    return failed


@command.command("list")
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, help="How many, newest first.")
@click.option("--dead", is_flag=True, help="Only those that never reached some channel.")
@click.option("--json", "as_json", is_flag=True, help="As JSON lines.")
@global_options
def list_alerts(limit: int, dead: bool, as_json: bool, options: Options) -> None:
    """The newest alerts, with their way through every channel."""
    from app.alerts.log_text import alert_json, alert_lines

    time_zone = _zone(options)
    with _reader(options) as reader:
        rows = reader.log(limit=limit, dead_only=dead)
    for row in rows:
        click.echo(
            json.dumps(alert_json(row), ensure_ascii=False) if as_json else "\n".join(alert_lines(row, time_zone))
        )
    if not rows and not as_json:
        click.echo("no dead letters" if dead else "no alerts yet")


@command.command("why")
@click.argument("name", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="As JSON lines, one for each revision.")
@global_options
def why(name: str, as_json: bool, options: Options) -> None:
    """Which rule and which gate decided on a signal or an alert. ID may be the beginning of it."""
    from app.alerts.log_text import decision_json, decision_lines

    time_zone = _zone(options)
    with _reader(options) as reader:
        decisions = reader.decisions(name)
        item = reader.item(name)
        if not decisions and item is None:
            raise AppError(f"alerts why: no signal or alert is called {name!r}, or several begin so")
        for one in decisions:
            alert = reader.alert(one.alert) if one.alert else None
            if as_json:
                click.echo(json.dumps(decision_json(one, alert), ensure_ascii=False))
            else:
                click.echo("\n".join(decision_lines(one, alert, time_zone)))
        if not decisions and item is not None:
            title, urgency = reader.urgency(item)
            told = (
                f"{urgency} by score goes to the feed only, and no rule speaks of it" if urgency else "not scored yet"
            )
            click.echo(json.dumps({"item": item, "outcome": "feed only"}) if as_json else f"{title}\n  {told}")


@command.command("mute")
@click.argument("what", nargs=-1, required=True, metavar="[ticker|source|story|event|all] NAME")
@click.option("--for", "span", default="", help="How long: 30m, 2h, 3d (default 8h; 1h for all).")
@global_options
def mute(what: tuple[str, ...], span: str, options: Options) -> None:
    """Silence a ticker, a source, a story, a kind of event, or everything. It still shows in the feed, marked."""
    from app.alerts.mutes import duration
    from storage.mutes import adding, beside

    kind, words = _kind(what)
    length = duration(span or ("1h" if kind == "all" else "8h"))
    if length is None:
        raise UsageError(f"alerts mute: {span!r} is no time; write 30m, 2h or 3d, a month at most")
    with _reader(options) as reader:
        value, shown = _found(reader, kind, words)
    now = datetime.now(UTC)
    number = beside(options.database_file, adding(kind, value, shown, until=now + length, now=now, by="command line"))
    until = (now + length).astimezone(_zone(options))
    click.echo(
        f"{number}: {kind} {shown}".rstrip()
        + f" is silent until {until:%Y-%m-%d %H:%M}; `alerts unmute {number}` lifts it"
    )


@command.command("unmute")
@click.argument("names", nargs=-1, required=True, metavar="NUMBER|NAME|everything")
@global_options
def unmute(names: tuple[str, ...], options: Options) -> None:
    """Lift mutes by number or name, or `everything`."""
    from storage.mutes import beside, lifting

    now = datetime.now(UTC)
    with _reader(options) as reader:
        active = reader.mutes(now)
    wanted = {name.casefold() for name in names}
    chosen = [
        one
        for one in active
        if "everything" in wanted or wanted & {str(one.id), one.value.casefold(), one.shown.casefold(), one.kind}
    ]
    if not chosen:
        raise AppError(
            f"alerts unmute: nothing called {' '.join(names)!r} is muted; `tapewatch alerts mutes` lists them"
        )
    beside(options.database_file, lifting([one.id for one in chosen], now))
    for one in chosen:
        click.echo(f"lifted {one.id}: {one.kind} {one.shown}".rstrip())


@command.command("mutes")
@click.option("--json", "as_json", is_flag=True, help="As a JSON list.")
@global_options
def mutes(as_json: bool, options: Options) -> None:
    """What is silent now, and until when."""
    from app.alerts.log_text import mute_json, mute_line

    now, time_zone = datetime.now(UTC), _zone(options)
    with _reader(options) as reader:
        active = reader.mutes(now)
    if as_json:
        click.echo(json.dumps([mute_json(one) for one in active], ensure_ascii=False, indent=2))
        return
    for one in active:
        click.echo(mute_line(one, now, time_zone))
    if not active:
        click.echo("nothing is muted")


@command.command("retry")
@click.argument("channel", required=False)
@global_options
def retry(channel: str | None, options: Options) -> None:
    """Let dead letters wait again, on one channel or on all; the running monitor sends them."""
    from storage.mutes import beside, requeueing

    count = beside(options.database_file, requeueing(channel))
    click.echo(
        f"{count} dead {'letter waits' if count == 1 else 'letters wait'} again"
        if count
        else "there are no dead letters"
    )


@command.command("browser")
@global_options
def browser(options: Options) -> None:
    """Subscribe a browser of this machine to alerts (Web Push); a channel with the url "webpush:" sends to it."""
    from app.wiring.alerts import WEBPUSH, subscriptions_file, wanted_channels

    try:
        from app.alerts.browser.server import SubscriptionPage
    except ImportError:
        from app.alerts.channels.webpush import MISSING

        raise AppError(f"alerts browser: {MISSING}") from None
    from app.alerts.channels.webpush import Subscriptions

    config = options.load()

    async def serve() -> None:
        async with SubscriptionPage(Subscriptions(subscriptions_file(options.database_file))) as page:
            click.echo(f"open {page.url}\nin the browser that is to show alerts; ctrl-c leaves")
            await page.subscribed.wait()

    try:
        asyncio.run(serve())
    except OSError as error:
        raise AppError(f"alerts browser: the page cannot be served ({error.strerror})") from error
    click.echo("subscribed")
    if not any(one.url.startswith(WEBPUSH) for one in wanted_channels(config)):
        click.echo('add it to the configuration:\n\n[[alerts.channel]]\nname = "browser"\nurl = "webpush:"')
    if not config.network.contact:
        click.echo("push services want to know whom to write to: set network.contact to your mail address")


def _kind(what: tuple[str, ...]) -> tuple[MuteKind, str]:
    """The kind of a mute and the rest of the words; a single name is a ticker's."""
    first = what[0].casefold()
    if first in KINDS and (len(what) > 1 or first == "all"):
        return first, " ".join(what[1:])  # type: ignore[return-value]
    return "ticker", " ".join(what)


def _found(reader: AlertReader, kind: MuteKind, words: str) -> tuple[str, str]:
    """What is stored of a mute and how it reads. Raises UsageError with the nearest right name."""
    from app.alerts.mutes import EVENT_NAMES
    from app.config.parts import nearest

    if kind == "all":
        return "", ""
    if kind == "ticker":
        symbol = words.upper()
        if not symbol or any(sign.isspace() for sign in symbol):
            raise UsageError(f"alerts mute: {words!r} is no symbol; kinds are {', '.join(KINDS)}")
        return symbol, symbol
    if kind == "event":
        if words not in EVENT_NAMES:
            raise UsageError(f"alerts mute: no event is called {words!r}; {nearest(words, EVENT_NAMES)}")
        return words, words
    if kind == "source":
        known = {name.casefold(): name for name in reader.source_names()}
        if words.casefold() not in known:
            raise UsageError(f"alerts mute: no source is called {words!r}; {nearest(words, known.values())}")
        return known[words.casefold()], known[words.casefold()]
    item = reader.item(words.partition(":")[0])
    story = reader.story(item) if item else None
    if item is None or story is None:
        raise UsageError(f"alerts mute: no story is called {words!r}; `tapewatch alerts list` shows their ids")
    return story, reader.urgency(item)[0]


@contextmanager
def _reader(options: Options) -> Iterator[AlertReader]:
    from storage.alert_log import AlertReader

    if not options.database_file.exists():
        raise AppError(f"{options.database_file}: no database yet; open the monitor once to make it")
    with AlertReader(options.database_file) as reader:
        yield reader


def _zone(options: Options) -> tzinfo:
    from app.config.zone import zone

    return zone(options.load().timezone)
