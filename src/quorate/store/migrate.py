"""Bring a database to the newest version of the schema, all of it or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from quorate.errors import StoreError
from quorate.store import sqlite

if TYPE_CHECKING:
    from quorate.store.postgresql import Place

SCRIPTS = Path(__file__).parent / "migrations"


def config() -> Config:
    """Alembic's settings, without a file."""
    made = Config()
    made.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    return made


def migrate(path: Path) -> None:
    """Run every migration that this database has not had, in one transaction."""
    engine = create_engine("sqlite://", creator=lambda: sqlite.connect(path, sqlite.WRITER), poolclass=NullPool)
    # Two processes may find the database empty at once: the second waits here, and then finds nothing to do.
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(sqlite.BEGIN_WRITE))
    try:
        _upgrade(engine)
    except DBAPIError as error:
        raise StoreError(sqlite.sentence(error.orig, path)) from error


def migrate_postgresql(place: Place) -> None:
    """The same in a schema of PostgreSQL, which is made where there is none."""
    from quorate.store.postgresql import sentence

    engine = create_engine("postgresql+psycopg://", creator=lambda: _connect(place), poolclass=NullPool)
    event.listen(engine, "begin", lambda connection: _make_schema(connection, place))
    try:
        _upgrade(engine)
    except DBAPIError as error:
        raise StoreError(sentence(error.orig, place)) from error


def _connect(place: Place) -> object:
    import psycopg

    # SQLAlchemy begins transactions itself.
    return psycopg.connect(place.url, options=f"-csearch_path={place.schema}")


def _make_schema(connection: Connection, place: Place) -> None:
    # The second of two processes waits here.
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock(hashtext('{place.schema}'))")
    connection.exec_driver_sql(f'CREATE SCHEMA IF NOT EXISTS "{place.schema}"')


def _upgrade(engine: Engine) -> None:
    settings = config()
    with engine.begin() as connection:
        settings.attributes["connection"] = connection
        command.upgrade(settings, "head")
