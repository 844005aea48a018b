"""The shape of the code, held by tests: imports, sizes, style and types."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("app", "agents", "feeds", "storage")

FILE_LINES = 300
FUNCTION_LINES = 40
CLASS_METHODS = 15

LONGER: dict[str, str] = {}
"""Places that pass a limit, each with the reason it reads better whole."""


def sources() -> Iterator[Path]:
    for package in PACKAGES:
        yield from sorted((ROOT / package).rglob("*.py"))


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)


def oversized(path: Path) -> Iterator[str]:
    name = path.relative_to(ROOT).as_posix()
    text = path.read_text(encoding="utf-8")
    if (lines := text.count("\n")) > FILE_LINES:
        yield f"{name}: {lines} lines"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1 - docstring_lines(node)
            if length > FUNCTION_LINES:
                yield f"{name}:{node.name}: {length} lines"
        elif isinstance(node, ast.ClassDef):
            methods = sum(isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) for child in node.body)
            if methods > CLASS_METHODS:
                yield f"{name}:{node.name}: {methods} methods"


def docstring_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = node.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return (first.end_lineno or first.lineno) - first.lineno + 1
    return 0


def test_files_functions_and_classes_stay_readable() -> None:
    found = [line for path in sources() for line in oversized(path)]
    assert [line for line in found if line.rsplit(":", 1)[0] not in LONGER] == []
    assert sorted(LONGER) == sorted({line.rsplit(":", 1)[0] for line in found}), "an exception is no longer needed"


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_says_what_it_is(package: str) -> None:
    silent = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / package).rglob("*.py"))
        if ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) is None
    ]
    assert silent == []


def test_no_module_is_named_after_nothing() -> None:
    vague = {"manager", "helper", "helpers", "util", "utils", "common", "misc"}
    assert [str(path) for path in sources() if set(path.stem.split("_")) & vague] == []


def test_import_contracts_hold() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_headless_parts_load_without_the_screen() -> None:
    program = (
        "import sys, app.cli, app.wiring, app.pipeline, app.headless\n"
        "loaded = {'textual', 'rich'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {loaded}' if loaded else 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_ruff_finds_nothing() -> None:
    done = run("ruff", "check", "--no-cache", ".")
    assert done.returncode == 0, done.stdout


def test_ruff_would_format_nothing() -> None:
    done = run("ruff", "format", "--no-cache", "--check", ".")
    assert done.returncode == 0, done.stdout + done.stderr


def test_types_are_strict() -> None:
    done = run("mypy")
    assert done.returncode == 0, done.stdout
