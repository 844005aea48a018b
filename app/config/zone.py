"""The time zone of the screen, as one that knows its summer time."""

from __future__ import annotations

import os
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

LOCALTIME = Path("/etc/localtime")


def zone(name: str) -> tzinfo:
    """The zone called `name`; for "local" the machine's own, by TZ and then by the system's link."""
    if name != "local":
        return ZoneInfo(name)
    for candidate in (os.environ.get("TZ", "").lstrip(":"), _linked()):
        if candidate and not candidate.startswith("/"):
            try:
                return ZoneInfo(candidate)
            except (ZoneInfoNotFoundError, ValueError, OSError):
                continue
    return datetime.now().astimezone().tzinfo or UTC


def _linked() -> str:
    """The name of the zone that the system's link points to; empty where it is no such link."""
    target = os.path.realpath(LOCALTIME)
    return target.partition("/zoneinfo/")[2]
