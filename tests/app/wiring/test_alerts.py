"""From a feed to the user's phone through the whole program: configuration, decision, outbox, channel, and why."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from app.config import config
from app.errors import ConfigError
from app.monitor import Monitor
from app.wiring.monitor import open_monitor
from storage.alert_log import AlertReader
from tests.fakes.clock import ManualClock
from tests.fakes.feed_server import FeedServer
from tests.fakes.receivers import Receiver

HEADLINE = "Sable Ridge Energy 🎉 files for Chapter 11 bankruptcy protection"
RULE = "[[alerts.rule]]\nname = 'wake me'\nwhen = { text = 'chapter 11' }\nthen = { raise = 'FLASH' }\n"


def rss(titles: list[str], at: datetime) -> str:
    entries = "".join(
        f"<item><title>{title}</title><guid>{title}</guid><link>https://wire.example/{place}</link>"
        f"<pubDate>{format_datetime(at)}</pubDate></item>"
        for place, title in enumerate(titles)
    )
    return f'<rss version="2.0"><channel><title>Wire</title>{entries}</channel></rss>'


class Town:
    """A monitor over one feed, with a phone and a hook."""

    def __init__(self, monitor: Monitor, clock: ManualClock, feed: FeedServer, phone: Receiver, hook: Receiver) -> None:
        self.monitor, self.clock, self.feed, self.phone, self.hook = monitor, clock, feed, phone, hook

    async def later(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(8):
            while not condition():
                await self.clock.advance(2)
                await asyncio.sleep(0.01)

    async def publish(self, *titles: str) -> None:
        checks = len(self.feed.requests("/rss"))
        self.feed.serve("/rss", rss(list(titles), self.clock.now()), etag=f'"{len(titles)}"')
        await self.later(lambda: len(self.feed.requests("/rss")) > checks)


@asynccontextmanager
async def town(folder: Path, now: datetime, more: str = "") -> AsyncIterator[Town]:
    clock = ManualClock(now)
    async with FeedServer() as feed, Receiver() as phone, Receiver() as hook:
        feed.serve("/rss", rss([], now), etag='"0"')
        phone.url("/")
        read = config.parse(
            f"[feeds]\nbuiltin = false\n[[feeds.source]]\nurl = '{feed.url('/rss')}'\ninterval_s = 30\n"
            f"[network]\nallow_hosts = ['{feed.host}']\n[tools]\nenabled = false\n"
            f"[alerts]\ndesktop = false\nflash = ['ntfy://{phone.host}/news']\n"
            f"[[alerts.channel]]\nname = 'hook'\nurl = '{hook.url('/hook')}'\n{more}",
            "c",
        )
        async with open_monitor(read, database_file=folder / "db", clock=clock) as monitor:
            await monitor.start()
            made = Town(monitor, clock, feed, phone, hook)
            await made.later(lambda: bool(feed.requests("/rss")))
            yield made


async def test_an_alert_reaches_every_channel_it_is_for_and_why_says_how(tmp_path: Path, now: datetime) -> None:
    async with town(tmp_path, now, RULE) as on:
        await on.publish("A plain story")
        await on.publish("A plain story", HEADLINE)
        await on.later(lambda: bool(on.phone.taken) and bool(on.hook.taken))
        assert on.phone.taken[0].body["title"] == f"FLASH {HEADLINE}"
        (alert,) = on.hook.taken[0].body["alerts"]
        assert (alert["title"], alert["url"]) == (HEADLINE, "https://wire.example/1")
        with AlertReader(tmp_path / "db") as reader:
            await on.later(lambda: all(one.state == "sent" for one in reader.log()[0].deliveries))
            (row,) = reader.log()
            assert [one.channel.partition("-")[0] for one in row.deliveries] == ["terminal", "hook", "ntfy"]
            (why,) = reader.decisions(row.key)
            assert "wake me" in [step.gate for step in why.trace]


async def test_a_muted_source_is_silent_and_shown(tmp_path: Path, now: datetime) -> None:
    async with town(tmp_path, now, RULE) as on:
        await on.publish("A plain story")
        book = on.monitor.book
        assert book is not None
        (source,) = {row.source.name for row in on.monitor.cards.sources()}
        await book.mute("source", source, source, timedelta(hours=2))
        await on.publish("A plain story", HEADLINE)
        with AlertReader(tmp_path / "db") as reader:
            await on.later(lambda: on.monitor.cards.counts().total == 2 and on.monitor.status().queue == 0)
            item = next(card.item_id for card in on.monitor.cards.cards([1, 2]) if card.title == HEADLINE)
            await on.later(lambda: bool(reader.decisions(item)))
            assert reader.decisions(item)[0].outcome == "muted"
            assert reader.log() == []
        assert on.phone.taken == on.hook.taken == []


async def test_a_channel_whose_address_is_wrong_is_refused_before_the_start(tmp_path: Path, now: datetime) -> None:
    with pytest.raises(ConfigError, match=r"alerts.channel\[1\].url: the environment has no NOWHERE"):
        async with town(tmp_path, now, "[[alerts.channel]]\nname = 'x'\nurl = 'env:NOWHERE'\n"):
            pass
