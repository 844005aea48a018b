"""What storage does with the decisions of `feeds.stories.identity`, in a dictionary."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime

from feeds.models import Entry, Published
from feeds.stories.identity import Known, Resolution, keys, resolve

NOW = datetime(2026, 3, 10, 18, 30, tzinfo=UTC)
TEXT = "Acme Robotics said on Tuesday that orders from carmakers fell and that it will close a plant."


def item(
    title: str = "Acme cuts guidance", *, guid: str = "", url: str = "", summary: str = "", at: datetime | None = NOW
) -> Entry:
    published = Published(at, "second", None) if at else Published()
    return Entry(guid, url, title, summary, published)


class Memory:
    """What storage does with the decisions, in a dictionary: remembers items under every key they were seen with."""

    def __init__(self) -> None:
        self.known: dict[str, Known] = {}

    def poll(self, *entries: Entry, now: datetime = NOW) -> Resolution:
        """Resolve the entries, check that their order has no effect, and remember the outcome."""
        asked = {key for entry in entries for key in keys(entry)}
        known = [known for known in self.known.values() if asked & set(known.keys)]
        result = resolve(entries, known, source_id="source", now=now)
        shuffled = list(entries)
        random.Random(7).shuffle(shuffled)
        again = resolve(shuffled, known[::-1], source_id="source", now=now)
        assert Counter((d.entry, d.item_id) for d in result.decisions) == Counter(
            (d.entry, d.item_id) for d in again.decisions
        )
        for decision in result.decisions:
            old = self.known.get(decision.item_id)
            assert (old is None) == (decision.verdict == "new") or decision.verdict == "same"
            self.known[decision.item_id] = Known(
                decision.item_id,
                tuple(dict.fromkeys((*(old.keys if old else ()), *decision.keys))),
                decision.entry.title,
                decision.content_hash,
                decision.entry.published.at,
                old.first_seen_at if old else now,
            )
        return result


def verdicts(result: Resolution) -> list[str]:
    return [decision.verdict for decision in result.decisions]
