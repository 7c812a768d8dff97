"""Bring a database to the newest version of the schema, all of it or nothing."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from quorate.errors import StoreError
from quorate.store import sqlite

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
    settings = config()
    try:
        with engine.begin() as connection:
            settings.attributes["connection"] = connection
            command.upgrade(settings, "head")
    except DBAPIError as error:
        raise StoreError(sqlite.sentence(error.orig, path)) from error
