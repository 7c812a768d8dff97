"""Reads the tables of a printed report: from its page, its Markdown, its LaTeX files, and the text of its PDF.

Each knows its format and nothing of the report: a table is what a stranger sees, rows of cells.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import unquote

#: What the table is called that is no figure of the page.
ALL = "the list of all numbers"
_MARKS = {
    r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^", r"\textless{}": "<",
    r"\textgreater{}": ">", r"\dots{}": "…", r"\allowbreak{}": "", r"$\cdot$": "·", r"$-$": "−", r"$\kappa$": "κ",
    r"$\alpha$": "α", r"$\rho$": "ρ", r"$\tau$": "τ", r"$\chi$": "χ", r"$\pi$": "π", r"$\Sigma$": "Σ",
    r"$\omega$": "ω", r"$\varepsilon$": "ε", r"$\lambda$": "λ", r"$\nu$": "ν", r"$\theta$": "θ", r"$\delta$": "δ",
    r"$\geq$": "≥", r"$\leq$": "≤", r"$\times$": "×", r"$\pm$": "±", r"$^2$": "²", r"$\rightarrow$": "→",
    r"$\blacktriangle$": "▲", r"$\checkmark$": "✓", "---": "—", "--": "–", "``": "“", "''": "”", "'": "’", "`": "‘",
}  # fmt: skip
#: What not every font has, and what LaTeX prints for it or for another mark.
_WIDE, _LOST = re.compile(r"[\u3000-\u303f\uff00-\uffef]"), re.compile(r"[?~^`]")
_PLAINER = str.maketrans("’‘“”—–−", "''\"\"---")
_SET = re.compile(r"\{\\(?:footnotesize|scriptsize)\s*((?:\\.|\$[^$]*\$|[^{}\\]|\\\w+\{\})*)\}")
_WRAPPED = re.compile(r"\\shortstack\[[rl]\]\{(.*)\}", re.DOTALL)


@dataclass
class PrintedCell:
    """One cell of a table: its text, what stands small in it, and the id of the number that it leads to."""

    text: str = ""
    small: str = ""
    id: str = ""

    @property
    def whole(self) -> str:
        """All that is printed in it, without blanks and without the brackets around what is small."""
        return squeezed(self.text + self.small)


@dataclass
class PrintedTable:
    """A table as it is printed."""

    id: str
    columns: list[str] = field(default_factory=list)
    rows: list[list[PrintedCell]] = field(default_factory=list)


def squeezed(text: str) -> str:
    """A text without blanks, so that lines may be broken anywhere."""
    return "".join(text.split())


def folded(text: str) -> str:
    """What every format can print of a text: Latin and Greek letters without accents, digits and marks, no blanks.

    >>> folded("naïve “生活” −0.35")
    'naive""-0.35'
    """
    text = _WIDE.sub("", text).translate(_PLAINER)
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if " " < c < "\x7f" or "Α" <= c <= "ω")
    return re.sub(r"''|``", '"', _LOST.sub("", text))


def html_tables(page: str) -> list[PrintedTable]:
    """The tables of a page, with the ids that their cells lead to."""
    reader = _Page()
    reader.feed(page)
    return reader.tables


def markdown_tables(text: str) -> list[PrintedTable]:
    """The tables of a Markdown file; a cell that ends in brackets has what is in them small."""
    tables: list[PrintedTable] = []
    lines = text.splitlines()
    for place, line in enumerate(lines):
        if re.fullmatch(r"\|(?:-{3}:?\|)+", line) and place:
            table = PrintedTable(f"table {len(tables) + 1}", [cell.text for cell in _markdown_row(lines[place - 1])])
            for row in lines[place + 1 :]:
                if not row.startswith("|"):
                    break
                table.rows.append(_markdown_row(row))
            tables.append(table)
    return tables


def latex_table(text: str) -> PrintedTable:
    """The table of a LaTeX file, with the ids that stand as comments behind its numbers."""
    label = re.search(r"\\label\{tab:(.*)\}", text)
    table = PrintedTable(label[1] if label else "")
    head, _, rest = text.partition("\\midrule\n")
    body = rest.partition("    \\bottomrule")[0]
    table.columns = [_plain(cell) for cell in _cells(head.partition("\\toprule\n")[2].strip())]
    # A row is begun with its first cell, and an id ends its line; "&" in a name is escaped.
    for row in re.split(r"(?<=\\\\)\n {4}(?! )", body.strip()):
        table.rows.append([_latex_cell(cell) for cell in _cells(row)])
    return table


def pdf_text(content: bytes) -> str:
    """All text of a PDF without blanks, in the order in which it was set."""
    import pypdfium2

    document = pypdfium2.PdfDocument(content)
    try:
        text = "".join(page.get_textpage().get_text_range() for page in document)
        # A hyphen at the end of a line is told by a letter of its own.
        return squeezed(re.sub("[\x02\ufffe]", "-", text))
    finally:
        document.close()


def _markdown_row(line: str) -> list[PrintedCell]:
    cells = re.findall(r"((?:\\.|[^\\|])*)\|", line.strip()[1:])
    return [PrintedCell(re.sub(r"\\(.)", r"\1", cell.strip())) for cell in cells]


def _cells(row: str) -> list[str]:
    row = row.strip().removesuffix("\\\\")
    # Comments end at the line; a percent sign that is printed has a backslash before it.
    return [cell.strip() for cell in re.split(r"(?<!\\)&", row)]


def _latex_cell(raw: str) -> PrintedCell:
    text, _, comment = raw.partition(" % ")
    small = ""
    wrapped = _WRAPPED.fullmatch(text.strip())
    if wrapped:
        text = wrapped[1].replace(r" \\ ", " ")
    found = _SET.search(text)
    if found:
        text, small = text[: found.start()] + text[found.end() :], found[1]
    return PrintedCell(_plain(text), _plain(small), comment.strip())


def _plain(text: str) -> str:
    """What LaTeX prints."""
    text = re.sub(r"\\shortstack\[[rl]\]\{|\\textbf\{|\}\\\\(?=\\textbf)", " ", text)
    for mark, letter in _MARKS.items():
        text = text.replace(mark, letter)
    text = text.replace("\\\\", " ")
    text = re.sub(r"\\([&%$#_{}])", lambda found: {"{": "\ue000", "}": "\ue001"}.get(found[1], found[1]), text)
    text = text.replace("{", "").replace("}", "").replace("~", " ")
    return text.replace("\ue000", "{").replace("\ue001", "}").strip()


class _Page(HTMLParser):
    """Reads the tables of a page with the ids that their cells lead to."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[PrintedTable] = []
        self._figure = ""
        self._table: PrintedTable | None = None
        self._cell: PrintedCell | None = None
        self._in_head = self._in_small = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "figure":
            self._figure = given.get("id") or ""
        elif tag == "table":
            self._table = PrintedTable(self._figure or ALL)
            self.tables.append(self._table)
        elif tag == "thead":
            self._in_head = True
        elif tag == "tr" and self._table is not None and not self._in_head:
            self._table.rows.append([])
        elif tag in ("td", "th") and self._table is not None:
            self._cell = PrintedCell()
            if not self._in_head:
                self._table.rows[-1].append(self._cell)
        elif tag == "a" and self._cell is not None and (given.get("href") or "").startswith("#"):
            self._cell.id = unquote((given.get("href") or "").removeprefix("#"))
        elif tag == "span" and given.get("class") == "small":
            self._in_small = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "thead":
            self._in_head = False
        elif tag == "table":
            self._table = None
        elif tag == "figure":
            self._figure = ""
        elif tag in ("td", "th"):
            if self._in_head and self._table is not None and self._cell is not None:
                self._table.columns.append(self._cell.text.strip())
            self._cell = None
        elif tag == "span":
            self._in_small = False

    def handle_data(self, data: str) -> None:
        if self._cell is not None and self._in_small:
            self._cell.small += data
        elif self._cell is not None:
            self._cell.text += data
