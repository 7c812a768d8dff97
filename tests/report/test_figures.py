from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from analyse.collecting import simulated
from quorate.analyse import analyse
from quorate.exhibits import charts, figures, svg
from quorate.findings.results import Listing
from quorate.protocol import Protocol

#: What studies call their systems, strata and questions.
NAMES = (
    "x" * 80, "模型甲，一个名字很长的系统，用来检验换行", "نموذج", "דגם", "😀 system", "a", "C++", "a > b & <b>",
    "Which picture better captures the abstract essence of the target concept, on the whole?", "WWWWWW MMMM",
    *(f"system {number}" for number in range(20)),
)  # fmt: skip
#: The boxes of a drawing's words and points, and its own.
BOXES = """() => [...document.querySelectorAll("svg")].map((svg) => {
  const box = (one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return [left, top, right, bottom, one.textContent];
  };
  const points = [...svg.querySelectorAll("circle")];
  return { whole: box(svg), words: [...svg.querySelectorAll("text")].map(box), points: points.map(box) };
})"""


def rows(n: int, ends: tuple[float, float] = (0, 100)) -> list[dict[str, Any]]:
    """So many rows along a scale, with values at both of its ends and intervals up to them."""
    step = (ends[1] - ends[0]) / max(1, n - 1)
    values = [ends[0] + place * step for place in range(n)]
    return [
        {"label": name, "value": value, "low": max(ends[0], value - 20 * step), "high": min(ends[1], value + step),
         "text": f"{value:.2f}", "strong": name == "a", "marks": [value]}
        for name, value in zip(NAMES, values, strict=False)
    ]  # fmt: skip


def drawn() -> dict[str, str]:
    """A drawing of each kind, of one row and of many, with hostile names."""
    found = {f"dots{n}": figures.dots(rows(n), "correct, %", (0, 100), line=50) for n in (1, 2, 8, 30)}
    found["bands"] = figures.dots(rows(9, (-0.2, 1)), "κ", (-0.2, 1.0), bands=True)
    found["means"] = charts.means([charts.Panel("", (1, 5), rows(8, (1, 5)))])
    panels = [charts.Panel(title, (1, 5), rows(4, (1, 5))) for title in (NAMES[8], "C", "模型", "again")]
    found["panels"] = charts.means(panels)
    ranked = charts.Ranked(rows(8), ((0, 1, 2), (2, 3, 4, 5), (5, 6, 7)), "All items")
    found["ranking"] = charts.rankings([ranked], "log-strength", (-10, 110), line=0)
    counts = [(name, place, place % 3, 9 - place) for place, name in enumerate(NAMES[:9])]
    found["outcomes"] = charts.outcomes(counts, (f"{NAMES[4]} preferred", NAMES[0]))
    for n in (2, 6):
        lines = tuple((name, *range(n)) for name in NAMES[4 : 4 + n])
        listing = Listing("i", "g", "s", "q", "t", "c", ("", *NAMES[4 : 4 + n]), lines, "matrix", "mllm")
        found[f"matrix{n}"] = charts.matrix(listing, "MLLM")
    found["raster"] = figures.raster([(name, [True, False, None] * 20) for name in NAMES[:6]])
    return found


def test_a_drawing_says_in_words_what_it_shows(protocol: Protocol) -> None:
    results = analyse(protocol, simulated(protocol))
    found = [(one, one.label) for one in results.select(inquiry="agreement", unit="", reading="correctness")]
    root = ElementTree.fromstring(figures.coefficients(found, "κ"))
    assert root.get("role") == "img"
    texts = "".join(root.itertext())
    for row in (root.get("aria-label") or "").split("; "):
        assert all(part in texts for part in row.split(": ")), row


def test_one_face_is_named_once_in_a_drawing() -> None:
    one = figures.dots(rows(8), "correct, %", (0, 100))
    assert one.count("font-family") == 1
    assert len(one) < 1000 * 8


def test_a_drawing_has_the_colours_alone_that_pages_know() -> None:
    known = {svg.INK, svg.QUIET, svg.RULE, svg.BLUE, svg.ORANGE, svg.PAPER, *figures.BAND}
    for name, drawing in drawn().items():
        used = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]{6}|rgb[^"]*|white|black)"', drawing))
        assert used <= known, name


@pytest.mark.browser
def test_no_word_of_a_drawing_is_cut_or_lies_on_another_or_on_a_point(tmp_path: Path, new_page: Any) -> None:
    found = drawn()
    assert all(found.values())
    page = new_page(viewport={"width": 800, "height": 900})
    (tmp_path / "all.html").write_text("<meta charset=utf-8>" + "".join(found.values()), "utf-8")
    page.goto((tmp_path / "all.html").as_uri())
    for name, drawing in zip(found, page.evaluate(BOXES), strict=True):
        left, top, right, bottom, _ = drawing["whole"]
        for place, word in enumerate(drawing["words"]):
            assert left - 1 <= word[0] <= word[2] <= right + 1, (name, word)
            assert top - 3 <= word[1] <= word[3] <= bottom + 3, (name, word)
            for other in [*drawing["words"][place + 1 :], *drawing["points"]]:
                deep = min(word[2], other[2]) - max(word[0], other[0]), min(word[3], other[3]) - max(word[1], other[1])
                assert min(deep) < 3, (name, word, other)
