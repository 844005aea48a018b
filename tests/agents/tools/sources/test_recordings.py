"""Every reader on recorded answers of the real source; these tests skip where the recordings are missing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agents.tools.asking.errors import NotAnAnswer, SourceError
from agents.tools.asking.request import Reply
from agents.tools.asking.verdicts import refusal
from agents.tools.series import by_series
from agents.tools.sources import (
    bls,
    central_banks,
    edgar,
    federal_register,
    frankfurter,
    fred,
    news,
    reddit,
    sanctions,
    stocktwits,
    yahoo,
    youtube,
)
from feeds.documents.parse_worker import parse_document
from feeds.models import ParsedFeed
from feeds.network.http import Response

Recorded = Callable[[str], Reply]


@pytest.fixture
def recorded(shared: Path) -> Recorded:
    def read(name: str) -> Reply:
        return Reply(200, "", (shared / "fixtures" / name).read_bytes(), "https://source.example/")

    return read


def parsed(reply: Reply) -> ParsedFeed:
    return parse_document(reply.body, "text/xml", base_url=reply.url, now=datetime(2027, 1, 1, tzinfo=UTC))


def at(year: int, month: int, day: int, hour: int = 0, minute: int = 0, second: int = 0) -> datetime:
    return datetime(year, month, day, hour, minute, second, tzinfo=UTC)


def test_federal_register_dates_are_days(recorded: Recorded) -> None:
    (item,) = federal_register.read(recorded("federal_register_documents.json"))
    assert (item.at, item.precision) == (at(2026, 6, 10), "day")
    assert item.text == "Presidential Document: Strengthening Customs Enforcement"
    assert item.source == "Federal Register, Executive Office of the President"


def test_the_sdn_list_finds_names_in_text(recorded: Recorded) -> None:
    listed = sanctions.read_ofac(recorded("ofac_sdn_trimmed.csv"))
    (hit,) = listed.named_in("Ties to the Iran Aircraft Manufacturing Industrial Co. are denied", single=False)
    assert (hit.number, hit.programs) == ("11195", "NPWMD, IFSR, IRAN-CON-ARMS-EO")
    assert listed.named_in("Aircraft manufacturing in Iran", single=True) == ()


def test_gdelt_gives_first_seen_times(recorded: Recorded) -> None:
    first, second = news.read_gdelt(recorded("gdelt_doc_artlist_shape.json"))
    assert (first.at, first.precision, first.time_kind) == (at(2026, 8, 5, 11, 30), "minute", "first_seen")
    assert second.source == "example.org"
    with pytest.raises(NotAnAnswer, match="Please limit requests"):
        news.read_gdelt(recorded("gdelt_429_body.txt"))


def test_google_news_names_the_true_outlet(recorded: Recorded) -> None:
    first = parsed(recorded("google_news_search.rss.xml")).entries[0]
    assert first.outlet == "Reuters"
    assert not first.title.endswith("Reuters")
    assert first.published.at == at(2026, 7, 16, 14, 15, 7)


def test_reddit_signed_in_has_scores_and_the_feed_has_none(recorded: Recorded) -> None:
    posts = reddit.read_search(recorded("reddit_oauth_subreddit_search.json"))
    assert len(posts) == 12
    assert all(post.score is not None and post.at is not None and post.url for post in posts)
    first, second = reddit.posts_of(parsed(recorded("reddit_search.atom.xml")))
    assert (first.score, first.comments, first.at) == (None, None, at(2026, 5, 20, 14, 30))
    assert first.text == "NVDA earnings beat, stock pops. Great quarter for NVDA's datacenter unit."
    assert second.at == at(2026, 5, 19, 9)


def test_apewisdom_counts_come_as_text(recorded: Recorded) -> None:
    counted = reddit.read_ape_wisdom(recorded("apewisdom_page.json"))
    assert (counted["MU"].mentions, counted["MU"].before) == (14.0, 15.0)


def test_stocktwits_tags_are_its_writers_own(recorded: Recorded) -> None:
    messages = stocktwits.read(recorded("stocktwits_stream_symbol_AAPL.json"))
    assert [sum(message.tag == tag for message in messages) for tag in (1, -1, 0)] == [7, 5, 18]
    assert all(message.at is not None and "&amp;" not in message.text for message in messages)


def test_youtube_channels_give_titles_with_times(recorded: Recorded) -> None:
    posts = youtube.videos_of(parsed(recorded("youtube_channel_videos.atom.xml")), "Example Channel")
    assert (posts[0].at, posts[0].place) == (at(2026, 1, 2, 17, 10, 39), "Example Channel")


def test_bis_leaves_out_days_without_an_observation(recorded: Recorded) -> None:
    series = by_series(central_banks.read_csv(recorded("bis_cbpol_dataonly.csv"), "REF_AREA"))
    assert [one.value for one in series["BR"]] == [14.5, 14.25]
    assert [one.value for one in series["TH"]] == [1.0]


def test_ecb_rates_by_currency(recorded: Recorded) -> None:
    series = by_series(central_banks.read_csv(recorded("ecb_exr_csvdata.csv"), "CURRENCY"))
    assert (series["AUD"][0].at, series["AUD"][0].value) == (at(2026, 2, 17), 1.6776)
    with pytest.raises(NotAnAnswer):
        central_banks.read_csv(recorded("boj_error.json"), "CURRENCY")


def test_the_bank_of_japan_hides_its_errors_in_a_200(recorded: Recorded) -> None:
    series = by_series(central_banks.read_boj(recorded("boj_getDataCode_FM08.json")))
    assert (series["FXERD04"][0].at, series["FXERD04"][0].value) == (at(2026, 3, 2), 156.99)
    with pytest.raises(NotAnAnswer, match="status 400 inside"):
        central_banks.read_boj(recorded("boj_error.json"))


def test_bls_months(recorded: Recorded) -> None:
    first = bls.read(recorded("bls_timeseries_v2.json"))[0]
    assert (first.at, first.precision, first.value) == (at(2022, 12, 1), "month", 0.522)


def test_fred_with_a_key(recorded: Recorded) -> None:
    first = fred.read_keyed("DEXJPUS", recorded("fred_observations_DEXJPUS.json"))[0]
    assert (first.at, first.value) == (at(2026, 3, 2), 157.48)


def test_frankfurter_leaves_out_the_identity(recorded: Recorded) -> None:
    rates = frankfurter.read(recorded("frankfurter_v2_rates.json"))
    assert {one.series: one.value for one in rates} == {"EURGBP": 0.8623, "EURUSD": 1.089}


@pytest.mark.parametrize(
    ("name", "bars", "currency", "kind"),
    [
        ("AAPL_1d_split_div", 49, "USD", "EQUITY"),
        ("AAPL_1m_weekend_no_bars", 0, "USD", "EQUITY"),
        ("EURUSD_1d", 3, "USD", "CURRENCY"),
        ("GC_F_1d", 1, "USD", "FUTURE"),
    ],
)
def test_yahoo_bars(recorded: Recorded, name: str, bars: int, currency: str, kind: str) -> None:
    chart = yahoo.read_chart(recorded(f"yahoo_chart_{name}.json"))
    assert (len(chart), chart.currency, chart.kind) == (bars, currency, kind)
    assert list(chart.bars) == sorted(chart.bars, key=lambda bar: bar.at)
    assert all(bar.low <= bar.close <= bar.high for bar in chart.bars)


def test_yahoo_peers(recorded: Recorded) -> None:
    symbols = yahoo.read_alike(recorded("yahoo_recommendationsbysymbol_AAPL.json"))
    assert symbols == ("AMZN", "TSLA", "GOOG", "META", "MSFT")


def test_edgar_filers_and_their_industry(recorded: Recorded) -> None:
    tickers = edgar.read_tickers(recorded("sec_company_tickers_trimmed.json"))
    filer = tickers.filer("AAPL")
    assert filer is not None
    assert (filer.cik, filer.title) == (320193, "Apple Inc.")
    with pytest.raises(NotAnAnswer, match="cut off at 40 rows"):
        tickers.filer("ZZZZ")
    assert edgar.read_industry(recorded("sec_submissions_trimmed.json")).code == "3711"
    assert edgar.read_industry(recorded("sec_submissions_2026_utc_trimmed.json")).words == "Electronic Computers"


def test_the_stream_of_filings_keeps_its_offset(recorded: Recorded) -> None:
    first = parsed(recorded("edgar_getcurrent.atom")).entries[0]
    assert first.title == "8-K - Biohaven Ltd. (0001935979) (Filer)"
    assert first.published.at == at(2026, 1, 12, 16, 19, 8)


@pytest.mark.parametrize(
    ("name", "fault", "words"),
    [
        ("sec_403_undeclared_tool.html", "refused", "set network.contact to your mail address"),
        ("sec_429_rate_threshold.html", "limited", "blocks for ten minutes"),
    ],
)
def test_the_block_pages_of_the_sec_are_told_apart(recorded: Recorded, name: str, fault: str, words: str) -> None:
    error = refusal(Response(403, {}, recorded(name).body, "https://www.sec.gov/", (), 1.0))
    assert error.fault == fault
    assert words in str(error)


READERS: dict[str, Callable[[Reply], Any]] = {
    "federal_register": federal_register.read,
    "ofac": sanctions.read_ofac,
    "un": sanctions.read_un,
    "opensanctions": sanctions.read_open_sanctions,
    "gdelt": news.read_gdelt,
    "reddit": reddit.read_search,
    "apewisdom": reddit.read_ape_wisdom,
    "stocktwits": stocktwits.read,
    "youtube": youtube.read_search,
    "bis": lambda reply: central_banks.read_csv(reply, "REF_AREA"),
    "boj": central_banks.read_boj,
    "bls": bls.read,
    "fred": fred.read,
    "fred_api": lambda reply: fred.read_keyed("X", reply),
    "frankfurter": frankfurter.read,
    "yahoo": yahoo.read_chart,
    "yahoo peers": yahoo.read_alike,
    "tickers": edgar.read_tickers,
    "industry": edgar.read_industry,
    "companies": edgar.read_companies,
    "full text": edgar.read_full_text,
}
INSIDE: tuple[tuple[str, bytes], ...] = (
    ("boj", b'{"STATUS": 400, "RESULTSET": []}'),
    ("stocktwits", b'{"response": {"status": 429}, "messages": []}'),
    ("bls", b'{"status": "REQUEST_NOT_PROCESSED", "Results": {"series": []}}'),
    ("yahoo", b'{"chart": {"result": null, "error": {"code": "Unprocessable Entity"}}}'),
)


@pytest.mark.parametrize(("name", "body"), INSIDE)
def test_an_error_inside_a_200_is_an_error(name: str, body: bytes) -> None:
    with pytest.raises(NotAnAnswer):
        READERS[name](Reply(200, "application/json", body, "https://source.example/"))


NO_ANSWERS = {
    "nothing": b"",
    "text": b"The specified phrase is too short",
    "a list": b"[1, 2]",
    "null": b"null",
    "an error": b'{"error": {"message": "bad"}, "message": "bad", "status": "REQUEST_NOT_PROCESSED"}',
    "cut": b'{"results": [{"a": 1}, {"b"',
}


@pytest.mark.parametrize(("name", "body"), [(name, body) for name in READERS for body in NO_ANSWERS])
def test_a_200_that_is_no_answer_is_never_read_as_nothing_there(name: str, body: str) -> None:
    with pytest.raises((SourceError, AttributeError, TypeError, KeyError)):
        READERS[name](Reply(200, "application/json", NO_ANSWERS[body], "https://source.example/"))
