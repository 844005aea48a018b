"""Widgets that paint their own lines: roles become theme colours, spans become segments."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from app.ui.line import BLANK, ROLES, Line, Role, cut

_CURSOR = "row--cursor"


class Palette(Widget):
    """The styles of all roles, as the stylesheet and the theme in force have them. Unseen; one per application.

    It stands alone so that the stylesheet works the roles out once, and not for every widget that paints.
    """

    COMPONENT_CLASSES = {f"role--{role}" for role in ROLES} | {_CURSOR}
    _roles: Mapping[Role, Style] | None = None

    @property
    def roles(self) -> Mapping[Role, Style]:
        """The style of every role, without a background unless the role has its own."""
        if self._roles is None:
            self._roles = {role: self.get_component_rich_style(f"role--{role}", partial=True) for role in ROLES}
        return self._roles

    @property
    def cursor(self) -> Style:
        """What the row under the cursor adds."""
        return self.get_component_rich_style(_CURSOR, partial=True)

    def notify_style_update(self) -> None:
        self._roles = None
        super().notify_style_update()


class Painter:
    """Paints lines on the background of one widget."""

    def __init__(self, widget: Widget) -> None:
        palette = widget.app.screen_stack[0].query_one(Palette)
        self._base = widget.rich_style
        self._lifted = self._base + palette.cursor
        self._roles = palette.roles

    def strip(self, line: Line, cells: int, *, lifted: bool = False) -> Strip:
        """`line` as a strip of exactly `cells` cells."""
        base = self._lifted if lifted else self._base
        segments = [Segment(_printable(span.text), base + self._roles[span.role]) for span in cut(line, cells)]
        return Strip(segments).adjust_cell_length(cells, base).simplify()


def _printable(text: str) -> str:
    """The last guard before the terminal: nothing that is not printable passes, wherever it came from."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


class Painted(Widget):
    """A widget with a painter that is made anew when the theme changes."""

    _painter: Painter | None = None

    @property
    def painter(self) -> Painter:
        """The painter of the theme in force."""
        if self._painter is None:
            self._painter = Painter(self)
        return self._painter

    def notify_style_update(self) -> None:
        self._painter = None
        super().notify_style_update()


class LineWidget(Painted):
    """A bar of one or more lines. A subclass gives `lines(cells)`."""

    _painted: tuple[int, tuple[Line, ...]] = (0, ())

    def lines(self, cells: int) -> list[Line]:
        """The lines to show in `cells` cells."""
        raise NotImplementedError

    def look(self) -> None:
        """Paints what differs from what stands there, so that a bar that says the same costs no byte."""
        cells, before = self._painted
        if cells != self.size.width:
            self.refresh()
            return
        now = tuple(self.lines(cells))
        if now == before:
            return
        self._painted = (cells, now)
        for y in range(max(len(before), len(now))):
            old, new = (lines[y] if y < len(lines) else BLANK for lines in (before, now))
            if (first := _first_change(old, new)) is not None:
                self.refresh(Region(first, y, cells - first, 1))

    def render_line(self, y: int) -> Strip:
        cells = self.size.width
        if y == 0 or self._painted[0] != cells:
            self._painted = (cells, tuple(self.lines(cells)))
        lines = self._painted[1]
        return self.painter.strip(lines[y] if y < len(lines) else BLANK, cells)


def _first_change(old: Line, new: Line) -> int | None:
    """The first cell of the first span that differs; None where none does."""
    at = 0
    for before, after in zip_longest(old, new):
        if before != after:
            return at
        at += cell_len(after.text)
    return None
