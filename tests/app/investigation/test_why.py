"""`tapewatch why` as a user runs it, over files that are the whole world."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from app.investigation.contract import InvestigationLine
from tests.agents.investigation.builders import HOUR, ONSET, bars
from tests.app.program import Ended, call, move_home, run

STATEMENT = {
    "title": "Statement on Monetary Policy, 14 May 2024",
    "summary": "The Bank raises the overnight rate to 0.5 percent.",
    "source": "Bank of Japan",
    "url": "https://www.boj.or.jp/en/mopo/k240514a.htm",
    "published_at": "2024-05-14T06:12:00Z",
}
REPORT = {
    "title": "Yen leaps after Bank of Japan raises rates",
    "source": "Reuters",
    "url": "https://www.reuters.com/markets/1",
    "published_at": "2024-05-14T06:14:10Z",
}
SUSPICION = {
    "title": "Yen vaults in minutes; dealers point at Tokyo",
    "source": "Reuters",
    "url": "https://www.reuters.com/markets/2",
    "published_at": "2024-05-14T06:20:00Z",
}
RECORD = {
    "title": "Foreign exchange intervention operations, April to June 2024, daily data",
    "summary": "14 May 2024: 3,000 billion yen, US dollar (sold) Japanese yen (bought).",
    "source": "Ministry of Finance Japan",
    "url": "https://www.mof.go.jp/english/quarter/2024_2Qe.html",
    "published_at": "2024-08-06T23:50:00Z",
    "effective_at": "2024-05-14",
}


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    move_home(tmp_path, monkeypatch)


@pytest.fixture
def prices(tmp_path: Path) -> str:
    rows = [f"{bar.at:%Y-%m-%dT%H:%M:%SZ},{bar.open},{bar.high},{bar.low},{bar.close}" for bar in bars()]
    path = tmp_path / "prices.csv"
    path.write_text("time,open,high,low,close\n" + "\n".join(rows) + "\n")
    return str(path)


def news(tmp_path: Path, *rows: Mapping[str, str], name: str = "news.jsonl") -> str:
    path = tmp_path / name
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return str(path)


def why(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ended:
    return call(capsys, "why", *arguments)


def answer(ended: Ended) -> dict[str, Any]:
    InvestigationLine.model_validate_json(ended.out)
    line: dict[str, Any] = json.loads(ended.out)
    return line


def test_a_decision_in_the_onset_bar_is_the_cause_at_medium(
    tmp_path: Path, prices: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = why(capsys, "USDJPY", "--prices", prices, "--news", news(tmp_path, STATEMENT, REPORT), "--json")
    assert (done.code, done.err) == (0, "")
    found = answer(done)
    assert (found["symbol"], found["verdict"], found["unknown_because"]) == ("USDJPY", "cause_found", [])
    assert found["anchor"]["onset_at"] == "2024-05-14T06:00:00Z"
    assert found["anchor"]["precision_s"] == 3600
    best = found["hypotheses"][0]
    assert (best["cause_type"], best["certainty"], best["score"], best["status"]) == (
        "policy_change",
        "medium",
        0.6,
        "supported",
    )
    assert [one["rank"] for one in best["evidence"]] == ["A", "C"]
    assert {one["collector"] for one in best["evidence"]} == {"PrimarySource", "Narrative"}
    assert found["used"]["calls"] <= found["bound"]["calls"]
    assert found["used"]["usd"] == 0


def test_an_intervention_is_suspected_until_the_ministry_records_it(
    tmp_path: Path, prices: str, capsys: pytest.CaptureFixture[str]
) -> None:
    day = answer(why(capsys, "USDJPY", "--prices", prices, "--news", news(tmp_path, SUSPICION), "--json"))
    best = day["hypotheses"][0]
    assert (best["cause_type"], best["status"], best["certainty"]) == ("fx_intervention", "suspected", "low")
    assert "confirmed" not in best["statement"].replace("would be confirmed", "")
    assert best["confirmed_by"]["when"] == "2024-05-31T10:00:00Z"
    assert day["verdict"] == "no_public_cause"
    later = news(tmp_path, RECORD, name="confirm.jsonl")
    known = answer(
        why(capsys, "USDJPY", "--prices", prices, "--news", news(tmp_path, SUSPICION), "--news", later, "--json")
    )
    best = known["hypotheses"][0]
    assert (best["status"], best["certainty"], best["score"], known["verdict"]) == (
        "confirmed",
        "high",
        1.0,
        "cause_found",
    )
    row = next(one for one in best["evidence"] if one["rank"] == "A")
    assert (row["timing"], row["time_kind"], row["effective_at"]) == ("lead", "effective", "2024-05-14T00:00:00Z")


def test_nothing_in_the_files_is_no_public_cause(
    tmp_path: Path, prices: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = answer(why(capsys, "USDJPY", "--prices", prices, "--news", news(tmp_path), "--json"))
    assert (found["verdict"], found["hypotheses"]) == ("no_public_cause", [])
    assert {line["state"] for line in found["coverage"]} == {"found", "nothing"}


def test_without_a_price_series_it_says_so_and_stops(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = why(capsys, "USDJPY", "--news", news(tmp_path, REPORT), "--json")
    found = answer(done)
    assert (done.code, found["verdict"], found["unknown_because"], found["anchor"]) == (
        1,
        "unknown",
        ["price series"],
        None,
    )
    assert done.err == "tapewatch: USDJPY: no price series was given; add --prices FILE.csv\n"


def test_the_text_says_verdict_arithmetic_coverage_and_what_would_confirm(
    tmp_path: Path, prices: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = why(capsys, "USDJPY", "--prices", prices, "--news", news(tmp_path, STATEMENT, SUSPICION))
    for words in (
        "USDJPY -2.00% in the hour from 2024-05-14 06:00 UTC",
        "verdict: cause found",
        "certainty: A x overlap = 0.60",
        "---- onset ----",
        "Bank of Japan: Statement on Monetary Policy, 14 May 2024",
        "would be confirmed by Ministry of Finance, monthly total",
        "2024-05-31 10:00 UTC",
        "nothing  Federal Reserve decisions",
        "used 10 of at most 112 calls",
    ):
        assert words in done.out
    assert max(map(len, done.out.splitlines())) < 200


def test_the_text_is_of_the_configured_zone(tmp_path: Path, prices: str, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "tokyo.toml"
    config.write_text('timezone = "Asia/Tokyo"\n')
    files = ("--prices", prices, "--news", news(tmp_path, STATEMENT), "--config", str(config))
    done = why(capsys, "USDJPY", "--at", "2024-05-14T15:00", *files)
    assert done.out.startswith("What moved USDJPY around 2024-05-14 15:00 JST?\n")
    assert "from 2024-05-14 15:00 JST" in done.out
    assert "2024-05-14T06:00:00Z" in why(capsys, "USDJPY", *files, "--json").out


def test_prices_that_are_still_to_come_are_said(
    tmp_path: Path, prices: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ahead = tmp_path / "ahead.csv"
    ahead.write_text(Path(prices).read_text().replace("2024-", "2124-"))
    assert "is --tz right?" in why(capsys, "USDJPY", "--prices", str(ahead), "--news", news(tmp_path)).out
    assert "is --tz right?" not in why(capsys, "USDJPY", "--prices", prices, "--news", news(tmp_path)).out


def test_a_search_for_what_was_never_asked_says_so(
    tmp_path: Path, prices: str, capsys: pytest.CaptureFixture[str]
) -> None:
    why(capsys, "USDJPY", "--prices", prices, "--news", news(tmp_path, STATEMENT))
    nothing = why(capsys, "zloty", "--past")
    assert (nothing.code, nothing.out, nothing.err) == (0, "", "no past investigation holds 'zloty'\n")
    assert "USDJPY" in why(capsys, "--past").out


def test_a_naive_table_needs_a_zone(tmp_path: Path, prices: str, capsys: pytest.CaptureFixture[str]) -> None:
    naive = tmp_path / "naive.csv"
    naive.write_text(Path(prices).read_text().replace("Z,", ","))
    files = ("--prices", str(naive), "--news", news(tmp_path, STATEMENT), "--json")
    refused = why(capsys, "USDJPY", *files)
    assert refused.code == 2
    assert "name it with --tz" in refused.err
    eastern = answer(why(capsys, "USDJPY", *files, "--tz", "Europe/Athens"))
    assert eastern["anchor"]["onset_at"] == "2024-05-14T03:00:00Z"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("USDJPY", "--at", "yesterday"), "not a time"),
        (("USDJPY", "--window", "soon"), "not a span"),
        (("USDJPY", "--tz", "Mars/Base"), "no such time zone"),
        (("USDJPY", "--prices", "none.csv"), "cannot be read"),
        (("not a symbol at all",), "neither a symbol nor the id of a signal"),
        ((), "say which symbol"),
    ],
)
def test_wrong_use_is_one_line(arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = why(capsys, *arguments)
    assert done.code == 2
    assert said in done.err
    assert done.err.count("\n") == 1


def test_the_worst_case_is_stated_before_anything_runs(capsys: pytest.CaptureFixture[str]) -> None:
    done = why(capsys, "USDJPY", "--dry-run")
    assert done.out.startswith("worst case with rules: 112 calls, 0 tokens, $0")
    assert json.loads(why(capsys, "USDJPY", "--dry-run", "--json").out)["bound"]["calls"] == 112


def test_the_schema_is_that_of_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    schema = json.loads(why(capsys, "--schema").out)
    assert schema == InvestigationLine.model_json_schema()
    assert set(schema["required"]) == {
        "symbol",
        "question",
        "anchor",
        "verdict",
        "unknown_because",
        "hypotheses",
        "coverage",
        "decomposition",
        "rounds",
        "bound",
        "used",
    }


def test_past_investigations_are_listed(tmp_path: Path, prices: str, capsys: pytest.CaptureFixture[str]) -> None:
    why(capsys, "USDJPY", "--prices", prices, "--news", news(tmp_path, STATEMENT))
    assert "USDJPY   cause found: Bank of Japan: monetary policy: supported, medium" in why(capsys, "--past").out
    assert why(capsys, "--past", "nothing like it").out == ""


def test_the_same_files_give_the_same_answer(tmp_path: Path, prices: str, capsys: pytest.CaptureFixture[str]) -> None:
    files = ("--prices", prices, "--news", news(tmp_path, STATEMENT, REPORT, SUSPICION), "--json")
    assert why(capsys, "USDJPY", *files).out == why(capsys, "USDJPY", *files).out


def test_the_time_of_day_is_read_with_its_offset(
    tmp_path: Path, prices: str, capsys: pytest.CaptureFixture[str]
) -> None:
    at = (ONSET + HOUR / 2 + timedelta(hours=9)).strftime("%Y-%m-%dT%H:%M+09:00")
    found = answer(why(capsys, "USDJPY", "--at", at, "--prices", prices, "--news", news(tmp_path), "--json"))
    assert found["anchor"]["onset_at"] == "2024-05-14T06:00:00Z"
    assert found["question"] == "What moved USDJPY around 2024-05-14 06:30 UTC?"


async def test_the_program_itself_answers_in_a_process_of_its_own(tmp_path: Path, prices: str) -> None:
    broken = news(tmp_path, STATEMENT)
    Path(broken).write_text(Path(broken).read_text() + "not json\n")
    done = await run(tmp_path, "why", "USDJPY", "--prices", prices, "--news", broken, "--json")
    assert done.code == 0
    assert "news.jsonl: line 2: not JSON" in done.err
    assert answer(done)["verdict"] == "cause_found"


def test_text_from_files_cannot_drive_the_terminal(
    tmp_path: Path, prices: str, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = {
        **STATEMENT,
        "title": "Statement on Monetary \x1b]0;x\x07Policy \u202etest",
        "source": "Bank of\x1b[2J Japan",
    }
    done = why(capsys, "USDJPY", "--prices", prices, "--news", news(tmp_path, hostile))
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out
