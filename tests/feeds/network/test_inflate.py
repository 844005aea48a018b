"""Bodies are undone whole or not at all, and never past the cap."""

from __future__ import annotations

import base64
import gzip
import resource
import sys
import tracemalloc
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.errors import Garbled, TooLarge
from feeds.network.inflate import Inflater

CAP = 1_000_000
TEXT = b"<rss>" + b"Northwind Metals raises its guidance. " * 500 + b"</rss>"


def gz(body: bytes) -> bytes:
    """The same bytes for the same body at any time, since pytest names tests after them."""
    return gzip.compress(body, mtime=0)


BOMB = gz(bytes(64 * 2**20))


def undo(body: bytes, coding: str = "", *, cap: int = CAP, step: int = 65536) -> bytes:
    inflater = Inflater("news.example", coding, cap)
    for start in range(0, len(body), step):
        inflater.feed(body[start : start + step])
    return inflater.finish()


def raw_deflate(body: bytes) -> bytes:
    engine = zlib.compressobj(wbits=-15)
    return engine.compress(body) + engine.flush()


@pytest.mark.parametrize("step", [1, 2, 3, 7, 1000, 65536])
@pytest.mark.parametrize(
    ("body", "coding"),
    [
        (TEXT, ""),
        (TEXT, "identity"),
        (gz(TEXT), "gzip"),
        (gz(TEXT), " GZip "),
        (gz(TEXT), "x-gzip"),
        (gz(TEXT), "identity, gzip"),
        (gz(TEXT), ""),
        (gz(TEXT[:900]) + gz(TEXT[900:]), "gzip"),
        (gz(TEXT) + b"\0\0\0\0padding", "gzip"),
        (zlib.compress(TEXT), "deflate"),
        (raw_deflate(TEXT), "deflate"),
    ],
    ids=["plain", "identity", "gzip", "case", "x-gzip", "listed", "undeclared", "members", "padding", "zlib", "raw"],
)
def test_what_is_read(body: bytes, coding: str, step: int) -> None:
    assert undo(body, coding, step=step) == TEXT


def test_output_that_waits_inside_the_inflater_is_not_taken_for_a_cut() -> None:
    for size in range(256 * 1024, 256 * 1024 + 300):
        assert len(undo(raw_deflate(bytes(size)), "deflate")) == size


@pytest.mark.parametrize("body", [b"", b"\x1f", b"\x1f\x8b", b"ab"])
def test_short_bodies_stay_as_they_are(body: bytes) -> None:
    assert undo(body) == body


@pytest.mark.parametrize(
    ("body", "coding"),
    [
        (TEXT, "gzip"),
        (TEXT, "deflate"),
        (gz(TEXT)[:-1], "gzip"),
        (gz(TEXT)[:-15], "gzip"),
        (gz(TEXT)[:-15], ""),
        (gz(TEXT)[:2], "gzip"),
        (gz(TEXT) + gz(TEXT)[:-3], "gzip"),
        (zlib.compress(TEXT)[:-1], "deflate"),
        (gz(TEXT)[:40] + b"\xff" * 40, "gzip"),
        (gz(gz(TEXT)), "gzip, gzip"),
        (gz(TEXT), ", ".join(["gzip"] * 200)),
        (TEXT, "br"),
        (TEXT, "zstd"),
    ],
    ids=range(13),
)
def test_half_bodies_and_lies_are_errors(body: bytes, coding: str) -> None:
    with pytest.raises(Garbled, match=r"^news\.example: [^\n]+$"):
        undo(body, coding)


@pytest.mark.parametrize("body", [bytes(CAP), gz(bytes(CAP))], ids=["plain", "gzip"])
def test_the_cap_itself_is_read(body: bytes) -> None:
    assert len(undo(body)) == CAP


@pytest.mark.parametrize(
    ("body", "coding"),
    [
        (bytes(CAP + 1), ""),
        (gz(bytes(CAP + 1)), "gzip"),
        (gz(bytes(CAP)) + gz(b"x"), "gzip"),
        (gz(b"") * 60_000, "gzip"),
        (BOMB, "gzip"),
        (BOMB, ""),
        (zlib.compress(bytes(64 * 2**20)), "deflate"),
    ],
    ids=["plain", "gzip", "members", "empty members for ever", "bomb", "undeclared bomb", "zlib bomb"],
)
def test_past_the_cap_nothing_is_read(body: bytes, coding: str) -> None:
    with pytest.raises(TooLarge, match=r"larger than 0\.954 MiB"):
        undo(body, coding)


def test_a_declared_length_past_the_cap_is_refused_at_once() -> None:
    with pytest.raises(TooLarge):
        Inflater("news.example", "", CAP).expect(100 * 2**20)


def test_a_bomb_costs_no_more_than_the_cap() -> None:
    tracemalloc.start()
    try:
        with pytest.raises(TooLarge):
            undo(BOMB, "gzip", cap=10 * 2**20)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 13 * 2**20


def test_shared_bombs_are_stopped_within_twenty_megabytes(shared: Path) -> None:
    unit = 1 if sys.platform == "darwin" else 1024
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    refused = set()
    for path in sorted((shared / "hostile" / "bombs").glob("*.b64")):
        body = base64.b64decode(path.read_text())
        coding = {"br": "br", "zlib": "deflate"}.get(path.name.split(".")[1], "gzip")
        try:
            assert len(undo(body, coding, cap=10 * 2**20)) < 70_000
        except (TooLarge, Garbled) as error:
            refused.add(type(error))
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit - before
    assert grown <= 20 * 2**20
    assert refused == {TooLarge, Garbled}


@given(st.binary(max_size=2000), st.integers(1, 500), st.sampled_from(["", "gzip", "deflate"]))
def test_any_bytes_are_read_or_refused(body: bytes, step: int, coding: str) -> None:
    with suppress(Garbled, TooLarge):
        undo(body, coding, step=step)


@given(st.binary(max_size=3000), st.integers(1, 500))
def test_gzip_of_anything_comes_back(body: bytes, step: int) -> None:
    assert undo(gz(body), "gzip", step=step) == body
