"""An interval on a scale as one line of text: where it begins and ends, where the estimate lies, where nothing is."""

from __future__ import annotations

from dataclasses import dataclass

from app.ui.line import Line, Role, Span


@dataclass(frozen=True, slots=True)
class Scale:
    """So many cells from `low` to `high`; `mark` is a value the eye compares with (no effect, what is usual)."""

    cells: int
    low: float
    high: float
    mark: float | None = None

    def cell(self, value: float) -> int:
        """The cell of a value; what lies outside stands at the edge."""
        part = (value - self.low) / (self.high - self.low)
        return min(max(int(part * self.cells), 0), self.cells - 1)


def interval(scale: Scale, low: float, value: float, high: float, role: Role) -> Line:
    """The interval as a line with a dot at its estimate, over the mark of the scale."""
    first, dot, last = scale.cell(low), scale.cell(value), scale.cell(high)
    mark = None if scale.mark is None else scale.cell(scale.mark)
    spans: list[Span] = []
    for cell in range(scale.cells):
        if cell == dot:
            spans.append(Span("●", role))
        elif first <= cell <= last:
            spans.append(Span("┼" if cell == mark else "─", role))
        else:
            spans.append(Span("│" if cell == mark else " ", "faint"))
    return _joined(spans)


def empty(scale: Scale) -> Line:
    """The scale with nothing on it but its mark."""
    mark = None if scale.mark is None else scale.cell(scale.mark)
    return _joined([Span("│" if cell == mark else " ", "faint") for cell in range(scale.cells)])


def ends(scale: Scale, low: str, middle: str, high: str) -> Line:
    """What stands at both ends of a scale and at its mark, as far as there is room."""
    line = list(low.ljust(scale.cells)[: scale.cells])
    if scale.mark is not None and middle:
        start = max(scale.cell(scale.mark) - len(middle) // 2, 0)
        if start > len(low) and start + len(middle) < scale.cells - len(high):
            line[start : start + len(middle)] = middle
    line[scale.cells - len(high) :] = high
    return (Span("".join(line), "faint"),)


def _joined(spans: list[Span]) -> Line:
    """Neighbours of one role as one span."""
    line: list[Span] = []
    for span in spans:
        if line and line[-1].role == span.role:
            line[-1] = Span(line[-1].text + span.text, span.role)
        else:
            line.append(span)
    return tuple(line)
