"""Many tests at once: each family's p-values adjusted, so that it can be read at one level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from quorate import statistics
from quorate.findings.results import Finding


def adjusted(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings with Holm's p-values within each family of exploratory tests; one without a p-value is in none."""
    families: dict[tuple[str, str], list[int]] = {}
    for place, finding in enumerate(findings):
        if finding.is_exploratory:
            families.setdefault((finding.section, finding.family), []).append(place)
    found = list(findings)
    for places in families.values():
        corrected = statistics.holm([findings[place].estimate.p for place in places])
        for place, p in zip(places, corrected, strict=True):
            found[place] = replace(findings[place], p_adjusted=p)
    return tuple(found)
