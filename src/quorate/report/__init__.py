"""Estimates → HTML, PDF, Markdown, LaTeX, CSV and the paper's folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from quorate.analyse import analyse
from quorate.analyse.analyse import without_collecting
from quorate.errors import StudyError, did_you_mean
from quorate.exchange.own_table.write import own_files
from quorate.exhibits.svg import standalone
from quorate.files import write_files
from quorate.inquiries.assisted import MERGED
from quorate.protocol import Protocol
from quorate.records import Collected
from quorate.report.data import (
    DECISIONS,
    EXCLUDED_RAW,
    EXCLUDED_SHOWN,
    EXCLUSIONS,
    JUDGED,
    MORE,
    PLAYED,
    PRESENTED,
    data_files,
)
from quorate.report.html import html
from quorate.report.language import check_language
from quorate.report.latex import FOLDER as LATEX
from quorate.report.latex import latex_files
from quorate.report.markdown import markdown
from quorate.report.page import Page, make_page
from quorate.report.paper import paper_files
from quorate.report.pdf import figure_pdfs, pdf

FORMATS = ("html", "pdf", "md", "latex")
#: The sizes of paper, and what the typesetter calls them.
PAPERS = {"a4": "a4", "letter": "us-letter"}

__all__ = ["FORMATS", "PAPERS", "export_paper", "write_report"]


def write_report(
    protocol: Protocol,
    collected: Collected,
    folder: Path | str,
    formats: Sequence[str] = FORMATS,
    language: str = "en",
    paper: str = "a4",
) -> list[Path]:
    """Writes the report in each format and the data files beside it; gives back what was written."""
    check_language(language)
    if paper not in PAPERS:
        raise StudyError(f"there is no paper '{paper}'; choose among {', '.join(PAPERS)}.{did_you_mean(paper, PAPERS)}")
    for name in formats:
        if name not in FORMATS:
            raise StudyError(
                f"there is no format '{name}'; choose among {', '.join(FORMATS)}.{did_you_mean(name, FORMATS)}"
            )
    with without_collecting():
        files = _files(protocol, collected, formats, language, paper)
        return write_files(Path(folder), files, _stale(Path(folder), files))


def _files(
    protocol: Protocol, collected: Collected, formats: Sequence[str], language: str, paper: str
) -> dict[str, bytes]:
    results = analyse(protocol, collected)
    page = make_page(protocol, collected, results, language)
    files = data_files(protocol, collected, results, page.sentences)
    files |= own_files(protocol, collected)
    if formats:
        files |= figure_files(page)
    if "html" in formats:
        files["report.html"] = html(page)
    if "md" in formats:
        files["report.md"] = markdown(page)
    if "latex" in formats:
        files |= latex_files(page)
    written = {name: text.encode() for name, text in files.items()}
    if "pdf" in formats:
        written["report.pdf"] = pdf(page, PAPERS[paper])
        written |= figure_pdfs(page)
    return written


def export_paper(protocol: Protocol, collected: Collected, folder: Path | str) -> list[Path]:
    """Writes the folder that a paper publishes, whole; gives back what was written."""
    return write_files(Path(folder), dict(paper_files(protocol, collected)))


def figure_files(page: Page) -> dict[str, str]:
    """Every figure as a file of its own, to be put into a paper."""
    drawings = [drawing for chapter in page.chapters for drawing in chapter.drawings]
    return {f"figures/{drawing.key}.svg": standalone(drawing.svg) for drawing in drawings}


def _stale(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """What an earlier report wrote and this one does not: a stale table would be read as a result."""
    sometimes = (EXCLUSIONS, EXCLUDED_RAW, EXCLUDED_SHOWN, DECISIONS, JUDGED, MERGED, MORE, PLAYED, PRESENTED)
    known = [folder / name for name in sometimes]
    listed = (*known, *(folder / LATEX).glob("*.tex"), *(folder / "figures").glob("*.*"))
    return [path for path in listed if path.relative_to(folder).as_posix() not in files]
