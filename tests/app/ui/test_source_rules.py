"""Rules of the screen's source that no single test could hold."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import app.ui
from app.ui.keys import SECTIONS, bindings
from app.ui.line import ROLES
from app.ui.theme import THEMES, VARIABLE_DEFAULTS

ROOT = Path(app.ui.__file__).parent
SOURCES = sorted(ROOT.rglob("*.py"))
HEX = re.compile(r"#[0-9a-fA-F]{3,8}\b")
PARSES_MARKUP = {"Static", "Label", "OptionList", "Button", "notify"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_nothing_parses_markup(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in PARSES_MARKUP:
            given = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
            assert given.get("markup") == "False", f"{path.name}:{node.lineno} {name} without markup=False"
        assert name not in {"from_markup", "border_title"}, f"{path.name}:{node.lineno}"


def test_colours_stand_only_in_the_theme() -> None:
    for path in [*SOURCES, ROOT / "monitor.tcss"]:
        if path.name != "theme.py":
            assert not HEX.findall(path.read_text()), path.name


def test_every_theme_names_every_colour() -> None:
    for theme in THEMES:
        assert theme.variables.keys() >= VARIABLE_DEFAULTS.keys(), theme.name


def test_every_role_has_a_style() -> None:
    tcss = (ROOT / "monitor.tcss").read_text()
    assert [role for role in ROLES if f".role--{role} " not in tcss] == []


def test_every_key_has_an_id_of_its_own_and_says_what_it_does() -> None:
    for name, keys in SECTIONS:
        found = bindings(keys)
        assert len({binding.id for binding in found}) == len(found), name
        assert all(binding.id and binding.tooltip for binding in found), name
