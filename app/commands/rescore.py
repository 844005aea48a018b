"""`tapewatch rescore`: scores a kept item again, several times, and shows how far the answers lie apart."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Any

import click

from app.commands.options import Options, global_options
from app.errors import NothingScored, UsageError

if TYPE_CHECKING:
    from agents.models import Signal
    from app.config.config import Config
    from feeds.models import Item


@click.command("rescore")
@click.argument("item_id", metavar="ID")
@click.option("--repeat", type=click.IntRange(1, 50), default=3, show_default=True, help="So many times.")
@click.option("--no-tools", is_flag=True, help="Score without evidence and without the network.")
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@global_options
def command(item_id: str, repeat: int, no_tools: bool, as_json: bool, options: Options) -> None:
    """Score the item ID (or a beginning of it that fits one item alone) again; the kept score stays as it is.

    The cache is not asked, so with the model every repeat is paid for, within the daily budget.
    """
    from app.log import logging_to

    config = options.load()
    with logging_to(None, debug=options.debug, quiet=True):
        item, signals = asyncio.run(_score(config, options, item_id, repeat, tools=not no_tools, tell=not as_json))
    if not any(signal.synthesis for signal in signals):
        raise NothingScored(f"{item.id}: no agent could score it; {_why(signals)}")
    spread = _spread(signals)
    if as_json:
        click.echo(json.dumps({"id": item.id, "title": item.title, "repeat": repeat, **spread}, indent=2))
        return
    for line in _lines(item, spread, repeat):
        click.echo(line)


async def _score(
    config: Config, options: Options, item_id: str, repeat: int, *, tools: bool, tell: bool
) -> tuple[Item, list[Signal]]:
    from datetime import UTC, datetime

    from app.config.engine import check_engine
    from app.wiring.desk import open_desk

    database = options.database_file
    item = await _item(options, item_id)
    if tell and check_engine(config.engine) == "claude":
        click.echo(_worst(config, repeat), err=True)
    opened = open_desk(config, archive=database, tools=tools, usage_file=options.usage_file, use_cache=False)
    async with opened as desk:
        return item, [await desk.judge(item, now=datetime.now(UTC)) for _ in range(repeat)]


def _worst(config: Config, repeat: int) -> str:
    from agents.budget import usd, worst_item
    from app.wiring.claude import models_of, prices_of

    prices = prices_of(config)
    by_agent = {agent: prices.get(model) for agent, model in models_of(config).items()}
    worst = worst_item(by_agent, config.claude.max_extra_calls)
    cost = "an unknown price" if worst.nano is None else usd(worst.nano * repeat)
    return f"at most {worst.calls * repeat} calls and {cost}"


async def _item(options: Options, item_id: str) -> Item:
    """The one item whose id begins with `item_id`; raises UsageError."""
    from app.commands.kept import opened
    from storage.items import matching

    async with opened(options) as view:
        found = await matching(view, item_id, limit=2)
    if not found:
        raise UsageError(f"there is no item {item_id}; `tapewatch run --headless` prints ids")
    if len(found) > 1 and found[0].id != item_id:
        raise UsageError(f"{item_id} is the beginning of several ids: give more of it")
    return found[0]


def _why(signals: Sequence[Signal]) -> str:
    from agents.models import Abstention

    lost = [one for signal in signals for one in signal.outcomes if isinstance(one, Abstention)]
    return f"{lost[0].cause}: {lost[0].detail}" if lost else "nothing was asked"


def _spread(signals: Sequence[Signal]) -> dict[str, Any]:
    """Impact and confidence of the signal and of each agent over the repeats, and how often each abstained."""
    from agents.models import AGENT_NAMES, Report

    sums = [signal.synthesis for signal in signals if signal.synthesis]
    agents = []
    for place, name in enumerate(AGENT_NAMES):
        outcomes = [signal.outcomes[place] for signal in signals]
        reports = [one for one in outcomes if isinstance(one, Report)]
        agents.append(
            {
                "agent": name,
                "answered": len(reports),
                "impact_score": _over([one.final.impact_score for one in reports]),
                "confidence_score": _over([one.confidence_score for one in reports]),
            }
        )
    costs = [signal.cost_usd for signal in signals if signal.cost_usd is not None]
    return {
        "engine": signals[0].engine,
        "model": signals[0].model,
        "impact_score": _over([one.impact_score for one in sums]),
        "confidence_score": _over([one.confidence_score for one in sums]),
        "urgencies": sorted({str(signal.urgency) for signal in signals if signal.urgency}),
        "agents": agents,
        "cost_usd": sum(costs) if costs else None,
    }


def _over(values: Sequence[float]) -> dict[str, float] | None:
    if not values:
        return None
    return {"least": min(values), "mean": fmean(values), "most": max(values), "deviation": pstdev(values)}


def _lines(item: Item, spread: dict[str, Any], repeat: int) -> list[str]:
    engine = f"{spread['engine']}{' ' + spread['model'] if spread['model'] else ''}"
    cost = "" if spread["cost_usd"] is None else f", ${spread['cost_usd']:.4f} in all"
    lines = [item.title, f"  {repeat} times by {engine}{cost}: {', '.join(spread['urgencies'])}", ""]
    lines.append(
        f"  {'':<16}{'impact: least  mean  most':>26}{'dev.':>7}{'confidence: mean':>19}{'dev.':>7}{'answered':>10}"
    )
    lines.append(f"  {'signal':<16}{_columns(spread)}")
    for agent in spread["agents"]:
        answered = f"{agent['answered']} of {repeat}"
        lines.append(f"  {agent['agent']:<16}{_columns(agent)}{answered:>10}")
    return lines


def _columns(one: dict[str, Any]) -> str:
    impact, confidence = one["impact_score"], one["confidence_score"]
    if impact is None:
        return f"{'abstained':>26}{'':>33}"
    numbers = f"{impact['least']:>14.2f}{impact['mean']:>6.2f}{impact['most']:>6.2f}{impact['deviation']:>7.3f}"
    return f"{numbers}{confidence['mean']:>19.2f}{confidence['deviation']:>7.3f}"
