"""One poll: conditional, read as the server meant it, and every refusal in words."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime

import pytest

from feeds.errors import HttpStatus, Refused
from feeds.models import Source, Tier, Validators
from feeds.network.fetch import Fetched, NotModified, fetch
from feeds.network.http import HttpClient
from tests.fakes.feed_server import FeedServer, Handler, in_turn, redirect, reply

BODY = b"<rss><channel><title>Northwind</title></channel></rss>"
MODIFIED = "Tue, 10 Mar 2026 18:00:00 GMT"


@pytest.fixture
async def server() -> AsyncIterator[FeedServer]:
    async with FeedServer() as running:
        yield running


@pytest.fixture
async def client(server: FeedServer) -> AsyncIterator[HttpClient]:
    async with HttpClient(allow_hosts={"127.0.0.1"}, trust_env=False) as running:
        yield running


def source(server: FeedServer, path: str = "/rss") -> Source:
    return Source("northwind", "Northwind", server.url(path), Tier.NEWSROOM)


async def test_a_document(server: FeedServer, client: HttpClient) -> None:
    server.serve("/rss", BODY, etag='W/"a"', last_modified=MODIFIED, headers={"Cache-Control": "max-age=90"})
    got = await fetch(client, source(server), Validators())
    assert isinstance(got, Fetched)
    assert (got.body, got.content_type) == (BODY, "application/rss+xml; charset=utf-8")
    assert got.validators == Validators('W/"a"', MODIFIED)
    assert (got.final_url, got.permanent_url, got.fresh_for_s) == (server.url("/rss"), None, 90.0)
    assert got.elapsed_ms > 0
    (request,) = server.requests()
    assert request.headers["accept"].startswith("application/rss+xml")
    assert not {"if-none-match", "if-modified-since"} & set(request.headers)


@pytest.mark.parametrize(
    "validators",
    [
        Validators('W/"a"', MODIFIED),
        Validators('"a"'),
        Validators(None, MODIFIED),
        Validators("bare", "Sat, 16 Nov 2041"),
    ],
)
async def test_validators_go_back_byte_for_byte(server: FeedServer, client: HttpClient, validators: Validators) -> None:
    server.serve("/rss", BODY, etag=validators.etag, last_modified=validators.last_modified)
    first = await fetch(client, source(server), Validators())
    second = await fetch(client, source(server), first.validators)
    assert isinstance(second, NotModified)
    assert second.validators == validators
    asked = server.requests()[1].headers
    assert (asked.get("if-none-match"), asked.get("if-modified-since")) == (validators.etag, validators.last_modified)


async def test_not_modified_is_one_request_without_a_body(server: FeedServer, client: HttpClient) -> None:
    server.script("/rss", reply(304))
    got = await fetch(client, source(server), Validators('"a"'))
    assert isinstance(got, NotModified)
    assert got.validators == Validators('"a"')
    assert len(server.requests()) == 1


async def test_each_answer_replaces_the_validators_it_names(server: FeedServer, client: HttpClient) -> None:
    server.script("/rss", reply(304, headers={"ETag": '"b"'}))
    got = await fetch(client, source(server), Validators('"a"', MODIFIED))
    assert got.validators == Validators('"b"', MODIFIED)
    server.serve("/rss", BODY, last_modified=MODIFIED)
    assert (await fetch(client, source(server), got.validators)).validators == Validators(None, MODIFIED)


async def test_an_unchanged_etag_with_a_document_is_a_document(server: FeedServer, client: HttpClient) -> None:
    server.script("/rss", reply(200, BODY, {"ETag": '"constant"'}))
    assert isinstance(await fetch(client, source(server), Validators('"constant"')), Fetched)


@pytest.mark.parametrize("etag", ['"' + "e" * 5000 + '"', '"caf\xe9"', "", '"a\tb"'])
async def test_validators_that_could_break_a_request_are_dropped(
    server: FeedServer, client: HttpClient, etag: str
) -> None:
    server.script("/rss", reply(200, BODY, {"ETag": etag}))
    got = await fetch(client, source(server), Validators())
    assert got.validators == Validators()
    await fetch(client, source(server), Validators(etag, 'x"\r\nX-Evil: 1'))
    assert not {"if-none-match", "if-modified-since", "x-evil"} & set(server.requests()[1].headers)


async def test_a_304_nobody_asked_for_is_an_error(server: FeedServer, client: HttpClient) -> None:
    server.script("/rss", reply(304))
    with pytest.raises(HttpStatus) as raised:
        await fetch(client, source(server), Validators())
    assert raised.value.status == 304


@pytest.mark.parametrize(
    ("statuses", "permanent"),
    [((301,), True), ((308,), True), ((301, 308), True), ((302,), False), ((301, 302), False), ((307, 301), False)],
)
async def test_only_an_all_permanent_chain_is_a_new_address(
    server: FeedServer, client: HttpClient, statuses: tuple[int, ...], permanent: bool
) -> None:
    for number, status in enumerate(statuses):
        server.script(f"/{number}", redirect(f"/{number + 1}", status))
    server.serve(f"/{len(statuses)}", BODY, etag='"a"')
    target = server.url(f"/{len(statuses)}")
    for validators in (Validators(), Validators('"a"')):
        got = await fetch(client, source(server, "/0"), validators)
        assert (got.final_url, got.permanent_url) == (target, target if permanent else None)


async def test_validators_follow_a_redirect_to_another_host(server: FeedServer, client: HttpClient) -> None:
    async with FeedServer() as other:
        server.script("/rss", redirect(other.url("/rss")))
        other.serve("/rss", BODY, etag='"a"', last_modified=MODIFIED)
        first = await fetch(client, source(server), Validators())
        assert isinstance(await fetch(client, source(server), first.validators), NotModified)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (204, "gives no document"),
        (401, "wants a login"),
        (403, "refuses this program"),
        (404, "nothing at this address"),
        (410, "gone for good"),
        (429, "fewer requests"),
        (451, "legal reasons"),
        (418, "gives no document"),
        (500, "has trouble"),
        (503, "has trouble"),
        (599, "has trouble"),
    ],
)
async def test_every_refusal_is_named(server: FeedServer, client: HttpClient, status: int, words: str) -> None:
    server.script("/rss", reply(status, b"<html>" * 100))
    with pytest.raises(HttpStatus, match=rf"^127\.0\.0\.1:\d+: .*{words}.* \({status}\)$") as raised:
        await fetch(client, source(server), Validators('"a"'))
    assert (raised.value.status, raised.value.retry_after_s) == (status, None)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "120"}, 120.0),
        ({"Retry-After": "Tue, 10 Mar 2026 18:32:00 GMT", "Date": "Tue, 10 Mar 2026 18:30:00 GMT"}, 120.0),
        ({"Retry-After": "Tue, 10 Mar 2026 18:32:00 GMT"}, 120.0),
        ({"Retry-After": "-5"}, 0.0),
        ({"Retry-After": "99999999999999"}, 86_400.0),
        ({"Retry-After": "soon"}, None),
    ],
)
@pytest.mark.parametrize("status", [429, 503])
async def test_the_wish_of_the_server_is_read(
    server: FeedServer, client: HttpClient, now: datetime, status: int, headers: dict[str, str], seconds: float | None
) -> None:
    server.script("/rss", reply(status, b"", headers))
    with pytest.raises(HttpStatus) as raised:
        await fetch(client, source(server), Validators(), now=now)
    assert raised.value.retry_after_s == seconds


@pytest.mark.parametrize("content_type", ["text/html", "text/plain", "application/octet-stream", ""])
async def test_the_content_type_judges_nothing(server: FeedServer, client: HttpClient, content_type: str) -> None:
    server.script("/rss", reply(200, BODY, {"Content-Type": content_type} if content_type else {}))
    got = await fetch(client, source(server), Validators())
    assert isinstance(got, Fetched)
    assert got.content_type == content_type


async def test_one_failure_then_the_document(server: FeedServer, client: HttpClient) -> None:
    server.script("/rss", in_turn(reply(404), reply(200, BODY)))
    with pytest.raises(HttpStatus):
        await fetch(client, source(server), Validators())
    assert isinstance(await fetch(client, source(server), Validators()), Fetched)


async def test_a_private_address_needs_the_users_word(server: FeedServer) -> None:
    async with HttpClient(trust_env=False) as strict:
        with pytest.raises(Refused, match=rf'add "127\.0\.0\.1:{server.port}" to network\.allow_hosts'):
            await fetch(strict, source(server), Validators())
    assert server.connections == 0


Scenario = tuple[Handler, type[Fetched] | type[NotModified] | int]

SCENARIOS: dict[str, Scenario] = {
    "304-retry": (reply(304), NotModified),
    "etag-const": (reply(200, BODY, {"ETag": '"a"'}), Fetched),
    "etag-weak": (reply(200, BODY, {"ETag": 'W/"a"'}), Fetched),
    "redir-noloc": (reply(301), 301),
    "410": (reply(410), 410),
    "404-1": (reply(404), 404),
    "500-3d": (reply(503), 503),
    "429-sec": (reply(429, headers={"Retry-After": "120"}), 429),
    "200-html": (reply(200, b"<html>Just a moment...", {"Content-Type": "text/html"}), Fetched),
    "ctype-wrong": (reply(200, BODY, {"Content-Type": "text/plain"}), Fetched),
}


@pytest.mark.parametrize("name", SCENARIOS)
async def test_scenarios(server: FeedServer, client: HttpClient, name: str) -> None:
    handler, outcome = SCENARIOS[name]
    server.script("/rss", handler)
    if isinstance(outcome, int):
        with pytest.raises(HttpStatus) as raised:
            await fetch(client, source(server), Validators('"a"'))
        assert raised.value.status == outcome
    else:
        assert isinstance(await fetch(client, source(server), Validators('"a"')), outcome)
    assert len(server.requests()) == 1
