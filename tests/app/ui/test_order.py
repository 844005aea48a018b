from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

import pytest

from agents.models import Urgency
from app.ui.order import CARD_LINES, RULE_LINES, FeedOrder
from storage.models import Card, CardFilter
from tests.app.ui.cards_in_memory import MemoryCards
from tests.app.ui.samples import many


def _ordered(cards: MemoryCards, *, fyi_last: bool = True) -> FeedOrder:
    order = FeedOrder(lambda key: cards.details[key].card)
    keys = cards.order(CardFilter(fyi_last=fyi_last))
    loud = sum(cards.details[key].card.urgency is not Urgency.FYI for key in keys)
    order.replace(keys, loud, sectioned=fyi_last)
    return order


@pytest.mark.parametrize("fyi_last", [True, False])
def test_cards_placed_one_by_one_stand_as_the_database_orders_them(fyi_last: bool) -> None:
    details = many(60)
    random.Random(7).shuffle(details)
    cards = MemoryCards()
    order = FeedOrder(lambda key: cards.details[key].card)
    order.replace([], 0, sectioned=fyi_last)
    for detail in details:
        cards.details[detail.card.key] = detail
        order.place(detail.card)
    assert order.keys == cards.order(CardFilter(fyi_last=fyi_last))


def _change(cards: MemoryCards, key: int, **fields: object) -> Card:
    card = replace(cards.details[key].card, **fields)  # type: ignore[arg-type]
    cards.details[key] = replace(cards.details[key], card=card)
    return card


def test_a_card_that_stands_where_it_belongs_is_not_called_moved() -> None:
    cards = MemoryCards(many(12))
    order = _ordered(cards)
    key = order.keys[3]
    assert order.place(_change(cards, key, read=True)) is None


def test_a_card_whose_urgency_rises_changes_its_section() -> None:
    cards = MemoryCards(many(12))
    order = _ordered(cards)
    key, loud = order.keys[-1], order.loud
    index = order.place(_change(cards, key, urgency=Urgency.FLASH))
    assert index == loud
    assert order.loud == loud + 1
    assert order.keys == cards.order(CardFilter())


def test_a_newer_report_moves_its_card_to_the_top() -> None:
    cards = MemoryCards(many(12))
    order = _ordered(cards)
    key = order.keys[order.loud - 1]
    assert order.place(_change(cards, key, at=cards.details[order.keys[0]].card.at + timedelta(seconds=1))) == 0


def test_removing_keeps_the_sections_in_step() -> None:
    cards = MemoryCards(many(12))
    order = _ordered(cards)
    loud = order.loud
    order.remove(order.keys[0])
    order.remove(order.keys[-1])
    order.remove(99_999)
    assert (len(order), order.loud) == (10, loud - 1)


def test_every_line_belongs_to_one_card_or_to_the_rule() -> None:
    order = _ordered(MemoryCards(many(12)))
    seen = [order.at(line) for line in range(order.height)]
    assert seen.count(None) == RULE_LINES
    assert [found for found in seen if found] == [(card, line) for card in range(12) for line in range(CARD_LINES)]
    assert all(order.at(order.line(index)) == (index, 0) for index in range(12))
    assert order.at(order.height) is None


def test_there_is_no_rule_without_quiet_cards() -> None:
    order = FeedOrder(lambda key: None)
    order.replace([3, 2, 1], 3, sectioned=True)
    assert not order.has_rule
    assert order.height == 3 * CARD_LINES
