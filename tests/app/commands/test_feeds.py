from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from app.config import config
from feeds.documents.opml import read_opml
from tests.app.program import Ended, call, move_home
from tests.fakes.feed_server import FeedServer, reply

RSS = (
    '<?xml version="1.0"?><rss version="2.0"><channel><title>Wire of the North</title>'
    "<item><guid>1</guid><title>First</title><pubDate>Tue, 10 Mar 2026 18:30:00 GMT</pubDate></item>"
    "<item><guid>2</guid><title>Second</title></item></channel></rss>"
)


@pytest.fixture
async def server() -> AsyncIterator[FeedServer]:
    async with FeedServer() as running:
        running.serve("/rss", RSS)
        running.serve("/page", "<html><body>Sign in</body></html>", content_type="text/html")
        running.script("/gone", reply(410))
        yield running


Feeds = Callable[..., Awaitable[Ended]]


def write(home: Path, text: str) -> Path:
    file = home / "c.toml"
    file.write_text(text)
    return file


@pytest.fixture
def feeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Feeds:
    """The command in a thread, since the server needs this one."""
    move_home(tmp_path, monkeypatch)

    async def ask(file: Path, *arguments: str) -> Ended:
        return await asyncio.to_thread(call, capsys, "feeds", *arguments, "--config", str(file))

    return ask


async def test_a_feed_is_checked_added_listed_and_removed(tmp_path: Path, server: FeedServer, feeds: Feeds) -> None:
    file = write(tmp_path, f'# mine\n[feeds]\nbuiltin = false\n[network]\nallow_hosts = ["{server.host}"]\n')
    before = file.read_text()
    added = await feeds(file, "add", server.url("/rss"), "--tier", "1", "--interval", "60")
    assert (added.code, added.err) == (0, "")
    assert "Wire of the North: rss, 2 entries, newest 2026-03-10 18:30 UTC" in added.out
    (entry,) = config.load(file).feeds.source
    assert (entry.url, entry.name, entry.tier, entry.interval_s) == (server.url("/rss"), "Wire of the North", 1, 60)
    again = await feeds(file, "add", server.url("/rss"))
    assert again.code == 2
    assert "polls this address already" in again.err
    (listed,) = json.loads((await feeds(file, "list", "--json")).out)
    assert (listed["name"], listed["tier"], listed["status"]) == ("Wire of the North", 1, "new")
    checked = await feeds(file, "check", listed["id"])
    assert checked.code == 0
    assert checked.out.startswith(f"ok      {listed['id']}  rss, 2 entries")
    removed = await feeds(file, "remove", listed["id"])
    assert removed.code == 0
    assert config.load(file) == config.parse(before, "before")
    assert file.read_text().startswith("# mine\n")


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/page", "not added: "), ("/gone", "says the feed is gone"), ("/nothing", "has nothing at this address")],
)
async def test_what_is_no_feed_is_not_added_and_said(
    tmp_path: Path, server: FeedServer, feeds: Feeds, path: str, expected: str
) -> None:
    file = write(tmp_path, f'[feeds]\nbuiltin = false\n[network]\nallow_hosts = ["{server.host}"]\n')
    done = await feeds(file, "add", server.url(path))
    assert (done.code, done.out) == (1, "")
    assert expected in done.err
    assert config.load(file).feeds.source == ()


async def test_a_loopback_address_needs_permission_and_the_error_says_which(
    tmp_path: Path, server: FeedServer, feeds: Feeds
) -> None:
    file = write(tmp_path, "")
    done = await feeds(file, "add", server.url("/rss"))
    assert done.code == 1
    assert "allow_hosts" in done.err
    assert server.requests() == []


@pytest.mark.parametrize("url", ["file:///etc/passwd", "javascript:alert(1)", "", "ftp://a.example/"])
async def test_what_is_no_web_address_is_refused(tmp_path: Path, feeds: Feeds, url: str) -> None:
    done = await feeds(write(tmp_path, ""), "add", url)
    assert done.code in (1, 2)
    assert done.err.count("\n") == 1


async def test_checking_all_names_each_and_ends_with_1_where_one_fails(
    tmp_path: Path, server: FeedServer, feeds: Feeds
) -> None:
    sources = "".join(f'[[feeds.source]]\nurl = "{server.url(path)}"\n' for path in ("/rss", "/page"))
    file = write(tmp_path, f'[feeds]\nbuiltin = false\n{sources}[network]\nallow_hosts = ["{server.host}"]\n')
    done = await feeds(file, "check", "--all")
    assert done.code == 1
    assert [line.split()[0] for line in done.out.splitlines()] == ["ok", "failed"]
    assert done.err == "tapewatch: 1 of 2 feeds did not answer with a feed\n"


async def test_a_builtin_feed_is_left_out(tmp_path: Path, feeds: Feeds) -> None:
    file = write(tmp_path, "")
    (first, *rest) = json.loads((await feeds(file, "list", "--json")).out)
    assert first["builtin"]
    assert (await feeds(file, "remove", first["id"])).code == 0
    assert config.load(file).feeds.disabled == (first["id"],)
    assert json.loads((await feeds(file, "list", "--json")).out) == rest


async def test_an_address_whose_id_is_taken_is_refused_and_shadows_nothing(
    tmp_path: Path, server: FeedServer, feeds: Feeds
) -> None:
    text = f'[feeds]\nbuiltin = false\n[network]\nallow_hosts = ["{server.host}"]\n'
    file = write(tmp_path, f'{text}[[feeds.source]]\nurl = "{server.url("/rss")}"\n')
    added = await feeds(file, "add", server.url("/rss").replace("//", "//me:secret-word@"))
    assert added.code == 2
    assert "remove that one first" in added.err
    assert "secret-word" not in added.err
    write(tmp_path, f'{file.read_text()}[[feeds.source]]\nurl = "{server.url("/rss.xml")}"\n')
    listed = await feeds(file, "list")
    assert listed.code == 2
    assert "leave one out" in listed.err


OPML = """<opml version="2.0"><body><outline text="Folder">
<outline text="Wire" xmlUrl="https://wire.example/rss"/>
<outline text="Again" xmlUrl="https://wire.example/rss#top"/>
<outline text="Local" xmlUrl="ftp://files.example/rss"/>
<outline text="Atom" xmlUrl="https://two.example/atom?key=1"/></outline></body></opml>"""


async def test_a_list_of_another_reader_is_taken_in_and_written_again(tmp_path: Path, feeds: Feeds) -> None:
    file = write(tmp_path, "# mine\n[feeds]\nbuiltin = false\n")
    (tmp_path / "list.opml").write_text(OPML)
    done = await feeds(file, "import", str(tmp_path / "list.opml"), "--tier", "2")
    assert (done.code, done.out) == (1, f"added 2 feeds, 1 polled already; in {file}\n")
    assert "list.opml: feed 3 (Local): " in done.err
    assert "skipped" in done.err
    assert "1 of the list are no feeds" in done.err
    assert file.read_text().startswith("# mine\n")
    assert [(one.name, one.tier) for one in config.load(file).feeds.source] == [("Wire", 2), ("Atom", 2)]

    again = await feeds(file, "import", str(tmp_path / "list.opml"))
    assert again.out.startswith("added 0 feeds, 3 polled already")
    out = await feeds(file, "export", "--own")
    assert [one.url for one in read_opml(out.out.encode())] == [
        "https://wire.example/rss",
        "https://two.example/atom?key=1",
    ]


async def test_what_is_no_list_is_one_line_and_changes_nothing(tmp_path: Path, feeds: Feeds) -> None:
    file = write(tmp_path, "[feeds]\nbuiltin = false\n")
    for name, text, words in (
        ("rss.xml", RSS, "begins with <rss>, not <opml>"),
        ("empty.opml", "<opml><body/></opml>", "the list holds no feed"),
        ("many.opml", "<opml>" + "<outline xmlUrl='https://a.example'/>" * 2001 + "</opml>", "2001 feeds are too many"),
    ):
        (tmp_path / name).write_text(text)
        done = await feeds(file, "import", str(tmp_path / name))
        assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
        assert words in done.err
    missing = await feeds(file, "import", str(tmp_path / "none.opml"))
    assert (missing.code, "cannot be read" in missing.err) == (2, True)
    assert file.read_text() == "[feeds]\nbuiltin = false\n"


async def test_a_feed_that_cannot_be_added_is_not_said_to_be_tried_again(tmp_path: Path, feeds: Feeds) -> None:
    file = write(tmp_path, '[network]\nallow_hosts = ["127.0.0.1:9"]\n')
    done = await feeds(file, "add", "http://127.0.0.1:9/rss")
    assert done.code == 1
    assert "not added: 127.0.0.1:9" in done.err
    assert "tried again" not in done.err
