from __future__ import annotations

from dataclasses import replace

from agents.models import Urgency
from app.ui.card_cache import Recent
from app.ui.feed_model import FIRST_KEYS, FeedModel
from storage.models import CardFilter
from tests.app.ui.cards_in_memory import MemoryCards
from tests.app.ui.samples import DAY, card_detail, day, many


def _model(cards: MemoryCards, filter: CardFilter | None = None) -> FeedModel:
    model = FeedModel(cards)
    model.load(filter or CardFilter())
    return model


async def test_a_long_list_begins_with_its_newest_cards_and_gets_the_rest() -> None:
    cards = MemoryCards(many(FIRST_KEYS + 100))
    model = _model(cards)
    assert not model.complete
    assert model.order.keys == cards.order(CardFilter(), FIRST_KEYS)
    assert await model.load_rest()
    assert model.complete
    assert model.order.keys == cards.order(CardFilter())
    assert model.order.loud == sum(detail.card.urgency is not Urgency.FYI for detail in cards.details.values())


async def test_what_arrives_while_the_rest_is_read_is_not_lost() -> None:
    cards = MemoryCards(many(FIRST_KEYS + 100))
    model = _model(cards)
    stale = cards.order(CardFilter())

    class Late(MemoryCards):
        def order(self, filter: CardFilter, limit: int | None = None) -> list[int]:
            return stale

    model._cards = Late(list(cards.details.values()))
    new = card_detail(DAY[0], 9_000)
    cards.details[9_000] = new
    assert model.apply([9_000]) == (9_000,)
    await model.load_rest()
    assert model.order.keys == cards.order(CardFilter())


async def test_a_new_filter_makes_the_rest_of_the_old_one_worthless() -> None:
    cards = MemoryCards(many(FIRST_KEYS + 100))
    model = _model(cards)
    reading = model.load_rest()
    model.load(CardFilter(urgencies=frozenset({Urgency.ALERT})))
    rest = model.order.keys[:]
    await reading
    assert set(model.order.keys) >= set(rest)
    assert all(cards.details[key].card.urgency is Urgency.ALERT for key in model.order.keys)


def test_a_filtered_list_takes_in_only_what_passes() -> None:
    cards = MemoryCards(many(8))
    model = _model(cards, CardFilter(urgencies=frozenset({Urgency.FLASH})))
    for detail in (card_detail(DAY[0], 500), card_detail(DAY[5], 501)):
        cards.details[detail.card.key] = detail
    assert model.apply([500, 501]) == (500,)
    assert model.order.keys == [500]


def test_reading_a_card_does_not_take_it_out_of_the_unread() -> None:
    cards = MemoryCards(day())
    model = _model(cards, CardFilter(unread_only=True))
    key = model.order.keys[0]
    cards.details[key] = replace(cards.details[key], card=replace(cards.details[key].card, read=True))
    model.apply([key])
    assert key in model.order.keys
    card = model.cache.get(key)
    assert card is not None
    assert card.read
    model.load(CardFilter(unread_only=True))
    assert key not in model.order.keys


def test_a_flood_is_placed_as_the_database_orders_it_and_truncates_nothing() -> None:
    cards = MemoryCards(many(FIRST_KEYS - 1))
    model = _model(cards)
    flood = many(300, first_key=5_000)
    cards.details.update({detail.card.key: detail for detail in flood})
    placed = model.apply([detail.card.key for detail in flood])
    assert set(placed) == {detail.card.key for detail in flood}
    assert model.order.keys == cards.order(CardFilter())


def test_a_search_finds_what_arrives() -> None:
    cards = MemoryCards(many(8))
    model = _model(cards, CardFilter(text="maersk"))
    assert model.order.keys == []
    cards.details[700] = card_detail(DAY[1], 700)
    cards.details[701] = card_detail(DAY[2], 701)
    model.apply([700, 701])
    assert model.order.keys == [700]


def test_the_cache_replaces_what_it_holds_and_forgets_the_oldest() -> None:
    recent: Recent[str, int] = Recent(2)
    recent.put("a", 1)
    recent.put("b", 2)
    recent.put("a", 3)
    recent.put("c", 4)
    assert (recent.get("a"), recent.get("b"), recent.get("c")) == (3, None, 4)
