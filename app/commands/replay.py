"""`tapewatch replay`: a recording through the monitor, on a simulated clock."""

from __future__ import annotations

from pathlib import Path

import click

from app.options import Options, global_options

DEFAULT_SPEED = 60.0


@click.command("replay")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--speed",
    type=click.FloatRange(min=0, max=1e6),
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
    from app.item_lines import Broken
    from app.recording import read_recording
    from app.replay import replay

    def complain(line: Broken) -> None:
        click.echo(f"tapewatch: {file}: line {line.number}: {line.reason}; skipped", err=True)

    with file.open("rb") as stream:
        recorded = read_recording(stream, complain)
    replay(recorded, options, speed=speed, headless=headless)
