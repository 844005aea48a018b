"""What would confirm a hypothesis, and when the next information on it arrives."""

from __future__ import annotations

from datetime import datetime

from agents.investigation.dates import calendar
from agents.investigation.dates.calendar import NEW_YORK, TOKYO
from agents.investigation.models import Anchor, CauseType, Confirmation
from agents.investigation.moves.currencies import currencies
from agents.investigation.moves.instruments import kind_of

_SERIES = {
    "usd_cpi": "us_cpi",
    "usd_jobs": "us_jobs",
    "usd_gdp": "us_gdp",
    "jpy_cpi": "jp_cpi",
    "gbp_cpi": "uk_cpi",
}


def confirmations(
    key: str, cause: CauseType, anchor: Anchor, now: datetime
) -> tuple[Confirmation | None, Confirmation | None]:
    """(what confirms it, the next information after `now`) for a hypothesis."""
    who = key.partition("/")[2]
    day = anchor.onset_at.astimezone(NEW_YORK).date()
    if cause == "fx_intervention":
        return _intervention(who, anchor, now)
    if cause == "policy_change":
        ahead = calendar.meeting(who, now)
        minutes = calendar.fomc_minutes(now) if who == "fed" else None
        return _decision(who), calendar.earliest([ahead, minutes], now)
    if cause == "macro_event":
        ahead = calendar.release(_SERIES.get(who, ""), now)
        return Confirmation("the official release of the figure or result itself", None), ahead
    of_company = cause in ("earnings", "guidance", "m_and_a", "supply_chain", "other", "legal_regulatory")
    if of_company and kind_of(anchor.symbol) == "stock":
        return calendar.filing(day), calendar.earliest([calendar.filing(day)], now)
    if cause in ("market_move", "sector_move", "liquidity"):
        return Confirmation("prices of further venues and series for the same bar", None), None
    if cause == "analyst_action":
        return Confirmation("the broker's own note", None), calendar.earliest([calendar.index_announcement(now)], now)
    return Confirmation("the actor's own official record of the act", None), None


def _intervention(who: str, anchor: Anchor, now: datetime) -> tuple[Confirmation, Confirmation | None]:
    if who != "jpy":
        known = currencies().get(who.upper())
        ministry = known.ministry if known else "the ministry"
        return Confirmation(f"{ministry}, published record of interventions", None), None
    day = anchor.onset_at.astimezone(TOKYO).date()
    daily = calendar.intervention_days(day)
    monthly = calendar.intervention_month(day)
    return daily if _over(monthly, now) else monthly, calendar.earliest(
        [calendar.current_account(day), monthly, daily], now
    )


def _over(one: Confirmation, now: datetime) -> bool:
    return one.when is not None and one.when <= now


def _decision(who: str) -> Confirmation:
    bank = next((one.bank_name for one in currencies().values() if one.bank_key == who), "")
    what = f"{bank}: the published decision" if bank else "the government's published act"
    return Confirmation(what, None)
