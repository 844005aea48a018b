"""The scorecard as rows: scores against later moves, each figure with its interval on a scale, and what is too few."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.scorecard import FEW, Group, HorizonRecord, Rank, Scorecard, Share, few
from app.ui.format import URGENCY_ROLE, count
from app.ui.line import Line, Role, Span, left, right
from app.ui.pages.page import GAP, Row, View, heading, paragraph
from app.ui.widgets.interval_plot import Scale, empty, ends, interval

NAME: Final = 18
FIGURE: Final = 9
_ROLE: dict[str, Role] = {urgency.value: role for urgency, role in URGENCY_ROLE.items()}


def scorecard_rows(card: Scorecard | None, view: View) -> list[Row]:
    """The whole page; without a card it is still being read."""
    return list(_rows(card, view))


def _rows(card: Scorecard | None, view: View) -> Iterator[Row]:
    followed = f"  {count(card.followed, 'symbol')} followed" if card else ""
    yield Row(
        (Span("Scorecard", "title"), Span("  scores against what prices did afterwards", "muted"), Span(followed))
    )
    yield GAP
    if card is None:
        yield Row((Span("reading …", "muted"),))
        return
    waiting = f"{count(card.waiting, 'price')} still to come, {card.without_price:,} could not be had"
    yield Row((Span(waiting, "muted"),))
    if not card.followed:
        yield GAP
        told = (
            "no price is known yet. The monitor asks for prices at publication, 5 minutes, an hour and a day after it;"
            " with the network allowed ([tools] enabled) they fill in by themselves."
        )
        yield from paragraph(told, view)
        return
    if few(card.horizons):
        yield GAP
        yield from paragraph(
            f"too few to say anything yet: {FEW} outcomes are needed for a share or a rank", view, "note"
        )
    for record in card.horizons:
        if record.every.n:
            yield GAP
            yield from _horizon(record, view)


def _horizon(record: HorizonRecord, view: View) -> Iterator[Row]:
    large = record.horizon.large_pct
    head = Span(f"  absolute moves in %; large from {large:g}%", "muted")
    yield Row((Span(f"After {record.horizon.name}", "strong"), head))
    cells = _plot_cells(view)
    too_few = record.every.large.few
    scale = Scale(cells, 0.0, 1.0, None if too_few else record.every.large.rate)
    figures = "".join(right(one, FIGURE) for one in ("n", "mean", "median", "large"))
    plotted = () if too_few else ends(scale, "0%", "all", "100%")
    yield Row((Span(left("", NAME) + figures, "muted"), Span("  "), *plotted))
    yield _group(record.every, scale)
    for title, groups in (("by impact", record.bands), ("by urgency", record.urgencies), ("by event", record.events)):
        some = [group for group in groups if group.n]
        if some:
            yield GAP
            yield heading(title)
            yield from (_group(group, scale) for group in some)
    if too_few:
        return
    yield GAP
    yield from _direction(record)
    yield from _ranks(record, view)


def _group(group: Group, scale: Scale) -> Row:
    share = group.large
    line: Line = (
        Span(left(group.name.replace("_", " "), NAME), _ROLE.get(group.name, "text")),
        Span(right(f"{group.n:,}", FIGURE), "muted"),
        Span(right(_move(group.mean_move), FIGURE), "strong"),
        Span(right(_move(group.median_move), FIGURE), "soft"),
    )
    if share.rate is None or share.low is None or share.high is None or share.few:
        return Row((*line, Span(right("too few", FIGURE), "faint"), Span("  "), *empty(scale)))
    plot = interval(scale, share.low, share.rate, share.high, _ROLE.get(group.name, "blue"))
    return Row((*line, Span(right(f"{share.rate:.0%}", FIGURE), "strong"), Span("  "), *plot))


def _direction(record: HorizonRecord) -> Iterator[Row]:
    yield heading("direction")
    yield Row((Span(left("given and right", NAME), "text"), *_share(record.direction)))
    yield Row((Span(left("always the usual", NAME), "muted"), *_share(record.usual)))


def _share(share: Share) -> Line:
    if share.rate is None or share.low is None or share.high is None or share.few:
        return (Span(f"{share.hits} of {share.n}, too few to say", "muted"),)
    return (Span(f"{share.rate:.0%}", "strong"), Span(f"  {share.low:.0%} to {share.high:.0%}, n {share.n:,}", "muted"))


def _ranks(record: HorizonRecord, view: View) -> Iterator[Row]:
    scale = Scale(_plot_cells(view), -1.0, 1.0, 0.0)
    yield GAP
    told = left("", NAME) + right("n", FIGURE) + right("rank", FIGURE) + " " * (2 * FIGURE)
    yield Row((Span(told, "muted"), Span("  "), *ends(scale, "−1", "0", "+1")))
    yield _rank("impact", record.impact, scale, "strong")
    yield _rank("confidence", record.confidence, scale, "text")
    for agent in record.agents:
        if agent.final.n:
            yield _rank(f"{agent.agent}", agent.final, scale, "text")
            yield _rank("  its draft", agent.draft, scale, "muted")


def _rank(name: str, rank: Rank, scale: Scale, role: Role) -> Row:
    line: Line = (Span(left(name, NAME), role), Span(right(f"{rank.n:,}", FIGURE), "muted"))
    if rank.value is None or rank.low is None or rank.high is None:
        return Row((*line, Span(right("too few", FIGURE), "faint"), Span(" " * (2 * FIGURE + 2)), *empty(scale)))
    colour: Role = "muted" if role == "muted" else "good" if rank.low > 0 else "warn" if rank.high < 0 else "blue"
    figures = right(f"{rank.value:+.2f}".replace("-", "−"), FIGURE)
    plot = interval(scale, rank.low, rank.value, rank.high, colour)
    return Row((*line, Span(figures, "strong"), Span(" " * (2 * FIGURE + 2)), *plot))


def _plot_cells(view: View) -> int:
    return max(min(view.cells - NAME - 4 * FIGURE - 3, 48), 9)


def _move(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
