"""One instance per database: a lock of the operating system on a file beside it.

The lock ends with the process, however that ends. The note inside only names the holder; a stale, empty or foreign note
never blocks.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import socket
from datetime import datetime
from pathlib import Path

from storage.errors import AlreadyInUse, NotWritable, Unusable


class InstanceLock:
    """Held from `take` to `release`."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._path = database.with_name(f"{database.name}.lock")
        self._descriptor: int | None = None

    def take(self, now: datetime) -> None:
        """Takes the lock at once or raises AlreadyInUse with the holder's process and host."""
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise NotWritable(f"{self._path} cannot be written ({error.strerror}): choose another place") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            refusal = self._refusal(descriptor, error)
            os.close(descriptor)
            raise refusal from error
        note = json.dumps({"pid": os.getpid(), "host": socket.gethostname(), "since": now.isoformat()})
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, note.encode(), 0)
        self._descriptor = descriptor

    def release(self) -> None:
        """Gives the lock back; the file stays, empty."""
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = None

    def _refusal(self, descriptor: int, error: OSError) -> Unusable:
        if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
            return NotWritable(f"{self._path} cannot be locked ({error.strerror}): choose a local folder")
        pid, host = holder_in(os.pread(descriptor, 4096, 0))
        who = f"process {pid} on host {host}" if pid is not None and host else "another process"
        return AlreadyInUse(f"{self._database} is already in use by {who}: close it or choose another file", pid, host)


def holder_in(note: bytes) -> tuple[int | None, str | None]:
    """Who wrote a note; nothing where it says nothing credible."""
    try:
        value = json.loads(note)
        pid, host = value["pid"], value["host"]
    except (ValueError, TypeError, KeyError):
        return None, None
    credible = isinstance(pid, int) and isinstance(host, str) and host.isprintable() and len(host) <= 255
    return (pid, host) if credible else (None, None)
