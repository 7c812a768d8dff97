"""A study file becomes types, or every complaint about it comes at once, each with its line."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from quorate.errors import Complaint, StudyFileError
from quorate.protocol import Protocol, json_schema, load
from quorate.protocol.load import LONGEST
from studies import idiom, visual_puns


def edit(folder: Path, old: str, new: str, name: str = "study.yaml") -> None:
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{name} does not say {old!r}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def line_of(folder: Path, words: str, name: str = "study.yaml") -> int:
    lines = (folder / name).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, start=1) if words in line)


def complaints(folder: Path) -> tuple[Complaint, ...]:
    with pytest.raises(StudyFileError) as caught:
        load(folder)
    return caught.value.complaints


def contents(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest() for path in files}


def test_a_good_study_becomes_a_protocol(study_folder: Path) -> None:
    protocol = load(study_folder)
    assert isinstance(protocol, Protocol)
    assert len(protocol.pool) == 12
    assert [item.id for item in protocol.practice] == ["p0", "p1", "p2"]
    assert "The text of the consent." in protocol.text("consent.md")
    question = protocol.ask("recognise", "idiom").question
    assert question.score("first variant of one", protocol.pool[1]) is True


def test_ten_mistakes_give_ten_complaints_with_their_lines_and_suggestions(study_folder: Path) -> None:
    edit(study_folder, "seed: 42", "sead: 42")
    edit(study_folder, "  - id: recognise\n", "  - id: recognise\n    titel: Idioms\n")
    edit(study_folder, "image: image", "image: imgae")
    edit(study_folder, "target: target_idiom", "target: target_idoim")
    edit(study_folder, "hide: [idiom_id]", "hide: [idiom_idd]")
    edit(study_folder, "consent: consent.md", "consent: consnet.md")
    edit(study_folder, "break_after: 4", "break_after: often")
    edit(study_folder, "accept: [Native, Fluent]", "accept: [Native, Fluennt]")
    edit(study_folder, "compare: {judge: mllm}", "compare: {judge: mlm}")
    edit(study_folder, "bands: half-open", "bands: half-opened")
    found = complaints(study_folder)
    expected = [
        ("sead", "sead", "there is no key 'sead' here. Did you mean 'seed'?"),
        ("titel", "sections[0].titel", "there is no key 'titel' here. Did you mean 'title'?"),
        ("imgae", "sections[0].show[0].image", "items have no field 'imgae' (idioms.csv). Did you mean 'image'?"),
        ("  text:", "sections[0].ask[0].text", "no field 'target_idoim' (idioms.csv). Did you mean 'target_idiom'?"),
        ("idiom_idd", "sections[0].hide", "items have no field 'idiom_idd' (idioms.csv). Did you mean 'idiom_id'?"),
        ("consnet", "raters.consent", "there is no file 'consnet.md'. Did you mean 'consent.md'?"),
        ("often", "raters.break_after", "should be a whole number, not 'often'."),
        ("Fluennt", "raters.eligibility[0].accept", "nobody can answer 'Fluennt'. Did you mean 'Fluent'?"),
        ("mlm", "analysis.compare.judge", "there is no judge 'mlm'. Did you mean 'mllm'?"),
        ("half-opened", "analysis.bands", "Did you mean 'half-open'?"),
    ]
    for words, path, sentence in expected:
        assert any(
            c.file == "study.yaml" and c.line == line_of(study_folder, words) and c.path == path
            and sentence in c.sentence
            for c in found
        ), f"{path}: {sentence} is not among:\n" + "\n".join(map(str, found))  # fmt: skip
    assert len(found) == 10
    assert [c.line for c in found] == sorted(c.line or 0 for c in found)


def test_what_a_misspelt_key_stands_for_is_looked_at_in_the_same_round(study_folder: Path) -> None:
    edit(study_folder, "title: Visual", "titel: Visual")
    edit(study_folder, "raters:\n  per_item: 3", "rates:\n  per_item: three")
    edit(study_folder, "sample: {n: 8}", "samples: {n: 8}")
    edit(study_folder, "target: target_idiom", "target: target_idoim")
    found = {complaint.path: complaint for complaint in complaints(study_folder)}
    assert list(found) == ["titel", "items.samples", "sections[0].ask[0].text", "rates", "rates.per_item"]
    assert found["rates.per_item"].line == line_of(study_folder, "per_item")


@pytest.mark.parametrize(
    ("old", "new", "path", "instead"),
    [
        ("  bands: half-open", "  spans: true", "analysis.spans", "It may have: verdict, "),
        ("seed: 42", "seed: 42\ntie: drop", "tie", "It may have: quorate, title, "),  # the file has its title
        ("break_after: 4", "items: 4", "raters.items", "It may have: per_item, "),
        ("{recorded: mllm_response}", "{record: mllm_response}", "judges.mllm.record", "Did you mean 'recorded'?"),
        ("{recorded: mllm_response}", "{recorded: {field: mllm_response, hold: identity}}",
         "judges.mllm.recorded.hold", "Did you mean 'holds'?"),
    ],
)  # fmt: skip
def test_an_unknown_key_is_answered_with_keys_of_its_own_place_alone(
    study_folder: Path, old: str, new: str, path: str, instead: str
) -> None:
    edit(study_folder, old, new)
    (complaint,) = complaints(study_folder)
    assert complaint.path == path
    assert complaint.sentence.startswith(f"there is no key '{path.split('.')[-1]}' here. {instead}")


def test_a_text_that_no_page_can_show_is_named_with_its_item(study_folder: Path) -> None:
    for name, story in (("idioms.csv", "x" * (LONGEST + 1)), ("practice.csv", "short")):
        header, *rest, last = (study_folder / name).read_text().splitlines()
        rows = [f"{header},story", *(f"{row},short" for row in rest), f"{last},{story}"]
        (study_folder / name).write_text("\n".join(rows) + "\n")
    edit(study_folder, "      - image: image", "      - image: image\n      - text: story")
    (complaint,) = complaints(study_folder)
    assert complaint.path == "sections[0].show[1]"
    assert "holds 1,000,001 characters, and a page shows at most 1,000,000" in complaint.sentence


@pytest.mark.parametrize(
    ("old", "new", "path", "says"),
    [
        ("quorate: 1\n", "quorate: 2\n", "quorate", "2 should be 1"),
        ("title: Visual pun recognition\n", "", "title", "this is missing"),
        ("title: Visual pun recognition", "title: {en: 5}", "title.en", "should be a text, not 5."),
        ("title: Visual pun recognition", "title: 5", "title", "should be a text, not 5."),
        ("id: image_id\n  it", "id: [image_id, 3]\n  it", "items.id[1]", "should be a text, not 3."),
        ("sample: {n: 8}", "sample: {n: 0}", "items.sample.n", "greater than or equal to 1"),
        ("  - id: recognise", "  - id: re cognise", "sections[0].id", "a letter, then letters, digits or _"),
        ("      - image: image", "      - picture: image", "sections[0].show[0].picture", "there is no key 'picture'"),
        ("      - image: image", "      - {}", "sections[0].show[0]", "needs exactly one kind (image,"),
        ("    ask:\n", "    ask: []\n    asked:\n", "sections[0].ask", "at least 1 item"),
        ("image_id, n: 2", "image_id, n: 20", "raters.practice.n", "20 items, and practice.csv has 3"),
        ("explanation: explanation", "explanation: reason", "raters.practice.explanation", "no field 'reason'"),
        ("roster: 3", "roster:", "raters.roster", ""),
        ("raters:\n  per", "rates:\n  per", "rates", "Did you mean 'raters'?"),
        ("  bands: half", "  verdict: {majority: 1 of 3}\n  bands: half", "analysis.verdict.majority", "2 of 3"),
    ],
)
def test_a_mistake_is_told_at_its_place(study_folder: Path, old: str, new: str, path: str, says: str) -> None:
    edit(study_folder, old, new)
    if not says:
        assert load(study_folder).raters.roster is None  # an empty key is a key that is left out
        return
    found = complaints(study_folder)
    assert any(c.path == path and says in c.sentence for c in found), "\n".join(map(str, found))


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("quorate: 1\ntitle: [open\nseed: 3\n", 3, ""),
        ("quorate: 1\n\ttitle: x\n", 2, "tab"),
        ("quorate: 1\ntitle: x\ntitle: y\n", 3, 'duplicate key "title"'),
        ("- quorate\n", 1, "a study file is a list of keys and values"),
        ("", 1, "a study file is a list of keys and values"),
    ],
)
def test_a_file_that_is_not_yaml_is_told_with_its_line(study_folder: Path, text: str, line: int, says: str) -> None:
    (study_folder / "study.yaml").write_text(text)
    (found,) = complaints(study_folder)
    assert (found.file, found.line) == ("study.yaml", line)
    assert says in found.sentence
    assert "\n" not in str(found)


def test_a_folder_without_a_study_file_says_how_to_make_one(tmp_path: Path) -> None:
    (found,) = complaints(tmp_path)
    assert "quorate new" in found.sentence


def test_a_study_file_in_a_broken_encoding_is_told_with_its_line(study_folder: Path) -> None:
    path = study_folder / "study.yaml"
    path.write_bytes(path.read_bytes().replace(b"Visual", b"Visu\xe9\x81l"))
    (found,) = complaints(study_folder)
    assert "line 2: byte 0xe9 is not UTF-8" in found.sentence


def test_a_study_file_with_a_mark_or_in_utf_16_reads_the_same(study_folder: Path) -> None:
    before = load(study_folder).collection_hash
    path = study_folder / "study.yaml"
    text = path.read_text()
    for encoding in ("utf-8-sig", "utf-16"):
        path.write_text(text, encoding=encoding)
        assert load(study_folder).collection_hash == before


def test_merged_keys_are_read_and_complained_about(study_folder: Path) -> None:
    edit(study_folder, "quorate: 1\n", "quorate: 1\nexport: &names {item_idd: x}\n")
    edit(study_folder, "export:\n  item_id: image_id\n  fields: [idiom_id, target_idiom]\n", "")
    edit(study_folder, "compare: {judge: mllm}", "compare: {<<: *names, judge: mllm}")
    found = complaints(study_folder)
    assert {c.path for c in found} == {"export.item_idd", "analysis.compare.item_idd"}


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_what_is_no_file_is_not_read_as_one(study_folder: Path, make: Callable[[Path], None]) -> None:
    (study_folder / "idioms.csv").unlink()
    make(study_folder / "idioms.csv")
    (found,) = complaints(study_folder)
    assert found.sentence.startswith("'idioms.csv' is a folder, or something else that is no file.")


@pytest.mark.parametrize("name", ["idioms.csv", "consent.md", "idiom_variants.json", "practice.csv"])
def test_a_missing_file_is_named_where_the_study_file_names_it(study_folder: Path, name: str) -> None:
    (study_folder / name).unlink()
    (found,) = complaints(study_folder)
    assert found.line == line_of(study_folder, name)
    assert f"there is no file '{name}'" in found.sentence


def test_a_field_that_practice_alone_lacks_is_told_of_its_table(study_folder: Path) -> None:
    edit(study_folder, "target_idiom", "target", "practice.csv")
    (found,) = complaints(study_folder)
    assert "items have no field 'target_idiom' (practice.csv). Did you mean 'target'?" in found.sentence


@pytest.mark.parametrize("name", ["idioms.csv", "consent.md", "practice.csv", "debrief.md"])
def test_a_file_in_a_broken_encoding_is_named_with_its_line(study_folder: Path, name: str) -> None:
    path = study_folder / name
    path.write_bytes(path.read_bytes() + b"\xe9\x81\n")
    (found,) = complaints(study_folder)
    assert found.line == line_of(study_folder, name)
    last = len(path.read_bytes().splitlines())
    assert f"{name}: line {last}: byte 0xe9 is not UTF-8" in found.sentence


def test_variants_may_have_a_mark_but_not_another_shape(study_folder: Path) -> None:
    path = study_folder / "idiom_variants.json"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert load(study_folder)
    path.write_text(json.dumps({idiom(1): "not a list"}))
    (found,) = complaints(study_folder)
    assert "idiom_variants.json should hold {form: [other forms]}" in found.sentence


@pytest.mark.parametrize("name", ["../outside.md", "/etc/hostname", "images/../../outside.md"])
def test_a_file_outside_the_folder_is_refused(study_folder: Path, name: str) -> None:
    (study_folder.parent / "outside.md").write_text("text")
    edit(study_folder, "consent: consent.md", f"consent: {name}")
    (found,) = complaints(study_folder)
    assert "is outside the study's folder" in found.sentence


def test_a_picture_outside_the_folder_is_refused(study_folder: Path) -> None:
    (study_folder.parent / "secret.png").write_bytes((study_folder / "images/0000_1.png").read_bytes())
    edit(study_folder, "images/0001_1.png", "../secret.png", "idioms.csv")
    (found,) = complaints(study_folder)
    assert "item 'img_0001': '../secret.png' is outside the study's folder." in found.sentence


def test_missing_pictures_are_counted(study_folder: Path) -> None:
    for number in (1, 2, 3):
        edit(study_folder, f"images/{number:04d}_1.png", f"images/gone_{number}.png", "idioms.csv")
    (found,) = complaints(study_folder)
    assert found.path == "sections[0].show[0]"
    assert "item 'img_0001': there is no file 'images/gone_1.png' (and 2 more)." in found.sentence


def test_every_duplicate_id_is_named_with_both_lines(study_folder: Path) -> None:
    edit(study_folder, "  iteration: iteration\n", "")
    found = complaints(study_folder)
    # Items 0, 5 and 10 have two iterations each.
    assert [(c.file, c.line) for c in found] == [("idioms.csv", 3), ("idioms.csv", 9), ("idioms.csv", 15)]
    assert "'img_0000' stands on line 2 already" in found[0].sentence


def test_one_iteration_of_an_item_may_not_stand_twice(study_folder: Path) -> None:
    lines = (study_folder / "idioms.csv").read_text().splitlines()
    (study_folder / "idioms.csv").write_text("\n".join([*lines, lines[1]]) + "\n")
    (found,) = complaints(study_folder)
    assert found.line == len(lines) + 1
    assert "this iteration of 'img_0000' stands on line 2 already" in found.sentence


def test_a_row_without_an_id_and_an_iteration_without_a_number_are_named(study_folder: Path) -> None:
    edit(study_folder, "img_0001", "", "idioms.csv")
    edit(study_folder, f"{idiom(2)},1", f"{idiom(2)},one", "idioms.csv")
    found = complaints(study_folder)
    assert [(c.line, c.sentence) for c in found] == [
        (4, "this row has no id."),
        (5, "'one' is not the number of an iteration."),
    ]


@pytest.mark.parametrize(("name", "says"), [("idioms.csv", "nothing to rate"), ("practice.csv", "nothing to rate")])
def test_an_empty_table_is_told(study_folder: Path, name: str, says: str) -> None:
    path = study_folder / name
    path.write_text(path.read_text().splitlines()[0] + "\n")
    (found,) = complaints(study_folder)
    assert f"{name} has no rows: there is {says}." in found.sentence


def test_an_empty_target_is_told(study_folder: Path) -> None:
    edit(study_folder, f",{idiom(3)},", ",,", "idioms.csv")
    (found,) = complaints(study_folder)
    assert "item 'img_0003' has no right answer: its target is empty." in found.sentence


def test_json_lines_that_leave_out_a_field_have_it_empty(study_folder: Path) -> None:
    rows = [
        {"image_id": f"i{k}", "image": "images/0000_1.png", "target_idiom": idiom(k), "idiom_id": k} for k in range(9)
    ]
    rows[0]["mllm_response"] = "out of the blue"
    (study_folder / "idioms.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    edit(study_folder, "from: idioms.csv", "from: idioms.jsonl")
    edit(study_folder, "  iteration: iteration\n", "")
    assert [item["mllm_response"] for item in load(study_folder).pool[:2]] == ["out of the blue", None]


def test_a_grid_needs_pictures(study_folder: Path) -> None:
    edit(study_folder, "- image: image", "- text: target_idiom")
    found = complaints(study_folder)
    assert any("a grid needs pictures" in c.sentence for c in found)


def test_sections_and_questions_have_names_of_their_own(study_folder: Path) -> None:
    text = (study_folder / "study.yaml").read_text()
    section = text[text.index("  - id: recognise") : text.index("raters:\n")]
    question = section[section.index("      - id: idiom") : section.index("    hide:")]
    (study_folder / "study.yaml").write_text(text.replace(section, section + section.replace(question, question * 2)))
    found = complaints(study_folder)
    assert any("two sections are named 'recognise'" in c.sentence for c in found)
    assert any("two questions of this section are named 'idiom'" in c.sentence for c in found)


def test_an_unknown_key_of_items_does_not_make_the_table_look_wrong(study_folder: Path) -> None:
    edit(study_folder, "  iteration: iteration\n", "  iteraton: iteration\n")
    (found,) = complaints(study_folder)
    assert "Did you mean 'iteration'?" in found.sentence


def test_a_bad_study_is_left_as_it_was(study_folder: Path) -> None:
    edit(study_folder, "seed: 42", "sead: 42")
    edit(study_folder, "image: image", "image: imgae")
    before = contents(study_folder)
    complaints(study_folder)
    assert contents(study_folder) == before


def test_reading_a_study_writes_nothing(study_folder: Path) -> None:
    before = contents(study_folder)
    load(study_folder)
    assert contents(study_folder) == before


def test_the_protocol_cannot_be_changed(study_folder: Path) -> None:
    protocol = load(study_folder)
    with pytest.raises(Exception, match="frozen"):
        protocol.file.seed = 3
    with pytest.raises(Exception, match="cannot assign"):
        protocol.pool = ()  # type: ignore[misc]


def test_the_same_study_in_another_folder_has_the_same_hashes(study_folder: Path, tmp_path: Path) -> None:
    one, other = load(study_folder), load(visual_puns(tmp_path / "elsewhere"))
    assert (one.collection_hash, one.analysis_hash) == (other.collection_hash, other.analysis_hash)


def test_an_edit_of_the_analysis_leaves_the_collection_hash_alone(study_folder: Path) -> None:
    before = load(study_folder)
    edit(study_folder, "bands: half-open", "bands: published")
    after = load(study_folder)
    assert after.collection_hash == before.collection_hash
    assert after.analysis_hash != before.analysis_hash


def test_comments_and_the_order_of_keys_change_no_hash(study_folder: Path) -> None:
    before = load(study_folder)
    edit(
        study_folder,
        "title: Visual pun recognition\nseed: 42\n",
        "# a remark\nseed: 42  # why\n\ntitle: Visual pun recognition\n",
    )
    edit(study_folder, "  per_item: 3\n  roster: 3\n", "  roster: 3\n  per_item: 3\n")
    after = load(study_folder)
    assert (after.collection_hash, after.analysis_hash) == (before.collection_hash, before.analysis_hash)


@pytest.mark.parametrize("name", ["idioms.csv", "practice.csv", "consent.md", "instructions.md", "debrief.md"])
def test_a_changed_file_changes_the_collection_hash(study_folder: Path, name: str) -> None:
    before = load(study_folder)
    path = study_folder / name
    text = path.read_text()
    changed = text.replace("The text", "A text").replace("idiom 1", "idiom 7").replace("kite", "kyte")
    assert changed != text
    path.write_text(changed)
    after = load(study_folder)
    assert after.collection_hash != before.collection_hash
    assert after.analysis_hash == before.analysis_hash


def test_a_changed_seed_changes_the_collection_hash(study_folder: Path) -> None:
    before = load(study_folder)
    edit(study_folder, "seed: 42", "seed: 43")
    assert load(study_folder).collection_hash != before.collection_hash


def test_the_published_schema_names_every_key_of_a_study_file(study_folder: Path) -> None:
    schema = json_schema()
    assert {"quorate", "title", "items", "sections", "raters", "analysis"} <= set(schema["properties"])
    assert schema["additionalProperties"] is False
    json.dumps(schema)
