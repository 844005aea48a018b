"""The configuration: TOML read strictly. Everything can be left out; nothing unknown is accepted in silence."""

from __future__ import annotations

import difflib
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, Field, ValidationError, field_validator
from pydantic_core import ErrorDetails

from agents.models import AgentName
from app.alerts.config import SECRET_KEYS, Alerts
from app.config.parts import Section, Strings, Symbol, Symbols, WebAddress, must_match
from app.config.toml_lines import line_of
from app.errors import ConfigError
from app.log import one_line, redact

EngineChoice = Literal["auto", "rules", "claude"]


Contact = Annotated[str, must_match(r"[\x20-\x7e]{0,200}", "a contact is one line of plain ASCII")]


class Watched(Section):
    """A symbol the user watches."""

    symbol: Symbol
    names: Strings = ()
    holding: bool = False
    suppliers: Symbols = ()
    customers: Symbols = ()


class SourceEntry(Section):
    """A feed the user added; without a name it is called by its host."""

    url: WebAddress
    name: str = ""
    tier: Literal[1, 2, 3, 4] = 3
    interval_s: int = Field(default=300, ge=30, le=86_400)


class Feeds(Section):
    """Which feeds are polled."""

    builtin: bool = True
    disabled: Strings = ()
    source: Annotated[tuple[SourceEntry, ...], Field(strict=False)] = ()


class Network(Section):
    """What may be reached, and how the program names itself."""

    allow_hosts: Strings = ()
    contact: Contact = ""


class Tools(Section):
    """The evidence tools: whether they ask the network, which sources they leave out, and where a source is asked."""

    enabled: bool = True
    disabled: Strings = ()
    base_urls: dict[str, WebAddress] = Field(default={})
    limits: dict[str, Annotated[int, Field(ge=0, le=1_000_000)]] = Field(default={})

    @field_validator("disabled", "base_urls", "limits")
    @classmethod
    def _known_sources(cls, value: Any) -> Any:
        if value:
            from agents.tools.asking.catalogue import ANY, SOURCES  # only who names sources needs their list

            for name in value:
                if name not in SOURCES and name != ANY:
                    close = difflib.get_close_matches(name, SOURCES, n=1, cutoff=0.6)
                    hint = f"did you mean {close[0]}?" if close else "`tapewatch tools` lists them"
                    raise ValueError(f"no source is called {name!r}; {hint}")
        return value


class Claude(Section):
    """The claude analyst and its limits of money and time."""

    model: str = Field(default="claude-haiku-5-5", min_length=1)
    agent_models: dict[str, str] = Field(default={})
    daily_budget_usd: float = Field(default=5.0, ge=0, allow_inf_nan=False)
    deadline_s: float = Field(default=45, gt=0, le=600)
    max_extra_calls: int = Field(default=2, ge=0, le=10)
    concurrency: int = Field(default=10, ge=1, le=100)
    web_search: bool = True
    server: Literal["auto", "anthropic", "plain"] = "auto"
    prices: dict[str, dict[str, float]] = Field(default={})

    @field_validator("agent_models")
    @classmethod
    def _known_agents(cls, value: dict[str, str]) -> dict[str, str]:
        for name in value:
            if name not in get_args(AgentName):
                raise ValueError(f"no agent is called {name!r}; agents are {', '.join(get_args(AgentName))}")
        return value


class Storage(Section):
    """For how many days stories are kept, and the raw answers of tools and calls to a model before them; 0 is for ever.

    What is starred, has a note, is a FLASH nobody acknowledged or is cited by an investigation stays in any case.
    """

    keep_days: int = Field(default=365, ge=0)
    details_days: int = Field(default=60, ge=0)

    @field_validator("keep_days", "details_days")
    @classmethod
    def _a_week_at_least(cls, days: int) -> int:
        if 0 < days < 7:
            raise ValueError("at least 7 days, since stories go on for days; or 0 for ever")
        return days


class Config(Section):
    """The whole configuration."""

    engine: EngineChoice = "auto"
    timezone: str = "local"
    watchlist: Annotated[tuple[Watched, ...], Field(strict=False)] = ()
    feeds: Feeds = Feeds()
    network: Network = Network()
    tools: Tools = Tools()
    claude: Claude = Claude()
    alerts: Alerts = Alerts()
    storage: Storage = Storage()

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        if value != "local":
            try:
                ZoneInfo(value)
            except (ZoneInfoNotFoundError, ValueError, OSError) as error:
                raise ValueError(f'{value!r} is no time zone; use "local" or a name such as "Europe/Berlin"') from error
        return value


def load(file: Path, *, required: bool = False) -> Config:
    """The configuration in `file`; the defaults where there is none and it is not `required`.

    Raises ConfigError naming the file, the line and the key.
    """
    try:
        text = file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        if required:
            raise ConfigError(f"{file}: no such file; `tapewatch config init` writes one") from None
        return Config()
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: not UTF-8 at byte {error.start}; save it as UTF-8") from error
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read ({error.strerror})") from error
    return parse(text, str(file))


def parse(text: str, name: str) -> Config:
    """The configuration in `text`; `name` is what errors call it."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{name}: not valid TOML: {one_line(str(error))}") from error
    try:
        return Config.model_validate(data)
    except ValidationError as error:
        problems = error.errors(include_url=False)
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise ConfigError(f"{name}{_describe(problems[0], data, text)}{more}") from None


def _describe(problem: ErrorDetails, data: dict[str, Any], text: str) -> str:
    """` line 7: feeds.source[0].tier: what is wrong`, in words a person can act on."""
    path = _written(problem["loc"], data)
    line = line_of(text, path)
    where = f" line {line}" if line else ""
    key = _dotted(path)
    if problem["type"] == "extra_forbidden":
        return f"{where}: unknown key {key}; {_nearest(path)}"
    if problem["type"] == "missing":
        return f"{where}: {key} is missing"
    message = problem["msg"].removeprefix("Value error, ").replace("valid tuple", "list").replace("dictionary", "table")
    message = message[0].lower() + message[1:] if message else message
    return f"{where}: {key}{_shown(path, data)}: {redact(one_line(message))}"


def _written(loc: tuple[int | str, ...], data: Any) -> tuple[int | str, ...]:
    """The part of `loc` that names something in the file; pydantic may add steps of its own."""
    path: list[int | str] = []
    for step in loc:
        path.append(step)
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            break
    return tuple(path)


def _dotted(path: tuple[int | str, ...]) -> str:
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{one_line(step)}" if text else one_line(step)
    return text


def _shown(path: tuple[int | str, ...], data: Any) -> str:
    """` = value` for values that are neither secret nor long."""
    if path[:1] == ("alerts",) and SECRET_KEYS & set(path):
        return ""
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return ""
    shown = redact(one_line(repr(data)))
    return f" = {shown}" if len(shown) <= 60 else ""


def _fields(model: type[BaseModel]) -> dict[str, type[BaseModel] | None]:
    """The keys of a table, each with the table below it where there is one."""
    below: dict[str, type[BaseModel] | None] = {}
    for name, field in model.model_fields.items():
        kinds = (field.annotation, *get_args(field.annotation))
        below[field.alias or name] = next(
            (kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)), None
        )
    return below


def _nearest(path: tuple[int | str, ...]) -> str:
    """What the unknown last key of `path` may have been meant to be."""
    model: type[BaseModel] = Config
    for step in path[:-1]:
        if isinstance(step, str):
            model = _fields(model).get(step) or model
    known = list(_fields(model))
    wrong = re.sub(r"[^a-z]", "_", str(path[-1]).lower())
    if close := difflib.get_close_matches(wrong, known, n=1, cutoff=0.55):
        return f"did you mean {close[0]}?"
    for table, below in _fields(Config).items():
        for name, kind in {**(_fields(below) if below else {}), **_fields(SourceEntry)}.items():
            if name == wrong and kind is None:
                home = "feeds.source" if name in SourceEntry.model_fields else table
                return f"it belongs in {home}"
    return f"known here are {', '.join(known)}"
