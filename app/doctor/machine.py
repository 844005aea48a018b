"""The machine under the program: Python, the terminal, the clock and its zone."""

from __future__ import annotations

import locale
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from importlib.util import find_spec
from statistics import median
from typing import Final
from zoneinfo import ZoneInfo

from app.alerts.osc import dialect
from app.doctor.finding import Finding, age, bad, ok, warn

LEAST_CELLS, LEAST_LINES = 50, 10
COMFORTABLE_CELLS, COMFORTABLE_LINES = 80, 24
_TMUX_S: Final = 0.3
SKEW_S: Final = 10.0
FAR_OFF_S: Final = 120.0
"""A clock that is off by this much makes ages wrong that a trader acts on."""
OLDEST: Final = 2026
"""A year before this one is no year this program can run in."""
_DIALECTS: Final = {"9": "OSC 9", "777": "OSC 777", "99": "OSC 99 (kitty)"}


def python() -> Iterator[Finding]:
    """The interpreter and what it brings."""
    version = platform.python_version()
    if (3, 11) <= sys.version_info[:2] <= (3, 14):
        yield ok("machine", "Python", f"{version} on {platform.system()} {platform.machine()}")
    else:
        yield bad("machine", "Python", f"{version} is not supported", "use Python 3.11 to 3.14")
    if find_spec("cryptography") is None:
        yield ok("machine", "Web Push", "not installed", "for alerts in browsers: pip install 'tapewatch[webpush]'")
    else:
        yield ok("machine", "Web Push", "installed")


def terminal(environment: Mapping[str, str], *, is_terminal: bool, size: Sequence[int]) -> Iterator[Finding]:
    """What the screen would find here."""
    term = environment.get("TERM", "")
    if not is_terminal:
        words = "no terminal: output goes to a file or a program"
        yield ok("terminal", "kind", words, "the monitor needs one; `tapewatch run --headless` does not")
        return
    if term in ("", "dumb"):
        fix = "use another terminal, or `tapewatch run --headless`"
        yield bad("terminal", "kind", f"TERM={term or 'is not set'}: it cannot be painted on", fix)
    else:
        yield ok("terminal", "kind", term + _within(environment))
    yield _size(size)
    yield _colours(environment)
    yield _characters()
    yield _notifications(environment)


def _within(environment: Mapping[str, str]) -> str:
    places = [
        name for name, key in (("tmux", "TMUX"), ("screen", "STY"), ("ssh", "SSH_CONNECTION")) if key in environment
    ]
    return f", inside {' and '.join(places)}" if places else ""


def _size(size: Sequence[int]) -> Finding:
    cells, lines = size
    words = f"{cells} by {lines}"
    if cells < LEAST_CELLS or lines < LEAST_LINES:
        return bad("terminal", "size", f"{words} is too small", f"make it at least {LEAST_CELLS} by {LEAST_LINES}")
    if cells < COMFORTABLE_CELLS or lines < COMFORTABLE_LINES:
        return warn("terminal", "size", words, f"{COMFORTABLE_CELLS} by {COMFORTABLE_LINES} shows everything")
    return ok("terminal", "size", words)


def _colours(environment: Mapping[str, str]) -> Finding:
    if "NO_COLOR" in environment:
        return ok("terminal", "colours", "none, since NO_COLOR is set; words and signs say it all")
    if environment.get("COLORTERM", "").casefold() in ("truecolor", "24bit"):
        return ok("terminal", "colours", "16 million")
    if "256color" in environment.get("TERM", ""):
        fix = "set COLORTERM=truecolor if your terminal can show all colours"
        return ok("terminal", "colours", "256", fix)
    return warn("terminal", "colours", "16", "set TERM to a name with 256color, or COLORTERM=truecolor")


def _characters() -> Finding:
    encoding = locale.getpreferredencoding(False)
    if re.sub(r"[^a-z0-9]", "", encoding.casefold()) == "utf8":
        return ok("terminal", "characters", encoding)
    fix = "set LANG to a UTF-8 locale, such as C.UTF-8"
    return warn("terminal", "characters", f"{encoding}: names and signs beyond it become question marks", fix)


def _notifications(environment: Mapping[str, str]) -> Finding:
    spoken = dialect(environment)
    if not spoken:
        return ok("terminal", "notifications", "this terminal shows none of its own; the bell rings")
    words = f"{_DIALECTS[spoken]} where the terminal knows it"
    if "TMUX" in environment and _tmux_passes(environment) is False:
        fix = "tmux set -g allow-passthrough on"
        return warn("terminal", "notifications", f"{words}; tmux does not pass them on", fix)
    return ok("terminal", "notifications", words)


def _tmux_passes(environment: Mapping[str, str]) -> bool | None:
    """Whether tmux passes sequences on; None where it does not say."""
    program = shutil.which("tmux", path=environment.get("PATH"))
    if program is None:
        return None
    wanted = [program, "show-options", "-gv", "allow-passthrough"]
    try:
        done = subprocess.run(  # noqa: S603 -- the user's own tmux, with fixed words
            wanted, capture_output=True, text=True, timeout=_TMUX_S, env=dict(environment), check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() in ("on", "all") if done.returncode == 0 else None


def clock(now: datetime, here: tzinfo, configured: str, skews: Sequence[float]) -> Iterator[Finding]:
    """The system's time and zone; `skews` are how far the clocks of others were ahead, in seconds."""
    local = now.astimezone(here)
    name = here.key if isinstance(here, ZoneInfo) else f"{local:%Z}"
    zone = f"{name}, {local:UTC%z}, now {local:%Y-%m-%d %H:%M:%S}"
    if configured == "local" and not isinstance(here, ZoneInfo):
        fix = 'set timezone = "Europe/Berlin" or your own in the configuration'
        yield warn("clock", "zone", f"{zone}; the system does not name its zone, so summer time is not known", fix)
    else:
        yield ok("clock", "zone", zone)
    fix = "let the system set its clock (timedatectl set-ntp true)"
    if now.year < OLDEST:
        yield bad("clock", "time", f"{now:%Y-%m-%d %H:%M:%S} UTC cannot be", fix)
    elif not skews:
        yield ok("clock", "time", f"{now:%H:%M:%S} UTC; not yet compared with others", "--online compares it")
    else:
        yield _compared(median(skews), len(skews), fix)


def _compared(skew: float, sources: int, fix: str) -> Finding:
    others = f"{sources} other{'s' if sources > 1 else ''}"
    if abs(skew) < SKEW_S:
        return ok("clock", "time", f"agrees with {others} within {max(abs(skew), 1):.0f} s")
    way = "behind" if skew > 0 else "ahead of"
    words = f"{age(abs(skew))} {way} {others}: every age on the screen is wrong by that"
    return bad("clock", "time", words, fix) if abs(skew) >= FAR_OFF_S else warn("clock", "time", words, fix)


def here() -> tuple[bool, os.terminal_size]:
    """Whether the program writes to a terminal, and its size."""
    return sys.stdout.isatty(), shutil.get_terminal_size()
