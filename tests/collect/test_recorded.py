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
    assert "8 of 8 recorded replies to 'idiom' are: " in complaint
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


def asking(folder: Path, question: str, replies: list[str], judge: str = "{recorded: said}") -> Path:
    """A study of one question about ten items, whose replies stand in the column `said`, in turn."""
    folder.mkdir()
    rows = [{"id": f"i{k}", "shown": f"Text {k}.", "said": replies[k % len(replies)]} for k in range(10)]
    with (folder / "items.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    (folder / "words.md").write_text("Words.\n")
    (folder / "study.yaml").write_text(
        "quorate: 1\ntitle: T\nseed: 1\nitems: {from: items.csv, id: id}\n"
        f"sections:\n  - id: s\n    show: [{{text: shown}}]\n    ask:\n      - {{id: q, {question}}}\n"
        "raters: {per_item: 3, roster: 3, consent: words.md, instructions: words.md}\n"
        f"judges:\n  panel: {judge}\nanalysis: {{hypotheses: []}}\n",
        encoding="utf-8",
    )
    return folder


FREE = "text: {prompt: What?, target: shown}"


@pytest.mark.parametrize(
    ("question", "replies"),
    [
        ("yes_no: {prompt: Is it?}", ["True", "False"]),
        ("yes_no: {prompt: Is it?}", ["1", "0"]),
        ("'choice': {prompt: Which?, options: [Good, So-so, Bad]}", ["0", "1", "2"]),
    ],
)
def test_true_and_false_where_options_are_asked_for_are_no_verdicts(
    tmp_path: Path, question: str, replies: list[str]
) -> None:
    (complaint,), _ = told(asking(tmp_path / "study", question, replies))
    assert "cannot be read" in complaint
    assert "verdicts" not in complaint
    assert "as a page would send them, such as '" in complaint


@pytest.mark.parametrize("replies", [["对", "错"], ["✓", "✗"], ["true", "true", "true", "Text 3."]])
def test_verdicts_in_other_signs_or_beside_a_few_replies_are_not_taken_for_replies(
    tmp_path: Path, replies: list[str]
) -> None:
    (complaint,), _ = told(asking(tmp_path / "study", FREE, replies))
    assert "looks like verdicts" in complaint


def test_what_cannot_be_read_is_shown_with_its_spaces(tmp_path: Path) -> None:
    judge = "{recorded: {field: said, holds: identity}}"
    question = "'choice': {prompt: Which?, options: [Good, Bad]}"
    (complaint,), _ = told(asking(tmp_path / "study", question, [" Goood", "Bad"], judge))
    assert "' Goood' (items.csv:2)" in complaint
    assert "as they are stored, such as 'Good'" in complaint
    assert "page would send" not in complaint


def test_items_without_a_reply_and_replies_of_which_none_is_right_are_a_note(tmp_path: Path) -> None:
    wrong, few = told(asking(tmp_path / "half", FREE, ["Text 0.", ""]))
    assert (wrong, few) == ([], ["judge 'panel': 5 of 10 items have no recorded reply to 'q'."])
    wrong, few = told(asking(tmp_path / "none", FREE, ["something else"]))
    assert not wrong
    assert few == ["judge 'panel': none of 10 recorded replies to 'q' is right; check that 'said' holds the replies."]


def test_a_question_that_nobody_asks_and_an_item_named_twice_are_told(tmp_path: Path) -> None:
    (complaint,), _ = told(asking(tmp_path / "unasked", FREE, ["Text 0."], "{recorded: {field: {qq: said}}}"))
    assert "no section asks 'qq'. Did you mean 'q'?" in complaint
    judge = "{recorded: {from: replies.csv, id: item, field: said}}"
    folder = asking(tmp_path / "twice", FREE, ["Text 0."], judge)
    (folder / "replies.csv").write_text("item,said\ni1,Text 1.\ni2,Text 2.\ni1,Text 9.\n")
    (complaint,), _ = told(folder)
    assert "replies.csv:4: the item 'i1' has a reply already (line 2)" in complaint
    (folder / "replies.csv").write_text("items,said\ni1,Text 1.\n")
    (complaint,), _ = told(folder)
    assert "replies.csv has no column 'item'. Did you mean 'items'?" in complaint
    assert "study.yaml:" in complaint
