from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.cli import COMMANDS, cli, main
from tests.app.program import Ended, call, environment, move_home, run


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    move_home(tmp_path, monkeypatch)


def test_help_names_every_command_and_nothing_that_does_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    done = call(capsys, "--help")
    code, out = done.code, done.out
    assert code == 0
    for name, (_, line) in COMMANDS.items():
        assert f"{name} " in out
        assert " ".join(line.split()[:4]) in out
    assert re.findall(r"^  ([a-z]+) ", out.partition("Commands:")[2], re.MULTILINE) == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_takes_the_global_options(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = call(capsys, name, "--help")
    code, out = done.code, done.out
    assert code == 0
    for option in ("--config", "--db", "--engine", "--debug"):
        assert option in out


def test_help_loads_no_command_and_nothing_heavy() -> None:
    program = (
        "import sys\nsys.argv = ['tapewatch', '--help']\nfrom app.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'pydantic', 'textual', 'httpx2', 'feedparser', 'sqlite3', 'app.config.config'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {heavy}' if heavy else 0)"
    )
    done = asyncio.run(_python(program))
    assert done == (0, "")


async def _python(program: str) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    _, err = await process.communicate()
    return process.returncode, err.decode()


WRONG = {
    "an unknown command": (("bogus",), "there is no command 'bogus'; commands are run, score"),
    "an unknown option": (("score", "--bogus"), "No such option '--bogus'; see `tapewatch score --help`"),
    "an unknown engine": (("score", "--engine", "gpt", "x"), "'gpt' is not one of 'rules', 'claude'"),
    "claude without a key": (("score", "x", "--engine", "claude"), "set ANTHROPIC_API_KEY"),
    "the engine before the command": (("--engine", "claude", "score", "x"), "set ANTHROPIC_API_KEY"),
    "a missing configuration": (("score", "x", "--config", "/nowhere/c.toml"), "no such file; `tapewatch config init`"),
    "a directory to score": (("score", "/"), "/: a directory; give a file of JSON lines"),
    "a file that is not there": (("score", "missing.jsonl"), "missing.jsonl: no such file"),
    "no recording": (("replay", "/nowhere.jsonl"), "'/nowhere.jsonl' does not exist"),
    "the screen without a terminal": ((), "the monitor needs a terminal; without one use `tapewatch run --headless`"),
    "the demo without a terminal": (("demo",), "the monitor needs a terminal"),
    "a group without a command": (
        ("feeds",),
        "tapewatch: feeds: give a command: add, check, export, import, list, remove; see `tapewatch feeds --help`",
    ),
    "a speed that is no number": (("demo", "--headless", "--speed", "nan"), "'nan' is not a number"),
    "a feed that is no web address": (("feeds", "add", "ftp://x"), "feeds add: not a web address: 'ftp'"),
    "a feed without a host": (("feeds", "add", "http://"), "it names no host"),
    "a check of nothing": (("feeds", "check"), "name the feeds to check, or give --all"),
    "a check of an unknown feed": (("feeds", "check", "nobody"), "no feed is called 'nobody'"),
    "removing an unknown feed": (("feeds", "remove", "nobody"), "no feed is called 'nobody'"),
}


@pytest.mark.parametrize(("arguments", "expected"), WRONG.values(), ids=WRONG.keys())
def test_wrong_use_is_one_line_and_ends_with_2(
    arguments: tuple[str, ...], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = call(capsys, *arguments)
    code, out, err = done.code, done.out, done.err
    assert (code, out) == (2, "")
    assert err.startswith("tapewatch: ")
    assert expected in err
    assert err.count("\n") == 1


def test_a_broken_configuration_is_one_line_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "c.toml"
    file.write_text('\nengin = "rules"\n')
    done = call(capsys, "feeds", "list", "--config", str(file))
    code, out, err = done.code, done.out, done.err
    assert (code, out) == (2, "")
    assert err == f"tapewatch: {file} line 2: unknown key engin; did you mean engine?\n"


def test_an_unforeseen_failure_is_one_line_without_secrets_unless_debugging(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("bad\ntoken=CANARY")

    monkeypatch.setattr(cli, "invoke", fail)
    done = call(capsys, "feeds", "list")
    code, err = done.code, done.err
    assert code == 1
    assert err == "tapewatch: unexpected RuntimeError: bad\\ntoken=*** (--debug shows it)\n"
    with pytest.raises(RuntimeError):
        main(["feeds", "list", "--debug"])


def test_the_configuration_is_found_written_and_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "config" / "tapewatch" / "config.toml"
    assert call(capsys, "config", "path") == Ended(0, f"{file}\n", "")
    assert call(capsys, "config", "init").code == 0
    done = call(capsys, "config", "init")
    code, err = done.code, done.err
    assert code == 2
    assert "exists already" in err
    file.write_text(
        '[alerts]\nflash = ["tgram://123:CANARY/5"]\n[tools]\nbase_urls.exa = "https://u:CANARY@h/?token=CANARY"\n'
    )
    done = call(capsys, "config", "show")
    code, out = done.code, done.out
    assert code == 0
    assert 'flash = ["***"]' in out
    assert "CANARY" not in out


def test_feeds_are_listed_as_configured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "c.toml"
    file.write_text(
        "[feeds]\nbuiltin = false\n[[feeds.source]]\n"
        'url = "https://wire.example/rss?token=CANARY"\nname = "Wire"\ntier = 1\n'
    )
    done = call(capsys, "feeds", "list", "--config", str(file))
    code, out = done.code, done.out
    assert code == 0
    assert out.count("\n") == 2
    assert "wire-example" in out
    assert "CANARY" not in out
    done = call(capsys, "feeds", "list", "--json", "--config", str(file))
    code, out = done.code, done.out
    assert '"tier": 1' in out
    assert "CANARY" not in out


async def test_a_dumb_terminal_is_told_what_to_use(tmp_path: Path) -> None:
    done = await run(tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "tapewatch run --headless" in done.err


def test_help_takes_less_than_a_tenth_of_a_second_of_work(capsys: pytest.CaptureFixture[str]) -> None:
    began = time.process_time()
    call(capsys, "--help")
    assert time.process_time() - began < 0.1


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&-"])
def test_a_closed_stdin_or_stdout_is_no_failure_and_no_place_for_a_file(closed: str, tmp_path: Path) -> None:
    command = f"{sys.executable} -m app.cli score --no-tools 'Apple raises guidance' {closed}"
    done = subprocess.run(["sh", "-c", command], env=environment(tmp_path, {}), stderr=subprocess.PIPE, timeout=20)
    assert (done.returncode, done.stderr) == (0, b"")
