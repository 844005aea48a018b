"""The invented day of the demo: items, the evidence about them and prices are made up, well-known names included."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.pipeline.beside_recording import Beside


def day() -> bytes:
    """The day as NDJSON, one item a line with its time of receipt in `at`."""
    return files(__name__).joinpath("day.jsonl").read_bytes()


def beside() -> Beside:
    """What the tools answer on that day, the agents that fail, and prices."""
    from app.pipeline.beside_recording import read_beside

    folder = files(__name__)
    evidence = folder.joinpath("evidence.jsonl").read_text(encoding="utf-8")
    return read_beside(evidence.splitlines(), folder.joinpath("prices.json").read_text(encoding="utf-8"))
