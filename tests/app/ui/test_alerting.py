from __future__ import annotations

from dataclasses import replace

from agents.models import Urgency
from app.ui.alerting import BURST_S, TOASTS_AT_ONCE, Caller
from storage.models import AlertRow
from tests.app.ui.samples import NOW


def _alerts(urgency: Urgency, number: int) -> list[AlertRow]:
    return [AlertRow(f"{urgency}-{n}", n, f"s{n}", f"i{n}", urgency, "new", NOW) for n in range(number)]


def test_a_burst_is_one_bell() -> None:
    caller = Caller()
    assert caller.call(_alerts(Urgency.FLASH, 5), 100.0).bell
    assert not caller.call(_alerts(Urgency.FLASH, 1), 100.0 + BURST_S - 0.1).bell
    assert caller.call(_alerts(Urgency.FLASH, 1), 100.0 + BURST_S).bell


def test_only_a_flash_rings() -> None:
    call = Caller().call(_alerts(Urgency.ALERT, 1), 0.0)
    assert not call.bell
    assert [row.key for row in call.toasts] == ["ALERT-0"]


def test_many_alerts_are_one_toast_with_a_count() -> None:
    call = Caller().call(_alerts(Urgency.ALERT, TOASTS_AT_ONCE + 1), 0.0)
    assert call.toasts == ()
    assert call.counted == TOASTS_AT_ONCE + 1


def test_what_was_acknowledged_meanwhile_is_silent() -> None:
    rows = [replace(row, acknowledged_at=NOW) for row in _alerts(Urgency.FLASH, 2)]
    assert not Caller().call(rows, 0.0).bell


def test_the_bell_can_be_off() -> None:
    assert not Caller(bell=False).call(_alerts(Urgency.FLASH, 1), 0.0).bell
