"""Identity: nothing comes back as new, nothing new is lost, an edit counts only when it changes the meaning."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.documents.parse_worker import parse_document
from feeds.errors import ParseError
from feeds.models import Entry
from feeds.stories.identity import MAX_REPAIRS, keys, resolve
from tests.feeds.stories.memory import NOW, TEXT, Memory, item, verdicts

SAME_TWICE: dict[str, tuple[Entry, ...]] = {
    "no guid, stable title and link": (item("A", url="https://x.example/a"), item("B", url="https://x.example/b")),
    "two items with one guid": (
        item("Acme sues Borealis", guid="g", url="https://x.example/1"),
        item("Corvid hires a chief", guid="g", url="https://x.example/2"),
    ),
    "two alike items with one guid": (
        item("Poll: pick A", guid="g", at=NOW),
        item("Poll: pick B", guid="g", at=NOW - timedelta(days=1)),
    ),
    "no guid and one link": (
        item("Poll: pick A", url="https://x.example/poll", at=NOW),
        item("Poll: pick B", url="https://x.example/poll", at=NOW - timedelta(days=1)),
    ),
    "guid 0": (item("A", guid="0", url="https://x.example/a"), item("B", url="https://x.example/b")),
    "nothing but text": (item("good", guid="1"), item("no id, no link", at=None), item("good2", guid="2")),
    "undated": (item("A", guid="1", at=None), item("B", guid="2", at=None)),
    "the start page as link of all": tuple(
        item(f"Item {n} of the list", guid=str(n), url="https://x.example/") for n in range(4)
    ),
}


@pytest.mark.parametrize("entries", SAME_TWICE.values(), ids=SAME_TWICE.keys())
def test_a_document_polled_again_gives_nothing_new(entries: tuple[Entry, ...]) -> None:
    memory = Memory()
    first = memory.poll(*entries)
    assert verdicts(first) == ["new"] * len(entries)
    assert len({decision.item_id for decision in first.decisions}) == len(entries)
    for _ in range(2):
        again = memory.poll(*entries)
        assert verdicts(again) == ["same"] * len(entries)
        assert [d.item_id for d in again.decisions] == [d.item_id for d in first.decisions]
        assert not again.restructured


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(item(guid="http://x.example/1"), item(guid="https://x.example/1"), id="http to https in the guid"),
        pytest.param(item(guid="http://x.example/1"), item(guid="http://www.y.example/1/"), id="new host in the guid"),
        pytest.param(
            item(guid="u1", url="https://x.example/d?utm_source=rss&utm_id=1"),
            item(guid="u2", url="https://x.example/d?utm_source=rss&utm_id=2"),
            id="guid and tracking change",
        ),
        pytest.param(
            item("Acme cuts guidence", guid="/acme-cuts-guidence", url="https://x.example/acme-cuts-guidence"),
            item("Acme cuts guidance", guid="/acme-cuts-guidance", url="https://x.example/acme-cuts-guidance"),
            id="slug and typing error mended",
        ),
        pytest.param(
            item("Acme cuts guidance for 2026", guid="/a", url="https://x.example/a", summary=TEXT),
            item("Acme trims guidance for 2026", guid="/b", url="https://x.example/b", summary=TEXT),
            id="slug and title changed, text the same",
        ),
        pytest.param(
            item(guid="http://x.example/1", summary=TEXT),
            item("Acme cuts guidance again", guid="https://x.example/1", at=NOW + timedelta(hours=3)),
            id="http to https, edited and dated again",
        ),
        pytest.param(
            item("Acme cuts guidance for 2026", guid="/a", url="https://x.example/a", summary=TEXT),
            item("Acme trims guidance for 2026", guid="/b", summary=TEXT, at=NOW + timedelta(hours=1)),
            id="slug, title and time changed, text the same",
        ),
        pytest.param(item(guid="1", url="https://x.example/a"), item(url="https://x.example/a"), id="guid vanished"),
        pytest.param(item(url="https://x.example/a"), item(guid="1", url="https://x.example/a"), id="guid appeared"),
        pytest.param(
            item(guid="1", summary=TEXT), item(guid="1", summary=TEXT, at=NOW + timedelta(days=2)), id="dated again"
        ),
    ],
)
def test_the_same_item_under_other_names_is_not_new(old: Entry, new: Entry) -> None:
    memory = Memory()
    first = memory.poll(old)
    second = memory.poll(new)
    assert second.decisions[0].verdict != "new"
    assert second.decisions[0].item_id == first.decisions[0].item_id
    assert memory.poll(old).decisions[0].item_id == first.decisions[0].item_id


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(
            item("Acme cuts guidance", guid="g", url="https://x.example/1"),
            item("Toyota recalls a million cars", guid="g", url="https://x.example/2"),
            id="guid used again with another link",
        ),
        pytest.param(
            item("Acme cuts guidance", guid="g", url="https://x.example/top"),
            item("Toyota recalls a million cars", guid="g", url="https://x.example/top", at=NOW + timedelta(hours=6)),
            id="guid and link used again later",
        ),
        pytest.param(
            item("Poll: pick A", url="https://x.example/poll"),
            item("Poll: pick B", url="https://x.example/poll", at=NOW + timedelta(days=1)),
            id="no guid, same link, next day",
        ),
        pytest.param(
            item("Form 8-K Alpha Holdings", guid="1", url="https://x.example/list"),
            item("Form 8-K Omega Holdings", guid="2", url="https://x.example/list"),
            id="two guids with one link",
        ),
        pytest.param(
            item("US CPI rises 3.1%", guid="1", url="https://x.example/1"),
            item("US CPI rises 3.4%", guid="2", url="https://x.example/2"),
            id="next figure of a series in the same second",
        ),
        pytest.param(
            item("Daily statement", guid="1"), item("Daily statement", guid="2", at=NOW + timedelta(days=1)), id="daily"
        ),
        pytest.param(item("Correction", guid="1", at=None), item("Correction", guid="2", at=None), id="undated, short"),
    ],
)
def test_another_item_under_the_same_names_is_new(old: Entry, new: Entry) -> None:
    memory = Memory()
    first = memory.poll(old)
    second = memory.poll(new, now=NOW + timedelta(days=1))
    assert verdicts(second) == ["new"]
    assert second.decisions[0].item_id != first.decisions[0].item_id
    assert verdicts(memory.poll(old, new)) == ["same", "same"]


def test_a_guid_shared_only_sometimes_changes_nothing() -> None:
    memory = Memory()
    a, b = item("Acme sues Borealis", guid="g"), item("Corvid hires a chief", guid="g", at=NOW - timedelta(hours=5))
    memory.poll(a)
    assert verdicts(memory.poll(a, b)) == ["same", "new"]
    assert verdicts(memory.poll(b)) == ["same"]
    assert verdicts(memory.poll(b, a)) == ["same", "same"]


@pytest.mark.parametrize("dated", [True, False], ids=["dated", "undated"])
def test_a_renamed_archive_is_known_and_said(dated: bool) -> None:
    def archive(path: str) -> list[Entry]:
        return [
            item(
                f"Old story number {n}",
                guid=f"https://x.example/{path}/{n}",
                url=f"https://x.example/{path}/{n}",
                at=NOW - timedelta(days=n) if dated else None,
            )
            for n in range(20)
        ]

    memory = Memory()
    assert not memory.poll(*archive("old")).restructured
    moved = memory.poll(*archive("new-place"), item("A new story", guid="n"))
    assert verdicts(moved) == ["same"] * 20 + ["new"]
    assert moved.restructured
    assert not memory.poll(*archive("new-place")).restructured


def test_guids_that_change_at_every_poll_are_no_restructure() -> None:
    memory = Memory()
    for poll in range(3):
        entries = [
            item(f"Title {n} here", guid=f"{poll}-{n}", url=f"https://x.example/{n}?utm_id={poll}") for n in range(10)
        ]
        result = memory.poll(*entries)
        assert set(verdicts(result)) == ({"same"} if poll else {"new"})
        assert not result.restructured


def test_a_link_that_several_items_share_proves_nothing() -> None:
    memory = Memory()
    memory.poll(*(item(f"Poll: pick {letter}", url="https://x.example/poll", at=None) for letter in "AB"))
    assert verdicts(memory.poll(item("Poll: pick C", url="https://x.example/poll", at=None))) == ["new"]


def test_items_without_any_name_are_no_restructure() -> None:
    memory = Memory()
    entries = [item(f"Headline number {n} of the wire") for n in range(10)]
    memory.poll(*entries)
    assert not memory.poll(*entries).restructured


def test_repairs_by_resemblance_are_few() -> None:
    old = [item(f"Acme shuts plant {n} in Ohio", guid=f"o{n}", at=NOW - timedelta(minutes=n)) for n in range(10)]
    new = [
        item(f"Acme shuts plant {n} in Ohio, US", guid=f"n{n}", at=NOW - timedelta(minutes=n), summary=TEXT)
        for n in range(10)
    ]
    memory = Memory()
    memory.poll(*old)
    assert Counter(verdicts(memory.poll(*new)))["new"] >= 10 - 3 * MAX_REPAIRS


def test_the_same_thing_printed_twice_is_one_item() -> None:
    entry = item(guid="1", url="https://x.example/1", summary=TEXT)
    result = Memory().poll(entry, replace(entry, url="https://x.example/1?utm_medium=feed"))
    assert sorted(verdicts(result)) == ["new", "same"]
    assert len({decision.item_id for decision in result.decisions}) == 1


def test_a_repeat_after_a_crash_gives_the_same_ids_and_another_source_other_ones() -> None:
    entries = [item("A", guid="1"), item("B", url="https://x.example/b"), item("C")]
    ids = [decision.item_id for decision in resolve(entries, [], source_id="source", now=NOW).decisions]
    assert ids == [d.item_id for d in resolve(entries, [], source_id="source", now=NOW).decisions]
    assert not set(ids) & {d.item_id for d in resolve(entries, [], source_id="other", now=NOW).decisions}
    assert all(len(item_id) == 16 and int(item_id, 16) >= 0 for item_id in ids)


def hostile(shared: Path) -> list[list[Sequence[Entry]]]:
    """The polls of every hostile feed that can be read, two polls for those that come in two files."""
    polls: dict[str, list[Sequence[Entry]]] = {}
    for line in (shared / "hostile/feeds/MANIFEST.jsonl").read_text().splitlines():
        row = json.loads(line)
        body = (shared / "hostile/feeds" / row["file"]).read_bytes()
        try:
            feed = parse_document(body, "", base_url="https://feed.example/rss", now=NOW)
        except ParseError:
            continue
        name = row["file"].rsplit("-", 1)[0] if row.get("poll") else row["file"]
        polls.setdefault(name, []).append(feed.entries)
    return list(polls.values())


def test_every_hostile_feed_gives_nothing_new_at_its_second_poll(shared: Path) -> None:
    feeds = hostile(shared)
    assert len(feeds) > 30
    for polls in feeds:
        memory = Memory()
        first = memory.poll(*polls[0])
        assert "new" in verdicts(first)
        for entries in (polls[-1], polls[-1], polls[0]):
            assert "new" not in verdicts(memory.poll(*entries)), [entry.title for entry in entries]


small = st.sampled_from(["", "1", "2", "https://x.example/1", "http://x.example/1"])
entries = st.lists(
    st.builds(
        item,
        st.sampled_from(["Acme cuts guidance", "Acme cuts guidance by 3%", "Toyota recalls cars", "", "Poll: pick A"]),
        guid=small,
        url=small,
        summary=st.sampled_from(["", TEXT, "Sales fell 3%."]),
        at=st.sampled_from([None, NOW, NOW - timedelta(minutes=5), NOW - timedelta(days=3)]),
    ),
    max_size=6,
)


@given(st.lists(entries, min_size=1, max_size=3))
def test_no_poll_brings_back_what_the_one_before_it_held(polls: list[list[Entry]]) -> None:
    memory = Memory()
    for poll in polls:
        memory.poll(*poll)
        assert "new" not in verdicts(memory.poll(*poll))


def test_entries_of_one_title_that_trade_guid_and_link_are_not_brought_back() -> None:
    title, place = "Acme cuts guidance", "https://x.example/1"
    bare = item(title, guid="", url="", summary="", at=None)
    first = [bare, bare, item(title, guid=place, url="", summary="Sales fell 3%.", at=None)]
    first.append(item(title, guid=place, url=place, summary="", at=None))
    second = [bare, bare, item(title, guid="", url=place, summary="Sales fell 3%.", at=None)]
    second.append(item(title, guid=place, url="", summary="", at=None))
    memory = Memory()
    for document in (first, first, second):
        memory.poll(*document)
    assert "new" not in verdicts(memory.poll(*second))


@given(st.text(), st.text(), st.text())
def test_keys_are_stable_and_never_fail(guid: str, url: str, title: str) -> None:
    entry = item(title, guid=guid, url=url)
    assert keys(entry) == keys(replace(entry))
    assert [key[0] for key in keys(entry)] == [kind for kind in "galcdb" if kind in {k[0] for k in keys(entry)}]
