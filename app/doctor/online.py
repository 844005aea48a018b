"""What only the network can tell: each tool asked once, and whether the model's service knows the key.

It costs nothing: the service is asked about the model, not the model itself, and no search is paid for.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

from agents.models import ANSWERED, Evidence
from app.config.config import Config
from app.config.engine import KEY, check_engine, service
from app.doctor.finding import Finding, bad, ok, warn
from app.errors import AppError
from feeds.errors import FeedError
from feeds.network.http import HttpClient, Response

PROBE: Final = "Apple shares fall as the Fed raises interest rates and US sanctions hit suppliers"
"""An item that gives every tool something to ask about."""
SERVICE: Final = "https://api.anthropic.com"
_VERSION: Final = "2023-06-01"
_DEADLINE_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Online:
    """The findings, and by how many seconds the clocks of others were ahead."""

    findings: tuple[Finding, ...]
    skews: tuple[float, ...]


async def ask_all(config: Config, database: Path, usage_file: Path, environment: Mapping[str, str]) -> Online:
    """Asks everything at once."""
    tools, (model, skew) = await asyncio.gather(_tools(config, database, usage_file), _model(config, environment))
    return Online((*model, *tools.findings), (*tools.skews, *([] if skew is None else [skew])))


async def _tools(config: Config, database: Path, usage_file: Path) -> Online:
    if not config.tools.enabled:
        return Online((), ())
    from app.wiring.evidence import open_tools

    usage = usage_file if await asyncio.to_thread(usage_file.exists) else None
    async with open_tools(config, archive=database, usage_file=usage) as opened:
        now = datetime.now(UTC)
        answers = await asyncio.gather(*(opened.ask(name, PROBE, now) for name in opened.tools))
        skews = [state.skew_s for state in opened.access.states().values() if state.skew_s is not None]
    return Online(tuple(_tool(one) for one in answers), tuple(skews))


def _tool(evidence: Evidence) -> Finding:
    words = f"{evidence.status.replace('_', ' ')}, {evidence.elapsed_ms:.0f} ms"
    words += f", {evidence.source}" if evidence.source else ""
    if evidence.status in ANSWERED:
        return ok("tools", evidence.tool, words, evidence.detail)
    fix = "the agent scores without it, with less confidence; `tapewatch tools` names its sources"
    return warn("tools", evidence.tool, f"{words}: {evidence.detail}", fix)


async def _model(config: Config, environment: Mapping[str, str]) -> tuple[list[Finding], float | None]:
    try:
        if check_engine(config.engine, environment) != "claude":
            return [], None
    except AppError:
        return [], None  # told already, without the network
    key, address = service(environment)
    base = (address or SERVICE).rstrip("/")
    url = f"{base}/v1/models/{quote(config.claude.model, safe='')}"
    try:
        async with HttpClient(allow_hosts=[urlsplit(base).netloc.rpartition("@")[2]]) as client:
            headers = {"x-api-key": key, "anthropic-version": _VERSION}
            answer = await client.get(url, headers=headers, deadline_s=_DEADLINE_S)
    except FeedError as error:
        fix = "see whether this machine reaches the service; rules score meanwhile"
        return [bad("model", "service", str(error), fix)], None
    from feeds.network.header_times import clock_ahead_s

    return [_answered(config, answer, own=address is not None)], clock_ahead_s(answer.headers, datetime.now(UTC))


def _answered(config: Config, answer: Response, *, own: bool) -> Finding:
    took = f"answers in {answer.elapsed_ms:.0f} ms"
    if answer.status == 200 and _is_model(answer.body):
        return ok("model", "service", f"{took} and knows {config.claude.model}")
    if answer.status in (401, 403):
        return bad("model", "service", f"refuses the key ({answer.status})", f"set {KEY} to a valid one")
    if own and answer.status < 500:
        words = f"{took}, but has no list of models ({answer.status})"
        return ok("model", "service", words, "whether it can score shows with the first item")
    if answer.status == 404:
        words = f"{took}, but does not know {config.claude.model}"
        return bad("model", "service", words, "name another model under [claude]")
    return warn("model", "service", f"{took} with status {answer.status}", "it is asked again with every item")


def _is_model(body: bytes) -> bool:
    try:
        value = json.loads(body)
    except ValueError:
        return False
    return isinstance(value, dict) and value.get("type") == "model"
