"""The merged column: people's score where there is one, else the judge's, each with its source and its route."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from quorate.analyse.analyse import make_cases
from quorate.inquiries.assisted import is_triaged
from quorate.inquiries.item_means import is_number
from quorate.inquiries.triage import merged, scored
from quorate.protocol import Protocol
from quorate.sheets.sheet import Sheet

COLUMNS = ("section", "question", "item", "score", "source", "human", "ai", "confidence", "route", "inclusion")
"""The columns of the merged file."""


def merged_rows(protocol: Protocol, filled: Sequence[Sheet]) -> Iterator[list[Any]]:
    """One row for each item and question that a triage rule routed; nothing where the study has no such rule."""
    if protocol.file.triage is None:
        return
    for case in make_cases(protocol, filled):
        if not is_triaged(case) or not is_number(case):
            continue
        routes = {route.item: route.to for route in case.sheet.routes}
        rows = scored(case)
        for row, (_, score, source) in zip(rows, merged(rows), strict=True):
            place = (case.sheet.section, case.sheet.id, row.item)
            yield [*place, score, source, row.human, row.ai, row.confidence, routes[row.item], row.inclusion]
