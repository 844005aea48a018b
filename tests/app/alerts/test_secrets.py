"""No secret of a channel in the log, an error or a crash; the corpus of hostile inputs where it is there."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from pathlib import Path

import pytest

from app.alerts.config import secret_parts
from app.config import config
from app.log import LineFormatter, logging_to, redact


def corpus(shared: Path, name: str) -> str:
    lines = (shared / "hostile" / "notify_log_secrets.jsonl").read_text(encoding="utf-8").splitlines()
    return str(next(entry["value"] for entry in map(json.loads, lines) if entry["id"] == name))


def test_the_errors_of_the_corpus_lose_their_tokens_and_keep_their_text(shared: Path) -> None:
    for name in ("secret-tg-url", "secret-feed-url"):
        assert "CANARY" not in redact(corpus(shared, name))
    text = corpus(shared, "log-pct")
    record = logging.LogRecord("x", logging.INFO, "f", 1, text, (), None)
    assert LineFormatter(debug=False, secrets=()).format(record).endswith(text)


@pytest.mark.parametrize(
    "address",
    [
        "tgram://123456:CANARYCANARY/42",
        "ntfys://joe:CANARYCANARY@push.example/CANARYTOPIC",
        "https://hooks.example/services/CANARYCANARY?sig=CANARYCANARY",
        "discord://CANARYCANARY/CANARYTOKEN",
        "mailtos://joe:CANARYCANARY@example.com",
        "signal://host.example/CANARYCANARY",
        "env:THE_PHONE",
    ],
)
def test_what_a_library_says_of_an_address_in_any_form_is_hidden(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = "pover://CANARYCANARY@CANARYTOKEN" if address.startswith("env:") else address
    monkeypatch.setenv("THE_PHONE", real)
    secrets = config.parse(f"[alerts]\nflash = ['{address}']\n", "c").alerts.secrets
    file = tmp_path / "log"
    with logging_to(file, debug=True, secrets=secrets):
        log = logging.getLogger("some.library")
        for part in (real, *secret_parts(real)):
            log.error("Unparseable URL %s", part)
            log.debug("POST /%s/send", part)
            try:
                raise ValueError(f"bad address {part}")
            except ValueError:
                log.exception("failed")
    assert "CANARY" not in file.read_text()
    assert "Unparseable URL" in file.read_text()


def test_a_crash_leaves_no_core_file_behind() -> None:
    program = (
        "import resource, sys; from app.cli import main\n"
        "try: main(['--version'])\n"
        "except SystemExit: print(resource.getrlimit(resource.RLIMIT_CORE)[0])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0"


def test_a_crash_report_names_functions_and_no_values() -> None:
    program = (
        "import faulthandler, os, sys; faulthandler.enable()\ndef send(token): os.abort()\nsend('123456:CANARYCANARY')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "in send" in done.stderr
    assert "CANARY" not in done.stderr
