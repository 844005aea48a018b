"""How much: percentages, basis points, money and counts with their units, and the direction against expectation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

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
_AGAINST: Final = re.compile(
    r"(?:\b(?:vs\.?|versus|est\.?|estimates?:?|expected|exp\.?|consensus|"
    r"forecast)\s*(?:of\s)?[:$]?\s*)([-+]?\d+(?:\.\d+)?)\s?%?",
    re.I,
)
_ACTUAL: Final = re.compile(r"(?:\bactual:?|:|\bat|\bof|\bto)\s*([-+]?\$?\d+(?:\.\d+)?)\s?%?", re.I)
_DIGIT: Final = re.compile(r"\d|[- ]point", re.I)
_UP: Final = re.compile(
    r"\b(?:beats?|tops?|topped|exceeds?|above|better[- ]than|stronger[- ]than|blowout|surpass\w*|upbeat)\b", re.I
)
_DOWN: Final = re.compile(
    r"\b(?:miss(?:es|ed)?|below|worse[- ]than|weaker[- ]than|short of|disappoint\w*|lower[- ]than|downbeat|trails?)\b",
    re.I,
)


_FALL_OR_RISE: Final = (
    r"(?:fall|fell|drop|rise|rises|rose|jump|soar|surg|plung|tumbl|slump|sink|sank|slid|slip|crash|climb|rall|"
    r"gain|spik|swoon|halv|tank|nosedive|dive|"
    r"rebound|skid|shed|loses?|lost|dip|decline|sag|leap|rocket)\w*"
)
_MOVE: Final = re.compile(
    rf"\b(?:shares?|stocks?|market (?:value|cap)|value|status)\b[^.;]{{0,40}}\b{_FALL_OR_RISE}"
    rf"|\b{_FALL_OR_RISE}\b[^.;]{{0,30}}\b(?:shares?|stocks?|market (?:value|cap)|trillion)\b|\b(?:shares?|"
    rf"stock) (?:down|up)\b|\b(?:plunge|sell-?off|rout|relief rally)\b"
    rf"|\b(?:shares|stock)? ?[-+]\d+(?:\.\d+)?%",
    re.I,
)
_MOVE_STEMS: Final = ("share", "stock", "value", "trillion", "plunge", "sell-off", "selloff", "rout", "rally", "%")


@dataclass(frozen=True, slots=True)
class Magnitude:
    """One amount. `value` is in percent, basis points, currency units or barrels a day; `quote` is as written."""

    unit: Unit
    value: float
    quote: str


def magnitudes(text: str) -> tuple[Magnitude, ...]:
    """Every amount in the text, in groups by unit."""
    if not _DIGIT.search(text):
        return ()
    found = [Magnitude("percent", _signed(match[1], match[2]), match.group()) for match in _PERCENT.finditer(text)]
    found += [Magnitude("bp", _number(match[1]), match.group()) for match in _BASIS.finditer(text)]
    found += [Magnitude("bp", _POINTS.get(match[1].lower(), 75.0), match.group()) for match in _POINT.finditer(text)]
    for match in _MONEY.finditer(text):
        scale = _SCALE.get((match[2] or match[4] or " ")[0].lower(), 1.0)
        found.append(Magnitude("money", _number(match[1] or match[3]) * scale, match.group().strip()))
    for match in _BARRELS.finditer(text):
        scale = _SCALE.get((match[2] or ("m" if "mb" in match.group().lower() else " "))[0].lower(), 1.0)
        found.append(Magnitude("barrels", _number(match[1]) * scale, match.group()))
    return tuple(found)


def largest(found: tuple[Magnitude, ...], unit: Unit) -> Magnitude | None:
    """The largest amount of a unit by size, without its sign."""
    return max((one for one in found if one.unit == unit), key=lambda one: abs(one.value), default=None)


def price_move(text: str) -> str:
    """The words that report a move of a share price, or ""."""
    low = text.lower()
    if not any(stem in low for stem in _MOVE_STEMS):
        return ""
    match = _MOVE.search(text)
    return match.group().strip() if match else ""


def against_expectation(text: str) -> tuple[int, str]:
    """1 above, -1 below, 0 in line or unsaid, with the words that say so."""
    up, down = _UP.search(text), _DOWN.search(text)
    if up and (down is None or up.start() < down.start()):
        return 1, up.group()
    if down:
        return -1, down.group()
    expected = _AGAINST.search(text)
    actual = _ACTUAL.search(text)
    if expected and actual and actual.start() < expected.start():
        difference = _number(actual[1].lstrip("$")) - _number(expected[1])
        return (difference > 0) - (difference < 0), expected.group()
    return 0, ""


def _number(text: str) -> float:
    return float(text.replace(",", "").replace(" ", "").lstrip("+") or 0)


def _signed(sign: str, text: str) -> float:
    return -_number(text) if sign == "-" else _number(text)
