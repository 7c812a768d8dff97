"""Numbers as a reader sees them: two decimals for a coefficient, one for a percentage, a true minus sign."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

from quorate.findings.names import judge_name
from quorate.findings.results import Finding
from quorate.messages import Message, Text, Together
from quorate.records import Estimate


def number(value: float, unit: str = "") -> str:
    """A value in its unit.

    >>> number(0.4305), number(0.8333, "%"), number(-0.125, "points")
    ('0.43', '83.3%', '−12.5 points')
    """
    return bare(value, unit) + {"%": "%", "points": " points"}.get(unit, "")


def bare(value: float, unit: str = "") -> str:
    """A value in its unit, without naming the unit; what rounds to zero has no sign.

    >>> bare(-0.001), bare(0.125, "points")
    ('0.00', '+12.5')
    """
    # Without the noise of adding and dividing, and adding 0.0 makes a negative zero a plain one.
    value = round(value, 12)
    if unit == "%":
        text = f"{round(100 * value, 1) + 0.0:.1f}"
    elif unit == "points":
        rounded = round(100 * value, 1) + 0.0
        text = f"{rounded:+.1f}" if rounded else "0.0"
    else:
        text = f"{round(value, 2) + 0.0:.2f}"
    return text.replace("-", "−")


def value_of(finding: Finding) -> Text:
    """The finding's value in its unit, or the word that there is none."""
    value = finding.estimate.value
    if value is None:
        return Message("undefined")
    if finding.unit == "points":
        return Message("{value} points", value=bare(value, "points"))
    return number(value, finding.unit)


def interval_of(finding: Finding) -> str:
    """The finding's interval in brackets, or a dash.

    >>> from quorate.records import Estimate
    >>> interval_of(Finding("a", "", "", "", "", Estimate(0.5, 0.25, 0.75), unit="%"))
    '[25.0, 75.0]'
    """
    low, high = finding.estimate.low, finding.estimate.high
    if low is None or high is None:
        return "–"
    return f"[{bare(low, finding.unit)}, {bare(high, finding.unit)}]"


def in_text(finding: Finding) -> Text:
    """Value and interval as a sentence carries them: `0.43 [0.38, 0.48]`."""
    if finding.estimate.value is None:
        return Message("undefined ({why})", why=finding.estimate.note)
    between = interval_of(finding)
    return value_of(finding) if between == "–" else Together((value_of(finding), between), " ")


def who_of(finding: Finding) -> str:
    """Whose accuracy it is, for a table whose title says the rest."""
    return judge_name(finding.judge) if finding.judge else " and ".join(finding.raters)


def n_of(finding: Finding) -> str:
    """What the value is of: `20/24` for a share, else the items, or the ratings where items are not counted."""
    if finding.counted is not None:
        return f"{finding.counted[0]:,}/{finding.counted[1]:,}"
    estimate = finding.estimate
    return f"{(estimate.n_ratings if estimate.n_items is None else estimate.n_items) or 0:,}"


def p_value(p: float | None) -> str:
    """A p-value: two or three decimals, or that it is below .001.

    >>> p_value(0.04), p_value(0.00001)
    ('.040', '< .001')
    """
    if p is None:
        return "–"
    return "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def percent_confidence(estimate: Estimate) -> str:
    """The confidence of an interval as a percentage.

    >>> percent_confidence(Estimate(0.5))
    '95%'
    """
    return f"{100 * estimate.confidence:g}%"


def several(n: int, one: str, many: str = "") -> str:
    """A count with its noun.

    >>> several(1, "item"), several(1200, "item")
    ('1 item', '1,200 items')
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def spelled(n: int) -> str:
    """Small numbers as words, the rest as figures.

    >>> spelled(3), spelled(100)
    ('three', '100')
    """
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    return words[n] if n < len(words) else f"{n:,}"


@lru_cache(maxsize=100_000)
def utc(moment: str) -> str:
    """A time in UTC, to the millisecond; anything that is no time stays as it is.

    >>> utc("2026-03-01T12:00:00+02:00")
    '2026-03-01T10:00:00.000Z'
    """
    try:
        read = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    read = read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
    return read.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def series(words: list[str]) -> str:
    """Words as a sentence lists them.

    >>> series(["a", "b", "c"])
    'a, b and c'
    """
    return "".join(words) if len(words) < 2 else f"{', '.join(words[:-1])} and {words[-1]}"
