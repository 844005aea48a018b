"""The files of an investigation: a price table and dated records, read like everything from outside."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo
from pathlib import Path

from agents.investigation.errors import InvestigationError, UnreadableTable
from agents.investigation.models import Effective, Record
from agents.investigation.moves.series import Series, read_table
from app.errors import AppError, UsageError
from app.lines.contract import ItemInput
from app.lines.items import Broken, read_items, to_item
from feeds.documents.dates import read_date
from feeds.models import Precision, Published, TimeDoubt

TABLE_LIMIT = 200 * 2**20
"""Largest price file in bytes."""


class RecordInput(ItemInput):
    """An item line; an official record may say when its act took effect."""

    effective_at: str | None = None


def read_prices(path: Path, symbol: str, zone: tzinfo | None) -> Series:
    """The series of a price file. Raises UsageError where it cannot be read, in one line that names the place."""
    try:
        if path.stat().st_size > TABLE_LIMIT:
            raise UsageError(f"{path}: larger than {TABLE_LIMIT // 2**20} MiB")
        return read_table(_text(path.read_bytes()), symbol=symbol, zone=zone, source=path.name)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: neither UTF-8 nor UTF-16 text") from error
    except UnreadableTable as error:
        raise UsageError(str(error)) from error
    except InvestigationError as error:
        raise AppError(str(error)) from error


def _text(body: bytes) -> str:
    """The text of a file; a spreadsheet's UTF-16 is known by its byte order mark."""
    return body.decode("utf-16" if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig")


def read_records(path: Path, now: datetime) -> tuple[list[Record], list[str]]:
    """(the records of a file of item lines, what is wrong with lines that are none)."""
    records, broken = [], []
    try:
        with path.open("rb") as stream:
            for line in read_items(stream, RecordInput):
                if isinstance(line, Broken):
                    broken.append(f"{path.name}: line {line.number}: {line.reason}; skipped")
                else:
                    records.append(_record(line.item, line.number, now))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error
    return records, broken


def known_until(records: Sequence[Record], series: Series | None, now: datetime) -> datetime:
    """The latest moment the files know of: what lies after it is still to come for them."""
    return min(now, max(_moments(records, series), default=now))


def _moments(records: Sequence[Record], series: Series | None) -> Iterator[datetime]:
    yield from (record.published_at for record in records if record.published_at)
    if series is not None:
        yield series.bars[-1].at + series.width


def _record(given: RecordInput, number: int, now: datetime) -> Record:
    item = to_item(given, now=now)
    published = item.published
    effective = _effective(given.effective_at, now)
    return Record(
        id=f"{number}:{item.id}",
        title=item.title,
        summary=item.summary,
        url=item.url,
        source=item.source_name,
        published_at=published.at,
        precision=_precision(published),
        effective=effective,
        tickers=item.tickers,
    )


def _precision(published: Published) -> Precision:
    """A time whose zone nobody knows says no more than the day."""
    if published.at is None:
        return "unknown"
    return "day" if published.doubt is TimeDoubt.ZONE_UNKNOWN else published.precision


def _effective(text: str | None, now: datetime) -> Effective | None:
    if not text:
        return None
    read = read_date(text, now=now)
    return None if read.at is None else Effective(read.at, read.precision)
