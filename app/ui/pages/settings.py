"""The settings in force as rows: value and origin; what is not the default stands out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from app.config.in_force import DEFAULT, InForce
from app.ui.line import Span, left, said
from app.ui.pages.page import GAP, Row, View, heading, paragraph, wrapped

NAME = 20
ORIGIN = 14


def settings_rows(found: InForce | None, view: View) -> list[Row]:
    """The whole page."""
    return list(_rows(found, view))


def _rows(found: InForce | None, view: View) -> Iterator[Row]:
    yield Row((Span("Settings", "title"), Span("  what is in force, and where it comes from", "muted")))
    yield GAP
    if found is None:
        yield Row((Span("this run was started without a configuration", "muted"),))
        return
    yield from wrapped("file", said(str(found.file)), view)
    if found.written:
        yield from paragraph("edit it and start again; tapewatch config show prints it whole", view, "muted", indent=13)
    else:
        told = "not there: everything is the default; tapewatch config init writes one with every setting explained"
        yield from paragraph(told, view, "note", indent=13)
    for name, path in found.places:
        yield from wrapped(name, said(str(path)), view, "soft")
    for section, settings in groupby(found.settings, key=lambda one: one.section):
        yield GAP
        yield heading(section)
        for one in settings:
            own = one.origin != DEFAULT
            room = max(view.cells - NAME - ORIGIN - 3, 8)
            yield Row(
                (
                    Span(left(said(one.name), NAME) + " ", "text" if own else "soft"),
                    Span(left(said(one.value, limit=400), room) + "  ", "strong" if own else "muted"),
                    Span(one.origin, "note" if own else "faint"),
                )
            )
