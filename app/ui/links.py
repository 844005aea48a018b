"""Opening a link outside: http and https only, as one argument of a program, never through a shell."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading

from feeds.documents.text import safe_url

_OPENERS = ("open",) if sys.platform == "darwin" else ("xdg-open", "wslview", "gio")


def open_link(url: str) -> str:
    """Opens `url` in the desktop's browser; returns in one line what came of it."""
    address = safe_url(url)
    if not address:
        return "there is no http or https link here"
    for name in _OPENERS:
        program = shutil.which(name)
        if program is None:
            continue
        command = [program, "open", address] if name == "gio" else [program, address]
        try:
            process = subprocess.Popen(  # noqa: S603 -- a fixed program, the address is one argument and no option
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            return f"{name} could not be started: {error.strerror}"
        threading.Thread(target=process.wait, daemon=True).start()
        return f"opened {address}"
    return f"no browser opener here; the address is {address}"
