"""The only SQL: a study's database behind one set of verbs."""

from __future__ import annotations

from quorate.store.rows import (
    CallRow,
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
    Report,
    Spent,
    Standing,
    Submitted,
)
from quorate.store.store import Store, is_postgresql
from quorate.store.tx import Tx
from quorate.store.verbs import stamp

__all__ = [
    "CallRow",
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
    "Report",
    "Spent",
    "Standing",
    "Store",
    "Submitted",
    "Tx",
    "is_postgresql",
    "stamp",
]
