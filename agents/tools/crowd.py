"""The crowd's posts added up: how many, over which span, bulls and bears, and the tone of their words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from math import sqrt

from agents.analysts.rules.tone import tone
from agents.models import EvidenceItem
from agents.tools.findings import finding

TONED = 0.15
"""From this tone on a post counts as for or against."""
Z95 = 1.96


@dataclass(frozen=True, slots=True)
class Voiced:
    """One post as far as it is counted. `tone` is -1..1, by the word scale of finance."""

    at: datetime | None
    tone: float


@lru_cache(maxsize=8_192)
def heard(text: str) -> float:
    """The tone of a post, -1..1; the same posts are read for every item on their company."""
    return tone(text)[0]


def interval(successes: int, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share; 0..1 where nobody was asked."""
    if n == 0:
        return 0.0, 1.0
    share, square = successes / n, Z95 * Z95
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = Z95 * sqrt(share * (1 - share) / n + square / (4 * n * n)) / (1 + square / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def span(posts: Sequence[Voiced]) -> tuple[datetime, datetime] | None:
    """The first and last time of the posts that have one."""
    times = [post.at for post in posts if post.at is not None]
    return (min(times), max(times)) if times else None


def said_span(posts: Sequence[Voiced]) -> str:
    """The span in words: minutes for a busy symbol, days for a quiet one."""
    ends = span(posts)
    if ends is None:
        return "undated"
    minutes = (ends[1] - ends[0]).total_seconds() / 60
    return (
        f"over {minutes:.0f} min"
        if minutes < 120
        else f"over {minutes / 60:.0f} h"
        if minutes < 2880
        else f"over {minutes / 1440:.0f} days"
    )


def tone_of_posts(about: str, posts: Sequence[Voiced], *, url: str, source: str, note: str = "") -> EvidenceItem:
    """The posts as one finding: their number, span, mean tone, and how many are for and against."""
    ups = sum(post.tone >= TONED for post in posts)
    downs = sum(post.tone <= -TONED for post in posts)
    mean = sum(post.tone for post in posts) / len(posts)
    ends = span(posts)
    text = (
        f"{len(posts)} post{'s' * (len(posts) != 1)} on {about} {said_span(posts)}: tone {mean:+.2f} by our word scale,"
        f" {ups} for, {downs} against{'; ' + note if note else ''}"
    )
    values = (("posts", float(len(posts))), ("tone", round(mean, 3)), ("for", float(ups)), ("against", float(downs)))
    return finding(
        text,
        url=url,
        source=source,
        at=ends[1] if ends else None,
        precision="second" if ends else "unknown",
        time_kind="observation",
        values=values,
    )
