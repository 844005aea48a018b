"""Telegram, ntfy and apprise: their addresses, and what arrives."""

from __future__ import annotations

import logging
import threading
from datetime import datetime
from pathlib import Path

import pytest

from app.alerts.channels.ntfy import Ntfy, NtfyAddress, read_ntfy
from app.alerts.channels.telegram import Telegram, TelegramAddress, read_telegram
from app.alerts.channels.through_apprise import ThroughApprise
from app.alerts.errors import ChannelGone, NotSent
from app.alerts.text import compose
from feeds.network.http import HttpClient
from tests.app.alerts.outboxes import due
from tests.fakes.receivers import Receiver, first

TOKEN = "123456:CANARYCANARYCANARY"
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of apprise's plugins, when they load


@pytest.mark.parametrize(
    ("url", "read"),
    [
        (f"tgram://{TOKEN}/42", TelegramAddress(TOKEN, "42")),
        (f"tgram://bot{TOKEN}/-10042/", TelegramAddress(TOKEN, "-10042")),
        (f"tgram://{TOKEN}/@news?format=text", TelegramAddress(TOKEN, "@news")),
        (f"tgram://{TOKEN}/42:7", TelegramAddress(TOKEN, "42", 7)),
        (f"tgram://{TOKEN}/42/43", None),
        ("tgram://nonsense", None),
        ("ntfy://news", None),
    ],
)
def test_telegram_addresses(url: str, read: TelegramAddress | None) -> None:
    assert read_telegram(url) == read


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("ntfy://MyNews", NtfyAddress("https://ntfy.sh", "MyNews")),
        ("ntfys://push.example/news", NtfyAddress("https://push.example", "news")),
        ("ntfy://127.0.0.1:8080/news", NtfyAddress("http://127.0.0.1:8080", "news")),
        ("ntfys://joe:pass@push.example/news", NtfyAddress("https://push.example", "news", "Basic am9lOnBhc3M=")),
        ("ntfys://tk_1@push.example/news", NtfyAddress("https://push.example", "news", "Bearer tk_1")),
        ("ntfy://push.example/a/b", None),
        ("ntfy://push.example/a?priority=high", None),
        ("tgram://x/y", None),
    ],
)
def test_ntfy_addresses(url: str, read: NtfyAddress | None) -> None:
    assert read_ntfy(url) == read


async def test_telegram_gets_plain_text_that_mentions_nobody(now: datetime) -> None:
    async with Receiver() as receiver, HttpClient(allow_hosts=[receiver.host], trust_env=False) as http:
        receiver.url(f"/bot{TOKEN}/sendMessage")
        one = due(title="@channel /start <b>& 語 🎉 " + "A" * 5_000)
        channel = Telegram("t", TelegramAddress(TOKEN, "42", 7), http, server=f"http://{receiver.host}")
        await channel.send(compose([one], one.key, now=now))
        (got,) = receiver.taken
    assert got.body["chat_id"] == "42"
    assert got.body["message_thread_id"] == 7
    assert "parse_mode" not in got.body
    assert got.body["text"].startswith("FLASH ＠channel ∕start ‹b>& 語 🎉 AAA")
    assert len(got.body["text"].encode("utf-16-le")) // 2 <= 4_096
    assert got.body["disable_notification"] is False


async def test_ntfy_gets_emoji_and_a_priority(now: datetime) -> None:
    async with Receiver() as receiver, HttpClient(allow_hosts=[receiver.host], trust_env=False) as http:
        address = NtfyAddress(receiver.url("/").rstrip("/"), "news", "Bearer tk_1")
        one = due(title="é 🎉\r\nX-Injected: yes")
        await Ntfy("n", address, http).send(compose([one], one.key, now=now))
        (got,) = receiver.taken
    assert got.request.headers["authorization"] == "Bearer tk_1"
    assert "x-injected" not in got.request.headers
    assert got.body["title"] == "FLASH é 🎉 X-Injected: yes"
    assert (got.body["topic"], got.body["priority"], got.body["tags"]) == ("news", 5, ["rotating_light"])
    assert got.body["click"] == "https://wire.example/1"
    assert len(got.body["message"].encode()) <= 3_800


async def test_any_other_service_goes_through_apprise_in_a_thread(now: datetime) -> None:
    one = due(title="é 🎉 US adds 14 chipmakers")
    async with Receiver(plan=first("", "error")) as receiver:
        channel = ThroughApprise("json", receiver.url("/hook").replace("http://", "json://"))
        try:
            await channel.send(compose([one], one.key, now=now))
            with pytest.raises(NotSent, match="does not say why"):
                await channel.send(compose([one], one.key, now=now))
        finally:
            await channel.aclose()
        (got,) = receiver.taken
    assert got.body["title"] == "FLASH é 🎉 US adds 14 chipmakers"
    assert "NVDA" in got.body["message"]
    assert threading.main_thread() is threading.current_thread()


@pytest.mark.parametrize("url", ["tgram://CANARY", "nosuch://CANARY/x", "discord://CANARY"])
async def test_an_address_apprise_does_not_understand_is_said_without_being_shown(
    now: datetime, url: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    channel = ThroughApprise("other", url)
    one = due()
    try:
        with pytest.raises(ChannelGone, match="apprise does not understand this address"):
            await channel.send(compose([one], one.key, now=now))
    finally:
        await channel.aclose()
    assert "CANARY" not in caplog.text + "".join(capfd.readouterr())
