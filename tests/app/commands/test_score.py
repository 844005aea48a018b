from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from app.lines.contract import SignalLine
from tests.app.program import call, move_home, run, stay_offline

LEHMAN = "Lehman Brothers files for Chapter 11 bankruptcy protection"
APPLE = "Apple to report quarterly earnings on August 9"


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    move_home(tmp_path, monkeypatch)
    stay_offline(tmp_path)


def score(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    done = call(capsys, "score", "--no-tools", *arguments)
    return done.code, done.out, done.err


def lines(out: str) -> Iterator[dict[str, Any]]:
    for line in out.splitlines():
        SignalLine.model_validate_json(line)
        yield json.loads(line)


def file(tmp_path: Path, *rows: bytes | str | Mapping[str, object], name: str = "items.jsonl") -> str:
    data = [
        row if isinstance(row, bytes) else (row if isinstance(row, str) else json.dumps(row)).encode() for row in rows
    ]
    path = tmp_path / name
    path.write_bytes(b"\n".join(data) + b"\n")
    return str(path)


def test_a_bankruptcy_is_flash_with_each_agents_draft_final_and_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = score(capsys, LEHMAN)
    assert (code, err) == (0, "")
    assert out.startswith(f"FLASH  {LEHMAN}\n")
    assert "bankruptcy" in out
    for agent in ("SignalScope", "SentimentPulse", "MacroMind", "SectorScan", "PolicyRadar"):
        assert f"    {agent}" in out
    assert out.count(" -> ") == 5
    assert out.count(" = ") >= 5
    assert "evidence: 16 asked" in out


def test_a_calendar_is_fyi_or_note(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = score(capsys, APPLE, "--json")
    (line,) = lines(out)
    assert line["urgency"] in ("FYI", "NOTE")
    assert "AAPL" in [ticker["symbol"] for ticker in line["tickers_linked"] if ticker["link_type"] == "direct"]


def test_a_file_gives_one_line_per_item_in_input_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"title": f"Company {n} names a new chairman", "id": f"n{n}"} for n in range(50)]
    code, out, err = score(capsys, file(tmp_path, *rows), "--json")
    assert (code, err) == (0, "")
    assert [line["id"] for line in lines(out)] == [f"n{n}" for n in range(50)]


def test_the_same_input_gives_the_same_output_but_for_the_times(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = file(tmp_path, {"title": LEHMAN}, {"title": APPLE, "published_at": "2026-03-10"})
    first, second = (score(capsys, name, "--json")[1] for _ in range(2))

    def timeless(value: Any) -> Any:
        if isinstance(value, dict):
            times = ("first_seen_at", "scored_at", "elapsed_ms", "fetched_at")
            return {key: timeless(one) for key, one in value.items() if key not in times}
        return [timeless(one) for one in value] if isinstance(value, list) else value

    assert [timeless(line) for line in lines(first)] == [timeless(line) for line in lines(second)]


def test_broken_lines_are_named_the_rest_is_scored_and_the_end_is_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = file(tmp_path, {"title": LEHMAN}, "{broken", b'{"title": "\xff"}', {"titel": "x"}, {"title": APPLE})
    code, out, err = score(capsys, name, "--json")
    assert code == 1
    assert [line["item"]["title"] for line in lines(out)] == [LEHMAN, APPLE]
    assert [line.partition(";")[0][:40] for line in err.splitlines()] == [
        "tapewatch: line 2: not JSON: key must be",
        "tapewatch: line 3: not UTF-8 at byte 12",
        "tapewatch: line 4: title is missing",
    ]


def test_a_line_with_a_nul_is_a_broken_line_and_no_binary_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = tmp_path / "in.txt"
    name.write_bytes(b'\0\1\n{"title": "Apple raises guidance"}\n{"title": "a\0b"}\n')
    code, out, err = score(capsys, str(name), "--json")
    assert code == 1
    assert len(out.splitlines()) == 1
    assert [line.split(":")[1] for line in err.splitlines()] == [" line 1", " line 3"]


async def test_text_beyond_the_locale_is_written_as_utf8(tmp_path: Path) -> None:
    done = await run(tmp_path, "score", "Société → 株", "--no-tools", "--json", more={"PYTHONIOENCODING": "ascii"})
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)["item"]["title"] == "Société → 株"


def test_many_broken_lines_do_not_flood_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = score(capsys, file(tmp_path, *["{"] * 500, {"title": APPLE}))
    assert code == 1
    assert err.count("\n") == 51
    assert err.endswith("tapewatch: 450 more broken lines\n")


NOTHING = {
    "an empty file": (b"", "nothing scored, empty"),
    "blank lines": (b"\n \n\n", "nothing scored, empty"),
    "binary junk": (b"\x7fELF\x00\x01" + bytes(range(256)), "binary, not text"),
    "text that is not UTF-8": (b"caf\xe9", "nothing scored, every line is broken"),
    "one endless line": (b"x" * (50 * 2**20), "nothing scored, every line is broken"),
    "only broken lines": (b"{\n[1]\n", "nothing scored, every line is broken"),
}


@pytest.mark.parametrize(("data", "reason"), NOTHING.values(), ids=NOTHING.keys())
def test_nothing_to_score_is_said_and_ends_with_3(
    data: bytes, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = tmp_path / "in.jsonl"
    name.write_bytes(data)
    code, out, err = score(capsys, str(name), "--json")
    assert (code, out) == (3, "")
    assert err.splitlines()[-1].endswith(reason) or reason in err
    assert all(line.startswith("tapewatch: ") and len(line) < 300 for line in err.splitlines())


def test_a_plain_text_file_is_one_item(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = score(capsys, file(tmp_path, LEHMAN, "The filing lists 600 billion.", name="a.txt"), "--json")
    assert code == 0
    (line,) = lines(out)
    assert (line["item"]["title"], line["item"]["summary"]) == (LEHMAN, "The filing lists 600 billion.")
    big = tmp_path / "big.txt"
    big.write_bytes(b"x" * (50 * 2**20))
    code, out, err = score(capsys, str(big))
    assert (code, out) == (3, "")
    assert "one text longer than 1 MiB" in err


@pytest.mark.parametrize(
    ("text", "code"),
    [("", 3), ("  \n", 3), ("\u200b", 3), ("x" * 5_000, 0), ("a\0b", 0), ("Nvidia/AMD fall.", 0), ("nvidia.", 0)],
)
def test_what_names_no_file_is_a_headline(text: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert score(capsys, "--", text)[0] == code


def test_no_text_of_the_hostile_corpus_commands_the_terminal(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = [
        value
        for name in ("terminal_escapes", "unicode_spoofs", "markup", "prompt_injection")
        for row in (shared / "hostile" / f"{name}.jsonl").read_text().splitlines()
        for value in json.loads(row).values()
        if isinstance(value, str)
    ]
    items = [json.dumps({"title": f"Nvidia {text}", "source": text[:60], "summary": text}) for text in texts]
    code, out, _ = score(capsys, file(tmp_path, *items))
    assert code in (0, 1)
    forbidden = {chr(n) for n in (*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))}
    assert set(out) & (forbidden - {"\n"}) == set()


def test_an_id_given_twice_is_said_and_both_are_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = file(tmp_path, {"title": LEHMAN, "id": "a"}, {"title": APPLE, "id": "a"})
    code, out, err = score(capsys, name, "--json")
    assert code == 0
    assert len(list(lines(out))) == 2
    assert err == "tapewatch: line 2: id was used on line 1 already; scored all the same\n"


def test_the_text_of_an_item_cannot_reach_the_terminal_as_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = score(capsys, file(tmp_path, {"title": "Nvidia \x1b[2J\u202e falls\x07", "source": "\x9b31m"}))
    assert not set(out) & set("\x1b\x07\u202e\x9b")


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = score(capsys, "--schema")
    assert code == 0
    assert json.loads(out)["title"] == "SignalLine"


def test_without_tools_nothing_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = score(capsys, LEHMAN, "--json")
    (line,) = lines(out)
    statuses = {evidence["status"] for agent in line["agents"] for evidence in agent["evidence"]}
    assert statuses <= {"not_configured"}


def test_scoring_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    score(capsys, LEHMAN)
    assert not (tmp_path / "data").exists()


async def test_stdin_is_read_as_it_comes_and_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    done = await run(tmp_path, "score", "-", "--json", "--no-tools", given=json.dumps({"title": LEHMAN}).encode())
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)["urgency"] == "FLASH"


def test_a_pipe_that_closes_early_is_no_error(tmp_path: Path) -> None:
    name = file(tmp_path, *[{"title": f"Company {n} names a new chairman"} for n in range(300)])
    command = f"{sys.executable} -m app.cli score --json --no-tools {name} | head -n 1"
    status = os.system(f"bash -c 'set -o pipefail; {command} > {tmp_path}/out 2> {tmp_path}/err'")
    assert (tmp_path / "err").read_text() == ""
    assert len((tmp_path / "out").read_text().splitlines()) == 1
    assert os.waitstatus_to_exitcode(status) == 0


def test_stdin_that_is_a_terminal_needs_something_to_score(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal(io.BytesIO()))
    code, _, err = score(capsys)
    assert code == 2
    assert "give a FILE, - for stdin, or a headline in quotes" in err


def test_an_array_and_spread_objects_are_scored_like_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = tmp_path / "in.json"
    name.write_text(json.dumps([{"title": APPLE}, {"title": 5}, {"title": LEHMAN}], indent=2))
    code, out, err = score(capsys, "--json", str(name))
    assert code == 1
    assert [json.loads(line)["item"]["title"] for line in out.splitlines()] == [APPLE, LEHMAN]
    assert err == "tapewatch: item 2: title must be text; skipped\n"


def test_a_text_of_several_lines_is_one_item_and_says_so_or_one_headline_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = tmp_path / "in.txt"
    name.write_text(f"{APPLE}\n\n{LEHMAN}\n")
    code, out, err = score(capsys, "--json", str(name))
    assert (code, len(out.splitlines())) == (0, 1)
    assert err == f"tapewatch: {name}: read as one text of 2 lines; --lines takes each for a headline\n"
    code, out, err = score(capsys, "--json", str(name), "--lines")
    assert (code, err) == (0, "")
    assert [json.loads(line)["item"]["title"] for line in out.splitlines()] == [APPLE, LEHMAN]


@pytest.mark.parametrize("symbol", ["two words", "A" * 21, "<b>", "NVDA;AMD"])
def test_a_ticker_that_can_be_no_symbol_is_named(
    symbol: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = score(
        capsys, "--json", file(tmp_path, {"title": APPLE, "tickers": ["$aapl", symbol]}, {"title": LEHMAN})
    )
    assert (code, len(out.splitlines())) == (1, 1)
    assert f"line 1: tickers: {symbol.upper()[:20]!r} is no symbol; skipped" in err
