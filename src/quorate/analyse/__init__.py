"""Answers → verdicts → estimates (pure)."""

from __future__ import annotations

from quorate.analyse.analyse import INQUIRIES, analyse
from quorate.analyse.decisions import borderline, decide
from quorate.analyse.results import Borderline, Changes, Comparison, Example, Finding, Listing, Results
from quorate.analyse.verdicts import majority, verdicts

__all__ = [
    "INQUIRIES",
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
