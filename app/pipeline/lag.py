"""How long the recent items took from first seen to card saved."""

from __future__ import annotations

from collections import deque

WINDOW = 500


class Lag:
    """Percentiles over the last items, in seconds."""

    def __init__(self, window: int = WINDOW) -> None:
        self._recent: deque[float] = deque(maxlen=window)

    def add(self, seconds: float) -> None:
        """Takes in one item."""
        self._recent.append(seconds)

    def percentile(self, share: float) -> float | None:
        """The smallest lag that at least `share` of the items kept to; None before the first item."""
        if not self._recent:
            return None
        ordered = sorted(self._recent)
        return ordered[min(len(ordered) - 1, max(0, -(-int(share * 1000) * len(ordered) // 1000) - 1))]
