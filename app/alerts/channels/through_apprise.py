"""Every other service that apprise knows, by its address. Loaded when first needed, in a thread; silenced and redacted.

Apprise says whether a service took a message, not why it did not: after a failure nobody knows whether it arrived.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from app.alerts.channels.protocol import Pace
from app.alerts.errors import ChannelGone, NotSent, Unanswered
from app.alerts.text import Message, cut, fitted, octets

if TYPE_CHECKING:
    from apprise import Apprise

SEND_S: Final = 20.0
GIVE_UP_S: Final = 30.0
TITLE_BYTES: Final = 250
BODY_BYTES: Final = 3_500
SILENT: Final = ("apprise", "urllib3", "requests", "requests_oauthlib", "oauthlib")
"""They log addresses with their tokens: malformed ones as errors, all of them when debugging."""


def silence() -> None:
    """Keeps the libraries' own loggers from saying anything, at any level."""
    for name in SILENT:
        logger = logging.getLogger(name)
        logger.setLevel(logging.CRITICAL + 1)
        logger.propagate = False
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())


class ThroughApprise:
    """One address of apprise's."""

    def __init__(self, label: str, url: str) -> None:
        self.label = label
        self.pace = Pace(refill=timedelta(seconds=3), limit_attempts=6)
        self._url = url
        self._service: Apprise | None = None
        # Its own thread: a service that hangs must not hold up what else the program does in threads.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="apprise")

    async def send(self, message: Message) -> None:
        """Hands the message to the service."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(GIVE_UP_S):
                outcome = await loop.run_in_executor(self._thread, self._send, message)
        except TimeoutError:
            raise Unanswered("no answer in time") from None
        if outcome == "timeout":
            raise Unanswered("no answer in time")
        if outcome != "sent":
            raise NotSent("the service did not take it; apprise does not say why")

    async def aclose(self) -> None:
        """Lets go of the thread; a send under way is not waited for."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _send(self, message: Message) -> str:
        from apprise import NotifyFormat

        service = self._loaded()
        result = service.notify(
            title=cut(message.title, TITLE_BYTES, octets),
            body=fitted(message, BODY_BYTES, octets),
            body_format=NotifyFormat.TEXT,
            timeout=SEND_S,
        )
        if result:
            return "sent"
        return "timeout" if result.status.name == "TIMEOUT" else "failed"

    def _loaded(self) -> Apprise:
        if self._service is None:
            silence()
            import apprise

            silence()
            asset = apprise.AppriseAsset(
                app_id="tapewatch",
                app_desc="tapewatch",
                storage_mode=apprise.PersistentStoreMode.MEMORY,
                async_mode=False,
            )
            service = apprise.Apprise(asset=asset)
            if not service.add(self._url) or not len(service):
                raise ChannelGone("apprise does not understand this address; see https://github.com/caronc/apprise")
            self._service = service
        return self._service
