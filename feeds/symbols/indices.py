"""Companies of other countries and industries of all, from the index lists of pytickersymbols."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytickersymbols import PyTickerSymbols

from feeds.symbols.data import COMMON_PARTS, Catalogue, words_of


def read_indices(catalogue: Catalogue) -> dict[str, str]:
    """Adds industries to known companies and returns the companies only the indices know, by symbol."""
    foreign: dict[str, str] = {}
    for stock in PyTickerSymbols().get_all_stocks():
        symbol = _reported_symbol(stock, catalogue)
        if symbol is None:
            continue
        if symbol not in catalogue.names:
            foreign[symbol] = catalogue.names[symbol] = str(stock["name"])
        catalogue.industries.setdefault(symbol, tuple(stock.get("industries") or ()))
        for listing in stock.get("symbols") or ():
            other = str(listing.get("yahoo") or "")
            if "." in other and other != symbol:
                catalogue.alias.setdefault(other, symbol)
        own = str(stock.get("symbol") or "")
        if own and own != symbol and own not in catalogue.names:
            catalogue.alias.setdefault(own, symbol)
    return foreign


def _reported_symbol(stock: Mapping[str, Any], catalogue: Catalogue) -> str | None:
    """The US listing where there is one, otherwise the home listing.

    The library keeps US symbols that another company took over since, so a US listing counts only under the same name.
    """
    own = str(stock.get("symbol") or "")
    if stock.get("country") == "United States" and own.replace(".", "-") in catalogue.names:
        return own.replace(".", "-")
    for listing in stock.get("symbols") or ():
        google = str(listing.get("google") or "")
        if google.startswith(("NYSE:", "NASDAQ:")):
            symbol = google.partition(":")[2].replace(".", "-")
            symbol = catalogue.alias.get(symbol, symbol)
            same_letters = own.partition(".")[0] == symbol
            if same_letters or _same_company(str(stock["name"]), catalogue.names.get(symbol, "")):
                return symbol
    if not own:
        return None
    return own if "." in own or stock.get("country") == "United States" else _home(own, stock)


def _same_company(name: str, other: str) -> bool:
    """Whether two names share a word that tells companies apart."""
    return bool({word for word in words_of(name) if word not in COMMON_PARTS and len(word) > 1} & set(words_of(other)))


def _home(own: str, stock: Mapping[str, Any]) -> str:
    suffix = {"Germany": ".DE", "Netherlands": ".AS", "France": ".PA", "United Kingdom": ".L", "Japan": ".T"}
    return own + suffix.get(str(stock.get("country")), "")
