from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import signal
import struct
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.app.program import environment

LINES, COLUMNS = 48, 160


class Terminal:
    """The program on a terminal of its own; `seen` is every byte it wrote."""

    def __init__(self, process: asyncio.subprocess.Process, master: int) -> None:
        self.process = process
        self._master = master
        self.seen = b""
        os.set_blocking(master, False)
        asyncio.get_running_loop().add_reader(master, self._read)

    def _read(self) -> None:
        try:
            self.seen += os.read(self._master, 1 << 16)
        except OSError:
            asyncio.get_running_loop().remove_reader(self._master)

    def press(self, keys: bytes) -> None:
        os.write(self._master, keys)

    async def shows(self, text: bytes) -> None:
        async with asyncio.timeout(10):
            while text not in self.seen:  # noqa: ASYNC110 -- another process writes
                await asyncio.sleep(0.01)

    async def ended(self) -> int:
        async with asyncio.timeout(3):
            return await self.process.wait()


@contextmanager
def terminal_pair() -> Iterator[tuple[int, int]]:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    try:
        yield master, slave
    finally:
        for end in (master, slave):
            os.close(end)


async def opened(home: Path, pair: tuple[int, int], *arguments: str) -> Terminal:
    master, slave = pair
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "app.cli",
        *arguments,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment(home, {"TMPDIR": str(home)}),
        start_new_session=True,
    )
    return Terminal(process, master)


async def test_the_demo_shows_cards_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with terminal_pair() as pair:
        terminal = await opened(tmp_path, pair, "demo", "--speed", "20000")
        await terminal.shows(b"FLASH")
        await terminal.shows(b"Pellworm Biotech")
        terminal.press(b"q")
        assert await terminal.ended() == 0
    assert b"Traceback" not in terminal.seen
    assert terminal.seen.count(b"\x1b[?1049h") == terminal.seen.count(b"\x1b[?1049l") == 1
    assert not [name for name in os.listdir(tmp_path) if name.startswith("tapewatch-")]
    log = (tmp_path / "state" / "tapewatch" / "tapewatch.log").read_text()
    assert "ERROR" not in log


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
async def test_the_monitor_opens_without_any_configuration_and_ends_cleanly_on_a_signal(
    tmp_path: Path, number: signal.Signals
) -> None:
    folder = tmp_path / "config" / "tapewatch"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text("[feeds]\nbuiltin = false\n")
    with terminal_pair() as pair:
        terminal = await opened(tmp_path, pair)
        await terminal.shows(b"tapewatch")
        await terminal.shows(b"rules")
        await asyncio.sleep(0.3)
        began = asyncio.get_running_loop().time()
        terminal.process.send_signal(number)
        assert await terminal.ended() == 0
        assert asyncio.get_running_loop().time() - began < 1
    assert b"Traceback" not in terminal.seen
    assert terminal.seen.count(b"\x1b[?1049h") == terminal.seen.count(b"\x1b[?1049l")
