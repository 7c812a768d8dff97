"""The p-value of an estimate against a stated number: the test whose interval the report prints, turned round.

A value differs from a threshold at level α exactly where the interval of confidence 1 − α leaves the threshold out. So
nothing but the estimate is needed: Wilson's interval gives the score test at its effective n, an interval on the atanh
scale a t test there, Tango's his own score test, every other one a t test on the plain scale.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import atanh, sqrt
from typing import cast

from scipy import special

from quorate.findings.results import Finding
from quorate.messages import speaks
from quorate.protocol.hypotheses import Direction
from quorate.records import Estimate
from quorate.statistics.coefficients import FISHER
from quorate.statistics.correlation import FISHER_MEAN, OVER_CLUSTERS, OVER_ITEMS
from quorate.statistics.engine import JACKKNIFED, LINEARISED
from quorate.statistics.preference import EFFECTIVE_TANGO, TANGO, tango_bounds, tango_distance
from quorate.statistics.proportions import WILSONS, wilson_bounds

#: What no effect would give, where that is not zero.
NO_EFFECT = {"sign test": 0.5, "position bias": 0.5}
#: The methods whose intervals are symmetric on the atanh scale.
ON_ATANH = (LINEARISED, JACKKNIFED, OVER_ITEMS, OVER_CLUSTERS, FISHER, FISHER_MEAN)
_MOST = 1e9
_STEPS = 20

Scale = Callable[[float], float]


def no_effect(finding: Finding) -> float:
    """The value that a finding has where there is no effect."""
    return NO_EFFECT.get(finding.statistic, 0.0)


def p_against(finding: Finding, threshold: float) -> float | None:
    """The two-sided p-value of the finding's value against a threshold; None where the estimate cannot give one."""
    e = finding.estimate
    if e.value is None:
        return None
    if e.p is not None and threshold == no_effect(finding):
        return e.p
    if finding.statistic == "sign test":
        return _binomial(e, threshold)
    if e.low is None or e.high is None:
        return None
    if speaks(e.method, *WILSONS):
        return _score(e, threshold)
    if speaks(e.method, TANGO, EFFECTIVE_TANGO):
        # Half wins are half of one plus the net gain.
        return _tango(e, threshold) if finding.unit == "points" else _tango(_doubled(e), 2 * threshold - 1)
    return _student(finding, threshold)


def on_side(p: float, value: float, threshold: float, direction: Direction) -> float:
    """The one-sided p-value of a two-sided one.

    >>> on_side(0.04, 0.7, 0.5, "above"), on_side(0.04, 0.3, 0.5, "above")
    (0.02, 0.98)
    """
    if direction == "differs from":
        return p
    is_there = value > threshold if direction == "above" else value < threshold
    return p / 2 if is_there else 1 - p / 2


def _binomial(e: Estimate, threshold: float) -> float | None:
    """The exact test of wins among decided items, its smaller tail doubled."""
    n = e.n_items or 0
    if not n or not 0 < threshold < 1 or e.value is None:
        return None
    won = round(e.value * n)
    at_most = float(special.bdtr(won, n, threshold))
    at_least = float(special.bdtrc(won - 1, n, threshold)) if won else 1.0
    return min(1.0, 2 * min(at_most, at_least))


def _score(e: Estimate, threshold: float) -> float | None:
    """Wilson's (1927) score test at the effective number of answers that his interval has."""
    from scipy.optimize import brentq  # 0.2 s to import, and every study that is checked would pay for it

    if not 0 < threshold < 1:
        return None
    value, low, high = cast(float, e.value), cast(float, e.low), cast(float, e.high)

    def too_wide(n: float) -> float:
        ends = wilson_bounds(value * n, n, e.confidence)
        return (ends[1] - ends[0]) - (high - low)

    n = float(brentq(too_wide, 1e-6, _MOST, xtol=1e-10, rtol=1e-14))
    z = (value - threshold) / sqrt(threshold * (1 - threshold) / n)
    return float(2 * special.ndtr(-abs(z)))


def _doubled(e: Estimate) -> Estimate:
    """A share of wins with ties as halves as the net gain that it is made of."""
    value, low, high, se = (2 * cast(float, one) - 1 for one in (e.value, e.low, e.high, (cast(float, e.se) + 1) / 2))
    return replace(e, value=value, low=low, high=high, se=se)


def _tango(e: Estimate, threshold: float) -> float | None:
    """Tango's (1998) score test at the share of decided pairs and the number of pairs that his interval tells."""
    value, n = cast(float, e.value), float(e.n_ratings or e.n_items or 0)
    if not -1 < threshold < 1:
        return None
    decided = cast(float, e.se) ** 2 * n + value**2
    if speaks(e.method, EFFECTIVE_TANGO):
        decided, n = _effective(e)
    won, lost = (decided + value) / 2, (decided - value) / 2
    return float(2 * special.ndtr(-tango_distance(won, lost, n, threshold)))


def _effective(e: Estimate) -> tuple[float, float]:
    """A share of decided pairs, and so many pairs that alone would have this interval; both its ends tell them."""
    from scipy.optimize import brentq

    value, low, high = cast(float, e.value), cast(float, e.low), cast(float, e.high)

    def ends(decided: float, n: float) -> tuple[float, float]:
        return tango_bounds((decided + value) / 2, (decided - value) / 2, n, e.confidence)

    def size(decided: float) -> float:
        def too_wide(n: float) -> float:
            bottom, top = ends(decided, n)
            return (top - bottom) - (high - low)

        return float(brentq(too_wide, 1e-6, _MOST, xtol=1e-10, rtol=1e-14))

    def off(decided: float) -> float:
        return ends(decided, size(decided))[0] - low

    shares = [abs(value) + (1 - abs(value)) * step / _STEPS for step in range(1, _STEPS + 1)]
    found = [off(one) for one in shares]
    # With as many wins as losses every share gives such an interval, and nearly the same test.
    decided = shares[min(range(_STEPS), key=lambda place: abs(found[place]))]
    for place in range(_STEPS - 1):
        if found[place] * found[place + 1] < 0:
            decided = float(brentq(off, shares[place], shares[place + 1], xtol=1e-13))
    return decided, size(decided)


def _student(finding: Finding, threshold: float) -> float | None:
    """A t test on the scale of the interval; its degrees of freedom are those that the interval's width tells."""
    e = finding.estimate
    if not e.se:
        return None
    value, low, high = cast(float, e.value), cast(float, e.low), cast(float, e.high)
    scale, slope = _scale(finding)
    try:
        # An interval that is cut off at the end of a scale has its whole width on the other side.
        half = max(scale(high) - scale(value), scale(value) - scale(low))
        distance = abs(scale(value) - scale(threshold))
    except ValueError:  # a threshold at the end of the scale is infinitely far
        return None
    error = e.se * slope(value)
    return float(2 * special.stdtr(_freedom(half / error, e.confidence), -distance / error))


def _scale(finding: Finding) -> tuple[Scale, Scale]:
    """The scale on which the finding's interval is symmetric, and its slope."""
    if not speaks(finding.estimate.method, *ON_ATANH):
        return float, lambda value: 1.0
    if finding.unit == "%":
        return (lambda value: atanh(2 * value - 1)), (lambda value: 1 / (2 * value * (1 - value)))
    return atanh, lambda value: 1 / (1 - value * value)


def _freedom(critical: float, confidence: float) -> float:
    """The degrees of freedom whose t has this critical value; as good as infinite where the interval is a normal's."""
    share = (1 + confidence) / 2
    if critical <= float(special.stdtrit(_MOST, share)) * (1 + 1e-9):
        return _MOST
    if critical >= float(special.stdtrit(1.0, share)):
        return 1.0
    from scipy.optimize import brentq

    return float(brentq(lambda df: float(special.stdtrit(df, share)) - critical, 1.0, _MOST))
