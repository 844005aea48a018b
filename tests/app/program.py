"""Runs the program as a user does, in a process of its own, or its command line inside this one, which is quicker."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.cli import main


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended."""

    code: int
    out: str
    err: str


NO_NETWORK = '[tools]\nbase_urls = { default = "http://127.0.0.1:9" }\n'
"""A configuration in which every evidence source is a closed port of this machine."""


def environment(home: Path, more: Mapping[str, str]) -> Mapping[str, str]:
    """Nothing of the caller's but the path; configuration, data and log below `home`."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_STATE_HOME": str(home / "state"),
        "TERM": "xterm-256color",
        "PYTHONWARNINGS": "error",
        **more,
    }


async def start(
    home: Path, *arguments: str, out: int = asyncio.subprocess.PIPE, more: Mapping[str, str] | None = None
) -> asyncio.subprocess.Process:
    """Starts the program with all three streams as pipes, or stdout at the descriptor `out`."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "app.cli",
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=out,
        stderr=asyncio.subprocess.PIPE,
        env=environment(home, more or {}),
        limit=2**24,
    )


async def run(home: Path, *arguments: str, given: bytes = b"", more: Mapping[str, str] | None = None) -> Ended:
    """Runs the program to its end."""
    process = await start(home, *arguments, more=more)
    async with asyncio.timeout(20):
        out, err = await process.communicate(given)
    assert process.returncode is not None
    return Ended(process.returncode, out.decode(), err.decode())


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ended:
    """The command line inside this process."""
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    out, err = capsys.readouterr()
    return Ended(int(ended.value.code or 0), out, err)


def stay_offline(home: Path) -> None:
    """Writes a configuration for the program that runs below `home`: no evidence source is ever reached."""
    file = home / "config" / "tapewatch" / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(NO_NETWORK)


def move_home(home: Path, patch: pytest.MonkeyPatch) -> None:
    """Puts configuration, data and log of this process below `home`."""
    for name, value in environment(home, {}).items():
        if name.startswith("XDG_"):
            patch.setenv(name, value)
