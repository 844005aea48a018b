"""Stories: the same event from many outlets is one; events that only look alike stay apart."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from feeds.stories.likeness import same_figure
from feeds.stories.story import Sketch, StoryIndex, StoryMatch, sketch
from tests.feeds.stories.story_cases import ONE_EVENT, TWO_EVENTS


def report(
    title: str, at: datetime, *, summary: str = "", story: str = "", outlet: str = "", item: str | None = None
) -> Sketch:
    name = item or f"{title}|{outlet}"
    return sketch(name, story or name, title, summary, outlet, at)


def told(now: datetime, *titles: str) -> StoryIndex:
    """An index in which all these titles are one story, a minute apart."""
    index = StoryIndex()
    for minute, title in enumerate(titles):
        index.add(report(title, now + timedelta(minutes=minute), story="story", outlet=f"outlet {minute}"))
    return index


def match(one: str, other: str, now: datetime, apart: timedelta = timedelta(hours=1)) -> StoryMatch | None:
    return told(now, one).match(report(other, now + apart, outlet="second"), now + apart)


@pytest.mark.parametrize("titles", ONE_EVENT.values(), ids=ONE_EVENT.keys())
def test_reports_of_one_event_become_one_story_in_any_order(titles: tuple[str, ...], now: datetime) -> None:
    for order in itertools.permutations(titles) if len(titles) < 4 else [titles, titles[::-1]]:
        index, stories = StoryIndex(), set()
        for minute, title in enumerate(order):
            at = now + timedelta(minutes=minute)
            new = report(title, at, outlet=f"outlet {minute}")
            found = index.match(new, at)
            new = replace(new, story_id=found.story_id) if found else new
            stories.add(new.story_id)
            index.add(new)
        assert len(stories) == 1, order


@pytest.mark.parametrize(("one", "other"), TWO_EVENTS)
def test_events_that_only_look_alike_stay_apart(one: str, other: str, now: datetime) -> None:
    assert match(one, other, now) is None
    assert match(other, one, now) is None


def test_the_match_says_what_is_new(now: datetime) -> None:
    index = told(now, "Orion Energy in talks to acquire Halcyon, sources say")

    agreed = index.match(report("Orion Energy agrees to buy Halcyon for $9 billion", now, outlet="b"), now)
    assert agreed
    assert agreed.new_fact
    assert not agreed.syndicated

    again = index.match(report("Orion Energy considers acquiring Halcyon", now, outlet="c"), now)
    assert again
    assert not again.new_fact


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("Nordia Steel halts its mill in Orlow", "Mill of Nordia Steel halted"),
        ("Acme Robotics files for bankruptcy", "Bankrupt: Acme Robotics seeks protection"),
        ("Boeing CEO to step down", "Chief executive of Boeing resigns"),
        ("SEC charges Larkin Capital with fraud", "Fraud charges against Larkin Capital filed by SEC"),
        ("Orion Energy to buy Halcyon for $9 billion", "Halcyon to be bought by Orion Energy for $9bn"),
        ("Velda cuts full-year forecast on weak demand", "Weak demand forces Velda to lower its outlook"),
        ("Fed cuts rates by 25 basis points", "Quarter-point rate cut by Federal Reserve"),
        ("Nimbus Cloud hit by data breach", "Hackers breach Nimbus Cloud"),
        ("Moran Bank to cut 2,000 jobs", "2,000 layoffs at Moran Bank"),
    ],
)
def test_other_words_are_no_new_fact(first: str, again: str, now: datetime) -> None:
    found = match(first, again, now)
    assert found
    assert not found.new_fact


def test_a_rounded_figure_is_no_new_fact(now: datetime) -> None:
    index = told(now, "Corvid agrees to $4.21 billion takeover by Silver Lake")
    rounded = index.match(report("Silver Lake agrees to buy Corvid for $4.2 billion", now, outlet="b"), now)
    assert rounded
    assert not rounded.new_fact


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("%", "3.1"), ("%", "3.1"), True),
        (("b", "2.1"), ("b", "2"), True),
        (("%", "3.1"), ("%", "3.4"), False),
        (("%", "3"), ("bp", "3"), False),
        (("", "1,2.3"), ("", "1"), False),
    ],
)
def test_figures_agree_when_one_is_the_other_rounded(one: tuple[str, str], other: tuple[str, str], same: bool) -> None:
    assert same_figure(one, other) is same


BODY = (
    "Acme Robotics said on Tuesday that it filed for protection from creditors in Delaware after talks with lenders"
    " failed and orders for warehouse machines fell by half in the past year."
)


def test_a_copy_in_another_outlet_is_syndicated_and_tells_nothing_new(now: datetime) -> None:
    index = StoryIndex()
    index.add(report("Acme Robotics files for bankruptcy", now, summary=BODY, story="story", outlet="a"))

    copy = index.match(report("Robot maker Acme bankrupt; $3 billion owed", now, summary=BODY, outlet="b"), now)
    same_title = index.match(report("Acme Robotics files for bankruptcy", now, outlet="c"), now)
    own_words = index.match(report("Acme Robotics seeks bankruptcy protection", now, summary="Else", outlet="d"), now)

    assert copy == StoryMatch("story", copy.similarity, syndicated=True, new_fact=False) if copy else False
    assert same_title
    assert same_title.syndicated
    assert own_words
    assert not own_words.syndicated


def test_the_summary_helps_where_titles_share_little(now: datetime) -> None:
    index = StoryIndex()
    summary = "Halcyon Mining halted its Dorado copper mine after a strike by workers over pay."
    index.add(report("Workers down tools at Dorado", now, summary=summary, story="story", outlet="a"))
    assert index.match(report("Halcyon Mining halts Dorado copper mine as workers strike", now, outlet="b"), now)


def test_equal_wraps_of_two_days_are_two_stories(now: datetime) -> None:
    assert match("Wall Street closes higher", "Wall Street closes higher as stocks gain", now, timedelta(hours=1))
    assert match("Stocks rise on Wall Street", "Stocks rise again on Wall Street", now, timedelta(hours=24)) is None


def test_what_is_older_than_the_window_is_forgotten(now: datetime) -> None:
    index = told(now, "Acme Robotics files for bankruptcy")
    late = now + timedelta(hours=49)
    assert index.match(report("Acme Robotics files for bankruptcy", late), late) is None

    index.expire(late)
    assert len(index) == 0
    assert index.match(report("Acme Robotics files for bankruptcy", now), now) is None


def test_adding_an_item_again_replaces_it(now: datetime) -> None:
    index = StoryIndex()
    index.add(report("Acme Robotics files for bankruptcy", now, item="1", story="s"))
    index.add(report("Toyota recalls 1.2 million cars", now, item="1", story="s"))
    assert len(index) == 1
    assert index.match(report("Acme Robotics seeks bankruptcy protection", now), now) is None
    assert index.match(report("Toyota to recall 1.2 million cars", now), now)


def test_an_item_does_not_match_itself(now: datetime) -> None:
    index = StoryIndex()
    index.add(report("Acme Robotics files for bankruptcy", now, item="1", story="s"))
    assert index.match(report("Acme Robotics files for bankruptcy", now, item="1"), now) is None


def test_a_chain_of_reports_does_not_wander_off(now: datetime) -> None:
    """What resembles a later report of a story, and has nothing of what opened it, is another story."""
    later = "China vows to retaliate against US and weighs curbs on rare earths"
    next_link = report("China vows to retaliate with rare earths curbs", now, outlet="third")
    assert told(now, later).match(next_link, now)
    assert told(now, "US bans chip exports to China", later).match(next_link, now) is None


def test_a_column_is_not_a_story(now: datetime) -> None:
    """One outlet repeats the name of its author in every title; two outlets do not."""
    index = told(now, "Dana Roe on finance, markets and why patience pays")
    column = "Dana Roe on finance, markets and the haste of traders"
    assert index.match(report(column, now, outlet="outlet 0"), now) is None
    assert index.match(report(column, now, outlet="outlet 1"), now)


def test_the_answer_does_not_depend_on_the_hash_seed() -> None:
    program = (
        "from datetime import datetime, timedelta, UTC\n"
        "from feeds.stories.story import StoryIndex, sketch\n"
        "now, index = datetime(2026, 3, 10, tzinfo=UTC), StoryIndex()\n"
        "for n in range(200):\n"
        "    name = ('Acme', 'Borealis', 'Corvid', 'Dorado')[n % 4]\n"
        "    at = now + timedelta(minutes=n)\n"
        "    new = sketch(str(n), str(n % 9), f'{name} Steel cuts {n} jobs in Ohio plant', '', str(n), at)\n"
        "    print(index.match(new, at), [other.item_id for other in index._candidates(new, at)])\n"
        "    index.add(new)\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1


def test_a_match_costs_the_same_in_a_full_window(now: datetime) -> None:
    """Counted in comparisons, not in time: what a match looks at is bounded by constants."""
    index = StoryIndex()
    for n in range(3000):
        index.add(report(f"Acme Steel cuts {n} jobs in Ohio", now + timedelta(seconds=n), item=str(n), story=str(n)))
    seen = list(index._candidates(report("Acme Steel cuts jobs in Ohio", now), now))
    assert 0 < len(seen) <= 8
