"""`tapewatch doctor`: what works here, what does not, and what to do about it."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import click

from app.commands.options import Options, global_options
from app.errors import AppError

if TYPE_CHECKING:
    from app.config.config import Config
    from app.doctor.finding import Finding
    from app.doctor.online import Online

CHECK_S: Final = 0.15
FULL_CHECK_S: Final = 600.0
NAME: Final = 24
INDENT: Final = NAME + 9
_COLOURS: Final = {"ok": "green", "warn": "yellow", "bad": "red"}


@click.command("doctor")
@click.option("--online", is_flag=True, help="Ask the model's service and every evidence tool once.")
@click.option("--full", is_flag=True, help="Check every page of the database, however long that takes.")
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@global_options
@click.pass_context
def command(ctx: click.Context, online: bool, full: bool, as_json: bool, options: Options) -> None:
    """Tell what works here: machine, terminal, configuration, database, keys, feeds, evidence, model, alerts, clock.

    Nothing is written. Ends with 1 where something does not work.
    """
    config, problem = _config(options)
    asked = asyncio.run(_online(config, options)) if online else None
    found = _findings(config, problem, options, asked, check_s=FULL_CHECK_S if full else CHECK_S)
    usable = all(one.level != "bad" for one in found)
    if as_json:
        click.echo(json.dumps({"usable": usable, "findings": [_plain(one) for one in found]}, indent=2))
    else:
        for line in _lines(found):
            click.echo(line)
    if not usable:
        ctx.exit(1)


def _config(options: Options) -> tuple[Config, AppError | None]:
    """The configuration, or the defaults and why it cannot be used."""
    from app.config.config import Config, load

    try:
        config, problem = load(options.config_file, required=options.config is not None), None
    except AppError as error:
        config, problem = Config(), error
    return (config.model_copy(update={"engine": options.engine}) if options.engine else config), problem


async def _online(config: Config, options: Options) -> Online:
    from app.doctor.online import ask_all
    from app.log import logging_to

    with logging_to(None, debug=False, quiet=True):
        return await ask_all(config, options.database_file, options.usage_file, os.environ)


def _findings(
    config: Config, problem: AppError | None, options: Options, online: Online | None, *, check_s: float
) -> list[Finding]:
    from app.config.zone import zone
    from app.doctor import machine, setup, stored
    from storage.checkup import glance, spent_nano
    from storage.untouched import examine

    now, here = datetime.now(UTC), zone(config.timezone)
    path = options.database_file
    examined = examine(path, check_s=check_s)
    seen = glance(path, options.usage_file, now)
    spent = spent_nano(options.usage_file, now.astimezone(here).date())
    is_terminal, size = machine.here()
    skews = online.skews if online else [one.skew_s for one in seen.evidence if one.skew_s is not None]
    found = [
        *machine.python(),
        *machine.terminal(os.environ, is_terminal=is_terminal, size=size),
        *setup.configuration(options.config_file, problem),
        *setup.watchlist(config),
        *stored.database(path, examined),
        *setup.keys(os.environ, config),
        *stored.feeds(config, seen, now),
        *stored.evidence(config, seen, now),
        *setup.model(config, os.environ, None if spent is None else spent / 1e9),
        *setup.alerts(config, os.environ),
        *machine.clock(now, here, config.timezone, skews),
    ]
    return _in_sections([*found, *(online.findings if online else ())])


def _in_sections(found: Sequence[Finding]) -> list[Finding]:
    order = list(dict.fromkeys(one.section for one in found))
    return sorted(found, key=lambda one: order.index(one.section))


def _plain(one: Finding) -> dict[str, Any]:
    from app.log import environment_secrets, redact

    secrets = environment_secrets()
    return {
        "section": one.section,
        "name": one.name,
        "level": one.level,
        "words": redact(one.words, secrets),
        "fix": one.fix,
    }


def _lines(found: Sequence[Finding]) -> Iterator[str]:
    """A line for each finding, its fix below where something is wrong and beside it where something could be better."""
    from app.log import one_line

    section = ""
    for one in (_plain(each) for each in found):
        if one["section"] != section:
            section = one["section"]
            yield f"\n{_styled(section, bold=True)}"
        words, fix = one_line(one["words"]), one_line(one["fix"])
        level = _styled(f"{one['level']:<4}", fg=_COLOURS[one["level"]])
        told = [*_wrapped(words, ""), *(_styled(line, dim=one["level"] == "ok") for line in _wrapped(fix, "→ "))]
        yield f"  {level}  {one['name']:<{NAME}} {told[0]}"
        yield from (f"{'':<{INDENT}}{line}" for line in told[1:])
    levels = [one.level for one in found]
    bad, warned = levels.count("bad"), levels.count("warn")
    result = f"{bad} of {len(levels)} checks failed" if bad else "everything that is needed works"
    yield f"\n{result}{f', {warned} could be better' if warned else ''}"


def _wrapped(text: str, sign: str) -> list[str]:
    """The text in lines that fit beside the names on a terminal; whole for a file or a program."""
    if not text:
        return []
    cells = shutil.get_terminal_size().columns if sys.stdout.isatty() else 10_000
    return textwrap.wrap(sign + text, max(cells - INDENT - 1, 20), subsequent_indent=" " * len(sign))


def _styled(text: str, **style: Any) -> str:
    return text if "NO_COLOR" in os.environ or not text else click.style(text, **style)
