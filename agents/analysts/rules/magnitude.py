"""How much: percentages, basis points, money and counts with their units, and the direction against expectation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from agents.analysts.rules.scan import Scan, scan_of, watched, word_list

Unit = Literal["percent", "bp", "money", "barrels"]

_NUMBER: Final = r"(\d[\d,]*(?: ?\. ?\d+)?)"
_PERCENT: Final = re.compile(rf"([-+]?){_NUMBER}\s?(?:%|percent\b|per cent\b|pct\b)", re.I)
_BASIS: Final = re.compile(rf"{_NUMBER}[- ]?(?:bps?\b|basis[- ]points?)", re.I)
_POINT: Final = re.compile(r"\b(half|quarter|three[- ]quarters?|full|one)[- ](?:percentage[- ])?point", re.I)
_MONEY: Final = re.compile(
    rf"(?:US\$|C\$|A\$|[$€£¥]|\b(?:USD|EUR|GBP|JPY|CNY)\s?){_NUMBER}\s?(trillion|trln|tn|billion|bln|bn|million|"
    rf"mln|mn|[bmk])?\b"
    rf"|{_NUMBER}\s(trillion|billion|bln|bn|million|mln|mn)\s(?:dollars|euros|pounds|yen|yuan)",
    re.I,
)
_BARRELS: Final = re.compile(rf"{_NUMBER}\s?(million|mln|m|k)?\s?(?:bpd|b/d|mb/d|mbd|barrels)", re.I)
_SCALE: Final = {"t": 1e12, "b": 1e9, "m": 1e6, "k": 1e3}
_POINTS: Final = {"half": 50.0, "quarter": 25.0, "full": 100.0, "one": 100.0}
_AGAINST: Final = watched(
    re.compile(
        r"(?:\b(?:vs\.?|versus|est\.?|estimates?:?|expected|exp\.?|consensus|"
        r"forecast)\s*(?:of\s)?[:$]?\s*)([-+]?\d+(?:\.\d+)?)\s?%?",
        re.I,
    ),
    ["vs", "versus", "est", "exp", "consensus", "forecast"],
)
_ACTUAL: Final = re.compile(r"(?:\bactual:?|:|\bat|\bof|\bto)\s*([-+]?\$?\d+(?:\.\d+)?)\s?%?", re.I)
_UP: Final = word_list(
    "beat beats top tops topped exceed exceeds above better_than_expected better_than_feared "
    "better_than_forecast stronger_than_expected "
    "stronger_than_forecast blowout surpass* upbeat"
)
_DOWN: Final = word_list(
    "miss misses missed below worse_than_expected worse_than_feared weaker_than_expected weaker_than_forecast "
    "short_of disappoint* lower_than_expected downbeat trail trails"
)
_FALL_OR_RISE: Final = (
    r"(?:fall|fell|drop|rise|rises|rose|jump|soar|surg|plung|tumbl|slump|sink|sank|slid|slip|crash|climb|rall|"
    r"gain|spik|swoon|halv|tank|nosedive|dive|"
    r"rebound|skid|shed|loses?|lost|dip|decline|sag|leap|rocket)\w*"
)
_MOVE: Final = watched(
    re.compile(
        rf"\b(?:shares?|stocks?|market (?:value|cap)|value|status)\b[^.;]{{0,40}}\b{_FALL_OR_RISE}"
        rf"|\b{_FALL_OR_RISE}\b[^.;]{{0,30}}\b(?:shares?|stocks?|market (?:value|cap)|trillion)\b|\b(?:shares?|"
        rf"stock) (?:down|up)\b|\b(?:plunge|sell-?off|rout|relief rally)\b"
        rf"|\b(?:shares|stock)? ?[-+]\d+(?:\.\d+)?%",
        re.I,
    ),
    [
        "share",
        "stock",
        "market",
        "value",
        "status",
        "trillion",
        "plunge",
        "sell",
        "selloff",
        "rout",
        "relief",
        "+",
        "-",
    ],
    (
        "fall fell drop rise rose jump soar surg plung tumbl slump sink sank slid slip crash climb rall gain spik "
        "swoon halv tank nosediv dive rebound skid shed lose lost dip decline sag leap rocket down up sell selloff "
        "rout relief %"
    ),
)
_MOVE_OF_NAME: Final = re.compile(
    rf" (?:\w+ly |again |also )?{_FALL_OR_RISE} "
    r"(?:by |as much as |more than |over |nearly |almost |about |another |up to )?"
    r"\d[\d.]*\s?(?:%|percent|per cent|pct)(?! (?:of|stake|share|market|more|fewer|discount))",
    re.I,
)
_DIGIT: Final = re.compile(r"\d")
_MONEY_MARKS: Final = (
    "$",
    "€",
    "£",
    "¥",
    "usd",
    "eur",
    "gbp",
    "jpy",
    "cny",
    "dollars",
    "euros",
    "pounds",
    "yen",
    "yuan",
)


@dataclass(frozen=True, slots=True)
class Magnitude:
    """One amount. `value` is in percent, basis points, currency units or barrels a day; `quote` is as written."""

    unit: Unit
    value: float
    quote: str


def magnitudes(text: str) -> tuple[Magnitude, ...]:
    """Every amount in the text, in groups by unit."""
    low = text.lower()
    found: list[Magnitude] = []
    if "point" in low:
        found += [
            Magnitude("bp", _POINTS.get(match[1].lower(), 75.0), match.group()) for match in _POINT.finditer(text)
        ]
    if not _DIGIT.search(text):
        return tuple(found)
    if "%" in text or "per" in low or "pct" in low:
        found += [Magnitude("percent", _signed(match[1], match[2]), match.group()) for match in _PERCENT.finditer(text)]
    if "bp" in low or "basis" in low:
        found += [Magnitude("bp", _number(match[1]), match.group()) for match in _BASIS.finditer(text)]
    if any(mark in low for mark in _MONEY_MARKS):
        for match in _MONEY.finditer(text):
            scale = _SCALE.get((match[2] or match[4] or " ")[0].lower(), 1.0)
            found.append(Magnitude("money", _number(match[1] or match[3]) * scale, match.group().strip()))
    if "b/d" in low or "barrels" in low or "bpd" in low or "mbd" in low:
        for match in _BARRELS.finditer(text):
            scale = _SCALE.get((match[2] or ("m" if "mb" in match.group().lower() else " "))[0].lower(), 1.0)
            found.append(Magnitude("barrels", _number(match[1]) * scale, match.group()))
    return tuple(found)


def largest(found: tuple[Magnitude, ...], unit: Unit) -> Magnitude | None:
    """The largest amount of a unit by size, without its sign."""
    return max((one for one in found if one.unit == unit), key=lambda one: abs(one.value), default=None)


def price_move(text: str | Scan) -> str:
    """The words that report a move of a share price, or ""."""
    match = scan_of(text).in_lead(_MOVE)
    return match.group().strip() if match else ""


def move_of_name(text: str, end: int) -> str:
    """The words that report a price move of the name that ends at `end`: "soars 70%"; not of its sales or staff."""
    match = _MOVE_OF_NAME.match(text, end)
    return match.group().strip() if match else ""


def against_expectation(text: str | Scan) -> tuple[int, str]:
    """1 above, -1 below, 0 in line or unsaid, with the words that say so."""
    scan = scan_of(text)
    up, down = scan.search(_UP), scan.search(_DOWN)
    if up and (down is None or up.start() < down.start()):
        return 1, up.group()
    if down:
        return -1, down.group()
    expected = scan.search(_AGAINST)
    actual = _ACTUAL.search(scan.text) if expected else None
    if expected and actual and actual.start() < expected.start():
        difference = _number(actual[1].lstrip("$")) - _number(expected[1])
        return (difference > 0) - (difference < 0), expected.group()
    return 0, ""


def _number(text: str) -> float:
    return float(text.replace(",", "").replace(" ", "").lstrip("+") or 0)


def _signed(sign: str, text: str) -> float:
    return -_number(text) if sign == "-" else _number(text)
