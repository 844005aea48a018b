"""Executive orders and proclamations of the President of the United States, dated by the day they were signed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Final

from agents.investigation.errors import SourceDown
from agents.investigation.models import Record
from agents.investigation.ports import Inquiry
from agents.investigation.sources import Now
from agents.tools.asking.access import Access
from agents.tools.asking.errors import SourceError
from agents.tools.sources import federal_register
from agents.tools.sources.federal_register import Signed
from feeds.models import Tier

PUBLISHER: Final = "The White House"
PUBLISHED_WITHIN: Final = timedelta(days=21)
"""The Federal Register prints a document some days after it was signed."""
AFTER: Final = timedelta(days=2)
_MOVING: Final = re.compile(
    r"\b(?:tariffs?|dut(?:y|ies)|imports?|exports?|trade|sanctions?|blocking property|currenc\w+|federal reserve|debt"
    r"|economic emergency|energy|oil|semiconductors?|steel|aluminum|investments?|hostilities|armed forces)\b",
    re.I,
)
"""What may move a price; most documents set up offices or name days."""


@dataclass(frozen=True, slots=True)
class PresidentialDocuments:
    """What was signed around a move, from the Federal Register, which can be asked about any days."""

    access: Access
    now: Now
    name: str = "US presidential documents"
    exhaustive: bool = True

    async def find(self, inquiry: Inquiry) -> Sequence[Record]:
        """The documents signed in the span; raises SourceDown."""
        since = inquiry.since.date()
        until = (inquiry.anchor.ends_at + AFTER).date()
        request = federal_register.presidential(since, until + PUBLISHED_WITHIN)
        try:
            got = await self.access.ask(request, federal_register.read_signed, self.now())
        except SourceError as error:
            raise SourceDown(str(error)) from error
        return [_record(one) for one in got.value if since <= one.signed <= until and _MOVING.search(one.title)]


def _record(one: Signed) -> Record:
    return Record(
        id=f"signed:{one.url or one.title}",
        title=one.title,
        summary=f"Signed {one.signed}, printed in the Federal Register {one.published}",
        url=one.url,
        source=PUBLISHER,
        published_at=datetime.combine(one.signed, time(0), UTC),
        precision="day",
        tier=Tier.OFFICIAL,
    )
