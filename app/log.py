"""The log: one line a record whatever the text holds, and no secret in it.

Redaction covers messages of libraries and the text of exceptions too. It runs before a text is made one line, since the
mark of a line break would join a key's name, and the values that are known are looked for in the finished line again.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.paths import FILE_MODE, private_folder

HIDDEN = "***"
SECRET_ENV = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)S?$")
SHORTEST_SECRET = 6
"""Shorter values of the environment are not hidden: they would blank ordinary words."""

TALKATIVE = ("aiosqlite", "httpx", "httpx2", "httpcore", "httpcore2", "asyncio", "markdown_it")
"""Libraries that write a line for every small step; only their warnings are of use here."""

_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\bsk-[A-Za-z0-9_-]{8,}"), HIDDEN),
    (re.compile(r"(?i)\b(bearer)\s+(?=\S*\d)[A-Za-z0-9._~+/=-]{12,}"), rf"\1 {HIDDEN}"),
    (re.compile(r"(?i)(/bot)\d+:[A-Za-z0-9_-]+"), rf"\1{HIDDEN}"),
    (re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://)[^/\s@]+@"), rf"\1{HIDDEN}@"),
    (
        re.compile(r"(?i)\b(tgrams?|ntfys?|discord|slack|pover|mailtos?|jsons?|xmls?|vapid)://[^\s\"']+"),
        rf"\1://{HIDDEN}",
    ),
    (
        re.compile(
            r"(?i)([?&;]|\b)((?:api[_-]?|access[_-]?|auth[_-]?)?(?:key|token|secret|password|passwd|sig|signature))=[^&\s\"'#;]+"
        ),
        rf"\1\2={HIDDEN}",
    ),
    (
        re.compile(r"(?i)\b(authorization|x-api-key|cookie)(['\"]?\s*[:=]\s*['\"]?)(?:(?:basic|bearer)\s+)?[^\s'\",]+"),
        rf"\1\2{HIDDEN}",
    ),
)
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """`text` without keys, tokens, passwords in addresses, or any of `secrets`."""
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement, text)
    return text


def one_line(text: str) -> str:
    """`text` as one line: every control, line-breaking and direction-changing character is written out."""
    return _UNSAFE.sub(lambda match: f"\\x{ord(match[0]):02x}" if match[0] != "\n" else "\\n", text)


def environment_secrets() -> tuple[str, ...]:
    """Values of the environment that are secrets by their name, longest first."""
    found = {value for name, value in os.environ.items() if SECRET_ENV.search(name) and len(value) >= SHORTEST_SECRET}
    return tuple(sorted(found, key=len, reverse=True))


class LineFormatter(logging.Formatter):
    """`2026-03-10T18:30:00Z WARNING feeds.network.http: text` in UTC. A traceback is added only with `debug`."""

    def __init__(self, *, debug: bool, secrets: tuple[str, ...]) -> None:
        super().__init__("%(asctime)sZ %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S")
        self.converter = time.gmtime
        self._debug = debug
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        record.message = redact(record.getMessage())
        record.asctime = self.formatTime(record, self.datefmt)
        line = one_line(self.formatMessage(record))
        if record.exc_info and record.exc_info[0] is not None:
            kind, error, _ = record.exc_info
            line = f"{line} ({kind.__name__}: {one_line(redact(str(error)))})"
            if self._debug:
                trace = self.formatException(record.exc_info)
                line = "\n    ".join((line, *(one_line(redact(part)) for part in trace.split("\n"))))
        return redact(line, self._secrets)


@contextmanager
def logging_to(file: Path | None, *, debug: bool, secrets: Iterable[str] = (), quiet: bool = False) -> Iterator[None]:
    """Sends the log to `file` (0600, appended), or to stderr where it is None, until the block ends.

    `quiet` leaves all but warnings out, for commands that answer on stdout.
    """
    if file is None:
        handler: logging.Handler = logging.StreamHandler(sys.stderr)
    else:
        private_folder(file.parent)
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, FILE_MODE))
        handler = logging.FileHandler(file, encoding="utf-8")
    known = tuple(sorted({*secrets, *environment_secrets()}, key=len, reverse=True))
    handler.setFormatter(LineFormatter(debug=debug, secrets=known))
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG if debug else logging.WARNING if quiet else logging.INFO)
    try:
        yield
    finally:
        root.setLevel(before)
        root.removeHandler(handler)
        handler.close()
