"""The only SQL: a study's database behind one set of verbs."""

from __future__ import annotations

from quorate.store.rows import (
    Counts,
    Decision,
    Event,
    Head,
    Link,
    LinkRow,
    Member,
    Outcome,
    PlanSize,
    Presentation,
    Progress,
    ProtocolRow,
    Submitted,
)
from quorate.store.store import Store
from quorate.store.tx import Tx

__all__ = [
    "Counts",
    "Decision",
    "Event",
    "Head",
    "Link",
    "LinkRow",
    "Member",
    "Outcome",
    "PlanSize",
    "Presentation",
    "Progress",
    "ProtocolRow",
    "Store",
    "Submitted",
    "Tx",
]
