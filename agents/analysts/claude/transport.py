"""The one place that imports the SDK: sends a request and brings back status, headers and body, or raises.

Importing it takes a second, so it happens in a thread, on the first call. The SDK's own retries are off: they obey a
Retry-After without any ceiling. Redirects are not followed, and the key is never logged.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from agents.analysts.claude.capabilities import Offer, ServerChoice, offer
from agents.analysts.claude.failures import CallFailed, of_transport

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

DEFAULT_URL: Final = "https://api.anthropic.com"
LIST_S: Final = 5.0
"""So long the service may take to list its models; after that it counts as not listing them."""
BODY_LIMIT: Final = 2_000_000
"""A longer answer is refused, in characters."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Connection:
    """Where the service is and who asks. `key` never appears in a repr."""

    key: str
    base_url: str = DEFAULT_URL

    def __repr__(self) -> str:
        return f"Connection({self.base_url})"


@dataclass(frozen=True, slots=True)
class Answered:
    """What came back over HTTP."""

    status: int
    headers: Mapping[str, str]
    body: str
    request_id: str


class Transport:
    """Speaks to the service through the SDK. One for the process; `close` it at the end."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._client: AsyncAnthropic | None = None
        self._loading = asyncio.Lock()

    @property
    def base_url(self) -> str:
        return self._connection.base_url

    async def load(self) -> AsyncAnthropic:
        """The client; the first call imports the SDK in a thread."""
        async with self._loading:
            if self._client is None:
                self._client = await asyncio.to_thread(_client, self._connection)
            return self._client

    async def offer(self, wanted: Iterable[str], choice: ServerChoice) -> Offer:
        """Asks the service what it offers; one that does not say is told by its address and the configuration."""
        client = await self.load()
        listed: list[Any] | None = None
        try:
            async with asyncio.timeout(LIST_S):
                page = await client.models.list(limit=100)
                listed = [one for one in page.data or () if hasattr(one, "id")]
        except Exception as error:  # noqa: BLE001 -- whatever a server makes of this question, it is only a question
            log.info("%s does not list its models (%s)", self.base_url, type(error).__name__)
        return offer(listed, wanted, self.base_url, choice)

    async def post(self, request: Mapping[str, Any]) -> Answered:
        """Sends one request to /v1/messages. Raises CallFailed where no answer came."""
        client = await self.load()
        import anthropic

        try:
            raw = await client.messages.with_raw_response.create(**request)
        except anthropic.APIStatusError as error:
            answer = error.response
            return Answered(answer.status_code, answer.headers, answer.text[:BODY_LIMIT], error.request_id or "")
        except anthropic.APIConnectionError as error:
            raise CallFailed(of_transport(error)) from error
        return Answered(raw.status_code, raw.headers, raw.http_response.text[:BODY_LIMIT], raw.request_id or "")

    async def close(self) -> None:
        """Closes the connections."""
        if self._client is not None:
            await self._client.close()


def _client(connection: Connection) -> AsyncAnthropic:
    import anthropic

    # At DEBUG the SDK logs whole requests; prompts belong in the database and nowhere else.
    logging.getLogger("anthropic").setLevel(logging.WARNING)
    return anthropic.AsyncAnthropic(
        api_key=connection.key,
        base_url=connection.base_url,
        max_retries=0,
        timeout=600.0,
        http_client=anthropic.DefaultAsyncHttpxClient(follow_redirects=False),
    )
