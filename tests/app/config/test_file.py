from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest

from app.config import config
from app.config import file as config_file
from app.errors import ConfigError, UsageError
from feeds.models import Tier
from feeds.registry import source_from_url

EXAMPLE = source_from_url("https://a.example/rss", name="A wire", tier=Tier.OFFICIAL, interval_s=60)
OTHER = source_from_url("https://b.example/rss", name="B wire", tier=Tier.CROWD, interval_s=120)


def uncommented() -> str:
    """The template with every setting switched on, the example blocks left out."""
    text = re.sub(r"#\[\[(watchlist|feeds\.source|alerts\.\w+)\]\]\n(#.*\n)+", "", config_file.TEMPLATE)
    return re.sub(r"(?m)^#(\w+ = )", r"\1", text)


def test_the_template_shows_every_setting_with_its_default() -> None:
    assert config.parse(uncommented(), "template") == config.Config()
    for name in ("engine", "timezone"):
        assert f"\n{name} = " in uncommented()
    for table in ("feeds", "network", "tools", "claude", "alerts"):
        section = uncommented().split(f"[{table}]")[1].split("\n[")[0]
        fields = set(type(getattr(config.Config(), table)).model_fields) - {"source", "channel", "rule"}
        assert set(re.findall(r"(?m)^(\w+) = ", section)) == fields


def test_the_example_blocks_of_the_template_are_valid() -> None:
    text = re.sub(r"(?m)^#(\w+ = |\[\[)", r"\1", config_file.TEMPLATE)
    read = config.parse(text, "template")
    assert read.watchlist[0].symbol == "NVDA"
    assert read.feeds.source[0].name == "Example"
    assert read.alerts.channel[0].name == "phone"
    assert read.alerts.rule[0].then.raise_to == "FLASH"


def test_init_writes_for_the_user_alone_and_never_overwrites(tmp_path: Path) -> None:
    file = tmp_path / "new" / "config.toml"
    config_file.init(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    file.write_text("engine = 'rules'")
    with pytest.raises(UsageError, match="exists already"):
        config_file.init(file)
    assert file.read_text() == "engine = 'rules'"


def test_init_does_not_write_through_a_dangling_link(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.symlink_to(tmp_path / "elsewhere.toml")
    with pytest.raises(UsageError, match="exists already"):
        config_file.init(file)


def test_feeds_are_added_and_removed_with_the_comments_kept(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('# mine\nengine = "rules" # why\n\n[feeds]\nbuiltin = false # quiet\n\n[alerts]\nbell = false\n')
    before = file.read_text()
    config_file.add_sources(file, [EXAMPLE])
    config_file.add_sources(file, [OTHER])
    assert [entry.url for entry in config.load(file).feeds.source] == [EXAMPLE.url, OTHER.url]
    assert config.load(file).alerts.bell is False
    for comment in ("# mine", "# why", "# quiet"):
        assert comment in file.read_text()
    assert config_file.remove_source(file, EXAMPLE.id)
    assert [entry.name for entry in config.load(file).feeds.source] == ["B wire"]
    assert config_file.remove_source(file, OTHER.id)
    assert not config_file.remove_source(file, OTHER.id)
    assert file.read_text() == before


def test_an_inline_list_of_feeds_is_edited_too(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[feeds]\nsource = [{ url = "https://c.example/" }]\n')
    config_file.add_sources(file, [EXAMPLE])
    assert [entry.url for entry in config.load(file).feeds.source] == ["https://c.example/", EXAMPLE.url]
    assert config_file.remove_source(file, source_from_url("https://c.example/").id)
    assert [entry.url for entry in config.load(file).feeds.source] == [EXAMPLE.url]


def test_a_builtin_feed_is_left_out_and_taken_in_again(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    config_file.disable(file, "fed-press")
    config_file.disable(file, "fed-press")
    assert config.load(file).feeds.disabled == ("fed-press",)
    assert config_file.enable(file, "fed-press")
    assert not config_file.enable(file, "fed-press")
    assert config.load(file).feeds.disabled == ()
    assert file.read_text() == config_file.TEMPLATE


def test_a_broken_file_is_not_edited(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("engin = 1")
    with pytest.raises(ConfigError, match="did you mean engine"):
        config_file.add_sources(file, [EXAMPLE])
    assert file.read_text() == "engin = 1"


def test_a_linked_file_stays_a_link(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text("")
    link = tmp_path / "config.toml"
    link.symlink_to(real)
    config_file.add_sources(link, [EXAMPLE])
    assert link.is_symlink()
    assert EXAMPLE.url in real.read_text()
