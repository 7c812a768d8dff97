"""A statistic as it is told: its value, interval, n, and what was left out.

It stands apart from the other records so that the statistics need numpy and scipy, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from html import escape
from typing import Any

from quorate.messages import Text


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic: value, interval, n, and what was left out. Undefined has no value and a note that says why.

    >>> print(Estimate(0.43, 0.376, 0.484, n_items=30, n_ratings=180))
    0.430 [0.376, 0.484] · 30 items, 180 ratings
    >>> print(Estimate.undefined("every rating is in one category", n_items=4))
    undefined: every rating is in one category · 4 items
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    confidence: float = 0.95
    se: float | None = None
    p: float | None = None
    n_items: int | None = None
    n_ratings: int | None = None
    left_out: Mapping[Text, int] = field(default_factory=dict)
    method: Text = ""
    note: Text = ""

    @classmethod
    def undefined(cls, why: Text, **rest: Any) -> Estimate:
        """No value, with the reason: never 0, never NaN."""
        return cls(None, note=why, **rest)

    def __str__(self) -> str:
        counts = ((self.n_items, "item"), (self.n_ratings, "rating"))
        n = ", ".join(f"{k:,} {word}{'' if k == 1 else 's'}" for k, word in counts if k is not None)
        return " · ".join(part for part in (self._figures(), n) if part)

    def _figures(self) -> str:
        if self.value is None:
            return f"undefined: {self.note}"
        if self.low is None or self.high is None:
            return f"{self.value:.3f}"
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"

    def _repr_html_(self) -> str:
        title = escape("; ".join(part for part in (str(self.method), str(self.note)) if part))
        return f'<span title="{title}">{escape(str(self))}</span>'

    def as_dict(self) -> dict[str, Any]:
        """Every field by name, ready for JSON."""
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        words = {"method": str(self.method), "note": str(self.note)}
        return {**found, **words, "left_out": {str(why): n for why, n in self.left_out.items()}}
