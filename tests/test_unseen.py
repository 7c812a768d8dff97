"""Studies that no template knows are written in YAML alone, and go the whole way through the commands."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent / "unseen"))

from made import SYSTEMS, listening, mushra, side_by_side
from odd import PAIR, TEXT, made, pairs, rows

from quorate.analyse import analyse
from quorate.audit import audit
from quorate.protocol.method import check_method
from quorate.report.data import data_files
from quorate.report.page import make_page
from quorate.study import Study
from quorate.verify.bundle import verify_bundle
from quorate.verify.printed import misprints
from republished import follows

MADE = {"listening": listening, "mushra": mushra, "side_by_side": side_by_side}


@pytest.fixture(scope="module")
def rehearsed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Study]]:
    """Each of them, with the answers of a rehearsal."""
    studies = {name: Study(make(tmp_path_factory.mktemp("unseen") / name)) for name, make in MADE.items()}
    for study in studies.values():
        study.rehearse(seed=1)
    yield studies
    for study in studies.values():
        study.close()


@pytest.mark.parametrize("name", MADE)
def test_a_study_in_yaml_alone_goes_the_whole_way(name: str, rehearsed: dict[str, Study], tmp_path: Path) -> None:
    study = rehearsed[name]
    assert check_method(study.protocol) == ()
    assert study.report(formats=("html", "md"))
    found = verify_bundle(study.bundle(tmp_path / "study.zip"))
    assert found.ok, str(found)
    told = audit(study.folder)
    assert told.ok, str(told)


def test_the_hidden_reference_and_the_anchor_are_systems_of_the_breakdown(rehearsed: dict[str, Study]) -> None:
    study = rehearsed["listening"]
    results = analyse(study.protocol, study.collected())
    strata = {
        finding.stratum for finding in results.findings if finding.by == "system" and finding.question == "quality"
    }
    assert strata == {"reference", "codec_a", "codec_b", "anchor"}


def test_whether_x_was_recognised_is_counted_item_by_item(rehearsed: dict[str, Study]) -> None:
    study = rehearsed["listening"]
    collected = study.collected()
    results = analyse(study.protocol, collected)
    right = {item.id: item["x_is"] for item in collected.items}
    said = [answer for answer in collected.answers if answer.question == "same"]
    counted = {f.statistic: f.counted for f in results.select(inquiry="accuracy", question="same", by="")}
    assert counted["individual accuracy"] == (sum(a.value == right[a.item] for a in said), len(said))
    verdicts = [v for v in results.verdicts if v.question == "same" and v.value is not None]
    assert counted["majority accuracy"] == (sum(v.value == right[v.item] for v in verdicts), len(verdicts))


def test_the_right_one_of_two_is_blind(rehearsed: dict[str, Study]) -> None:
    protocol = rehearsed["listening"].protocol
    assert {"x_is", "system"} <= set(protocol.blind_fields(protocol.section("abx")))


def test_every_sound_of_a_set_has_a_mean_and_a_difference_from_every_other(rehearsed: dict[str, Study]) -> None:
    study = rehearsed["mushra"]
    collected = study.collected()
    results = analyse(study.protocol, collected)
    found = {
        finding.id.split("quality.", 1)[1]
        for finding in results.findings
        if not finding.by and "quality." in finding.id
    }
    assert {f"mean.{system}" for system in SYSTEMS} <= found
    assert sum(name.startswith("difference.") for name in found) == 6


def test_each_sound_of_a_set_stands_at_each_place_equally_often(rehearsed: dict[str, Study]) -> None:
    study = rehearsed["mushra"]
    n_raters = study.protocol.raters.per_item
    for item in study.plan.items:
        stood = [slot.shown.sides for slot in study.plan.slots if slot.item == item.id]
        assert len(stood) == n_raters == len(SYSTEMS)
        for side in ("a", "b", "c", "d"):
            assert {sides[side] for sides in stood} == set(SYSTEMS)


def test_the_data_say_where_each_sound_of_a_set_stood(rehearsed: dict[str, Study]) -> None:
    study = rehearsed["mushra"]
    collected = study.collected()
    rows = data_files(study.protocol, collected, analyse(study.protocol, collected))["presentations.csv"].splitlines()
    assert rows[0] == "section,item,annotator_id,position,seconds,a,b,c,d"
    assert {frozenset(row.split(",")[5:]) for row in rows[1:]} == {frozenset(SYSTEMS)}


@pytest.mark.parametrize("name", MADE)
def test_the_published_script_finds_every_number_again(name: str, rehearsed: dict[str, Study], tmp_path: Path) -> None:
    assert follows(rehearsed[name].protocol, rehearsed[name].collected(), tmp_path / "paper")


def test_the_first_screen_names_the_section_that_each_sentence_is_of(rehearsed: dict[str, Study]) -> None:
    study = rehearsed["listening"]
    collected = study.collected()
    told = make_page(study.protocol, collected, analyse(study.protocol, collected)).in_short
    assert [str(one).split(":")[0] for one in told] == ["In “How good does it sound?”", "In “Which one is it?”"]


def test_differences_that_too_few_items_have_no_test_of_print_no_empty_one(tmp_path: Path) -> None:
    rate = {"id": "good", "rating": {"prompt": "How good?", "points": [1, 2, 3, 4, 5], "each": "side"}}
    folder = made(
        tmp_path / "few", "Few of each pair", pairs(12, ("a", "b", "c")),
        [{"id": "rate", "show": PAIR, "ask": [rate]}], {"per_item": 5, "roster": 5},
        analysis={"population": {"raters": "new"}, "hypotheses": []},
    )  # fmt: skip
    with Study(folder) as study:
        study.rehearse(seed=1)
        study.report(formats=("html",))
    page = (folder / "report" / "report.html").read_text(encoding="utf-8")
    results = json.loads((folder / "report" / "results.json").read_text(encoding="utf-8"))
    assert [str(one) for one in misprints(page, results)] == []
    assert "differences_new_raters" not in page
    assert "An interval takes at least 5 raters and 20 items" in page
    drawn = page.partition("The mean rating of each system on “How good?”. ")[2].partition("</figcaption>")[0]
    assert drawn
    assert "Lines are intervals" not in drawn


def test_a_mean_that_counts_strata_the_same_is_not_said_to_speak_of_new_raters(tmp_path: Path) -> None:
    ask = [{"id": "mos", "rating": {"prompt": "How natural is it?", "points": [1, 2, 3, 4, 5]}}]
    folder = made(
        tmp_path / "mos", "Means", rows(24, system=lambda k: ("C", "C++", "C#")[k % 3]),
        [{"id": "hear", "show": TEXT, "ask": ask}], {"per_item": 5, "roster": 5},
        analysis={"by": "system", "population": {"raters": "new"}, "hypotheses": []},
    )  # fmt: skip
    with Study(folder) as study:
        study.rehearse(seed=1)
        known = [one for one in study.results().findings if one.estimate.low is not None]
        study.report(formats=("html",))
    assert [one.of_new_raters for one in known if one.statistic == "mean of means"] == [False]
    page = (folder / "report" / "report.html").read_text(encoding="utf-8")
    assert "those of means that count every stratum the same, speak of these raters" in page
    assert "those of means that count every stratum the same, of these raters" in page
