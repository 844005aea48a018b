"""What the database knows: whether it can be used, how feeds and evidence sources were doing, what today has cost."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from agents.tools.asking.catalogue import SOURCES
from app.config.config import Config
from app.doctor.finding import Finding, age, bad, ok, size, warn
from app.errors import ConfigError
from feeds.models import Source
from storage.checkup import Glance
from storage.errors import DatabaseBusy, OlderSchema
from storage.models import EvidenceSource, SourceRow
from storage.untouched import Examined

LITTLE: Final = 1_000_000_000
TOO_LITTLE: Final = 100_000_000
LARGE_LOG: Final = 64 * 2**20
FAILING_MANY: Final = 0.5
"""From this share of failing feeds on something is wrong here and not there."""


def database(path: Path, found: Examined) -> Iterator[Finding]:
    """Whether the file can be used by this program."""
    yield ok("database", "file", f"{path}, {size(found.bytes)}" if found.exists else f"{path}, made at the first start")
    if found.problem is not None:
        words = str(found.problem)
        if isinstance(found.problem, DatabaseBusy):
            yield warn("database", "use", words, "end the other program, or wait until it is done")
        else:
            yield bad("database", "use", words, "name another file with --db")
    elif found.exists and found.bytes:
        yield _version(found)
        yield _sound(path, found)
    yield ok("database", "instance", f"in use by {found.held_by}" if found.held_by else "not in use")
    if found.readable_by_others:
        yield warn("database", "access", "other users of this machine may read the file", f"chmod 600 {path}")
    if found.log_bytes > LARGE_LOG:
        words = f"its log has {size(found.log_bytes)}: a reader holds an old state open"
        yield warn("database", "log", words, "end programs that read the database")
    yield _disk(path, exists=found.exists)


def _version(found: Examined) -> Finding:
    if found.schema == found.wanted:
        return ok("database", "version", f"schema {found.schema}")
    words = f"schema {found.schema} of {found.wanted}"
    return ok("database", "version", words, "the next start brings it up to date and keeps a copy beside it")


def _sound(path: Path, found: Examined) -> Finding:
    if found.soundness == "damaged":
        words = f"damaged: {found.fault}"
        return bad("database", "content", words, f"move {path} away; a new one is made at the next start")
    if found.soundness == "not all checked":
        return ok("database", "content", "no fault in the part that was checked", "--full checks every page")
    return ok("database", "content", "sound")


def _disk(path: Path, *, exists: bool) -> Finding:
    folder = path.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    if not os.access(path if exists else folder, os.W_OK):
        fix = "change its owner or permissions, or name another file with --db"
        return bad("database", "disk", f"{path if exists else folder} may not be written", fix)
    free = shutil.disk_usage(folder).free
    words = f"{size(free)} free"
    if free < TOO_LITTLE:
        return bad("database", "disk", words, "free some: without space nothing new is kept")
    return warn("database", "disk", words, "free some soon") if free < LITTLE else ok("database", "disk", words)


def feeds(config: Config, glance: Glance, now: datetime) -> Iterator[Finding]:
    """How many feeds are polled, which fail and why."""
    from app.wiring.sources import subscribed_sources

    try:
        polled: Sequence[Source] = subscribed_sources(config)
    except ConfigError as error:
        yield bad("feeds", "list", str(error), "correct [feeds]")
        return
    if not polled:
        yield bad("feeds", "polled", "none", "set builtin = true under [feeds], or add some: `tapewatch feeds add URL`")
        return
    if glance.problem is not None or not glance.feeds:
        yield ok(
            "feeds", "polled", f"{len(polled)}; {_unknown(glance)}", "`tapewatch feeds check --all` asks each once"
        )
        return
    ids = {source.id for source in polled}
    known = [row for row in glance.feeds if row.source.id in ids]
    failing = [row for row in known if row.state.status == "failing"]
    seen = max((row.state.last_checked_at for row in known if row.state.last_checked_at), default=None)
    when = f", {age((now - seen).total_seconds())} ago" if seen else ""
    words = f"{len(polled)}, {len(failing)} failing{when}"
    if len(failing) > FAILING_MANY * len(known):
        yield bad("feeds", "polled", words, "see whether this machine reaches the network at all")
    else:
        yield ok("feeds", "polled", words)
    yield from (_failing(row, now) for row in failing)


def _failing(row: SourceRow, now: datetime) -> Finding:
    since = row.state.last_ok_at
    last = f"last answer {age((now - since).total_seconds())} ago" if since else "has never answered"
    return warn(
        "feeds",
        row.source.id,
        f"{row.state.last_error or 'failing'}; {last}",
        f"it is tried again by itself; `tapewatch feeds remove {row.source.id}` leaves it out",
    )


def evidence(config: Config, glance: Glance, now: datetime) -> Iterator[Finding]:
    """How the sources of the tools were doing when the monitor last looked."""
    if not config.tools.enabled:
        yield ok(
            "evidence", "sources", "switched off: agents score without the network", "enabled = true under [tools]"
        )
        return
    if glance.problem is not None or not glance.evidence:
        yield ok("evidence", "sources", f"{len(SOURCES)}; {_unknown(glance)}", "--online asks each tool once")
        return
    asked = [one for one in glance.evidence if one.standing not in _NOT_ASKED]
    answering = [one for one in asked if one.standing == "answering"]
    seen = max(one.seen_at for one in glance.evidence)
    ago = age((now - seen).total_seconds())
    words = f"{len(answering)} of {len(asked)} that were asked answered, as of {ago} ago"
    if asked and not answering:
        yield bad("evidence", "sources", words, "see whether this machine reaches the network at all")
    else:
        yield ok("evidence", "sources", words)
    yield from (_source(one, glance.used.get(one.name), now) for one in asked)


_NOT_ASKED: Final = ("not asked yet", "switched off", "no key", "with Claude only")


def _source(one: EvidenceSource, used: int | None, now: datetime) -> Finding:
    """One source: state, latency, its limit, its last error."""
    told = [one.standing]
    if one.latency_ms is not None:
        told.append(f"{one.latency_ms:.0f} ms")
    used = one.used if used is None else used
    if one.most is not None and used is not None:
        told.append(f"{used} of {one.most} requests")
    if one.standing == "answering":
        if one.last_error and one.last_error_at:
            told.append(f"last error {age((now - one.last_error_at).total_seconds())} ago: {one.last_error}")
        return ok("evidence", one.name, ", ".join(told))
    told.append(one.reason or one.last_error)
    wait = (one.next_try_at - now).total_seconds() if one.next_try_at else 0
    fix = f"asked again in {age(wait)}" if wait > 0 else "asked again when an item needs it"
    return warn("evidence", one.name, ", ".join(part for part in told if part), f"{fix}; other sources stand in")


def _unknown(glance: Glance) -> str:
    """Why nothing is known of how they do."""
    if glance.problem is None:
        return "not asked yet"
    if isinstance(glance.problem, OlderSchema):
        return "how they do is known after the next start"
    return "how they do is not known without the database"
