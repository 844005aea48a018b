"""Without a screen too an investigation is asked again when what it awaits has come out, and the log says so."""

from __future__ import annotations

import asyncio
import signal
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from app.investigation.inquiry import case_of
from storage.database import Database
from storage.investigations import Investigations
from tests.app.program import run, start
from tests.fakes.feed_server import FeedServer
from tests.fakes.public_world import STEP, currency_world, recent_move, rss, serve
from tests.storage.test_investigations import a_hypothesis, an_answer

NOW: Final = datetime.now(UTC).replace(microsecond=0)
ONSET: Final = recent_move(NOW, 6)


async def keep_what_is_due(path: Path) -> None:
    """An answer of some days ago, whose next information has come out a minute ago."""
    asked = NOW - timedelta(days=3)
    case = replace(case_of("USDJPY", asked_at=asked, at=ONSET, question="Yen jumps"), names=("yen",))
    async with Database.open(path, now=NOW) as database:
        kept = Investigations(database, lambda: asked)
        await kept.begin(case)
        suspected = replace(a_hypothesis(), certainty="low", score=0.3, status="suspected")
        answer = replace(an_answer(case), verdict="no_public_cause", hypotheses=(suspected,))
        await kept.finish(answer, NOW - timedelta(minutes=1))


async def test_a_confirmation_that_came_out_is_found_without_a_screen(tmp_path: Path) -> None:
    statement = ("Statement on Monetary Policy: policy rate raised", ONSET - STEP)
    database, config = tmp_path / "t.db", tmp_path / "config.toml"
    await keep_what_is_due(database)
    async with FeedServer() as server:
        world = currency_world(ONSET)
        world["/boj_news/en/rss/whatsnew.xml"] = rss("", statement, ("An older notice", ONSET - timedelta(days=20)))
        serve(server, world)
        config.write_text(
            f'[feeds]\nbuiltin = false\n[tools]\nbase_urls = {{ default = "{server.url("").rstrip("/")}" }}\n'
        )
        process = await start(tmp_path, "run", "--headless", "--db", str(database), "--config", str(config))
        assert process.stderr is not None
        told = ""
        async with asyncio.timeout(20):
            while "investigation of USDJPY" not in told:
                told = (await process.stderr.readline()).decode()
                assert told, "the program ended"
        process.send_signal(signal.SIGTERM)
        out, _ = await process.communicate()
    assert process.returncode == 0
    assert out == b""
    assert "no public cause found is now cause found" in told
    listed = await run(tmp_path, "why", "--past", "now cause", "--db", str(database), "--config", str(config))
    assert "re-checked: no public cause found is now cause found" in listed.out
