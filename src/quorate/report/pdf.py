"""The report as a typeset PDF: the same page records, laid out by typst; the same study gives the same bytes."""

from __future__ import annotations

import json
import re
import tempfile
from base64 import b64decode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from quorate.errors import StudyError
from quorate.exhibits.blocks import Block, Chapter, Drawing, Gallery
from quorate.exhibits.svg import drawn_width, standalone
from quorate.exhibits.tables import Table, is_narrow
from quorate.languages import LANGUAGES
from quorate.messages import Message
from quorate.report.html import Step, flows, picture_urls
from quorate.report.lines import breakable, isolated
from quorate.report.page import Page

#: Fonts for the words of drawings: what most systems have, and one with Chinese.
DRAWN_WITH = "Liberation Sans, Arial, DejaVu Sans, Noto Sans CJK SC"
_SUFFIXES = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/svg+xml": "svg", "image/gif": "gif"}


def pdf(page: Page, paper: str = "a4") -> bytes:
    """The whole report as one PDF file, on paper of this size."""
    import typst

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "report.typ").write_bytes(files("quorate.report").joinpath("templates/report.typ").read_bytes())
        content = {**_for_lines(as_data(page, root)), "paper": paper}
        (root / "page.json").write_text(json.dumps(content, ensure_ascii=False), "utf-8")
        try:
            return bytes(typst.compile(str(root / "report.typ"), root=str(root)))
        except typst.TypstError as error:
            raise StudyError(f"The PDF could not be typeset: {error}") from error


#: Fonts with the letters of a language that the typesetter brings none for.
LETTERS: Mapping[str, tuple[str, ...]] = {
    "zh": ("Noto Serif CJK SC", "Source Han Serif SC", "Songti SC", "SimSun", "WenQuanYi Zen Hei"),
}


#: Which letters are such a language's, wherever they stand: in the name of a system in an English report, too.
OF_LANGUAGE: Mapping[str, re.Pattern[str]] = {"zh": re.compile("[\u3400-\u9fff\uf900-\ufaff]")}


def without_letters(text: str) -> str:
    """A sentence where no font on this machine has letters that stand in the text; else nothing."""
    import typst

    there = set(typst.Fonts().families())
    for language, fonts in LETTERS.items():
        if not there.intersection(fonts) and OF_LANGUAGE[language].search(text):
            return (
                f"report.pdf: no font on this machine has the letters of “{LANGUAGES[language]}”, so they are missing "
                f"in the PDF. Install one, such as {fonts[0]} (fonts-noto-cjk on Debian), and write the report again."
            )
    return ""


#: A page that is as large as the drawing on it.
_DRAWN = b"""#set document(date: none)
#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.drawn), format: "svg")"""


def figure_pdfs(page: Page) -> dict[str, bytes]:
    """Every figure as a PDF file of its own, for papers that are typeset with LaTeX."""
    import typst

    fonts, drawings = typst.Fonts(), [drawing for chapter in page.chapters for drawing in chapter.drawings]
    return {
        f"figures/{one.key}.pdf": typst.compile(_DRAWN, sys_inputs={"drawn": _in_fonts(one.svg)}, font_paths=fonts)
        for one in drawings
    }


def _in_fonts(drawn: str) -> str:
    return re.sub(r'font-family="[^"]*"', f'font-family="{DRAWN_WITH}"', standalone(drawn))


def as_data(page: Page, folder: Path) -> dict[str, Any]:
    """Everything that the layout prints; drawings and pictures are written into the folder."""
    shown = _pictures(page, folder)
    return {
        "language": page.language,
        "title": page.title,
        "simulated": page.simulated,
        "facts": list(page.facts),
        "aim": page.aim,
        "outcomes": list(page.outcomes),
        "in_short": list(page.in_short),
        "key_figure": _block(page.key_figure, folder, shown, page, False) if page.key_figure else None,
        "limited": page.join(page.limits[:3]),
        "words": {key: text.text(page.language) for key, text in WORDS.items()},
        "methods": [{"heading": p.heading, "text": p.text} for p in page.methods if not p.further],
        "in_full": [{"heading": p.heading, "text": p.text} for p in page.methods if p.further],
        "flows": [
            {"title": page.words(title), "steps": [_step(step, page) for step in steps]} for title, steps in flows(page)
        ],
        "flow_caption": page.flow_caption,
        "chapters": [_chapter(chapter, folder, shown, page) for chapter in page.paper],
        "supplement": [_chapter(chapter, folder, shown, page) for chapter in page.supplement],
        "limits": list(page.limits),
        "conventions": list(page.conventions.values()),
        "evidence": _table(replace(page.evidence, rows=_of_the_paper(page)), False),
        "references": list(page.references),
        "provenance": list(map(list, page.provenance)),
    }  # fmt: skip


#: What of the layout's data is no text to be read.
NO_TEXTS = ("file", "kind", "language", "provenance")


def _for_lines(data: Any) -> Any:
    """The same data with texts that lines can hold."""
    if isinstance(data, dict):
        return {name: value if name in NO_TEXTS else _for_lines(value) for name, value in data.items()}
    if isinstance(data, list):
        return list(map(_for_lines, data))
    return isolated(breakable(data)) if isinstance(data, str) else data


#: The layout's own words, each to be said in the report's language.
WORDS: Mapping[str, Message] = {
    "subtitle": Message("Results of the human evaluation"),
    "methods": Message("Methods"),
    "participants": Message("Participants"),
    "results": Message("Results"),
    "limited": Message("What limits this."),
    "limits": Message("Limits that the data show"),
    "no_limits": Message("None that a rule of this report looks for."),
    "conventions": Message("Conventions"),
    "supplement": Message("Supplement"),
    "evidence": Message("Where each number comes from"),
    "evidence_short": Message(
        "The figures of the paper section over all items. The page report.html says the same of every number, and "
        "results.json, beside this file, holds each in full."
    ),
    "references": Message("References"),
    "provenance": Message("Provenance"),
    "table": Message("Table"),
    "figure": Message("Figure"),
    "nothing": Message("Nothing can be said yet: no question of this study has been answered."),
    "empty_cell": Message("No item falls in this cell."),
    "simulated": Message("SIMULATED ANSWERS"),
}


def _of_the_paper(page: Page) -> tuple[Any, ...]:
    """The rows of the evidence of what the paper section prints over all items: those of all numbers fill a book."""
    printed = {id for chapter in page.paper for table in chapter.tables for id in table.ids}
    return tuple(row for row in page.evidence.rows if row[1].id in printed - page.of_strata)


def _step(step: Step, page: Page) -> dict[str, Any]:
    return {"name": page.words(step.name), "n": f"{step.n:,}", "out": [page.words(way) for way in step.out]}


def _chapter(chapter: Chapter, folder: Path, shown: Mapping[str, str], page: Page) -> dict[str, Any]:
    blocks = [block for block in chapter.blocks if block is not page.key_figure]
    return {
        "section": chapter.section,
        "title": chapter.title,
        "prose": page.join(chapter.prose),
        "blocks": [_block(one, folder, shown, page, getattr(one, "key", "") in chapter.shaded) for one in blocks],
    }


def _block(block: Block, folder: Path, shown: Mapping[str, str], page: Page, shaded: bool) -> dict[str, Any]:
    if isinstance(block, Table):
        return {"kind": "table", **_table(block, shaded)}
    if isinstance(block, Drawing):
        name = f"{re.sub(r'[^A-Za-z0-9_-]', '_', block.key)}.svg"
        (folder / name).write_text(_in_fonts(block.svg), "utf-8")
        return {"kind": "figure", "file": name, "width": drawn_width(block.svg), "caption": block.caption}
    return {"kind": "gallery", "examples": _examples(block, shown), "caption": block.caption}


#: A column of texts is at least as wide as so many letters, and gets no more room than for so many.
FEWEST_LETTERS, MOST_LETTERS = 12, 60
#: About so many letters fit the line of a wide table.
LINE = 108
#: Between two columns, in letters.
BETWEEN = 2
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
    numbers = sum(max(n, _letters(table, place)) for place, n in enumerate(heads) if n)
    most = _level([n for n in letters if n], LINE - numbers - BETWEEN * len(letters))
    return [0 if n <= FEWEST_LETTERS < longest else min(n, most) for n in letters]


def _level(wanted: Sequence[int], room: int) -> int:
    """The most that each may get of the room where those that want less get all they want."""
    left, most = room, MOST_LETTERS
    for place, n in enumerate(sorted(wanted)):
        most = max(FEWEST_LETTERS, left // (len(wanted) - place))
        if n > most:
            break
        left -= n
    return min(most, MOST_LETTERS) if wanted and max(wanted) > most else MOST_LETTERS


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
        "narrow": is_narrow(table),
        "shaded": shaded,
    }  # fmt: skip


def _examples(gallery: Gallery, shown: Mapping[str, str]) -> list[dict[str, Any]]:
    found = []
    for example, title in zip(gallery.comparison.examples, gallery.titles, strict=True):
        given = [
            *((one.by, one) for one in example.people),
            *([(gallery.judge, example.judge)] if example.judge else []),
        ]
        found.append({
            "title": title,
            "n": example.n,
            "file": shown.get(example.item or "", ""),
            "target": example.target,
            "empty": example.item is None,
            "answers": [{"by": by, "text": one.raw, "right": bool(one.correct)} for by, one in given],
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
