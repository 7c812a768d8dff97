"""Which items are used: drawn by the seed, without what raters meet before the work."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from quorate.collect.opening import before_opening
from quorate.errors import PlanError, StudyFileError
from quorate.plan import allowed_items, lost_draw, sample_items
from quorate.protocol import Protocol, load
from quorate.protocol.method import check_method
from studies import idiom, visual_puns


def edited(folder: Path, **changes: str) -> Protocol:
    """The study with some of its settings changed."""
    path = folder / "study.yaml"
    text = path.read_text()
    known = {
        "sample": r"(  exclude: .*\n)?  sample: .*\n",
        "take": "  iteration: iteration\n",
        "seed": "seed: 42\n",
    }
    for name, new in changes.items():
        assert re.search(known[name], text)
        text = re.sub(known[name], lambda _, new=new: new, text)  # type: ignore[misc]
    path.write_text(text)
    return load(folder)


def ids(protocol: Protocol) -> list[str]:
    return [item.id for item in sample_items(protocol)]


def test_the_sample_is_in_the_pools_order_and_has_the_stated_size(study_folder: Path) -> None:
    protocol = load(study_folder)
    drawn = ids(protocol)
    assert len(drawn) == 8
    assert drawn == sorted(drawn)
    assert set(drawn) < {item.id for item in protocol.pool}


def test_one_hundred_of_one_thousand_are_drawn(tmp_path: Path) -> None:
    protocol = load(visual_puns(tmp_path / "study", pool=1000, n=100, size=24))
    assert len(protocol.pool) == 1000
    assert len(set(ids(protocol))) == 100


def test_the_published_recipe_draws_what_python_draws(tmp_path: Path) -> None:
    folder = visual_puns(tmp_path / "study", pool=1000, n=8, size=24)
    protocol = edited(folder, sample="  sample: {n: 100, method: python random}\n")
    random.seed(42)
    all_idiom_ids = list(range(1000))
    sampled_ids = sorted(random.sample(all_idiom_ids, 100))
    assert [int(item["idiom_id"]) for item in sample_items(protocol)] == sampled_ids


def test_another_seed_draws_other_items(study_folder: Path) -> None:
    before = ids(load(study_folder))
    assert ids(edited(study_folder, seed="seed: 43\n")) != before


def test_a_published_draw_is_kept_whole_or_without_what_is_excluded(tmp_path: Path) -> None:
    folder = visual_puns(tmp_path / "study", pool=200, n=20, size=24)
    pool = [item.id for item in load(folder).pool]
    random.seed(42)
    published = [pool[k] for k in sorted(random.sample(range(200), 20))]
    hit, beside = published[3], next(id for id in pool[:100] if id not in published)
    excluded = f"[{idiom(pool.index(hit))!r}, {idiom(pool.index(beside))!r}]"
    rule = "  exclude: {{field: target_idiom, values: {}, practice: false}}\n"
    rule += "  sample: {{n: 20, method: python random{}}}\n"

    kept = edited(folder, sample=rule.format(excluded, ", collisions: kept"))
    assert ids(kept) == published
    (advice,) = (one for one in check_method(kept) if one.rule == "published-draw-collides")
    assert f"'{hit}' ('{idiom(pool.index(hit))}')" in advice.what
    assert beside not in advice.what

    dropped = edited(folder, sample=rule.format(excluded, ", collisions: dropped"))
    assert ids(dropped) == [id for id in published if id != hit]
    assert lost_draw(kept) == lost_draw(dropped) == ""
    assert before_opening(dropped) == ()


def test_a_published_draw_is_not_lost_in_silence(tmp_path: Path) -> None:
    folder = visual_puns(tmp_path / "study", pool=200, n=20, size=24)
    rule = "  exclude: {{field: target_idiom, values: [{!r}], practice: false}}\n"
    rule += "  sample: {{n: 20, method: python random{}}}\n"
    whole = edited(folder, sample="  sample: {n: 20, method: python random}\n")
    published = ids(whole)
    assert lost_draw(whole) == ""
    first = next(item for item in whole.pool if item.id not in published)
    silent = edited(folder, sample=rule.format(first["target_idiom"], ""))
    now = ids(silent)
    other = len(set(published) - set(now))
    assert other > 5, "another index for every item behind"
    (complaint,) = before_opening(silent)
    line = (folder / "study.yaml").read_text().splitlines()[complaint.line - 1]
    assert (complaint.path, "method: python random" in line) == ("items.sample.method", True)
    assert f"'{first.id}' out of the pool" in complaint.sentence
    assert f"{other} of the 20 published items are not drawn" in complaint.sentence
    assert "holds none of those excluded" in complaint.sentence
    said = edited(folder, sample=rule.format(first["target_idiom"], ", collisions: redrawn"))
    assert ids(said) == now
    assert before_opening(said) == ()


def test_without_a_sample_the_whole_pool_is_used(study_folder: Path) -> None:
    assert len(ids(edited(study_folder, sample=""))) == 12


def test_what_is_left_of_a_pool_keeps_its_place_in_the_draw(study_folder: Path) -> None:
    before = ids(load(study_folder))
    rows = (study_folder / "idioms.csv").read_text().splitlines()
    gone = next(item.id for item in load(study_folder).pool if item.id not in before)
    (study_folder / "idioms.csv").write_text("\n".join(row for row in rows if not row.startswith(gone)) + "\n")
    assert ids(load(study_folder)) == before


@pytest.mark.parametrize(("take", "expected"), [("", "2"), ("  take: last\n", "2"), ("  take: first\n", "1")])
def test_the_last_iteration_is_taken_unless_the_first_is_stated(study_folder: Path, take: str, expected: str) -> None:
    protocol = edited(study_folder, take=f"  iteration: iteration\n{take}")
    assert {item["iteration"] for item in protocol.pool if int(item["idiom_id"]) % 5 == 0} == {expected}
    assert protocol.pool[0]["image"] == f"images/0000_{expected}.png"


def test_the_last_iteration_is_the_greatest_number_and_not_the_last_row_or_text(study_folder: Path) -> None:
    path = study_folder / "idioms.csv"
    header, *rows = path.read_text().splitlines()
    ten = rows[0].replace(f"{idiom(0)},1,", f"{idiom(0)},10,")
    path.write_text("\n".join([header, ten, *rows]) + "\n")
    assert load(study_folder).pool[0]["iteration"] == "10"


def test_a_stated_iteration_is_taken_and_one_that_an_item_lacks_is_a_complaint(study_folder: Path) -> None:
    first = edited(study_folder, take="  iteration: iteration\n  take: 1\n")
    assert {item["iteration"] for item in first.pool} == {"1"}
    path = study_folder / "study.yaml"
    path.write_text(path.read_text().replace("take: 1", "take: 2"))
    with pytest.raises(StudyFileError, match=r"'img_0001' \(and 8 more\) has no iteration 2"):
        load(study_folder)


def test_instruction_and_practice_idioms_are_not_drawn_in_any_spelling(study_folder: Path) -> None:
    (study_folder / "practice.csv").write_text(
        f"image_id,target_idiom,image,explanation\np0,{idiom(4).upper()}!,images/0004_1.png,x\np1,other,images/0001_1.png,x\n"
    )
    rule = f"  exclude: {{field: target_idiom, values: ['{idiom(2).capitalize()}.']}}\n  sample: {{n: 8}}\n"
    protocol = edited(study_folder, sample=rule)
    allowed = {item["target_idiom"] for item in allowed_items(protocol)}
    assert len(allowed) == 10
    assert not allowed & {idiom(2), idiom(4)}


def test_a_practice_idiom_that_could_be_drawn_is_a_complaint(study_folder: Path) -> None:
    path = study_folder / "practice.csv"
    path.write_text(path.read_text().replace("practice idiom 1", idiom(4)))
    with pytest.raises(StudyFileError, match=r"practice\.csv:3: target_idiom: .* \(item 'img_0004'\)"):
        load(study_folder)


def test_a_pool_that_is_too_small_is_told_with_what_was_excluded(study_folder: Path) -> None:
    with pytest.raises(PlanError, match=r"items\.sample\.n is 13, and the pool has 12 items\. Lower n or add items\."):
        sample_items(edited(study_folder, sample="  sample: {n: 13}\n"))
    rule = f"  exclude: {{field: target_idiom, values: ['{idiom(2)}']}}\n  sample: {{n: 12}}\n"
    path = study_folder / "study.yaml"
    path.write_text(path.read_text().replace("  sample: {n: 13}\n", rule))
    with pytest.raises(PlanError, match=r"the pool has 11 items \(1 of 12 are excluded by the study file\)"):
        sample_items(load(study_folder))


def test_a_stratified_sample_takes_as_many_of_each_stratum(study_folder: Path) -> None:
    path = study_folder / "idioms.csv"
    header, *rows = path.read_text().splitlines()
    domains = [f"{row},{'abc'[int(row.split(',')[1]) % 3]}" for row in rows]
    path.write_text("\n".join([f"{header},domain", *domains]) + "\n")
    drawn = sample_items(edited(study_folder, sample="  sample: {n: 2, by: domain}\n"))
    assert sorted(item["domain"] for item in drawn) == ["a", "a", "b", "b", "c", "c"]
    path = study_folder / "study.yaml"
    path.write_text(path.read_text().replace("n: 2, by", "n: 5, by"))
    with pytest.raises(PlanError, match=r"too few items for items\.sample by domain: a: 4 of 5; b: 4 of 5; c: 4 of 5"):
        sample_items(load(study_folder))
