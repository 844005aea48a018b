"""The investigation measured: currency moves with their evidence, and stock moves with the headlines of their days."""

from __future__ import annotations

import asyncio
import csv
import gzip
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final

from agents.investigation.certainty import LABELS
from agents.investigation.memory_rows import MemoryRows
from agents.investigation.models import Hypothesis, Record
from agents.investigation.moves.series import Series, read_table
from agents.investigation.readings.rules_thinker import RulesThinker
from agents.investigation.state import Answer
from app.investigation.given import known_until, read_prices, read_records
from app.investigation.inquiry import Inquirer, case_of, file_world
from feeds.symbols.table import SymbolTable
from tests.evaluation.corpus import FOLDER, Row, as_written, rows
from tests.evaluation.measures import Line
from tests.evaluation.statistics import interval
from tests.evaluation.verdicts import share

NOW: Final = datetime(2026, 11, 30, 12, tzinfo=UTC)
CURRENCY: Final = FOLDER / "fx_evidence_dev"
ORDER: Final = ("minimal", *(word for _, word in reversed(LABELS)))
SAME_TYPE: Final = {"tariffs": "trade_policy", "rate_surprise": "policy_change"}
"""Gold names that are flash events, as causes."""
VERDICTS: Final = {"cause_found": "cause found", "no_public_cause": "no public cause found", "unknown": "unknown"}
BEFORE: Final = 120
CITED: Final = 3


def ask(symbol: str, series: Series, records: Sequence[Record], at: datetime | None = None) -> Answer:
    """The answer of the rules over files that are the whole world."""
    table = SymbolTable.load()
    inquirer = Inquirer(file_world(series, records), RulesThinker(table), MemoryRows(), table)
    until = known_until(records, series, NOW)
    return asyncio.run(inquirer.ask(case_of(symbol, asked_at=NOW, at=at), lambda: until))


def currency_moves() -> list[Line]:
    """Each move without a time, with its time, and where the ministry recorded it also with that record."""
    notes, right, onsets, honest, confirmed = [], [], [], [], []
    for truth in rows("truth.jsonl", CURRENCY):
        name = truth["id"].replace(":", "-")
        series = read_prices(CURRENCY / f"{name}.prices.csv", truth["symbol"], None)
        records, _ = read_records(CURRENCY / f"{name}.news.jsonl", NOW)
        for at in (None, _time(truth["onset_utc"])):
            answer = ask(truth["symbol"], series, records, at)
            onsets.append(_onset_is_right(truth, answer))
            faults = _faults(truth, answer)
            right.append(_is_right_type(truth, answer.hypotheses[0]) if answer.hypotheses else False)
            honest.append(not faults)
            notes += [f"{truth['id']}: {fault}" for fault in faults]
            notes += [] if right[-1] else [f"{truth['id']}: {answer.hypotheses[:1]}"]
        if truth["after_confirm"]:
            later, _ = read_records(CURRENCY / f"{name}.confirm.jsonl", NOW)
            found = ask(truth["symbol"], series, [*records, *later]).hypotheses[:1]
            best = [(one.cause_type, one.status, one.certainty) for one in found]
            confirmed.append(best == [(truth["cause_type"], "confirmed", "high")])
    return [
        Line("currency moves, onset", share(onsets), *interval(onsets, share), "", "1"),
        Line("currency moves, cause type", share(right), *interval(right, share), "", "1"),
        Line("currency moves, nothing forbidden said", share(honest), *interval(honest, share), "", "1", tuple(notes)),
        Line("currency moves, confirmed by the record", share(confirmed), *interval(confirmed, share), "", "1"),
    ]


def stock_moves() -> list[Line]:
    """Headlines of the days from the session before: the right one among the first cited, or no cause named."""
    by_day: dict[str, list[Row]] = {}
    for row in rows("headlines_2018_2020.jsonl.gz"):
        by_day.setdefault(row["date"], []).append(row)
    with gzip.open(FOLDER / "us_stocks_daily_1990_2022.csv.gz", "rt", encoding="utf-8") as table:
        closes = list(csv.DictReader(table))
    days = [row["Date"] for row in closes]
    cited, abstained, notes = [], [], []
    for move in rows("moves_dev.jsonl"):
        place = days.index(move["date"])
        span = closes[place - BEFORE : place + 3]
        text = "time,close\n" + "\n".join(f"{row['Date']},{row[move['ticker']]}" for row in span)
        series = read_table(text, symbol=move["ticker"], zone=None, source="daily closes")
        records = _headlines(by_day, date.fromisoformat(days[place - 1]), date.fromisoformat(move["date"]))
        answer = ask(move["ticker"], series, records, _time(f"{move['date']}T17:00:00Z"))
        first = [one.record for hypothesis in answer.hypotheses for one in hypothesis.evidence if one.supports][:CITED]
        if move["named_headlines"]:
            cited.append(bool(set(first) & set(move["named_headlines"])))
            notes += [] if cited[-1] else [f"missed: {move['id']}"]
        else:
            abstained.append(answer.verdict != "cause_found" and not first)
            notes += [] if abstained[-1] else [f"cited though none names it: {move['id']}"]
    return [
        Line("stock moves, headline in the first 3", share(cited), *interval(cited, share), "", ".80", tuple(notes)),
        Line("stock moves, abstains where none is named", share(abstained), *interval(abstained, share), "", ".90"),
    ]


def _headlines(by_day: dict[str, list[Row]], first: date, last: date) -> list[Record]:
    found, day = [], first
    while day <= last:
        at = datetime(day.year, day.month, day.day, tzinfo=UTC)
        found += [
            Record(row["id"], as_written(row["title"]), "", "", row["source"], at, "day")
            for row in by_day.get(day.isoformat(), [])
        ]
        day += timedelta(days=1)
    return found


def _onset_is_right(truth: Row, answer: Answer) -> bool:
    allowed = {_time(truth["onset_utc"]), *(_time(one["bar_utc"]) for one in truth["earlier_onset_ok"])}
    return answer.anchor is not None and answer.anchor.onset_at in allowed


def _is_right_type(truth: Row, best: Hypothesis) -> bool:
    allowed = {truth["cause_type"], *truth["acceptable"]}
    return best.cause_type in allowed | {SAME_TYPE[one] for one in allowed if one in SAME_TYPE}


def _faults(truth: Row, answer: Answer) -> list[str]:
    """What an honest answer on the day may not say."""
    day, faults = truth["on_the_day"], []
    if VERDICTS[answer.verdict] not in day["verdicts_ok"]:
        faults.append(f"verdict {answer.verdict}")
    for one in answer.hypotheses:
        loud = ORDER.index(one.certainty) >= ORDER.index("medium")
        own = _is_right_type(truth, one)
        if own and ORDER.index(one.certainty) > ORDER.index(day["max_certainty"]):
            faults.append(f"{one.key} is {one.certainty}")
        if one.cause_type == "fx_intervention" and (one.status not in ("suspected", "refuted") or (loud and not own)):
            faults.append(f"{one.key} is {one.status}, {one.certainty}")
        faults += [
            f"{evidence.record} leads though published after the onset"
            for evidence in one.evidence
            if evidence.timing == "lead"
            and evidence.time_kind != "effective"
            and evidence.published_at
            and answer.anchor
            and evidence.published_at >= answer.anchor.onset_at
        ]
    if day["must_say_suspected"] and answer.hypotheses[0].status != "suspected":
        faults.append("does not say suspected")
    return faults


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


INVESTIGATIONS: Final = (currency_moves, stock_moves)
