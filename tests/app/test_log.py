from __future__ import annotations

import logging
import stat
from pathlib import Path

import pytest

from app.log import logging_to, one_line, redact

SECRETS = {
    "a Telegram address": "POST https://api.telegram.org/bot123456:CANARY-x/sendMessage failed",
    "an apprise address": "cannot parse tgram://123456:CANARY/987",
    "a token in a query": "https://feeds.example/rss?page=2&token=CANARY&x=1",
    "an API key in a query": "https://feeds.example/rss?api_key=CANARY",
    "a password in an address": "https://user:CANARY@feeds.example/rss",
    "a bearer header": "Authorization: Bearer CANARYcanary",
    "a basic header": "authorization: basic CANARY==",
    "a key of the model service": "key sk-ant-api03-CANARYcanary was refused",
    "a header as a mapping": "{'x-api-key': 'CANARY'}",
}


@pytest.mark.parametrize("text", SECRETS.values(), ids=SECRETS.keys())
def test_secrets_are_hidden(text: str) -> None:
    assert "CANARY" not in redact(text)


def test_ordinary_text_is_left_alone() -> None:
    text = "Key rate unchanged; token economy up 3%; https://a.example/x?page=2 basic materials led"
    assert redact(text) == text


def test_a_newline_does_not_forge_a_line() -> None:
    assert one_line("a\n2026-01-01T00:00:00Z INFO b\r\x1b[2J\u2028\u202ec") == (
        "a\\n2026-01-01T00:00:00Z INFO b\\x0d\\x1b[2J\\x2028\\x202ec"
    )


def test_the_log_is_private_one_line_a_record_and_without_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "CANARY-env")
    file = tmp_path / "state" / "x.log"
    with logging_to(file, debug=False, secrets=["CANARY-given"]):
        logging.getLogger("feeds").info("%s", "100% of CANARY-env\nkey=CANARY-x CANARY-given {0.__class__} %s")
        try:
            raise ValueError("bad token=CANARY-arg\nsecret=CANARY-two")
        except ValueError:
            logging.getLogger("feeds").exception("poll failed")
    lines = file.read_text().splitlines()
    assert len(lines) == 2
    assert lines[0].endswith("Z INFO feeds: 100% of ***\\nkey=*** *** {0.__class__} %s")
    assert "Z ERROR feeds: poll failed (ValueError: bad token=***" in lines[1]
    assert "CANARY" not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_traceback_is_shown_only_when_debugging(tmp_path: Path) -> None:
    file = tmp_path / "x.log"
    for debug, expected in ((False, 1), (True, 2)):
        file.unlink(missing_ok=True)
        with logging_to(file, debug=debug):
            try:
                raise ValueError("token=CANARY")
            except ValueError:
                logging.getLogger("x").exception("failed")
        assert ("Traceback" in file.read_text()) is debug
        assert len(file.read_text().splitlines()) >= expected
        assert "CANARY" not in file.read_text()
