"""Cards held in memory, with the reading and acting sides the screen asks for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from agents.models import Urgency
from app.events import AlertRaised, Bus, CardChanged
from app.pipeline.status import Status
from storage.models import AlertRow, Card, CardCounts, CardDetail, CardFilter, SourceRow


class MemoryCards:
    """The read side, obeying the same order as the database."""

    def __init__(self, details: Sequence[CardDetail] = (), sources: Sequence[SourceRow] = ()) -> None:
        self.details = {detail.card.key: detail for detail in details}
        self.alerts: list[AlertRow] = []
        self.source_rows = list(sources)

    def order(self, filter: CardFilter, limit: int | None = None) -> list[int]:
        cards = [detail.card for detail in self.details.values() if _passes(detail.card, filter)]
        cards.sort(key=lambda card: (-card.at.timestamp(), -card.key))
        if filter.fyi_last:
            cards.sort(key=lambda card: card.urgency in (None, Urgency.FYI))
        return [card.key for card in cards][:limit]

    def matching(self, filter: CardFilter, keys: Sequence[int]) -> set[int]:
        return {key for key in keys if key in self.details and _passes(self.details[key].card, filter)}

    def cards(self, keys: Sequence[int]) -> list[Card]:
        return [self.details[key].card for key in keys if key in self.details]

    def detail(self, key: int) -> CardDetail | None:
        return self.details.get(key)

    def counts(self) -> CardCounts:
        cards = [detail.card for detail in self.details.values()]
        unread = [card for card in cards if not card.read]
        return CardCounts(
            len(cards), len(unread), Counter(card.urgency for card in cards), Counter(card.urgency for card in unread)
        )

    def alerts_unacknowledged(self) -> list[AlertRow]:
        return [row for row in self.alerts if row.acknowledged_at is None and row.urgency is Urgency.FLASH]

    def alert(self, key: str) -> AlertRow | None:
        return next((row for row in self.alerts if row.key == key), None)

    def sources(self) -> list[SourceRow]:
        return self.source_rows


def _passes(card: Card, filter: CardFilter) -> bool:
    if filter.urgencies and card.urgency not in filter.urgencies:
        return False
    if filter.unread_only and card.read:
        return False
    if filter.starred_only and not card.starred:
        return False
    symbols = {ticker.symbol for ticker in card.tickers}
    if any(wanted and not wanted & symbols for wanted in (filter.tickers, filter.watchlist)):
        return False
    if filter.sources and card.source_name not in filter.sources:
        return False
    if filter.kinds and (card.event_type or card.signal_type) not in filter.kinds:
        return False
    if filter.since and card.at < filter.since.at:
        return False
    words = filter.text.casefold().split()
    text = f"{card.title} {' '.join(ticker.symbol for ticker in card.tickers)}".casefold()
    return all(word in text for word in words)


class MemoryControl:
    """The acting side: changes the cards in memory and remembers what it was asked."""

    def __init__(self, cards: MemoryCards, now: datetime, status: Status | None = None) -> None:
        self._cards = cards
        self._now = now
        self.figures = status or Status(feeds_ok=33, feeds_total=34, queue=3, lag_p50_s=0.4, lag_p95_s=1.1)
        self.checked: list[str | None] = []

    def status(self) -> Status:
        return self.figures

    async def acknowledge(self, keys: Sequence[str]) -> None:
        self._cards.alerts = [
            replace(row, acknowledged_at=self._now) if row.key in keys else row for row in self._cards.alerts
        ]

    async def mark_read(self, keys: Sequence[int]) -> None:
        for key in keys:
            self._change(key, read=True)

    async def star(self, key: int, on: bool) -> None:
        self._change(key, starred=on)

    async def check_now(self, source_id: str | None = None) -> None:
        self.checked.append(source_id)

    def _change(self, key: int, *, read: bool | None = None, starred: bool | None = None) -> None:
        detail = self._cards.details[key]
        card = detail.card
        card = replace(
            card, read=card.read if read is None else read, starred=card.starred if starred is None else starred
        )
        self._cards.details[key] = replace(detail, card=card)


class Tape:
    """Lets cards arrive as the pipeline would: committed first, then told by id."""

    def __init__(self, cards: MemoryCards, bus: Bus) -> None:
        self.cards = cards
        self.bus = bus

    def arrive(self, *details: CardDetail) -> None:
        for detail in details:
            self.cards.details[detail.card.key] = detail
            self.bus.publish(CardChanged(detail.card.key))

    def alert(self, detail: CardDetail, now: datetime) -> None:
        """The card arrives and its alert is raised."""
        self.arrive(detail)
        card = detail.card
        assert card.urgency is not None
        row = AlertRow(
            f"{card.story_id}:{card.urgency}", card.key, card.story_id, card.item_id, card.urgency, "new", now
        )
        self.cards.alerts.append(row)
        self.bus.publish(AlertRaised(row.key))
