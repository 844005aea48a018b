"""What is in force and where it comes from: the default, a line of the file, a flag or the environment."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import BaseModel, SecretStr

from app.config.config import Config
from app.config.engine import ADDRESS, KEY
from app.config.toml_lines import line_of
from app.log import HIDDEN, environment_secrets, one_line, redact

DEFAULT = "default"
_SPOKEN = (KEY, ADDRESS, "NO_COLOR")
"""What of the environment changes how the program works."""

KeyPath: TypeAlias = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting with its value as the file would hold it. `origin` is DEFAULT, "line 7", a flag or "environment"."""

    section: str
    name: str
    value: str
    origin: str


@dataclass(frozen=True, slots=True)
class InForce:
    """All settings, the file they come from and whether it is there, and where things are kept."""

    file: Path
    written: bool
    settings: tuple[Setting, ...]
    places: tuple[tuple[str, Path], ...]


def in_force(
    config: Config, file: Path, *, flags: Mapping[str, str], places: Mapping[str, Path] | None = None
) -> InForce:
    """The settings of `config`, which was read from `file` with `flags` on top (key of the file to flag).

    Secrets are hidden, also those inside an address.
    """
    text, data = "", {}
    with suppress(OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        text = file.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    secrets = environment_secrets()
    found = [
        Setting(_section(path), _name(path), redact(one_line(_shown(value)), secrets), _origin(path, data, text, flags))
        for path, value in _leaves(config, ())
    ]
    return InForce(file, bool(text), (*found, *_environment()), tuple((places or {}).items()))


def _environment() -> Iterator[Setting]:
    for name in _SPOKEN:
        value = os.environ.get(name)
        shown = "not set" if value is None else HIDDEN if name == KEY else redact(one_line(value))
        yield Setting("environment", name, shown, DEFAULT if value is None else "environment")


def _leaves(model: BaseModel, above: KeyPath) -> Iterator[tuple[KeyPath, Any]]:
    """Every setting with its path; a list of tables is one setting for each table, or one that says there is none."""
    for name, field in type(model).model_fields.items():
        path, value = (*above, field.alias or name), getattr(model, name)
        if isinstance(value, BaseModel):
            yield from _leaves(value, path)
        elif isinstance(value, tuple) and value and isinstance(value[0], BaseModel):
            yield from (((*path, place), one) for place, one in enumerate(value))
        else:
            yield path, value


def _section(path: KeyPath) -> str:
    named = [step for step in path if isinstance(step, str)]
    return ".".join(named if isinstance(path[-1], int) else named[:-1]) or "general"


def _name(path: KeyPath) -> str:
    return f"{path[-1] + 1}" if isinstance(path[-1], int) else path[-1]


def _origin(path: KeyPath, data: Any, text: str, flags: Mapping[str, str]) -> str:
    if flag := flags.get(".".join(map(str, path))):
        return flag
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return DEFAULT
    line = line_of(text, path)
    return f"line {line}" if line else "file"


def _shown(value: Any) -> str:
    """A value as TOML would write it."""
    if isinstance(value, SecretStr):
        return f'"{HIDDEN}"' if value.get_secret_value() else '""'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, BaseModel):
        given = {
            field.alias or name: getattr(value, name)
            for name, field in type(value).model_fields.items()
            if name in value.model_fields_set
        }
        return ", ".join(f"{name} = {_shown(one)}" for name, one in given.items())
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name} = {_shown(one)}" for name, one in value.items()) + "}"
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_shown, value))}]"
    return str(value)
