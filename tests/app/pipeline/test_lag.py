from __future__ import annotations

import pytest

from app.pipeline.lag import Lag


@pytest.mark.parametrize(
    ("lags", "share", "expected"),
    [
        ([], 0.5, None),
        ([3.0], 0.5, 3.0),
        ([3.0], 0.95, 3.0),
        ([4.0, 1.0, 3.0, 2.0], 0.5, 2.0),
        ([float(n) for n in range(1, 101)], 0.95, 95.0),
        ([float(n) for n in range(1, 101)], 1.0, 100.0),
    ],
)
def test_percentiles_are_lags_that_were_measured(lags: list[float], share: float, expected: float | None) -> None:
    lag = Lag()
    for seconds in lags:
        lag.add(seconds)
    assert lag.percentile(share) == expected


def test_only_the_recent_items_count() -> None:
    lag = Lag(window=2)
    for seconds in (100.0, 1.0, 2.0):
        lag.add(seconds)
    assert lag.percentile(1.0) == 2.0
