"""The protocol is frozen at the first consent, and what changes after that is numbered, with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from quorate.collect import way
from quorate.collect.freeze import amend, check_frozen
from quorate.collect.way import Step
from quorate.errors import FrozenError
from quorate.protocol import load
from quorate.store import Store
from quorate.study import DATABASE
from raters import UnderWay, under_way


def change(folder: Path, name: str = "instructions.md", old: str = "The text", new: str = "A better text") -> None:
    path = folder / name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def consented(folder: Path, answers: int = 0) -> None:
    """A study with one rater who has consented, and perhaps begun."""
    with under_way(folder) as running:
        running.open()
        (rater,) = running.invite()
        running.do(way.consent, rater, True)
        if answers:
            running.go_to(rater, Step.WORK)
            running.answer_all(rater, answers)


def test_the_first_consent_keeps_a_copy_of_the_protocol(running: UnderWay) -> None:
    first, second = running.invite(2)
    assert running.read(lambda tx: tx.protocols()) == ()
    running.do(way.consent, first, True)
    running.do(way.consent, second, True)
    (frozen,) = running.read(lambda tx: tx.protocols())
    assert frozen.number == 0
    assert frozen.collection_hash == running.protocol.collection_hash
    assert YAML(typ="safe").load(frozen.text) == running.protocol.source


def test_before_anyone_consents_the_study_can_simply_be_edited(study_folder: Path) -> None:
    with under_way(study_folder):
        pass
    change(study_folder)
    with under_way(study_folder) as running, pytest.raises(FrozenError, match="can simply be edited"):
        running.do(amend, "a typo")


def test_an_edit_before_the_first_consent_reaches_the_items_that_raters_get(study_folder: Path) -> None:
    with under_way(study_folder) as running:
        item = running.read(lambda tx: tx.items())[0]
    change(study_folder, "idioms.csv", item["target_idiom"], "a corrected idiom")
    with under_way(study_folder) as running:
        assert running.read(lambda tx: tx.items())[0]["target_idiom"] == "a corrected idiom"


def test_a_changed_file_is_refused_after_the_first_consent(study_folder: Path) -> None:
    consented(study_folder)
    change(study_folder)
    with (
        pytest.raises(FrozenError, match=r"has changed since the first consent .*quorate amend"),
        under_way(study_folder),
    ):
        pass


def test_what_is_put_back_is_accepted_again(study_folder: Path) -> None:
    consented(study_folder)
    change(study_folder)
    change(study_folder, old="A better text", new="The text")
    with under_way(study_folder) as running:
        running.read(lambda tx: check_frozen(tx, running.protocol))


def test_the_analysis_may_change_without_an_amendment(study_folder: Path) -> None:
    consented(study_folder)
    change(study_folder, "study.yaml", "bands: half-open", "bands: published")
    with under_way(study_folder) as running, pytest.raises(FrozenError, match="nothing to amend"):
        running.do(amend, "other bands")


def test_amendments_are_numbered_with_their_reasons(study_folder: Path) -> None:
    consented(study_folder, answers=2)
    for number, words in enumerate(["A better text", "The best text"], start=1):
        change(study_folder, old="The text" if number == 1 else "A better text", new=words)
        protocol = load(study_folder)
        store = Store.open(study_folder / DATABASE)
        try:
            assert store.do(lambda tx, p=protocol, w=words: amend(tx, p, f"now: {w}")) == number
        finally:
            store.close()
    with under_way(study_folder) as running:
        versions = running.read(lambda tx: tx.protocols())
        assert [(version.number, version.reason) for version in versions] == [
            (0, "first consent"),
            (1, "now: A better text"),
            (2, "now: The best text"),
        ]
        # The rater goes on, and every answer knows under which version it was given.
        running.answer("A1", "after the change")
        hashes = [answer.protocol for answer in running.answers("A1")]
        assert hashes == [versions[0].collection_hash] * 2 + [versions[2].collection_hash]


def test_an_amendment_cannot_change_items_that_raters_are_working_on(study_folder: Path) -> None:
    consented(study_folder, answers=1)
    change(study_folder, "study.yaml", "sample: {n: 8}", "sample: {n: 9}")
    store = Store.open(study_folder / DATABASE)
    try:
        with pytest.raises(FrozenError, match="Raters have begun"):
            store.do(lambda tx: amend(tx, load(study_folder), "more items"))
        assert len(store.read(lambda tx: tx.protocols())) == 1
    finally:
        store.close()
