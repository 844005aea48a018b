"""`tapewatch export`: the kept signals of a period as JSON lines or CSV, while the monitor runs on."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import click

from app.commands.options import Options, global_options

if TYPE_CHECKING:
    from storage.history import Wanted

URGENCIES = ("FLASH", "ALERT", "NOTE", "FYI")


@click.command("export")
@click.option("--since", help="Items first seen from then on: a date, a time, or 7d, 12h, yesterday.")
@click.option("--until", help="Items first seen before; a date includes that day.")
@click.option(
    "--urgency", "urgencies", multiple=True, type=click.Choice(URGENCIES, case_sensitive=False), help="May be repeated."
)
@click.option("--ticker", "tickers", multiple=True, help="Signals that link this symbol. May be repeated.")
@click.option("--format", "form", type=click.Choice(["ndjson", "csv"]), default="ndjson", show_default=True)
@global_options
def command(
    since: str | None,
    until: str | None,
    urgencies: tuple[str, ...],
    tickers: tuple[str, ...],
    form: str,
    options: Options,
) -> None:
    """Write the signals of a period to stdout, oldest first: the lines of `score --json`, or CSV without the agents."""
    from agents.models import Urgency
    from storage.history import Wanted

    start, end = options.period(since, until)
    wanted = Wanted(
        start,
        end,
        frozenset(Urgency(name.upper()) for name in urgencies),
        frozenset(name.strip().lstrip("$").upper() for name in tickers),
    )
    asyncio.run(_write(options, wanted, as_table=form == "csv"))


async def _write(options: Options, wanted: Wanted, *, as_table: bool) -> None:
    from app.commands.kept import opened
    from app.lines.contract import signal_line
    from app.lines.csv import SignalTable
    from storage.history import history

    out = sys.stdout
    table = SignalTable(out) if as_table else None
    async with opened(options) as view:
        async for item, signal in history(view, wanted):
            line = signal_line(item, signal)
            if table:
                table.write(line)
            else:
                out.write(line.model_dump_json() + "\n")
    out.flush()
