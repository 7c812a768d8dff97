"""A number as a point of a scale, by stated thresholds: 0.80 and above is 2, 0.60 and above is 1, else 0."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from quorate.parts import Part

Point = int | str
SURE = 0.2
"""This far from the nearest threshold a score counts as sure."""


class Thresholds(Part):
    """The least number for each point, and the point below all of them."""

    least: Annotated[dict[Point, float], Field(min_length=1)] = {2: 0.80, 1: 0.60}
    otherwise: Point = 0

    @model_validator(mode="after")
    def _differ(self) -> Self:
        if len(set(self.least.values())) < len(self.least) or self.otherwise in self.least:
            raise ValueError("every point needs a threshold of its own, and `otherwise` a point without one.")
        return self

    def point(self, number: float) -> Point:
        """The point of a number; the threshold itself belongs to the higher point.

        >>> [Thresholds().point(number) for number in (0.80, 0.7999, 0.60, 0.59)]
        [2, 1, 1, 0]
        """
        # A cosine of 0.8 in single precision is 0.80000001 or 0.79999995: six places are what is meant.
        rounded = round(number, 6)
        for point, least in sorted(self.least.items(), key=lambda pair: -pair[1]):
            if rounded >= least:
                return point
        return self.otherwise

    def confidence(self, number: float) -> float:
        """How far the number is from the nearest threshold: 0 at one, 1 from 0.2 away on. It is no probability.

        >>> Thresholds().confidence(0.80), Thresholds().confidence(0.65), Thresholds().confidence(0.2)
        (0.0, 0.25, 1.0)
        """
        return round(min(1.0, min(abs(number - least) for least in self.least.values()) / SURE), 6)


#: How tables spell that there is nothing; pandas, by which the published recipe reads them, takes the same for missing.
MISSING = frozenset(["#N/A", "#NA", "-NaN", "-nan", "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"])


def text_of(value: Any) -> str:
    """A field as text: nothing and not-a-number are empty, also where a table spells them; white space is single.

    >>> text_of(float("nan")), text_of("NaN"), text_of(None), text_of(" a\\n b ")
    ('', '', '', 'a b')
    """
    if value is None or (isinstance(value, float) and value != value):
        return ""
    text = " ".join(str(value).split())
    return "" if text in MISSING else text
