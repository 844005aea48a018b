"""What is wrong right now, in words, for the status bar."""

from __future__ import annotations


class Troubles:
    """Open troubles by topic, in the order they came up; a topic has one message at a time."""

    def __init__(self) -> None:
        self._open: dict[str, str] = {}

    def raise_(self, topic: str, message: str) -> bool:
        """Opens or rewords a trouble; True where it is news."""
        news = self._open.get(topic) != message
        self._open[topic] = message
        return news

    def clear(self, topic: str) -> bool:
        """Closes a trouble; True where it was open."""
        return self._open.pop(topic, None) is not None

    @property
    def text(self) -> str:
        """All open troubles in one line; empty when all is well."""
        return "; ".join(self._open.values())
