"""Answers → verdicts → estimates (pure)."""

from __future__ import annotations

from quorate.analyse.analyse import analyse
from quorate.findings.results import Borderline, Changes, Comparison, Example, Finding, Listing, Results
from quorate.sheets.decisions import borderline, decide
from quorate.sheets.verdicts import majority, verdicts

__all__ = [
    "Borderline",
    "Changes",
    "Comparison",
    "Example",
    "Finding",
    "Listing",
    "Results",
    "analyse",
    "borderline",
    "decide",
    "majority",
    "verdicts",
]
