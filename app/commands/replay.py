"""`tapewatch replay`: a recording through the monitor, on a simulated clock."""

from __future__ import annotations

from pathlib import Path

import click

from app.commands.options import FilePath, Options, Speed, global_options

DEFAULT_SPEED = 60.0


@click.command("replay")
@click.argument("file", type=FilePath(exists=True))
@click.option(
    "--speed",
    type=Speed(),
    default=DEFAULT_SPEED,
    show_default=True,
    help="So many times as fast as it happened; 0: as fast as it can be scored.",
)
@click.option("--headless", is_flag=True, help="No screen: signals as JSON lines on stdout.")
@global_options
def command(file: Path, speed: float, headless: bool, options: Options) -> None:
    """Run the items in FILE (JSON lines with "published_at" or a time of receipt "at") through the monitor.

    It goes into a database of its own that is thrown away afterwards.
    """
    if not headless:
        from app.commands.run import require_terminal

        require_terminal()
    from app.commands.score import NAMED_LINES
    from app.lines.items import Broken, refuse_binary
    from app.pipeline.recording import read_recording
    from app.replay import replay

    def complain(line: Broken) -> None:
        broken.append(line)
        if len(broken) <= NAMED_LINES:
            click.echo(f"tapewatch: {file}: line {line.number}: {line.reason}; skipped", err=True)

    broken: list[Broken] = []
    with file.open("rb") as stream:
        refuse_binary(stream.peek(), str(file))
        recorded = read_recording(stream, complain)
    if len(broken) > NAMED_LINES:
        click.echo(f"tapewatch: {len(broken) - NAMED_LINES} more broken lines", err=True)
    replay(recorded, options, speed=speed, headless=headless)
