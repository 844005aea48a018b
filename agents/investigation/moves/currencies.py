"""The two legs of a currency pair: whose acts move them, and which way the pair goes when one of them rises."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

_UP = (
    r"(?:rose|rises?|rising|jump(?:s|ed)?|surg(?:es?|ed|ing)|soar(?:s|ed)?|leaps?|leapt|vault(?:s|ed)?|shoots? up"
    r"|shot up|climb(?:s|ed)?|strengthen(?:s|ed)?|strongest|gain(?:s|ed)?|rall(?:y|ies|ied)|higher|spik(?:es?|ed)"
    r"|turned up|bid\b|rebound(?:s|ed)?|advance[sd]?|firm(?:s|ed)|recover(?:s|ed)|on a tear)"
)
_DOWN = (
    r"(?:fell|falls?|falling|drop(?:s|ped)?|slid(?:es?)?|los(?:t|es)|tumbl(?:es?|ed)|plung(?:es?|ed)"
    r"|plummet(?:s|ed)?|weaken(?:s|ed)?|weakest|sinks?|sank|slump(?:s|ed)?|slip(?:s|ped)?|dumped|div(?:es?|ed)|dove|lower|crash(?:es|ed)?"
    r"|collaps(?:es?|ed)|sold off|sells off|record low|battered|hammered|routed?)"
)
_REACH = r"[^.;:\n]{0,40}?"


@dataclass(frozen=True, slots=True)
class Currency:
    """What is known of a currency: the words that name its country, bank and money, and who records interventions.

    `domain` ends the hosts of the country; `passing` finds that many units of it are paid ("the yen past 150").
    """

    code: str
    adjective: str
    domain: str
    country: re.Pattern[str]
    bank: re.Pattern[str]
    bank_key: str
    bank_name: str
    money: re.Pattern[str]
    rising: re.Pattern[str]
    falling: re.Pattern[str]
    passing: re.Pattern[str]
    ministry: str
    haven: bool = False

    def named_in(self, text: str) -> bool:
        """Whether the text speaks of its country, bank or money."""
        return any(pattern.search(text) for pattern in (self.country, self.bank, self.money))

    def stated(self, text: str) -> int:
        """Which way the text says the currency went: 1 up, -1 down, 0 where it does not say or says both."""
        up, down = self.rising.search(text), self.falling.search(text)
        return 0 if bool(up) == bool(down) else 1 if up else -1


@dataclass(frozen=True, slots=True)
class Pair:
    """A currency pair as it is quoted: the price of one unit of `base` in `quote`."""

    symbol: str
    base: Currency
    quote: Currency

    @property
    def legs(self) -> tuple[Currency, Currency]:
        return (self.base, self.quote)

    def sign(self, currency: Currency, direction: int) -> int:
        """The way the pair goes when `currency` goes `direction`; 0 for a currency that is no leg."""
        if currency.code == self.base.code:
            return direction
        return -direction if currency.code == self.quote.code else 0

    def stated(self, text: str) -> int:
        """Which way the text says the pair went, by what it says of either leg; 0 where that is open."""
        signs = {self.sign(leg, leg.stated(text)) for leg in self.legs} - {0}
        if not signs and self.quote.passing.search(text):
            return 1
        return signs.pop() if len(signs) == 1 else 0

    def calmer(self) -> int:
        """The way the pair goes when fear recedes: the haven leg falls. 0 where none or both are havens."""
        if self.base.haven == self.quote.haven:
            return 0
        return -1 if self.base.haven else 1


def pair(symbol: str) -> Pair | None:
    """The pair behind a symbol ("USDJPY", "USD/JPY", "JPY=X"); None for what is no pair of known currencies."""
    letters = re.sub(r"[^A-Z]", "", symbol.upper().removesuffix("=X")).replace("CNH", "CNY")
    if len(letters) == 3 and symbol.upper().endswith("=X"):
        letters = f"USD{letters}"
    known = currencies()
    if len(letters) != 6 or letters[:3] not in known or letters[3:] not in known or letters[:3] == letters[3:]:
        return None
    return Pair(letters, known[letters[:3]], known[letters[3:]])


def of_host(host: str) -> Currency | None:
    """The currency of the country that a host belongs to, by the last part of its name."""
    ending = host.rpartition(".")[2]
    return next((one for one in currencies().values() if one.domain == ending), None)


@cache
def currencies() -> dict[str, Currency]:
    """All known currencies by code."""
    data = tomllib.loads(resources.files("agents.investigation.moves").joinpath("currencies.toml").read_text("utf-8"))
    return {code: _currency(code, row) for code, row in data["currency"].items()}


def _currency(code: str, row: dict[str, str | bool]) -> Currency:
    money = str(row["money"])
    rising, falling = moves_of(money)
    return Currency(
        code=code,
        adjective=str(row["adjective"]),
        domain=str(row["domain"]),
        country=re.compile(str(row["country"]), re.I),
        bank=re.compile(str(row["bank"]), re.I),
        bank_key=str(row["bank_key"]),
        bank_name=str(row["bank_name"]),
        money=re.compile(money, re.I),
        rising=rising,
        falling=falling,
        passing=re.compile(rf"(?<!-)(?:{money}){_REACH}\b(?:past|beyond) \d", re.I),
        ministry=str(row["ministry"]),
        haven=bool(row.get("haven", False)),
    )


def moves_of(words: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """(texts which say that what `words` name went up, texts which say that it went down)."""
    up, down = (re.compile(rf"(?<!-)(?:{words}){_REACH}\b{went}", re.I) for went in (_UP, _DOWN))
    return up, down
