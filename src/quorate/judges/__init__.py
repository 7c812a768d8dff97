"""Who can answer besides people: one kind a file, and a row in this table."""

from __future__ import annotations

from collections.abc import Mapping

from quorate.judges.base import Judge, Reply, Request
from quorate.judges.recorded import Recorded

JUDGES: Mapping[str, type[Judge]] = {
    "recorded": Recorded,
}

__all__ = ["JUDGES", "Judge", "Recorded", "Reply", "Request"]
