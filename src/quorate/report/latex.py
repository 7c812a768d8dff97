"""The report's tables for LaTeX: booktabs, one file a table, to \\input into a paper."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from quorate.report.page import Page
from quorate.report.tables import Cell, Table

FOLDER = "latex"
_SPECIAL: Mapping[str, str] = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "κ": r"$\kappa$", "≥": r"$\geq$", "≤": r"$\leq$", "−": r"$-$", "×": r"$\times$", "χ": r"$\chi$", "²": r"$^2$",
    "–": "--", "—": "---", "’": "'", "‘": "`", "“": "``", "”": "''", "…": r"\dots{}", "·": r"$\cdot$", "\u00a0": "~",
}  # fmt: skip


def latex_files(page: Page) -> dict[str, str]:
    """Every table by file name, and a file that shows them all."""
    files = {f"{FOLDER}/{key}.tex": as_latex(table, page.simulated) for key, table in page.tables.items()}
    return {**files, f"{FOLDER}/tables.tex": _all(page)}


def as_latex(table: Table, simulated: str = "") -> str:
    """One table between three rules."""
    columns = "".join("r" if place in table.numeric else "l" for place in range(len(table.columns)))
    caption = f"{simulated} {table.caption}".strip()
    return "\n".join(
        [
            r"\begin{table}[t]",
            r"  \centering",
            rf"  \caption{{{escaped(caption)}}}",
            rf"  \label{{tab:{table.key.replace('_', '-')}}}",
            rf"  \begin{{tabular}}{{@{{}}{columns}@{{}}}}",
            r"    \toprule",
            _line([rf"\textbf{{{escaped(column)}}}" if column else "" for column in table.columns]),
            r"    \midrule",
            *(_line([_cell(cell) for cell in row]) for row in table.rows),
            r"    \bottomrule",
            r"  \end{tabular}",
            *_notes(table),
            r"\end{table}",
            "",
        ]
    )


def escaped(text: str) -> str:
    r"""Text that LaTeX prints as it stands; letters beyond the fonts of pdfLaTeX lose their accents or become '?'.

    >>> print(escaped("κ ≥ 0.20 & 50%"))
    $\kappa$ $\geq$ 0.20 \& 50\%
    """
    return "".join(_SPECIAL.get(letter) or _printable(letter) for letter in " ".join(text.split()))


def _printable(letter: str) -> str:
    # Latin letters with accents are in every T1 font; what is beyond them would stop the compilation.
    if ord(letter) < 0x180:
        return letter
    plain = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return plain or "?"


def _cell(cell: Cell) -> str:
    small = rf" {{\footnotesize({escaped(cell.small)})}}" if cell.small else ""
    # The id leads from the printed number to its rows in results.json.
    note = f" % {cell.id}\n      " if cell.id else ""
    return f"{escaped(cell.text)}{small}{note}"


def _line(cells: list[str]) -> str:
    return f"    {' & '.join(cells)} \\\\"


def _notes(table: Table) -> list[str]:
    if not table.notes:
        return []
    notes = r" \\ ".join(escaped(note) for note in table.notes)
    return [rf"  \\[2pt] \parbox{{\linewidth}}{{\footnotesize {notes}}}"]


def _all(page: Page) -> str:
    inputs = [rf"\input{{{key}.tex}}" for key in page.tables]
    head = [r"\documentclass{article}", r"\usepackage[T1]{fontenc}", r"\usepackage[utf8]{inputenc}"]
    head += [r"\usepackage{booktabs}", r"\usepackage[margin=2cm]{geometry}", r"\begin{document}"]
    return "\n".join([*head, *inputs, r"\end{document}", ""])
