"""The price line of a card: what is known, what is awaited, and "no price" said as such."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from app.ui.line import plain
from app.ui.pages.page import View
from app.ui.pages.prices import price_rows
from storage.models import PriceMark

NOW = datetime(2026, 3, 10, 18, 30, tzinfo=UTC)
VIEW = View(100, NOW, UTC)
BASE = PriceMark("NVDA", timedelta(0), NOW, "known", 102.5, None, NOW, timedelta(minutes=1), "USD", "Yahoo Finance")


def mark(minutes: int, state: str, change: float | None = None, reason: str = "") -> PriceMark:
    after = timedelta(minutes=minutes)
    price = None if change is None else 102.5 * (1 + change / 100)
    return PriceMark("NVDA", after, NOW + after, state, price, change, reason=reason)  # type: ignore[arg-type]


def rows(*marks: PriceMark) -> list[str]:
    return [plain(row.line).strip() for row in price_rows(marks, VIEW)]


def test_a_symbol_has_its_price_and_the_changes_since_on_one_line() -> None:
    told = rows(BASE, mark(5, "known", 1.25), mark(60, "known", -0.5), mark(1440, "waiting"))
    assert told[1].startswith("prices")
    assert told[2] == "NVDA    102.5 USD at 18:30 UTC · +5 min +1.25% · +1 h -0.50% · +1 day …"


def test_no_price_is_said_with_its_reason() -> None:
    told = rows(BASE, mark(5, "none", reason="the market was closed"))
    assert told[2] == "NVDA    102.5 USD at 18:30 UTC · +5 min no price"
    assert told[3] == "the market was closed"


def test_moments_of_a_closed_market_are_answered_together_by_the_next_trade_and_its_time() -> None:
    opened = NOW + timedelta(hours=15)
    five, hour = (replace(mark(minutes, "known", 2.0), traded_at=opened) for minutes in (5, 60))
    told = rows(BASE, five, hour, replace(mark(1440, "known", 3.0), traded_at=NOW + timedelta(hours=24)))
    joined = " ".join(told[2:])
    assert "+5 min, +1 h +2.00% at next trade 11 Mar 09:30 UTC" in joined
    assert joined.endswith("+1 day +3.00%")


def test_a_card_without_a_symbol_has_no_price_line() -> None:
    assert rows() == []
