"""Figures as SVG: intervals drawn, labels beside the marks, colours that colour-blind readers can tell apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, floor
from typing import Any
from unicodedata import combining, east_asian_width
from xml.sax.saxutils import escape

from quorate.exhibits.numbers import value_of
from quorate.findings.results import Finding
from quorate.languages import noted
from quorate.messages import Text, Word

#: What puts a text into the language of the report.
Speak = Callable[[Text], str]
#: A drawing as Vega-Lite has it.
Drawn = dict[str, Any]
#: The stylesheet maps these to the page's colours, so that one drawing serves light, dark and print.
INK, QUIET, RULE, BLUE, ORANGE, PAPER = "#1d1c1a", "#6b6862", "#dcd8d0", "#0b63a5", "#c2500a", "#fffffe"
BAND = ("#f7f5f1", "#efece5")
#: One face of letters wherever a figure is seen, or another of the same widths, so that what was measured here fits.
FONT = "Liberation Sans, Arial, Helvetica Neue, Helvetica, Noto Sans CJK SC, PingFang SC, Microsoft YaHei, sans-serif"
BANDS = (
    (0.0, 0.2, noted("slight")), (0.2, 0.4, noted("fair")), (0.4, 0.6, noted("moderate")),
    (0.6, 0.8, noted("substantial")), (0.8, 1.0, noted("almost perfect")),
)  # fmt: skip
#: The names beside a plot, the plot and the numbers on its other side are together so wide, in pixels.
WIDTH = 600


def coefficients(found: Sequence[tuple[Finding, Text]], key: str, axis: str, say: Speak = str) -> str:
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
    return dots(rows, key, axis, domain, bands=banded, line=None if banded else 0, say=say)


def row_of(finding: Finding, label: Text, strong: bool, percent: bool = False, say: Speak = str) -> dict[str, Any]:
    """A finding as a row of a dot plot; `say` puts its words into the report's language."""
    times = 100 if percent else 1
    estimate = finding.estimate
    ends = [None if end is None else times * end for end in (estimate.low, estimate.high)]
    value = times * (estimate.value or 0)
    return {
        "label": say(label),
        "value": value,
        "low": ends[0],
        "high": ends[1],
        "text": say(value_of(finding)),
        "strong": strong,
    }


def dots(
    rows: Sequence[dict[str, Any]],
    key: str,
    axis: str,
    domain: tuple[float, float],
    bands: bool,
    sort: Any = None,
    line: float | None = None,
    say: Speak = str,
) -> str:
    """A dot and its interval for each row; `line` draws a threshold."""
    if not rows:
        return ""
    return svg(dot_plot(rows, axis, domain, bands=bands, line=line, say=say), key, as_words(rows))


def dot_plot(
    rows: Sequence[dict[str, Any]], axis: Text, domain: tuple[float, float], *, bands: bool = False,
    line: float | None = None, title: str = "", room: int | None = None,
    say: Speak = str,
) -> Any:  # fmt: skip
    """The plot of `dots`, which may stand beside another one; `room` is that of the labels beside it.

    What a row amounts to stands at its end and not at its point, where lines, bands and other rows are.
    """
    import altair as alt

    room = label_room(row["label"] for row in rows) if room is None else room
    values = [{**row, "row": place} for place, row in enumerate(rows)]
    labels = [wrapped(row["label"], room) for row in rows]
    # The names of bands want some more room.
    whole = WIDTH + 90 if bands else WIDTH
    width, height = whole - room - value_room(rows), row_step(labels) * len(rows)
    axes = _ticks(domain, bands)
    x = alt.X("value:Q", title=axis, scale=alt.Scale(domain=list(domain), nice=False), axis=axes)
    y = row_places(len(rows))
    colour = alt.condition(alt.datum.strong, alt.value(BLUE), alt.value(INK))
    base = alt.Chart(alt.Data(values=tuple(values)))
    kept = guides(len(rows), width, room, value_room(rows))
    layers = [*(_bands(alt, domain, width, say) if bands else []), kept]
    if line is not None:
        at = alt.Chart(alt.Data(values=[{"x": line}]))
        layers = [*layers, at.mark_rule(color=QUIET, strokeDash=[3, 3]).encode(x=alt.X("x:Q"))]
    whiskers = base.mark_rule(strokeWidth=1.6).encode(
        x=alt.X("low:Q", title=axis, axis=axes), x2=alt.X2("high:Q"), y=y, color=colour
    )
    marks = base.mark_circle(size=60, opacity=1).encode(x=x, y=y, color=colour)
    words = base.mark_text(align="left", dx=VALUE_GAP, fontSize=12, baseline="middle")
    words = words.encode(x=alt.XValue(width), y=y, text=alt.Text("text:N"), color=colour)
    layers += [row_labels(labels), whiskers.transform_filter("datum.low !== null"), marks, words]
    named = {"title": _head(title).to_dict()} if title else {}
    return layered(*layers, width=width, height=height, **named)


def guides(n: int, width: float, room: float = 0, end: float = 0) -> Any:
    """A hairline in each of so many rows, which leads the eye from its name to its number.

    `room` and `end` are what names and numbers take beside the plot: it is kept whatever font measures them.
    """
    import altair as alt

    y = row_places(n)
    base = alt.Chart(alt.Data(values=[{"row": place} for place in range(n)]))
    hairlines = base.mark_rule(color=RULE, strokeWidth=0.75).encode(x=alt.XValue(0), x2=alt.X2Value(width), y=y)
    kept = base.transform_filter("datum.row === 0").mark_rule(color=RULE, strokeOpacity=0)
    return layered(kept.encode(x=alt.XValue(-room - LABEL_GAP), x2=alt.X2Value(width + end), y=y), hairlines)


def value_room(rows: Iterable[Mapping[str, Any]]) -> int:
    """How many pixels the numbers at the end of rows take."""
    return VALUE_GAP + ceil(max((wide(str(row["text"])) for row in rows), default=0))


def _head(title: str) -> Any:
    import altair as alt

    return alt.TitleParams(
        wrapped(title, WIDTH), anchor="start", frame="group", fontSize=12, fontWeight="normal", color=INK
    )


#: The room beside a plot for the names of its rows, in pixels.
LEAST_ROOM, MOST_ROOM, LINE = 60, 250, 14
#: Between a name and its row, and between the end of a row and its number.
LABEL_GAP, VALUE_GAP = 10, 12


def label_room(labels: Iterable[str]) -> int:
    """How many pixels the labels beside a plot may take; those that need more stand in several lines."""
    return min(MOST_ROOM, max(LEAST_ROOM, *(ceil(wide(label)) for label in labels), 0))


#: How wide the letters of the figures' face are, in parts of its size; the others take a little more than half of it.
ADVANCES = (
    ("ijl'|", 0.23),
    (" !,./:;I[]\\ft-r`(){}\u00a0", 0.33),
    ("mM%@W—…", 0.95),
    ("wABCDEFGHJKLNOPQRSTUVXYZ+&<=>", 0.74),
)
LETTERS = {letter: advance for letters, advance in ADVANCES for letter in letters}


def wide(text: str, size: float = 12) -> float:
    """How many pixels a text takes in a figure, at most: Chinese letters and pictures are as wide as they are high.

    >>> wide("ill") < wide("will") < wide("mmmm") < wide("中文模型")
    True
    """
    return size * sum(
        0 if combining(one) else 1.08 if east_asian_width(one) in "WF" else LETTERS.get(one, 0.58) for one in text
    )


def wrapped(text: str, room: float) -> list[str]:
    """A text in lines that fit into so many pixels, broken at spaces where there are any; nothing of it is left out.

    >>> wrapped("claude 3.5, tuned for long replies", 110), wrapped("L" * 6, 20)
    (['claude 3.5, tuned', 'for long replies'], ['LL', 'LL', 'LL'])
    """
    lines = [""]
    for word in re.split(r"[ \t\r\n]+", text.strip()):
        if lines[-1] and wide(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
            continue
        lines += [""] if lines[-1] else []
        for letter in word:
            if lines[-1] and wide(lines[-1] + letter) > room:
                lines.append("")
            lines[-1] += letter
    return lines


def row_step(labels: Sequence[Sequence[str]]) -> int:
    """The height of a row that holds the longest of its labels."""
    return max(22, 8 + LINE * max(map(len, labels), default=1))


def row_labels(labels: Sequence[Sequence[str]]) -> Any:
    """What the rows of a plot are called, beside it: each in its lines, and its middle at the row."""
    import altair as alt

    values = [
        {"row": place, "lines": list(lines), "up": -LINE * (len(lines) - 1) / 2} for place, lines in enumerate(labels)
    ]
    mark = alt.Chart(alt.Data(values=tuple(values))).mark_text(
        align="right",
        baseline="middle",
        fontSize=12,
        lineHeight=LINE,
        color=INK,
        dx=-LABEL_GAP,
        dy=alt.expr("datum.up"),
    )
    return mark.encode(x=alt.XValue(0), y=row_places(len(labels)), text=alt.Text("lines:N"))


def row_places(n: int, field: str = "row") -> Any:
    """Where the rows of a plot stand, from 0 to n − 1, without an axis of their own."""
    import altair as alt

    return alt.Y(f"{field}:O", title=None, sort=None, axis=None, scale=alt.Scale(domain=list(range(n))))


def _ticks(domain: tuple[float, float], bands: bool) -> Any:
    import altair as alt

    if not bands and domain != (0, 100):
        return alt.Axis(tickCount=6)
    step = 0.2 if bands else 20
    ticks = [round(domain[0] + step * k, 1) for k in range(round((domain[1] - domain[0]) / step) + 1)]
    return alt.Axis(values=ticks, format=".1f" if bands else "d")


#: Sizes of the bands' names, from the best on.
BAND_SIZES = (10, 9, 8.5, 8, 7.5)


def _bands(alt: Any, domain: tuple[float, float], width: float, say: Speak) -> list[Any]:
    marks = [
        {"from": max(a, domain[0]), "to": b, "word": say(Word(w)), "odd": i % 2} for i, (a, b, w) in enumerate(BANDS)
    ]
    base = alt.Chart(alt.Data(values=tuple(marks)))
    x = alt.X("from:Q", scale=alt.Scale(domain=list(domain), nice=False))
    shade = base.mark_rect(opacity=1).encode(
        x=x, x2=alt.X2("to:Q"), color=alt.condition(alt.datum.odd == 1, alt.value(BAND[1]), alt.value(BAND[0]))
    )
    zero = alt.Chart(alt.Data(values=[{"x": 0}])).mark_rule(color=QUIET, strokeDash=[3, 3]).encode(x=alt.X("x:Q"))
    room = 0.2 / (domain[1] - domain[0]) * width - 2
    size = next((size for size in BAND_SIZES if max(wide(str(mark["word"]), size) for mark in marks) <= room), None)
    if size is None:
        # No room for the words; the caption names the bands.
        return [shade, zero]
    words = base.transform_calculate(mid="(datum.from + datum.to) / 2").mark_text(
        fontSize=size, color=QUIET, baseline="bottom", dy=-6
    )
    return [shade, words.encode(x=alt.X("mid:Q"), y=alt.YValue(0), text=alt.Text("word:N")), zero]


def raster(lines: Sequence[tuple[str, Sequence[bool | None]]], key: str) -> str:
    """A mark in each column of each line: filled for yes, pale for no, empty where there is none."""
    import altair as alt

    n = max(len(marks) for _, marks in lines)
    kinds = {True: "yes", False: "no", None: "none"}
    values = [
        {"x": x, "row": row, "mark": kinds[mark]}
        for row, (_, marks) in enumerate(lines)
        for x, mark in enumerate(marks)
    ]
    room = label_room(name for name, _ in lines)
    labels = [wrapped(name, room) for name, _ in lines]
    step = max(1.2, min(18.0, (WIDTH - room) / n))
    scale = alt.Scale(domain=list(kinds.values()), range=[BLUE, RULE, PAPER])
    marks = (
        alt.Chart(alt.Data(values=tuple(values)))
        .mark_rect(stroke=PAPER, strokeWidth=1 if step > 4 else 0)
        .encode(
            x=alt.X("x:O", axis=None, scale=alt.Scale(paddingInner=0)), y=row_places(len(lines)),
            color=alt.Color("mark:N", scale=scale, legend=None),
        )
    )  # fmt: skip
    height = row_step(labels) * len(lines)
    return svg(layered(row_labels(labels), marks, width=step * n, height=height), key)


def layered(*charts: Any, **size: Any) -> Drawn:
    """Charts over one another, as Vega-Lite has them: altair's own layers copy all that they hold again and again."""
    return joined("layer", charts, **size)


def joined(how: str, charts: Iterable[Any], **more: Any) -> Drawn:
    """Charts joined by `layer`, `concat`, `hconcat` or `vconcat`, with the rows of all of them in one place."""
    parts = [dict(_written(chart)) for chart in charts]
    rows: Drawn = {}
    for part in parts:
        rows |= part.pop("datasets", {})
        for whole in ("$schema", "config"):
            part.pop(whole, None)
    return {how: parts, **more, "datasets": rows}


def _written(chart: Any) -> Drawn:
    """A chart as Vega-Lite has it; it is drawn at once, and so nobody has to check how it is written."""
    return chart if isinstance(chart, dict) else chart.to_dict(validate=False)


def svg(chart: Any, key: str, told: Iterable[str] = ()) -> str:
    """A chart as a drawing that the page's colours and width rule; `told` says what it shows to who cannot see it."""
    import vl_convert

    config: dict[str, Any] = {
        "font": FONT,
        "background": None,
        # Readers' fonts may be wider than the one that measured the labels.
        "padding": {"left": 10, "right": 10, "top": 4, "bottom": 4},
        "view": {"stroke": None},
        "axis": {
            "grid": False, "domainColor": QUIET, "tickColor": QUIET, "labelColor": INK, "titleColor": QUIET,
            "labelFontSize": 12, "titleFontSize": 11, "titleFontWeight": "normal", "labelPadding": 6,
            "labelFlush": False,
        },
        "axisY": {"domain": False, "ticks": False},
    }  # fmt: skip
    drawn = _plain(vl_convert.vegalite_to_svg({**_written(chart), "config": config}))
    # Ids are one page's: two drawings must not share them. The size follows the column.
    drawn = re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{key}-", drawn)
    width = re.search(r'width="([\d.]+)"', drawn)
    drawn = re.sub(r'<svg([^>]*?) width="[\d.]+" height="[\d.]+"', r"<svg\1", drawn, count=1)
    limit = f"max-width:{float(width[1]):.0f}px" if width else ""
    words = escape("; ".join(told), {'"': "&quot;"})
    heard = f'role="img" aria-label="{words}"' if words else 'aria-hidden="true"'
    return drawn.replace("<svg", f'<svg style="{limit}" {heard} focusable="false"', 1)


def as_words(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Each row of a drawing by its name and its number."""
    return [f"{row['label']}: {row['text']}" for row in rows]


#: What a tag of a drawing says to nobody: the face of each word, roles within one picture, what goes without it.
SILENT = re.compile(
    r' (?:aria-[a-z]+|role|class|pointer-events|xmlns:xlink|version|font-family)="[^"]*"'
    r'| (?:opacity|stroke-width)="1"| font-weight="normal"'
)
NOTHING_DRAWN = re.compile(r'<path d="(?:M0,0h0v0h0Z)?"[^<>]*/>')


def _plain(drawn: str) -> str:
    """The same drawing in a third of the letters: its face is named once, and places have two decimals."""

    def tag(found: re.Match[str]) -> str:
        left = SILENT.sub("", found[0])
        return re.sub(r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), left)

    drawn = NOTHING_DRAWN.sub("", re.sub(r"<[^<>]*>", tag, drawn))
    return drawn.replace("<svg", f'<svg font-family="{FONT}"', 1)


def standalone(drawn: str) -> str:
    """A drawing as a file of its own: with its size, and without what only a page reads."""
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawn)
    size = f' width="{box[1]}" height="{box[2]}"' if box else ""
    return re.sub(
        r'<svg style="[^"]*" (?:aria-hidden="true"|role="img" aria-label="[^"]*") focusable="false"', f"<svg{size}",
        drawn, count=1,
    )  # fmt: skip


def drawn_width(drawn: str) -> float:
    """How many pixels a drawing is wide, so that the letters of all drawings are printed in one size."""
    box = re.search(r'viewBox="0 0 ([\d.]+)', drawn)
    return float(box[1]) if box else WIDTH
