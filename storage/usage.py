"""What model calls have cost, by day: reserved before each call and settled after it."""

from __future__ import annotations

import sqlite3
from datetime import date

from agents.budget import BudgetSpent
from storage.usage_file import UsageFile


class SpendLedger:
    """The ledger of the daily cap (`agents.budget.Ledger`), the same for all programs that share the file.

    A reservation is committed before it is acted on. It survives a kill, and then counts as spent; a power cut may
    forget those of the last moments, since no call waits for the disk.
    """

    def __init__(self, file: UsageFile) -> None:
        self._file = file
        self._known: dict[date, int] = {}

    async def reserve(self, nano: int, *, day: date, cap_nano: int) -> int:
        """Sets `nano` aside and returns the reservation; raises BudgetSpent where that would pass the cap."""

        def job(connection: sqlite3.Connection) -> tuple[int, int]:
            spent = _spent(connection, day)
            if spent + nano > cap_nano:
                raise BudgetSpent(spent, cap_nano)
            connection.execute(
                "INSERT INTO spend VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET nano = nano + excluded.nano",
                (day.isoformat(), nano),
            )
            made = connection.execute("INSERT INTO reservation (day, nano) VALUES (?, ?)", (day.isoformat(), nano))
            assert made.lastrowid is not None
            return made.lastrowid, spent + nano

        reservation, self._known[day] = await self._file.write(job)
        return reservation

    async def settle(self, reservation: int, nano: int) -> None:
        """Replaces a reservation by what the call cost. One that was settled before is left alone."""

        def job(connection: sqlite3.Connection) -> tuple[date, int] | None:
            row = connection.execute(
                "DELETE FROM reservation WHERE id = ? RETURNING day, nano", (reservation,)
            ).fetchone()
            if row is None:
                return None
            day, reserved = row
            connection.execute("UPDATE spend SET nano = nano + ? WHERE day = ?", (nano - reserved, day))
            at = date.fromisoformat(day)
            return at, _spent(connection, at)

        if known := await self._file.write(job):
            self._known[known[0]] = known[1]

    async def spent(self, day: date) -> int:
        """What was spent and is reserved on `day`, in nano-USD."""
        self._known[day] = int(self._file.one("SELECT nano FROM spend WHERE day = ?", day.isoformat()) or 0)
        return self._known[day]

    def known(self, day: date) -> int:
        """As `spent`, as of the last time this program reserved, settled or asked."""
        return self._known.get(day, 0)


def _spent(connection: sqlite3.Connection, day: date) -> int:
    row = connection.execute("SELECT nano FROM spend WHERE day = ?", (day.isoformat(),)).fetchone()
    return int(row[0]) if row else 0
