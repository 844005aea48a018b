"""The terminal's driver: no terminal holds the program up or brings it down by what it sends or fails to read."""

from __future__ import annotations

import os
import selectors
import sys
import time
from codecs import getincrementaldecoder
from contextlib import suppress
from queue import Empty, Full
from typing import Any

from textual._parser import ParseError
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

from app.ui.paste import IDLE_S, PasteGuard

_READ_BYTES = 4096
_LAST_WORDS_S = 0.5
"""How long a terminal is waited for when it is left, in seconds."""


class TerminalDriver(LinuxDriver):
    """Textual's driver, without its three weak points.

    Its queue to the terminal blocks the event loop once it is full: here, what cannot be taken is dropped and `behind`
    is set, and the screen must be painted anew once the terminal reads again. Its reader ends the program on a byte
    that is not UTF-8: here, that byte becomes U+FFFD. Its parser takes what follows an escape inside a paste as keys:
    here, a paste is cleaned before.
    """

    behind = False

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if sys.__stderr__ is not None:  # a file of its own: a write that hangs holds no lock of the standard streams
            self._file = os.fdopen(os.dup(sys.__stderr__.fileno()), "w", encoding="utf-8", errors="replace")

    @property
    def keeps_up(self) -> bool:
        """Whether the terminal has taken all that was written."""
        return self._writer_thread is None or self._writer_thread._queue.empty()

    def write(self, data: str) -> None:
        if self._writer_thread is None or not self._writer_thread.is_alive():
            return
        try:
            self._writer_thread._queue.put_nowait(data)
        except Full:
            self.behind = True

    def close(self) -> None:
        thread = self._writer_thread
        if thread is None or not thread.is_alive():
            return
        try:
            thread._queue.put(None, timeout=_LAST_WORDS_S)
        except Full:
            with suppress(Empty):
                while True:  # nobody waits for what is left, and the thread must find its end
                    thread._queue.get_nowait()
            thread._queue.put_nowait(None)
        thread.join(_LAST_WORDS_S)

    def run_input_thread(self) -> None:
        parser = XTermParser(self._debug)
        decode = getincrementaldecoder("utf-8")("replace").decode
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            guard, heard_at = PasteGuard(), time.monotonic()
            while not self.exit_event.is_set():
                if selector.select(0.1):
                    text, heard_at = guard.clean(decode(os.read(self.fileno, _READ_BYTES))), time.monotonic()
                else:
                    text = guard.end() if time.monotonic() - heard_at > IDLE_S else ""
                for event in (*(parser.feed(text) if text else ()), *parser.tick()):
                    self.process_message(event)
        with suppress(EOFError, ParseError):
            tuple(parser.feed(""))
