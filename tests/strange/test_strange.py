"""Whatever a study is called, asks and shows, it goes the whole way, and what is printed is what was found."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

from strangers import Strange, study, written

from quorate.study import Study
from quorate.verify.bundle import verify_bundle
from quorate.verify.printed import misprints, otherwise
from republished import follows

#: 38 escalates; in 48 a system is the right one. `bench/strange.py` looks at some hundreds: from one seed to another.
BEGIN, END = map(int, os.environ.get("STRANGE_STUDIES", "0:24").split(":"))
SEEDS = [*range(BEGIN, END), *(() if "STRANGE_STUDIES" in os.environ else (38, 48))]


@dataclass(frozen=True)
class Reported:
    """A strange study after its rehearsal, with what its report holds."""

    strange: Strange
    study: Study
    page: str
    results: dict


@pytest.fixture(scope="module", params=SEEDS)
def reported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reported]:
    strange = study(request.param)
    made = Study(written(strange, tmp_path_factory.mktemp("strange") / "study"))
    made.rehearse(seed=1)
    made.report(formats=("html", "md", "latex"))
    folder = made.folder / "report"
    yield Reported(
        strange,
        made,
        (folder / "report.html").read_text("utf-8"),
        json.loads((folder / "results.json").read_text("utf-8")),
    )
    made.close()


def test_every_finding_has_an_id_of_its_own(reported: Reported) -> None:
    ids = [one["id"] for one in reported.results["estimates"]]
    assert len(ids) == len(set(ids)), reported.strange
    assert ids, reported.strange


def test_every_printed_number_is_the_one_of_its_id(reported: Reported) -> None:
    assert [str(one) for one in misprints(reported.page, reported.results)] == [], reported.strange

    folder = reported.study.folder / "report"
    latex = {file.name: file.read_text("utf-8") for file in folder.glob("latex/*.tex") if file.name != "tables.tex"}
    markdown = (folder / "report.md").read_text("utf-8")
    assert [str(one) for one in otherwise(reported.page, markdown, latex)] == [], reported.strange


def test_no_name_is_cut_apart(reported: Reported) -> None:
    for one in reported.results["estimates"]:
        assert set(one.get("systems", ())) <= set(reported.strange.systems), reported.strange
        known = {str(row.get(one.get("by", ""))) for row in reported.strange.tables["items.csv"]}
        assert one.get("stratum", "None") in known | {"none of these"} or one["by"] not in reported.strange.fields


def test_the_bundle_verifies(reported: Reported, tmp_path: Path) -> None:
    found = verify_bundle(reported.study.bundle(tmp_path / "study.zip"))
    assert found.ok, f"{reported.strange}: {found}"


def test_the_published_script_finds_every_number_again(reported: Reported, tmp_path: Path) -> None:
    assert follows(reported.study.protocol, reported.study.collected(), tmp_path / "paper")
