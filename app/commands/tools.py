"""`tapewatch tools`: what the evidence tools ask, whether it answers, and one tool asked by hand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, get_args

import click

from app.commands.options import Options, global_options
from app.errors import AppError, UsageError

if TYPE_CHECKING:
    from agents.models import Evidence, ToolName
    from agents.prices import NoPrices, PriceSeries
    from agents.tools.asking.health import SourceState
    from storage.models import EvidenceSource

PROBE = "Apple shares fall as the Fed raises interest rates and US sanctions hit suppliers"
"""An item that gives every tool something to ask about."""
TEXT_WIDTH = 110


@dataclass(frozen=True, slots=True)
class Row:
    """One source of one tool, as it is listed."""

    tool: str
    source: str
    title: str
    key: str
    state: str
    reason: str
    latency_ms: float | None
    last_ok_at: datetime | None
    requests: int
    used: int | None
    most: int | None
    seen_at: datetime | None


@click.group("tools", invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="As a JSON list.")
@click.option("--check", is_flag=True, help="Ask every tool once, about an invented item, and list what came.")
@global_options
@click.pass_context
def command(ctx: click.Context, as_json: bool, check: bool, options: Options) -> None:
    """The evidence tools: their sources in the order of asking, keys, state and last latency.

    The state is the running monitor's; without one, or with --check, it is that of this run. Where Claude thinks,
    --check pays for one search of the web.
    """
    if ctx.invoked_subcommand is not None:
        if check or as_json:
            raise UsageError("tools: --check and --json stand alone, without a command after them")
        return
    rows = asyncio.run(_rows(options, check=check))
    if as_json:
        click.echo(json.dumps([_as_json(row) for row in rows], indent=2))
    else:
        for line in _table(rows):
            click.echo(line)


@command.command("try")
@click.argument("name")
@click.argument("query")
@click.option("--json", "as_json", is_flag=True, help="The whole evidence as JSON, with the raw answer.")
@global_options
def try_tool(name: str, query: str, as_json: bool, options: Options) -> None:
    """Ask the tool NAME about QUERY, a headline or a symbol, and print its evidence; ends with 1 where none came."""
    from agents.models import ANSWERED, ToolName

    names = (*get_args(ToolName), "prices")
    if name == "prices":
        _print_prices(options, query)
        return
    if name not in names:
        raise UsageError(f"tools try: no tool is called {name!r}; tools are {', '.join(names)}")
    evidence = asyncio.run(_asked(options, name, query))  # type: ignore[arg-type]  # checked against the names above
    if as_json:
        click.echo(json.dumps(_evidence_json(evidence), indent=2, ensure_ascii=False))
    else:
        for line in _told(evidence):
            click.echo(line)
    if evidence.status not in ANSWERED:
        raise AppError(f"{name}: {evidence.status.replace('_', ' ')}")


def _print_prices(options: Options, symbol: str) -> None:
    from agents.prices import NoPrices

    found = asyncio.run(_bars(options, symbol))
    if isinstance(found, NoPrices):
        raise AppError(f"prices: {found.symbol}: {found.reason}")
    click.echo(f"prices: {found.symbol}  {found.source}, {found.what}, {found.width} bars {found.currency}")
    click.echo(f"  {found.url}")
    for bar in found.bars[-12:]:
        click.echo(f"  {bar.at:%Y-%m-%d %H:%M}  {bar.open:>12g} {bar.high:>12g} {bar.low:>12g} {bar.close:>12g}")


async def _bars(options: Options, symbol: str) -> PriceSeries | NoPrices:
    from app.wiring.evidence import open_tools

    async with open_tools(options.load(), archive=options.database_file, usage_file=options.usage_file) as opened:
        return await opened.bars(symbol, datetime.now(UTC))


async def _asked(options: Options, name: ToolName, query: str) -> Evidence:
    from app.wiring.evidence import open_tools

    paid, usage = name == "web_search", options.usage_file
    async with open_tools(options.load(), archive=options.database_file, usage_file=usage, paid=paid) as opened:
        return await opened.ask(name, query, datetime.now(UTC))


async def _rows(options: Options, *, check: bool) -> list[Row]:
    from app.wiring.evidence import open_tools

    usage = options.usage_file if check else None
    async with open_tools(options.load(), archive=options.database_file, usage_file=usage, paid=check) as opened:
        if check:
            now = datetime.now(UTC)
            await asyncio.gather(*(opened.ask(name, PROBE, now) for name in opened.tools))
        kept = {} if check else {one.name: one for one in await opened.last_seen()}
        states = opened.access.states()
        return [
            _row(tool, states[source], kept)
            for tool, sources in opened.sources.items()
            for source in dict.fromkeys(sources)
        ]


def _row(tool: str, state: SourceState, kept: Mapping[str, EvidenceSource]) -> Row:
    """What this run knows of a source, or what the monitor last saw where this run has not asked it."""
    seen = kept.get(state.name)
    fixed = state.standing in ("switched off", "no key", "with Claude only")
    if seen is None or fixed:
        return Row(
            tool, state.name, state.title, state.key, state.standing, state.reason,
            state.last_latency_ms, state.last_ok_at, state.requests, state.used, state.most, None,
        )  # fmt: skip
    return Row(
        tool, state.name, state.title, state.key, seen.standing, seen.reason,
        seen.latency_ms, seen.last_ok_at, seen.requests, seen.used, seen.most, seen.seen_at,
    )  # fmt: skip


def _table(rows: list[Row]) -> Iterator[str]:
    yield f"{'tool':<24} {'source':<18} {'key':<12} {'state':<16} {'latency':>8}  {'asked':>5}  {'limit':>8}  reason"
    before = ""
    for row in rows:
        latency = "" if row.latency_ms is None else f"{row.latency_ms:.0f} ms"
        limit = "" if row.most is None else f"{'?' if row.used is None else row.used}/{row.most}"
        named = row.tool if row.tool != before else ""
        before = row.tool
        line = (
            f"{named:<24} {row.source:<18} {row.key:<12} {row.state:<16} {latency:>8}  {row.requests:>5}  {limit:>8}"
            f"  {row.reason}"
        )
        yield line.rstrip()


def _as_json(row: Row) -> dict[str, Any]:
    return {
        "tool": row.tool,
        "source": row.source,
        "title": row.title,
        "key": row.key,
        "state": row.state,
        "reason": row.reason,
        "latency_ms": row.latency_ms,
        "last_ok_at": row.last_ok_at.isoformat() if row.last_ok_at else None,
        "requests": row.requests,
        "limit": None if row.most is None else {"used": row.used, "most": row.most},
        "seen_at": row.seen_at.isoformat() if row.seen_at else None,
    }


def _told(evidence: Evidence) -> Iterator[str]:
    yield f"{evidence.tool}: {evidence.status.replace('_', ' ')}  {evidence.source}"
    if evidence.detail:
        yield f"  {evidence.detail}"
    if evidence.url:
        yield f"  {evidence.url}"
    for item in evidence.items:
        when = f"{item.at:%Y-%m-%d %H:%M} UTC ({item.time_kind}, {item.precision})" if item.at else "undated"
        yield f"- {item.text[:TEXT_WIDTH]}"
        values = "  ".join(f"{name} {value:g}" for name, value in item.values)
        yield f"    {item.source or evidence.source}, {when}{'  ' + values if values else ''}"


def _evidence_json(evidence: Evidence) -> dict[str, Any]:
    return {
        "tool": evidence.tool,
        "status": evidence.status,
        "source": evidence.source,
        "url": evidence.url,
        "fetched_at": evidence.fetched_at.isoformat(),
        "detail": evidence.detail,
        "items": [
            {
                "text": item.text,
                "url": item.url,
                "source": item.source,
                "at": item.at.isoformat() if item.at else None,
                "precision": item.precision,
                "time_kind": item.time_kind,
                "values": dict(item.values),
            }
            for item in evidence.items
        ],
        "raw": evidence.raw,
    }
