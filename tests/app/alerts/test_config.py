"""The [alerts] table: mistakes are named with the nearest right name, and no secret is ever shown."""

from __future__ import annotations

import pytest

from app.alerts.config import secret_parts
from app.config import config
from app.errors import ConfigError
from app.wiring.alerts import wanted_channels

PHONE = "[[alerts.channel]]\nname = 'phone'\nurl = 'ntfy://host.example/CANARYTOPIC'\n"
REFUSED = {
    "an event": ("when = { event = ['tarifs'] }", "no event is called 'tarifs'; did you mean tariffs?"),
    "a signal type": ("when = { signal_type = ['earning'] }", "did you mean earnings?"),
    "an urgency": ("when = { urgency = ['flash'] }", "no urgency is called 'flash'; did you mean FLASH?"),
    "a key": ("when = { tickers = ['NVDA'] }", "unknown key alerts.rule[0].when.tickers; did you mean ticker?"),
    "an action": ("then = { rise = 'FLASH' }", "unknown key alerts.rule[0].then.rise; did you mean raise?"),
    "a channel": ("then = { channels = ['fone'] }", "rule 'mine': no channel is called 'fone'; did you mean phone?"),
    "a group": ("when = { ticker = ['@holding'] }", "no group is called '@holding'; did you mean @holdings?"),
    "a symbol": ("when = { ticker = ['nvda'] }", 'write a symbol like "NVDA" or a group like "@chips"'),
    "a source": ("when = { source = ['fed-pres'] }", "no source is called 'fed-pres'; did you mean fed-press?"),
    "a score": ("when = { min_impact = 1.2 }", "less than or equal to 1"),
    "nothing to do": ("then = {}", "rule 'mine' does nothing; then takes channels, raise, lower or mute"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "told"), REFUSED.values(), ids=REFUSED.keys())
def test_a_typo_in_a_rule_is_answered_with_the_nearest_right_name(text: str, told: str) -> None:
    rule = f"[[alerts.rule]]\nname = 'mine'\n{text}\n" + ("" if "then" in text else "then = { mute = true }\n")
    with pytest.raises(ConfigError) as refused:
        config.parse(PHONE + rule, "c.toml")
    assert told in str(refused.value).replace("rule mine", "rule 'mine'")
    assert "CANARY" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        PHONE + PHONE,
        "[[alerts.channel]]\nname = 'phone'\nurl = 7\n",
        "[[alerts.channel]]\nname = 'phone'\nurl = 'tgram://CANARY'\nurgency = ['LOUD']\n",
        "[alerts]\nflash = ['tgram://CANARY', 5]\n",
        "[[alerts.channel]]\nname = 'desktop'\nurl = 'tgram://CANARY'\n",
        "[[alerts.channel]]\nname = 'phone'\nurl = 'tgram://CANARY'\nsecret = ['CANARY']\n",
    ],
)
def test_a_refusal_never_shows_an_address(text: str) -> None:
    with pytest.raises(ConfigError) as refused:
        config.parse(text, "c.toml")
    assert "CANARY" not in str(refused.value)


def test_addresses_come_from_the_environment_where_the_file_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    read = config.parse("[[alerts.channel]]\nname = 'phone'\nurl = 'env:PHONE'\n", "c")
    with pytest.raises(ConfigError, match="the environment has no PHONE"):
        wanted_channels(read)
    monkeypatch.setenv("PHONE", "tgram://123456:CANARYCANARY/42")
    (phone,) = wanted_channels(read)
    assert phone.url == "tgram://123456:CANARYCANARY/42"
    assert "123456:CANARYCANARY" in read.alerts.secrets
    assert "CANARY" not in repr(phone)


def test_one_address_for_both_urgencies_is_one_channel_whose_name_gives_nothing_away() -> None:
    read = config.parse("[alerts]\nflash = ['ntfy://CANARYTOPIC']\nalert = ['ntfy://CANARYTOPIC']\n", "c")
    (one,) = wanted_channels(read)
    assert len(one.route.urgencies) == 2
    assert one.label.startswith("ntfy-")
    assert "CANARY" not in one.label


def test_what_is_no_address_is_refused_without_being_shown() -> None:
    with pytest.raises(ConfigError) as refused:
        wanted_channels(config.parse("[alerts]\nflash = ['CANARY']\n", "c"))
    assert "CANARY" not in str(refused.value)


def test_the_parts_of_an_address_are_secrets_too_but_not_its_host() -> None:
    parts = secret_parts("ntfys://joe:CANARYPASSWORD@push.example.com:8443/CANARYTOPIC")
    assert {"joe:CANARYPASSWORD", "CANARYTOPIC"} <= set(parts)
    assert "push.example.com:8443" not in parts
