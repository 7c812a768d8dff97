"""Words for a coefficient, and how sure we can be of the word."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from scipy import special

from quorate.errors import DataError, did_you_mean
from quorate.estimates import Estimate
from quorate.languages import noted

# Landis and Koch (1977), p. 165, closed at two decimals: below .00, .00–.20, .21–.40, .41–.60, .61–.80, .81–1.00.
_LANDIS_KOCH = ((0.0, "slight"), (0.2, "fair"), (0.4, "moderate"), (0.6, "substantial"), (0.8, "almost perfect"))
LOWEST = noted("poor")


def landis_koch(value: Any, bands: str = "published") -> str | None:
    """The word for a coefficient (Landis and Koch 1977); None where it is undefined.

    "published" closes each band at two decimals as printed, after rounding to two (.20 is slight, .21 fair);
    "half-open" puts .20, .40, .60 and .80 into the band above, as one protocol writes it.

    >>> landis_koch(0.20), landis_koch(0.20, bands="half-open")
    ('slight', 'fair')
    """
    if bands not in ("published", "half-open"):
        hint = did_you_mean(bands, ["published", "half-open"])
        raise DataError(f"bands='{bands}' is unknown; say 'published' or 'half-open'.{hint}")
    number = value.value if isinstance(value, Estimate) else value
    if number is None or math.isnan(number):
        return None
    if not number <= 1 + 1e-9:
        raise DataError(f"{number} is above 1, and no agreement coefficient is.")
    if number < 0:
        return LOWEST
    if bands == "published":
        # A tiny excess is rounding noise, not a higher band.
        hundredths = math.floor(number * 100 + 0.5 + 1e-9)
        return next(word for start, word in reversed(_LANDIS_KOCH) if hundredths > round(start * 100) or start == 0)
    return next(word for start, word in reversed(_LANDIS_KOCH) if number >= start - 1e-12)


def band_probabilities(estimate: Estimate) -> Mapping[str, float]:
    """How sure it is that the coefficient lies in each band or above (Gwet 2014, ch. 6): cumulative, best band first.

    The membership of a band is the normal probability of its edges given the value and its standard error, cut off
    at −1 and 1. Gwet's rule takes the first band whose cumulative probability exceeds 0.95.

    >>> {word: round(p, 3) for word, p in band_probabilities(Estimate(0.775, se=0.143)).items()}["moderate"]
    0.995
    """
    if estimate.value is None or estimate.se is None:
        raise DataError("band probabilities need a value and its standard error; this estimate lacks one.")
    edges = [(word, start) for start, word in reversed(_LANDIS_KOCH)] + [(LOWEST, -1.0)]
    if estimate.se == 0:
        return {word: float(estimate.value >= start) for word, start in edges}
    below_one = special.ndtr((1.0 - estimate.value) / estimate.se)
    all_of_it = below_one - special.ndtr((-1.0 - estimate.value) / estimate.se)
    return {
        word: float((below_one - special.ndtr((start - estimate.value) / estimate.se)) / all_of_it)
        for word, start in edges
    }


def gwet_band(estimate: Estimate, certainty: float = 0.95) -> str:
    """The best band that the coefficient reaches with this certainty (Gwet 2014).

    >>> gwet_band(Estimate(0.775, se=0.143))
    'moderate'
    """
    reached = band_probabilities(estimate)
    return next((word for word, probability in reached.items() if probability >= certainty), LOWEST)
