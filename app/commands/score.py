"""`tapewatch score`: items in, signals out, nothing written to the database."""

from __future__ import annotations

import asyncio
import io
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from app.commands.options import Options, global_options
from app.errors import NothingScored, UsageError

if TYPE_CHECKING:
    from agents.models import Signal
    from app.lines.contract import ItemInput
    from app.lines.items import Broken, Given
    from feeds.models import Item

HEAD = 2**16
NAMED_LINES = 50
"""So many broken lines are named one by one; the rest is counted."""
_FILE_ENDINGS = (".jsonl", ".ndjson", ".json", ".txt", ".csv", ".xml")


@click.command("score")
@click.argument("source", metavar="[FILE|-|TEXT]", required=False)
@click.option("--json", "as_json", is_flag=True, help="One signal per line on stdout, in input order.")
@click.option("--no-tools", is_flag=True, help="Score without evidence and without the network.")
@click.option("--lines", is_flag=True, help="Each line of a plain text is a headline of its own.")
@click.option("--schema", is_flag=True, help="Print the JSON schema of an output line and stop.")
@global_options
def command(source: str | None, as_json: bool, no_tools: bool, lines: bool, schema: bool, options: Options) -> None:
    """Score items: a FILE of JSON lines, a JSON array or plain text, - for stdin, or the TEXT of one headline.

    A plain text is one item, its first line the title; with --lines it is one headline a line.
    """
    if schema:
        from app.lines import contract

        click.echo(json.dumps(contract.schema(), indent=2))
        return
    from app.log import logging_to

    tally = _Tally()
    with logging_to(None, debug=options.debug, quiet=True), _given(source, lines, tally) as items:
        asyncio.run(_score(items, options, tally, as_json=as_json, no_tools=no_tools))
    tally.conclude(source or "-")


async def _score(
    items: Iterable[Given[ItemInput] | Broken], options: Options, tally: _Tally, *, as_json: bool, no_tools: bool
) -> None:
    from app.lines.contract import signal_line
    from app.lines.in_order import in_order
    from app.lines.text import readable
    from app.wiring.desk import items_at_once, open_desk

    out, config = sys.stdout, options.load()
    archive = await asyncio.to_thread(_existing, options.database_file)
    opened = open_desk(config, archive=archive, tools=not no_tools, usage_file=options.usage_file)
    async with opened as desk:

        async def judged(item: Item) -> tuple[Item, Signal]:
            return item, await desk.judge(item, now=item.first_seen_at)

        async for item, signal in in_order(_whole(items, tally), judged, items_at_once(config)):
            tally.scored += signal.synthesis is not None
            line = signal_line(item, signal).model_dump_json() if as_json else readable(item, signal)
            out.write(f"{line}\n")
    out.flush()


def _whole(items: Iterable[Given[ItemInput] | Broken], tally: _Tally) -> Iterator[Item]:
    """The items of the lines that are not broken."""
    from app.lines.items import Broken, to_item

    for given in items:
        if isinstance(given, Broken):
            tally.broken(given)
            continue
        item = to_item(given.item, now=datetime.now(UTC))
        tally.seen(item.id, given)
        yield item


class _Tally:
    """What came of the input: how many were scored, which lines were broken."""

    def __init__(self) -> None:
        self.scored = 0
        self.unit = "line"
        self._broken = 0
        self._items = 0
        self._lines: dict[int, int] = {}

    def broken(self, line: Broken) -> None:
        """Names the line; past a limit it is only counted."""
        self._broken += 1
        if self._broken <= NAMED_LINES:
            click.echo(f"tapewatch: {self.unit} {line.number}: {line.reason}; skipped", err=True)

    def seen(self, item_id: str, given: Given[ItemInput]) -> None:
        """Says when an id was given before: whoever joins on ids must know. Both are scored."""
        self._items += 1
        if given.item.id is None:
            return
        first = self._lines.setdefault(hash(item_id), given.number)
        if first != given.number:
            before = f"id was used on {self.unit} {first} already; scored all the same"
            click.echo(f"tapewatch: {self.unit} {given.number}: {before}", err=True)

    def conclude(self, name: str) -> None:
        """Ends with 3 where nothing was scored and with 1 where a line was broken."""
        if self._broken > NAMED_LINES:
            click.echo(f"tapewatch: {self._broken - NAMED_LINES} more broken {self.unit}s", err=True)
        if not self.scored:
            held = (
                f"every {self.unit} is broken"
                if self._broken
                else "no agent could score an item"
                if self._items
                else "empty"
            )
            raise NothingScored(f"{_called(name)}: nothing scored, {held}")
        if self._broken:
            click.get_current_context().exit(1)


@contextmanager
def _given(source: str | None, lines: bool, tally: _Tally) -> Iterator[Iterable[Given[ItemInput] | Broken]]:
    """The items behind the argument, read as they are asked for."""
    from app.lines.items import Given, text_item

    if source is None and sys.stdin.isatty():
        raise UsageError("score: nothing to score; give a FILE, - for stdin, or a headline in quotes")
    if source is None or source == "-":
        yield _items(sys.stdin.buffer, "stdin", tally, lines=False, headlines=lines)
        return
    path = _file(source)
    if path is None:
        yield (Given(1, text_item(source)),)
        return
    try:
        stream = path.open("rb", buffering=HEAD)
    except OSError as error:
        raise UsageError(f"{source}: cannot be read ({error.strerror})") from error
    with stream:
        yield _items(stream, source, tally, lines=path.suffix in (".jsonl", ".ndjson"), headlines=lines)


def _existing(path: Path) -> Path | None:
    return path if path.exists() else None


def _file(source: str) -> Path | None:
    """The file that `source` names; None where it is a headline."""
    if not source.strip():
        return None
    path = Path(source)
    try:
        if path.is_dir():
            raise UsageError(f"{source}: a directory; give a file of JSON lines")
        if path.exists():
            return path
    except (OSError, ValueError):
        return None
    if " " not in source and source.lower().endswith(_FILE_ENDINGS):
        raise UsageError(f"{source}: no such file")
    return None


def _items(
    stream: BinaryIO, name: str, tally: _Tally, *, lines: bool, headlines: bool
) -> Iterable[Given[ItemInput] | Broken]:
    """A JSON document, JSON lines or a plain text, told apart by the beginning of the stream."""
    from app.lines.contract import ItemInput
    from app.lines.documents import looks_like_document, read_document
    from app.lines.items import Given, looks_like_lines, read_headlines, read_items, read_text, refuse_binary

    head = stream.peek(HEAD) if isinstance(stream, io.BufferedReader) else b""
    refuse_binary(head, name)
    if headlines:
        return read_headlines(stream, name)
    if not lines and looks_like_document(head):
        tally.unit = "item"
        return read_document(stream, ItemInput)
    if lines or not head.strip() or looks_like_lines(head):
        return read_items(stream, ItemInput)
    text = read_text(stream, name)
    if (count := len((text.summary or "").splitlines()) + 1) > 1:
        click.echo(
            f"tapewatch: {_called(name)}: read as one text of {count} lines; --lines takes each for a headline",
            err=True,
        )
    return (Given(1, text),)


def _called(name: str) -> str:
    return "stdin" if name == "-" else name if len(name) <= 80 else "the text"
