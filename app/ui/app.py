"""The screen as an application: it listens to the bus, raises alerts and leaves cleanly."""

from __future__ import annotations

import gc
import time
from collections.abc import Awaitable, Callable, Iterable
from datetime import tzinfo
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual import events
from textual.app import SystemCommand
from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from app.clock import Clock
from app.events import Bus
from app.ui.alert_voice import AlertVoice
from app.ui.alerting import Caller, toast_text
from app.ui.arrivals import BATCH_S, Arrivals, Batch
from app.ui.control import Cards, Control
from app.ui.driver import TerminalDriver
from app.ui.keys import APP_KEYS, keys_shown
from app.ui.lifecycle import WATCH_EVERY_S, Lifecycle
from app.ui.line import said
from app.ui.records_app import RecordsApp
from app.ui.screens.feeds import FeedsScreen
from app.ui.screens.monitor import MonitorScreen
from app.ui.screens.too_small import LEAST_CELLS, LEAST_LINES, TooSmall
from app.ui.theme import CONTRAST, DARK, LIGHT, MONO, THEMES, VARIABLE_DEFAULTS

if TYPE_CHECKING:
    from app.alerts.book import AlertBook
    from app.investigation.asking import Investigator
    from app.records import Records


class MonitorApp(RecordsApp):
    """The monitor. `on_ready` is awaited after the first paint; that is where wiring starts the pipeline.

    `timezone` None is the machine's own. Run it with `run_async` inside the loop that the pipeline lives in.
    """

    CSS_PATH = Path(__file__).with_name("monitor.tcss")
    TITLE = "tapewatch"
    BINDINGS = APP_KEYS

    class Woken(Message):
        """The bus has spoken."""

    def __init__(
        self,
        cards: Cards,
        bus: Bus,
        control: Control,
        clock: Clock,
        timezone: tzinfo | None = None,
        *,
        on_ready: Callable[[], Awaitable[object]] | None = None,
        investigator: Investigator | None = None,
        book: AlertBook | None = None,
        records: Records | None = None,
        notifies: bool = False,
        bell: bool = True,
        theme: str = DARK,
    ) -> None:
        super().__init__(records, control.status, clock, timezone, driver_class=TerminalDriver)
        for one in THEMES:
            self.register_theme(one)
        self.theme = MONO if self.no_color and theme == DARK else theme
        self._cards = cards
        self._bus = bus
        self._control = control
        self.monitor = MonitorScreen(cards, control, clock, timezone)
        self.monitor.investigator = investigator
        self.monitor.records = records
        if book is not None:
            self.monitor.keep(book)
        self.voice = AlertVoice(self, notifies=notifies)
        self._on_ready = on_ready
        self._arrivals = Arrivals(lambda: self.post_message(self.Woken()))
        self._caller = Caller(bell=bell)
        self._lifecycle = Lifecycle(self.exit, self.paint_anew)
        self._failure: Exception | None = None
        self._unsubscribe: Callable[[], None] = lambda: None

    async def run_async(self, **options: Any) -> None:
        """Runs until a person leaves. Raises what `on_ready` or the screen itself raised."""
        await super().run_async(**options)
        if (failure := self._failure or self._exception) is not None:
            raise failure
        if self.return_code:
            raise SystemExit(self.return_code)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return VARIABLE_DEFAULTS

    def get_default_screen(self) -> MonitorScreen:
        return self.monitor

    def on_mount(self) -> None:
        self._unsubscribe = self._bus.subscribe(self._arrivals.hear)
        self._lifecycle.start(self._driver)
        if not self.is_headless:
            self.set_interval(WATCH_EVERY_S, self._lifecycle.look)
            self.set_interval(1.0, lambda: self.voice.unseen(self._cards.counts()))
        self.call_after_refresh(self._after_first_paint)

    def on_unmount(self) -> None:
        self.voice.end()
        self._unsubscribe()
        self._lifecycle.stop()

    async def _after_first_paint(self) -> None:
        if not self.is_headless:
            gc.collect()
            gc.freeze()
        self.monitor.load_rest()
        if self._on_ready is not None:
            try:
                await self._on_ready()
            except Exception as error:  # noqa: BLE001 -- raised again by run_async, once the terminal is restored
                self._failure = error
                self.exit(return_code=1)
        self.monitor.watch_dates()
        self.monitor.begin()

    # -- what the bus says

    def on_monitor_app_woken(self) -> None:
        self.set_timer(BATCH_S, self._take_in)

    def _take_in(self) -> None:
        batch = self._arrivals.take()
        if not self.monitor.is_attached:
            return
        if batch.cards:
            self.monitor.changed(batch.cards)
        if batch.alerts:
            self._call(batch)
        if batch.sources or batch.trouble is not None:
            self.monitor.tick()
        if batch.sources and isinstance(self.screen, FeedsScreen):
            self.screen.refill()

    def _call(self, batch: Batch) -> None:
        rows = [row for key in batch.alerts if (row := self._cards.alert(key)) is not None]
        call = self._caller.call(rows, time.monotonic())
        self.monitor.show_alerts()
        self.monitor.refresh_bindings()
        if call.bell:
            self.bell()
        if rows:
            self.voice.announce(rows, next(iter(self._cards.cards([rows[0].card_key])), None))
        for card in self._cards.cards([row.card_key for row in call.toasts]):
            self.toast(toast_text(card), title="ALERT")
        if call.counted:
            self.toast(f"{call.counted} alerts", title="ALERT")

    # -- screens and keys

    def on_resize(self, event: events.Resize) -> None:
        fits = event.size.width >= LEAST_CELLS and event.size.height >= LEAST_LINES
        if fits and isinstance(self.screen, TooSmall):
            self.pop_screen()
        elif not fits and not isinstance(self.screen, TooSmall):
            self.push_screen(TooSmall())

    def action_feeds(self) -> None:
        self.push_screen(FeedsScreen(self._cards, self._control, self._clock))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The commands of the palette: what the keys do here, and the themes."""
        seen: set[str] = set()
        for active in screen.active_bindings.values():
            binding = active.binding
            if binding.id and binding.id not in (*seen, "app.palette") and active.enabled:
                seen.add(binding.id)
                run = partial(self.run_action, binding.action, active.node)
                yield SystemCommand(binding.tooltip, f"key {keys_shown(binding)}", run)
        for view in self.records.known_views if self.records is not None and screen is self.monitor else ():
            yield SystemCommand(f"View: {said(view.name)}", f"key v {view.place}", partial(self.monitor.recall, view))
        for name, told in ((DARK, "Dark"), (LIGHT, "Light"), (CONTRAST, "High contrast")):
            yield SystemCommand(
                f"Colours: {told.lower()}", "The colours of the screen", partial(setattr, self, "theme", name)
            )

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            self.notify(said(str(error) or type(error).__name__), severity="error", markup=False)
