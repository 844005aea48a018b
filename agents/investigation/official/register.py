"""Documents of the US agencies that name a company, from the Federal Register, which can be asked about any days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from agents.investigation.errors import SourceDown
from agents.investigation.models import Record
from agents.investigation.ports import Inquiry
from agents.investigation.sources import Now
from agents.tools.asking.access import Access
from agents.tools.asking.errors import SourceError
from agents.tools.sources import federal_register
from feeds.models import Tier

AFTER: Final = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class RegisterDocuments:
    """The documents of the days around a move that hold the company's name."""

    access: Access
    now: Now
    name: str = "Federal Register"
    exhaustive: bool = True

    async def find(self, inquiry: Inquiry) -> Sequence[Record]:
        """The documents, dated to the day; raises SourceDown."""
        case, until = inquiry.case, (inquiry.anchor.ends_at + AFTER).date()
        request = federal_register.named((case.names or (case.symbol,))[0], inquiry.since.date(), until)
        try:
            got = await self.access.ask(request, federal_register.read, self.now())
        except SourceError as error:
            raise SourceDown(str(error)) from error
        return [
            Record(one.url or one.text, one.text, "", one.url, one.source, one.at, one.precision, tier=Tier.OFFICIAL)
            for one in got.value
        ]
