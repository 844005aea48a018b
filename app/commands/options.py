"""The options every command takes, before or after its name; what stands after wins."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from app.config.config import Config
    from app.config.in_force import InForce


class Speed(click.FloatRange):
    """How many times as fast as it happened: 0 to a million, and a number."""

    def __init__(self) -> None:
        super().__init__(min=0, max=1e6)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number. NaN lies inside every range to click, and is refused here."""
        number = float(super().convert(value, param, ctx))
        if number != number:
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


class FilePath(click.Path):
    """The path of a file. An empty one and one that no file can have are refused."""

    def __init__(self, *, exists: bool = False) -> None:
        super().__init__(exists=exists, path_type=Path, dir_okay=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path."""
        if not str(value).strip() or "\0" in str(value):
            self.fail("no file can be called that.", param, ctx)
        return super().convert(value, param, ctx)


Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Options:
    """What the user gave on the command line; None where nothing."""

    config: Path | None = None
    db: Path | None = None
    engine: str | None = None
    debug: bool = False

    def over(self, outer: Options) -> Options:
        """These options, with what they leave open taken from `outer`."""
        return Options(
            config=self.config or outer.config,
            db=self.db or outer.db,
            engine=self.engine or outer.engine,
            debug=self.debug or outer.debug,
        )

    @property
    def config_file(self) -> Path:
        """The configuration file in force."""
        if self.config:
            return self.config.expanduser()
        from app.paths import config_file

        return config_file()

    @property
    def database_file(self) -> Path:
        """The database in force."""
        if self.db:
            return self.db.expanduser()
        from app.paths import database_file

        return database_file()

    @property
    def usage_file(self) -> Path:
        """What model calls have cost, and their replies; beside the database in force, also for runs that keep none."""
        from storage.usage_file import beside

        return beside(self.database_file)

    def period(self, since: str | None, until: str | None) -> tuple[datetime | None, datetime | None]:
        """The period that --since and --until name in the configured zone; see `app.commands.times`."""
        from app.commands.times import read_period
        from app.config.zone import zone

        return read_period(since, until, now=datetime.now(UTC), zone=zone(self.load().timezone))

    def in_force(self, loaded: Config) -> InForce:
        """What of the loaded configuration comes from where, and where things are kept."""
        from app.config.in_force import in_force
        from app.paths import log_file

        return in_force(
            loaded,
            self.config_file,
            flags={"engine": "--engine"} if self.engine else {},
            places={"database": self.database_file, "usage": self.usage_file, "log": log_file()},
        )

    def load(self) -> Config:
        """The configuration with the flags on top. A file named with --config must exist."""
        from app.config.config import load
        from app.config.engine import check_engine

        loaded = load(self.config_file, required=self.config is not None)
        if self.engine:
            loaded = loaded.model_copy(update={"engine": self.engine})
        check_engine(loaded.engine)
        return loaded


def global_options(function: Command) -> Command:
    """Adds the options of every command to `function`, which gets them as one `options` argument."""

    @click.option("--debug", is_flag=True, help="Log more, and show the traceback of a failure.")
    @click.option("--engine", type=click.Choice(["rules", "claude"]), help="Who thinks for the agents.")
    @click.option("--db", type=FilePath(), help="Use this database.")
    @click.option("--config", type=FilePath(), help="Use this configuration file.")
    @functools.wraps(function)
    def with_options(
        *args: Any, config: Path | None, db: Path | None, engine: str | None, debug: bool, **others: Any
    ) -> Any:
        context = click.get_current_context()
        options = Options(config, db, engine, debug).over(context.obj or Options())
        context.obj = options
        return function(*args, options=options, **others)

    return with_options  # type: ignore[return-value]
