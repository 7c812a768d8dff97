"""Compiles the statements to the text that the driver runs: `python -m quorate.store.compile`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sqlalchemy.dialects.sqlite import dialect as sqlite_dialect

from quorate.store.statements import STATEMENTS


def compile_for_sqlite() -> dict[str, str]:
    """The text that sqlite3 runs, with `:name` for each parameter."""
    dialect = sqlite_dialect(paramstyle="named")
    return {name: _text(statement.compile(dialect=dialect)) for name, statement in STATEMENTS.items()}


def _text(compiled: Any) -> str:
    # A constant of ours goes into the text: a partial index is used only where its condition can be read there.
    constants = {name: value for name, value in compiled.params.items() if value is not None}
    return re.sub(r"\s+", " ", re.sub(r":(\w+)", lambda match: _literal(match, constants), str(compiled)))


def _literal(match: re.Match[str], constants: dict[str, Any]) -> str:
    value = constants.get(match[1])
    if value is None:
        return match[0]
    return str(value) if isinstance(value, int) else "'{}'".format(value.replace("'", "''"))


def module_text() -> str:
    """`compiled_sqlite.py`, whole."""
    lines = [f"    {name!r}: {text!r}," for name, text in compile_for_sqlite().items()]
    head = '"""What `statements.py` compiles to for sqlite3. Written by `python -m quorate.store.compile`."""'
    return "\n".join([head, "", "# fmt: off", "# ruff: noqa: E501", "SQL = {", *lines, "}", ""])


if __name__ == "__main__":
    Path(__file__).with_name("compiled_sqlite.py").write_text(module_text(), encoding="utf-8")
