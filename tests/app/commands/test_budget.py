"""`tapewatch budget`: the worst case of an item and of an investigation, as it is reserved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.program import call, move_home


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    move_home(tmp_path, monkeypatch)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")


def test_the_worst_case_of_an_investigation_is_that_of_its_dry_run(capsys: pytest.CaptureFixture[str]) -> None:
    stated = json.loads(call(capsys, "budget", "--json").out)["investigation"]
    dry = json.loads(call(capsys, "why", "USDJPY", "--dry-run", "--json").out)["bound"]
    assert stated["max_input_tokens"] + stated["max_output_tokens"] == dry["tokens"]
    assert stated["max_usd"] == pytest.approx(dry["usd"])
    words = call(capsys, "budget").out
    assert f"an investigation: at most {stated['max_calls']} calls of claude-haiku-5-5, $0.27" in words


def test_a_model_without_a_price_has_no_stated_cost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "c.toml"
    file.write_text('[claude]\nmodel = "my-model"\n')
    stated = json.loads(call(capsys, "budget", "--json", "--config", str(file)).out)["investigation"]
    assert stated["max_usd"] is None
    assert "calls of my-model, unpriced" in call(capsys, "budget", "--config", str(file)).out
