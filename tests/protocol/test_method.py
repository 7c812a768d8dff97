"""The methodology check finds what the five documents carry, and nothing in our templates."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from PIL import Image

import quorate
from quorate.errors import StudyFileError
from quorate.protocol import load
from quorate.protocol.method import RULES, Advice, check_method, judge_weaknesses, quiz_precision, rule_book
from studies import visual_puns

TEMPLATES = Path(quorate.__file__).parent / "templates"
LITERAL = Path(__file__).parent / "literal"
DOCS = Path(__file__).parents[2] / "docs"
NAMES = sorted(path.name for path in TEMPLATES.iterdir() if (path / "study.yaml").is_file())

#: What each document carries, by rule.
FAULTS = {
    "abstract-visual": {"power-recomputed", "power-of-another-test", "nominal-on-ordered", "no-hypothesis"},
    "media-preference": {
        "plays-not-enforced",
        "ties-without-a-rule",
        "ranked-but-not-rated",
        "tags-without-a-side",
        "no-hypothesis",
    },
    "document-extraction": {"one-number-two-scores", "triage-without-audit", "count-differs", "cuts-differ"},
    "dialogue": {"one-null-two-meanings", "examples-break-rules"},
    "visual-puns": {
        "order-from-hash",
        "practice-as-listed",
        "practice-in-the-draw",
        "instructions-name-targets",
        "both-wrong-disagrees",
        "no-hypothesis",
    },
}


def literal(name: str, folder: Path) -> Path:
    """The document's study file over a copy of our template, which lends its media."""
    shutil.copytree(TEMPLATES / name, folder)
    shutil.copytree(LITERAL / name, folder, dirs_exist_ok=True)
    return folder


def rewrite(folder: Path, old: str, new: str) -> Path:
    text = (folder / "study.yaml").read_text(encoding="utf-8")
    assert old in text
    (folder / "study.yaml").write_text(text.replace(old, new), encoding="utf-8")
    return folder


def advice_on(name: str, folder: Path) -> list[Advice]:
    made = literal(name, folder)
    if name == "dialogue":  # as it stands it does not load: three of five samples share an id
        rewrite(made, "  id: sample_id\n", "  id: [sample_id, action_type]\n")
    return list(check_method(load(made)))


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_found_in_our_templates(name: str) -> None:
    assert check_method(load(TEMPLATES / name)) == ()


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_the_faults_that_a_document_carries_are_found_and_no_others(name: str, tmp_path: Path) -> None:
    assert {advice.rule for advice in advice_on(name, tmp_path / name)} == FAULTS[name]


#: What no document does, and a study file may ask for.
BEYOND = {
    "chosen-not-the-best",
    "new-raters",
    "people-see-scores",
    "unequal-best-of",
    "files-tell-systems",
    "options-alike",
    "published-draw-collides",
}


def test_every_rule_is_met_by_a_document() -> None:
    assert {rule.id for rule in RULES} - BEYOND == set().union(*FAULTS.values())


def test_a_score_that_everybody_sees_is_spoken_of_and_one_that_an_arm_sees_is_not(tmp_path: Path) -> None:
    for share, found in (("1", {"people-see-scores"}), ("0.3", set())):
        folder = tmp_path / share
        shutil.copytree(TEMPLATES / "document-extraction", folder)
        path = folder / "study.yaml"
        rule = f"triage: {{judge: tables, review: score <= 1, audit: 0.2, show_score: {share}}}\n"
        path.write_text(path.read_text(encoding="utf-8") + rule, encoding="utf-8")
        assert {advice.rule for advice in check_method(load(folder))} == found


def test_items_whose_baseline_is_the_best_of_another_number_are_named(tmp_path: Path) -> None:
    folder = shutil.copytree(TEMPLATES / "abstract-visual", tmp_path / "study")
    table = folder / "items.csv"
    text = table.read_text(encoding="utf-8")
    (last,) = [line for line in text.splitlines() if line.startswith("film_01,") and ",recognised," in line]
    assert ",3," in last
    table.write_text(
        text.replace(last, last.replace("baselines/film_01.png,3,", "baselines/film_01.png,9,")), encoding="utf-8"
    )
    path = folder / "study.yaml"
    path.write_text(path.read_text("utf-8").replace("    from: baseline_scores.csv", "    #"), "utf-8")
    (advice,) = check_method(load(folder))
    assert advice.rule == "unequal-best-of"
    assert advice.what == "film_01 had 3 iterations, and its baseline is the best of 9."


@pytest.mark.parametrize(
    ("literal", "wrong", "found"),
    [
        ("Groundhog  Day", "item 'film_01' has two options that read 'Groundhog Day'", set()),
        ("the groundhog day.", "", {"options-alike"}),
        ("Groundhog Day 2", "", set()),
    ],
)
def test_a_literal_negative_that_is_the_target_is_two_options_in_one(
    literal: str, wrong: str, found: set[str], tmp_path: Path
) -> None:
    shutil.copytree(TEMPLATES / "abstract-visual", tmp_path / "s")
    items = tmp_path / "s" / "items.csv"
    items.write_text(items.read_text(encoding="utf-8").replace("A beaver with an alarm clock", literal), "utf-8")
    if wrong:
        with pytest.raises(StudyFileError) as caught:
            load(tmp_path / "s")
        (complaint,) = caught.value.complaints
        assert complaint.path == "sections[0].ask[0].choice"
        assert complaint.sentence.startswith(wrong)
    else:
        assert {advice.rule for advice in check_method(load(tmp_path / "s"))} == found


@pytest.mark.parametrize(
    ("options", "wrong", "found"),
    [
        ("[Student, 'Student ', Other]", True, set()),
        ("[Student, Student, Other]", True, set()),
        ("[Student, student, Other]", False, {"options-alike"}),
        ("['C', 'C++', 'C#', '< 10', '>= 10']", False, set()),
    ],
)
def test_options_that_look_the_same_are_a_complaint_and_those_that_nearly_do_are_advised_on(
    options: str, wrong: bool, found: set[str], tmp_path: Path
) -> None:
    folder = visual_puns(tmp_path / "s")
    rewrite(folder, "[Student, Other]", options)
    rewrite(folder, "analysis:\n", "analysis:\n  hypotheses: []\n")
    rewrite(folder, "n: 2, explanation", "n: 2, spare: 1, explanation")
    if wrong:
        with pytest.raises(StudyFileError, match=r"raters.background\[0\].choice: two options that read 'Student'"):
            load(folder)
    else:
        assert {advice.rule for advice in check_method(load(folder))} == found


def test_what_is_weak_about_a_judge_is_noted(tmp_path: Path) -> None:
    folder = literal("document-extraction", tmp_path / "study")
    rewrite(folder, "judges:\n", "judges:\n  texts: {similarity: {recipe: caption with description}}\n")
    (said,) = (one for one in judge_weaknesses(load(folder)) if one.startswith("judge 'texts'"))
    assert "neither of which is the truth" in said


def test_a_power_statement_is_recomputed(tmp_path: Path) -> None:
    found = {advice.rule: advice.what for advice in advice_on("abstract-visual", tmp_path / "study")}
    assert "64 a group, 128 in all" in found["power-recomputed"]
    assert "60% of decided pairs" in found["power-of-another-test"]


@pytest.mark.parametrize("mended", ["n: 64, per: group", "n: 128, per: study"])
def test_a_power_statement_that_is_right_is_not_spoken_of(tmp_path: Path, mended: str) -> None:
    folder = rewrite(literal("abstract-visual", tmp_path / "study"), "n: 128, per: group", mended)
    assert "power-recomputed" not in {advice.rule for advice in check_method(load(folder))}


def test_duplicate_ids_are_a_complaint_that_names_them(tmp_path: Path) -> None:
    with pytest.raises(StudyFileError) as error:
        load(literal("dialogue", tmp_path / "study"))
    assert [complaint.line for complaint in error.value.complaints] == [3, 4]
    assert "'ac_mscoco_0_turn_4' stands on line 2 already" in str(error.value)
    assert "With `id: [sample_id, action_type]` they differ." in str(error.value)


def test_both_examples_whose_titles_contradict_their_scores_are_named(tmp_path: Path) -> None:
    found = [
        advice.what for advice in advice_on("dialogue", tmp_path / "study") if advice.rule == "examples-break-rules"
    ]
    assert len(found) == 2
    assert "ac_mscoco_0_turn_4 / mislead" in found[0]
    assert "ac_mscoco_0_turn_4 / follow_up" in found[1]


def test_a_published_draw_keeps_its_practice_concepts_and_says_which_were_drawn(tmp_path: Path) -> None:
    found = {advice.rule: advice.what for advice in advice_on("visual-puns", tmp_path / "study")}
    for idiom in ("piece of cake", "raining cats and dogs", "crocodile tears"):
        assert f"'{idiom}'" in found["practice-in-the-draw"]
    generator = random.Random(42)
    drawn = generator.sample(range(12), 8)
    hit = ", ".join(f"'img_{k:04d}'" for k in (2, 4, 11) if k in drawn)
    assert f"drawn: {hit}." in found["practice-in-the-draw"]
    for idiom in ("break the ice", "spill the beans", "kill two birds with one stone"):
        assert f"'{idiom}'" in found["instructions-name-targets"]


def test_a_draw_of_our_own_may_not_hold_practice_concepts(tmp_path: Path) -> None:
    folder = rewrite(literal("visual-puns", tmp_path / "study"), ", method: python random", "")
    with pytest.raises(StudyFileError, match="'piece of cake' is a concept of the study"):
        load(folder)


def test_a_quiz_of_twelve_questions_is_not_precise() -> None:
    found = quiz_precision(load(TEMPLATES / "abstract-visual"))
    assert found is not None
    needed, share = found
    assert (needed, share.n_items) == (10, 12)
    assert (round(share.low or 0, 2), round(share.high or 0, 2)) == (0.55, 0.95)


def test_advice_can_be_read_by_a_program(tmp_path: Path) -> None:
    advice = advice_on("media-preference", tmp_path / "study")[0].as_dict()
    assert set(advice) == {"rule", "severity", "path", "what", "why", "source", "fix"}
    assert all(advice.values())


def test_the_page_of_the_rule_book_is_up_to_date() -> None:
    assert (DOCS / "method-check.md").read_text(encoding="utf-8") == rule_book()


SIDES = """\
quorate: 1
title: Which is better?
seed: 1
items: {from: items.csv, id: id}
sections:
  - id: compare
    show:
      - pair: {image: {}, systems: {ours: a, theirs: b}}
    ask:
      - id: winner
        winner: {prompt: Which?}
raters: {per_item: 1, roster: 1, consent: consent.md, instructions: consent.md}
"""


@pytest.mark.parametrize(
    ("format", "size", "says"),
    [
        ("png", (64, 64), []),
        ("webp", (64, 64), ["the format of files", "only 'ours' has PNG (4 files); only 'theirs' has WEBP (4 files)"]),
        ("png", (64, 80), ["the dimensions of files", "only 'ours' has 64 × 64 (4 files)"]),
    ],
)
def test_files_that_tell_their_system_are_spoken_of(
    tmp_path: Path, format: str, size: tuple[int, int], says: list[str]
) -> None:
    (tmp_path / "study.yaml").write_text(SIDES)
    (tmp_path / "consent.md").write_text("Do you agree?")
    rows = [f"i{n},a{n}.png,b{n}.{format}" for n in range(4)]
    (tmp_path / "items.csv").write_text("\n".join(["id,a,b", *rows]) + "\n")
    for n in range(4):
        Image.new("RGB", (64, 64), (n, 9, 9)).save(tmp_path / f"a{n}.png")
        Image.new("RGB", size, (9, n, 9)).save(tmp_path / f"b{n}.{format}")
    found = [advice.what for advice in check_method(load(tmp_path)) if advice.rule == "files-tell-systems"]
    assert len(found) == bool(says)
    assert all(words in found[0] for words in says)


def test_sizes_that_differ_by_item_and_not_by_system_tell_nothing(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(SIDES)
    (tmp_path / "consent.md").write_text("Do you agree?")
    (tmp_path / "items.csv").write_text("\n".join(["id,a,b", *(f"i{n},a{n}.png,b{n}.png" for n in range(4))]) + "\n")
    for n in range(4):
        for side in "ab":
            Image.new("RGB", (64 + 8 * (n % 2), 64), (n, 9, 9)).save(tmp_path / f"{side}{n}.png")
    assert "files-tell-systems" not in {advice.rule for advice in check_method(load(tmp_path))}
