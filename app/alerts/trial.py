"""A test alert through every configured channel, each answer as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from agents.models import Urgency
from app.alerts.channels.protocol import Channel
from app.alerts.errors import SendError
from app.alerts.text import Message, compose
from app.log import one_line, redact
from feeds.models import Published, Tier
from storage.alerts import AlertContent, AlertDue
from storage.models import CardTicker


@dataclass(frozen=True, slots=True)
class Tried:
    """How one channel did; `error` is empty where the service took the message."""

    label: str
    error: str
    elapsed_s: float


def trial_message(now: datetime, zone: tzinfo) -> Message:
    """A message that says it is a test, with everything an alert may hold, a script beyond ASCII included."""
    content = AlertContent(
        key=f"test:{now:%Y%m%dT%H%M%S}",
        urgency=Urgency.ALERT,
        reason="test",
        created_at=now,
        card_key=0,
        item_id="test",
        title="tapewatch test alert: it arrived ✓ 届きました 🎉",
        source_name="tapewatch",
        tier=Tier.OFFICIAL,
        outlets=1,
        url="",
        published=Published(now, "second", None),
        first_seen_at=now,
        impact_score=0.7,
        confidence_score=0.9,
        signal_type="routine_news",
        tickers=(CardTicker("TEST", 0.7, "direct", "up"),),
    )
    return compose([AlertDue(content)], content.key, now=now, zone=zone)


async def try_all(channels: Sequence[Channel], message: Message) -> AsyncIterator[Tried]:
    """Sends the message everywhere at once; gives the answers in the order of the channels."""
    tasks = [asyncio.create_task(_try(channel, message)) for channel in channels]
    try:
        for task in tasks:
            yield await task
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _try(channel: Channel, message: Message) -> Tried:
    loop = asyncio.get_running_loop()
    began = loop.time()
    error = ""
    try:
        await channel.send(message)
    except SendError as failed:
        error = str(failed)
    except Exception as failed:  # noqa: BLE001 -- a service's library may raise anything; the other channels go on
        error = f"{type(failed).__name__}: {redact(one_line(str(failed)))}"
    return Tried(channel.label, error, loop.time() - began)
