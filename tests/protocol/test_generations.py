"""A baseline that is the best of several generations: its table of scores is checked, told and published."""

from __future__ import annotations

import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest

from own_files import TEMPLATES
from quorate.errors import StudyFileError
from quorate.protocol import load
from quorate.protocol.method import check_method
from quorate.report.methods import methods
from quorate.study import Study

TABLE = "baseline_scores.csv"


def changed(folder: Path, file: str, *texts: tuple[str, str]) -> Path:
    """The template with some words of one of its files changed."""
    shutil.copytree(TEMPLATES / "abstract-visual", folder)
    path = folder / file
    text = path.read_text("utf-8")
    for old, new in texts:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("film_01,3,0.2127", "film_01,3,0.9", "of film_01 the one with 0.2477 was chosen, and another has 0.9."),
        ("film_01,2,0.2477,True", "film_01,2,0.2477,False", "of film_01 0 generations are marked as chosen."),
        ("film_01,1,0.2333,False", "film_01,1,0.2333,True", "of film_01 2 generations are marked as chosen."),
        ("film_01,1,0.2333,False\n", "", f"film_01 is said to be the best of 3, and {TABLE} has 2."),
        ("film_01,", "film_1,", f"film_01 has no generation in {TABLE}."),
    ],
)
def test_what_was_not_chosen_as_the_best_is_named(tmp_path: Path, old: str, new: str, told: str) -> None:
    found = check_method(load(changed(tmp_path / "study", TABLE, (old, new))))
    assert [(one.rule, one.what) for one in found] == [("chosen-not-the-best", told)]


def test_equal_scores_leave_the_choice_free(tmp_path: Path) -> None:
    folder = changed(tmp_path / "study", TABLE, ("film_01,3,0.2127", "film_01,3,0.2477"))
    assert not list(check_method(load(folder)))


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("study.yaml", "    id: item_id\n    system", "    id: item\n    system",
         f"items.best_of.id: {TABLE} has no column 'item'. Did you mean 'item_id'?"),
        ("study.yaml", "system: baseline", "system: basline",
         "items.best_of.system: no section shows a system 'basline'. Did you mean 'baseline'?"),
        (TABLE, "film_01,3,0.2127", "film_01,3,high", f"{TABLE}: a score of 'film_01' is no number: 'high'."),
    ],
)  # fmt: skip
def test_a_table_that_does_not_say_which_is_best_is_a_complaint(
    tmp_path: Path, file: str, old: str, new: str, told: str
) -> None:
    with pytest.raises(StudyFileError) as caught:
        load(changed(tmp_path / "study", file, (old, new)))
    assert told in str(caught.value)


def test_the_methods_tell_it_and_the_bundle_holds_it(tmp_path: Path) -> None:
    study = Study(changed(tmp_path / "study", "study.yaml"))
    study.rehearse(seed=1)
    study.report(formats=("md",))
    assert (
        "The outputs of “baseline” are each the best of 1 to 3 generations by CLIP similarity to the concept "
        f"(ViT-L/14); all scores are in {TABLE.replace('_', chr(92) + '_')}."
    ) in (study.folder / "report" / "report.md").read_text("utf-8")
    with ZipFile(study.bundle(tmp_path / "study.zip")) as bundle:
        assert [name for name in bundle.namelist() if name.endswith(TABLE)]


def test_where_one_is_not_the_best_the_methods_do_not_say_that_all_are(tmp_path: Path) -> None:
    study = Study(changed(tmp_path / "study", TABLE, ("film_01,3,0.2127", "film_01,3,0.9")))
    study.rehearse(seed=1)
    (sample, *_) = methods(study.protocol, study.results())
    told = sample.text.text()
    n = len(study.protocol.pool)
    assert f"Of the outputs of “baseline”, {n - 1} of {n} are the best of 1 to 3 generations by" in told
    assert "are each the best" not in told
