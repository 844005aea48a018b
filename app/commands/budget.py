"""`tapewatch budget`: what the model may cost at most, before it is asked anything, and what today has cost."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import click

from app.commands.options import Options, global_options

if TYPE_CHECKING:
    from agents.budget import Price, WorstCase
    from agents.models import AgentName
    from app.config.config import Config


@click.command("budget")
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@global_options
def command(as_json: bool, options: Options) -> None:
    """State the worst case of the model in calls, tokens and USD for this configuration, and today's spending."""
    from app.config.engine import check_engine
    from app.wiring.claude import models_of, prices_of

    config = options.load()
    models, prices = models_of(config), prices_of(config)
    by_agent = {agent: prices.get(model) for agent, model in models.items()}
    spent = asyncio.run(_spent(config, options))
    found = _figures(config, models, by_agent, spent)
    if as_json:
        click.echo(json.dumps({"engine": check_engine(config.engine), **found}, indent=2))
        return
    for line in _lines(config, check_engine(config.engine), models, by_agent, spent):
        click.echo(line)


async def _spent(config: Config, options: Options) -> int:
    """What today has cost, in nano-USD; 0 where nothing was ever spent here."""
    from datetime import UTC, datetime

    from app.wiring.claude import today_in
    from storage.usage import SpendLedger
    from storage.usage_file import UsageFile

    if not await asyncio.to_thread(options.usage_file.exists):
        return 0
    async with UsageFile.open(options.usage_file, now=datetime.now(UTC)) as file:
        return await SpendLedger(file).spent(today_in(config)())


def _items_a_day(config: Config, item: WorstCase) -> int | None:
    """How many items the cap is sure to pay for; None where a model has no known price."""
    from agents.budget import nano_usd

    return nano_usd(config.claude.daily_budget_usd) // item.nano if item.nano else None


def _figures(
    config: Config, models: dict[AgentName, str], prices: dict[AgentName, Price | None], spent: int
) -> dict[str, Any]:
    from agents.budget import usual_item, worst_agent, worst_item

    extra = config.claude.max_extra_calls
    item = worst_item(prices, extra)
    return {
        "daily_budget_usd": config.claude.daily_budget_usd,
        "spent_today_usd": spent / 1e9,
        "max_extra_calls": extra,
        "item": _bound(item),
        "agents": [
            {"agent": agent, "model": model, **_bound(worst_agent(prices[agent], extra))}
            for agent, model in models.items()
        ],
        "items_surely_paid_per_day": _items_a_day(config, item),
        "usual_item_usd": usual / 1e9 if (usual := usual_item(prices)) is not None else None,
    }


def _bound(bound: WorstCase) -> dict[str, Any]:
    return {
        "max_calls": bound.calls,
        "max_input_tokens": bound.input_tokens,
        "max_output_tokens": bound.output_tokens,
        "max_usd": None if bound.nano is None else bound.nano / 1e9,
    }


def _lines(
    config: Config, engine: str, models: dict[AgentName, str], prices: dict[AgentName, Price | None], spent: int
) -> list[str]:
    from agents.analysts.claude.prices import AS_OF
    from agents.budget import OUTPUT_TOKENS, SPARE_CALLS, input_tokens, nano_usd, usd, worst_agent, worst_item

    limits = config.claude
    extra = limits.max_extra_calls
    item = worst_item(prices, extra)
    lines = [f"engine {engine}; prices as of {AS_OF}, USD per million tokens; yours in [claude.prices] come first", ""]
    lines.append(
        f"{'agent':<16}{'model':<22}{'in':>7}{'out':>7}{'calls':>7}{'input tokens':>14}{'output':>9}{'USD':>12}"
    )
    for agent, model in models.items():
        price, bound = prices[agent], worst_agent(prices[agent], extra)
        rates = f"{price.input / 1000:>7.2f}{price.output / 1000:>7.2f}" if price else f"{'?':>7}{'?':>7}"
        lines.append(f"{agent:<16}{model:<22}{rates}{_columns(bound)}")
    lines.append(f"{'one item':<16}{'five agents':<22}{'':>14}{_columns(item)}")
    turns = f"(1 + {extra} further questions + {SPARE_CALLS} spare) to draft + (1 + {SPARE_CALLS} spare) to revise"
    lines += [
        "",
        f"calls per agent: {turns}",
        f"per call: at most {input_tokens(extra):,} input tokens (one a byte) and {OUTPUT_TOKENS:,} output tokens",
        f"an ordinary item: 10 calls, about {_usual(prices)}; the bound is reserved before a call, settled after it",
        "",
        f"today: {usd(spent)} of {usd(nano_usd(limits.daily_budget_usd))} spent or reserved; no day can cost more",
    ]
    if (sure := _items_a_day(config, item)) is not None:
        lines.append(f"the daily budget is sure to pay for {sure:,} items; when it is spent, rules score the rest")
    else:
        unpriced = sorted({model for agent, model in models.items() if prices[agent] is None})
        lines.append(f"unpriced: {', '.join(unpriced)}; its cost is not known and the cap cannot count it")
    return lines


def _usual(prices: dict[AgentName, Price | None]) -> str:
    from agents.budget import usd, usual_item

    usual = usual_item(prices)
    return "unpriced" if usual is None else usd(usual)


def _columns(bound: WorstCase) -> str:
    from agents.budget import usd

    cost = "unpriced" if bound.nano is None else usd(bound.nano)
    return f"{bound.calls:>7}{bound.input_tokens:>14,}{bound.output_tokens:>9,}{cost:>12}"
