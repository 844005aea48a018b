"""The process behind `app.pipeline.desk_process`: reads batches of items from standard input, answers with signals.

Both ends are this program, so they speak pickle. It only reads the database, and it ends with its parent.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import pickle
import signal
import sys
from typing import Any, BinaryIO

from agents.desk import Desk
from agents.models import Signal
from app.pipeline.desk_process import Batch, Setup
from app.wiring.offline_desk import offline_desk
from storage.archive import Archive
from storage.readers import Readers

log = logging.getLogger(__name__)


def read(requests: BinaryIO) -> Any:
    """The next message; EOFError where there is none any more."""
    size = requests.read(4)
    if len(size) < 4:
        raise EOFError
    return pickle.loads(requests.read(int.from_bytes(size, "big")))  # noqa: S301 -- from our own parent


async def judge(desk: Desk, batch: Batch) -> list[Signal | None]:
    """The signals of a batch; None for an item that fails, which the parent then tries and reports."""
    answers: list[Signal | None] = []
    for work in batch.works:
        try:
            answers.append(
                await desk.judge(work.item, now=batch.now, prior=work.prior, new_fact=work.new_fact, done=work.done)
            )
        except Exception:
            log.exception("item %s could not be judged", work.item.id)
            answers.append(None)
    return answers


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answers until the requests end."""
    setup: Setup = read(requests)
    desk = offline_desk(setup.watched, Archive(Readers(setup.database)), setup.source_ids)
    gc.freeze()  # what was loaded stays: no collection need look at it
    gc.set_threshold(20_000, 20, 20)
    with asyncio.Runner() as runner:
        while True:
            answer = pickle.dumps(runner.run(judge(desk, read(requests))), pickle.HIGHEST_PROTOCOL)
            answers.write(len(answer).to_bytes(4, "big") + answer)
            answers.flush()


def main() -> None:
    """Runs as the process: standard output belongs to the answers; the screen goes before."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(1)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        serve(sys.stdin.buffer, answers)
    except (EOFError, BrokenPipeError):
        os._exit(0)


if __name__ == "__main__":
    main()
