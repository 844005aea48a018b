"""`tapewatch config`: where the configuration is, a first one, and what is in force with the secrets hidden."""

from __future__ import annotations

import os
from typing import Any

import click

from app.commands.options import Options, global_options


@click.group("config")
@global_options
def command(options: Options) -> None:
    """Where the configuration is, a commented first one, and what is in force."""


@command.command("path")
@global_options
def path(options: Options) -> None:
    """Print where the configuration file is, whether or not it exists."""
    click.echo(options.config_file)


@command.command("init")
@global_options
def init(options: Options) -> None:
    """Write a commented configuration file; an existing one is never touched."""
    from app.config import file as config_file

    config_file.init(options.config_file)
    click.echo(f"written to {options.config_file}")


@command.command("show")
@global_options
def show(options: Options) -> None:
    """Print the configuration in force, defaults included, secrets hidden."""
    import tomlkit

    from app.log import HIDDEN, environment_secrets, redact

    loaded = options.load()
    values = _plain(loaded.model_dump(mode="python"), HIDDEN)
    origin = options.config_file if options.config_file.exists() else f"{options.config_file} (not there: defaults)"
    key = "set" if os.environ.get("ANTHROPIC_API_KEY") else "not set"
    click.echo(f"# from {origin}\n# database {options.database_file}\n# ANTHROPIC_API_KEY is {key}\n")
    click.echo(redact(tomlkit.dumps(values), environment_secrets()), nl=False)


def _plain(value: Any, hidden: str) -> Any:
    """`value` as TOML can hold it, with every secret replaced."""
    from pydantic import SecretStr

    if isinstance(value, SecretStr):
        return hidden
    if isinstance(value, dict):
        return {key: _plain(one, hidden) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(one, hidden) for one in value]
    return value
