"""Recorded replies are read beforehand as judging reads them: what cannot be read is told with its rows."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from own_files import TEMPLATES
from quorate.collect.recorded import unread_shares, wrong_replies
from quorate.plan import sample_items
from quorate.protocol import load
from quorate.records import Reason
from quorate.study import Study


def rewrite(folder: Path, table: str, column: str, reply: Callable[[int, dict[str, str]], object]) -> None:
    """Writes a column of a table anew."""
    rows = list(csv.DictReader((folder / table).open(encoding="utf-8")))
    with (folder / table).open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, dict.fromkeys([*rows[0], column]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({**row, column: reply(k, row)} for k, row in enumerate(rows))


def with_judge(folder: Path, judge: str) -> Path:
    path = folder / "study.yaml"
    head, _, rest = path.read_text(encoding="utf-8").partition("\njudges:\n")
    rest = rest[rest.index("\n") :] if rest else "\n"
    path.write_text(f"{head}\njudges:\n  panel: {judge}{rest}".replace("judge: mllm}", "judge: panel}"), "utf-8")
    return folder


def told(folder: Path) -> tuple[list[str], list[str]]:
    protocol = load(folder)
    wrong, few = wrong_replies(protocol, sample_items(protocol))
    return [str(complaint) for complaint in wrong], few


def test_systems_names_are_read_by_identity_or_not_at_all(tmp_path: Path) -> None:
    folder = tmp_path / "pairs"
    shutil.copytree(TEMPLATES / "media-preference", folder)
    path = folder / "study.yaml"
    text = path.read_text(encoding="utf-8")
    assert told(folder) == ([], [])
    assert ", holds: identity" in text
    path.write_text(text.replace(", holds: identity", ""), encoding="utf-8")
    (complaint,), _ = told(folder)
    assert "judges.vlm.recorded: " in complaint
    assert "recorded replies to 'winner' cannot be read: 'aurora' (pairs.csv:2)" in complaint
    assert "write `holds: identity`" in complaint
    rewrite(folder, "pairs.csv", "vlm_winner", lambda *_: "true")
    (complaint,), _ = told(folder)
    assert "looks like verdicts (true or false)" in complaint


@pytest.mark.parametrize("words", [("True", "False"), ("1", "0"), ("correct", "incorrect")])
def test_a_column_of_verdicts_is_not_taken_for_replies(study_folder: Path, words: tuple[str, str]) -> None:
    rewrite(study_folder, "idioms.csv", "mllm_correct", lambda k, _: words[k % 3 == 0])
    (complaint,), few = told(with_judge(study_folder, "{recorded: mllm_correct}"))
    assert "8 of 8 recorded replies to 'idiom' were read: " in complaint
    assert "(idioms.csv:" in complaint
    assert "looks like verdicts (true or false)" in complaint
    assert few == []


def test_true_and_false_may_be_what_is_asked_for(study_folder: Path) -> None:
    rewrite(study_folder, "idioms.csv", "target_idiom", lambda k, _: ("true", "false")[k % 2])
    rewrite(study_folder, "idioms.csv", "said", lambda *_: "true")
    assert told(with_judge(study_folder, "{recorded: said}")) == ([], [])


@pytest.mark.parametrize(("unread", "wrong"), [(1, False), (2, True)])
def test_from_a_fifth_on_it_is_a_complaint_and_below_a_note(study_folder: Path, unread: int, wrong: bool) -> None:
    drawn = [item.id for item in sample_items(load(study_folder))]
    lost = set(drawn[:unread])
    rewrite(study_folder, "idioms.csv", "said", lambda _, row: "!?" if row["image_id"] in lost else "out of the blue")
    complaints, few = told(with_judge(study_folder, "{recorded: said}"))
    said = f"{unread} of 8 recorded replies to 'idiom' cannot be read: '!?' (idioms.csv:"
    assert [said in sentence for sentence in (complaints if wrong else few)] == [True]
    assert not (few if wrong else complaints)
    if wrong:
        accepted = with_judge(study_folder, "{recorded: {field: said, most_unread: 0.5}}")
        assert told(accepted)[0] == []


def test_a_table_that_names_no_item_or_has_no_such_column_is_told(study_folder: Path) -> None:
    (study_folder / "replies.csv").write_text("image,said\nother,out of the blue\n")
    (complaint,), _ = told(with_judge(study_folder, "{recorded: {from: replies.csv, id: image, field: said}}"))
    assert "the column 'image' of replies.csv names none of the study's items" in complaint
    (complaint,), _ = told(with_judge(study_folder, "{recorded: {from: replies.csv, id: image, field: siad}}"))
    assert "replies.csv has no column 'siad'. Did you mean 'said'?" in complaint


def test_the_share_is_told_when_results_are_read(study_folder: Path) -> None:
    rewrite(study_folder, "idioms.csv", "said", lambda k, _: "!?" if k % 2 else "out of the blue")
    study = Study(with_judge(study_folder, "{recorded: said}"))
    study.rehearse(1)
    answers = [one for one in study.collected().answers if one.by == "judge"]
    n = sum(one.reason is Reason.UNREADABLE for one in answers)
    assert 0 < n < 8
    assert list(unread_shares(answers)) == [f"{n} of 8 replies of 'panel' to 'idiom' cannot be read ({n / 8:.0%})."]
