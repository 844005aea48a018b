"""The page a browser subscribes on: for this machine, for who has its address, and for real subscriptions alone."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from app.alerts.browser.server import SubscriptionPage, read_subscription
from app.alerts.channels.webpush import Subscriptions
from app.alerts.channels.webpush_crypto import public_key, to_base64
from feeds.network.http import HttpClient, Response

POINT, AUTH = to_base64(b"\x04" + bytes(64)), to_base64(bytes(16))


def subscription(**others: object) -> dict[str, Any]:
    return {"endpoint": "https://push.example/1", "keys": {"p256dh": POINT, "auth": AUTH}, **others}


@pytest.fixture
async def page(tmp_path: Path) -> AsyncIterator[SubscriptionPage]:
    async with SubscriptionPage(Subscriptions(tmp_path / "browsers.json"), port=0) as made:
        yield made


async def ask(
    page: SubscriptionPage, path: str, body: object = None, *, token: str | None = None, **more: str
) -> Response:
    base, _, own = page.url.partition("/?t=")
    async with HttpClient(allow_hosts=["localhost"], trust_env=False) as http:
        url = f"{base}{path}?t={own if token is None else token}"
        content = None if body is None else json.dumps(body).encode()
        return await http.request("GET" if body is None else "POST", url, content=content, headers=more)


async def test_a_browser_subscribes(page: SubscriptionPage, tmp_path: Path) -> None:
    shown = await ask(page, "/")
    assert b"Show alerts here" in shown.body
    assert "default-src 'none'" in shown.headers["content-security-policy"]
    assert b"showNotification" in (await ask(page, "/worker.js", token="")).body
    key, none = Subscriptions(tmp_path / "browsers.json").load()
    assert none == []
    assert (await ask(page, "/key")).body.decode() == public_key(key)
    assert (await ask(page, "/subscribe", subscription())).status == 200
    assert page.subscribed.is_set()
    (kept,) = Subscriptions(tmp_path / "browsers.json").load()[1]
    assert kept.endpoint == "https://push.example/1"


@pytest.mark.parametrize("path", ["/", "/key"])
async def test_without_the_token_there_is_nothing(page: SubscriptionPage, path: str) -> None:
    assert (await ask(page, path, token="guess")).status == 403


async def test_a_name_that_only_leads_here_is_refused(page: SubscriptionPage) -> None:
    assert (await ask(page, "/", host="evil.example")).status == 403


async def test_nonsense_is_refused(page: SubscriptionPage) -> None:
    assert (await ask(page, "/subscribe", {"endpoint": 1})).status == 400
    assert (await ask(page, "/subscribe", "x" * 9_000)).status == 413
    assert (await ask(page, "/elsewhere")).status == 404
    assert not page.subscribed.is_set()


@pytest.mark.parametrize(
    "told",
    [
        {},
        subscription(endpoint="http://push.example/1"),
        subscription(endpoint="file:///etc/passwd"),
        subscription(endpoint="https://push.example/" + "a" * 2_100),
        subscription(keys={"p256dh": AUTH, "auth": AUTH}),
        subscription(keys={"p256dh": POINT, "auth": POINT}),
        subscription(keys=[]),
    ],
)
def test_what_is_no_subscription(told: dict[str, Any]) -> None:
    assert read_subscription(json.dumps(told).encode()) is None


def test_what_is_one() -> None:
    assert read_subscription(json.dumps(subscription()).encode()) is not None
