"""Short spellings of a question to an official source, and of the pages the offices publish."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from agents.investigation.models import AssetKind
from agents.investigation.ports import Inquiry
from tests.agents.investigation.builders import HOUR, a_case, an_anchor, at

LATER: Final = at("2024-12-02T12:00")


def an_inquiry(onset: str, symbol: str = "USDJPY", *, hours: int = 1, name: str = "") -> Inquiry:
    """A question about a move at `onset`, UTC."""
    kind: AssetKind = "currency" if len(symbol) == 6 else "stock"
    begins = at(onset)
    anchor = replace(an_anchor(symbol=symbol), onset_at=begins, ends_at=begins + hours * HOUR)
    case = replace(a_case(symbol, kind), names=(name,) if name else ())
    return Inquiry(case, anchor, begins - timedelta(days=3), begins + timedelta(days=120))


def page(body: str) -> str:
    return f"<!DOCTYPE html><html><head><title>Office</title><script>var x = '<a href=1>';</script></head>{body}</html>"


def feed(*entries: tuple[str, datetime]) -> str:
    items = "".join(
        f"<item><title>{title}</title><link>https://b.example/{n}</link>"
        f"<pubDate>{moment:%a, %d %b %Y %H:%M:%S} GMT</pubDate></item>"
        for n, (title, moment) in enumerate(entries)
    )
    return f'<rss version="2.0"><channel><title>Office</title>{items}</channel></rss>'
