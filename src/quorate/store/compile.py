"""Compiles the statements to the text that each driver runs: `python -m quorate.store.compile`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sqlalchemy import Insert
from sqlalchemy.dialects.postgresql import dialect as postgresql_dialect
from sqlalchemy.dialects.sqlite import dialect as sqlite_dialect

from quorate.store.statements import STATEMENTS

# A study is a schema, and its name is the lock that its writers share, or that one of them holds alone.
_STUDY = "hashtext(current_schema())"
LOCKS = {
    "lock_shared": f"SELECT pg_advisory_xact_lock_shared({_STUDY})",
    "lock_alone": f"SELECT pg_advisory_xact_lock({_STUDY})",
    "lock_rater": f"SELECT pg_advisory_xact_lock({_STUDY}, hashtext(%(rater)s))",
}


def compile_for_sqlite() -> dict[str, str]:
    """The text that sqlite3 runs, with `:name` for each parameter."""
    dialect = sqlite_dialect(paramstyle="named")
    return {name: _text(statement.compile(dialect=dialect), r":(\w+)") for name, statement in STATEMENTS.items()}


def compile_for_postgresql() -> dict[str, str]:
    """The text that psycopg runs, with `%(name)s` for each parameter; a row that gets a number returns it."""
    dialect = postgresql_dialect(paramstyle="pyformat")
    texts = {
        name: _text(_numbered(statement).compile(dialect=dialect), r"%\((\w+)\)s")
        for name, statement in STATEMENTS.items()
    }
    return {**texts, **LOCKS}


def _numbered(statement: Any) -> Any:
    if not isinstance(statement, Insert) or statement.select is not None:
        return statement
    number = getattr(statement.table, "autoincrement_column", None)
    return statement if number is None else statement.returning(number)


def _text(compiled: Any, parameter: str) -> str:
    # A constant of ours goes into the text: a partial index is used only where its condition can be read there.
    constants = {name: value for name, value in compiled.params.items() if value is not None}
    return re.sub(r"\s+", " ", re.sub(parameter, lambda match: _literal(match, constants), str(compiled)))


def _literal(match: re.Match[str], constants: dict[str, Any]) -> str:
    value = constants.get(match[1])
    if value is None:
        return match[0]
    return str(value) if isinstance(value, int) else "'{}'".format(value.replace("'", "''"))


def module_text(driver: str, texts: dict[str, str]) -> str:
    """A module with the compiled texts, whole."""
    lines = [f"    {name!r}: {text!r}," for name, text in texts.items()]
    head = f'"""What `statements.py` compiles to for {driver}. Written by `python -m quorate.store.compile`."""'
    return "\n".join([head, "", "# fmt: off", "# ruff: noqa: E501", "SQL = {", *lines, "}", ""])


#: The files that are written: their driver, and how their texts are made.
MODULES = {
    "compiled_sqlite.py": ("sqlite3", compile_for_sqlite),
    "compiled_postgresql.py": ("psycopg", compile_for_postgresql),
}

if __name__ == "__main__":
    for _file, (_driver, _compile) in MODULES.items():
        Path(__file__).with_name(_file).write_text(module_text(_driver, _compile()), encoding="utf-8")
