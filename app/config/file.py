"""The configuration file as a text the user owns: written once with comments, edited without losing any."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import tomlkit
from tomlkit import TOMLDocument
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, Array, InlineTable, Table

from app.config import config
from app.errors import ConfigError, UsageError
from app.paths import write_private
from feeds.models import Source
from feeds.registry import source_from_url

TEMPLATE = """\
# tapewatch configuration. Every line may be left out; a line that starts with "#" is the default or an example.
# Secrets belong in the environment: ANTHROPIC_API_KEY.

#engine = "auto"                    # auto: claude when a key is set, else rules
#timezone = "local"                 # or a name such as "America/New_York"

# One block for each symbol you watch. Names are added to the built-in ones; a holding weighs more.
#[[watchlist]]
#symbol = "NVDA"
#names = ["Nvidia"]
#holding = true
#suppliers = ["TSM"]
#customers = []

[feeds]
#builtin = true                     # poll the built-in feeds; `tapewatch feeds list` shows them
#disabled = []                      # ids of built-in feeds to leave out

# One block for each feed of your own; `tapewatch feeds add URL` writes it.
#[[feeds.source]]
#url = "https://example.com/rss.xml"
#name = "Example"
#tier = 3                           # 1 official, 2 newsroom, 3 aggregator, 4 crowd
#interval_s = 300                   # seconds between two checks, at least 30

[network]
#allow_hosts = []                   # loopback or private hosts that may be reached, e.g. "127.0.0.1:8080"
#contact = ""                       # mail address for the User-Agent (the SEC asks for one)

[tools]
#enabled = true                     # false: evidence comes from this machine only
#disabled = []                      # sources that are never asked, e.g. ["google_news"]
#base_urls = {}                     # another address for a source, e.g. { stocktwits = "http://127.0.0.1:8080" }
#limits = {}                        # most requests a day (stocktwits: an hour), e.g. { brave = 500 } on a paid plan

[claude]
#model = "claude-haiku-5-5"
#agent_models = {}                  # e.g. { PolicyRadar = "claude-sonnet-5-5" }
#daily_budget_usd = 5.0
#deadline_s = 45                    # for one agent, its wait for a turn included; more for a slow server of your own
#max_extra_calls = 2
#concurrency = 10                   # model calls in flight
#server = "auto"                    # plain: ANTHROPIC_BASE_URL ignores schemas and tools (Ollama, llama.cpp)
#web_search = true                  # evidence by Claude's own web search, at a price of its own; `tapewatch budget`
#prices = {}                        # USD per million tokens, e.g. { "my-model" = { input = 1.0, output = 5.0 } }

[alerts]
# Addresses are those of apprise: "tgram://TOKEN/CHAT", "ntfy://TOPIC", "mailto://...". "env:NAME" takes one from the
# environment, so that no secret stands here; "webpush:" reaches the browsers `tapewatch alerts browser` subscribed.
# `tapewatch alerts test` tries them all.
#flash = []                         # where FLASH goes besides bell, banner and desktop
#alert = []                         # where ALERT goes besides toast and desktop
#quiet_hours = ""                   # "22:00-06:30" in your time zone; FLASH passes, the rest comes as one digest
#bell = true
#desktop = true                     # notify-send, osascript, or the terminal's own notification
#max_age_s = 1800                   # news older than this at first sight raises no alert
#cooldown_s = {}                    # e.g. { ALERT = 300 }: the same kind of alert waits so long and comes as a digest
#groups = {}                        # e.g. { chips = ["NVDA", "AMD"] }; @chips in channels and rules

# One block for each channel with a name. An https address is a webhook; `secret` signs it (HMAC-SHA256).
#[[alerts.channel]]
#name = "phone"
#url = "env:PHONE_URL"
#urgency = ["FLASH"]
#tickers = ["@holdings"]            # only about these; @watchlist, @holdings, your groups, or symbols

# One block for each rule of your own. All keys of `when` must fit; rules apply in their order.
#[[alerts.rule]]
#name = "tariffs wake me"
#when = { event = ["tariffs"], ticker = ["@watchlist"], min_impact = 0.5 }
#then = { raise = "FLASH", channels = ["phone", "terminal"] }

[storage]
# Starred stories, those with a note, unacknowledged FLASH and what an investigation cites stay in any case.
#keep_days = 365                    # older stories go; 0 keeps them for ever
#details_days = 60                  # raw answers of tools and calls to a model go before their story; 0 keeps them too
"""


def init(file: Path) -> None:
    """Writes the commented template to `file`; raises UsageError where something is there already."""
    if file.exists() or file.is_symlink():
        raise UsageError(f"{file}: exists already and is left as it is; edit it, or move it away first")
    write_private(file, TEMPLATE)


def add_sources(file: Path, added: Sequence[Source]) -> None:
    """Adds each of `added` as a block of its own, comments and order of the file kept. Makes the file if need be."""
    if not added:
        return
    document = _read(file)
    feeds = _feeds(document)
    sources = feeds.get("source")
    if sources is None:
        sources = tomlkit.aot()
        for source in added:
            sources.append(_block(source))
        feeds.add("source", sources)
    else:
        for source in added:
            sources.append(_block(source) if isinstance(sources, AoT) else _inline(source))
    _write(file, document)


def _block(source: Source) -> Table:
    block = tomlkit.table()
    block.update(_keys(source))
    block.add(tomlkit.nl())
    return block


def _inline(source: Source) -> InlineTable:
    inline = tomlkit.inline_table()
    inline.update(_keys(source))
    return inline


def _keys(source: Source) -> dict[str, str | int]:
    return {"url": source.url, "name": source.name, "tier": int(source.tier), "interval_s": source.interval_s}


def remove_source(file: Path, source_id: str) -> bool:
    """Takes the user's source with this id out of the file; False where none has it."""
    document = _read(file)
    sources = _feeds(document).get("source", [])
    for position, entry in enumerate(sources):
        if source_from_url(str(entry["url"])).id == source_id:
            del sources[position]
            if not sources:
                del _feeds(document)["source"]
            _write(file, document)
            return True
    return False


def disable(file: Path, source_id: str) -> None:
    """Leaves the built-in source out from now on."""
    document = _read(file)
    disabled = _disabled(document)
    if source_id not in disabled:
        disabled.append(source_id)
        _write(file, document)


def enable(file: Path, source_id: str) -> bool:
    """Takes a built-in source in again; False where it was not left out."""
    document = _read(file)
    disabled = _disabled(document)
    if source_id not in disabled:
        return False
    disabled.remove(source_id)
    if not disabled:
        del _feeds(document)["disabled"]
    _write(file, document)
    return True


def _read(file: Path) -> TOMLDocument:
    text = file.read_text(encoding="utf-8") if file.exists() else TEMPLATE
    config.parse(text, str(file))
    try:
        return tomlkit.parse(text)
    except TOMLKitError as error:
        raise ConfigError(f"{file}: not valid TOML: {error}") from error


def _write(file: Path, document: TOMLDocument) -> None:
    text = tomlkit.dumps(document)
    config.parse(text, str(file))
    write_private(file, text)


def _feeds(document: TOMLDocument) -> Table:
    if "feeds" not in document:
        document.add("feeds", tomlkit.table())
    feeds = document["feeds"]
    if not isinstance(feeds, Table):
        raise ConfigError("feeds is written in an unusual way; write it as a [feeds] table to edit it by command")
    return feeds


def _disabled(document: TOMLDocument) -> Array:
    feeds = _feeds(document)
    if "disabled" not in feeds:
        feeds.add("disabled", tomlkit.array())
    disabled = feeds["disabled"]
    if not isinstance(disabled, Array):
        raise ConfigError("feeds.disabled is not a list")
    return disabled
