"""Notifications that the terminal itself shows, as escape sequences: OSC 9, 777 or 99, whichever this one knows.

Inside tmux they are wrapped to be passed on (`set -g allow-passthrough on`). Text from outside comes in cleaned, and
without the separators of the sequences, so that it can end none.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping
from typing import Final, Literal

from app.alerts.text import cut
from feeds.documents.text import clean

Dialect = Literal["9", "777", "99", ""]
TITLE: Final = 100
BODY: Final = 240


def dialect(environment: Mapping[str, str] = os.environ) -> Dialect:
    """Which sequence this terminal shows; none where a terminal is known to print it as text."""
    term, program = environment.get("TERM", ""), environment.get("TERM_PROGRAM", "").casefold()
    if term in ("", "dumb", "linux"):
        return ""
    if "kitty" in term or "KITTY_WINDOW_ID" in environment:
        return "99"
    if term.startswith(("foot", "rxvt")) or "VTE_VERSION" in environment or program == "ghostty":
        return "777"
    return "9"


def notification(title: str, body: str, environment: Mapping[str, str] = os.environ) -> str:
    """The sequence that shows a notification; empty where this terminal knows none."""
    spoken = dialect(environment)
    title, body = _safe(title, TITLE), _safe(body, BODY)
    parts: tuple[str, ...]
    match spoken:
        case "":
            return ""
        case "99":
            # kitty takes base64, so that nothing in the text can matter; one id joins title and body.
            parts = (
                f"\x1b]99;i=tapewatch:d=0:e=1;{_encoded(title)}\x1b\\",
                f"\x1b]99;i=tapewatch:p=body:e=1;{_encoded(body)}\x1b\\",
            )
        case "777":
            parts = (f"\x1b]777;notify;{title};{body}\x1b\\",)
        case _:
            # Some terminals take "4;" and other leading numbers for commands; a word stands first.
            parts = (f"\x1b]9;tapewatch: {title} - {body}\x1b\\",)
    return "".join(_passed_on(part) if "TMUX" in environment else part for part in parts)


def title_sequence(text: str) -> str:
    """Sets the title of the terminal's window; the empty text gives the title before it back."""
    return f"\x1b]2;{_safe(text, TITLE)}\x1b\\" if text else "\x1b[23;2t"


KEEP_TITLE: Final = "\x1b[22;2t"
"""Lets the terminal remember its title; `title_sequence("")` restores it."""


def _safe(text: str, limit: int) -> str:
    return cut(clean(text, limit=4 * limit).replace(";", ",").replace("\\", "/"), limit, len)


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode("utf-8", "replace")).decode()


def _passed_on(sequence: str) -> str:
    return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\"
