"""What stands on the terminal, so that only what differs is written to it.

Textual writes whole lines of whatever widget asked to be painted. Over ssh and in tmux that flickers: here, a line that
is the same costs no byte, and of one that differs only the part between the first and the last change is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.strip import SGR_STYLES, Strip

_OWN_SIGNS = frozenset("…—–−“”’‹›→←•●○◌·×▲▼▌█━─│┼├┤★◆◇✓")
Pieces = dict[int, Strip | None]
"""A line as strips by the cell each begins at; None where nothing is known of that piece."""


class Frame:
    """Remembers the lines of one terminal. `forget` it whenever something else may have written there."""

    def __init__(self) -> None:
        self._lines: dict[int, Pieces] = {}

    def forget(self) -> None:
        """Takes nothing that stands on the terminal for granted."""
        self._lines.clear()

    def sequence(self, update: CompositorUpdate, console: Console) -> str | None:
        """What must be written to show an update, empty where it shows nothing new; None for one of another kind."""
        if isinstance(update, LayoutUpdate):
            lines: Iterable[tuple[int, Mapping[int, Strip | None]]] = _laid_out(update)
        elif isinstance(update, ChopsUpdate):
            lines = _in_spans(update)
        else:
            return None
        system = console._color_system or ColorSystem.TRUECOLOR
        return "".join(part for y, pieces in lines for part in self._line(y, pieces, system))

    def _line(self, y: int, pieces: Mapping[int, Strip | None], system: ColorSystem) -> Iterator[str]:
        shown = self._lines.get(y)
        if shown is None or shown.keys() != pieces.keys():
            shown = self._lines[y] = dict.fromkeys(pieces)
        for x, strip in pieces.items():
            if strip is None:
                continue
            before = shown[x]
            if before is not strip and before != strip:
                yield _written(x, y, before, strip, system)
            shown[x] = strip


def _laid_out(update: LayoutUpdate) -> Iterator[tuple[int, Pieces]]:
    """The lines of a whole screen."""
    for y, strips in enumerate(update.strips, update.region.y):
        pieces: Pieces = {}
        x = update.region.x
        for strip in strips:
            pieces[x] = strip
            x += strip.cell_length
        yield y, pieces


def _in_spans(update: ChopsUpdate) -> Iterator[tuple[int, Pieces]]:
    """The lines of a part of the screen; of what lies outside the part an update knows only the ground."""
    for y, first, last in update.spans:
        pieces = zip(update.chops[y].items(), update.chop_ends[y], strict=True)
        yield y, {x: strip if x < last and end > first else None for (x, strip), end in pieces}


def _written(x: int, y: int, before: Strip | None, after: Strip, system: ColorSystem) -> str:
    """The part of a strip that differs, with where it begins."""
    new = list(after)
    if before is not None and before.cell_length == after.cell_length:
        skipped, new = _trimmed(list(before), new)
        x += skipped
    return f"\x1b[{y + 1};{x + 1}H{_rendered(new, system)}"


def _trimmed(old: list[Segment], new: list[Segment]) -> tuple[int, list[Segment]]:
    """How many cells at the beginning stand there already, and what is to be written behind them."""
    skipped = 0
    while old and new and old[0] == new[0] and _is_plain(new[0].text):
        skipped += len(new[0].text)
        del old[0], new[0]
    while old and new and old[-1] == new[-1] and _is_plain(new[-1].text):
        del old[-1], new[-1]
    if old and new and old[0].style == new[0].style:
        text, style, control = new[0]
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old[0].text, text, strict=False)))
        if _is_plain(text[:same]):
            skipped += same
            new[0] = Segment(text[same:], style, control)
    return skipped, new


def _is_plain(text: str) -> bool:
    """Whether every terminal gives these characters one cell each; where one does not, the rest would be shifted."""
    return text.isascii() or all(letter < "\u0300" or letter in _OWN_SIGNS for letter in text)


def _rendered(segments: Sequence[Segment], system: ColorSystem) -> str:
    """Text with its styles; from one style to the next only what changes is said."""
    parts: list[str] = []
    before: Style | None = None
    for text, style, _ in segments:
        parts += (_turn(before, style, system), text)
        before = style
    if before:
        parts.append("\x1b[0m")
    return "".join(parts)


def _turn(before: Style | None, style: Style | None, system: ColorSystem) -> str:
    """The sequence that leads from one style to another."""
    if not style:
        return "\x1b[0m" if before else ""
    whole = Strip.render_ansi(style, system)
    if before is None or not before:
        return f"\x1b[{whole}m" if whole else ""
    known = style.color is not None and style.bgcolor is not None
    attributes, had = style._attributes & style._set_attributes, before._attributes & before._set_attributes
    if not known or had & ~attributes:
        return f"\x1b[0;{whole}m" if whole else "\x1b[0m"
    codes: list[str] = []
    if more := attributes & ~had:
        codes += [code for bit, code in enumerate(SGR_STYLES) if more & (1 << bit)]
    if style.color != before.color and style.color is not None:
        codes.extend(style.color.downgrade(system).get_ansi_codes())
    if style.bgcolor != before.bgcolor and style.bgcolor is not None:
        codes.extend(style.bgcolor.downgrade(system).get_ansi_codes(foreground=False))
    return f"\x1b[{';'.join(codes)}m" if codes else ""
