"""From a source to a saved and told signal, without a screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from agents.tools.asking.health import SourceState
from app.alerts.book import this_terminal
from app.alerts.dispatcher import Dispatcher
from app.clock import Clock
from app.pipeline.housekeeping import Housekeeper
from app.pipeline.intake import Intake
from app.pipeline.price_marks import PriceMarker
from app.pipeline.score_queue import ScoreQueue
from app.pipeline.scorer import WORKERS, Scorer
from app.pipeline.status import Status
from app.pipeline.supervisor import Supervisor
from app.pipeline.trouble import Troubles
from storage.marks import Marks
from storage.outbox import Outbox

STOP_GRACE_S = 0.5
"""So long the workers may take to finish the item in hand; the rest stays pending and is scored at the next start."""


class Pipeline:
    """Runs intake, scoring and alerts as supervised tasks, and takes the wishes of whoever watches."""

    def __init__(
        self,
        *,
        intake: Intake,
        scorer: Scorer,
        queue: ScoreQueue,
        alerts: Dispatcher,
        outbox: Outbox,
        marks: Marks,
        supervisor: Supervisor,
        troubles: Troubles,
        clock: Clock,
        prices: PriceMarker | None = None,
        housekeeper: Housekeeper | None = None,
        evidence: Callable[[], Iterable[SourceState]] = tuple,
    ) -> None:
        self._prices = prices
        self._housekeeper = housekeeper
        self._evidence = evidence
        self._intake = intake
        self._scorer = scorer
        self._queue = queue
        self._alerts = alerts
        self._outbox = outbox
        self._marks = marks
        self._supervisor = supervisor
        self._troubles = troubles
        self._clock = clock

    async def start(self) -> None:
        """Starts all tasks: first what an earlier run left untold and unscored, beside it the intake."""
        for name, work in self._alerts.tasks():
            self._supervisor.start(name, work)
        for number in range(WORKERS):
            self._supervisor.start(f"scorer {number + 1}", self._scorer.work, ends=True)
        if self._scorer.beside:
            self._supervisor.start("scorer beside", self._scorer.work_beside, ends=True)
        if self._scorer.model:
            self._supervisor.start("model", self._scorer.model.work)
        self._supervisor.start("sweep", self._scorer.sweep)
        if self._prices is not None:
            self._supervisor.start("prices", self._prices.run)
        if self._housekeeper is not None:
            self._supervisor.start("housekeeping", self._housekeeper.run)
        self._supervisor.start("intake", lambda: self._intake.run(self._accepted))

    async def stop(self) -> None:
        """Stops within a second. Nothing accepted is lost: what is not scored stays pending."""
        self._queue.close()
        await self._supervisor.stop(grace_s=STOP_GRACE_S)

    @property
    def finished(self) -> bool:
        """Whether the intake has come to its end (a recording) and everything it gave is scored."""
        return "intake" not in self._supervisor.running() and self._queue.idle

    def status(self) -> Status:
        """The figures of this moment."""
        analyst, model = self._scorer.desk.analyst, self._scorer.model
        spent_usd, budget_usd = model.money() if model else (None, None)
        return Status(
            feeds_ok=self._intake.feeds_ok,
            feeds_total=self._intake.feeds_total,
            queue=len(self._queue),
            engine="rules" if model and model.resting else analyst.engine,
            model=analyst.model,
            spent_usd=spent_usd,
            budget_usd=budget_usd,
            lag_p50_s=self._scorer.lag.percentile(0.5),
            lag_p95_s=self._scorer.lag.percentile(0.95),
            trouble=self._troubles.text,
            evidence=tuple(self._evidence()),
        )

    async def acknowledge(self, keys: Sequence[str]) -> None:
        """Acknowledges alerts by their keys."""
        await self._outbox.acknowledge(keys, by=this_terminal(), now=self._clock.now())

    def wake_alerts(self) -> None:
        """Says that alerts which were held may go out now."""
        self._alerts.wake()

    async def mark_read(self, keys: Sequence[int]) -> None:
        """Marks cards as read."""
        await self._marks.read(keys)

    async def star(self, key: int, on: bool) -> None:
        """Stars a card or takes the star off."""
        await self._marks.star(key, on)

    async def check_now(self, source_id: str | None = None) -> None:
        """Makes one source due at once, or all of them; the requests stay conditional."""
        self._intake.check_now(source_id)

    def _accepted(self, item_id: str, backlog: bool) -> None:
        self._queue.accept(item_id, at=self._clock.now(), backlog=backlog)
