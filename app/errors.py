"""What the program itself refuses. Each message is one line: what, where, and what to do.

AppError           the work failed (exit 1)
  UsageError         wrong use: arguments, options, what this build cannot do (exit 2)
  ConfigError        the configuration file cannot be used (exit 2)
  NothingScored      there was nothing that could be scored (exit 3)
"""

from __future__ import annotations

from typing import ClassVar


class AppError(Exception):
    """The work failed; `str(error)` is the line to show and `exit_code` what the process ends with."""

    exit_code: ClassVar[int] = 1


class UsageError(AppError):
    """The program was asked for something it does not do."""

    exit_code = 2


class ConfigError(AppError):
    """The configuration file is unreadable or holds a key or value that is refused."""

    exit_code = 2


class NothingScored(AppError):
    """No input item could be scored."""

    exit_code = 3
