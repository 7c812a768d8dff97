"""The report as a typeset PDF: the same page records, laid out by typst; the same study gives the same bytes."""

from __future__ import annotations

import json
import re
import tempfile
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from quorate.errors import StudyError
from quorate.exhibits.blocks import Block, Drawing, Gallery
from quorate.exhibits.figures import standalone
from quorate.exhibits.tables import Table
from quorate.report.html import Step, item_flow, picture_urls, rater_flow
from quorate.report.page import Page

#: Fonts for the words of drawings: what most systems have, and one with Chinese.
DRAWN_WITH = "Liberation Sans, Arial, DejaVu Sans, Noto Sans CJK SC"
_SUFFIXES = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/svg+xml": "svg", "image/gif": "gif"}


def pdf(page: Page) -> bytes:
    """The whole report as one PDF file."""
    import typst

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "report.typ").write_bytes(files("quorate.report").joinpath("templates/report.typ").read_bytes())
        content = as_data(page, root)
        (root / "page.json").write_text(json.dumps(content, ensure_ascii=False), "utf-8")
        try:
            return bytes(typst.compile(str(root / "report.typ"), root=str(root)))
        except typst.TypstError as error:
            raise StudyError(f"The PDF could not be typeset: {error}") from error


def figure_pdfs(page: Page) -> dict[str, bytes]:
    """Every figure as a PDF file of its own, for papers that are typeset with LaTeX."""
    import vl_convert

    drawings = [drawing for chapter in page.chapters for drawing in chapter.drawings]
    return {f"figures/{drawing.key}.pdf": vl_convert.svg_to_pdf(_in_fonts(drawing.svg)) for drawing in drawings}


def _in_fonts(drawn: str) -> str:
    return re.sub(r'font-family="[^"]*"', f'font-family="{DRAWN_WITH}"', standalone(drawn))


def as_data(page: Page, folder: Path) -> dict[str, Any]:
    """Everything that the layout prints; drawings and pictures are written into the folder."""
    shown = _pictures(page, folder)
    return {
        "language": page.language,
        "title": page.title,
        "subtitle": page.words("Results of the human evaluation"),
        "simulated": page.simulated,
        "simulated_mark": page.words("SIMULATED ANSWERS"),
        "facts": list(page.facts),
        "lede": page.join(page.in_short),
        "words": {key: page.words(text) for key, text in WORDS.items()},
        "methods": [{"heading": p.heading, "text": p.text} for p in page.methods],
        "flows": [{"title": page.words(title), "steps": [_step(step, page) for step in steps]}
                  for title, steps in (("Raters", rater_flow(page)), ("Items", item_flow(page)))],
        "flow_caption": page.flow_caption,
        "became": _table(page.became, False) if page.became.rows else None,
        "annotators": _table(page.annotators, False) if page.annotators.rows else None,
        "chapters": [
            {"title": chapter.title,
             "blocks": [_block(block, folder, shown, page, block_key in chapter.shaded)
                        for block in chapter.blocks for block_key in (getattr(block, "key", ""),)]}
            for chapter in page.chapters
        ],
        "borderline": [_table(table, False) for table in page.borderline],
        "limits": list(page.limits),
        "conventions": list(page.conventions.values()),
        "evidence": _table(replace(page.evidence, rows=_over_all_items(page)), False),
        "references": list(page.references),
        "provenance": [[name, value] for name, value in page.provenance.items()],
    }  # fmt: skip


#: The layout's own words, each to be said in the report's language.
WORDS: Mapping[str, str] = {
    "methods": "Methods",
    "participants": "Participants",
    "results": "Results",
    "borderline": "Borderline answers",
    "limits": "Limits that the data show",
    "no_limits": "None that a rule of this report looks for.",
    "conventions": "Conventions",
    "evidence": "Where each number comes from",
    "evidence_short": (
        "Figures over all items. The figures of each stratum have the same ids with .by, the field and its value "
        "after them; results.json, beside this file, holds every number in full."
    ),
    "references": "References",
    "provenance": "Provenance",
    "table": "Table",
    "figure": "Figure",
    "nothing": "Nothing can be said yet: no question of this study has been answered.",
    "empty_cell": "No item falls in this cell.",
}


def _over_all_items(page: Page) -> tuple[Any, ...]:
    """The rows of the evidence without those of strata, which would fill a book."""
    return tuple(row for row in page.evidence.rows if ".by." not in row[1].id)


def _step(step: Step, page: Page) -> dict[str, Any]:
    return {"name": page.words(step.name), "n": f"{step.n:,}", "out": [page.words(way) for way in step.out]}


def _block(block: Block, folder: Path, shown: Mapping[str, str], page: Page, shaded: bool) -> dict[str, Any]:
    if isinstance(block, Table):
        return {"kind": "table", **_table(block, shaded)}
    if isinstance(block, Drawing):
        name = f"{re.sub(r'[^A-Za-z0-9_-]', '_', block.key)}.svg"
        (folder / name).write_text(_in_fonts(block.svg), "utf-8")
        return {"kind": "figure", "file": name, "caption": block.caption}
    return {"kind": "gallery", "examples": _examples(block, shown, page), "caption": page.gallery_caption}


#: A column of texts is at least as wide as so many letters, and gets no more room than for so many.
FEWEST_LETTERS, MOST_LETTERS = 12, 60
#: About so many letters fit the line of a wide table.
LINE = 108
#: What stands small takes so much of a letter's room.
SMALL = 0.82


def widths(table: Table) -> list[int]:
    """How the line is shared among columns: 0 for one that takes what it needs, else letters in proportion.

    Numbers take what they need, and so do short texts beside long ones; what is left goes to the texts. Where numbers
    would leave no room for texts, their heads break between words, and every column has its share.
    """
    letters = [
        0 if place in table.numeric else max([len(head), *(len(row[place].text) for row in table.rows)])
        for place, head in enumerate(table.columns)
    ]
    heads = [len(head) if place in table.numeric else 0 for place, head in enumerate(table.columns)]
    if sum(max(n, _letters(table, place)) for place, n in enumerate(heads) if n) + min(max(letters), LINE // 4) > LINE:
        return [
            min(letters[place], LINE // 3) or max(_letters(table, place), *map(len, head.split())) + 1
            for place, head in enumerate(table.columns)
        ]
    longest = max(letters, default=0)
    return [0 if n <= FEWEST_LETTERS < longest else min(n, MOST_LETTERS) for n in letters]


def _letters(table: Table, place: int) -> int:
    """The room of a column of numbers below its head; in wide tables what is small stands on a line of its own."""
    return max((max(len(row[place].text), round(SMALL * len(row[place].small))) for row in table.rows), default=0)


def _breakable(text: str) -> str:
    """A text whose long names may break after a slash, a dot or an underscore."""
    return re.sub(r"(?<=\w)([/_.])(?=\w)", "\\1\u200b", text)


def _table(table: Table, shaded: bool) -> dict[str, Any]:
    shared = widths(table)
    breaks = [bool(share) and place not in table.numeric for place, share in enumerate(shared)]
    return {
        "caption": table.caption,
        "widths": shared,
        "columns": list(table.columns),
        "numeric": [place in table.numeric for place in range(len(table.columns))],
        "rows": [
            [
                {"text": _breakable(c.text) if breaks[place] else c.text,
                 "small": _breakable(c.small) if breaks[place] else c.small, "shade": round(c.shade, 3)}
                for place, c in enumerate(row)
            ]
            for row in table.rows
        ],
        "notes": list(table.notes),
        "shaded": shaded,
    }  # fmt: skip


def _examples(gallery: Gallery, shown: Mapping[str, str], page: Page) -> list[dict[str, Any]]:
    found = []
    for example in gallery.comparison.examples:
        human = page.words("Human majority correct" if example.human_correct else "Human majority incorrect")
        judge = page.words(f"{page.judge} {'correct' if example.judge_correct else 'incorrect'}")
        given = [*example.people, *([example.judge] if example.judge else [])]
        found.append({
            "title": f"{human}, {judge}",
            "n": example.n,
            "file": shown.get(example.item or "", ""),
            "target": example.target,
            "empty": example.item is None,
            "answers": [{"by": g.by if g is not example.judge else page.judge, "text": g.raw, "right": bool(g.correct)}
                        for g in given],
        })  # fmt: skip
    return found


def _pictures(page: Page, folder: Path) -> dict[str, str]:
    """The pictures of the examples as files, by item; a kind that cannot be typeset is left out."""
    found = {}
    for number, (item, url) in enumerate(picture_urls(page).items()):
        kind, _, content = url.removeprefix("data:").partition(";base64,")
        if kind in _SUFFIXES:
            name = f"picture_{number}.{_SUFFIXES[kind]}"
            (folder / name).write_bytes(b64decode(content))
            found[item] = name
    return found
