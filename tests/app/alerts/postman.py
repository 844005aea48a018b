"""A process that delivers what waits in an outbox to a webhook, until it is killed. Run as `-m ... PATH URL HOST`."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from app.alerts.channels.webhook import Webhook
from app.alerts.worker import Desk, Worker
from app.clock import SystemClock
from app.events import Bus
from app.pipeline.trouble import Troubles
from app.pipeline.write_pause import WritePause
from feeds.network.http import HttpClient
from storage.database import Database
from storage.mutes import Mutes
from storage.outbox import Outbox
from tests.app.alerts.outboxes import HASTE


async def main(path: Path, url: str, host: str) -> None:
    clock, troubles = SystemClock(), Troubles()
    async with (
        Database.open(path, now=datetime.now(UTC)) as database,
        HttpClient(allow_hosts=[host], trust_env=False) as http,
    ):
        pause = WritePause(clock, Bus(), troubles)
        channel = Webhook("kept", url, http)
        channel.pace = HASTE
        await Worker(channel, Desk(Outbox(database), Mutes(database), clock, pause, troubles, Random())).run()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3]))
