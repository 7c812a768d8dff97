"""Rows of a figure: a name, a dot and its interval on one scale, and the number at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, floor
from typing import Any

from quorate.exhibits.numbers import value_of
from quorate.exhibits.svg import BLUE, INK, LINE, PAPER, QUIET, RULE, Canvas, Scale, wide, wrapped
from quorate.findings.results import Finding
from quorate.languages import noted
from quorate.messages import Text, Word

#: What puts a text into the language of the report.
Speak = Callable[[Text], str]
BAND = ("#f7f5f1", "#efece5")
BANDS = (
    (0.0, 0.2, noted("slight")), (0.2, 0.4, noted("fair")), (0.4, 0.6, noted("moderate")),
    (0.6, 0.8, noted("substantial")), (0.8, 1.0, noted("almost perfect")),
)  # fmt: skip
#: Sizes of the bands' names, from the best on.
BAND_SIZES = (10, 9, 8.5, 8, 7.5)
#: The names beside a plot, the plot and the numbers on its other side are together so wide, in pixels.
WIDTH = 600
#: The room beside a plot for the names of its rows, in pixels.
LEAST_ROOM, MOST_ROOM = 60, 250
#: Between a name and its row, and between the end of a row and its number.
LABEL_GAP, VALUE_GAP = 10, 12


def coefficients(found: Sequence[tuple[Finding, Text]], axis: str, say: Speak = str) -> str:
    """Coefficients of agreement with their intervals, each under its name; over the bands where any has one."""
    known = [(one, label) for one, label in found if one.estimate.value is not None]
    if not known:
        return ""
    lowest = min(one.estimate.value or 0 if one.estimate.low is None else one.estimate.low for one, _ in known)
    # Down to the next tick, and never so close to zero that a value below it has no room.
    low = min(-0.2, floor(lowest / 0.2) * 0.2)
    rows = [row_of(one, label, one.primary, say=say) for one, label in known]
    # A reliability of means may lie far below −1, where there are no bands; an interval does not widen the axis so far.
    values = [one.estimate.value or 0 for one, _ in known]
    domain = (max(min(-1.0, *values), round(low, 1)), 1.0)
    banded = any(one.band for one, _ in known) and domain[0] >= -1
    return dots(rows, axis, domain, bands=banded, line=None if banded else 0, say=say)


def row_of(finding: Finding, label: Text, strong: bool, percent: bool = False, say: Speak = str) -> dict[str, Any]:
    """A finding as a row of a dot plot; `say` puts its words into the report's language."""
    times = 100 if percent else 1
    estimate = finding.estimate
    low, high = (None if end is None else times * end for end in (estimate.low, estimate.high))
    text, value = say(value_of(finding)), times * (estimate.value or 0)
    return {"label": say(label), "value": value, "low": low, "high": high, "text": text, "strong": strong}


def dots(
    rows: Sequence[dict[str, Any]], axis: str, domain: tuple[float, float], bands: bool = False,
    line: float | None = None, say: Speak = str,
) -> str:  # fmt: skip
    """A dot and its interval for each row; `line` draws a threshold."""
    return dot_plot(rows, axis, domain, bands=bands, line=line, say=say).svg(as_words(rows)) if rows else ""


def dot_plot(
    rows: Sequence[dict[str, Any]], axis: str, domain: tuple[float, float], *, bands: bool = False,
    line: float | None = None, title: str = "", room: int | None = None, less: float = 0, say: Speak = str,
) -> Canvas:  # fmt: skip
    """The plot of `dots`, which may stand beside another one; `room` is that of its labels, `less` what it leaves.

    What a row amounts to stands at its end and not at its point, where lines, bands and other rows are.
    """
    room = label_room(row["label"] for row in rows) if room is None else room
    labels = [wrapped(row["label"], room) for row in rows]
    # The names of bands want some more room.
    width = (WIDTH + 90 if bands else WIDTH) - room - value_room(rows) - less
    canvas, x, step = Canvas(), Scale(*domain, width), row_step(labels)
    height = step * len(rows)
    if bands:
        _bands(canvas, x, height, say)
    row_lines(canvas, labels, step, width, value_room(rows))
    if line is not None or bands:
        canvas.line((x(line or 0), 0), (x(line or 0), height), dashed=True)
    for place, row in enumerate(rows):
        y, color = (place + 0.5) * step, BLUE if row["strong"] else INK
        whisker(canvas, x, y, row, color)
        canvas.point(x(row["value"]), y, color)
        canvas.words(width + VALUE_GAP, y, row["text"], color=color, to="start")
    canvas.x_axis(x, height, _ticks(x, bands), axis)
    canvas.reach(-room - LABEL_GAP, 0)
    if title:
        lines = wrapped(title, WIDTH)
        canvas.words(canvas.left, -10 - LINE * len(lines), lines, to="start", down=1)
    return canvas


def row_lines(canvas: Canvas, labels: Sequence[Sequence[str]], step: float, width: float, end: float = 0) -> None:
    """The names of rows, and a hairline that leads the eye from each to its number."""
    for place, lines in enumerate(labels):
        y = (place + 0.5) * step
        canvas.line((0, y), (width, y), color=RULE, width=0.75)
        if any(lines):
            canvas.words(-LABEL_GAP, y, lines, to="end")
    canvas.reach(width + end, 0)


def whisker(canvas: Canvas, x: Scale, y: float, row: Mapping[str, Any], color: str = BLUE) -> None:
    """The interval of a row, where it has one; an open end that goes on beyond the scale has a tip."""
    if row["low"] is None or row["high"] is None:
        return
    low, high = x(row["low"]), x(row["high"])
    canvas.line((low, y), (high, y), color=color, width=1.6)
    for end, is_beyond, side in ((low, row["low"] < x.low, 1), (high, row["high"] > x.high, -1)):
        if is_beyond:
            canvas.line((end + 4 * side, y - 4), (end, y), (end + 4 * side, y + 4), color=color, width=1.6)


def value_room(rows: Iterable[Mapping[str, Any]]) -> int:
    """How many pixels the numbers at the end of rows take."""
    return VALUE_GAP + ceil(max((wide(str(row["text"])) for row in rows), default=0))


def label_room(labels: Iterable[str]) -> int:
    """How many pixels the labels beside a plot may take; those that need more stand in several lines."""
    return min(MOST_ROOM, max(LEAST_ROOM, *(ceil(wide(label)) for label in labels), 0))


def row_step(labels: Sequence[Sequence[str]]) -> int:
    """The height of a row that holds the longest of its labels."""
    return max(22, 8 + LINE * max(map(len, labels), default=1))


def _ticks(x: Scale, bands: bool) -> list[float]:
    step = 0.2 if bands else 20 if (x.low, x.high) == (0, 100) else 0
    return [round(x.low + step * k, 1) for k in range(round((x.high - x.low) / step) + 1)] if step else x.ticks()


def _bands(canvas: Canvas, x: Scale, height: float, say: Speak) -> None:
    """The bands of agreement behind a plot, with their names over it where there is room for all of them."""
    spans = [(x(low), x(high), say(Word(word))) for low, high, word in BANDS]
    size = next((one for one in BAND_SIZES if all(wide(word, one) <= b - a - 2 for a, b, word in spans)), None)
    for place, (begin, end, word) in enumerate(spans):
        canvas.area(begin, 0, end - begin, height, BAND[place % 2])
        if size is not None:
            canvas.words((begin + end) / 2, -6, word, color=QUIET, size=size, down=0)


def raster(lines: Sequence[tuple[str, Sequence[bool | None]]]) -> str:
    """A mark in each column of each line: filled for yes, pale for no, empty where there is none."""
    room = label_room(name for name, _ in lines)
    labels = [wrapped(name, room) for name, _ in lines]
    width = max(1.2, min(18.0, (WIDTH - room) / max(len(marks) for _, marks in lines)))
    canvas, step, gap = Canvas(), row_step(labels), 1 if width > 4 else 0
    for row, (_, marks) in enumerate(lines):
        canvas.words(-LABEL_GAP, (row + 0.5) * step, labels[row], to="end")
        for column, mark in enumerate(marks):
            fill = {True: BLUE, False: RULE, None: PAPER}[mark]
            canvas.area(column * width, row * step, width - gap, step - 1, fill)
    return canvas.svg()


def as_words(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Each row of a drawing by its name and its number."""
    return [f"{row['label']}: {row['text']}" for row in rows]
