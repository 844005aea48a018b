"""Work beside the screen whose failure is said and is not fatal."""

from __future__ import annotations

import logging
from collections.abc import Coroutine
from typing import Any, Protocol

from app.ui.line import said

_log = logging.getLogger(__name__)


class Telling(Protocol):
    """Whoever can say something to the person."""

    @property
    def notify(self) -> Any: ...


async def guarded(screen: Telling, work: Coroutine[Any, Any, object]) -> bool:
    """Awaits `work`; what it raises is said on the screen and logged. Returns whether it was done."""
    try:
        await work
    except Exception as error:  # noqa: BLE001 -- whatever the store or the network refuses must not end the screen
        told = said(str(error), limit=200) or type(error).__name__
        screen.notify(told, severity="error", markup=False)
        _log.warning("on the screen: %s", told, exc_info=error)
        return False
    return True
