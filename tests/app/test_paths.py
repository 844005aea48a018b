from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from app.errors import AppError
from app.paths import private_folder, write_private


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_is_written_is_for_the_user_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_private(tmp_path / "a" / "b.toml", "x")
    finally:
        os.umask(before)
    assert mode(tmp_path / "a" / "b.toml") == 0o600
    assert mode(tmp_path / "a") == 0o700


def test_a_file_is_replaced_in_one_step_and_nothing_is_left_behind(tmp_path: Path) -> None:
    file = tmp_path / "f"
    write_private(file, "one")
    write_private(file, "two")
    assert file.read_text() == "two"
    assert os.listdir(tmp_path) == ["f"]


def test_a_folder_that_exists_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    private_folder(tmp_path)
    assert mode(tmp_path) == 0o755


def test_a_place_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(AppError, match="cannot make the folder"):
        write_private(tmp_path / "file" / "x", "x")
    (tmp_path / "folder").mkdir()
    with pytest.raises(AppError, match="cannot be written"):
        write_private(tmp_path / "folder", "x")
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"]
