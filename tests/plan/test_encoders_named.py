"""The plan depends on the study file alone: what is installed never chooses another encoder."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from own_files import TEMPLATES
from quorate.errors import EncoderError, StudyFileError
from quorate.plan import make_plan
from quorate.protocol import load
from quorate.questions import DISTRACTORS
from quorate.study import Study
from quorate.verify import verify


def named(folder: Path, encoder: str) -> Path:
    shutil.copytree(TEMPLATES / "abstract-visual", folder)
    study = folder / "study.yaml"
    assert "encoder: lexical" in study.read_text()
    study.write_text(study.read_text().replace("encoder: lexical", f"encoder: {encoder}"))
    return folder


@pytest.fixture
def without_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUORATE_MINILM", str(tmp_path / "nothing"))
    monkeypatch.setenv("QUORATE_CACHE", str(tmp_path / "cache"))


def test_letters_make_the_same_plan_with_and_without_weights(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    protocol = load(named(tmp_path / "study", "lexical"))
    first = make_plan(protocol).hash
    request.getfixturevalue("without_weights")
    assert make_plan(protocol).hash == first


@pytest.mark.usefixtures("without_weights")
def test_a_named_encoder_that_is_not_there_is_an_error_with_its_place_and_two_ways_out(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match=r"semantic\.encoder: 'minilm' is not installed") as error:
        make_plan(load(named(tmp_path / "study", "minilm")))
    assert "pip install" in str(error.value)
    assert "encoder: lexical" in str(error.value)


@pytest.mark.parametrize("encoder", ["auto", "minlm"])
def test_what_is_installed_cannot_be_asked_to_choose(tmp_path: Path, encoder: str) -> None:
    with pytest.raises(StudyFileError, match="encoder"):
        load(named(tmp_path / "study", encoder))


def test_verify_says_what_it_cannot_make_again_and_checks_the_rest(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    study = Study(named(tmp_path / "study", "minilm"))
    text = (study.folder / "study.yaml").read_text()
    # Distractors as another machine chose them are in the store; this machine has no encoder.
    by_letters = Study(study.folder, load(_lexical(study.folder, tmp_path / "letters")), study.store)
    study.store.do(lambda tx: tx.put_plan(by_letters.plan.items, by_letters.plan.slots))
    assert (study.folder / "study.yaml").read_text() == text
    request.getfixturevalue("without_weights")
    found = verify(study.protocol, study.store)
    assert [finding.kind for finding in found.findings] == ["distractors"]
    assert all(DISTRACTORS in item.fields for item in study.store.read(lambda tx: tx.items()))
    study.close()


def _lexical(folder: Path, target: Path) -> Path:
    shutil.copytree(folder, target)
    study = target / "study.yaml"
    study.write_text(study.read_text().replace("encoder: minilm", "encoder: lexical"))
    return target
