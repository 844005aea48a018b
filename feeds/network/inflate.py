"""The body of an answer, undone from its content coding under a cap on what comes out.

An HTTP library inflates first and lets its caller count afterwards, which is too late for a small body that inflates
to gigabytes. Here the inflater itself is told how much may still come.
"""

from __future__ import annotations

import zlib

from feeds.errors import Garbled, TooLarge

_STEP = 256 * 1024
_WIRE_SLACK = 64 * 1024
_GZIP_MAGIC = b"\x1f\x8b\x08"
_GZIP_WBITS = 31
_RAW_WBITS = -15
_CODINGS = {"": "", "identity": "", "gzip": "gzip", "x-gzip": "gzip", "deflate": "deflate"}


class Inflater:
    """Takes raw chunks, gives the decoded body; never holds more than `max_bytes` of it.

    One content coding at most: gzip, or a deflate nobody asked for; gzip that no header declares is noticed by its
    first bytes. Raises TooLarge past the cap, Garbled for a body that is cut off, broken or coded otherwise.
    `host` names the sender in messages.
    """

    def __init__(self, host: str, content_encoding: str, max_bytes: int) -> None:
        named = [part.strip().lower() for part in content_encoding.split(",")]
        codings = [_CODINGS.get(name, name) for name in named]
        codings = [coding for coding in codings if coding]
        if len(codings) > 1 or (codings and codings[0] not in _CODINGS):
            raise Garbled(f"{host}: sent content coding {content_encoding[:40]!r}, which was not asked for")
        self._host = host
        self._coding = codings[0] if codings else ""
        self._max_bytes = max_bytes
        self._wire = 0
        self._size = 0
        self._parts: list[bytes] = []
        self._head = b""
        self._started = False
        self._engine: zlib._Decompress | None = None
        self._rest = b""
        self._padding = False

    def expect(self, length: int) -> None:
        """Refuses a body whose declared length alone passes the cap."""
        if length > self._max_bytes + _WIRE_SLACK:
            raise self._too_large()

    def feed(self, chunk: bytes) -> None:
        """Takes the next raw bytes."""
        self._wire += len(chunk)
        if self._wire > self._max_bytes + _WIRE_SLACK:
            raise self._too_large()
        if self._started:
            self._take(chunk)
            return
        self._head += chunk
        if len(self._head) >= len(_GZIP_MAGIC):
            self._start()

    def finish(self) -> bytes:
        """The whole decoded body. Raises Garbled where the compressed stream has not reached its end."""
        if not self._started and self._head:
            self._start()
        if self._engine is not None and not self._engine.eof:
            raise Garbled(f"{self._host}: the compressed answer breaks off in the middle; it is tried again")
        return b"".join(self._parts)

    def _start(self) -> None:
        head, self._head, self._started = self._head, b"", True
        if self._coding == "gzip" or (not self._coding and head.startswith(_GZIP_MAGIC)):
            self._engine = zlib.decompressobj(_GZIP_WBITS)
        elif self._coding == "deflate":
            wrapped = len(head) > 1 and head[0] & 0x0F == 8 and int.from_bytes(head[:2], "big") % 31 == 0
            self._engine = zlib.decompressobj(zlib.MAX_WBITS if wrapped else _RAW_WBITS)
        self._take(head)

    def _take(self, chunk: bytes) -> None:
        if self._engine is None:
            self._keep(chunk)
            return
        data, full = self._rest + chunk, False
        self._rest = b""
        while data or full:
            if self._engine.eof and not self._next_member(data):
                return
            try:
                part = self._engine.decompress(data, _STEP)
            except zlib.error as error:
                raise Garbled(f"{self._host}: says its answer is compressed, but it is not or is broken") from error
            self._keep(part)
            full = len(part) == _STEP and not self._engine.eof
            data = self._engine.unused_data if self._engine.eof else self._engine.unconsumed_tail

    def _next_member(self, data: bytes) -> bool:
        """Opens the next gzip member of the stream; what follows the last one and is no gzip is padding."""
        if self._padding or not data.startswith(_GZIP_MAGIC[: len(data)]):
            self._padding = True
            return False
        if len(data) < len(_GZIP_MAGIC):
            self._rest = data
            return False
        self._engine = zlib.decompressobj(_GZIP_WBITS)
        return True

    def _keep(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > self._max_bytes:
            raise self._too_large()
        if part:
            self._parts.append(part)

    def _too_large(self) -> TooLarge:
        cap = self._max_bytes / 2**20
        return TooLarge(f"{self._host}: the answer is larger than {cap:.3g} MiB, not read further")
