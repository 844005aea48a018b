"""`tapewatch scorecard`: what scores were worth, against what prices did afterwards."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from app.commands.options import Options, global_options

if TYPE_CHECKING:
    from app.scorecard import Group, HorizonRecord, Rank, Scorecard, Share

HEAD = f"  {'':<18}{'n':>6}{'mean':>9}{'median':>9}   large moves"


@click.command("scorecard")
@click.option("--since", help="Items first seen from then on: a date, a time, or 7d, 12h, yesterday.")
@click.option("--until", help="Items first seen before; a date includes that day.")
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@global_options
def command(since: str | None, until: str | None, as_json: bool, options: Options) -> None:
    """Compare scores with later moves: per urgency and event, for each agent draft against final.

    Moves are those of the linked symbols 5 minutes, an hour and a day after publication, as the monitor has filled them
    in; they are not adjusted for the market.
    """
    card = asyncio.run(_card(options, *options.period(since, until)))
    if as_json:
        click.echo(json.dumps(_plain(card), indent=2))
        return
    for line in lines(card):
        click.echo(line)


async def _card(options: Options, since: datetime | None, until: datetime | None) -> Scorecard:
    from app.commands.kept import opened
    from app.scorecard import scorecard
    from storage.track_record import track_record

    async with opened(options) as view:
        record = await track_record(view, since=since, until=until)
    return scorecard(record, since=since, until=until)


def _plain(card: Scorecard) -> dict[str, Any]:
    """The card as JSON values: times as ISO 8601, spans in seconds, rates to four places."""
    return {
        "since": card.since.isoformat() if card.since else None,
        "until": card.until.isoformat() if card.until else None,
        "followed": card.followed,
        "waiting": card.waiting,
        "without_price": card.without_price,
        "horizons": [
            {
                "after_s": int(one.horizon.after.total_seconds()),
                **_rounded({**asdict(one), "horizon": one.horizon.name}),
            }
            | {"large_pct": one.horizon.large_pct}
            for one in card.horizons
        ],
    }


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list | tuple) else value


def lines(card: Scorecard) -> Iterator[str]:
    """The card for a person."""
    from app.scorecard import FEW, few

    waiting = f", {card.waiting} prices still to come" if card.waiting else ""
    yield f"{card.followed} symbols followed{waiting}, {card.without_price} without a price"
    if few(card.horizons):
        yield f"too few to say anything: {FEW} outcomes are needed; prices fill in by themselves while the monitor runs"
    for record in card.horizons:
        if record.every.n:
            yield ""
            yield from _horizon(record)


def _horizon(record: HorizonRecord) -> Iterator[str]:
    yield f"after {record.horizon.name}: absolute move in %, large from {record.horizon.large_pct:g}%"
    yield HEAD
    for group in (record.every, *record.urgencies, *record.bands, *record.events):
        if group.n:
            yield _group(group)
    if record.every.large.few:
        return
    yield f"  direction given   {_share(record.direction)}; the more frequent way alone {_share(record.usual)}"
    yield f"  rank of impact with the move       {_rank(record.impact)}"
    yield f"  rank of confidence with the move   {_rank(record.confidence)}"
    for agent in record.agents:
        if agent.final.n:
            yield f"    {agent.agent:<16} draft {_rank(agent.draft)}   final {_rank(agent.final)}"


def _group(group: Group) -> str:
    mean = "" if group.mean_move is None else f"{group.mean_move:.2f}"
    middle = "" if group.median_move is None else f"{group.median_move:.2f}"
    return f"  {group.name:<18}{group.n:>6}{mean:>9}{middle:>9}   {_share(group.large)}"


def _share(share: Share) -> str:
    if share.rate is None or share.low is None or share.high is None or share.few:
        return f"{share.hits} of {share.n}, too few to say"
    return f"{share.rate:.0%} ({share.low:.0%} to {share.high:.0%}) of {share.n}"


def _rank(rank: Rank) -> str:
    if rank.value is None or rank.low is None or rank.high is None:
        return f"too few to say (n {rank.n})"
    return f"{rank.value:+.2f} ({rank.low:+.2f} to {rank.high:+.2f}, n {rank.n})"
