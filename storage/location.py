"""Where a database lies: whether the file may be ours, on which file system, and who may read it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from storage.errors import CorruptDatabase, ForeignFile, NetworkDrive, NotWritable

_SQLITE_MAGIC = b"SQLite format 3\0"
_NETWORK = frozenset(("9p", "afs", "cifs", "davfs", "drvfs", "fuse.sshfs", "ncpfs", "nfs", "nfs4", "smb3", "smbfs"))
_MOUNTS = Path("/proc/self/mounts")


def prepare(path: Path, *, mounts: Path = _MOUNTS) -> None:
    """Makes folder and file, for the user alone, where they are missing; refuses what cannot be a database."""
    try:
        if not path.parent.exists():
            path.parent.mkdir(mode=0o700, parents=True)
        refuse_network(path, mounts=mounts)
        if path.exists():
            check(path)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise NotWritable(f"{path} cannot be written ({error.strerror}): choose another place") from error


def check(path: Path) -> None:
    """Refuses what is there and is no SQLite file. An empty file is a database that was never begun."""
    if path.is_dir():
        raise ForeignFile(f"{path} is a folder: name a file in it")
    if not stat.S_ISREG(path.stat().st_mode):
        raise ForeignFile(f"{path} is no regular file: choose another")
    with path.open("rb") as file:
        head = file.read(len(_SQLITE_MAGIC))
    if head and head != _SQLITE_MAGIC:
        raise CorruptDatabase(f"{path} is no SQLite database: choose another file")


def refuse_network(path: Path, *, mounts: Path = _MOUNTS) -> None:
    """Raises NetworkDrive where the system says that `path` lies on one; where it does not say, nothing is refused."""
    kind = file_system(path, mounts=mounts)
    if kind in _NETWORK:
        raise NetworkDrive(f"{path} is on a network drive ({kind}): choose a local folder")


def file_system(path: Path, *, mounts: Path = _MOUNTS) -> str:
    """The kind of file system `path` lies on, "" where the system has no list of mounts."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    real, best, kind = str(path.resolve()), "", ""
    for line in lines:
        fields = line.split()
        if len(fields) < 3:
            continue
        point = fields[1].replace("\\040", " ")
        inside = real == point or real.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, fields[2]
    return kind
