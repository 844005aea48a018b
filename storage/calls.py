"""Calls to a model as they were made, for the drill-down."""

from __future__ import annotations

import sqlite3
import zlib
from hashlib import sha256
from typing import Any, Final

from agents.calls import ModelCall, Usage
from storage.database import Database
from storage.encoding import Row, moment, stamp, storable

_TOLD: Final = (
    "call.stage, call.model, call.prompt_version, prompt.text,"
    " call.messages, call.reply, call.started_at, call.elapsed_ms, call.cause, call.detail, call.request_id,"
    " call.input_tokens, call.output_tokens, call.cache_write_tokens, call.cache_read_tokens, call.cost_nano,"
    " call.cached, call.attempts"
)
_CALLS: Final = (
    f"SELECT item.item_id, call.revision, call.agent, {_TOLD}"
    " FROM item JOIN call ON call.item = item.id JOIN prompt ON prompt.id = call.prompt"
    " WHERE item.item_id = ? AND call.revision = ? {}ORDER BY call.id"
)
CALLS_OF: Final = _CALLS.format("AND call.agent = ? ")
CALLS_OF_ALL: Final = _CALLS.format("")
CALLS_OF_INVESTIGATION: Final = (
    f"SELECT investigation.case_id, call.round, call.node, {_TOLD}"
    " FROM investigation JOIN investigation_call AS call ON call.investigation = investigation.key"
    " JOIN prompt ON prompt.id = call.prompt WHERE investigation.case_id = ? ORDER BY call.id"
)
_INSERT: Final = f"INSERT INTO {{}} VALUES (NULL, {', '.join('?' * 21)})"
_OF_ITEM: Final = ("SELECT id FROM item WHERE item_id = ?", _INSERT.format("call"))
_OF_CASE: Final = ("SELECT key FROM investigation WHERE case_id = ?", _INSERT.format("investigation_call"))
_INVESTIGATING: Final = frozenset({"read", "adjudicate"})


class Calls:
    """The tables of calls (`agents.calls.CallBook`), for items and for investigations."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, call: ModelCall) -> None:
        """Keeps a call. One for an item or a case that is not in this database (a text scored in passing) is not
        kept."""
        messages, reply = _packed(call.messages), _packed(call.reply)
        owner, insert = _OF_CASE if call.stage in _INVESTIGATING else _OF_ITEM

        def job(connection: sqlite3.Connection) -> None:
            row = connection.execute(owner, (call.item_id,)).fetchone()
            if row:
                connection.execute(insert, (row[0], *_values(call, _prompt(connection, call.fixed), messages, reply)))

        await self._database.write(job)


def call_of(row: Row) -> ModelCall:
    """A call from a row of CALLS_OF, CALLS_OF_ALL or CALLS_OF_INVESTIGATION."""
    item_id, revision, agent, stage, model, prompt_version, fixed, messages, reply, started_at, *rest = row
    elapsed_ms, cause, detail, request_id, told, said, written, read, cost_nano, cached, attempts = rest
    return ModelCall(
        item_id=item_id,
        revision=revision,
        agent=agent,
        stage=stage,
        model=model,
        prompt_version=prompt_version,
        fixed=fixed,
        messages=zlib.decompress(messages).decode(),
        reply=zlib.decompress(reply).decode(),
        started_at=moment(started_at),
        elapsed_ms=elapsed_ms,
        cause=cause,
        detail=detail,
        request_id=request_id,
        usage=Usage(told, said, written, read),
        cost_nano=cost_nano,
        cached=bool(cached),
        attempts=attempts,
    )


def _packed(text: str) -> bytes:
    return zlib.compress(storable(text).encode())


def _prompt(connection: sqlite3.Connection, text: str) -> int:
    """The row of a prompt; it is written once however often it is used."""
    digest = sha256(storable(text).encode()).hexdigest()
    row = connection.execute("SELECT id FROM prompt WHERE digest = ?", (digest,)).fetchone()
    if row:
        return int(row[0])
    made = connection.execute("INSERT INTO prompt (digest, text) VALUES (?, ?)", (digest, storable(text)))
    assert made.lastrowid is not None
    return made.lastrowid


def _values(call: ModelCall, prompt: int, messages: bytes, reply: bytes) -> tuple[Any, ...]:
    return (
        call.revision,
        call.agent,
        call.stage,
        call.model,
        call.prompt_version,
        prompt,
        messages,
        reply,
        stamp(call.started_at),
        call.elapsed_ms,
        call.cause,
        storable(call.detail),
        storable(call.request_id),
        call.usage.input_tokens,
        call.usage.output_tokens,
        call.usage.cache_write_tokens,
        call.usage.cache_read_tokens,
        call.cost_nano,
        call.cached,
        call.attempts,
    )
