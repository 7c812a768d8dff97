"""Who can answer besides people: one kind a file, and a row in this table."""

from __future__ import annotations

from collections.abc import Mapping

from quorate.judges.base import RECORD, SWAPPED, Call, Judge, Reply, Request, TryAgainError
from quorate.judges.clip import Clip
from quorate.judges.openai import OpenAI
from quorate.judges.recorded import Recorded
from quorate.judges.similarity import Similarity
from quorate.judges.simulated import Simulated
from quorate.judges.table_parser import TableParser

JUDGES: Mapping[str, type[Judge]] = {
    "openai": OpenAI,
    "similarity": Similarity,
    "table_parser": TableParser,
    "clip": Clip,
    "recorded": Recorded,
    "simulated": Simulated,
}

__all__ = [
    "JUDGES",
    "RECORD",
    "SWAPPED",
    "Call",
    "Clip",
    "Judge",
    "OpenAI",
    "Recorded",
    "Reply",
    "Request",
    "Similarity",
    "Simulated",
    "TableParser",
    "TryAgainError",
]
