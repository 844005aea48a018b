from __future__ import annotations

import pytest

from agents.investigation.models import Rank
from agents.investigation.readings.ranks import Standing, rank_of, standing
from tests.agents.investigation.builders import a_record

PLACES: list[tuple[str, str, Standing]] = [
    ("https://www.boj.or.jp/en/mopo/k1.htm", "Bank of Japan", "official"),
    ("https://www.mof.go.jp/english/1.html", "Ministry of Finance Japan", "official"),
    ("https://www.bls.gov/news.release/cpi.htm", "BLS", "official"),
    ("https://www.ons.gov.uk/1", "Office for National Statistics", "official"),
    ("https://www.ecb.europa.eu/press/1", "ECB", "official"),
    ("https://truthsocial.com/@realDonaldTrump/posts/1", "Donald J. Trump on Truth Social", "official"),
    ("https://truthsocial.com/@somebody/posts/1", "somebody", "crowd"),
    ("https://www.businesswire.com/news/1", "Business Wire", "company"),
    ("https://uk.reuters.com/article/1", "Reuters", "newsroom"),
    ("https://www.notreuters.com/article/1", "Reuters", "unknown"),
    ("https://boj.or.jp.attacker.example/1", "Bank of Japan", "unknown"),
    ("https://news.google.com/rss/articles/1", "Reuters", "newsroom"),
    ("https://news.google.com/rss/articles/1", "Moon Blog", "unknown"),
    ("https://x.com/tokyodesk/status/1", "X post", "crowd"),
    ("https://contrarian.example/1", "The Contrarian", "unknown"),
    ("", "Bank of England", "official"),
    ("", "Kyodo News", "newsroom"),
    ("", "Reddit post", "crowd"),
    ("", "Somebody", "unknown"),
]


@pytest.mark.parametrize(("url", "name", "expected"), PLACES)
def test_the_address_decides_before_the_name(url: str, name: str, expected: Standing) -> None:
    assert standing(a_record("Something happened", source=name, url=url)) == expected


BOJ = ("Bank of Japan", "https://www.boj.or.jp/en/1")
WIRE = ("Reuters", "https://www.reuters.com/1")


@pytest.mark.parametrize(
    ("text", "place", "own_act", "indirect", "expected"),
    [
        ("Statement on Monetary Policy", BOJ, True, False, "A"),
        ("Statement on Monetary Policy", BOJ, False, False, "B"),
        ("Projection of current account balances", BOJ, False, True, "B"),
        ("Brokers compare the projection with their forecasts", WIRE, False, True, "B"),
        ("Minister says the ministry acted", WIRE, False, False, "C"),
        ("Ministry acted, people familiar with the matter say", WIRE, False, False, "D"),
        ("Government weighs a new accord, sources say", WIRE, False, False, "D"),
        ("A columnist argues it was the machines", WIRE, False, False, "D"),
        ("It was the machines", ("Moon Blog", "https://moon.example/1"), False, False, "D"),
        ("they are in at 99", ("X post", "https://x.com/a/1"), False, False, "E"),
    ],
)
def test_ranks(text: str, place: tuple[str, str], own_act: bool, indirect: bool, expected: Rank) -> None:
    record = a_record(text, source=place[0], url=place[1])
    assert rank_of(record, own_act=own_act, indirect=indirect) == expected


def test_what_has_no_date_is_last_whoever_says_it() -> None:
    record = a_record("Statement", source=BOJ[0], url=BOJ[1], when=None)
    assert rank_of(record, own_act=True) == "E"


def test_a_question_is_no_report() -> None:
    assert rank_of(a_record("Did Tokyo step in to buy yen?"), own_act=False) == "D"
    assert rank_of(a_record("Tokyo stepped in to buy yen"), own_act=False) == "C"
