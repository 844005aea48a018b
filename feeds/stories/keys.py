"""The keys under which an entry of a feed is remembered."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode, urlsplit

from feeds.models import Entry
from feeds.stories.meaning import digest, words

_TRACKING = frozenset(
    (
        "fbclid",
        "gclid",
        "dclid",
        "msclkid",
        "igshid",
        "mc_cid",
        "mc_eid",
        "cmpid",
        "ncid",
        "xtor",
        "ito",
        "ref_src",
        "rss",
    )
)


def keys(entry: Entry) -> tuple[str, ...]:
    """The keys of an entry, strongest first: guid, guid without its address, link, content, then time and text.

    Each is a letter and 16 hexadecimal digits; they have a meaning within one source only.
    """
    title, text = " ".join(words(entry.title)), " ".join(entry.summary.casefold().split())
    at = entry.published.at
    exact = at.isoformat() if at and entry.published.precision in ("second", "minute") else ""
    ladder = [
        ("g", entry.guid),
        ("a", _alias(entry.guid)),
        ("l", _address(entry.url, with_host=True)),
        ("c", f"{title}\n{at.isoformat() if at else ''}\n{text}"),
        ("d", f"{exact}\n{title.split(' ')[0]}" if exact else ""),
    ]
    if text and text != title:
        ladder.append(("b", text))
    return tuple(f"{kind}:{digest(value)}" for kind, value in ladder if value)


def _alias(guid: str) -> str:
    return _address(guid, with_host=False) if guid[:8].casefold().startswith(("http://", "https://")) else ""


def _address(url: str, *, with_host: bool) -> str:
    """An address without scheme, "www.", trailing slash and tracking; "" for a bare host, which names no item."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    query = [(k, v) for k, v in parse_qsl(parts.query, keep_blank_values=True) if not _is_tracking(k)]
    fragment = "" if _is_tracking(parts.fragment.partition("=")[0]) else parts.fragment
    rest = (
        parts.path.rstrip("/")
        + ("?" + urlencode(sorted(query)) if query else "")
        + ("#" + fragment if fragment else "")
    )
    if not rest:
        return ""
    return parts.netloc.casefold().removeprefix("www.") + rest if with_host else rest


def _is_tracking(name: str) -> bool:
    return name.casefold().startswith(("utm_", "at_", "mtm_", "pk_")) or name.casefold() in _TRACKING
