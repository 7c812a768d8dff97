"""The items' table with the judges' scores beside its own columns, and nothing of what Quorate noted for itself."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from own_files import copied, read_csv
from quorate.exchange.huggingface import huggingface_files
from quorate.exchange.judged_table import scored_table
from quorate.exchange.label_studio import label_studio_json
from quorate.study import Study


@pytest.fixture
def unpaged(tmp_path: Path) -> Study:
    """Extracted figures and tables whose page is looked up in the PDF, since their file does not name it."""
    folder = copied("document-extraction", tmp_path / "study")
    for name in ("accuracy_annotations_multi.csv", "practice.csv"):
        with (folder / name).open(encoding="utf-8", newline="") as file:
            rows = [{key: value for key, value in row.items() if key != "page"} for row in csv.DictReader(file)]
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    path = folder / "study.yaml"
    path.write_text(
        path.read_text("utf-8").replace("page: page, ", "").replace("    without: [page] ", "    # "), "utf-8"
    )
    return Study(folder)


def test_a_found_page_is_no_column_of_any_file(unpaged: Study) -> None:
    unpaged.rehearse(seed=1)
    source = read_csv((unpaged.folder / "accuracy_annotations_multi.csv").read_text("utf-8"))
    with unpaged._answered() as (store, _):
        scored = read_csv(store.read(lambda tx: scored_table(tx, unpaged.protocol)))
    assert list(scored[0]) == [*source[0], "table_score_ai"]
    assert [{name: row[name] for name in source[0]} for row in scored] == source
    collected = unpaged.collected()
    assert "quorate_pages" not in label_studio_json(unpaged.protocol, collected)
    assert all(b"quorate_pages" not in content for _, content in huggingface_files(unpaged.protocol, collected))
