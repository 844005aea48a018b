"""The pages of settings, cost and scorecard: numbers line up, and what is too few is not plotted."""

from __future__ import annotations

from datetime import UTC, timedelta

import pytest

from agents.models import AGENT_NAMES, Urgency
from app.pipeline.status import Status
from app.scorecard import scorecard
from app.ui.line import plain, width
from app.ui.pages.costs import cost_rows
from app.ui.pages.page import Row, View
from app.ui.pages.scorecard import scorecard_rows
from app.ui.widgets.interval_plot import Scale, ends, interval
from storage.stage_times import AgentTimes, CallTimes, StageTimes, Taken, ToolTimes
from storage.track_record import AgentScores, Followed, TrackRecord
from tests.app.ui.samples import NOW

VIEW = View(120, NOW, UTC)
TAKEN = Taken(40, 380.0, 1_400.0, 9_000.0)


def text(rows: list[Row]) -> str:
    return "\n".join(plain(row.line) for row in rows)


def record(number: int) -> TrackRecord:
    """So many symbols, the higher the score the larger the move."""
    followed = [
        Followed(
            symbol=f"S{n}",
            scored_at=NOW,
            urgency=Urgency.ALERT if n % 2 else Urgency.NOTE,
            event_type="fraud" if n % 3 == 0 else None,
            impact=0.4 + 0.5 * n / number,
            confidence=0.5,
            direction="up" if n % 2 else "down",
            agents=tuple(AgentScores(agent, 0.4, 0.4 + 0.5 * n / number) for agent in AGENT_NAMES),
            moves={timedelta(hours=1): (1 if n % 2 else -1) * (0.1 + 2.0 * n / number)},
        )
        for n in range(number)
    ]
    return TrackRecord(tuple(followed), waiting=3, without_price=1)


def test_a_scorecard_shows_each_share_with_its_interval() -> None:
    told = text(scorecard_rows(scorecard(record(80)), VIEW))
    assert "80 symbols followed" in told
    assert "After 1 h" in told
    line = next(line for line in told.splitlines() if line.startswith("ALERT"))
    assert "40" in line
    assert "●" in line
    assert "its draft" in told
    assert "100%" in next(line for line in told.splitlines() if line.startswith("given and right"))


def test_too_few_outcomes_are_named_and_not_plotted() -> None:
    told = text(scorecard_rows(scorecard(record(8)), VIEW))
    assert "too few to say anything yet" in told
    assert "●" not in told


def test_an_empty_record_says_where_prices_come_from() -> None:
    assert "no price is known yet" in text(scorecard_rows(scorecard(TrackRecord((), 0, 0)), VIEW))


@pytest.mark.parametrize(
    ("low", "value", "high", "drawn"),
    [(0.2, 0.5, 0.8, "  ──│●──  "), (0.0, 0.0, 0.3, "●─── │    "), (0.7, 0.95, 1.0, "     │ ──●")],
)
def test_an_interval_lies_on_its_scale(low: float, value: float, high: float, drawn: str) -> None:
    scale = Scale(10, 0.0, 1.0, 0.45)
    line = plain(interval(scale, low, value, high, "blue"))
    assert len(line) == scale.cells
    assert line.index("●") == scale.cell(value)
    assert line.strip(" │") == line[scale.cell(low) : scale.cell(high) + 1]


@pytest.mark.parametrize("cells", [9, 20, 48])
def test_the_ends_of_a_scale_fit_it(cells: int) -> None:
    assert width(ends(Scale(cells, -1.0, 1.0, 0.0), "−1", "0", "+1")) == cells


@pytest.mark.parametrize("cells", [40, 76, 100, 160])
def test_stages_stand_in_columns_and_money_is_counted(cells: int) -> None:
    times = StageTimes(
        items=10,
        publishing=Taken(9, 38_000.0, 90_000.0, 200_000.0),
        scoring=TAKEN,
        agents=tuple(AgentTimes(agent, TAKEN, 1, 0.004) for agent in AGENT_NAMES),
        tools=(ToolTimes("cpi", TAKEN, {"ok": 7, "unavailable": 1}), ToolTimes("fx_rates", Taken(), {})),
        calls=(CallTimes("claude-haiku-5-5", "draft", TAKEN, 2, 1, 52_000, 9_000, 0.02),),
    )
    status = Status(engine="claude", spent_usd=0.42, budget_usd=5.0)
    rows = cost_rows(times, status, View(cells, NOW, UTC))
    told = text(rows)
    assert "$0.42 of $5.00" in told
    assert "$0.0020" in told
    assert "not set up: fx_rates" in told
    if cells >= 76:
        figures = [line for line in told.splitlines() if "380 ms" in line]
        assert len({line.index("380 ms") for line in figures}) == 1
        assert "1 down" in told
        assert "2 from the cache" in told or cells < 130
