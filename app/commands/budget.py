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


def _searching(config: Config) -> bool:
    """Whether the service searches the web for an agent."""
    return config.claude.web_search and config.tools.enabled


def _items_a_day(config: Config, item: WorstCase) -> int | None:
    """How many items the cap is sure to pay for; None where a model has no known price."""
    from agents.budget import nano_usd

    return nano_usd(config.claude.daily_budget_usd) // item.nano if item.nano else None


def _figures(
    config: Config, models: dict[AgentName, str], prices: dict[AgentName, Price | None], spent: int
) -> dict[str, Any]:
    from agents.budget import usual_item, worst_item

    extra = config.claude.max_extra_calls
    item = worst_item(prices, extra, searching=_searching(config))
    return {
        "daily_budget_usd": config.claude.daily_budget_usd,
        "spent_today_usd": spent / 1e9,
        "max_extra_calls": extra,
        "item": _bound(item),
        "investigation": _bound(_investigation(config)),
        "agents": [
            {"agent": agent, "model": model, **_bound(_agent(config, agent, prices[agent]))}
            for agent, model in models.items()
        ],
        "items_surely_paid_per_day": _items_a_day(config, item),
        "usual_item_usd": usual / 1e9 if (usual := usual_item(prices)) is not None else None,
    }


def _agent(config: Config, agent: AgentName, price: Price | None) -> WorstCase:
    from agents.budget import searches_of, worst_agent

    extra = config.claude.max_extra_calls
    return worst_agent(price, extra, searches_of(agent, extra) if _searching(config) else 0)


def _bound(bound: WorstCase) -> dict[str, Any]:
    return {
        "max_calls": bound.calls,
        "max_searches": bound.searches,
        "max_input_tokens": bound.input_tokens,
        "max_output_tokens": bound.output_tokens,
        "max_usd": None if bound.nano is None else bound.nano / 1e9,
    }


def _lines(
    config: Config, engine: str, models: dict[AgentName, str], prices: dict[AgentName, Price | None], spent: int
) -> list[str]:
    from agents.analysts.claude.prices import AS_OF
    from agents.budget import OUTPUT_TOKENS, SPARE_CALLS, input_tokens, nano_usd, usd, worst_item

    limits = config.claude
    extra = limits.max_extra_calls
    item = worst_item(prices, extra, searching=_searching(config))
    lines = [f"engine {engine}; prices as of {AS_OF}, USD per million tokens; yours in [claude.prices] come first", ""]
    lines.append(
        f"{'agent':<16}{'model':<22}{'in':>7}{'out':>7}{'calls':>7}{'input tokens':>14}{'output':>9}{'USD':>12}"
    )
    for agent, model in models.items():
        price, bound = prices[agent], _agent(config, agent, prices[agent])
        rates = f"{price.input / 1000:>7.2f}{price.output / 1000:>7.2f}" if price else f"{'?':>7}{'?':>7}"
        lines.append(f"{agent:<16}{model:<22}{rates}{_columns(bound)}")
    lines.append(f"{'one item':<16}{'five agents':<22}{'':>14}{_columns(item)}")
    turns = f"(1 + {extra} further questions + {SPARE_CALLS} spare) to draft + (1 + {SPARE_CALLS} spare) to revise"
    lines += [
        "",
        f"calls per agent: {turns}",
        f"per call: at most {input_tokens(extra):,} input tokens (one a byte) and {OUTPUT_TOKENS:,} output tokens",
        *_search_lines(config, prices),
        f"an ordinary item: 10 calls, about {_usual(prices)}; the bound is reserved before a call, settled after it",
        _investigation_line(config),
        "",
        f"today: {usd(spent)} of {usd(nano_usd(limits.daily_budget_usd))} spent or reserved; no day can cost more",
    ]
    if (sure := _items_a_day(config, item)) is not None:
        lines.append(f"the daily budget is sure to pay for {sure:,} items; when it is spent, rules score the rest")
    else:
        unpriced = sorted({model for agent, model in models.items() if prices[agent] is None})
        lines.append(f"unpriced: {', '.join(unpriced)}; its cost is not known and the cap cannot count it")
    return lines


def _investigation(config: Config) -> WorstCase:
    """The worst case of one investigation with the model: its calls, and what they may cost."""
    from agents.budget import WorstCase, nano_usd
    from agents.investigation.claude.limits import claude_caps
    from app.wiring.claude import prices_of

    limits = config.claude
    price = prices_of(config).get(limits.model)
    caps = claude_caps(price, limits.max_extra_calls, limits.deadline_s)
    calls = caps.worst_model_calls
    nano = nano_usd(caps.spent(calls)[1]) if price else None
    return WorstCase(calls, calls * caps.input_tokens, calls * caps.output_tokens, nano)


def _investigation_line(config: Config) -> str:
    from agents.budget import usd

    worst = _investigation(config)
    cost = "unpriced" if worst.nano is None else usd(worst.nano)
    return f"an investigation: at most {worst.calls} calls of {config.claude.model}, {cost}; `tapewatch why --dry-run`"


def _search_lines(config: Config, prices: dict[AgentName, Price | None]) -> list[str]:
    """What the searches of the web add; nothing where the service makes none."""
    from agents.budget import SEARCH_BYTES, SEARCH_TOKENS, searches_of, usd, usual_search

    if not _searching(config):
        return []
    lines = []
    for agent, price in prices.items():
        if most := searches_of(agent, config.claude.max_extra_calls):
            lines.append(
                f"web search: {most} more calls of {agent}, each at most {SEARCH_BYTES + SEARCH_TOKENS:,} input tokens"
                f" and {usd(price.search) if price else 'unpriced'} on top"
            )
            if price:
                usual = usd(usual_search(price))
                lines.append(
                    f"an ordinary search: about {usual}, once a day for a company and event; [claude] web_search"
                )
    return lines


def _usual(prices: dict[AgentName, Price | None]) -> str:
    from agents.budget import usd, usual_item

    usual = usual_item(prices)
    return "unpriced" if usual is None else usd(usual)


def _columns(bound: WorstCase) -> str:
    from agents.budget import usd

    cost = "unpriced" if bound.nano is None else usd(bound.nano)
    return f"{bound.calls:>7}{bound.input_tokens:>14,}{bound.output_tokens:>9,}{cost:>12}"
