"""Which page a place names, and what it is called in the trail above it."""

from __future__ import annotations

from collections.abc import Iterable

from app.ui.line import said
from app.ui.pages.agents import agent_page, agents_page
from app.ui.pages.calls import one_call
from app.ui.pages.evidence import evidence_page, one_evidence
from app.ui.pages.numbers import TITLES, number_page, ticker_page
from app.ui.pages.overview import member_page, overview
from app.ui.pages.page import (
    AgentPlace,
    CallPlace,
    EvidencePlace,
    MemberPlace,
    NumberPlace,
    Place,
    Row,
    Tab,
    TickerPlace,
    View,
)
from app.ui.pages.tickers import tickers_page
from storage.models import CardDetail

_TAB_PAGES = {"overview": overview, "agents": agents_page, "evidence": evidence_page, "tickers": tickers_page}


def page(detail: CardDetail, place: Place | Tab, view: View) -> list[Row]:
    """The rows of a place for a reader."""
    return list(_rows(detail, place, view))


def _rows(detail: CardDetail, place: Place | Tab, view: View) -> Iterable[Row]:
    match place:
        case NumberPlace(name):
            return number_page(detail, name, view)
        case AgentPlace(agent):
            return agent_page(detail, agent, view)
        case EvidencePlace():
            return one_evidence(detail, place, view)
        case CallPlace():
            return one_call(detail, place, view)
        case TickerPlace(symbol):
            return ticker_page(detail, symbol, view)
        case MemberPlace(item_id):
            member = next((one for one in detail.members if one.item_id == item_id), None)
            return member_page(member, view) if member else ()
    return _TAB_PAGES[place](detail, view)


def title(place: Place | Tab) -> str:
    """A place's short name."""
    match place:
        case NumberPlace(name):
            return TITLES[name]
        case AgentPlace(agent):
            return agent
        case EvidencePlace(_, evidence_id):
            return said(evidence_id, limit=60)
        case CallPlace(_, number):
            return f"Call {number + 1}"
        case TickerPlace(symbol):
            return said(symbol, limit=20)
        case MemberPlace():
            return "Report"
    return place.capitalize()
