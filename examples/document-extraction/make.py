"""Typesets the papers of the document-extraction template and writes the page of every element into its tables.

Run it after editing a paper: `python examples/document-extraction/make.py`. The same sources give the same bytes.
"""

import csv
from pathlib import Path

import pypdfium2
import typst

HERE = Path(__file__).resolve().parent
TEMPLATE = HERE.parents[1] / "src" / "quorate" / "templates" / "document-extraction"
PAPERS = {
    "biology": "papers/Biology (2023).pdf",
    "chemistry": "papers/Chemistry (2024).pdf",
    "physics": "papers/Physics (2022).pdf",
    "polymer": "papers/Polymer Physics (2023).pdf",
    "computing": "papers/Computer Science (2024).pdf",
    "practice": "papers/Practice (2021).pdf",
}


def page_of(pdf: Path, element_id: str) -> int:
    """The page on which an element's caption begins: `figure_2` is where "Figure 2:" stands.

    Text that refers to a figure has no colon after its number. Blanks are ignored: PDF text has them where it likes.
    """
    label = element_id.replace("_", "").capitalize() + ":"
    for number, page in enumerate(pypdfium2.PdfDocument(pdf), start=1):
        if label in "".join(page.get_textpage().get_text_range().split()):
            return number
    raise LookupError(f"{pdf.name} has no {label}")


def fill_pages(table: str) -> None:
    """Rewrites the table's last column, `page`."""
    with (TEMPLATE / table).open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = [{**row, "page": page_of(TEMPLATE / row["pdf"], row["element_id"])} for row in reader]
    with (TEMPLATE / table).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, reader.fieldnames or (), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    (TEMPLATE / "papers").mkdir(parents=True, exist_ok=True)
    for source, pdf in PAPERS.items():
        # The machine's own fonts are left out, so that a paper looks the same wherever it is typeset.
        data = typst.compile(HERE / f"{source}.typ", root=HERE, ignore_system_fonts=True)
        (TEMPLATE / pdf).write_bytes(data)
        print(f"{pdf}  {len(data) / 1000:.0f} kB")
    for table in ("accuracy_annotations_multi.csv", "practice.csv"):
        fill_pages(table)


if __name__ == "__main__":
    main()
