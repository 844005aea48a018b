"""Credentials in the address of a feed never reach the database file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from feeds.models import PollState, Source, Tier, Validators
from feeds.registry import builtin_sources
from storage.connection import enter_wal, open_writing
from storage.database import Database
from storage.migrate import builtin_migrations, migrate
from storage.public_url import public_url, url_key
from storage.sources import Sources
from tests.storage.samples import NOW

USER, PASSWORD, TOKEN = "canary-user", "canary-pass-1", "canaryToken0123456789abcdef"
PRIVATE = f"https://{USER}:{PASSWORD}@wire.example/rss?apikey={TOKEN}&q=NVDA"
SOURCE = Source("own", "Own wire", PRIVATE, Tier.NEWSROOM, builtin=False)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://wire.example/rss", "https://wire.example/rss"),
        ("https://me@wire.example:8443/rss", "https://wire.example:8443/rss"),
        ("https://me:pw@wire.example/rss", "https://wire.example/rss"),
        ("https://wire.example/rss?q=NVDA&hl=en-US", "https://wire.example/rss?q=NVDA&hl=en-US"),
        ("https://wire.example/rss?Api_Key=x&q=a", "https://wire.example/rss?Api_Key=***&q=a"),
        ("https://wire.example/rss?t=x", "https://wire.example/rss?t=***"),
        (f"https://wire.example/rss?who={TOKEN}", "https://wire.example/rss?who=***"),
        (f"https://wire.example/rss?{TOKEN}", "https://wire.example/rss?***"),
        ("https://wire.example/rss?token=", "https://wire.example/rss?token="),
        ("https://[broken", ""),
        ("", ""),
    ],
)
def test_an_address_is_shown_without_what_opens_a_door(url: str, shown: str) -> None:
    assert public_url(url) == shown
    assert public_url(shown) == shown


def test_every_built_in_address_is_shown_whole() -> None:
    assert [one.url for one in builtin_sources() if public_url(one.url) != one.url] == []


def in_file(path: Path) -> list[str]:
    """The canaries that stand in the database or its log."""
    held = b"".join(one.read_bytes() for one in path.parent.glob(f"{path.name}*"))
    return [canary for canary in (USER, PASSWORD, TOKEN) if canary.encode() in held]


async def test_no_credential_is_kept_and_the_feed_keeps_its_state(path: Path) -> None:
    state = PollState(status="ok", validators=Validators('"1"'), redirect_url=PRIVATE, redirect_since=NOW)
    async with Database.open(path, now=NOW) as database:
        sources = Sources(database)
        await sources.sync([SOURCE], NOW)
        await sources.record("own", state)
        await sources.sync([SOURCE], NOW)
        (row,) = await sources.rows()
        assert in_file(path) == []
        await sources.sync([replace(SOURCE, url=f"{PRIVATE}0")], NOW)
        (moved,) = await sources.rows()
    assert row.source.url == "https://wire.example/rss?apikey=***&q=NVDA"
    assert row.state == replace(state, redirect_url="", redirect_since=None)
    assert moved.state.validators == Validators()
    assert in_file(path) == []


async def test_rows_of_an_older_version_lose_their_credentials_and_keep_their_state(path: Path) -> None:
    with closing(open_writing(path)) as connection:
        enter_wal(connection, path)
        migrate(connection, path, [step for step in builtin_migrations() if step.number < 7])
        connection.execute(
            "INSERT INTO source (source_id, name, url, tier, interval_s, builtin, subscribed, etag, redirect_url)"
            " VALUES ('own', 'Own wire', ?, 2, 300, 0, 1, '\"1\"', ?)",
            (PRIVATE, PRIVATE),
        )
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert in_file(path) == [USER, PASSWORD, TOKEN]
    async with Database.open(path, now=NOW) as database:
        await Sources(database).sync([SOURCE], NOW)
        (row,) = await Sources(database).rows()
    assert row.source.url == public_url(PRIVATE)
    assert row.state.validators == Validators('"1"')
    assert in_file(path) == []


def test_a_digest_tells_addresses_apart_and_gives_none_away() -> None:
    assert url_key(PRIVATE) != url_key(f"{PRIVATE}0")
    assert not any(canary in url_key(PRIVATE) for canary in (USER, PASSWORD, TOKEN))
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.create_function("url_key", 1, url_key)
        assert connection.execute("SELECT url_key(?)", (PRIVATE,)).fetchone() == (url_key(PRIVATE),)
