"""`tapewatch demo`: an invented day through the monitor, offline."""

from __future__ import annotations

from dataclasses import replace

import click

from app.commands.options import Options, Speed, global_options

DAY_IN_S = 180.0
"""How long the day lasts on the screen, in seconds."""


@click.command("demo")
@click.option("--speed", type=Speed(), help="So many times as fast as it happened; 0: at once.")
@click.option("--headless", is_flag=True, help="No screen: signals as JSON lines on stdout.")
@global_options
def command(speed: float | None, headless: bool, options: Options) -> None:
    """Replay an invented day in about three minutes: works offline, keeps nothing.

    Companies, outlets and events are made up, well-known names included, and so are the evidence and the prices.
    """
    if not headless:
        from app.commands.run import require_terminal

        require_terminal()
    import io

    from app.demo import beside, day
    from app.lines.items import Broken
    from app.pipeline.recording import read_recording
    from app.replay import replay

    broken: list[Broken] = []
    recorded = read_recording(io.BytesIO(day()), broken.append)
    if speed is None:
        speed = max(1.0, (recorded[-1].at - recorded[0].at).total_seconds() / DAY_IN_S)
    options = replace(options, engine="rules")  # offline, whatever key is set
    replay(recorded, options, speed=speed, headless=headless, told=beside())
