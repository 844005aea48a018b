"""Where a database may lie, and that nothing foreign is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage import location
from storage.errors import CorruptDatabase, ForeignFile, NetworkDrive, NotWritable


def test_folder_and_file_are_made_for_the_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "deep" / "tape.db"
    location.prepare(path)
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_was_there_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    location.prepare(tmp_path / "tape.db")
    assert tmp_path.stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("content", [b"hello", b"SQLite format 2\0", b"\0" * 100, b"%PDF-1.7"])
def test_what_is_no_database_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(CorruptDatabase, match="is no SQLite database: choose another file"):
        location.prepare(path)
    assert path.read_bytes() == content


def test_a_folder_in_its_place_is_refused(path: Path) -> None:
    path.mkdir()
    with pytest.raises(ForeignFile, match="is a folder"):
        location.prepare(path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(NotWritable, match="choose another place"):
        location.prepare(tmp_path / "file" / "below" / "tape.db")


@pytest.mark.parametrize(
    ("kind", "refused"),
    [
        ("nfs4", True),
        ("cifs", True),
        ("9p", True),
        ("fuse.sshfs", True),
        ("ext4", False),
        ("tmpfs", False),
        ("apfs", False),
    ],
)
def test_network_drives_are_refused(tmp_path: Path, kind: str, refused: bool) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/vda / ext4 rw 0 0\nserver:/share {tmp_path.resolve()} {kind} rw 0 0\nshort\n")
    if refused:
        with pytest.raises(NetworkDrive, match=rf"network drive \({kind}\)"):
            location.refuse_network(tmp_path / "tape.db", mounts=mounts)
    else:
        location.refuse_network(tmp_path / "tape.db", mounts=mounts)


def test_the_closest_mount_decides_and_a_neighbour_of_like_name_does_not(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text("a / nfs rw\nb /data ext4 rw\nc /data/with\\040blank cifs rw\n")
    kinds = {"/elsewhere/t.db": "nfs", "/data/t.db": "ext4", "/database/t.db": "nfs", "/data/with blank/t.db": "cifs"}
    assert {name: location.file_system(Path(name), mounts=mounts) for name in kinds} == kinds


def test_without_a_list_of_mounts_nothing_is_refused(tmp_path: Path) -> None:
    assert location.file_system(tmp_path, mounts=tmp_path / "none") == ""
