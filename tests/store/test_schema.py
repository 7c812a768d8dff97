"""The migrations make the tables that the schema describes, and the compiled statements are the written ones."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from quorate.errors import StoreError
from quorate.store import Store, Tx, compiled_postgresql, compiled_sqlite, sqlite
from quorate.store.compile import MODULES, compile_for_postgresql, compile_for_sqlite, module_text
from quorate.store.migrate import config, migrate
from quorate.store.schema import metadata
from quorate.store.verbs import VERSIONS


def described(path: Path) -> dict[str, list[str]]:
    """Every table and index as SQLite keeps it, without the migrations' own table.

    The parts of a table are sorted: a column that a migration adds comes after the constraints.
    """
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    plain = {name: " ".join(sql.split()) for name, sql in rows if name != "alembic_version"}
    return {name: parts(sql) if sql.startswith("CREATE TABLE") else [sql] for name, sql in plain.items()}


def parts(sql: str) -> list[str]:
    """The head of a statement, and the columns and constraints between its outer parentheses."""
    head, _, inner = sql.rpartition(")")[0].partition("(")
    return sorted(part.strip() for part in (head, *re.split(r",(?![^(]*\))", inner)))


def test_a_migrated_database_is_the_one_the_schema_describes(path: Path, tmp_path: Path) -> None:
    Store.open(path).close()
    direct = tmp_path / "direct.sqlite"
    metadata.create_all(create_engine(f"sqlite:///{direct}"))
    assert described(path) == described(direct)
    with create_engine(f"sqlite:///{path}").connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_the_versions_known_are_the_migrations_there_are() -> None:
    scripts = [script.revision for script in ScriptDirectory.from_config(config()).walk_revisions()]
    assert list(VERSIONS) == scripts[::-1]


def test_a_migration_that_fails_leaves_nothing_behind(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        # The migration meets this table after it has made others.
        connection.execute("CREATE TABLE answers (x TEXT)")
    with pytest.raises(StoreError, match="answers already exists"):
        migrate(path)
    assert described(path) == {"answers": ["CREATE TABLE answers", "x TEXT"]}


def test_two_processes_may_make_one_database_at_once(path: Path) -> None:
    code = (
        "import sys; from quorate.store import Store\n"
        "print(Store.open(sys.argv[1]).read(lambda tx: tx.setting('secret')))"
    )
    both = [subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE) for _ in range(2)]
    secrets = {process.communicate()[0] for process in both}
    assert [process.returncode for process in both] == [0, 0]
    assert len(secrets) == 1


def test_the_compiled_statements_are_the_written_ones() -> None:
    assert compile_for_sqlite() == compiled_sqlite.SQL
    assert compile_for_postgresql() == compiled_postgresql.SQL
    for file, (driver, texts) in MODULES.items():
        assert Path(sqlite.__file__).with_name(file).read_text(encoding="utf-8") == module_text(driver, texts())


def test_the_database_understands_every_statement(store: Store) -> None:
    def explained(tx: Tx) -> list[object]:
        return [
            tx.connection.execute(f"EXPLAIN {sql}", dict.fromkeys(re.findall(r"(?::|%\()(\w+)", sql), None)).fetchall()
            for sql in tx._sql.values()
            if "hashtext" not in sql
        ]

    assert all(store.do(explained))


@pytest.mark.parametrize("database", ["postgresql"])
def test_a_migrated_schema_of_postgresql_is_the_one_described(store: Store, address: str) -> None:
    engine = create_engine(address.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection:
        connection.exec_driver_sql("SET search_path TO quorate")
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()
