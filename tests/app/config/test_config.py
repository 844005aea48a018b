from __future__ import annotations

from pathlib import Path

import pytest

from app.config import config
from app.errors import ConfigError

REFUSED = {
    "a misspelt key": ('engin = "rules"', "line 1: unknown key engin; did you mean engine?"),
    "a misspelt key in a table": (
        "[feeds]\n\nbuilt_in = true",
        "line 3: unknown key feeds.built_in; did you mean builtin?",
    ),
    "a key in the wrong table": (
        "[feeds]\ninterval_s = 60",
        "line 2: unknown key feeds.interval_s; it belongs in feeds.source",
    ),
    "a key of the second block": (
        '[[feeds.source]]\nurl = "https://a.example/"\n\n\n[[feeds.source]]\nurl = "https://b.example/"\ntier = 7',
        "line 7: feeds.source[1].tier = 7: input should be 1, 2, 3 or 4",
    ),
    "a misspelt table": ("[watchlists]\nx = 1", "line 1: unknown key watchlists; did you mean watchlist?"),
    "a key nobody knows": ("zzz = 1", "line 1: unknown key zzz; known here are engine, timezone, watchlist"),
    "a key inside an inline table": (
        'watchlist = [{ symbol = "A", name = "x" }]',
        "line 1: unknown key watchlist[0].name; did you mean names?",
    ),
    "an unknown zone": ('timezone = "Mars"', "line 1: timezone = 'Mars': 'Mars' is no time zone; use"),
    "a path as a zone": ('timezone = "../etc/passwd"', "is no time zone"),
    "a word for a number": (
        '[claude]\ndeadline_s = "45"',
        "line 2: claude.deadline_s = '45': input should be a valid number",
    ),
    "not a number": ("[claude]\ndaily_budget_usd = nan", "line 2: claude.daily_budget_usd = nan"),
    "a word for a truth": (
        '[feeds]\nbuiltin = "yes"',
        "line 2: feeds.builtin = 'yes': input should be a valid boolean",
    ),
    "polling too often": (
        '[[feeds.source]]\nurl = "https://a.example/"\ninterval_s = 5',
        "line 3: feeds.source[0].interval_s = 5: input should be greater than or equal to 30",
    ),
    "a feed without an address": ('[[feeds.source]]\nname = "x"', "line 1: feeds.source[0].url is missing"),
    "a file as a feed": (
        '[[feeds.source]]\nurl = "file:///etc/passwd"',
        "line 2: feeds.source[0].url = 'file:///etc/passwd': an address starts with https:// or http://",
    ),
    "a small symbol": (
        '[[watchlist]]\nsymbol = "nvda"',
        "line 2: watchlist[0].symbol = 'nvda': a symbol is written like",
    ),
    "an agent nobody knows": (
        '[claude]\nagent_models = { Foo = "x" }',
        "no agent is called 'Foo'; agents are SignalScope",
    ),
    "odd quiet hours": ('[alerts]\nquiet_hours = "10pm"', 'hours are written like "22:00-06:30"'),
    "a header in the contact": ('[network]\ncontact = "a\\r\\nX: y"', "a contact is one line of plain ASCII"),
    "broken TOML": ("engine = ", "not valid TOML: Invalid value"),
    "the same key twice": ("engine = 'rules'\nengine = 'rules'", "not valid TOML: Cannot overwrite a value"),
}


@pytest.mark.parametrize(("text", "expected"), REFUSED.values(), ids=REFUSED.keys())
def test_a_mistake_is_named_with_file_line_and_key(text: str, expected: str) -> None:
    with pytest.raises(ConfigError) as refused:
        config.parse(text, "c.toml")
    assert str(refused.value).startswith("c.toml")
    assert expected in str(refused.value)
    assert "\n" not in str(refused.value)


def test_several_mistakes_are_counted() -> None:
    with pytest.raises(ConfigError, match=r"\(and 1 more\)"):
        config.parse('engine = "x"\ntimezone = "Mars"', "c.toml")


def test_everything_can_be_left_out() -> None:
    empty = config.parse("", "c.toml")
    assert (empty.engine, empty.timezone, empty.feeds.builtin) == ("auto", "local", True)
    assert (empty.alerts.max_age_s, empty.claude.daily_budget_usd, empty.watchlist) == (1800, 5.0, ())


def test_what_is_written_arrives() -> None:
    read = config.parse(
        'timezone = "Asia/Tokyo"\n[[watchlist]]\nsymbol = "NVDA"\nnames = ["Nvidia"]\nholding = true\n'
        'suppliers = ["TSM"]\n'
        '[feeds]\nbuiltin = false\n[[feeds.source]]\nurl = "https://a.example/x"\ntier = 1\n'
        '[network]\nallow_hosts = ["127.0.0.1:8080"]\n[claude]\ndeadline_s = 30\n',
        "c.toml",
    )
    assert read.watchlist[0].suppliers == ("TSM",)
    assert read.feeds.source[0].tier == 1
    assert read.network.allow_hosts == ("127.0.0.1:8080",)
    assert read.claude.deadline_s == 30.0


def test_addresses_of_alerts_are_secrets_everywhere() -> None:
    text = '[alerts]\nflash = ["tgram://123:CANARY/9"]'
    assert "CANARY" not in repr(config.parse(text, "c.toml"))
    with pytest.raises(ConfigError) as refused:
        config.parse('[alerts]\nflash = ["tgram://123:CANARY/9", 5]', "c.toml")
    assert "CANARY" not in str(refused.value)


def test_a_missing_file_is_the_defaults_unless_it_was_asked_for(tmp_path: Path) -> None:
    assert config.load(tmp_path / "none.toml") == config.Config()
    with pytest.raises(ConfigError, match="no such file; `tapewatch config init` writes one"):
        config.load(tmp_path / "none.toml", required=True)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "c.toml"
    broken.write_bytes(b"engine = '\xff'")
    with pytest.raises(ConfigError, match="not UTF-8 at byte 10"):
        config.load(broken)
    with pytest.raises(ConfigError, match="cannot be read"):
        config.load(tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[tools]\nbase_urls = { stocktwit = "http://127.0.0.1:1" }', "did you mean stocktwits?"),
        ('[tools]\ndisabled = ["tarot"]', "`tapewatch tools` lists them"),
    ],
)
def test_a_source_that_does_not_exist_is_refused_with_the_nearest_name(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match="no source is called") as refused:
        config.parse(text, "c.toml")
    assert said in str(refused.value)
    assert config.parse('[tools]\nbase_urls = { default = "http://127.0.0.1:1" }', "c.toml").tools.base_urls
