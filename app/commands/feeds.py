"""`tapewatch feeds`: what is polled, whether it answers, and the user's own feeds."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.commands.options import FilePath, Options, global_options
from app.errors import AppError, UsageError

if TYPE_CHECKING:
    from app.commands.feed_check import Checked
    from app.config.config import Config
    from feeds.models import Source
    from storage.models import SourceRow


@click.group("feeds")
@global_options
def command(options: Options) -> None:
    """What is polled, whether it answers, and your own feeds."""


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="As a JSON list.")
@global_options
def list_feeds(as_json: bool, options: Options) -> None:
    """List the feeds that are polled, with their last state where there is one."""
    from app.log import redact
    from app.wiring.sources import subscribed_sources

    sources = subscribed_sources(options.load())
    rows = _rows(options)
    if as_json:
        click.echo(json.dumps([_listed(source, rows.get(source.id)) for source in sources], indent=2))
        return
    width = max((len(source.id) for source in sources), default=2)
    click.echo(f"{'id':<{width}}  tier  every  state      address")
    for source in sources:
        state = rows[source.id].state.status if source.id in rows else "new"
        every = f"{source.interval_s}s"
        click.echo(f"{source.id:<{width}}  {source.tier:>4}  {every:>5}  {state:<9}  {redact(source.url)}")


@command.command("check")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--all", "every", is_flag=True, help="Check every feed that is polled.")
@global_options
def check_feeds(ids: tuple[str, ...], every: bool, options: Options) -> None:
    """Ask feeds once whether they answer; ends with 1 where one does not."""
    from app.wiring.sources import subscribed_sources

    config = options.load()
    known = {source.id: source for source in subscribed_sources(config)}
    if not ids and not every:
        raise UsageError("feeds check: name the feeds to check, or give --all")
    if unknown := [name for name in ids if name not in known]:
        raise UsageError(f"feeds check: no feed is called {unknown[0]!r}; `tapewatch feeds list` shows them")
    failed = _check([known[name] for name in (known if every else ids)], config)
    if failed:
        raise AppError(f"{failed} of {len(known) if every else len(ids)} feeds did not answer with a feed")


@command.command("add")
@click.argument("url")
@click.option("--name", default="", help="What to call it; its host by default.")
@click.option("--tier", type=click.IntRange(1, 4), default=3, show_default=True, help="1 official ... 4 crowd.")
@click.option("--interval", type=click.IntRange(30, 86_400), default=300, show_default=True, help="Seconds.")
@global_options
def add_feed(url: str, name: str, tier: int, interval: int, options: Options) -> None:
    """Check the address, say what it holds, and poll it from now on."""
    from app.config import file as config_file
    from app.wiring.sources import subscribed_sources
    from feeds.errors import Refused
    from feeds.models import Tier
    from feeds.registry import builtin_sources, source_from_url

    config = options.load()
    try:
        source = source_from_url(url, name=name, tier=Tier(tier), interval_s=interval)
    except Refused as error:
        raise UsageError(f"feeds add: {error}") from None
    for other in subscribed_sources(config):
        if source.url == other.url:
            raise UsageError(f"feeds add: {other.id} polls this address already")
        if source.id == other.id:
            raise UsageError(
                f"feeds add: {other.id} would be its id, and is that of {other.url}; remove that one first"
            )
    checked = _first(source, config)
    if checked.feed is None:
        raise AppError(f"not added: {checked.error.removesuffix('; it is tried again')}")
    click.echo(f"{checked.feed.title or source.name}: {checked.found}")
    for builtin in builtin_sources():
        if builtin.url == source.url and config_file.enable(options.config_file, builtin.id):
            click.echo(f"taken in again: {builtin.id}")
            return
    config_file.add_sources(options.config_file, [replace(source, name=name or checked.feed.title or source.name)])
    click.echo(f"added: {source.id}, checked every {interval} s; in {options.config_file}")


@command.command("remove")
@click.argument("feed", metavar="ID")
@global_options
def remove_feed(feed: str, options: Options) -> None:
    """Poll a feed no more; a built-in one is left out, and its items stay."""
    from app.config import file as config_file
    from app.wiring.sources import subscribed_sources

    known = {source.id: source for source in subscribed_sources(options.load())}
    source = known.get(feed) or next((one for one in known.values() if one.url == feed), None)
    if source is None:
        raise UsageError(f"feeds remove: no feed is called {feed!r}; `tapewatch feeds list` shows them")
    if source.builtin:
        config_file.disable(options.config_file, source.id)
    elif not config_file.remove_source(options.config_file, source.id):
        raise AppError(f"{source.id} is not in {options.config_file}")
    click.echo(f"removed: {source.id}")


@command.command("import")
@click.argument("file", type=FilePath())
@click.option("--tier", type=click.IntRange(1, 4), default=3, show_default=True, help="1 official ... 4 crowd.")
@click.option("--interval", type=click.IntRange(30, 86_400), default=300, show_default=True, help="Seconds.")
@global_options
def import_feeds(file: Path, tier: int, interval: int, options: Options) -> None:
    """Take in the feeds of an OPML FILE, as feed readers write it; none is asked, `feeds check --all` does that."""
    from app.commands.feed_lists import read_list, sort_list, told
    from app.config import file as config_file
    from app.log import one_line, redact
    from app.wiring.sources import subscribed_sources
    from feeds.models import Tier

    known = subscribed_sources(options.load())
    found = sort_list(read_list(file), known, tier=Tier(tier), interval_s=interval)
    config_file.add_sources(options.config_file, found.new)
    for line in told(file, found):
        click.echo(f"tapewatch: {one_line(redact(line))}", err=True)
    click.echo(f"added {len(found.new)} feeds, {found.known} polled already; in {options.config_file}")
    if found.refused:
        raise AppError(f"{len(found.refused)} of the list are no feeds")


@command.command("export")
@click.option("--own", is_flag=True, help="Only your own feeds, not the built-in ones.")
@global_options
def export_feeds(own: bool, options: Options) -> None:
    """Write the feeds that are polled to stdout as OPML; an address that holds a key is written with it."""
    from app.wiring.sources import subscribed_sources
    from feeds.documents.opml import write_opml

    sources = [source for source in subscribed_sources(options.load()) if not (own and source.builtin)]
    click.echo(write_opml(sources, "tapewatch feeds"), nl=False)


def _check(sources: Sequence[Source], config: Config) -> int:
    """Prints a line per source as the answers come; returns how many failed."""
    from app.commands.feed_check import check
    from app.log import logging_to, one_line

    failed: list[str] = []
    width = max((len(source.id) for source in sources), default=0)

    def told(checked: Checked) -> None:
        word = "ok" if checked.feed else "failed"
        if checked.feed is None:
            failed.append(checked.source.id)
        click.echo(f"{word:<6}  {checked.source.id:<{width}}  {one_line(checked.found)}")

    with logging_to(None, debug=False, quiet=True):
        asyncio.run(check(sources, config.network, told))
    return len(failed)


def _first(source: Source, config: Config) -> Checked:
    from app.commands.feed_check import check
    from app.log import logging_to

    answers: list[Checked] = []
    with logging_to(None, debug=False, quiet=True):
        asyncio.run(check([source], config.network, answers.append))
    return answers[0]


def _rows(options: Options) -> Mapping[str, SourceRow]:
    """What an existing database knows of the sources; nothing where there is none."""
    from storage.cards import CardReader

    if not options.database_file.exists():
        return {}
    with CardReader(options.database_file) as reader:
        return {row.source.id: row for row in reader.sources()}


def _listed(source: Source, row: SourceRow | None) -> dict[str, object]:
    from app.log import redact

    state = row.state if row else None
    return {
        "id": source.id,
        "name": source.name,
        "url": redact(source.url),
        "tier": int(source.tier),
        "interval_s": source.interval_s,
        "builtin": source.builtin,
        "status": state.status if state else "new",
        "items": row.items if row else 0,
        "last_ok_at": state.last_ok_at.isoformat() if state and state.last_ok_at else None,
        "last_error": redact(state.last_error) if state else "",
    }
