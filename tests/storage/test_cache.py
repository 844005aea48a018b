"""Replies come back as they were, for a while, to the request they answered and no other."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from storage.cache import Replies
from storage.usage_file import KEPT_FOR, UsageFile
from tests.storage.samples import NOW

REPLY = '{"type":"message","content":[{"type":"text","text":"ストップ \\ud83d"}]}'


async def test_a_reply_is_found_by_its_digest_across_restarts(tmp_path: Path) -> None:
    path = tmp_path / "usage.db"
    async with UsageFile.open(path, now=NOW) as file:
        await Replies(file).keep("a", REPLY, now=NOW)
        await Replies(file).keep("a", REPLY + " ", now=NOW)
    async with UsageFile.open(path, now=NOW) as file:
        assert await Replies(file).find("a") == REPLY + " "
        assert await Replies(file).find("b") is None


async def test_an_old_reply_is_forgotten_at_a_later_start(tmp_path: Path) -> None:
    path = tmp_path / "usage.db"
    async with UsageFile.open(path, now=NOW) as file:
        await Replies(file).keep("old", REPLY, now=NOW)
        await Replies(file).keep("young", REPLY, now=NOW + timedelta(days=1))
    async with UsageFile.open(path, now=NOW + KEPT_FOR + timedelta(hours=1)) as file:
        assert await Replies(file).find("old") is None
        assert await Replies(file).find("young") == REPLY


async def test_a_reply_that_cannot_be_read_any_more_is_none(tmp_path: Path) -> None:
    async with UsageFile.open(tmp_path / "usage.db", now=NOW) as file:
        await file.write(lambda connection: connection.execute("INSERT INTO reply VALUES ('a', 1, x'00ff')"))
        assert await Replies(file).find("a") is None
