"""The database that a command reads beside the running monitor."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from app.commands.options import Options
from app.errors import UsageError

if TYPE_CHECKING:
    from storage.database import View


@asynccontextmanager
async def opened(options: Options) -> AsyncIterator[View]:
    """A read-only view of the database in force. Raises UsageError where there is none yet."""
    from storage.database import View

    path = options.database_file
    if not await asyncio.to_thread(path.exists):
        raise UsageError(f"{path}: no such database; the monitor makes it")
    async with View.open(path) as view:
        yield view
