"""Web Push: what only the browser can read, signed as the push service wants it; dead subscriptions go."""

from __future__ import annotations

import base64
import json
import stat
import struct
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import repeat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from app.alerts.channels.webpush import Subscription, Subscriptions, WebPush
from app.alerts.channels.webpush_crypto import from_base64, to_base64
from app.alerts.errors import ChannelGone, NotSent, Rejected
from app.alerts.text import compose
from app.errors import AppError
from feeds.network.http import HttpClient
from tests.app.alerts.outboxes import due
from tests.fakes.receivers import Fault, Receiver, first


class Browser:
    """A browser's side: its keys, and how it reads a push (RFC 8188 and 8291)."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = b"0123456789abcdef"
        self._point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def subscription(self, endpoint: str) -> Subscription:
        return Subscription(endpoint, to_base64(self._point), to_base64(self._auth))

    def read(self, body: bytes) -> dict[str, str]:
        salt, (record, length) = body[:16], struct.unpack("!IB", body[16:21])
        sender = body[21 : 21 + length]
        assert record >= len(body) - 21 - length
        secret = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        shared = HKDF(hashes.SHA256(), 32, self._auth, b"WebPush: info\x00" + self._point + sender).derive(secret)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\x00").derive(shared)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\x00").derive(shared)
        plain = AESGCM(key).decrypt(nonce, body[21 + length :], None)
        assert plain.endswith(b"\x02")
        read: dict[str, str] = json.loads(plain[:-1])
        return read


def push(file: Path, receiver: Receiver, http: HttpClient, now: datetime) -> WebPush:
    return WebPush("browser", Subscriptions(file), http, contact="me@example.com", clock=lambda: now)


def client(receiver: Receiver) -> HttpClient:
    return HttpClient(allow_hosts=[receiver.host], trust_env=False)


async def test_a_browser_reads_what_was_sent_and_a_service_can_check_the_sender(tmp_path: Path, now: datetime) -> None:
    browser = Browser()
    async with Receiver() as receiver, client(receiver) as http:
        file = tmp_path / "browsers.json"
        Subscriptions(file).add(browser.subscription(receiver.url("/push/1")))
        one = due(title="語 🎉 US adds 14 chipmakers")
        await push(file, receiver, http, now).send(compose([one], one.key, now=now))
        (got,) = receiver.taken
    read = browser.read(got.request.body)
    assert read["title"] == "FLASH 語 🎉 US adds 14 chipmakers"
    assert read["url"] == "https://wire.example/1"
    assert got.request.headers["content-encoding"] == "aes128gcm"
    assert len(got.request.headers["topic"]) == 32
    token, key = got.request.headers["authorization"].removeprefix("vapid t=").split(", k=")
    head, claims, signature = token.split(".")
    raw = from_base64(signature)
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64(key))
    made = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public.verify(made, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    told = json.loads(from_base64(claims))
    assert told == {
        "aud": f"http://{receiver.host}",
        "exp": int((now + timedelta(hours=12)).timestamp()),
        "sub": "mailto:me@example.com",
    }


async def test_a_long_alert_stays_within_what_a_push_service_takes(tmp_path: Path, now: datetime) -> None:
    browser = Browser()
    async with Receiver() as receiver, client(receiver) as http:
        file = tmp_path / "browsers.json"
        Subscriptions(file).add(browser.subscription(receiver.url("/push/1")))
        one = due()
        message = replace(compose([one], one.key, now=now), lines=('"語' * 5_000,))
        await push(file, receiver, http, now).send(message)
        (got,) = receiver.taken
    assert len(got.request.body) <= 4_096
    assert browser.read(got.request.body)["body"].endswith(message.tail[-1])


@pytest.mark.parametrize("fault", ["gone", "forbidden"])
async def test_a_dead_subscription_is_removed_and_the_others_are_reached(
    tmp_path: Path, now: datetime, fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    async with Receiver(plan=first(fault)) as receiver, client(receiver) as http:
        file = tmp_path / "browsers.json"
        for number in (1, 2):
            Subscriptions(file).add(Browser().subscription(receiver.url(f"/push/CANARY{number}")))
        channel = push(file, receiver, http, now)
        one = due()
        message = compose([one], one.key, now=now)
        await channel.send(message)
        assert receiver.asked == 2
        assert [one.endpoint for one in Subscriptions(file).load()[1]] == [receiver.url("/push/CANARY2")]
        assert "does not take pushes any more" in caplog.text
        assert "CANARY" not in caplog.text


async def test_when_the_last_browser_is_gone_the_user_is_told(tmp_path: Path, now: datetime) -> None:
    async with Receiver(plan=repeat("gone")) as receiver, client(receiver) as http:
        file = tmp_path / "browsers.json"
        Subscriptions(file).add(Browser().subscription(receiver.url("/push/1")))
        one = due()
        for told in ("no browser takes pushes any more", "no browser is subscribed"):
            with pytest.raises(ChannelGone, match=told):
                await push(file, receiver, http, now).send(compose([one], one.key, now=now))
        assert receiver.asked == 1


async def test_after_a_failure_only_the_browser_that_missed_it_is_tried_again(tmp_path: Path, now: datetime) -> None:
    async with Receiver(plan=first("", "error")) as receiver, client(receiver) as http:
        file = tmp_path / "browsers.json"
        for number in (1, 2):
            Subscriptions(file).add(Browser().subscription(receiver.url(f"/push/{number}")))
        channel = push(file, receiver, http, now)
        one = due()
        message = compose([one], one.key, now=now)
        with pytest.raises(NotSent):
            await channel.send(message)
        await channel.send(message)
        assert [got.request.path for got in receiver.taken] == ["/push/1", "/push/2"]


async def test_a_damaged_key_is_named(tmp_path: Path, now: datetime) -> None:
    async with Receiver() as receiver, client(receiver) as http:
        file = tmp_path / "browsers.json"
        Subscriptions(file).add(Subscription(receiver.url("/push/1"), base64.b64encode(b"short").decode(), "x"))
        one = due()
        with pytest.raises(Rejected, match="damaged key"):
            await push(file, receiver, http, now).send(compose([one], one.key, now=now))


def test_the_file_is_for_the_user_alone_and_keeps_its_key(tmp_path: Path) -> None:
    file = tmp_path / "browsers.json"
    key, none = Subscriptions(file).load()
    assert none == []
    Subscriptions(file).add(Browser().subscription("https://push.example/1"))
    assert Subscriptions(file).load()[0] == key
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_text("{")
    with pytest.raises(AppError, match="cannot be used"):
        Subscriptions(file).load()
