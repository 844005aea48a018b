from __future__ import annotations

from app.events import AlertRaised, CardChanged, ItemAccepted, SourceChecked, StorageTrouble
from app.ui.arrivals import Arrivals


def test_a_burst_wakes_once_and_is_taken_as_one() -> None:
    woken: list[int] = []
    arrivals = Arrivals(lambda: woken.append(1))
    for event in (CardChanged(1), CardChanged(2), CardChanged(1), AlertRaised("a"), SourceChecked("s")):
        arrivals.hear(event)
    batch = arrivals.take()
    assert woken == [1]
    assert (batch.cards, batch.alerts, batch.sources) == ({1, 2}, ["a"], True)
    arrivals.hear(StorageTrouble("disk full"))
    assert woken == [1, 1]
    assert arrivals.take().trouble == "disk full"


def test_an_item_that_is_only_accepted_changes_nothing_on_the_screen() -> None:
    woken: list[int] = []
    Arrivals(lambda: woken.append(1)).hear(ItemAccepted("i"))
    assert woken == []
