"""The report as Markdown: the same text and tables, for a repository or a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from quorate.exhibits.tables import Cell, Table
from quorate.languages import translation
from quorate.report.html import environment, flows
from quorate.report.page import Page


def markdown(page: Page) -> str:
    """The whole report as text."""
    chinese = page.language == "zh"
    stop, colon = ("", "：") if chinese else (".", ": ")
    return environment().get_template("report.md").render(
        page=page, _=translation(page.language).gettext, flows=flows(page), table=partial(as_markdown, stop=stop),
        escaped=escaped, stop=stop, colon=colon,
    )  # fmt: skip


def as_markdown(table: Table, stop: str = ".") -> str:
    """One table with its caption and notes; the title that runs into the caption ends with a stop of its language."""
    head = f"| {' | '.join(escaped(column) for column in table.columns)} |"
    rule = f"|{'|'.join('---:' if place in table.numeric else '---' for place in range(len(table.columns)))}|"
    rows = [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in table.rows]
    notes = [f"*{escaped(note)}*" for note in table.notes]
    return "\n".join([f"**{table.title}{stop}** {escaped(table.caption)}", "", head, rule, *rows, *_spaced(notes)])


def escaped(text: str) -> str:
    r"""Text that Markdown leaves as it is: raters' answers may hold anything.

    >>> print(escaped("a|b *c*"))
    a\|b \*c\*
    """
    one_line = " ".join(text.split())
    for mark in "\\`*_[]<>|#":
        one_line = one_line.replace(mark, f"\\{mark}")
    return one_line


def _cell(cell: Cell) -> str:
    return escaped(cell.text) + (f" ({escaped(cell.small)})" if cell.small else "")


def _spaced(notes: Sequence[str]) -> list[str]:
    return ["", "  \n".join(notes)] if notes else []
