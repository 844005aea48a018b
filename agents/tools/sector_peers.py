"""`sector_peers`: companies of the same industry: the offline table at once, then Yahoo's and the SEC's view."""

from __future__ import annotations

from typing import Final

from agents.models import EvidenceItem
from agents.tools.peers import SectorPeers
from agents.tools.protocol import Question
from agents.tools.reach import Reach
from agents.tools.sourced import Answer, Chain, SourcedTool, Step, answer
from agents.tools.sources import edgar, yahoo

PEERS: Final = 6


def build(reach: Reach) -> SourcedTool:
    """The offline table answers always; what is asked beside it may fail."""
    chains = (Chain((_yahoo(reach),), needed=False), Chain((_sec(reach),), needed=False))
    return SourcedTool("sector_peers", chains, reach.access.keys, SectorPeers(reach.symbols))


def _yahoo(reach: Reach) -> Step:
    async def part(question: Question) -> Answer | None:
        company = reach.companies.first(question)
        if company is None:
            return None
        got = await reach.access.ask(yahoo.alike(company.symbol), yahoo.read_alike, question.now)
        url = f"https://finance.yahoo.com/quote/{yahoo.spelled(company.symbol)}"
        items = [
            _peer(f"{symbol}: looked at together with {company.symbol}", url, got.source, question)
            for symbol in got.value[:PEERS]
        ]
        return answer(got, items)

    return Step("yahoo", part)


def _sec(reach: Reach) -> Step:
    """Filers that chose the same industry code. It is coarse (all carmakers are one), so the code is told."""

    async def part(question: Question) -> Answer | None:
        company = reach.companies.first(question)
        if company is None:
            return None
        tickers = await reach.access.ask(edgar.tickers(), edgar.read_tickers, question.now)
        filer = tickers.value.filer(company.symbol)
        if filer is None:
            return answer(tickers, (), f"{company.symbol} does not file with the SEC")
        industry = await reach.access.ask(edgar.submissions(filer.cik), edgar.read_industry, question.now)
        if not industry.value.code:
            return answer(industry, (), f"{company.symbol} has no industry code")
        got = await reach.access.ask(edgar.companies(industry.value.code), edgar.read_companies, question.now)
        same = [tickers.value.by_cik[cik] for cik in got.value if cik in tickers.value.by_cik and cik != filer.cik]
        what = f"same SIC {industry.value.code} as {company.symbol} ({industry.value.words})"
        items = [_peer(f"{one.symbol} {one.title}: {what}", got.url, got.source, question) for one in same[:PEERS]]
        return answer(got, items)

    return Step("edgar", part)


def _peer(text: str, url: str, source: str, question: Question) -> EvidenceItem:
    """A standing relation: known when asked, of no day of its own."""
    return EvidenceItem(text, url, source, question.now, "day", "observation")
