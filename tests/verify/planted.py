"""A rehearsed study whose database faults can be planted in."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import quorate
from quorate.protocol import Protocol
from quorate.store import Store
from quorate.verify import Verification, verify

TEMPLATES = Path(quorate.__file__).parent / "templates"


class Rehearsed:
    """A rehearsed study: every test has a copy of its database."""

    def __init__(self, protocol: Protocol, path: Path):
        self.protocol = protocol
        self.path = path

    def plant(self, *statements: str) -> Rehearsed:
        """Does what a careless hand does with a database browser."""
        connection = sqlite3.connect(self.path)
        with connection:
            for statement in statements:
                assert connection.execute(statement).rowcount != 0, f"nothing was planted by: {statement}"
        connection.close()
        return self

    def value(self, query: str) -> object:
        connection = sqlite3.connect(self.path)
        found = connection.execute(query).fetchone()
        connection.close()
        return found[0]

    def verify(self, protocol: Protocol | None = None) -> Verification:
        with Store.open(self.path) as store:
            return verify(protocol or self.protocol, store, simulated=True)
