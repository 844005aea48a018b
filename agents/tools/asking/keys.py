"""The user's keys for public sources: who has one, who needs one, and that none of them is ever shown."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, Literal

from agents.tools.asking.catalogue import SOURCES

KeyState = Literal["none needed", "present", "missing", "optional"]
"""`optional`: the source answers without one and would answer better with it."""

WITH_CLAUDE: Final = "with Claude only"
_SHORTEST: Final = 6
"""What is shorter is no key, and hiding it would only hide words."""


class Keys:
    """What the environment gave, by the names of the catalogue, and which sources are switched off.

    `hosted`: a model thinks whose service answers the hosted sources.
    """

    def __init__(self, given: Mapping[str, str], disabled: Collection[str] = (), *, hosted: bool = False) -> None:
        self._given = {name: value.strip() for name, value in given.items() if value.strip()}
        self._disabled = frozenset(disabled)
        self._hosted = hosted

    def get(self, name: str) -> str:
        """The value of this name, or ""."""
        return self._given.get(name, "")

    def state(self, source: str) -> KeyState:
        """How the source stands as to its key."""
        info = SOURCES[source]
        if not info.keys:
            return "none needed"
        if all(name in self._given for name in info.keys):
            return "present"
        return "missing" if info.needs_key else "optional"

    def switched_off(self, source: str) -> bool:
        """Whether the user does not want it to be asked."""
        return source in self._disabled

    def lacks_model(self, source: str) -> bool:
        """Whether only the service of a model would answer, and no model thinks here."""
        return SOURCES[source].hosted and not self._hosted

    def unusable(self, source: str) -> str:
        """Why the source may not be asked at all, in words; "" where it may."""
        if self.switched_off(source):
            return "switched off"
        if self.lacks_model(source):
            return WITH_CLAUDE
        missing = [name for name in SOURCES[source].keys if name not in self._given]
        return f"needs {' and '.join(missing)}" if missing and SOURCES[source].needs_key else ""

    def hide(self, text: str) -> str:
        """`text` with every key taken out."""
        for value in self._given.values():
            if len(value) >= _SHORTEST:
                text = text.replace(value, "***")
        return text
