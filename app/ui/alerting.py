"""How the terminal raises its voice: one bell per burst of FLASH, a toast for ALERT, the banner until acknowledged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.models import Urgency
from app.ui.format import DIRECTION_SIGN
from app.ui.line import said
from storage.models import AlertRow, Card

BURST_S = 5.0
"""FLASHes closer together than this, in seconds, are one burst: one bell."""
TOASTS_AT_ONCE = 2
"""More ALERTs than this in one batch are one toast with a count."""


def toast_text(card: Card) -> str:
    """What a toast says of a card: its title, and its tickers with their direction."""
    title = said(card.title, limit=200)
    tickers = "  ".join(f"{said(one.symbol, limit=20)} {DIRECTION_SIGN[one.direction]}" for one in card.tickers[:3])
    return f"{title}\n{tickers}" if tickers else title


@dataclass(frozen=True, slots=True)
class Call:
    """What to do about a batch of alerts."""

    bell: bool
    toasts: tuple[AlertRow, ...]
    counted: int
    """ALERTs that are only counted, because there are too many for toasts."""


class Caller:
    """Decides what a batch of newly raised alerts sounds and looks like."""

    def __init__(self, *, bell: bool = True) -> None:
        self._bell = bell
        self._rang_at_s: float | None = None

    def call(self, raised: Sequence[AlertRow], now_s: float) -> Call:
        """`raised` are the alerts of the batch; those acknowledged meanwhile are silent. `now_s` is monotonic time."""
        fresh = [row for row in raised if row.acknowledged_at is None]
        flashes = [row for row in fresh if row.urgency is Urgency.FLASH]
        alerts = tuple(row for row in fresh if row.urgency is not Urgency.FLASH)
        few = len(alerts) <= TOASTS_AT_ONCE
        return Call(self._rings(flashes, now_s), alerts if few else (), 0 if few else len(alerts))

    def _rings(self, flashes: Sequence[AlertRow], now_s: float) -> bool:
        if not self._bell or not flashes:
            return False
        if self._rang_at_s is not None and now_s - self._rang_at_s < BURST_S:
            return False
        self._rang_at_s = now_s
        return True
