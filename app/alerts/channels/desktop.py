"""The desktop's own notifications: notify-send or osascript, given words as arguments and never through a shell."""

from __future__ import annotations

import asyncio
import html
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final, Literal

from agents.models import Urgency
from app.alerts.channels.protocol import Pace
from app.alerts.errors import NotSent, Rejected, Unanswered
from app.alerts.text import Message, cut

Way = Literal["notify-send", "osascript", "terminal"]
DEADLINE_S: Final = 5.0
TITLE: Final = 120
BODY: Final = 400
_OSASCRIPT: Final = ("on run argv", "display notification (item 2 of argv) with title (item 1 of argv)", "end run")


def desktop_way(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Way:
    """How this machine notifies: through its desktop where one is reachable, else through the terminal."""
    path = environment.get("PATH", "")
    remote = "SSH_CONNECTION" in environment
    if platform == "darwin":
        return "osascript" if not remote and shutil.which("osascript", path=path) else "terminal"
    session = environment.get("DBUS_SESSION_BUS_ADDRESS") and (
        environment.get("WAYLAND_DISPLAY") or environment.get("DISPLAY")
    )
    return "notify-send" if session and not remote and shutil.which("notify-send", path=path) else "terminal"


def command(way: Way, message: Message) -> list[str]:
    """The program and its arguments. News text is always an argument of its own, after the options."""
    title = cut(message.title, TITLE, len)
    body = cut("\n".join(message.lines), BODY, len)
    if way == "osascript":
        script = [part for line in _OSASCRIPT for part in ("-e", line)]
        return ["osascript", *script, title, body]
    level = "critical" if message.urgency is Urgency.FLASH else "normal"
    # The body of a desktop notification is markup by its specification; the title is not.
    return ["notify-send", "--app-name=tapewatch", f"--urgency={level}", "--", title, html.escape(body, quote=False)]


class Desktop:
    """Notifications of this machine's desktop."""

    label = "desktop"
    pace = Pace(gather=timedelta(milliseconds=300), gather_most=timedelta(seconds=2), limit_attempts=3)

    def __init__(self, way: Way, *, prefix: Sequence[str] = ()) -> None:
        self._way = way
        self._prefix = tuple(prefix)

    async def send(self, message: Message) -> None:
        """Shows the message."""
        wanted = [*self._prefix, *command(self._way, message)]
        null = asyncio.subprocess.DEVNULL
        try:
            process = await asyncio.create_subprocess_exec(*wanted, stdin=null, stdout=null, stderr=null)
        except OSError as error:
            raise Rejected(f"{self._way} cannot be started ({error.strerror})") from error
        try:
            async with asyncio.timeout(DEADLINE_S):
                code = await process.wait()
        except TimeoutError:
            raise Unanswered(f"{self._way} did not end in time") from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if code:
            raise NotSent(f"{self._way} ended with {code}")

    async def aclose(self) -> None:
        """Holds nothing."""
