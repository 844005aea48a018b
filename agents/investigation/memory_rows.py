"""Node results kept for the length of a run, where there is no database to keep them in."""

from __future__ import annotations

from collections.abc import Mapping

from agents.investigation.ports import NodeResult


class MemoryRows:
    """Rows in memory: a run can retry a node, but not go on after the process has ended."""

    def __init__(self) -> None:
        self._rows: dict[str, dict[tuple[str, int], NodeResult]] = {}

    async def results(self, case_id: str) -> Mapping[tuple[str, int], NodeResult]:
        """What is there already, by node and round."""
        return dict(self._rows.get(case_id, {}))

    async def keep(self, case_id: str, node: str, round_: int, result: NodeResult) -> None:
        """Keeps a result."""
        self._rows.setdefault(case_id, {})[(node, round_)] = result
