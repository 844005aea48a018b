"""What a message says and how it is cut; the corpus of hostile inputs where it is there."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from agents.models import Urgency
from app.alerts.channels.webpush import PLAIN_BYTES, payload
from app.alerts.text import Message, compose, cut, fitted, link_of, octets, plain, utf16
from tests.app.alerts.outboxes import content, due
from tests.storage.samples import NOW


def message(**others: object) -> Message:
    one = due("story:FLASH", **others)
    return compose([one], one.key, now=NOW + timedelta(seconds=26))


def test_an_alert_says_all_that_a_trader_asks() -> None:
    made = message()
    assert made.title == "FLASH US adds 14 chipmakers to export list"
    assert made.lines == (
        "NVDA ▼ 0.88 · AMD ▼ 0.80",
        "export_ban · impact 0.91 · confidence 0.78",
        "Harbour Wire, 7 outlets · published 18:29 UTC, 1 min ago",
    )
    assert made.tail == ("https://wire.example/1", f"key {made.short_key}")


def test_a_second_alert_of_a_story_says_why() -> None:
    assert message(reason="FLASH: x, impact 0.9; urgency rose from ALERT to FLASH").lines[-1] == (
        "urgency rose from ALERT to FLASH"
    )


def test_a_repeat_has_the_same_key_and_says_that_it_may_be_one() -> None:
    one = due()
    first, again = (compose([one], one.key, now=NOW, repeat=repeat) for repeat in (False, True))
    assert first.short_key == again.short_key
    assert again.tail[-1].endswith("(sent again: an answer was lost)")


def test_a_digest_counts_by_urgency_and_lists_in_order() -> None:
    several = [due(f"a{number}", urgency=Urgency.ALERT, held="quiet hours") for number in range(24)] + [due("f")]
    made = compose(several, "digest:1", now=NOW)
    assert made.title == "25 alerts: 1 FLASH, 24 ALERT"
    assert made.urgency is Urgency.FLASH
    assert len(made.lines) == 21
    assert made.lines[-1] == "and 5 more in tapewatch"
    assert made.tail == ("held: quiet hours", f"key {made.short_key}")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("@channel @admin /start", "＠channel ＠admin ∕start"),
        ("write to joe@example.com or a/b", "write to joe@example.com or a/b"),
        ("<!channel> <b>bold</b> 3 < 4", "‹!channel> ‹b>bold‹/b> 3 < 4"),
        ("a\x1b]52;c;aGk=\x07\x07bell\r\nline", "abell line"),
        ("%s %n %(password)s {0.__class__}", "%s %n %(password)s {0.__class__}"),
        ("fine — 日本銀行 🎉", "fine — 日本銀行 🎉"),
        ("see https://feeds.example/rss?token=CANARY", "see https://feeds.example/rss?token=***"),
    ],
)
def test_news_text_makes_no_mention_command_markup_or_control(text: str, shown: str) -> None:
    assert plain(text, 200) == shown


def test_a_link_with_a_key_in_it_is_left_out() -> None:
    assert link_of(content(url="https://feeds.example/rss?token=CANARY")) == ""
    assert link_of(content(url="javascript:alert(1)")) == ""
    assert link_of(content(url="https://feeds.example/rss")) == "https://feeds.example/rss"


FAMILY, FLAG, ACCENT = "👨‍👩‍👧", "🇯🇵", "e\u0301"


@pytest.mark.parametrize("measure", [len, utf16, octets], ids=["characters", "utf-16", "bytes"])
@pytest.mark.parametrize("sign", [FAMILY, FLAG, ACCENT, "👍🏽", "語", "❤️"])
def test_a_cut_is_within_the_limit_and_between_what_a_person_sees_as_characters(
    measure: Callable[[str], int], sign: str
) -> None:
    text = sign * 30
    for limit in range(3, measure(text)):
        kept = cut(text, limit, measure)
        assert measure(kept) <= limit
        assert kept.endswith("…")
        assert len(kept[:-1]) % len(sign) == 0, repr(kept)
    assert cut(text, measure(text), measure) == text


def test_a_cut_message_keeps_its_link_and_key() -> None:
    made = replace(message(), lines=("A" * 9_000,))
    text = fitted(made, 4_096, utf16)
    assert utf16(text) <= 4_096
    assert text.endswith(f"…\nhttps://wire.example/1\nkey {made.short_key}")


@pytest.mark.parametrize("sign", ["A", '"', "\n", "語", "🎉"])
def test_a_push_stays_under_the_encrypted_limit(sign: str) -> None:
    made = replace(message(), lines=(sign * 9_000,), title=sign * 900)
    assert len(payload(made)) <= PLAIN_BYTES
    assert json.loads(payload(made))["tag"] == made.short_key


def corpus(shared: Path) -> dict[str, dict[str, str]]:
    lines = (shared / "hostile" / "notify_log_secrets.jsonl").read_text(encoding="utf-8").splitlines()
    return {entry["id"]: entry for entry in map(json.loads, lines)}


def test_the_hostile_texts_reach_every_channel_whole_or_cleanly_cut(shared: Path) -> None:
    found = corpus(shared)
    for name in ("tg-4096", "tg-mention", "wp-4k", "log-pct", "secret-tg-url", "secret-feed-url"):
        text = found[name]["value"]
        made = message(title=text, url=text)
        shown = f"{made.title}\n{fitted(made, 3_000, utf16)}"
        assert utf16(shown) <= 4_096
        assert len(payload(made)) <= PLAIN_BYTES
        assert "CANARY" not in shown
        assert "@channel" not in shown
        assert " /start" not in shown
    assert "%(password)s" in message(title=found["log-pct"]["value"]).title
