"""`tapewatch` and `tapewatch run`: the monitor on the screen, or without one."""

from __future__ import annotations

import asyncio
import os
import sys

import click

from app.commands.options import Options, global_options
from app.errors import UsageError


@click.command("run")
@click.option("--headless", is_flag=True, help="No screen: signals as JSON lines on stdout, the log on stderr.")
@global_options
def command(headless: bool, options: Options) -> None:
    """Monitor the feeds; with --headless as JSON lines until SIGTERM."""
    if headless:
        _run_headless(options)
    else:
        run_screen(options)


def run_screen(options: Options) -> None:
    """Opens the monitor on this terminal; its log goes to a file."""
    require_terminal()
    from app.alerts.channels.desktop import desktop_way
    from app.log import logging_to
    from app.paths import log_file
    from app.screen import show
    from app.wiring.monitor import open_monitor

    config = options.load()
    with logging_to(log_file(), debug=options.debug, secrets=config.alerts.secrets):
        notifies = config.alerts.desktop and desktop_way() == "terminal"
        opened = open_monitor(config, database_file=options.database_file, settings=lambda: options.in_force(config))
        asyncio.run(show(opened, bell=config.alerts.bell, notifies=notifies))


def _run_headless(options: Options) -> None:
    from app.headless import run_headless
    from app.log import logging_to
    from app.wiring.monitor import open_monitor

    config = options.load()
    with logging_to(None, debug=options.debug, secrets=config.alerts.secrets):
        asyncio.run(run_headless(lambda saved: open_monitor(config, database_file=options.database_file, saved=saved)))


def require_terminal() -> None:
    """Raises UsageError where no full-screen program can run."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("the monitor needs a terminal; without one use `tapewatch run --headless`")
    if os.environ.get("TERM", "dumb") in ("dumb", ""):
        raise UsageError("this terminal (TERM=dumb) cannot show the monitor; use `tapewatch run --headless`")
