"""A process that dies on order: for each line it reads it forks a child, which kills itself at the n-th SQL statement.

`{"task": "write" | "migrate", "path": ..., "statement": n}` in, `{"killed": bool, "said": [...]}` out, one line each.
What a child says it says after the commit it tells of.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from agents.models import Urgency
from storage.alerts import AlertDraft
from storage.connection import enter_wal, open_writing
from storage.database import Database
from storage.items import Items
from storage.migrate import builtin_migrations, migrate
from storage.outbox import Outbox
from storage.signals import Signals
from tests.storage.samples import GAZETTE, NOW, WIRE, entry
from tests.storage.samples import signal as sample

ROUNDS = (
    (WIRE, ("Nordia Steel halts its mill in Orlow", "Velkor sues Amberline")),
    (GAZETTE, ("Queen Mab Foods recalls oats", "Nordia Steel halts its Orlow mill")),
)
"""What is told: four items, two of them the same story."""


def fuse(statements: int) -> Callable[[str], None]:
    """Dies like a process that is killed at the given statement."""
    left = [statements]

    def burn(_: str) -> None:
        left[0] -= 1
        if left[0] <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return burn


async def write(path: Path, statement: int, say: Callable[[str], None]) -> None:
    """Takes items in, scores them with alerts and delivers, as the monitor does."""
    async with Database.open(path, now=NOW) as database:
        burn = fuse(statement)
        await database.write(lambda connection: connection.set_trace_callback(burn))
        items, signals, outbox = Items(database), Signals(database), Outbox(database)
        for number, (source, titles) in enumerate(ROUNDS):
            now = NOW + timedelta(minutes=number)
            taken = await items.ingest(source, [entry(title) for title in titles], now=now)
            for item_id in taken.new:
                say(f"accepted {item_id}")
            for item_id in await items.pending(100, now=now):
                one = sample(item_id, Urgency.FLASH, at=now)
                await signals.save_outcome(item_id, 0, one.outcomes[0])
                say(f"landed {item_id}")
                saved = await signals.save(one, alert=AlertDraft("export ban", now))
                say(f"scored {item_id}")
                if saved.alert_key:
                    await outbox.delivered([saved.alert_key], now=now)
                    say(f"delivered {saved.alert_key}")


def upgrade(path: Path, statement: int) -> None:
    """Makes the schema."""
    connection = open_writing(path)
    enter_wal(connection, path)
    connection.execute("PRAGMA synchronous = OFF")  # a kill, unlike a power cut, loses nothing that was written
    connection.set_trace_callback(fuse(statement))
    migrate(connection, path, builtin_migrations())
    connection.set_trace_callback(None)
    connection.close()


def run(order: dict[str, Any]) -> dict[str, Any]:
    """One child, from its birth to its end."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        path = Path(order["path"])
        if order["task"] == "migrate":
            upgrade(path, order["statement"])
        else:
            asyncio.run(write(path, order["statement"], lambda line: void(os.write(writing, f"{line}\n".encode()))))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read().splitlines()
    _, status = os.waitpid(child, 0)
    return {"killed": os.WIFSIGNALED(status), "clean": status == 0, "said": said}


def void(_: object) -> None:
    """Nothing, of something."""


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)
