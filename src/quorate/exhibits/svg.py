"""A drawing in the making: lines, points, areas and words at places in pixels, written as SVG."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, log10
from typing import NamedTuple
from unicodedata import combining, east_asian_width
from xml.sax.saxutils import escape, quoteattr

#: The stylesheet maps these to the page's colours, so that one drawing serves light, dark and print.
INK, QUIET, RULE, BLUE, ORANGE, PAPER = "#1d1c1a", "#6b6862", "#dcd8d0", "#0b63a5", "#c2500a", "#fffffe"
#: One face of letters wherever a figure is seen, or another of the same widths, so that what was measured here fits.
FONT = "Liberation Sans, Arial, Helvetica Neue, Helvetica, Noto Sans CJK SC, PingFang SC, Microsoft YaHei, sans-serif"
#: From one line of words to the next, in pixels.
LINE = 14
#: Readers' fonts may be wider than the one that measured the words: so much room is left around a drawing.
MARGIN = 10
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


class Scale(NamedTuple):
    """Where a number stands on a line of so many pixels; one beyond its ends stands at the end."""

    low: float
    high: float
    length: float

    def __call__(self, value: float) -> float:
        """The pixels from the line's beginning."""
        return self.length * min(1.0, max(0.0, (value - self.low) / ((self.high - self.low) or 1)))

    def ticks(self, about: int = 6) -> list[float]:
        """Round numbers on the line, about so many.

        >>> Scale(0, 100, 300).ticks(), Scale(-0.3, 0.71, 300).ticks(5)
        ([0.0, 20.0, 40.0, 60.0, 80.0, 100.0], [-0.2, 0.0, 0.2, 0.4, 0.6])
        """
        rough = ((self.high - self.low) or 1) / about
        power = 10.0 ** floor(log10(rough))
        step = power * next((times for times, most in ((1, 1.415), (2, 3.163), (5, 7.072)) if rough / power < most), 10)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [round(k * step, 10) + 0.0 for k in range(first, last + 1)]


def tick_texts(ticks: Sequence[float]) -> list[str]:
    """Numbers of an axis, with as many decimals as tell them apart.

    >>> tick_texts([-0.2, 0.0, 0.2]), tick_texts([1000, 2000])
    (['−0.2', '0.0', '0.2'], ['1,000', '2,000'])
    """
    decimals = max((len(f"{tick:.6g}".partition(".")[2]) for tick in ticks), default=0)
    return [f"{tick:,.{decimals}f}".replace("-", "−") for tick in ticks]


@dataclass(slots=True)
class Canvas:
    """What has been drawn so far, and how far it reaches: to the left, up, to the right and down."""

    parts: list[str] = field(default_factory=list)
    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0

    def reach(self, x: float, y: float) -> None:
        """Makes room up to a place."""
        self.left, self.right = min(self.left, x), max(self.right, x)
        self.top, self.bottom = min(self.top, y), max(self.bottom, y)

    def line(self, *places: tuple[float, float], color: str = QUIET, width: float = 1, dashed: bool = False) -> None:
        """A line from place to place."""
        for place in places:
            self.reach(*place)
        dashes = ' stroke-dasharray="3,3"' if dashed else ""
        path = "L".join(f"{_short(x)},{_short(y)}" for x, y in places)
        self.parts.append(f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="{width:g}"{dashes}/>')

    def point(self, x: float, y: float, color: str = BLUE, radius: float = 4, opacity: float = 1) -> None:
        """A filled circle."""
        pale = f' opacity="{opacity:g}"' if opacity < 1 else ""
        self.parts.append(f'<circle cx="{_short(x)}" cy="{_short(y)}" r="{radius:g}" fill="{color}"{pale}/>')
        self.reach(x - radius, y - radius)
        self.reach(x + radius, y + radius)

    def area(
        self, x: float, y: float, width: float, height: float, fill: str, *, stroke: str = "", opacity: float = 1
    ) -> None:
        """A rectangle; a pale one is a part of its colour and no mixture of two, so that dark pages may have theirs."""
        self.reach(x, y)
        self.reach(x + width, y + height)
        more = f' fill-opacity="{_short(opacity)}"' if opacity < 1 else ""
        more += f' stroke="{stroke}"' if stroke else ""
        size = f'width="{_short(width)}" height="{_short(height)}"'
        self.parts.append(f'<rect x="{_short(x)}" y="{_short(y)}" {size} fill="{fill}"{more}/>')

    def words(
        self, x: float, y: float, text: str | Sequence[str], *, color: str = INK, size: float = 12,
        to: str = "middle", down: float = 0.5, upwards: bool = False,
    ) -> None:  # fmt: skip
        """Words in lines that begin at, end at or lie around a place, as `to` says.

        `down` says how much of their height is below the place; `upwards` words are read from below.
        """
        lines = [text] if isinstance(text, str) else list(text)
        height, longest = LINE * (len(lines) - 1) + size, max(wide(line, size) for line in lines)
        before = {"start": 0.0, "middle": 0.5, "end": 1.0}[to] * longest
        above = height * (1 - down)
        if upwards:
            self.reach(x - above, y - longest + before)
            self.reach(x + height - above, y + before)
        else:
            self.reach(x - before, y - above)
            self.reach(x - before + longest, y + height - above)
        # The letters of a line stand so far below its top.
        first = 0.85 * size - above
        place = f'x="{_short(x)}" y="{_short(y + first)}"'
        if upwards:
            place = f'transform="translate({_short(x + first)},{_short(y)}) rotate(-90)"'
        told = escape(lines[0])
        if len(lines) > 1:
            told = f"<tspan>{told}</tspan>" + "".join(
                f'<tspan x="{_short(x)}" dy="{LINE}">{escape(line)}</tspan>' for line in lines[1:]
            )
        anchor = "" if to == "start" else f' text-anchor="{to}"'
        self.parts.append(f'<text {place}{anchor} font-size="{size:g}" fill="{color}">{told}</text>')

    def put(self, other: Canvas, x: float, y: float) -> None:
        """Another drawing, moved."""
        self.reach(x + other.left, y + other.top)
        self.reach(x + other.right, y + other.bottom)
        self.parts += [f'<g transform="translate({_short(x)},{_short(y)})">', *other.parts, "</g>"]

    def x_axis(
        self, scale: Scale, y: float, ticks: Sequence[float] | None = None, title: str = "", texts: Sequence[str] = ()
    ) -> None:
        """A line with round numbers below it, and what they are of."""
        ticks = scale.ticks() if ticks is None else ticks
        self.line((0, y), (scale.length, y))
        for tick, text in zip(ticks, texts or tick_texts(ticks), strict=True):
            self.line((scale(tick), y), (scale(tick), y + 5))
            self.words(scale(tick), y + 10, text, down=1)
        if title:
            self.words(scale.length / 2, y + 27, title, color=QUIET, size=11, down=1)

    def y_axis(self, scale: Scale, ticks: Sequence[float] | None = None, title: str = "") -> None:
        """The same upwards, on the left of a plot; its lowest number stands at the bottom."""
        ticks = scale.ticks(5) if ticks is None else ticks
        self.line((0, 0), (0, scale.length))
        texts = tick_texts(ticks)
        for tick, text in zip(ticks, texts, strict=True):
            y = scale.length - scale(tick)
            self.line((-5, y), (0, y))
            self.words(-9, y, text, to="end")
        room = max(map(wide, texts), default=0)
        self.words(-21 - room, scale.length / 2, title, color=QUIET, size=11, upwards=True)

    def svg(self, told: Iterable[str] = ()) -> str:
        """The whole drawing, whose size follows the column; `told` says what it shows to who cannot see it."""
        width, height = ceil(self.right - self.left) + 2 * MARGIN, ceil(self.bottom - self.top) + MARGIN
        said = "; ".join(told)
        heard = f'role="img" aria-label={quoteattr(said, {chr(34): "&quot;"})}' if said else 'aria-hidden="true"'
        return (
            f'<svg style="max-width:{width}px" {heard} focusable="false" font-family="{FONT}" '
            f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
            f'<g transform="translate({_short(MARGIN - self.left)},{_short(MARGIN / 2 - self.top)})">'
            f"{''.join(self.parts)}</g></svg>"
        )


def _short(number: float) -> str:
    """A place in pixels, to two decimals."""
    return f"{round(number, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def standalone(drawn: str) -> str:
    """A drawing as a file of its own: with its size, and without what only a page reads."""
    box = re.search(r'viewBox="0 0 (\d+) (\d+)"', drawn)
    size = f'width="{box[1]}" height="{box[2]}"' if box else ""
    return re.sub(r'<svg style="[^"]*" (?:aria-hidden="true"|role="img" aria-label="[^"]*") focusable="false"',
                  f"<svg {size}", drawn, count=1)  # fmt: skip


def drawn_width(drawn: str) -> float:
    """How many pixels a drawing is wide, so that the letters of all drawings are printed in one size."""
    box = re.search(r'viewBox="0 0 (\d+)', drawn)
    return float(box[1]) if box else 0.0
