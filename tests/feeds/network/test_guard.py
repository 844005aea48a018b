"""No name, spelling or second answer leads into this machine or the network behind it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from feeds.errors import Refused, Unreachable
from feeds.network.guard import AddressGuard, closed, first_connection, system_resolve
from feeds.network.http import HttpClient
from tests.fakes.feed_server import FeedServer, redirect

_connects: list[Any] = []


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect":
        _connects.append(arguments[1])


sys.addaudithook(_watch)


class Names:
    """A resolver with invented names; each look-up gives the next of the name's answers, the last one for ever."""

    def __init__(self, **answers: Sequence[Sequence[str]]) -> None:
        self._answers = {name.replace("_", "."): list(given) for name, given in answers.items()}
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        if host not in self._answers:
            raise OSError("no such name")
        given = self._answers[host]
        return given.pop(0) if len(given) > 1 else given[0]


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "100.100.100.200",
        "127.0.0.1",
        "127.255.255.254",
        "168.63.129.16",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.7",
        "203.0.113.9",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
        "::7f00:1",
        "64:ff9b::7f00:1",
        "64:ff9b::a00:1",
        "64:ff9b:1::808:808",
        "2002:7f00:1::",
        "2002:808:808::",
        "2001:0:7f00:1::",
        "2001:db8::1",
        "3fff::1",
        "100::1",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "fc00::1",
        "fd00:ec2::254",
        "ff02::1",
        "5f00::1",
        "4000::1",
    ],
)
def test_closed_addresses(address: str) -> None:
    assert closed(ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        "8.8.8.8",
        "1.1.1.1",
        "100.63.255.255",
        "100.128.0.0",
        "172.15.0.1",
        "172.32.0.1",
        "192.0.1.1",
        "223.255.255.255",
        "2606:4700::1111",
        "2a00:1450:4001::1",
        "2001:4860:4860::8888",
        "64:ff9b::808:808",
    ],
)
def test_public_addresses_are_open(address: str) -> None:
    assert closed(ip_address(address)) is None


@pytest.mark.parametrize(
    "host",
    [
        *[
            "2130706433",
            "0x7f000001",
            "0x7f.1",
            "127.1",
            "0177.0.0.1",
            "127.0.0.1.",
            "[::1]",
            "1.2.3",
            "0",
            "256.1.1.1",
            "localhost",
            "LOCALHOST.",
            "feeds.localhost",
            "metadata.google.internal",
            "printer.local",
            "intranet",
            "redis",
            "127%2e0.0.1",
            "-x.example",
            "x.example/..",
        ],
        "a b.example",
        "",
    ],
)
async def test_spellings_are_refused_without_asking_for_a_name(host: str) -> None:
    names = Names()
    with pytest.raises(Refused):
        await AddressGuard(resolve=names).addresses(host, 80)
    assert names.asked == []


async def test_every_address_of_a_name_is_judged() -> None:
    names = Names(mixed_example=[["93.184.216.34", "10.0.0.1"]], nip_example=[["127.0.0.1"]], v6_example=[["::1"]])
    guard = AddressGuard(resolve=names)
    for host in ("mixed.example", "nip.example", "v6.example"):
        with pytest.raises(Refused, match=host):
            await guard.addresses(host, 443)


async def test_public_names_give_their_addresses_in_order() -> None:
    names = Names(news_example=[["2606:4700::1111", "93.184.216.34"]])
    assert await AddressGuard(resolve=names).addresses("news.example", 443) == ("2606:4700::1111", "93.184.216.34")


async def test_the_message_says_why_and_what_to_do() -> None:
    with pytest.raises(Refused) as refused:
        await AddressGuard(resolve=Names(lan_example=[["192.168.1.7"]])).addresses("lan.example", 8080)
    assert str(refused.value) == (
        'lan.example: leads to 192.168.1.7, a private network, refused; to allow it add "lan.example:8080" '
        "to network.allow_hosts"
    )


async def test_nobody_is_told_to_allow_a_metadata_service() -> None:
    with pytest.raises(Refused) as refused:
        await AddressGuard(resolve=Names()).addresses("169.254.169.254", 80)
    assert "metadata" in str(refused.value)
    assert "allow_hosts" not in str(refused.value)


@pytest.mark.parametrize(
    ("entry", "host", "port", "open_"),
    [
        ("127.0.0.1", "127.0.0.1", 8080, True),
        ("127.0.0.1:8080", "127.0.0.1", 8080, True),
        ("127.0.0.1:8080", "127.0.0.1", 8081, False),
        ("127.0.0.1", "127.0.0.2", 80, False),
        ("LocalHost", "localhost", 80, True),
        ("localhost", "127.0.0.1", 80, False),
        ("::1", "::1", 80, True),
        ("[::1]:99", "::1", 99, True),
        ("[::1]:99", "::1", 98, False),
        ("feeds.lan", "feeds.lan", 80, True),
        ("feeds.lan", "other.feeds.lan", 80, False),
    ],
)
async def test_the_user_allows_hosts_exactly(entry: str, host: str, port: int, open_: bool) -> None:
    guard = AddressGuard(
        [entry], Names(localhost=[["127.0.0.1"]], feeds_lan=[["10.0.0.5"]], other_feeds_lan=[["10.0.0.5"]])
    )
    if open_:
        assert await guard.addresses(host, port)
    else:
        with pytest.raises(Refused):
            await guard.addresses(host, port)


async def test_a_name_without_address_is_unreachable() -> None:
    guard = AddressGuard(resolve=Names(empty_example=[[]]))
    for host in ("nowhere.example", "empty.example"):
        with pytest.raises(Unreachable, match="has no address"):
            await guard.addresses(host, 80)


async def test_a_name_cannot_answer_twice() -> None:
    """Rebinding: the address that was judged is the one connected to, so the second answer is never used unjudged."""
    names = Names(rebind_example=[["192.0.2.1"], ["127.0.0.1"]])
    async with FeedServer() as server, HttpClient(resolve=names, trust_env=False) as client:
        server.serve("/", "<rss/>")
        for _ in range(2):
            with pytest.raises(Refused):
                await client.get(server.url("/", host="rebind.example"))
        assert server.connections == 0


async def test_no_connection_is_opened_towards_any_hostile_address(shared: Path) -> None:
    rows = [json.loads(line) for line in (shared / "hostile" / "urls.jsonl").read_text().splitlines()]
    targets = [row["url"].split(" ")[0] for row in rows if row["id"].startswith(("ssrf-", "open-"))]
    names = Names(
        rebind_test=[["192.0.2.1"], ["127.0.0.1"]],
        mixed_test=[["93.184.216.34", "10.0.0.1"]],
        **{"127_0_0_1_nip_io": [["127.0.0.1"]]},
    )
    async with FeedServer() as server, HttpClient(allow_hosts={server.host}, resolve=names, trust_env=False) as client:
        for number, target in enumerate(targets):
            _connects.clear()
            with pytest.raises(Refused):
                await client.get(target)
            assert _connects == [], target
            if ":" in target and target.isprintable() and target.isascii():
                server.script(f"/{number}", redirect(target))
                with pytest.raises(Refused):
                    await client.get(server.url(f"/{number}"))
                assert all(address[1] == server.port for address in _connects), target
    assert len(targets) >= 40


class Line:
    def __init__(self, address: str) -> None:
        self.address = address
        self.closed = False

    async def aclose(self) -> None:
        self.closed = True


async def test_a_dead_first_address_does_not_hold_up_the_second() -> None:
    made: list[Line] = []

    async def connect(address: str) -> Line:
        if address == "dead":
            await asyncio.Event().wait()
        if address == "refusing":
            raise OSError("refused")
        made.append(Line(address))
        return made[-1]

    loop = asyncio.get_running_loop()
    started = loop.time()
    assert (await first_connection(connect, ["dead", "alive", "spare"])).address == "alive"
    assert 0.2 < loop.time() - started < 1.0
    assert (await first_connection(connect, ["refusing", "alive"])).address == "alive"
    assert [line.address for line in made if not line.closed] == ["alive", "alive"]
    with pytest.raises(OSError, match="refused"):
        await first_connection(connect, ["refusing", "refusing"])


async def test_connections_that_lose_or_come_too_late_are_closed() -> None:
    made: list[Line] = []
    both = asyncio.Event()

    async def connect(address: str) -> Line:
        await both.wait()
        made.append(Line(address))
        return made[-1]

    racing = asyncio.create_task(first_connection(connect, ["one", "two"]))
    await asyncio.sleep(0.3)
    both.set()
    winner = await racing
    assert len(made) == 2
    assert [line for line in made if not line.closed] == [winner]


async def test_the_system_resolver_answers_and_fails_without_the_network() -> None:
    assert "127.0.0.1" in await system_resolve("127.0.0.1", 80)
    with pytest.raises((OSError, UnicodeError)):
        await system_resolve("a" * 70 + ".invalid", 80)
