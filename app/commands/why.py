"""`tapewatch why`: what moved a price, or an honest unknown."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.commands.options import FilePath, Options, global_options
from app.errors import AppError, UsageError

if TYPE_CHECKING:
    from agents.investigation.models import Case
    from agents.investigation.ports import NodeEvent, SeriesSource
    from agents.investigation.state import Answer
    from app.investigation.inquiry import World
    from app.wiring.reading import Reading


@dataclass(frozen=True, slots=True)
class Asked:
    """The command's own options."""

    target: str
    at: str | None
    window: str | None
    prices: Path | None
    news: tuple[Path, ...]
    tz: str | None
    as_json: bool


_FILE = FilePath()


@click.command("why")
@click.argument("target", metavar="SYMBOL|SIGNAL_ID", required=False)
@click.option("--at", help="The move near this time, like 2024-04-29T13:00+09:00; without it the largest in sight.")
@click.option("--window", help="How far around the move evidence is looked for: 90m, 6h, 3d (default 3d).")
@click.option("--prices", type=_FILE, help="A price table: time,open,high,low,close[,volume].")
@click.option("--news", type=_FILE, multiple=True, help="Dated records as item lines; with it nothing else is asked.")
@click.option("--tz", help="The zone of times that name none, like Europe/Athens.")
@click.option("--dry-run", is_flag=True, help="Print the worst case in calls, tokens and dollars, and stop.")
@click.option("--past", is_flag=True, help="List past investigations that hold the given words.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole investigation as one JSON object.")
@click.option("--schema", is_flag=True, help="Print the JSON schema of that object and stop.")
@global_options
def command(
    target: str | None,
    at: str | None,
    window: str | None,
    prices: Path | None,
    news: tuple[Path, ...],
    tz: str | None,
    dry_run: bool,
    past: bool,
    as_json: bool,
    schema: bool,
    options: Options,
) -> None:
    """Investigate a price move: rival causes, each with a certainty, what was searched, and what would confirm it."""
    if schema:
        from app.investigation import contract

        click.echo(json.dumps(contract.schema(), indent=2))
        return
    if dry_run:
        _dry_run(options, as_json=as_json)
        return
    if past:
        asyncio.run(_past(target or "", options))
        return
    if not target:
        raise UsageError("why: say which symbol or signal, for example `tapewatch why USDJPY`")
    from app.log import logging_to

    asked = Asked(target, at, window, prices, news, tz, as_json)
    with logging_to(None, debug=options.debug, quiet=True):
        answer = asyncio.run(_why(asked, options))
    _print(answer, options, as_json=as_json)
    if answer.anchor is None:
        raise AppError(answer.notes[0] if answer.notes else "there is no price series")


@dataclass(frozen=True, slots=True)
class Given:
    """What was asked, over which files: `world` where they are all there is, `prices` beside the network."""

    case: Case
    world: World | None
    prices: SeriesSource | None
    known_until: datetime


async def _why(asked: Asked, options: Options) -> Answer:
    from app.investigation.recheck import recheck_at
    from app.wiring.investigation import open_inquirer
    from app.wiring.reading import reading_of

    config = options.load()
    reading = reading_of(config)
    if reading.model and not asked.as_json:
        click.echo(_worst_case(reading), err=True)
    given = await _given(asked, options, config.timezone)
    watch = _progress if sys.stderr.isatty() and not asked.as_json else _silent
    async with open_inquirer(
        config,
        given.case,
        now=lambda: datetime.now(UTC),
        given=given.world,
        prices=given.prices,
        database=options.database_file,
        usage_file=options.usage_file,
    ) as (inquirer, case, kept):
        answer = await inquirer.ask(case, lambda: given.known_until, watch)
        if kept is not None:
            await kept.finish(answer, recheck_at(answer, datetime.now(UTC)) if given.world is None else None)
    return answer


async def _given(asked: Asked, options: Options, timezone: str) -> Given:
    """The case and its files, read and checked before anything runs."""
    from agents.investigation.moves.files import FileSeries
    from app.config.zone import zone
    from app.investigation.asked import read_moment, read_span, read_zone
    from app.investigation.given import known_until, read_prices, read_records
    from app.investigation.inquiry import case_of, file_world

    now = datetime.now(UTC)
    named = read_zone(asked.tz) if asked.tz else None
    symbol, question, at = await _target(asked.target, options)
    if asked.at:
        at = read_moment(asked.at, named or zone(timezone), "--at")
    span = read_span(asked.window) if asked.window else None
    case = case_of(symbol, asked_at=now, at=at, span=span, question=question)
    series = read_prices(asked.prices, case.symbol, named) if asked.prices else None
    if series is not None and series.bars[-1].at > now:
        ahead = f"prices end at {series.bars[-1].at:%Y-%m-%d %H:%M} UTC, which is still to come: is --tz right?"
        series = replace(series, notes=(*series.notes, ahead))
    prices = FileSeries(series) if series else None
    if not asked.news:
        return Given(case, None, prices, now)
    records = []
    for place, path in enumerate(asked.news):
        found, broken = read_records(path, now)
        for line in broken:
            click.echo(f"tapewatch: {line}", err=True)
        records += [replace(record, id=f"{place}.{record.id}") for record in found]
    return Given(case, file_world(series, records), None, known_until(records, series, now))


async def _target(target: str, options: Options) -> tuple[str, str, datetime | None]:
    """(symbol, question, time) behind the argument: a symbol, or the id of a signal in the database."""
    from app.investigation.asked import is_symbol
    from storage.database import View
    from storage.errors import StorageError
    from storage.first_seen import asked_signal

    path = options.database_file
    if path.exists():
        try:
            async with View.open(path) as view:
                signal = await asked_signal(view, target)
        except StorageError:
            signal = None
        if signal is not None:
            symbol, title, at = signal
            return symbol, f'What moved {symbol} around "{title}"?', at
    if not is_symbol(target):
        raise UsageError(f"why {target[:40]!r}: neither a symbol nor the id of a signal in {path}")
    return target.upper(), "", None


async def _past(text: str, options: Options) -> None:
    """Prints the investigations that hold `text`, the newest first."""
    from app.config.zone import zone
    from app.investigation.text import VERDICTS, moment
    from storage.database import View
    from storage.investigations import PastInvestigations

    if not options.database_file.exists():
        raise AppError(f"{options.database_file}: no database yet; nothing was investigated")
    here = zone(options.load().timezone)
    async with View.open(options.database_file) as view:
        found = await PastInvestigations(view).recent(text)
        if not found:
            click.echo(f"no past investigation holds {text!r}" if text else "nothing was investigated yet", err=True)
        for one in found:
            verdict = VERDICTS[one.verdict] if one.verdict else "interrupted"
            again = f"   next information {moment(one.recheck_at, here)}" if one.recheck_at else ""
            changed = f"   re-checked: {one.changed}" if one.changed else ""
            click.echo(
                f"{moment(one.case.asked_at, here)}  {one.case.symbol:<8} {verdict}: {one.headline}{again}{changed}"
            )


def _dry_run(options: Options, *, as_json: bool) -> None:
    from app.wiring.reading import reading_of

    reading = reading_of(options.load())
    bound = reading.caps.worst_case()
    if as_json:
        usd = bound.usd if reading.priced else None
        click.echo(json.dumps({"bound": {"calls": bound.calls, "tokens": bound.tokens, "usd": usd}}))
    else:
        click.echo(_worst_case(reading))


def _worst_case(reading: Reading) -> str:
    from app.investigation.text import dry_run

    caps = reading.caps
    return dry_run(caps.worst_case(), caps.formula(), reading.name, priced=reading.priced)


def _print(answer: Answer, options: Options, *, as_json: bool) -> None:
    if as_json:
        from app.investigation.contract import investigation_line

        click.echo(investigation_line(answer).model_dump_json())
        return
    from app.config.zone import zone
    from app.investigation.text import readable

    click.echo(readable(answer, zone(options.load().timezone)))


def _progress(event: NodeEvent) -> None:
    detail = f": {event.detail}" if event.detail else ""
    click.echo(f"  {event.node} (round {event.round}) {event.state}{detail}", err=True)


def _silent(event: NodeEvent) -> None:
    """Nobody watches."""
