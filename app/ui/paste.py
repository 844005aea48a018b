"""What is pasted is text: nothing in it becomes a key, whatever it holds."""

from __future__ import annotations

import re

START, END = "\x1b[200~", "\x1b[201~"
"""What a terminal sends around a paste."""
IDLE_S = 1.0
"""A paste of which nothing more has come for so long has ended, even if the terminal never said so."""
_CONTROL = re.compile("\x1b\\[20[01]~|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


class PasteGuard:
    """Goes through everything that is read from a terminal, chunk by chunk, and cleans what is pasted.

    Without it an escape inside a paste ends it for the parser, and the letters that follow are taken as commands.
    """

    def __init__(self) -> None:
        self.inside = False
        self._held = ""
        """Inside: what may be the beginning of the end. Outside: the last that was passed on, in which a start may
        have begun."""

    def clean(self, text: str) -> str:
        """The chunk as the parser may see it."""
        if not self.inside:
            return self._outside(text)
        return self._pasted(text)

    def end(self) -> str:
        """Ends a paste that was never ended; what the parser must see for it."""
        if not self.inside:
            return ""
        self.inside, self._held = False, ""
        return END

    def _outside(self, text: str) -> str:
        seen = self._held + text
        at = seen.find(START)
        if at < 0:
            self._held = seen[-(len(START) - 1) :]
            return text
        begun = at + len(START) - len(self._held)
        self.inside, self._held = True, ""
        return text[:begun] + self._pasted(text[begun:])

    def _pasted(self, text: str) -> str:
        text = self._held + text
        at = text.rfind(END)  # an end inside the text itself comes in the same chunk, before the terminal's own
        if at >= 0:
            self.inside, self._held = False, ""
            return _CONTROL.sub("", text[:at]) + END + self._outside(text[at + len(END) :])
        kept = next((n for n in range(len(END) - 1, 0, -1) if text.endswith(END[:n])), 0)
        self._held = text[len(text) - kept :]
        return _CONTROL.sub("", text[: len(text) - kept])
