"""Addresses as they may be kept and shown: without the credentials that some feeds carry in them."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Final
from urllib.parse import urlsplit, urlunsplit

HIDDEN: Final = "***"
_SECRET_NAME: Final = re.compile(
    r"key|token|secret|pass|pwd|auth|sig(?:nature)?$|session|credential|^(?:sid|jwt|uuid|hash|code|k|t|p|u)$", re.I
)
_OPAQUE: Final = re.compile(r"(?=[^/]*[0-9])(?=[^/]*[A-Za-z])[A-Za-z0-9_~=%-]{20,}$")
"""A value of letters and digits that no person chose."""


def public_url(url: str) -> str:
    """`url` without user, password, and query values that are secret by their name or look."""
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return ""
    query = "&".join(map(_public, parts.query.split("&"))) if parts.query else ""
    return urlunsplit((parts.scheme, host, parts.path, query, ""))


def url_key(url: str) -> str:
    """A digest by which an address is known again that is not kept."""
    return blake2b(url.encode("utf-8", "replace"), digest_size=12).hexdigest()


def _public(pair: str) -> str:
    name, given, value = pair.partition("=")
    if not given:
        return HIDDEN if _OPAQUE.match(name) else name
    return f"{name}={HIDDEN}" if value and (_SECRET_NAME.search(name) or _OPAQUE.match(value)) else pair
