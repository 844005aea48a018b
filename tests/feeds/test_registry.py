"""The built-in feeds are real, distinct and polite; a user's address always gives the same source."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections import Counter
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

import pytest

from feeds.errors import Refused
from feeds.models import Source, Tier
from feeds.registry import builtin_sources, source_from_url


def rows() -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = tomllib.loads(files("feeds").joinpath("registry.toml").read_text())["source"]
    return listed


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["id"])
def test_every_feed_is_well_described(row: dict[str, Any]) -> None:
    assert set(row) - {"plain_http"} == {"id", "name", "url", "tier", "interval_s", "about", "basis"}
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", row["id"])
    assert row["basis"] in {"documented", "well known"}
    assert row["tier"] in set(Tier)
    assert 30 <= row["interval_s"] <= 3600
    assert row["name"].strip() == row["name"] != ""
    assert row["about"].endswith(".")
    address = urlsplit(row["url"])
    assert address.scheme == "https" or row["plain_http"]
    assert address.hostname
    assert "." in address.hostname
    assert not address.username
    assert row["url"].isascii()


def test_no_feed_is_there_twice() -> None:
    for key in ("id", "name", "url"):
        assert max(Counter(str(row[key]).casefold() for row in rows()).values()) == 1


def test_the_registry_covers_what_moves_markets() -> None:
    sources = builtin_sources()
    assert len(sources) >= 25
    assert all(source.builtin for source in sources)
    assert [source.tier for source in sources] == sorted(source.tier for source in sources)
    hosts = {urlsplit(source.url).hostname for source in sources}
    assert hosts >= {
        "www.federalreserve.gov",
        "www.ecb.europa.eu",
        "www.boj.or.jp",
        "www.bankofengland.co.uk",
        "www.rba.gov.au",
        "www.sec.gov",
        "www.federalregister.gov",
        "www.bls.gov",
        "www.cftc.gov",
        "public.govdelivery.com",
        "www.mof.go.jp",
        "www.gov.uk",
        "webgate.ec.europa.eu",
    }
    assert any("asic.gov.au" in source.url for source in sources)


def test_what_breaks_first_is_polled_often() -> None:
    quick = {source.id for source in builtin_sources() if source.interval_s <= 60}
    assert quick >= {"fed-monetary", "sec-8k", "ecb-press", "boj", "bls-latest"}


def test_a_source_from_an_address() -> None:
    assert source_from_url(
        " https://www.example.com/markets/rss.xml#top ", name="Example", tier=Tier.OFFICIAL
    ) == Source(
        "example-com-markets-rss", "Example", "https://www.example.com/markets/rss.xml", Tier.OFFICIAL, 300, False
    )


@pytest.mark.parametrize(
    ("url", "address", "name"),
    [
        ("example.com/rss", "https://example.com/rss", "example.com"),
        ("HTTPS://Example.COM/rss", "https://example.com/rss", "example.com"),
        ("http://127.0.0.1:8080/x.xml", "http://127.0.0.1:8080/x.xml", "127.0.0.1"),
        ("localhost:8080/rss", "https://localhost:8080/rss", "localhost"),
        ("https://例え.jp/rss", "https://xn--r8jz45g.jp/rss", "例え.jp"),
    ],
)
def test_addresses_are_normalised(url: str, address: str, name: str) -> None:
    made = source_from_url(url)
    assert (made.url, made.name, made.builtin) == (address, name, False)
    assert made == source_from_url(url)


def test_slugs_are_short_distinct_and_plain() -> None:
    urls = [
        "https://example.com/rss",
        "https://example.com/rss/world",
        "https://example.com/rss?section=1",
        "https://example.com/rss?section=2",
        "https://example.com/" + "a" * 300,
        "https://example.com/" + "a" * 301,
        "https://example.com:8443/rss",
        "https://例え.jp/rss",
        "https://試し.jp/rss",
        "https://example.com",
    ]
    slugs = [source_from_url(url).id for url in urls]
    assert len(set(slugs)) == len(urls)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug) and len(slug) <= 56 for slug in slugs)


def test_a_password_in_an_address_is_not_in_the_slug() -> None:
    assert "secret" not in source_from_url("https://me:secret@example.com/rss").id


@pytest.mark.parametrize(
    "url", ["", "  ", "ftp://example.com/rss", "file:///etc/passwd", "javascript:alert(1)", "https://"]
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(Refused):
        source_from_url(url)


def test_listing_the_feeds_and_planning_polls_loads_no_http_library() -> None:
    program = (
        "import sys, feeds.registry, feeds.schedule; feeds.registry.builtin_sources(); "
        "sys.exit('httpx2' in sys.modules or 'httpcore2' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
