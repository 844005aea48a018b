"""The invented day of the demo: companies, outlets and events in `day.jsonl` are made up, well-known names included."""

from __future__ import annotations

from importlib.resources import files


def day() -> bytes:
    """The day as NDJSON, one item a line with its time of receipt in `at`."""
    return files(__name__).joinpath("day.jsonl").read_bytes()
