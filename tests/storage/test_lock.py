"""One instance per database, refused by name; what a dead instance left behind never blocks."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from storage.errors import AlreadyInUse, NotWritable
from storage.lock import InstanceLock
from tests.storage.samples import NOW


def test_a_second_holder_is_refused_with_the_first_one_named(path: Path) -> None:
    first, second = InstanceLock(path), InstanceLock(path)
    first.take(NOW)
    with pytest.raises(
        AlreadyInUse, match=rf"already in use by process {os.getpid()} on host \S+: close it"
    ) as refused:
        second.take(NOW)
    assert refused.value.pid == os.getpid()
    first.release()
    second.take(NOW)
    second.release()


@pytest.mark.parametrize(
    "note",
    [
        b"",
        b'{"pid": 999999, "host": "gone", "since": "2020"}',
        b"\x00\xff\xfe",
        b"[]",
        b"null",
        b'{"pid": "1"}',
        b"x" * 9_000,
    ],
)
def test_a_stale_note_never_blocks(path: Path, note: bytes) -> None:
    path.with_name("tape.db.lock").write_bytes(note)
    lock = InstanceLock(path)
    lock.take(NOW)
    lock.release()


@pytest.mark.parametrize(
    "note", [b"", b"junk", b"[1]", b'{"pid": 7, "host": "\\u001b[2J"}', b'{"pid": "7", "host": "h"}']
)
def test_a_holder_without_a_credible_note_is_another_process(path: Path, note: bytes) -> None:
    holder = InstanceLock(path)
    holder.take(NOW)
    path.with_name("tape.db.lock").write_bytes(note)
    with pytest.raises(AlreadyInUse, match="already in use by another process") as refused:
        InstanceLock(path).take(NOW)
    assert (refused.value.pid, refused.value.host) == (None, None)
    holder.release()


def test_a_folder_that_cannot_hold_the_lock_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotWritable, match="cannot be written"):
        InstanceLock(tmp_path / "missing" / "tape.db").take(NOW)
