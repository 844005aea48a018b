"""The client against a server that misbehaves: every answer is whole or a named error, and nothing hangs."""

from __future__ import annotations

import asyncio
import gc
import gzip
import logging
import os
import ssl
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from feeds.errors import FetchError, Garbled, HttpStatus, HungUp, Refused, TimedOut, TooLarge, Unreachable
from feeds.network.http import MAX_BYTES, HttpClient, user_agent
from tests.fakes.feed_server import (
    FeedServer,
    Handler,
    answer,
    drip,
    gzipped,
    hang_up,
    in_turn,
    raw,
    redirect,
    reply,
    silent,
)

BODY = b"<rss>" + b"Northwind Metals cuts its guidance. " * 200 + b"</rss>"
HOSTS = frozenset({"127.0.0.1", "one.example", "two.example", "feeds.example", "other.example"})


async def to_loopback(host: str, port: int) -> Sequence[str]:
    """Every invented name is this machine."""
    return ["127.0.0.1"]


@pytest.fixture
async def server() -> AsyncIterator[FeedServer]:
    async with FeedServer() as running:
        yield running


@pytest.fixture
async def client() -> AsyncIterator[HttpClient]:
    async with HttpClient(allow_hosts=HOSTS, resolve=to_loopback, trust_env=False) as running:
        yield running


async def test_an_answer(server: FeedServer, client: HttpClient) -> None:
    server.serve("/rss", BODY, etag='"a"', headers={"X-Twice": "1", "x-twice": "2"})
    got = await client.get(server.url("/rss?key=1#part"), headers={"X-Mine": "yes"})
    assert (got.status, got.body, got.url, got.redirects) == (200, BODY, server.url("/rss?key=1"), ())
    assert (got.headers["etag"], got.headers["x-twice"]) == ('"a"', "2")
    assert 0 < got.elapsed_ms < 1000
    (request,) = server.requests()
    assert request.headers["x-mine"] == "yes"
    assert request.headers["accept-encoding"] == "gzip"
    assert request.headers["accept"] == "*/*"
    assert request.headers["host"] == server.host


async def test_the_user_agent_is_honest(server: FeedServer) -> None:
    async with HttpClient(contact="desk@example.com", allow_hosts={server.host}, trust_env=False) as client:
        await client.get(server.url("/"))
    agent = server.requests()[0].headers["user-agent"]
    assert agent.startswith("tapewatch/")
    assert agent.endswith("(news monitor; desk@example.com)")
    assert "\n" not in user_agent("a@b.example\r\nX-Evil: (1)")
    assert user_agent("a@b.example\r\nX: é").isascii()


async def test_nothing_is_remembered_between_requests(server: FeedServer, client: HttpClient) -> None:
    server.script("/", reply(200, b"ok", {"Set-Cookie": "visit=1; Path=/"}))
    await client.get(server.url())
    await client.get(server.url())
    assert ["cookie" in request.headers for request in server.requests()] == [False, False]


async def test_a_post_carries_its_body_and_is_not_redirected(server: FeedServer, client: HttpClient) -> None:
    server.script("/", redirect("/other", 307))
    got = await client.request("POST", server.url(), content=b'{"a": 1}', headers={"Content-Type": "application/json"})
    assert got.status == 307
    assert server.requests()[0].body == b'{"a": 1}'


@pytest.mark.parametrize("body", [BODY, b""], ids=["text", "empty"])
async def test_gzip_is_undone(server: FeedServer, client: HttpClient, body: bytes) -> None:
    for number, handler in enumerate((gzipped(body), gzipped(body, declared=False))):
        server.script(f"/{number}", handler)
        assert (await client.get(server.url(f"/{number}"))).body == body


CHUNKED = {"Transfer-Encoding": "chunked"}


@pytest.mark.parametrize(
    ("handler", "error"),
    [
        (gzipped(BODY, cut=15), Garbled),
        (reply(200, BODY, {"Content-Encoding": "gzip"}), Garbled),
        (reply(200, BODY, {"Content-Encoding": ", ".join(["gzip"] * 200)}), Garbled),
        (reply(200, b"\x0b\x02", {"Content-Encoding": "br"}), Garbled),
        (hang_up(answer(200, BODY[:50], {"Content-Length": "5000"})), Garbled),
        (hang_up(answer(200, b"32\r\n" + BODY[:50] + b"\r\n", CHUNKED)), Garbled),
        (hang_up(answer(200, b"zz\r\nnot a chunk", CHUNKED)), Garbled),
        (hang_up(), HungUp),
        (hang_up(b"HTTP/1.1 200"), HungUp),
        (hang_up(b"220 mail.example ESMTP\r\n\r\n"), HungUp),
        (hang_up(b"HTTP/1.1 200 OK\r\nX: " + b"a" * 200_000), HungUp),
        (hang_up(answer(200, b"", {"Content-Length": "soon"})), HungUp),
        (reply(200, gzip.compress(bytes(64 * 2**20)), {"Content-Encoding": "gzip"}), TooLarge),
        (drip(bytes(65536), every_s=0, head=answer(200, b"", {"Content-Length": str(100 * 2**20)})), TooLarge),
        (redirect("", 301), HttpStatus),
        (redirect("/here"), Refused),
        (redirect("http://[::1"), Refused),
        (redirect("file:///etc/passwd"), Refused),
        (redirect("javascript:alert(1)"), Refused),
        (redirect("http://169.254.169.254/latest"), Refused),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
async def test_what_is_no_answer_is_a_named_error(
    server: FeedServer, client: HttpClient, handler: Handler, error: type[FetchError]
) -> None:
    server.script("/here", handler)
    with pytest.raises(error) as raised:
        await client.get(server.url("/here?api_key=SECRET"), deadline_s=2.0)
    assert type(raised.value) is error
    assert "\n" not in str(raised.value)
    assert "SECRET" not in str(raised.value)
    assert str(raised.value).split(":")[0] in {"127.0.0.1", "169.254.169.254", "not a web address"}


@pytest.mark.parametrize(
    "url",
    [
        "",
        "news.example/rss",
        "ftp://news.example/",
        "file:///etc/passwd",
        "http:///rss",
        "http://news.example:0/",
        "http://news.example:99999/",
        "http://news.example:x/",
        "http://a\tb.example/",
        "http://" + "a" * 70_000,
    ],
)
async def test_what_is_no_web_address_is_refused(client: HttpClient, url: str) -> None:
    with pytest.raises(Refused):
        await client.get(url)


async def test_a_body_may_be_large_but_not_larger(server: FeedServer, client: HttpClient) -> None:
    legal = b"x" * (9 * 2**20)
    server.script("/legal", reply(200, legal))
    server.script("/large", reply(200, b"x" * (MAX_BYTES + 1)))
    assert (await client.get(server.url("/legal"))).body == legal
    with pytest.raises(TooLarge, match="larger than 10 MiB"):
        await client.get(server.url("/large"))
    with pytest.raises(TooLarge):
        await client.get(server.url("/legal"), max_bytes=1000)


async def test_extra_bytes_after_the_declared_length_are_not_the_body(server: FeedServer, client: HttpClient) -> None:
    server.script("/", hang_up(answer(200, BODY, {"Content-Length": "100"})))
    assert (await client.get(server.url())).body == BODY[:100]


async def test_after_a_broken_coding_the_host_is_asked_for_plain_bytes(server: FeedServer, client: HttpClient) -> None:
    server.script("/", in_turn(reply(200, BODY, {"Content-Encoding": "gzip"}), reply(200, BODY)))
    with pytest.raises(Garbled):
        await client.get(server.url())
    assert (await client.get(server.url())).body == BODY
    assert [seen.headers["accept-encoding"] for seen in server.requests()] == ["gzip", "identity"]


@pytest.mark.parametrize("status", [304, 404, 429, 500, 503])
async def test_an_error_status_is_an_answer_and_keeps_a_small_readable_body(
    server: FeedServer, client: HttpClient, status: int
) -> None:
    server.script("/small", reply(status, b"" if status == 304 else b"why"))
    assert (await client.get(server.url("/small", host="one.example"))).body == (b"" if status == 304 else b"why")
    if status != 304:
        broken = reply(status, gzip.compress(bytes(10**6))[:-9], {"Content-Encoding": "gzip", "X-Kept": "1"})
        server.script("/broken", broken)
        got = await client.get(server.url("/broken", host="two.example"))
        assert (got.status, got.body, got.headers["x-kept"]) == (status, b"", "1")


@pytest.mark.parametrize(
    "handler",
    [silent(), drip(b"x", every_s=0.02), drip(b"HTTP/1.1 200 OK\r\nX: y", every_s=0.02, head=b"")],
    ids=["silent", "slow body", "slow head"],
)
async def test_the_deadline_is_total(server: FeedServer, client: HttpClient, handler: Handler) -> None:
    server.script("/slow", handler)
    server.serve("/quick", BODY)
    loop = asyncio.get_running_loop()
    started = loop.time()
    slow = asyncio.ensure_future(client.get(server.url("/slow"), deadline_s=0.2))
    assert (await client.get(server.url("/quick", host="one.example"))).body == BODY
    assert not slow.done(), "another host does not wait for it"
    with pytest.raises(TimedOut, match=r"^127\.0\.0\.1:\d+: no whole answer in time"):
        await slow
    assert 0.19 < loop.time() - started < 1.5
    assert (await client.get(server.url("/quick"))).body == BODY


async def test_the_deadline_spans_all_hops(server: FeedServer, client: HttpClient) -> None:
    server.latency_s = 0.08
    for number in range(5):
        server.script(f"/{number}", redirect(f"/{number + 1}"))
    with pytest.raises(TimedOut):
        await client.get(server.url("/0"), deadline_s=0.2)


async def test_a_callers_own_cancellation_is_not_a_timeout(server: FeedServer, client: HttpClient) -> None:
    server.script("/", silent())
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await client.get(server.url())


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirects_are_followed(server: FeedServer, client: HttpClient, status: int) -> None:
    server.script("/old", redirect("new?a=b#part", status))
    server.serve("/new", BODY)
    got = await client.get(server.url("/old"))
    assert (got.body, got.url, got.redirects) == (BODY, server.url("/new?a=b"), ((status, server.url("/new?a=b")),))


@pytest.mark.parametrize(("hops", "followed"), [(5, True), (6, False)])
async def test_at_most_five_redirects(server: FeedServer, client: HttpClient, hops: int, followed: bool) -> None:
    for number in range(hops):
        server.script(f"/{number}", redirect(f"/{number + 1}"))
    server.serve(f"/{hops}", BODY)
    if followed:
        assert (await client.get(server.url("/0"))).body == BODY
    else:
        with pytest.raises(Refused, match="redirects without end"):
            await client.get(server.url("/0"))
    assert len(server.requests()) == 6


async def test_a_circle_is_left_at_once(server: FeedServer, client: HttpClient) -> None:
    server.script("/a", redirect("/b"))
    server.script("/b", redirect("/a"))
    with pytest.raises(Refused):
        await client.get(server.url("/a"))
    assert len(server.requests()) <= 3


async def test_credentials_and_own_headers_stay_with_the_first_host(server: FeedServer, client: HttpClient) -> None:
    server.script("/start", redirect("/same"))
    server.script("/same", redirect(server.url("/other", host="two.example").replace("//", "//u:p@")))
    server.serve("/other", BODY)
    url = server.url("/start", host="one.example").replace("//", "//desk:pa%20ss@")
    got = await client.get(url, headers={"X-Api-Key": "k", "If-None-Match": '"a"', "Accept": "text/xml"})
    first, same, other = server.requests()
    for request in (first, same):
        assert request.headers["authorization"] == "Basic ZGVzazpwYSBzcw=="
        assert request.headers["x-api-key"] == "k"
    assert not {"authorization", "x-api-key"} & set(other.headers)
    assert (other.headers["if-none-match"], other.headers["accept"]) == ('"a"', "text/xml")
    assert "@" not in got.url + str(got.redirects)


async def test_one_request_per_host_at_a_time(server: FeedServer, client: HttpClient) -> None:
    server.latency_s = 0.005
    await asyncio.gather(*(client.get(server.url(f"/{number}")) for number in range(20)))
    assert (len(server.requests()), server.busiest) == (20, 1)


async def test_hosts_are_asked_side_by_side(server: FeedServer, client: HttpClient) -> None:
    server.latency_s = 0.05
    hosts = sorted(HOSTS)
    await asyncio.gather(*(client.get(server.url("/", host=host)) for host in hosts))
    assert server.busiest == len(hosts)


async def test_the_interval_of_a_host_is_kept(server: FeedServer, client: HttpClient) -> None:
    for _ in range(3):
        await client.get(server.url(), host_interval_s=0.06)
    times = [seen.at for seen in server.requests()]
    assert min(later - earlier for earlier, later in pairwise(times)) > 0.05


@pytest.mark.parametrize(
    ("handler", "pause_s"),
    [
        (reply(429, headers={"Retry-After": "120"}), 120),
        (reply(429), 60),
        (reply(429, headers={"Retry-After": "86400"}), 900),
        (reply(503, headers={"Retry-After": "30"}), 30),
        (reply(503), 0),
        (reply(429, headers={"Retry-After": "-5"}), 0),
    ],
)
async def test_a_host_that_asks_for_fewer_requests_gets_none_from_any_feed(
    server: FeedServer, handler: Handler, pause_s: int
) -> None:
    seconds = [0.0]
    server.script("/busy", handler)
    server.serve("/other", BODY)
    async with HttpClient(allow_hosts=HOSTS, trust_env=False, clock=lambda: seconds[0]) as client:
        await client.get(server.url("/busy"))
        if pause_s:
            seconds[0] = pause_s - 1.0
            with pytest.raises(HttpStatus, match="asked to be left alone"):
                await client.get(server.url("/other"))
            assert server.requests("/other") == []
        seconds[0] = float(pause_s)
        assert (await client.get(server.url("/other"))).status == 200


async def test_hundreds_of_cancelled_requests_leave_a_working_pool(server: FeedServer, client: HttpClient) -> None:
    server.latency_s = 0.003
    server.script("/slow", silent())
    names = [f"churn{number}.example" for number in range(40)]

    async def churn(name: str, client: HttpClient) -> None:
        for number in range(10):
            path = "/slow" if number % 3 else "/quick"
            asking = asyncio.ensure_future(client.get(server.url(path, host=name)))
            await asyncio.sleep(0.001 * (number % 4))
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)

    async with HttpClient(allow_hosts=names, resolve=to_loopback, trust_env=False) as churned:
        server.serve("/quick", BODY)
        before = _open_files()
        await asyncio.gather(*(churn(name, churned) for name in names))
        assert await _files_settle_at(before + 5)
        quick = (churned.get(server.url("/quick", host=name), deadline_s=2.0) for name in names)
        answers = await asyncio.gather(*quick)
    assert [got.body for got in answers] == [BODY] * 40


async def test_failures_of_every_kind_leak_no_file(server: FeedServer, client: HttpClient) -> None:
    server.script("/cut", hang_up(answer(200, b"", {"Content-Length": "9"})))
    server.script("/gone", hang_up())
    server.script("/lie", reply(200, BODY, {"Content-Encoding": "gzip"}))
    server.script("/slow", silent())
    before = 0
    for round_ in range(12):
        for path in ("/cut", "/gone", "/lie", "/slow"):
            with pytest.raises(FetchError):
                await client.get(server.url(path), deadline_s=0.005 if path == "/slow" else 2.0)
        before = before or _open_files()
        assert await _files_settle_at(before + 5), f"round {round_}"


async def _files_settle_at(most: int) -> bool:
    """True once no more than `most` files are open; the server needs a moment to see that a client has gone."""
    for _ in range(50):
        gc.collect()
        if _open_files() <= most:
            return True
        await asyncio.sleep(0.01)
    return False


def _open_files() -> int:
    folder = Path("/proc/self/fd") if Path("/proc/self/fd").is_dir() else Path("/dev/fd")
    return len(os.listdir(folder))


async def test_no_connection_is_named() -> None:
    async with FeedServer() as gone:
        url, host = gone.url(), gone.host
    async with HttpClient(allow_hosts={host}, trust_env=False) as client:
        with pytest.raises(Unreachable, match=f"^{host}: no connection; it is tried again$"):
            await client.get(url)


async def test_urls_and_headers_reach_no_log(
    server: FeedServer, client: HttpClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.script("/moved", redirect("/feed?api_key=SECRET"))
    await client.get(server.url("/moved?token=SECRET"), headers={"Authorization": "Bearer SECRET"})
    assert "SECRET" not in caplog.text


def _server_tls(certificate: Path) -> ssl.SSLContext:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    return tls


@pytest.fixture
def certificate() -> Path:
    """A certificate of our own for feeds.example, with its key."""
    return Path(__file__).parent / "feeds.example.pem"


async def test_a_certificate_nobody_trusts_is_named(certificate: Path) -> None:
    async with FeedServer(tls=_server_tls(certificate)) as server:
        async with HttpClient(allow_hosts=HOSTS, resolve=to_loopback, trust_env=False) as client:
            with pytest.raises(Unreachable, match="its certificate is not trusted"):
                await client.get(server.url("/", host="feeds.example"))
        assert server.requests() == []


async def test_certificates_that_cannot_be_read_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "missing.pem"))
    async with HttpClient(allow_hosts=HOSTS, resolve=to_loopback, trust_env=False) as client:
        for _ in range(2):
            with pytest.raises(Unreachable, match="check SSL_CERT_FILE"):
                await client.get("https://feeds.example/")


async def test_a_first_secure_request_that_is_cut_off_does_not_spoil_the_next(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with (
        FeedServer(tls=_server_tls(certificate)) as server,
        HttpClient(allow_hosts=HOSTS, resolve=to_loopback, trust_env=False) as client,
    ):
        server.serve("/rss", BODY)
        with pytest.raises(TimedOut):
            await client.get(server.url("/rss", host="feeds.example"), deadline_s=0.0)
        assert (await client.get(server.url("/rss", host="feeds.example"))).body == BODY


async def test_tls_keeps_the_name_although_the_address_is_connected_to(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    asked: list[str | None] = []
    tls = _server_tls(certificate)
    tls.sni_callback = lambda _socket, name, _context: asked.append(name)
    async with (
        FeedServer(tls=tls) as server,
        FeedServer() as plain,
        HttpClient(allow_hosts=HOSTS, resolve=to_loopback, trust_env=False) as client,
    ):
        server.serve("/rss", BODY)
        assert (await client.get(server.url("/rss", host="feeds.example"))).body == BODY
        assert asked == ["feeds.example"]
        assert server.requests()[0].headers["host"] == f"feeds.example:{server.port}"
        with pytest.raises(Unreachable, match=r"certificate is not trusted .*other\.example"):
            await client.get(server.url("/rss", host="other.example"))
        server.script("/down", redirect(plain.url("/rss")))
        with pytest.raises(Refused, match="from https to plain http"):
            await client.get(server.url("/down", host="feeds.example"))
        assert plain.requests() == []


@pytest.fixture
async def proxy(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FeedServer]:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    async with FeedServer() as running:
        monkeypatch.setenv("http_proxy", f"http://desk:pass@{running.host}")
        yield running


async def test_a_proxy_of_the_environment_is_used(proxy: FeedServer) -> None:
    proxy.script("http://news.example/rss", reply(200, BODY))
    async with HttpClient() as client:
        assert (await client.get("http://news.example/rss")).body == BODY
    assert proxy.requests()[0].headers["proxy-authorization"].startswith("Basic ")


async def test_behind_a_proxy_the_spelling_of_a_host_is_judged(proxy: FeedServer) -> None:
    async with HttpClient() as client:
        for host in ("127.0.0.1", "2130706433", "localhost", "169.254.169.254", "[::1]", "redis"):
            with pytest.raises(Refused):
                await client.get(f"http://{host}/")
    assert proxy.requests() == []


async def test_allowed_and_excepted_hosts_pass_the_proxy_by(
    proxy: FeedServer, server: FeedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "inside.example")
    server.serve("/rss", BODY)
    async with HttpClient(allow_hosts={server.host}, resolve=to_loopback) as client:
        assert (await client.get(server.url("/rss"))).body == BODY
        with pytest.raises(Refused, match=r"leads to 127\.0\.0\.1"):
            await client.get(server.url("/rss", host="inside.example"))
    assert proxy.requests() == []


async def test_raw_junk_never_escapes_as_another_error(server: FeedServer, client: HttpClient) -> None:
    for junk in (b"\0" * 5000, b"HTTP/1.1 999999 X\r\n\r\n", b"HTTP/1.1 200 OK\r\nbad header\r\n\r\n", b"\r\n\r\n"):
        server.script("/junk", hang_up(junk))
        with pytest.raises(FetchError):
            await client.get(server.url("/junk"), deadline_s=1.0)
    server.script("/early", raw(answer(103) + answer(200, b"ok")))
    assert (await client.get(server.url("/early"), deadline_s=1.0)).body == b"ok"
