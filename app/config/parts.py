"""What the tables of the configuration are made of: the strict base and the kinds of values."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr


def must_match(pattern: str, wish: str) -> AfterValidator:
    """A check by pattern that fails with `wish` in words instead of the pattern."""

    def check(value: str) -> str:
        if re.fullmatch(pattern, value) is None:
            raise ValueError(wish)
        return value

    return AfterValidator(check)


def must_be_one_of(kind: str, names: Iterable[str]) -> AfterValidator:
    """A check against known names that fails with the nearest of them."""
    known = tuple(names)

    def check(value: str) -> str:
        if value not in known:
            raise ValueError(f"no {kind} is called {value!r}; {nearest(value, known)}")
        return value

    return AfterValidator(check)


def nearest(wrong: str, known: Iterable[str]) -> str:
    """What a wrong name may have been meant to be."""
    names = list(known)
    folded = {name.casefold(): name for name in names}
    close = difflib.get_close_matches(wrong.casefold(), folded, n=1, cutoff=0.5)
    return f"did you mean {folded[close[0]]}?" if close else f"known here are {', '.join(names)}"


Symbol = Annotated[str, must_match(r"[A-Z0-9][A-Z0-9.=^-]{0,14}", 'a symbol is written like "NVDA" or "BRK.B"')]
Symbols = Annotated[tuple[Symbol, ...], Field(strict=False)]
Strings = Annotated[tuple[str, ...], Field(strict=False)]
Secrets = Annotated[tuple[SecretStr, ...], Field(strict=False)]
WebAddress = Annotated[str, must_match(r"https?://[^\s/]+\S*", "an address starts with https:// or http://")]


class Section(BaseModel):
    """A table of the file: frozen, strict in its types, and closed to unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)
