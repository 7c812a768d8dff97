"""Charts of preferences, scores, confusions, metrics and time: values labelled, intervals drawn, colour never alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from typing import Any

from quorate.exhibits.figures import (
    LABEL_GAP,
    VALUE_GAP,
    WIDTH,
    Speak,
    as_words,
    dot_plot,
    dots,
    label_room,
    row_lines,
    row_of,
    row_step,
    value_room,
    whisker,
)
from quorate.exhibits.numbers import bare
from quorate.exhibits.svg import BLUE, INK, ORANGE, PAPER, QUIET, RULE, Canvas, Scale, tick_texts, wide, wrapped
from quorate.findings.results import Finding, Listing
from quorate.messages import Message, Text
from quorate.statistics.grouping import letters

#: The names of more points than this are not written.
MOST_NAMES = 24
#: A scale of more whole numbers than this has no tick for each.
FEW_TICKS = 10


def outcomes(rows: Sequence[tuple[str, int, int, int]], ends: tuple[str, str]) -> str:
    """Diverging stacked bars: losses to the left of the middle, ties across it, wins to the right; shares written.

    `ends` say what a loss and a win are, under the two halves.
    """
    counted = [(label, wins, ties, losses) for label, wins, ties, losses in rows if wins + ties + losses]
    if not counted:
        return ""
    names = [f"{label} (n\u00a0=\u00a0{sum(counts):,})" for label, *counts in counted]
    room = label_room(names)
    labels, canvas, x = [wrapped(name, room) for name in names], Canvas(), Scale(-100, 100, WIDTH - room)
    step, half = row_step(labels), x.length / 2
    height = step * len(names)
    canvas.line((half, 0), (half, height), dashed=True)
    for place, (_, *counts) in enumerate(counted):
        w, t, loss = (100 * k / sum(counts) for k in counts)
        y = (place + 0.5) * step
        canvas.words(-LABEL_GAP, y, labels[place], to="end")
        for begin, share, fill, ink in (
            (-t / 2 - loss, loss, ORANGE, PAPER), (-t / 2, t, RULE, INK), (t / 2, w, BLUE, PAPER)
        ):  # fmt: skip
            canvas.area(x(begin), y - 9, share / 100 * half, 18, fill)
            text = f"{share:.0f}%"
            if wide(text, 11) + 2 <= share / 100 * half:
                canvas.words(x(begin + share / 2), y, text, color=ink, size=11)
    canvas.x_axis(x, height, (-100, -50, 0, 50, 100), texts=("100%", "50%", "0%", "50%", "100%"))
    canvas.words(0, height + 27, wrapped(ends[0], half - 10), color=ORANGE, to="start", down=1)
    canvas.words(x.length, height + 27, wrapped(ends[1], half - 10), color=BLUE, to="end", down=1)
    told = zip(names, counted, strict=True)
    return canvas.svg(
        f"{name}: {losses} {ends[0]}, {ties} =, {wins} {ends[1]}" for name, (_, wins, ties, losses) in told
    )


@dataclass(frozen=True)
class Ranked:
    """One ranking: its rows from the first to the last, and the groups that cannot be told apart, by places."""

    rows: Sequence[dict[str, Any]]
    groups: Sequence[tuple[int, ...]] = ()
    title: str = ""


def rankings(panels: Sequence[Ranked], axis: str, domain: tuple[float, float], line: float | None = None) -> str:
    """Dots with their intervals on one scale; on the right a lettered line through those that cannot be told apart."""
    panels = [panel for panel in panels if panel.rows]
    if not panels:
        return ""
    side = max(16 * len(panel.groups) for panel in panels)
    room = label_room(row["label"] for panel in panels for row in panel.rows)
    whole = Canvas()
    for panel in panels:
        # Only the last panel names the axis that all of them share.
        named, less = axis if panel is panels[-1] else "", side + 20 if side else 0
        plot = dot_plot(panel.rows, named, domain, line=line, title=panel.title, room=room, less=less)
        step = row_step([wrapped(row["label"], room) for row in panel.rows])
        for k, group in enumerate(panel.groups):
            x, low, high = WIDTH - room - side + 16 * k + 8, min(group), max(group)
            plot.line((x, (low + 0.5) * step), (x, (high + 0.5) * step), width=1.6)
            for place in group:
                plot.point(x, (place + 0.5) * step, INK, 3)
            plot.words(x, (low + 0.5) * step - 6, letters(k), size=11, down=0)
        whole.put(plot, 0, whole.bottom - plot.top + 14 if whole.parts else 0)
    return whole.svg(f"{panel.title} {one}".strip() for panel in panels for one in as_words(panel.rows))


def matrix(listing: Listing, columns: str, say: Speak = str) -> str:
    """A confusion matrix: darker where more items are, the number written in each cell; `columns` is their axis."""
    names, rows = list(map(say, listing.columns[1:])), [say(row[0]) for row in listing.rows]
    most = max((n for row in listing.rows for n in row[1:]), default=0)
    if not most:
        return ""
    cells = {
        (y, x): (n / most, str(n)) for y, row in enumerate(listing.rows) for x, n in enumerate(row[1:])
    }  # fmt: skip
    canvas = _grid(rows, names, cells, 90)
    canvas.words(min(90.0, (WIDTH - label_room(rows)) / len(names)) * len(names) / 2, canvas.top - 6, columns,
                 color=QUIET, size=11, down=0)  # fmt: skip
    return canvas.svg(f"{row}, {name}: {cells[y, x][1]}" for y, row in enumerate(rows) for x, name in enumerate(names))


def squares(found: Sequence[Finding]) -> str:
    """A coefficient of every two raters as squares, darker where it is higher, its value in each of them."""
    names = list(dict.fromkeys(name for one in found for name in one.raters))
    values = {one.raters: one.estimate.value for one in found if one.estimate.value is not None}
    cells = {
        (names.index(a), names.index(b)): (value, bare(value))
        for pair, value in values.items() for a, b in (pair, pair[::-1])
    }  # fmt: skip
    return _grid(names, names, cells, 64).svg() if cells else ""


def _grid(
    rows: Sequence[str], columns: Sequence[str], cells: Mapping[tuple[int, int], tuple[float, str]], most: float
) -> Canvas:
    """Cells under their columns' names: each so dark as its share of the most, with its number in it."""
    canvas, room = Canvas(), label_room(rows)
    labels = [wrapped(row, room) for row in rows]
    wide_, step = min(most, (WIDTH - room) / len(columns)), max(28, row_step(labels))
    for place, name in enumerate(columns):
        canvas.words((place + 0.5) * wide_, -6, wrapped(name, wide_ - 6), down=0)
    for place, lines in enumerate(labels):
        canvas.words(-LABEL_GAP, (place + 0.5) * step, lines, to="end")
    for (y, x), (share, text) in cells.items():
        canvas.area(x * wide_, y * step, wide_, step, BLUE, stroke=RULE, opacity=min(1.0, max(0.0, share)))
        canvas.words((x + 0.5) * wide_, (y + 0.5) * step, text, color=PAPER if share > 0.5 else INK)
    return canvas


def by_stratum(
    found: Sequence[Finding], axis: Text, percent: bool = False, alarm: float | None = None, say: Speak = str,
    name: Callable[[Finding], Text] = lambda finding: finding.stratum or finding.label,
) -> str:  # fmt: skip
    """One figure in each stratum, by value, with its interval; a dashed line where there is a threshold."""
    known = sorted((f for f in found if f.estimate.value is not None), key=lambda f: -(f.estimate.value or 0))
    rows = [row_of(f, name(f), bool(f.band), percent=percent, say=say) for f in known]
    ends = _ends(rows)
    domain = (0.0, 100.0) if percent or not ends else (min(0.0, *ends), max(ends) * 1.02)
    return dots(rows, say(axis), domain, line=alarm)


@dataclass(frozen=True, slots=True)
class Panel:
    """Means on one scale: its title, the ends of the scale, and the lines."""

    title: str
    ends: tuple[float, float]
    lines: Sequence[dict[str, Any]]


def line_of(finding: Finding, label: str, marks: Sequence[float], say: Speak = str) -> dict[str, Any]:
    """A mean as a line of a panel, with a pale mark for each of its items."""
    return {**row_of(finding, label, True, say=say), "marks": list(marks)}


def how_drawn(panels: Iterable[Panel]) -> Iterator[Message]:
    """How to read a picture of means: lines are told of only where there are any."""
    if any(line["low"] is not None for panel in panels for line in panel.lines):
        yield Message("Lines are intervals.")
    yield Message("Each scale is drawn whole.")


def means(panels: Iterable[Panel]) -> str:
    """Means with their intervals over the marks of their items, each panel on its whole scale."""
    panels = list(panels)
    if not panels:
        return ""
    # Panels with a title have the same lines, and their names once.
    side_by_side = min(3, len(panels)) if panels[0].title else 1
    every = [line for panel in panels for line in panel.lines]
    names, room = list(dict.fromkeys(line["label"] for line in every)), label_room(line["label"] for line in every)
    # Between panels the last number of one stands beside the first of the next.
    beside = max((wide(text) for panel in panels for text in tick_texts(_span_of(panel))), default=0.0)
    ends = value_room(every) if side_by_side == 1 else max(24.0, beside + 8)
    width = max(110.0, (WIDTH - room) / side_by_side - ends)
    whole, base = Canvas(), 0.0
    for at in range(0, len(panels), side_by_side):
        row = [
            _mean_panel(panel, width, room, names if panel.title else (), bool(beside and panel.title))
            for beside, panel in enumerate(panels[at : at + side_by_side])
        ]
        base = whole.bottom + 18 if at else 0.0
        base -= min(one.top for one in row)
        for place, one in enumerate(row):
            whole.put(one, place * (width + ends), base)
    return whole.svg(f"{panel.title} {one}".strip() for panel in panels for one in as_words(panel.lines))


def _mean_panel(panel: Panel, width: float, room: float, names: Sequence[str], is_beside: bool) -> Canvas:
    """One panel; with `names` its lines stand in the rows of those, and numbers over their points."""
    low, high = _span_of(panel)
    canvas, x = Canvas(), Scale(low, high, width)
    labels = list(names or (line["label"] for line in panel.lines))
    told = [wrapped(label, room) for label in labels]
    step = row_step(told) + (8 if names else 0)
    row_lines(canvas, [[""] for _ in told] if is_beside else told, step, width, 0 if names else value_room(panel.lines))
    for line in panel.lines:
        y = (labels.index(line["label"]) + 0.5) * step
        for value in line["marks"]:
            canvas.point(x(value), y, BLUE, 2.5, 0.22)
        whisker(canvas, x, y, line)
        canvas.point(x(line["value"]), y)
        if names:
            # Panels beside each other have no room at the end of a row.
            canvas.words(x(line["value"]), y - 5, line["text"], size=11, to=_side(x(line["value"]) / width), down=0)
        else:
            canvas.words(width + VALUE_GAP, y, line["text"], to="start")
    canvas.x_axis(x, step * len(labels), _fitting(_ticks(low, high), width))
    if panel.title:
        canvas.words(width / 2, -6, wrapped(panel.title, width), down=0)
    return canvas


def _span_of(panel: Panel) -> tuple[float, float]:
    """The ends of a panel's scale; of one that has none, those of what is drawn."""
    if all(map(isfinite, panel.ends)):
        return panel.ends
    return _padded([*_ends(panel.lines), *(value for line in panel.lines for value in line["marks"])])


def _fitting(ticks: list[float], width: float) -> list[float]:
    """The numbers of an axis, or so many fewer of them, its ends included, that none touches the next."""

    def touch() -> bool:
        lengths = [wide(text) for text in tick_texts(ticks)]
        return any((one + other) / 2 + 3 > width / (len(ticks) - 1) for one, other in pairwise(lengths))

    while len(ticks) > 2 and touch():
        steps = len(ticks) - 1
        ticks = ticks[:: next(k for k in range(2, steps + 1) if steps % k == 0)]
    return ticks


def _side(part: float) -> str:
    """To which side of its point a number over it is written, so that it stays over its panel."""
    return "start" if part < 0.12 else "end" if part > 0.88 else "middle"


def _ticks(low: float, high: float) -> list[float]:
    """The points of a scale of few whole numbers; else its ends and what divides it into four."""
    few = float(low).is_integer() and float(high).is_integer() and high - low <= FEW_TICKS
    step = 1.0 if few else (high - low) / 4
    return [low + step * k for k in range(round((high - low) / step) + 1)]


Box = tuple[float, float, float, float]
Aligned = tuple[str, int, int]
#: Where the name of a point may stand, from the best place on: how it is aligned, and the shift to the right and down.
PLACES: tuple[Aligned, ...] = (
    ("start", 8, 0), ("end", -8, 0), ("middle", 0, -12), ("middle", 0, 13), ("start", 8, -12), ("start", 8, 12),
    ("end", -8, -12), ("end", -8, 12),
)  # fmt: skip


def scatter(points: Sequence[Mapping[str, Any]], x: Text, y: Text, ends: tuple[float, float], say: Speak = str) -> str:
    """Two numbers of each unit as a point, with its name where there is room: a score on its scale against a metric."""
    known = [point for point in points if point["x"] == point["x"] and point["y"] == point["y"]]
    if len(known) < 2:
        return ""
    canvas, across = Canvas(), Scale(*_padded([point["x"] for point in known]), WIDTH - 200)
    up = Scale(*(ends if all(map(isfinite, ends)) else _padded([point["y"] for point in known])), 260)
    places = [(across(point["x"]), up.length - up(point["y"])) for point in known]
    for place in places:
        canvas.point(*place)
    for place, text, (to, dx, dy) in _named(places, [str(point["name"]) for point in known], across.length):
        canvas.words(place[0] + dx, place[1] + dy, text, size=10, to=to)
    canvas.x_axis(across, up.length, title=say(x))
    canvas.y_axis(up, _ticks(up.low, up.high), say(y))
    return canvas.svg(f"{point['name']}: {point['x']:.3g}, {point['y']:.3g}" for point in known[:MOST_NAMES])


def _padded(numbers: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis with some room, so that no point stands on it."""
    low, high = min(numbers), max(numbers)
    room = 0.08 * (high - low) or 0.5
    return low - room, high + room


def _named(
    places: Sequence[tuple[float, float]], names: Sequence[str], width: float
) -> Iterable[tuple[tuple[float, float], str, Aligned]]:
    """The first place for each name at which it covers no point, no other name, and stays on the drawing.

    A name that finds no such place is not written.
    """
    if len(places) > MOST_NAMES:
        return
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in places]
    for number, (place, name) in enumerate(zip(places, names, strict=True)):
        others = taken[:number] + taken[number + 1 :]
        for aligned in PLACES:
            box = _box(name, *place, aligned)
            if box[0] > 4 and box[2] < width + 60 and not any(_meet(box, other) for other in others):
                taken.append(box)
                yield place, name, aligned
                break


def _box(text: str, x: float, y: float, aligned: Aligned) -> Box:
    to, dx, dy = aligned
    length = wide(text, 10) + 4
    left = x + dx - {"start": 0, "middle": length / 2, "end": length}[to]
    return left, y + dy - 6, left + length, y + dy + 6


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _ends(rows: Iterable[Mapping[str, Any]]) -> list[float]:
    """Every number up to which rows reach."""
    return [end for row in rows for end in (row["low"], row["high"], row["value"]) if end is not None]


def span(rows: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    """From the lowest to the highest end of any interval, with some room."""
    ends = _ends(rows)
    return _padded(ends) if ends else (0.0, 1.0)


def differences(found: Sequence[tuple[Text, Finding]], axis: Text, percent: bool = False, say: Speak = str) -> str:
    """Differences with their intervals, each under its name, and a line at zero, which is always in sight."""
    rows = [row_of(f, name, f.primary, percent=percent, say=say) for name, f in found if f.estimate.value is not None]
    ends = [0.0, *_ends(rows)]
    pad = 0.05 * (max(ends) - min(ends) or 1)
    return dots(rows, say(axis), (min(ends) - pad, max(ends) + pad), line=0)


def trade_off(points: Sequence[tuple[float | None, Finding]], say: Speak = str) -> str:
    """Work saved against the share of accepted scores that are wrong: a point and its interval for each threshold."""
    rows = [
        {**row_of(error, "", True, percent=True), "saved": 100 * saved}
        for saved, error in points if saved is not None and error.estimate.value is not None
    ]  # fmt: skip
    if len(rows) < 2:
        return ""
    canvas, x = Canvas(), Scale(0, 100, WIDTH - 200)
    y = Scale(0, max(5.0, *(1.05 * end for end in _ends(rows))), 220)
    for row in rows:
        if row["low"] is not None:
            canvas.line(*((x(row["saved"]), y.length - y(row[end])) for end in ("low", "high")), width=1.2)
    _along(canvas, [(x(row["saved"]), y.length - y(row["value"])) for row in rows])
    canvas.x_axis(x, y.length, title=say(Message("work saved, %")))
    canvas.y_axis(y, title=say(Message("wrong among accepted, %")))
    return canvas.svg(f"{row['saved']:.0f}%: {row['value']:.1f}%" for row in rows)


def over_time(points: Sequence[tuple[float, float]], across: str, up: str) -> str:
    """Seconds along the work, from left to right; each number stands where the line does not go."""
    levels = [seconds for _, seconds in points]
    canvas, x = Canvas(), Scale(*_padded([place for place, _ in points]), WIDTH - 160)
    y = Scale(0, 1.15 * max(levels), 180)
    places = [(x(place), y.length - y(seconds)) for place, seconds in points]
    _along(canvas, places)
    for k, (left, top) in enumerate(places):
        beside = [levels[j] for j in (k - 1, k + 1) if 0 <= j < len(levels)]
        is_low = bool(beside) and levels[k] < sum(beside) / len(beside)
        canvas.words(left, top + (14 if is_low else -12), f"{levels[k]:.0f} s", size=10)
    canvas.x_axis(x, y.length, title=across)
    canvas.y_axis(y, title=up)
    return canvas.svg(f"{place:.0f}: {seconds:.0f} s" for place, seconds in points)


def _along(canvas: Canvas, places: Sequence[tuple[float, float]]) -> None:
    """A line through points."""
    canvas.line(*places, color=BLUE, width=1.6)
    for place in places:
        canvas.point(*place)
