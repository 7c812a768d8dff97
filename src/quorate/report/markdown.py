"""The report as Markdown: the same text and tables, for a repository or a notebook."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

from quorate.exhibits.tables import Cell, Table
from quorate.languages import translation
from quorate.report.html import environment, flows
from quorate.report.page import Page


def markdown(page: Page) -> str:
    """The whole report as text."""
    chinese = page.language == "zh"
    stop, colon = ("", "：") if chinese else (".", ": ")
    return environment().get_template("report.md").render(
        page=page, _=translation(page.language).gettext, flows=flows(page), table=numbered(page), escaped=escaped,
        stop=stop, colon=colon,
    )  # fmt: skip


def numbered(page: Page) -> Callable[[Table], str]:
    """A way to print tables that numbers them in the order in which they are printed."""
    stop, word, places = "" if page.language == "zh" else ".", translation(page.language).gettext("Table"), count(1)
    return lambda table: as_markdown(table, f"{word} {next(places)}{stop}")


def as_markdown(table: Table, head: str) -> str:
    """One table with its caption behind what it is called, and with its notes."""
    columns = f"| {' | '.join(escaped(column) for column in table.columns)} |"
    rule = f"|{'|'.join('---:' if place in table.numeric else '---' for place in range(len(table.columns)))}|"
    rows = [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in table.rows]
    notes = [f"*{escaped(note)}*" for note in table.notes]
    return "\n".join([f"**{head}** {escaped(table.caption)}", "", columns, rule, *rows, *_spaced(notes)])


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
