"""Prints the table: `python -m tests.evaluation [part of a measure's function name ...]`."""

from __future__ import annotations

import sys

from tests.evaluation.corpus import FOLDER
from tests.evaluation.investigations import INVESTIGATIONS
from tests.evaluation.measures import MEASURES


def main(wanted: list[str]) -> int:
    if not FOLDER.is_dir():
        print(f"the labelled sets are missing: {FOLDER}", file=sys.stderr)
        return 1
    print(f"{'measure':44}{'value':>9}  {'95% interval':>18}  {'floor':>6}  {'aim':>7}")
    for measure in (*MEASURES, *INVESTIGATIONS):
        if wanted and not any(part in measure.__name__ for part in wanted):
            continue
        for line in measure():
            spread = f"{line.low:.2f} to {line.high:.2f}"
            print(f"{line.measure:44}{line.value:9.3f}  {spread:>18}  {line.floor:>6}  {line.aim:>7}")
            for note in line.notes:
                print(f"    {note}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
