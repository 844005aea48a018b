"""Where the program keeps things, and that only the user may read them (folders 0700, files 0600)."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import platformdirs

from app.errors import AppError

NAME = "tapewatch"
FOLDER_MODE = 0o700
FILE_MODE = 0o600


def config_file() -> Path:
    """The configuration file of this user."""
    return platformdirs.user_config_path(NAME) / "config.toml"


def database_file() -> Path:
    """The database of this user."""
    return platformdirs.user_data_path(NAME) / "tapewatch.db"


def log_file() -> Path:
    """Where the full-screen program writes its log, since the screen has no room for it."""
    return platformdirs.user_state_path(NAME) / "tapewatch.log"


def private_folder(folder: Path) -> Path:
    """Makes `folder` and its missing parents for the user alone; a folder that exists keeps its mode."""
    try:
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    except OSError as error:
        raise AppError(f"{folder}: cannot make the folder ({error.strerror}); choose another place") from error
    return folder


def write_private(file: Path, text: str) -> None:
    """Replaces `file` in one step, readable by the user alone; a link is followed, so that it stays a link."""
    target = file.resolve()
    private_folder(target.parent)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(text)
            os.replace(name, target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise AppError(f"{target}: cannot be written ({error.strerror})") from error
