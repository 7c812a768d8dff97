"""The house stays in order: imports point one way, and the public names are the ones we promise."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import quorate

SOURCE = Path(quorate.__file__).parent

ORDER = [
    {
        "errors",
        "estimates",
        "files",
        "records",
        "chance",
        "conditions",
        "languages",
        "messages",
        "parts",
        "private",
        "patience",
        "tables",
        "spreadsheets",
    },
    {"encoders"},
    {"media", "questions", "importers", "judges", "statistics"},
    {"protocol"},
    {"findings"},
    {"plan", "store", "sheets"},
    {"exhibits"},
    {"inquiries"},
    {"analyse"},
    {"collect"},
    {"exchange"},
    {"report"},
    {"study", "verify"},
    {"web"},
    {"audit"},
    {"cli"},
    {"__main__"},
]
FLOOR = {room: number for number, rooms in enumerate(ORDER) for room in rooms}
MODULES = sorted(SOURCE.rglob("*.py"))


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        rooms |= {name.split(".")[1] for name in names if name.startswith("quorate.")}
    return rooms & set(FLOOR)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_one_way(path: Path) -> None:
    here = room_of(path)
    if here == "__init__" or "migrations" in path.parts:
        return
    assert here in FLOOR, f"{here} has no place in the house: add it to the order, or move it"
    for room in imported_rooms(path) - {here}:
        same_floor_is_fine = FLOOR[here] == 0
        assert FLOOR[room] < FLOOR[here] or (FLOOR[room] == FLOOR[here] and same_floor_is_fine), (
            f"{path.relative_to(SOURCE)} is in {here} and imports {room}, which comes later in the house"
        )


def test_imports_stand_inside_functions_only_where_what_they_bring_is_heavy() -> None:
    inside = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path in MODULES
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if (isinstance(node, ast.ImportFrom) and (node.module or "").startswith("quorate"))
        or (isinstance(node, ast.Import) and any(alias.name.startswith("quorate") for alias in node.names))
    ]
    assert len(inside) <= 16, inside


def test_the_public_names_are_the_ones_we_promise() -> None:
    assert sorted(quorate.__all__) == ["Estimate", "Study", "StudyError", "load", "make_plan", "open", "statistics"]
    for name in quorate.__all__:
        assert getattr(quorate, name) is not None


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError):
        _ = quorate.nothing  # type: ignore[attr-defined]


def test_the_statistics_run_with_numpy_and_scipy_alone() -> None:
    heavy = ("msgspec", "pydantic", "pandas", "polars", "starlette", "sqlalchemy", "jinja2", "PIL")
    program = f"import sys; from quorate import statistics; print([name for name in {heavy!r} if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert told.strip() == "[]"
