"""The report's tables for LaTeX: booktabs, one file a table, to \\input into a paper.

A table that would not fit the line is made to: long texts wrap, what stands small goes under its number, and only then
is the letter smaller. The file `tables.tex` shows them all and names the packages that they need.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from quorate.exhibits.tables import Cell, Table
from quorate.report.page import Page

FOLDER = "latex"
#: In place of a language: every letter is kept as it is.
ANY = "any"
_SPECIAL: Mapping[str, str] = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "κ": r"$\kappa$", "α": r"$\alpha$", "ρ": r"$\rho$", "τ": r"$\tau$", "χ": r"$\chi$", "π": r"$\pi$", "Σ": r"$\Sigma$",
    "ω": r"$\omega$", "ε": r"$\varepsilon$", "λ": r"$\lambda$", "ν": r"$\nu$", "θ": r"$\theta$", "δ": r"$\delta$",
    "≥": r"$\geq$", "≤": r"$\leq$", "−": r"$-$", "×": r"$\times$", "±": r"$\pm$", "²": r"$^2$", "→": r"$\rightarrow$",
    "▲": r"$\blacktriangle$", "✓": r"$\checkmark$", "✗": r"$\times$",
    "–": "--", "—": "---", "’": "'", "‘": "`", "“": "``", "”": "''", "…": r"\dots{}", "·": r"$\cdot$", "\u00a0": "~",
}  # fmt: skip

#: How many letters of each size a line of 17 cm takes, and how much of it stands between two columns.
NORMAL, SMALL, BETWEEN = 84, 106, 3
#: A text wider than this may wrap, in a column that is at least so wide.
WRAPS, NARROWEST = 22, 14


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table is set: what each column is, whether small words go under their number, and how large letters are."""

    columns: tuple[str, ...]
    stacked: bool = False
    small: bool = False
    shrunk: bool = False


def latex_files(page: Page) -> dict[str, str]:
    """Every table by file name, and a file that shows them all."""
    files = {
        f"{FOLDER}/{key}.tex": as_latex(table, page.simulated, page.language) for key, table in page.tables.items()
    }
    return {**files, f"{FOLDER}/tables.tex": _all(page)}


def as_latex(table: Table, simulated: str = "", language: str = "en") -> str:
    """One table between three rules; one with letters that pdfLaTeX has no font for keeps them, and says so."""
    layout = layout_of(table)
    caption = f"{simulated} {table.caption}".strip()
    beyond = language == "en" and needs_xelatex(table)
    language = ANY if beyond else language
    begin, end = (r"  \resizebox{\linewidth}{!}{%", r"  }") if layout.shrunk else ("", "")
    lines = [
        "% xelatex: a name in it has letters beyond the fonts of pdflatex" if beyond else "",
        r"\begin{table}[t]",
        r"  \centering",
        r"  \footnotesize\setlength{\tabcolsep}{4pt}" if layout.small else "",
        rf"  \caption{{{escaped(caption, language)}}}",
        rf"  \label{{tab:{table.key.replace('_', '-')}}}",
        begin,
        rf"  \begin{{tabular}}{{@{{}}{''.join(layout.columns)}@{{}}}}",
        r"    \toprule",
        _line([_head(column, place, table, layout, language) for place, column in enumerate(table.columns)]),
        r"    \midrule",
        *(_line([_cell(cell, place, table, layout, language) for place, cell in enumerate(row)]) for row in table.rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        end,
        *_notes(table, language),
        r"\end{table}",
    ]
    return "\n".join([line for line in lines if line] + [""])


def needs_xelatex(table: Table) -> bool:
    """Whether a table holds letters that pdfLaTeX cannot print."""
    texts = [table.caption, *table.columns, *table.notes]
    texts += [text for row in table.rows for cell in row for text in (cell.text, cell.small)]
    return any(_is_beyond(letter) for text in texts for letter in text)


def _is_beyond(letter: str) -> bool:
    """Whether pdfLaTeX has neither the letter nor one that stands for it; one of full width is another letter."""
    if letter in _SPECIAL or letter == "?":
        return False
    return _printable(letter) == "?" or _is_wide(letter)


def _is_wide(letter: str) -> bool:
    return unicodedata.east_asian_width(letter) in "WF"


def layout_of(table: Table) -> Layout:
    """The first that fits: as it is, with texts wrapped, small words stacked, small letters; else the whole shrunk."""
    for stacked, small in ((False, False), (True, False), (True, True)):
        room = SMALL if small else NORMAL
        widths = [_width(table, place, stacked) for place in range(len(table.columns))]
        wrapping = [place for place, width in enumerate(widths) if place not in table.numeric and width > WRAPS]
        left = room - BETWEEN * (len(widths) - 1) - sum(w for place, w in enumerate(widths) if place not in wrapping)
        wanted = sum(widths[place] for place in wrapping)
        if wanted <= left:
            return Layout(tuple(_plain(place, table) for place in range(len(widths))), stacked, small)
        if wrapping and left >= NARROWEST * len(wrapping):
            shares = {place: left * widths[place] / wanted / room for place in wrapping}
            return Layout(tuple(_column(place, table, shares) for place in range(len(widths))), stacked, small)
    shares = dict.fromkeys(wrapping, 0.3)
    return Layout(tuple(_column(place, table, shares) for place in range(len(widths))), True, True, shrunk=True)


def _width(table: Table, place: int, stacked: bool) -> int:
    """How many letters the widest cell of a column has; heads may be broken between words where cells are stacked."""
    head = table.columns[place]
    heads = max((len(word) for word in head.split()), default=0) if stacked else len(head)
    return max([heads, *(_letters(row[place], stacked) for row in table.rows)])


def _letters(cell: Cell, stacked: bool) -> int:
    small = round(0.8 * len(cell.small))
    return max(_wide(cell.text), small) if stacked else _wide(cell.text) + (small + 2 if small else 0)


def _wide(text: str) -> int:
    """The letters of a text; a Chinese one takes the place of two."""
    return sum(2 if _is_wide(letter) else 1 for letter in text)


def _plain(place: int, table: Table) -> str:
    return "r" if place in table.numeric else "l"


def _column(place: int, table: Table, shares: Mapping[int, float]) -> str:
    if place not in shares:
        return _plain(place, table)
    return rf">{{\raggedright\arraybackslash}}p{{{max(shares[place], 0.08):.2f}\linewidth}}"


def escaped(text: str, language: str = "en") -> str:
    r"""Text that LaTeX prints as it stands; in English, rare marks that pdfLaTeX has no font for lose their accents.

    >>> print(escaped("κ ≥ 0.20 & 50%"))
    $\kappa$ $\geq$ 0.20 \& 50\%
    """
    letters = " ".join(text.split())
    return "".join(_SPECIAL.get(letter) or (_printable(letter) if language == "en" else letter) for letter in letters)


def _printable(letter: str) -> str:
    # Latin letters with accents are in every T1 font; what is beyond them would stop the compilation.
    if ord(letter) < 0x180:
        return letter
    plain = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return plain or "?"


def _head(column: str, place: int, table: Table, layout: Layout, language: str) -> str:
    if not column:
        return ""
    words = column.split()
    if not layout.stacked or len(words) < 2 or layout.columns[place] not in ("r", "l"):
        return rf"\textbf{{{escaped(column, language)}}}"
    lines = r"\\".join(rf"\textbf{{{escaped(line, language)}}}" for line in _broken(words, _width(table, place, True)))
    return rf"\shortstack[{_plain(place, table)}]{{{lines}}}"


def _broken(words: list[str], width: int) -> list[str]:
    """Words in lines of at most this width."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _cell(cell: Cell, place: int, table: Table, layout: Layout, language: str) -> str:
    text = escaped(cell.text, language)
    if layout.columns[place] not in ("r", "l"):
        # An id has no blanks at which it could be broken.
        text = text.replace(r"\_", r"\_\allowbreak{}").replace("/", r"/\allowbreak{}")
    # The id leads from the printed number to its rows in results.json.
    note = f" % {cell.id}\n      " if cell.id else ""
    if not cell.small:
        return f"{text}{note}"
    small = escaped(cell.small, language)
    if not layout.stacked:
        return rf"{text} {{\footnotesize({small})}}{note}"
    if layout.columns[place] not in ("r", "l"):
        return rf"{text} {{\scriptsize({small})}}{note}"
    return rf"\shortstack[{_plain(place, table)}]{{{text} \\ {{\scriptsize {small}}}}}{note}"


def _line(cells: list[str]) -> str:
    return f"    {' & '.join(cells)} \\\\"


def _notes(table: Table, language: str) -> list[str]:
    if not table.notes:
        return []
    notes = r" \\ ".join(escaped(note, language) for note in table.notes)
    return [rf"  \\[2pt] \parbox{{\linewidth}}{{\footnotesize {notes}}}"]


def _all(page: Page) -> str:
    inputs = [rf"\input{{{key}.tex}}\clearpage" for key in page.tables]
    if page.language == "zh":
        head = ["% xelatex tables.tex", r"\documentclass[fontset=fandol]{ctexart}"]
    elif any(map(needs_xelatex, page.tables.values())):
        head = ["% xelatex tables.tex", r"\documentclass{article}", r"\usepackage[fontset=fandol,scheme=plain]{ctex}"]
    else:
        head = [r"\documentclass{article}", r"\usepackage[T1]{fontenc}", r"\usepackage[utf8]{inputenc}"]
    head += [r"\usepackage{booktabs,array,graphicx,amssymb}", r"\usepackage[margin=2cm]{geometry}"]
    return "\n".join([*head, r"\begin{document}", *inputs, r"\end{document}", ""])
