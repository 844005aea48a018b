"""A real pseudo-terminal with a program on it: what reaches it byte by byte, and how the program leaves it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType

import pyte

ROOT = Path(__file__).resolve().parents[3]
SEQUENCE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*[0-~])")
MODES = re.compile(rb"\x1b\[\?([0-9;]+)([hl])")


class Terminal:
    """Runs `python -m MODULE ARGS` on a pty of its own session."""

    def __init__(
        self,
        module: str,
        *args: str,
        size: tuple[int, int] = (100, 30),
        env: dict[str, str] | None = None,
        hup: bool = True,
    ) -> None:
        self.since = b""
        """What came since the last key was sent."""
        self._chunks: list[bytes] = []
        self._fed = 0
        """So many of them the screen has taken in."""
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self._master, slave = pty.openpty()
        self.resize(*size)
        base = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}

        def prepare() -> None:
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            signal.signal(signal.SIGHUP, signal.SIG_DFL if hup else signal.SIG_IGN)

        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *args],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=ROOT,
            env={**base, "TERM": "xterm-256color", "COLORTERM": "truecolor", **(env or {})},
            preexec_fn=prepare,
        )
        os.close(slave)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        """The terminal window is closed."""
        if self._master >= 0:
            os.close(self._master)
            self._master = -1

    def seen_from_here(self) -> None:
        """Forgets what came before, as if the screen had been wiped."""
        self._chunks.clear()
        self._screen.reset()
        self._fed = 0

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    @property
    def seen(self) -> bytes:
        """Everything that came."""
        return b"".join(self._chunks)

    def send(self, text: str) -> None:
        self.send_bytes(text.encode())

    def send_bytes(self, sent: bytes) -> None:
        self.since = b""
        os.write(self._master, sent)

    def read(self, seconds: float) -> None:
        """Takes in what comes within that time."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            ready, _, _ = select.select([self._master], [], [], left)
            if not ready:
                return
            try:
                found = os.read(self._master, 65_536)
            except OSError:
                return
            if not found:
                return
            self._chunks.append(found)
            self.since += found

    def wait_for(self, text: str, seconds: float = 10.0) -> None:
        """Reads until `text` stands on the screen."""
        until = time.monotonic() + seconds
        while text not in self.text():
            assert time.monotonic() < until, f"{text!r} never came:\n{self.text()}"
            self.read(0.02)

    def text(self) -> str:
        """The screen as a person sees it."""
        while self._fed < len(self._chunks):
            with contextlib.suppress(Exception):
                self._stream.feed(self._chunks[self._fed])
            self._fed += 1
        return "\n".join(self._screen.display)

    def ends_within(self, seconds: float) -> float:
        """Waits for the end of the process while its output is read; the time it took."""
        start = time.monotonic()
        while self.process.poll() is None:
            assert time.monotonic() - start < seconds, "the process goes on"
            if self._master >= 0:
                self.read(0.02)
            else:
                time.sleep(0.01)
        if self._master >= 0:
            self.read(0.1)
        return time.monotonic() - start

    @property
    def left_on(self) -> set[bytes]:
        """Private modes that were switched on and never off again."""
        on: set[bytes] = set()
        for numbers, way in MODES.findall(self.seen):
            for number in numbers.split(b";"):
                (on.add if way == b"h" else on.discard)(number)
        return on
