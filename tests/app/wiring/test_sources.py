"""Which sources are polled: the built-in ones that are not left out, then the user's own."""

from __future__ import annotations

import pytest

from app.config.config import Config
from app.errors import ConfigError
from app.wiring.sources import subscribed_sources
from feeds.registry import builtin_sources


def with_feeds(**settings: object) -> Config:
    return Config.model_validate({"feeds": settings})


def test_a_feed_that_is_left_out_is_not_polled() -> None:
    left_out = builtin_sources()[0].id
    polled = [source.id for source in subscribed_sources(with_feeds(disabled=(left_out,)))]
    assert polled == [source.id for source in builtin_sources()[1:]]


def test_a_feed_that_does_not_exist_cannot_be_left_out() -> None:
    meant = builtin_sources()[0].id
    with pytest.raises(
        ConfigError, match=rf"feeds.disabled: no built-in feed is called '{meant}x'; did you mean {meant}"
    ):
        subscribed_sources(with_feeds(disabled=(f"{meant}x",)))


def test_without_the_built_in_feeds_only_ones_own_are_polled() -> None:
    own = {"url": "https://wire.example/rss"}
    (source,) = subscribed_sources(with_feeds(builtin=False, source=(own,)))
    assert source.url == "https://wire.example/rss"


def test_an_address_given_twice_is_refused_and_a_built_in_one_is_replaced() -> None:
    own = {"url": "https://wire.example/rss?token=SECRETSECRETSECRET"}
    with pytest.raises(ConfigError, match="stands twice; leave one out") as refused:
        subscribed_sources(with_feeds(source=(own, {**own, "name": "Again"})))
    assert "SECRETSECRET" not in str(refused.value)
    builtin = builtin_sources()[0]
    polled = subscribed_sources(with_feeds(source=({"url": builtin.url, "name": "Mine"},)))
    assert [source.name for source in polled if source.url == builtin.url] == ["Mine"]
