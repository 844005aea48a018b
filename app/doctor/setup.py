"""What the user set up: configuration, keys, the model's service, where alerts go. No value of a secret is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from agents.models import Urgency
from agents.tools.asking.catalogue import KEY_GIVES, SOURCES
from app.config.config import Config
from app.config.engine import ADDRESS, KEY, check_engine
from app.doctor.finding import Finding, bad, listed, ok, warn
from app.errors import AppError, ConfigError

_MODEL: Final = "the five agents think with Claude instead of the rules"
_SHORTEST_KEY: Final = 6


def configuration(file: Path, problem: AppError | None) -> Iterator[Finding]:
    """Whether the file can be used; `problem` is what reading it said, which names the line."""
    if problem is not None:
        yield bad("configuration", "file", str(problem), f"correct {file}; what follows is told of the defaults")
    elif file.exists():
        yield ok("configuration", "file", str(file))
        if file.stat().st_mode & 0o077:
            fix = f"chmod 600 {file}"
            yield warn("configuration", "access", "other users of this machine may read the file", fix)
    else:
        yield ok("configuration", "file", f"none at {file}: defaults", "`tapewatch config init` writes a commented one")


def watchlist(config: Config) -> Iterator[Finding]:
    """Whether the user watches anything."""
    symbols = [one.symbol for one in config.watchlist]
    if symbols:
        yield ok("configuration", "watchlist", f"{len(symbols)}: {listed(symbols, 6)}")
    else:
        yield ok("configuration", "watchlist", "empty", "name what you trade under [[watchlist]]: it is scored closer")


def keys(environment: Mapping[str, str], config: Config) -> Iterator[Finding]:
    """Each key: whether it is there and what it gives."""
    for name, gives in {KEY: _MODEL, **KEY_GIVES}.items():
        value = environment.get(name, "")
        if not value.strip():
            yield ok("keys", name, f"not set; with it: {gives}")
        elif value != value.strip() or not value.isascii() or len(value) < _SHORTEST_KEY:
            yield warn("keys", name, "set, but it does not look whole", "set it anew, without blanks or line ends")
        else:
            yield ok("keys", name, f"set: {gives}")
    if config.network.contact:
        yield ok("keys", "network.contact", "set: the SEC answers")
    else:
        fix = 'set contact = "you@example.com" under [network]'
        yield warn("keys", "network.contact", "not set: the SEC may refuse its filings and releases", fix)
    unknown = [name for name in config.tools.disabled if name not in SOURCES]
    if config.tools.disabled and not unknown:
        yield ok("keys", "switched off", listed(list(config.tools.disabled), 6))


def model(config: Config, environment: Mapping[str, str], spent_usd: float | None) -> Iterator[Finding]:
    """Who thinks, at which address, and how much of the day's budget is left; nobody is asked."""
    try:
        engine = check_engine(config.engine, environment)
    except AppError as error:
        yield bad("model", "engine", str(error), f'set {KEY}, or engine = "auto"')
        return
    if engine == "rules":
        chosen = "chosen" if config.engine == "rules" else f"{KEY} is not set"
        yield ok("model", "engine", f"rules, built in ({chosen})", f"with {KEY}: {_MODEL}")
        return
    yield ok("model", "engine", f"claude, {config.claude.model}")
    yield _address(environment.get(ADDRESS, ""))
    yield _budget(config, spent_usd)
    yield from _prices(config)


def _address(address: str) -> Finding:
    if not address:
        return ok("model", "address", "the service's own")
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return bad("model", "address", f"{ADDRESS} is no web address", "set it like http://127.0.0.1:8080")
    return ok("model", "address", f"{parts.scheme}://{parts.netloc.rpartition('@')[2]} ({ADDRESS})")


def _budget(config: Config, spent_usd: float | None) -> Finding:
    cap = config.claude.daily_budget_usd
    if spent_usd is None:
        return ok("model", "budget", f"${cap:.2f} a day, nothing spent yet")
    left = max(cap - spent_usd, 0.0)
    words = f"${spent_usd:.2f} of ${cap:.2f} spent or reserved today, ${left:.2f} left"
    if left <= 0:
        fix = "raise daily_budget_usd under [claude], or wait for tomorrow; rules score meanwhile"
        return warn("model", "budget", words, fix)
    return ok("model", "budget", words)


def _prices(config: Config) -> Iterator[Finding]:
    from agents.analysts.claude.prices import PriceError, price_table  # only a run with a model needs prices

    try:
        table = price_table(config.claude.prices)
    except PriceError as error:
        yield bad("model", "prices", str(error), "correct [claude.prices]")
        return
    used = dict.fromkeys((config.claude.model, *config.claude.agent_models.values()))
    if unpriced := [name for name in used if name not in table]:
        words = f"no price is known for {listed(unpriced)}: the daily budget cannot count it"
        yield warn("model", "prices", words, "give its price under [claude.prices]")


def alerts(config: Config, environment: Mapping[str, str]) -> Iterator[Finding]:
    """Where alerts go. Nothing is sent; `tapewatch alerts test` does that."""
    from app.alerts.channels.desktop import desktop_way

    yield ok("alerts", "terminal", "bell, banner and toast" if config.alerts.bell else "banner and toast, bell off")
    way = desktop_way(environment)
    if not config.alerts.desktop:
        yield ok("alerts", "desktop", "switched off")
    else:
        yield ok("alerts", "desktop", "by the terminal's own notifications" if way == "terminal" else f"by {way}")
    yield from _channels(config)
    if config.alerts.quiet_hours:
        yield ok("alerts", "quiet hours", f"{config.alerts.quiet_hours}; FLASH passes")


def _channels(config: Config) -> Iterator[Finding]:
    if not (config.alerts.flash or config.alerts.alert or config.alerts.channel):
        fix = 'add flash = ["ntfy://YOUR-TOPIC"] under [alerts]'
        yield ok("alerts", "channels", "none beside this machine: nobody is told while you are away", fix)
        return
    from app.wiring.alerts import wanted_channels  # loads the services' parts

    try:
        wanted = wanted_channels(config)
    except ConfigError as error:
        yield bad("alerts", "channels", str(error), "correct [alerts]")
        return
    for one in wanted:
        loud = ", ".join(urgency.value for urgency in Urgency if urgency in one.route.urgencies)
        yield ok("alerts", one.label, f"for {loud}", "`tapewatch alerts test` sends one through it")
