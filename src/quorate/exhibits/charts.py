"""Charts of preferences, scores, confusions, metrics and time: values labelled, intervals drawn, colour never alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

from quorate.exhibits.figures import (
    BLUE,
    INK,
    LINE,
    ORANGE,
    PAPER,
    QUIET,
    RULE,
    VALUE_GAP,
    WIDTH,
    Speak,
    as_words,
    dot_plot,
    dots,
    guides,
    joined,
    label_room,
    layered,
    row_labels,
    row_of,
    row_places,
    row_step,
    svg,
    value_room,
    wide,
    wrapped,
)
from quorate.exhibits.numbers import bare
from quorate.findings.results import Finding, Listing
from quorate.messages import Message, Text
from quorate.statistics.grouping import letters


def outcomes(rows: Sequence[tuple[str, int, int, int]], ends: tuple[str, str], key: str) -> str:
    """Diverging stacked bars: losses to the left of the middle, ties across it, wins to the right; shares written.

    `ends` say what a loss and a win are, under the two halves.
    """
    import altair as alt

    counted = [(label, wins, ties, losses) for label, wins, ties, losses in rows if wins + ties + losses]
    if not counted:
        return ""
    names = [f"{label} (n\u00a0=\u00a0{sum(counts):,})" for label, *counts in counted]
    room = label_room(names)
    labels, half = [wrapped(name, room) for name in names], (WIDTH - room) / 2
    values: list[dict[str, Any]] = []
    for place, (_, *counts) in enumerate(counted):
        w, t, loss = (100 * k / sum(counts) for k in counts)
        for kind, low, high in (("loss", -t / 2 - loss, -t / 2), ("tie", -t / 2, t / 2), ("win", t / 2, t / 2 + w)):
            text = f"{high - low:.0f}%"
            fits = wide(text, 11) + 2 <= (high - low) / 100 * half
            values.append({"row": place, "kind": kind, "low": low, "high": high, "text": text if fits else ""})
    fills = alt.Scale(domain=["loss", "tie", "win"], range=[ORANGE, RULE, BLUE])
    inks = alt.Scale(domain=["loss", "tie", "win"], range=[PAPER, INK, PAPER])
    base = alt.Chart(alt.Data(values=tuple(values)))
    ticks = alt.Axis(values=[-100, -50, 0, 50, 100], labelExpr="abs(datum.value) + '%'")
    x = alt.X("low:Q", title=None, scale=alt.Scale(domain=[-100, 100]), axis=ticks)
    y = row_places(len(labels))
    bars = base.mark_bar(height=18).encode(
        x=x, x2=alt.X2("high:Q"), y=y, color=alt.Color("kind:N", scale=fills, legend=None)
    )
    words = base.transform_calculate(mid="(datum.low + datum.high) / 2").mark_text(fontSize=11)
    words = words.encode(
        x=alt.X("mid:Q"), y=y, text=alt.Text("text:N"), color=alt.Color("kind:N", scale=inks, legend=None)
    )
    zero = alt.Chart(alt.Data(values=[{"x": 0}])).mark_rule(color=QUIET, strokeDash=[3, 3]).encode(x=alt.X("x:Q"))
    height = row_step(labels) * len(names)
    told = [_end(text, half, height, right) for text, right in zip(ends, (False, True), strict=True)]
    apart = {"scale": {"color": "independent"}}
    size = {"width": 2 * half, "height": height}
    chart = layered(row_labels(labels), zero, bars, words, *told, resolve=apart, **size)
    heard = [
        f"{label}: {losses} {ends[0]}, {ties} =, {wins} {ends[1]}"
        for label, (_, wins, ties, losses) in zip(names, counted, strict=True)
    ]
    return svg(chart, key, heard)


def _end(text: str, half: float, height: int, right: bool) -> Any:
    """What one half of diverging bars means, below it and in its colour."""
    import altair as alt

    mark = alt.Chart(alt.Data(values=[{"lines": wrapped(text, half - 10)}])).mark_text(
        align="right" if right else "left", baseline="top", fontSize=12, lineHeight=LINE,
        color=BLUE if right else ORANGE,
    )  # fmt: skip
    return mark.encode(x=alt.XValue(2 * half if right else 0), y=alt.YValue(height + 26), text=alt.Text("lines:N"))


@dataclass(frozen=True)
class Ranked:
    """One ranking: its rows from the first to the last, and the groups that cannot be told apart, by places."""

    rows: Sequence[dict[str, Any]]
    groups: Sequence[tuple[int, ...]] = ()
    title: str = ""


def rankings(
    panels: Sequence[Ranked], key: str, axis: str, domain: tuple[float, float], line: float | None = None
) -> str:
    """Dots with their intervals on one scale; on the right a lettered line through those that cannot be told apart."""

    panels = [panel for panel in panels if panel.rows]
    if not panels:
        return ""
    side = max(16 * len(panel.groups) for panel in panels)
    room = label_room(row["label"] for panel in panels for row in panel.rows)
    drawn = []
    for panel in panels:
        # Only the last panel names the axis that all of them share.
        plot = dot_plot(
            panel.rows, axis if panel is panels[-1] else None, domain, line=line, title=panel.title, room=room
        )
        plot |= {"width": plot["width"] - side - 20 if side else plot["width"]}
        beside = (plot, _joined(panel, plot["height"]))
        drawn.append(joined("hconcat", beside, spacing=4) if panel.groups else plot)
    heard = [f"{panel.title} {one}".strip() for panel in panels for one in as_words(panel.rows)]
    return svg(joined("vconcat", drawn, spacing=14) if len(drawn) > 1 else drawn[0], key, heard)


def _joined(panel: Ranked, height: int) -> Any:
    """A line for each group from its first member to its last, with a mark at each of them and its letter above."""
    import altair as alt

    values = [
        {"group": k, "letter": letters(k), "row": row, "low": min(group), "high": max(group)}
        for k, group in enumerate(panel.groups) for row in group
    ]  # fmt: skip
    base = alt.Chart(alt.Data(values=tuple(values)))
    n = len(panel.rows)
    x = alt.X("group:O", title=None, axis=None)
    y = row_places(n)
    lines = base.mark_rule(color=QUIET, strokeWidth=1.6).encode(x=x, y=row_places(n, "low"), y2=alt.Y2("high:O"))
    marks = base.mark_circle(size=40, color=INK, opacity=1).encode(x=x, y=y)
    words = base.transform_filter("datum.row === datum.low").mark_text(dy=-13, fontSize=11, color=INK)
    told = words.encode(x=x, y=y, text=alt.Text("letter:N"))
    return layered(lines, marks, told, width=16 * len(panel.groups), height=height)


def matrix(listing: Listing, key: str, columns: str, say: Speak = str) -> str:
    """A confusion matrix: darker where more items are, the number written in each cell; `columns` is their axis."""
    import altair as alt

    names = list(map(say, listing.columns[1:]))
    most = max((n for row in listing.rows for n in row[1:]), default=0)
    if not most:
        return ""
    values = [
        {"row": place, "column": column, "n": n, "dark": n > most / 2}
        for place, row in enumerate(listing.rows)
        for column, n in enumerate(row[1:])
    ]
    room = label_room(say(row[0]) for row in listing.rows)
    labels = [wrapped(say(row[0]), room) for row in listing.rows]
    cell = min(90.0, (WIDTH - room) / len(names))
    heads = [wrapped(name, cell - 6) for name in names]
    base = alt.Chart(alt.Data(values=tuple(values)))
    x = alt.X("column:O", title=None, axis=None, scale=alt.Scale(domain=list(range(len(names))), paddingInner=0))
    y = row_places(len(labels))
    # A part of the colour and not a mixture of two, so that it is one on dark pages, too.
    shade = alt.FillOpacity("n:Q", scale=alt.Scale(domain=[0, most], range=[0, 1]), legend=None)
    cells = base.mark_rect(fill=BLUE, stroke=RULE).encode(x=x, y=y, fillOpacity=shade)
    ink = alt.condition(alt.datum.dark, alt.value(PAPER), alt.value(INK))
    words = base.mark_text(fontSize=12).encode(x=x, y=y, text=alt.Text("n:Q"), color=ink)
    told = [{"column": place, "lines": lines, "up": -6 - LINE * (len(lines) - 1)} for place, lines in enumerate(heads)]
    top = alt.Chart(alt.Data(values=tuple(told))).mark_text(
        baseline="bottom", dy=alt.expr("datum.up"), fontSize=12, lineHeight=LINE, color=INK
    )
    top = top.encode(x=x, y=alt.YValue(0), text=alt.Text("lines:N"))
    over = alt.Chart(alt.Data(values=[{"name": columns}])).mark_text(baseline="bottom", fontSize=11, color=QUIET)
    above = -12 - LINE * max(map(len, heads))
    over = over.encode(x=alt.XValue(cell * len(names) / 2), y=alt.YValue(above), text=alt.Text("name:N"))
    size = {"width": cell * len(names), "height": max(28, row_step(labels)) * len(labels)}
    heard = [f"{say(row[0])}, {name}: {n}" for row in listing.rows for name, n in zip(names, row[1:], strict=True)]
    return svg(layered(row_labels(labels), cells, words, top, over, **size), key, heard)


def squares(found: Sequence[Finding], key: str) -> str:
    """A coefficient of every two raters as squares, darker where it is higher, its value in each of them."""
    import altair as alt

    names = list(dict.fromkeys(name for one in found for name in one.raters))
    known = [one for one in found if one.estimate.value is not None]
    if not known:
        return ""
    values = [
        {"row": row, "column": column, "value": one.estimate.value, "text": bare(one.estimate.value or 0.0)}
        for one in known for row, column in (one.raters, one.raters[::-1])
    ]  # fmt: skip
    base = alt.Chart(alt.Data(values=tuple(values)))
    top = alt.Axis(orient="top", labelAngle=0, ticks=False, domain=False)
    x = alt.X("column:N", title=None, sort=names, axis=top, scale=alt.Scale(domain=names))
    y = alt.Y("row:N", title=None, sort=names, scale=alt.Scale(domain=names))
    scale = alt.Scale(domain=[0, 1], range=[PAPER, BLUE], interpolate="rgb", clamp=True)
    cells = base.mark_rect(stroke=RULE).encode(x=x, y=y, color=alt.Color("value:Q", scale=scale, legend=None))
    ink = alt.condition("datum.value > 0.5", alt.value(PAPER), alt.value(INK))
    words = base.mark_text(fontSize=11).encode(x=x, y=y, text=alt.Text("text:N"), color=ink)
    step = min(64, (WIDTH - 120) / len(names))
    return svg(layered(cells, words, width=step * len(names), height=30 * len(names)), key)


def by_stratum(
    found: Sequence[Finding], key: str, axis: Text, percent: bool = False, alarm: float | None = None,
    say: Speak = str, name: Callable[[Finding], Text] = lambda finding: finding.stratum or finding.label,
) -> str:  # fmt: skip
    """One figure in each stratum, by value, with its interval; a dashed line where there is a threshold."""
    known = [f for f in found if f.estimate.value is not None]
    if not known:
        return ""
    known.sort(key=lambda f: -(f.estimate.value or 0))
    rows = [row_of(f, name(f), bool(f.band), percent=percent, say=say) for f in known]
    ends = [end for row in rows for end in (row["low"], row["high"], row["value"]) if end is not None]
    domain = (0.0, 100.0) if percent else (min(0.0, *ends), max(ends) * 1.02)
    return dots(rows, key, say(axis), domain, bands=False, sort=None, line=alarm)


@dataclass(frozen=True, slots=True)
class Panel:
    """Means on one scale: its title, the ends of the scale, and the lines."""

    title: str
    ends: tuple[float, float]
    lines: Sequence[dict[str, Any]]


def line_of(finding: Finding, label: str, marks: Sequence[float], say: Speak = str) -> dict[str, Any]:
    """A mean as a line of a panel, with a pale mark for each of its items."""
    return {**row_of(finding, label, True, say=say), "marks": list(marks)}


def means(panels: Iterable[Panel], key: str) -> str:
    """Means with their intervals over the marks of their items, each panel on its whole scale."""
    import altair as alt

    panels = list(panels)
    if not panels:
        return ""
    # Panels with a title have the same lines, and their names once.
    side_by_side = min(3, len(panels)) if panels[0].title else 1
    names = list(dict.fromkeys(line["label"] for panel in panels for line in panel.lines))
    room = label_room(line["label"] for panel in panels for line in panel.lines)
    alone = side_by_side == 1
    ends = value_room(line for panel in panels for line in panel.lines) if alone else 24
    width = max(110.0, (WIDTH - room) / side_by_side - ends)
    drawn = []
    for place, panel in enumerate(panels):
        labels = names if panel.title else [line["label"] for line in panel.lines]
        told = [wrapped(label, room) for label in labels]
        y = row_places(len(labels))
        low, high = panel.ends if all(map(isfinite, panel.ends)) else _around(panel.lines)
        scale, ticks = alt.Scale(domain=[low, high], nice=False, zero=False), _ticks(low, high)
        rows = [labels.index(line["label"]) for line in panel.lines]
        lines = [
            {
                **{name: value for name, value in line.items() if name != "marks"},
                "row": row,
                "align": _side(line["value"], low, high),
            }
            for row, line in zip(rows, panel.lines, strict=True)
        ]
        base = alt.Chart(alt.Data(values=tuple(lines)))
        x = alt.X("value:Q", title=None, scale=scale, axis=ticks)
        marks = [
            {"row": row, "value": value}
            for row, line in zip(rows, panel.lines, strict=True) for value in line["marks"]
        ]  # fmt: skip
        items = alt.Chart(alt.Data(values=tuple(marks))).mark_circle(size=26, color=BLUE, opacity=0.22).encode(x=x, y=y)
        whiskers = base.transform_filter("datum.low !== null").mark_rule(color=BLUE, strokeWidth=1.8)
        whiskers = whiskers.encode(x=alt.X("low:Q", title=None, scale=scale), x2=alt.X2("high:Q"), y=y)
        points = base.mark_circle(size=70, color=BLUE, opacity=1).encode(x=x, y=y)
        # Panels beside each other have no room at the end of a row: their numbers stand over the points.
        over = base.mark_text(align=alt.expr("datum.align"), dy=-11, fontSize=11, color=INK).encode(
            x=x, y=y, text=alt.Text("text:N")
        )
        at_end = base.mark_text(align="left", baseline="middle", dx=VALUE_GAP, fontSize=12, color=INK)
        words = at_end.encode(x=alt.XValue(width), y=y, text=alt.Text("text:N")) if alone else over
        beside = [row_labels(told)] if place % side_by_side == 0 else []
        kept = guides(len(labels), width, room if beside else 0, ends if alone else 0)
        layers = [kept, *beside, *([items] if marks else []), whiskers, points, words]
        size = {"width": width, "height": (row_step(told) + (0 if alone else 8)) * len(labels)}
        text = wrapped(panel.title, width)
        title = {"title": {"text": text, "fontSize": 12, "fontWeight": "normal", "color": INK}} if panel.title else {}
        drawn.append(layered(*layers, **size, **title))
    heard = [f"{panel.title} {one}".strip() for panel in panels for one in as_words(panel.lines)]
    return svg(joined("concat", drawn, columns=side_by_side, spacing=18), key, heard)


def _side(value: float, low: float, high: float) -> str:
    """To which side of its point a number over it is written, so that it stays over its panel."""
    part = (value - low) / (high - low)
    return "left" if part < 0.12 else "right" if part > 0.88 else "center"


def _ticks(low: float, high: float, **line: Any) -> Any:
    """The points of a scale of few whole numbers; else its ends and what divides it into four."""
    import altair as alt

    few = float(low).is_integer() and float(high).is_integer() and high - low <= FEW_TICKS
    step = 1.0 if few else (high - low) / 4
    return alt.Axis(values=[low + step * k for k in range(round((high - low) / step) + 1)], format=".12~g", **line)


def _around(lines: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    """The ends of a scale that has none of its own: around what is drawn."""
    known = [line[name] for line in lines for name in ("low", "high", "value") if line[name] is not None]
    return _padded([*known, *(value for line in lines for value in line["marks"])])


#: The names of more points than this are not written.
MOST_NAMES = 24
#: A scale of more whole numbers than this has no tick for each.
FEW_TICKS = 10

#: Where the name of a point may stand, from the best place on: alignment, and the shift to the right and down.
PLACES: tuple[tuple[Literal["left", "center", "right"], int, int], ...] = (
    ("left", 8, 0), ("right", -8, 0), ("center", 0, -12), ("center", 0, 13), ("left", 8, -12), ("left", 8, 12),
    ("right", -8, -12), ("right", -8, 12),
)  # fmt: skip


def scatter(
    points: Sequence[Mapping[str, Any]], x: Text, y: Text, key: str, ends: tuple[float, float], say: Speak = str
) -> str:
    """Two numbers of each unit as a point, with its name where there is room: a score on its scale against a metric."""
    import altair as alt

    known = [dict(point) for point in points if point["x"] == point["x"] and point["y"] == point["y"]]
    if len(known) < 2:
        return ""
    width, height = WIDTH - 200, 260
    whole = ends if all(map(isfinite, ends)) else _padded([point["y"] for point in known])
    spans = {"x": _padded([point["x"] for point in known]), "y": whole}
    values = _named(known, spans, width, height)
    scales = {name: alt.Scale(domain=list(span), nice=False, zero=False) for name, span in spans.items()}
    side = _ticks(*whole, domain=True, ticks=True, titlePadding=12)
    at = {
        "x": alt.X("x:Q", title=say(x), scale=scales["x"], axis=alt.Axis(tickCount=6)),
        "y": alt.Y("y:Q", title=say(y), scale=scales["y"], axis=side),
    }  # fmt: skip
    base = alt.Chart(alt.Data(values=tuple(values)))
    layers = [base.mark_circle(size=70, color=BLUE, opacity=1).encode(**at)]
    for place, (align, dx, dy) in enumerate(PLACES):
        if any(value["place"] == place for value in values):
            words = base.transform_filter(f"datum.place === {place}")
            words = words.mark_text(align=align, dx=dx, dy=dy, fontSize=10, color=INK, baseline="middle")
            layers.append(words.encode(**at, text=alt.Text("name:N")))
    heard = [f"{point['name']}: {point['x']:.3g}, {point['y']:.3g}" for point in known[:MOST_NAMES]]
    return svg(layered(*layers, width=width, height=height), key, heard)


def _padded(numbers: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis with some room, so that no point stands on it."""
    low, high = min(numbers), max(numbers)
    room = 0.08 * (high - low) or 0.5
    return low - room, high + room


def _named(
    points: Sequence[dict[str, Any]], spans: Mapping[str, tuple[float, float]], width: float, height: float
) -> list[dict[str, Any]]:
    """Each point with the first place at which its name covers no point, no other name, and stays on the drawing.

    A name that finds no such place is not written.
    """

    def pixels(point: Mapping[str, Any]) -> tuple[float, float]:
        (left, right), (low, high) = spans["x"], spans["y"]
        return (point["x"] - left) / (right - left) * width, (high - point["y"]) / (high - low) * height

    dots_at = [pixels(point) for point in points]
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in dots_at]
    found = []
    if len(points) > MOST_NAMES:
        return [{**point, "place": None} for point in points]
    for number, (point, (x, y)) in enumerate(zip(points, dots_at, strict=True)):
        others = taken[:number] + taken[number + 1 :]
        boxes = [_box(str(point["name"]), x, y, *place) for place in PLACES]
        free = (k for k, box in enumerate(boxes) if box[0] > 4 and box[2] < width + 60 and not _covers(box, others))
        place = next(free, None)
        if place is not None:
            taken.append(boxes[place])
        found.append({**point, "place": place})
    return found


Box = tuple[float, float, float, float]


def _box(text: str, x: float, y: float, align: str, dx: float, dy: float) -> Box:
    length = wide(text, 10) + 4
    left = x + dx - {"left": 0, "center": length / 2, "right": length}[align]
    return left, y + dy - 6, left + length, y + dy + 6


def _covers(box: Box, others: Sequence[Box]) -> bool:
    return any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in others)


def span(rows: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    """From the lowest to the highest end of any interval, with some room."""
    ends = [end for row in rows for end in (row["low"], row["high"], row["value"]) if end is not None]
    return _padded(ends) if ends else (0.0, 1.0)


def figure_rows(found: Sequence[Finding], key: str, axis: Text, say: Speak = str) -> str:
    """Findings on one axis, by value, with their intervals and a line at zero."""
    known = [f for f in found if f.estimate.value is not None]
    if not known:
        return ""
    rows = [row_of(f, f.label, f.primary, say=say) for f in known]
    ends = [end for row in rows for end in (row["low"], row["high"], row["value"]) if end is not None]
    pad = 0.05 * (max(ends) - min(ends) or 1)
    domain = (min(ends) - pad, max(ends) + pad)
    return dots(rows, key, say(axis), domain, bands=False, sort=None, line=0)


def gaps(found: Sequence[tuple[Text, Finding]], key: str, axis: str, say: Speak = str) -> str:
    """Differences of shares in points, each under its name, with their intervals and a line at zero."""
    rows = [row_of(f, name, False, percent=True, say=say) for name, f in found if f.estimate.value is not None]
    ends = [end for row in rows for end in (row["low"], row["high"], row["value"]) if end is not None]
    if not ends:
        return ""
    pad = 0.05 * (max(ends) - min(ends) or 1)
    domain = (min(0.0, *ends) - pad, max(0.0, *ends) + pad)
    return dots(rows, key, axis, domain, bands=False, sort=None, line=0)


def trade_off(points: Sequence[tuple[float | None, Finding]], key: str, say: Speak = str) -> str:
    """Work saved against the share of accepted scores that are wrong: a point and its interval for each threshold."""
    import altair as alt

    values: list[dict[str, Any]] = [
        {"x": 100 * saved, "y": 100 * error.estimate.value, "low": _percent(error.estimate.low),
         "high": _percent(error.estimate.high)}
        for saved, error in points if saved is not None and error.estimate.value is not None
    ]  # fmt: skip
    if len(values) < 2:
        return ""
    top = max(value["high"] if value["high"] is not None else value["y"] for value in values)
    base = alt.Chart(alt.Data(values=tuple(values)))
    whole = alt.Scale(domain=[0, 100], nice=False)
    x = alt.X("x:Q", title=say(Message("work saved, %")), scale=whole, axis=alt.Axis(tickCount=6))
    side = alt.Axis(domain=True, ticks=True, titlePadding=12)
    scale = alt.Scale(domain=[0, max(5.0, 1.05 * top)], nice=False)
    y = alt.Y("y:Q", title=say(Message("wrong among accepted, %")), scale=scale, axis=side)
    line = base.mark_line(color=BLUE, strokeWidth=1.6).encode(x=x, y=y)
    whiskers = base.transform_filter("datum.low !== null").mark_rule(color=QUIET, strokeWidth=1.2)
    marks = base.mark_circle(size=46, color=BLUE, opacity=1).encode(x=x, y=y)
    drawn = layered(
        whiskers.encode(x=x, y=alt.Y("low:Q"), y2=alt.Y2("high:Q")), line, marks, width=WIDTH - 200, height=220
    )
    heard = [f"{value['x']:.0f}%: {value['y']:.1f}%" for value in values]
    return svg(drawn, key, heard)


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
