"""Leaving well and coming back well: signals end or suspend the screen as a person would, and a terminal that is gone
ends it without a spin.

Textual installs no handlers for SIGTERM, SIGHUP and SIGQUIT, its input thread polls a closed terminal for ever, and its
SIGCONT handler begins the terminal a second time even where nothing was suspended: a hangup sends SIGCONT too.
"""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import termios
from collections.abc import Callable

from app.ui.driver import TerminalDriver

_ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
WATCH_EVERY_S = 0.4
"""How often the terminal is looked for, in seconds."""


class Lifecycle:
    """Calls `leave` on an ending signal or when the terminal is gone, `repaint` when the terminal is ours again.

    Inert where standard input is no terminal.
    """

    def __init__(self, leave: Callable[[], object], repaint: Callable[[], object]) -> None:
        self._leave = leave
        self._repaint = repaint
        self._driver: TerminalDriver | None = None
        self._suspended = False
        self._caught: list[signal.Signals] = []

    def start(self, driver: object) -> None:
        """Takes the signals over; call it in the event loop of the main thread, once the driver has started."""
        loop = asyncio.get_running_loop()
        handlers: dict[signal.Signals, Callable[[], object]] = dict.fromkeys(_ENDING, self._end)
        if isinstance(driver, TerminalDriver):
            self._driver = driver
            handlers |= {signal.SIGTSTP: self._suspend, signal.SIGCONT: self._resume}
        for number, handler in handlers.items():
            try:
                loop.add_signal_handler(number, handler)
            except (ValueError, RuntimeError, NotImplementedError):
                return
            self._caught.append(number)

    def stop(self) -> None:
        """Gives the signals back; those that end a program on a terminal are let pass, since it is ending."""
        loop = asyncio.get_running_loop()
        while self._caught:
            number = self._caught.pop()
            loop.remove_signal_handler(number)
            if self._driver is not None and number in _ENDING:
                signal.signal(number, signal.SIG_IGN)

    def look(self) -> None:
        """Leaves if the terminal is gone; paints anew if it reads again after it did not for a while."""
        if terminal_gone():
            self._end()
        elif self._driver is not None and self._driver.behind and self._driver.keeps_up:
            self._driver.behind = False
            self._repaint()

    def _suspend(self) -> None:
        assert self._driver is not None
        self._suspended = True
        self._driver.suspend_application_mode()
        os.kill(os.getpid(), signal.SIGSTOP)

    def _resume(self) -> None:
        assert self._driver is not None
        if terminal_gone():
            self._end()
            return
        if not self._suspended:  # stopped from outside: what the shell did to the terminal since is undone
            self._driver.suspend_application_mode()
        self._suspended = False
        self._driver.resume_application_mode()
        self._repaint()

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
