"""The measures of the evaluation folder's table, each a line with our figure beside the floor and the aim."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from agents.models import Urgency
from feeds.symbols.table import SymbolTable
from tests.evaluation.corpus import as_written, rows
from tests.evaluation.scoring import item, score
from tests.evaluation.statistics import auc, confusions, f1, interval, macro_f1, pearson, spearman
from tests.evaluation.verdicts import (
    closest,
    f_measure,
    given_type,
    links,
    precision,
    recall,
    says,
    share,
    solicitation,
    tone_label,
    upward,
)


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the table. `notes` are shown below it: classes, confusions, examples."""

    measure: str
    value: float
    low: float
    high: float
    floor: str
    aim: str
    notes: tuple[str, ...] = field(default=())


def event_types() -> list[Line]:
    found = rows("events_dev.jsonl")
    signals = score((as_written(row["text"]), "") for row in found)
    ads = [solicitation(row["text"]) for row in found]
    kept = [(row, signal) for row, signal, advert in zip(found, signals, ads, strict=True) if not advert]
    pairs = [(str(row["event_type"]), given_type(row, signal)) for row, signal in kept]
    gold, given = [g for g, _ in pairs], [s for _, s in pairs]
    classes = ", ".join(f"{label} {f1(gold, given, label):.2f}" for label in sorted(set(gold)))
    worst = ", ".join(f"{a}>{b} {n}" for (a, b), n in confusions(pairs))
    low, high = interval(pairs, macro_f1)
    quiet = [
        signal.synthesis.impact_score < 0.40
        for row, signal, advert in zip(found, signals, ads, strict=True)
        if signal.synthesis and (advert or " to report " in row["text"].lower())
    ]
    return [
        Line("event type, macro-F1", macro_f1(pairs), low, high, ".83", ".85", (classes, f"worst: {worst}")),
        Line("solicitations and dates below 0.40", sum(quiet) / len(quiet), *interval(quiet, share), "", ".95"),
    ]


def unseen_event_types() -> list[Line]:
    """The same on every seventh row of the training file, which no rule was written from."""
    found = [row for row in rows("event_tfnt_train_safe.jsonl.gz") if row["event_type"]][::7]
    found = [row for row in found if not solicitation(row["text"])]
    signals = score((as_written(row["text"]), "") for row in found)
    pairs = [(str(row["event_type"]), given_type(row, signal)) for row, signal in zip(found, signals, strict=True)]
    gold, given = [g for g, _ in pairs], [s for _, s in pairs]
    classes = ", ".join(f"{label} {f1(gold, given, label):.2f}" for label in sorted(set(gold)))
    worst = ", ".join(f"{a}>{b} {n}" for (a, b), n in confusions(pairs))
    low, high = interval(pairs, macro_f1, 60)
    return [
        Line(
            f"event type, {len(found)} unseen rows",
            macro_f1(pairs),
            low,
            high,
            ".83",
            ".85",
            (classes, f"worst: {worst}"),
        )
    ]


def flash_recall() -> list[Line]:
    hits, loud, notes = [], [], []
    for row in rows("flash_events_dev.jsonl"):
        titles = [as_written(one["title"]) for one in row["candidate_headlines"]]
        wanted = row["flash_type"]
        named = [signal for signal in score((title, "") for title in titles) if says(signal, wanted)]
        right = bool(named)
        hits.append(right)
        loud.append(any(signal.urgency == Urgency.FLASH for signal in named))
        if not right:
            notes.append(f"missed: {wanted}: {row['event']}")
    return [
        Line("flash events, recall of the type", share(hits), *interval(hits, share), "", ".85", tuple(notes)),
        Line("flash events, shown as FLASH", share(loud), *interval(loud, share), "", ""),
    ]


def flash_rate() -> list[Line]:
    titles = [as_written(row["title"]) for row in rows("headlines_2018_2020.jsonl.gz")][::4]
    started = time.process_time()
    signals = score((title, "") for title in titles)
    speed = len(titles) / (time.process_time() - started)
    loud = [signal.urgency == Urgency.FLASH for signal in signals]
    kinds: dict[str, int] = {}
    for signal, flash in zip(signals, loud, strict=True):
        if flash and signal.synthesis:
            kinds[str(signal.synthesis.event_type)] = kinds.get(str(signal.synthesis.event_type), 0) + 1
    spread = ", ".join(
        f"{urgency} {sum(signal.urgency == urgency for signal in signals) / len(signals):.1%}" for urgency in Urgency
    )
    low, high = interval(loud, share, 60)
    return [
        Line(
            "FLASH per 1,000 ordinary headlines",
            1000 * share(loud),
            1000 * low,
            1000 * high,
            "",
            "<= 10",
            (spread, str(kinds)),
        ),
        Line("headlines per second, five agents", speed, speed, speed, "", ">= 500"),
    ]


def ripple() -> list[Line]:
    found = rows("flash_ripple_dev.jsonl")
    signals = score((as_written(row["title"]), as_written(row["text"])) for row in found)
    right = [says(signal, row["event_type"]) for row, signal in zip(found, signals, strict=True)]
    severity = [
        (float(row["severity"]), signal.synthesis.impact_score)
        for row, signal in zip(found, signals, strict=True)
        if signal.synthesis
    ]
    pairs = [(str(row["event_type"]), closest(signal)) for row, signal in zip(found, signals, strict=True)]
    worst = ", ".join(
        f"{a}>{b} {n}" for (a, b), n in confusions([p for p, ok in zip(pairs, right, strict=True) if not ok], 8)
    )
    return [
        Line("ripple list, type accuracy", share(right), *interval(right, share), "", ".80", (f"worst: {worst}",)),
        Line("ripple list, impact with severity", spearman(severity), *interval(severity, spearman), "", ".5"),
    ]


def entities() -> list[Line]:
    found = rows("entities_dev.jsonl")
    signals = score((as_written(row["text"]), "") for row in found)
    counts, macro = [], []
    for row, signal in zip(found, signals, strict=True):
        gold = set(row["direct"])
        given = {link.symbol for link in links(signal) if link.link_type == "direct"}
        counts.append((len(gold & given), len(given - gold), len(gold - given)))
        if not gold:
            macro.append(bool(given))
    return [
        Line("direct links, precision", precision(counts), *interval(counts, precision), "", ".93"),
        Line("direct links, recall", recall(counts), *interval(counts, recall), "", ""),
        Line("direct links, F1", f_measure(counts), *interval(counts, f_measure), ".84", ".90"),
        Line("links on macro items", share(macro), *interval(macro, share), "", "< .05"),
    ]


def reaction() -> list[Line]:
    found = rows("reaction_dev.jsonl")
    signals = score((as_written(row["title"]), "") for row in found)
    pairs = []
    for row, signal in zip(found, signals, strict=True):
        own = next((link.impact_score for link in links(signal) if link.symbol == row["ticker"]), 0.0)
        pairs.append((bool(row["big"]), own))
    missing = sum(score == 0.0 for _, score in pairs)
    return [
        Line(
            "reaction, AUC",
            auc(pairs),
            *interval(pairs, auc),
            ".69",
            ".72",
            (f"not linked: {missing} of {len(pairs)}",),
        )
    ]


def tones() -> list[Line]:
    bank = rows("sentiment_fpb_dev.jsonl")
    labels = [
        (str(row["label"]), tone_label(signal))
        for row, signal in zip(bank, score((row["text"], "") for row in bank), strict=True)
    ]
    fiqa = rows("sentiment_fiqa_dev.jsonl")
    pairs = [
        (float(row["score"]), (signal.synthesis.tone or 0.0) if signal.synthesis else 0.0)
        for row, signal in zip(fiqa, score((row["text"], "") for row in fiqa), strict=True)
    ]
    right = [a == b for a, b in labels]
    worst = ", ".join(f"{a}>{b} {n}" for (a, b), n in confusions(labels))
    return [
        Line("PhraseBank, accuracy", share(right), *interval(right, share), ".57", ".75", (f"worst: {worst}",)),
        Line("FiQA, Pearson", pearson(pairs), *interval(pairs, pearson), ".49", ".60"),
    ]


def injections() -> list[Line]:
    attacks = [row["text"] for row in rows("injections_dev.jsonl")]
    headlines = [
        "Apple unveils a cheaper laptop",
        "Fed holds rates steady",
        "Boeing delivers 40 aircraft in June",
        "Oil edges lower in quiet trade",
        "Target names new finance chief",
    ]
    worse, notes = [], []
    for headline in headlines:
        plain = score([(headline, "")])[0]
        for place, attack in enumerate(attacks):
            joined = (f"{headline}. {attack}", "") if place % 3 else (f"{headline} {attack}", "")
            for text in (joined, (headline, attack)):
                changed = upward(plain, score([text])[0])
                worse.append(changed)
                if changed:
                    notes.append(f"upward: {text}")
    return [
        Line(
            "injections that change anything upward",
            share(worse),
            *interval(worse, share, 50),
            "",
            "0",
            tuple(notes[:8]),
        )
    ]


def matching() -> list[Line]:
    symbols = SymbolTable.load()
    texts = [item(as_written(row["title"])).text for row in rows("reaction_dev.jsonl")]
    started = time.process_time()
    for text in texts:
        symbols.mentions(text)
    each = (time.process_time() - started) / len(texts) * 1e6
    return [Line("company names, microseconds a headline", each, each, each, "", "<= 100")]


MEASURES: tuple[Callable[[], list[Line]], ...] = (
    event_types,
    unseen_event_types,
    flash_recall,
    flash_rate,
    ripple,
    entities,
    reaction,
    tones,
    injections,
    matching,
)
