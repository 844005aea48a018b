"""Leaving well: signals end the screen as a person would, and a terminal that is gone ends it without a spin.

Textual installs no handlers for SIGTERM, SIGHUP and SIGQUIT, and its input thread polls a closed terminal for ever.
"""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import termios
from collections.abc import Callable

_ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
WATCH_EVERY_S = 0.4
"""How often the terminal is looked for, in seconds."""


class Lifecycle:
    """Calls `leave` on an ending signal or when the terminal is gone. Inert where standard input is no terminal."""

    def __init__(self, leave: Callable[[], object]) -> None:
        self._leave = leave
        self._caught: list[signal.Signals] = []

    def start(self) -> None:
        """Takes the signals over; call it in the event loop of the main thread."""
        loop = asyncio.get_running_loop()
        for number in _ENDING:
            try:
                loop.add_signal_handler(number, self._end)
            except (ValueError, RuntimeError, NotImplementedError):
                return
            self._caught.append(number)

    def stop(self) -> None:
        """Gives the signals back."""
        loop = asyncio.get_running_loop()
        while self._caught:
            loop.remove_signal_handler(self._caught.pop())

    def look(self) -> None:
        """Leaves if the terminal is gone."""
        if terminal_gone():
            self._end()

    def _end(self) -> None:
        if terminal_gone():
            _let_go()
        self._leave()


def terminal_gone() -> bool:
    """Whether standard input was a terminal that does not exist any more."""
    try:
        termios.tcgetattr(0)
    except termios.error as error:
        return bool(error.args[0] == errno.EIO)  # ENOTTY means it never was one
    except OSError:
        return False
    return False


def _let_go() -> None:
    """Points the standard streams at nothing, so that restoring a terminal that is gone neither fails nor blocks."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    if nothing > 2:
        os.close(nothing)
