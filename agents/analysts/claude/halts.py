"""What stops all calls, or those to one model: a refused key, a spend limit, a model that is not there."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from agents.analysts.claude.failures import CallFailed, Failure

log = logging.getLogger(__name__)

ALL = ""
"""Stands for every model."""


class Halts:
    """The halts that are on. One ends after its time, or with the process."""

    def __init__(self) -> None:
        self._on: dict[str, tuple[Failure, float | None]] = {}

    def begin(self, failure: Failure, model: str) -> None:
        """Sends nothing more until the halt ends; said once."""
        until = None if failure.halt_s is None else asyncio.get_running_loop().time() + failure.halt_s
        scope = model if failure.one_model else ALL
        if scope not in self._on:
            log.warning("claude stops: %s", failure.detail)
        self._on[scope] = (failure, until)

    def of(self, model: str = ALL) -> Failure | None:
        """What stops calls to `model` at the moment, or every call."""
        for scope in (ALL, model):
            failure, until = self._on.get(scope, (None, None))
            if failure is not None and (until is None or until > asyncio.get_running_loop().time()):
                return failure
            self._on.pop(scope, None)
        return None

    def refuse(self, model: str) -> None:
        """Raises CallFailed where calls to `model` are stopped."""
        if failure := self.of(model):
            raise CallFailed(replace(failure, halts=False))
