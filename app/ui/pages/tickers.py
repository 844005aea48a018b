"""The tickers' page: whom the story touches, how strongly and why."""

from __future__ import annotations

from collections.abc import Iterator

from app.ui.line import Span, said
from app.ui.pages.page import GAP, INDENT, Row, TickerPlace, View, paragraph
from app.ui.pages.parts import ticker_row
from storage.models import CardDetail


def tickers_page(detail: CardDetail, view: View) -> Iterator[Row]:
    """Every linked ticker, strongest first, with who names it."""
    synthesis = detail.signal.synthesis if detail.signal else None
    if synthesis is None or not synthesis.tickers_linked:
        yield Row((Span("no ticker is linked to this story", "muted"),))
        return
    for index, ticker in enumerate(synthesis.tickers_linked):
        if index:
            yield GAP
        yield ticker_row(ticker, View(0, view.now, view.zone), TickerPlace(ticker.symbol))
        yield from paragraph(said(ticker.reason, limit=600), view, "soft", indent=INDENT)
        yield Row((Span(" " * INDENT + "named by " + ", ".join(ticker.agents), "muted"),))
