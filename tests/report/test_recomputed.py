"""Every number of results.json again, from the exported files alone, by other people's libraries.

The modules beside (`recomputed`) read the exported files and the study file; nothing of Quorate computes anything in
them. An estimate that they do not know fails by name, so that no number can come in unnoticed.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import quorate
from own_files import TEMPLATES, copied
from quorate.analyse import analyse
from quorate.protocol import Protocol, load
from quorate.records import Collected
from quorate.report.data import data_files
from recomputed.check import uncorrected, undecided, unexplained, unlisted, untested
from recomputed.study import Study
from republished import follows

pytestmark = pytest.mark.usefixtures("frozen_heap")

NAMES = ("abstract-visual", "dialogue", "document-extraction", "media-preference", "visual-puns")


@cache
def rehearsed(name: str) -> tuple[Protocol, Collected]:
    """What simulated raters and offline judges gave to a template."""
    with TemporaryDirectory() as folder:
        study = quorate.open(copied(name, Path(folder) / "study"))
        study.rehearse(seed=2)
        collected = study.collected()
        study.close()
        return study.protocol, collected


def exported(protocol: Protocol, collected: Collected) -> dict[str, str]:
    return data_files(protocol, collected, analyse(protocol, collected))


def read(name: str, files: dict[str, str]) -> Study:
    tables = {path.name: path.read_text("utf-8") for path in TEMPLATES.joinpath(name).glob("*.csv")}
    return Study(files, TEMPLATES.joinpath(name, "study.yaml").read_text("utf-8"), tables)


@cache
def study_of(name: str) -> Study:
    return read(name, exported(*rehearsed(name)))


@pytest.mark.parametrize("name", NAMES)
def test_every_estimate_is_the_same_by_another_way(name: str) -> None:
    study = study_of(name)
    assert list(unexplained(study, study.results["estimates"])) == []
    assert any(one["value"] is not None for one in study.results["estimates"])


@pytest.mark.parametrize("name", NAMES)
def test_every_verdict_listing_and_corrected_p_is_the_same_by_another_way(name: str) -> None:
    study = study_of(name)
    assert [*undecided(study), *unlisted(study), *uncorrected(study), *untested(study)] == []


def test_the_four_cells_are_counted_again() -> None:
    for name in ("abstract-visual", "visual-puns"):
        study = study_of(name)
        estimates = {one["id"]: one for one in study.results["estimates"]}
        for one in study.results["comparisons"]:
            at = f"{one['section']}.{one['question']}.judge.{one['judge']}.class."
            assert one["classes"] == {
                cell: estimates[at + re.sub(r"\W+", "_", cell)]["count"] for cell in one["classes"]
            }
            assert sum(one["classes"].values()) == one["n"]


def test_results_with_excluded_raters_are_the_same_by_another_way() -> None:
    protocol, collected = rehearsed("visual-puns")
    one = max(person.rater for person in collected.participants)
    people = tuple(replace(p, status="excluded") if p.rater == one else p for p in collected.participants)
    files = exported(protocol, replace(collected, participants=people))
    without = read("visual-puns", files)
    assert one not in set(without.people.rater)
    assert list(unexplained(without, without.results["estimates"])) == []
    for kept, left in (("annotations_raw", "annotations_excluded"), ("presentations", "presentations_excluded")):
        files[f"{kept}.csv"] += files[f"{left}.csv"].split("\n", 1)[1]
    whole = read("visual-puns", files)
    assert list(unexplained(whole, whole.results["estimates_with_excluded"])) == []


def test_a_number_that_nobody_computes_again_is_named() -> None:
    study = study_of("visual-puns")
    entry = study.results["estimates"][0]
    new = {**entry, "id": "recognise.idiom.something_new"}
    assert [line.split(":")[0] for line in unexplained(study, [new])] == ["recognise.idiom.something_new"]
    assert any("spread" in line for line in unexplained(study, [{**entry, "spread": 1.0}]))


@pytest.mark.parametrize("number", ["value", "low", "high", "se", "n_items"])
def test_a_number_that_is_a_little_off_is_named(number: str) -> None:
    study = study_of("visual-puns")
    entry = next(one for one in study.results["estimates"] if one["id"] == "recognise.idiom.individual_accuracy")
    off = {**entry, number: entry[number] + (1 if number == "n_items" else 1e-7)}
    assert [line.split(" is ")[0] for line in unexplained(study, [off])] == [f"{entry['id']}: {number}"]


def test_nothing_of_quorate_is_in_the_other_way() -> None:
    for path in Path(__file__).parents[1].joinpath("recomputed").glob("*.py"):
        assert "quorate" not in re.sub(r'"""[\s\S]*?"""', "", path.read_text("utf-8")), path.name


@pytest.mark.parametrize("name", NAMES)
def test_the_published_script_finds_every_number_again(name: str, tmp_path: Path) -> None:
    assert len(follows(load(TEMPLATES / name), rehearsed(name)[1], tmp_path / "paper")) > 30
