"""The five answers a tool can give, one constructor each, so that no tool mixes them up.

ok               asked, and something was found
empty            asked, and nothing is there
stale            an answer, but older than its source promises
unavailable      could not ask: the source is down, refused or broke
not_configured   nobody to ask: no source, no key, or switched off
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from agents.models import Evidence, EvidenceItem, EvidenceStatus, ToolName

DETAIL_LIMIT = 300
"""Longest `detail`, in characters."""
RAW_LIMIT = 20_000
"""Longest `raw`, in characters; what is longer is cut."""


def ok(
    tool: ToolName,
    at: datetime,
    source: str,
    items: Sequence[EvidenceItem],
    *,
    detail: str = "",
    url: str = "",
    raw: str = "",
) -> Evidence:
    """Asked and found: at least one item, else ValueError. `detail` says what may be missing."""
    if not items:
        raise ValueError(f"{tool}: ok without an item; nothing found is `empty`")
    return _evidence(tool, "ok", at, source, items=items, detail=detail, url=url, raw=raw)


def empty(tool: ToolName, at: datetime, source: str, detail: str = "", *, url: str = "", raw: str = "") -> Evidence:
    """Asked, and nothing is there: silence, which is knowledge."""
    return _evidence(tool, "empty", at, source, detail=detail, url=url, raw=raw)


def stale(
    tool: ToolName,
    at: datetime,
    source: str,
    items: Sequence[EvidenceItem],
    detail: str,
    *,
    url: str = "",
    raw: str = "",
) -> Evidence:
    """An answer from before its source fell silent; `detail` says how old."""
    return _evidence(tool, "stale", at, source, items=items, detail=detail, url=url, raw=raw)


def unavailable(tool: ToolName, at: datetime, detail: str, *, source: str = "", url: str = "") -> Evidence:
    """Could not ask; `detail` says why. It is never "nothing there"."""
    return _evidence(tool, "unavailable", at, source, detail=detail, url=url)


def not_configured(tool: ToolName, at: datetime, detail: str) -> Evidence:
    """Nobody to ask; `detail` says what would answer."""
    return _evidence(tool, "not_configured", at, "", detail=detail)


def _evidence(
    tool: ToolName,
    status: EvidenceStatus,
    at: datetime,
    source: str,
    *,
    items: Sequence[EvidenceItem] = (),
    detail: str = "",
    url: str = "",
    raw: str = "",
) -> Evidence:
    return Evidence(
        id=f"{tool}#1",
        tool=tool,
        status=status,
        source=source,
        fetched_at=at,
        url=url,
        items=tuple(items),
        detail=" ".join(detail.split())[:DETAIL_LIMIT],
        raw=raw[:RAW_LIMIT],
    )
