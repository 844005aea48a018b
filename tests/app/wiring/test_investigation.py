"""Where the network is not asked, an investigation says so, and what can be done instead."""

from __future__ import annotations

import pytest

from agents.investigation.errors import NoSeries
from app.wiring.investigation import Unasked


async def test_a_run_without_the_network_says_so_in_words_that_hold_in_a_replay_too() -> None:
    with pytest.raises(NoSeries, match=r"AMD: this run asks nothing of the network; `tapewatch why AMD --prices FILE"):
        await Unasked().series("AMD", None)
