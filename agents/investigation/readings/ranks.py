"""How close a record stands to the act it tells of: the five ranks, by address, name and the words of the text.

The address decides before the name, since a name is typed by anybody. What nobody knows is commentary (D); what has no
date, and what a crowd says, is E.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from agents.investigation.models import Rank, Record
from feeds.models import Tier

Standing = Literal["official", "company", "newsroom", "crowd", "unknown"]

_KINDS: Final[tuple[Standing, ...]] = ("company", "newsroom", "crowd")


def standing(record: Record) -> Standing:
    """What kind of publisher a record comes from."""
    if record.tier is Tier.OFFICIAL:
        return "official"
    if record.tier is Tier.CROWD:
        return "crowd"
    if not record.url:
        return _by_name(record.source)
    parts = urlsplit(record.url.lower())
    host = (parts.hostname or "").removeprefix("www.")
    if any(f"{host}{parts.path}".startswith(account) for account in _lists()["official"]["accounts"]):
        return "official"
    if is_official_host(host):
        return "official"
    if _listed(host, _lists()["aggregator"]["hosts"]):
        return _by_name(record.source)
    for kind in _KINDS:
        if _listed(host, _lists()[kind]["hosts"]):
            return kind
    if _compiled("crowd", "host_words").search(host):
        return "crowd"
    if record.tier is Tier.NEWSROOM:
        return "newsroom"
    return "crowd" if _compiled("crowd", "names").search(record.source) else "unknown"


def is_official_host(host: str) -> bool:
    """Whether a host belongs to a government, a central bank or another body that publishes acts of its own."""
    rules = _lists()["official"]
    labels = host.split(".")
    if len(labels) >= 2 and labels[-2] in rules["second_level"] and len(labels[-1]) == 2:
        return True
    return host.endswith(tuple(rules["suffixes"])) or _listed(host, rules["hosts"])


def rank_of(record: Record, *, own_act: bool, indirect: bool = False) -> Rank:
    """The rank of a record for one hypothesis.

    `own_act` says that the publisher is the actor of the act itself; `indirect` that the record is data which fits the
    act without stating it.
    """
    if record.published_at is None and record.effective is None:
        return "E"
    who = standing(record)
    if indirect and who in ("official", "newsroom"):
        return "B"
    if who in ("official", "company"):
        return "A" if own_act else "B" if who == "official" else "C"
    if who == "crowd":
        return "E"
    if who == "unknown" or _compiled("words", "unnamed").search(record.text) or is_commentary(record):
        return "D"
    return "C"


def is_commentary(record: Record) -> bool:
    """Whether the text explains, argues or asks rather than reports."""
    return record.title.rstrip().endswith("?") or _compiled("words", "commentary").search(record.text) is not None


def _by_name(name: str) -> Standing:
    lists = _lists()
    if re.search(lists["official"]["person"], name, re.I) or _compiled("official", "names").search(name):
        return "official"
    for kind in _KINDS:
        if _compiled(kind, "names").search(name):
            return kind
    return "unknown"


def _listed(host: str, hosts: list[str]) -> bool:
    return any(host == one or host.endswith(f".{one}") for one in hosts)


@cache
def _compiled(section: str, key: str) -> re.Pattern[str]:
    return re.compile(_lists()[section][key], re.I | re.M)


@cache
def _lists() -> dict[str, Any]:
    return tomllib.loads(resources.files("agents.investigation.readings").joinpath("outlets.toml").read_text("utf-8"))
