"""What can be told of a database and the usage file beside it at a glance, without touching either."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path

from agents.tools.asking.catalogue import SOURCES
from storage.encoding import stamp
from storage.errors import OlderSchema, StorageError
from storage.evidence_sources import EVIDENCE_SOURCES, evidence_source_of
from storage.migrate import builtin_migrations, version
from storage.models import EvidenceSource, SourceRow
from storage.rows import SOURCE_COLUMNS, source_row
from storage.source_requests import COUNT
from storage.untouched import open_untouched


@dataclass(frozen=True, slots=True)
class Glance:
    """Feeds, evidence sources and their used limits. `problem` says why they are not known."""

    feeds: tuple[SourceRow, ...] = ()
    evidence: tuple[EvidenceSource, ...] = ()
    used: Mapping[str, int] = field(default_factory=dict)
    problem: StorageError | None = None


def glance(database: Path, usage_file: Path, now: datetime) -> Glance:
    """What the running monitor last kept; raises nothing."""
    if not database.exists():
        return Glance(used=_used(usage_file, now))
    try:
        with open_untouched(database) as connection:
            if version(connection) < builtin_migrations()[-1].number:
                raise OlderSchema(f"{database} was written by an older version")
            feeds = connection.execute(f"SELECT {SOURCE_COLUMNS} FROM source WHERE subscribed = 1").fetchall()
            evidence = connection.execute(EVIDENCE_SOURCES).fetchall()
        return Glance(
            tuple(source_row(tuple(row)) for row in feeds),
            tuple(evidence_source_of(tuple(row)) for row in evidence),
            _used(usage_file, now),
        )
    except StorageError as error:
        return Glance(used=_used(usage_file, now), problem=error)


def _used(usage_file: Path, now: datetime) -> dict[str, int]:
    """Requests that went out within the hour or day of each source with a limit; nothing where none is counted."""
    try:
        with open_untouched(usage_file) as connection:
            return {
                name: int(connection.execute(COUNT, (name, stamp(limit.began(now)), stamp(now))).fetchone()[0])
                for name, info in SOURCES.items()
                if (limit := info.allowance) is not None
            }
    except StorageError:
        return {}


def spent_nano(usage_file: Path, day: date) -> int | None:
    """What calls to a model have cost on `day`, in nano-USD; None where nothing was ever spent here."""
    try:
        with open_untouched(usage_file) as connection:
            row = connection.execute("SELECT nano FROM spend WHERE day = ?", (day.isoformat(),)).fetchone()
            return int(row[0]) if row else 0
    except StorageError:
        return None
