"""The command line. `--help` and mistakes are answered without loading any command; each loads its own parts."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
from typing import Any, NoReturn

import click

from app.commands.options import Options, global_options
from app.errors import AppError

COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("app.commands.run", "Monitor the feeds; --headless prints signals as JSON lines instead."),
    "score": ("app.commands.score", "Score items from a file, stdin or the command line."),
    "why": ("app.commands.why", "Investigate a price move: causes with certainty, coverage, and when it is known."),
    "replay": ("app.commands.replay", "Run recorded items through the monitor on a simulated clock."),
    "demo": ("app.commands.demo", "Replay an invented day: offline, nothing is kept."),
    "rescore": ("app.commands.rescore", "Score a kept item again and show how far the answers lie apart."),
    "budget": ("app.commands.budget", "State what the model may cost at most, and what today has cost."),
    "export": ("app.commands.export", "Write the kept signals of a period as JSON lines or CSV."),
    "scorecard": ("app.commands.scorecard", "Compare scores with what prices did afterwards."),
    "feeds": ("app.commands.feeds", "List, check, add and remove feeds; take in and write OPML lists."),
    "tools": ("app.commands.tools", "List the evidence tools and their sources, or try one."),
    "alerts": ("app.commands.alerts", "Try the channels, say why, list, mute and unmute."),
    "doctor": ("app.commands.doctor", "Tell what works here and what does not, and what to do about it."),
    "config": ("app.commands.config", "Show where the configuration is, write it, print it."),
}
INTERRUPTED = 130


class LazyGroup(click.Group):
    """Knows its commands by name and one line; imports one only to run it or to show its own help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command. A reader of stdout that has enough (`| head`) is no failure."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _forget_stdout()
            return 0

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"there is no command {args[0]!r}; commands are {', '.join(COMMANDS)}")
        return super().resolve_command(ctx, args)


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"tapewatch {version('tapewatch')}")
        ctx.exit()


@click.group(cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print it.")
@global_options
@click.pass_context
def cli(ctx: click.Context, options: Options) -> None:
    """A news monitor for traders: five agents judge every story, and every number opens.

    Without a command it opens the monitor.
    """
    if ctx.invoked_subcommand is None:
        from app.commands.run import run_screen

        run_screen(options)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Runs the command line and ends the process with its exit code; a failure is one line on stderr."""
    given = sys.argv[1:] if arguments is None else arguments
    _leave_no_core()
    _open_closed_descriptors()
    _write_any_text()
    try:
        code = cli.main(given, prog_name="tapewatch", standalone_mode=False)
    except click.exceptions.Abort:
        code = INTERRUPTED
    except KeyboardInterrupt:
        code = INTERRUPTED
    except click.ClickException as error:
        code = 2
        _complain(_usage(error))
    except Exception as error:  # the last line of defence: no traceback reaches a terminal
        if "--debug" in given:
            raise
        code = _failed(error)
    sys.exit(code if isinstance(code, int) else 0)


def _failed(error: Exception) -> int:
    """Says what failed in one line; returns the exit code."""
    if isinstance(error, AppError):
        _complain(str(error))
        return error.exit_code
    known: tuple[type[Exception], ...] = (OSError,)
    for name in ("feeds.errors", "storage.errors"):
        if loaded := sys.modules.get(name):
            known += tuple(kind for key in ("FeedError", "StorageError") if (kind := getattr(loaded, key, None)))
    if isinstance(error, OSError) and error.strerror:
        named = f"{error.filename}: " if error.filename else ""
        _complain(f"{named}{error.strerror[0].lower()}{error.strerror[1:]}")
    elif isinstance(error, known):
        _complain(str(error))
    else:
        _complain(f"unexpected {type(error).__name__}: {error} (--debug shows it)")
    return 1


def _usage(error: click.ClickException) -> str:
    context: Any = getattr(error, "ctx", None)
    name = context.command_path if context is not None else "tapewatch"
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        commands = ", ".join(context.command.list_commands(context))
        return f"{context.info_name}: give a command: {commands}; see `{name} --help`"
    message = " ".join(error.format_message().split())
    return f"{message.rstrip('.')}; see `{name} --help`"


def _complain(message: str) -> None:
    from app.log import environment_secrets, one_line, redact

    print(f"tapewatch: {one_line(redact(message, environment_secrets()))}", file=sys.stderr)


def _open_closed_descriptors() -> None:
    """Gives a stdin, stdout or stderr that came closed the null device, lest the database be opened in its place."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 - for as long as the process
            setattr(sys, name, stream)


def _write_any_text() -> None:
    """Pipes and files get UTF-8 in every locale, as JSON must be; a terminal what it can show, ? for the rest."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")


def _leave_no_core() -> None:
    """Keeps a crash from writing the memory, keys and tokens included, into a file; only this process is meant."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _forget_stdout() -> None:
    """Points stdout at nothing, so that the interpreter's last flush does not complain about the closed pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
