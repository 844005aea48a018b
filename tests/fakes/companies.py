"""A company table small enough to know by heart."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

NAMES = {
    "NVDA": ("Nvidia", "Semiconductors"),
    "AMD": ("Advanced Micro Devices", "Semiconductors"),
    "TSM": ("Taiwan Semiconductor", "Semiconductors"),
    "AAPL": ("Apple", "Hardware"),
    "LEH": ("Lehman Brothers", "Banks"),
    "JPM": ("JPMorgan", "Banks"),
    "XOM": ("Exxon", "Oil"),
    "GOOGL": ("Alphabet", "Internet"),
}


@dataclass(frozen=True, slots=True)
class Named:
    """A company named in a text."""

    symbol: str
    quoted: bool = False


class Companies:
    """Answers as the real symbol table does: names, cash-tags and capital symbols as whole words."""

    def __init__(self) -> None:
        self.read = 0

    def mentions(self, text: str, *, extra: Mapping[str, tuple[str, ...]]) -> Sequence[Named]:
        self.read += 1
        found = [Named(tag) for tag in re.findall(r"\$([A-Z]{1,5})\b", text)]
        for symbol in {**NAMES, **extra}:
            name = NAMES[symbol][0] if symbol in NAMES else symbol
            if any(
                re.search(rf"\b{re.escape(spelling)}\b", text) for spelling in (symbol, name, *extra.get(symbol, ()))
            ):
                found.append(Named(symbol, quoted=f"{name} analysts" in text))
        return found

    def subjects(self, text: str, /) -> Sequence[Named]:
        return [Named("EURUSD")] if "euro" in text else []

    def reported(self, symbol: str, /) -> str:
        return {"GOOG": "GOOGL"}.get(symbol, symbol)

    def known(self, symbol: str, /) -> bool:
        return symbol in NAMES

    def name(self, symbol: str, /) -> str | None:
        return NAMES[symbol][0] if symbol in NAMES else None

    def sector(self, symbol: str, /) -> str | None:
        return NAMES[symbol][1] if symbol in NAMES else None

    def peers(self, symbol: str, limit: int, /) -> Sequence[str]:
        sector = self.sector(symbol)
        return [other for other, (_, s) in NAMES.items() if s == sector and other != symbol][:limit]
