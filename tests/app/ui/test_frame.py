"""What is written is what differs, and the terminal shows what a whole repaint would show."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from datetime import timedelta
from functools import cached_property
from typing import Any

import pyte
import pytest
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual._compositor import CompositorUpdate
from textual.strip import Strip

from app.ui.frame import Frame
from tests.app.ui.samples import DAY, NOW, card_detail, day, many
from tests.app.ui.stage import NARROW, WIDE, RungApp, stage
from tests.app.ui.terminal import Terminal

FEW = "tests.app.ui.play_few"
Cell = tuple[str, str, str, bool]


class SeenApp(RungApp):
    """Writes what it would write to a terminal in memory."""

    written = 0

    @cached_property
    def seen(self) -> pyte.Screen:
        return pyte.Screen(*self.size)

    @cached_property
    def stream(self) -> pyte.Stream:
        return pyte.Stream(self.seen)

    def _display(self, screen: Any, renderable: Any) -> None:
        if isinstance(renderable, CompositorUpdate):
            sequence = self.frame.sequence(renderable, self.console) or ""
            self.written += len(sequence)
            self.stream.feed(sequence)
        super()._display(screen, renderable)


def meant(strips: list[Strip]) -> list[list[Cell]]:
    """What should stand in each cell; of a blank one only its ground can be seen."""
    return [[cell for segment in strip for cell in _cells(segment)] for strip in strips]


def _cells(segment: Segment) -> Iterator[Cell]:
    style = segment.style or Style()
    ink, ground = (colour.triplet.hex[1:] if colour and colour.triplet else "default" for colour in _colours(style))
    for letter in segment.text:
        yield _visible(letter, ink, ground, bool(style.bold))
        yield from [_visible("", ink, ground, bool(style.bold))] * (cell_len(letter) - 1)


def _colours(style: Style) -> tuple[Any, Any]:
    return (style.bgcolor, style.color) if style.reverse else (style.color, style.bgcolor)


def _visible(letter: str, ink: str, ground: str, bold: bool) -> Cell:
    return (letter, "", ground, False) if letter in (" ", "") else (letter, ink, ground, bold)


def shown(screen: pyte.Screen) -> list[list[Cell]]:
    """What stands in each cell."""
    lines = [[screen.buffer[y][x] for x in range(screen.columns)] for y in range(screen.lines)]
    return [
        [_visible(c.data, *((c.bg, c.fg) if c.reverse else (c.fg, c.bg)), bool(c.bold)) for c in line] for line in lines
    ]


@pytest.fixture(autouse=True)
def _all_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")


STEPS = "+ ++ j j + k G + g enter tab + escape 3 + 3 F enter enter escape escape + question_mark space escape f escape"


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_the_terminal_shows_what_is_painted(size: tuple[int, int]) -> None:
    async with stage([*day(), *many(40)], size=size, app_class=SeenApp) as on:
        app = on.app
        assert isinstance(app, SeenApp)
        key = 10_000
        for step in STEPS.split():
            if step.startswith("+"):
                for _ in step:
                    key += 1
                    on.tape.arrive(card_detail(DAY[key % 8], key, NOW + timedelta(minutes=key - 10_000)))
                await on.settle()
            else:
                await on.press(step)
            await on.done()
            assert shown(app.seen) == meant(app.screen._compositor.render_strips()), step


async def test_what_is_the_same_is_not_written_again() -> None:
    async with stage(app_class=SeenApp) as on:
        app = on.app
        assert isinstance(app, SeenApp)
        await on.pilot.pause(0.2)
        for widget in (on.feed, on.detail.rows):
            widget.refresh()
        await on.done()
        before = app.written
        for widget in (on.feed, on.detail.rows):
            widget.refresh()
        await on.done()
        assert app.written == before
        app.paint_anew()
        await on.done()
        assert app.written > before + 10_000


BOLD, RED, GREEN = Style(bold=True, color="#ffffff", bgcolor="#000000"), "#ff0000 on #000000", "#00ff00 on #000000"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([("abc", RED)], [("abd", RED)]),
        ([("abc", RED), ("def", GREEN)], [("abc", GREEN), ("def", GREEN)]),
        ([("ab", BOLD), ("c", RED)], [("a", BOLD), ("bc", RED)]),
        ([("日本a", RED)], [("日本b", RED)]),
        ([("日本", RED), ("a", GREEN)], [("日a ", RED), ("b", GREEN)]),
        ([("a日", RED), ("b", GREEN)], [("ab ", RED), ("c", GREEN)]),
        ([("abc", RED)], [("   ", "on #0000ff")]),
        ([("same", RED), (" ", "on #0000ff"), ("1", GREEN)], [("same", RED), (" ", "on #0000ff"), ("2", GREEN)]),
    ],
)
def test_any_line_can_follow_any_other(before: list[tuple[str, Any]], after: list[tuple[str, Any]]) -> None:
    screen = pyte.Screen(12, 2)
    stream, frame = pyte.Stream(screen), Frame()
    for line in (before, after):
        strip = Strip(
            [Segment(text, style if isinstance(style, Style) else Style.parse(style)) for text, style in line]
        )
        stream.feed("".join(frame._line(0, {0: strip}, ColorSystem.TRUECOLOR)))
    wanted = meant([strip])[0]
    assert shown(screen)[0][: len(wanted)] == wanted


def test_an_idle_second_costs_the_digits_of_the_clock() -> None:
    with Terminal(FEW, "ticking") as terminal:
        terminal.wait_for("? help")
        for _ in range(15):
            terminal.read(0.1)
        before = len(terminal.seen)
        for _ in range(20):
            terminal.read(0.1)
        assert 0 < (len(terminal.seen) - before) / 2 < 120


def test_a_card_that_waits_above_costs_less_than_a_card() -> None:
    with Terminal(FEW) as terminal:
        terminal.wait_for("? help")
        terminal.send("jj")
        for _ in range(20):
            terminal.read(0.1)
        before = len(terminal.seen)
        terminal.process.send_signal(signal.SIGUSR1)
        for _ in range(6):
            terminal.read(0.1)
        assert 0 < len(terminal.seen) - before < 1_200
