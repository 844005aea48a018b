"""The world of an investigation that is given as files: one price series, and records."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from agents.investigation.errors import NoSeries
from agents.investigation.moves.series import Series


@dataclass(frozen=True, slots=True)
class FileSeries:
    """The one series that was given."""

    given: Series

    @property
    def name(self) -> str:
        return self.given.source

    async def series(self, symbol: str, around: datetime | None, *, daily: bool | None = None) -> Series:
        """The series, for its own symbol alone; raises NoSeries for every other."""
        if symbol != self.given.symbol:
            raise NoSeries(f"{symbol}: no series was given")
        return self.given


@dataclass(frozen=True, slots=True)
class NoSeriesGiven:
    """Stands where files are the whole world and no price file is among them."""

    name: str = "files"

    async def series(self, symbol: str, around: datetime | None, *, daily: bool | None = None) -> Series:
        raise NoSeries(f"{symbol}: no price series was given; add --prices FILE.csv")
