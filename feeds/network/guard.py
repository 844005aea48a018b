"""Which addresses may be reached. A feed, a redirect or a tool may name any host; none of them may reach this machine
or the network behind it.

The check belongs to the connection, not to the URL: a name is resolved once, every address it has is judged, and the
judged address is the one connected to, so that a name cannot answer twice. Behind a proxy the proxy resolves, so only
the spelling of the host is judged there.
"""

from __future__ import annotations

import asyncio
import re
import socket
import threading
from collections.abc import Awaitable, Callable, Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Protocol, TypeAlias, TypeVar

from feeds.errors import Refused, Unreachable

Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]


class Closable(Protocol):
    """A connection, as far as this module cares."""

    async def aclose(self) -> None: ...


Stream = TypeVar("Stream", bound=Closable)
_STAGGER_S = 0.25

_V4_CLOSED = tuple(
    (IPv4Network(network), words)
    for network, words in (
        ("0.0.0.0/8", "this machine"),
        ("10.0.0.0/8", "a private network"),
        ("100.64.0.0/10", "a carrier's private network"),
        ("127.0.0.0/8", "this machine"),
        ("168.63.129.16/32", "a cloud's metadata service"),
        ("169.254.0.0/16", "link-local, where clouds keep their metadata service"),
        ("172.16.0.0/12", "a private network"),
        ("192.0.0.0/24", "a protocol assignment"),
        ("192.0.2.0/24", "a documentation network"),
        ("192.88.99.0/24", "a 6to4 relay"),
        ("192.168.0.0/16", "a private network"),
        ("198.18.0.0/15", "a benchmark network"),
        ("198.51.100.0/24", "a documentation network"),
        ("203.0.113.0/24", "a documentation network"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")
_V6_CLOSED = tuple(
    (IPv6Network(network), words)
    for network, words in (
        ("::1/128", "this machine"),
        ("::/128", "this machine"),
        ("::ffff:0:0/96", "an IPv4 address in disguise"),
        ("::/96", "an IPv4 address in disguise"),
        ("fe80::/10", "link-local"),
        ("fc00::/7", "a private network"),
        ("ff00::/8", "multicast"),
        ("2001::/32", "a Teredo tunnel"),
        ("2001::/23", "a protocol assignment"),
        ("2001:db8::/32", "a documentation network"),
        ("2002::/16", "a 6to4 tunnel"),
        ("3fff::/20", "a documentation network"),
    )
)
_V6_PUBLIC = IPv6Network("2000::/3")
_LOCAL_NAMES = ("localhost", "local", "internal")
_NAME = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?", re.ASCII)
_NUMERIC_END = re.compile(r"(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)$", re.ASCII)
_PORTED = re.compile(r"(?P<host>\[[^\]]*\]|[^:]*):(?P<port>[0-9]+)", re.ASCII)


def closed(address: IPv4Address | IPv6Address) -> str | None:
    """What kind of place `address` is, when nothing outside may lead there; None for a public address.

    A NAT64 address is as open as the IPv4 address inside it, since networks without IPv4 reach every site that way.
    """
    if isinstance(address, IPv4Address):
        return next((words for network, words in _V4_CLOSED if address in network), None)
    if address in _NAT64:
        return closed(IPv4Address(int(address) & 0xFFFFFFFF))
    for network, words in _V6_CLOSED:
        if address in network:
            return words
    return None if address in _V6_PUBLIC else "reserved"


async def system_resolve(host: str, port: int) -> tuple[str, ...]:
    """The addresses of `host`, as the system orders them.

    Each look-up has a daemon thread of its own: a name server that never answers holds up neither another feed nor
    the end of the program. Raises OSError or UnicodeError where the name has no address.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[tuple[str, ...]] = loop.create_future()

    def settle(addresses: tuple[str, ...], error: Exception | None) -> None:
        if answer.done():
            return
        if error is None:
            answer.set_result(addresses)
        else:
            answer.set_exception(error)

    def look_up() -> None:
        addresses: tuple[str, ...] = ()
        error: Exception | None = None
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            addresses = tuple(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))
        except (OSError, UnicodeError) as raised:
            error = raised
        try:
            loop.call_soon_threadsafe(settle, addresses, error)
        except RuntimeError:
            return  # the loop has closed: nobody waits any more

    threading.Thread(target=look_up, name="resolve", daemon=True).start()
    return await answer


class AddressGuard:
    """Judges hosts before a connection. `allow_hosts` are the user's exceptions: a host, or a host:port, exactly."""

    def __init__(self, allow_hosts: Iterable[str] = (), resolve: Resolve = system_resolve) -> None:
        self._allowed = frozenset(_entry(text) for text in allow_hosts)
        self._resolve = resolve

    def allows(self, host: str, port: int) -> bool:
        """True where the user named this host, with this port or without one."""
        name = _bare(host)
        return (name, None) in self._allowed or (name, port) in self._allowed

    def check_host(self, host: str, port: int) -> IPv4Address | IPv6Address | None:
        """The address when `host` is one, None when it is a name. Raises Refused for what needs no DNS to refuse."""
        name = _bare(host)
        address = _literal(name)
        if self.allows(host, port):
            return address
        if address is not None:
            self._refuse_closed(host, port, address)
            return address
        if _NUMERIC_END.search(name):
            raise Refused(f"{host}: an odd spelling of an address, refused; write it as four plain numbers")
        if not _NAME.fullmatch(name):
            raise Refused(f"{host!r}: not a host name; check the address")
        if "." not in name or name.rsplit(".", 1)[-1] in _LOCAL_NAMES:
            raise Refused(f"{host}: a name of the local network, refused; {_remedy(host, port)}")
        return None

    async def addresses(self, host: str, port: int) -> tuple[str, ...]:
        """The addresses to connect to, all judged. Raises Refused where one is closed, Unreachable without any."""
        literal = self.check_host(host, port)
        if literal is not None:
            return (str(literal),)
        try:
            found = await self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise Unreachable(f"{host}: the name has no address; check the spelling or the network") from error
        if not found:
            raise Unreachable(f"{host}: the name has no address; check the spelling or the network")
        if not self.allows(host, port):
            for text in found:
                self._refuse_closed(host, port, ip_address(text))
        return tuple(found)

    @staticmethod
    def _refuse_closed(host: str, port: int, address: IPv4Address | IPv6Address) -> None:
        kind = closed(address)
        if kind is not None:
            where = "" if _bare(host) == str(address) else f" leads to {address},"
            raise Refused(f"{host}:{where} {kind}, refused; {_remedy(host, port, kind)}")


def _remedy(host: str, port: int, kind: str = "") -> str:
    if "metadata" in kind:
        return "nothing that is news lies there"
    shown = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return f'to allow it add "{shown}" to network.allow_hosts'


def _bare(host: str) -> str:
    return host.strip().lower().removeprefix("[").removesuffix("]").rstrip(".")


def _literal(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name)
    except ValueError:
        return None


def _entry(text: str) -> tuple[str, int | None]:
    ported = _PORTED.fullmatch(text.strip())
    if ported:
        return _bare(ported["host"]), int(ported["port"])
    return _bare(text), None


async def first_connection(connect: Callable[[str], Awaitable[Stream]], addresses: Sequence[str]) -> Stream:
    """The first of `addresses` that connects, each given a quarter of a second before the next joins (RFC 8305).

    Losers are cut off and closed. Raises the last error when none connects.
    """
    if len(addresses) == 1:
        return await connect(addresses[0])
    waiting = list(addresses)
    tried: list[asyncio.Task[Stream]] = []
    won: asyncio.Task[Stream] | None = None
    try:
        while won is None:
            if waiting:
                tried.append(asyncio.ensure_future(connect(waiting.pop(0))))
            running = [task for task in tried if not task.done()]
            if running:
                await asyncio.wait(
                    running, timeout=_STAGGER_S if waiting else None, return_when=asyncio.FIRST_COMPLETED
                )
            won = next((task for task in tried if task.done() and task.exception() is None), None)
            if won is None and not waiting and all(task.done() for task in tried):
                break
        return (won or tried[-1]).result()
    finally:
        for task in tried:
            task.cancel()
        for ended, task in zip(await asyncio.gather(*tried, return_exceptions=True), tried, strict=True):
            if task is not won and not isinstance(ended, BaseException):
                await ended.aclose()
