"""How often each answer was given is told where none of the options is right."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent.parent / "unseen"))

from odd import TEXT, made, rows, safety_audit, two_without_a_third

from inquiries.telling import english_in, parts, texts
from quorate.analyse import analyse
from quorate.inquiries.rates import Rates
from quorate.messages import said
from quorate.study import Study
from republished import follows


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    made = Study(two_without_a_third(tmp_path / "study"))
    made.rehearse(seed=3)
    yield made
    made.close()


def test_the_share_of_every_option_is_told_of_all_answers_and_of_verdicts(study: Study) -> None:
    collected = study.collected()
    given = Counter(answer.value for answer in collected.answers)
    found = analyse(study.protocol, collected)
    for option in ("News", "Opinion", "Advert"):
        of_answers = found[f"sort.kind.rate.rating.{option}"]
        assert of_answers.counted == (given[option], given.total())
        assert of_answers.label.text() == f"What kind is it? {option}"
    verdicts = [found[f"sort.kind.rate.verdict.{option}"].counted for option in ("News", "Opinion", "Advert")]
    assert len({n for _, n in verdicts}) == 1
    assert sum(k for k, _ in verdicts) == verdicts[0][1]


def test_the_table_holds_a_row_each_and_is_said_in_both_languages(study: Study) -> None:
    told = texts(Rates(), study.protocol, study.collected())
    assert english_in(told, "What kind is it?", "News", "Opinion", "Advert") == []


def test_the_shares_are_computed_again_by_the_published_script(study: Study, tmp_path: Path) -> None:
    estimates = follows(study.protocol, study.collected(), tmp_path / "paper")
    assert "sort.kind.rate.rating.Advert" in {one["id"] for one in estimates}


def test_the_share_of_yes_is_computed_again_by_the_published_script(tmp_path: Path) -> None:
    study = Study(safety_audit(tmp_path / "study"))
    study.rehearse(seed=3)
    estimates = follows(study.protocol, study.collected(), tmp_path / "paper")
    study.close()
    assert {"audit.unsafe.rate.rating", "audit.unsafe.rate.verdict"} <= {one["id"] for one in estimates}


def test_each_option_has_its_own_share_in_every_stratum(tmp_path: Path) -> None:
    kinds = [{"id": "kind", "choice": {"prompt": "What kind is it?", "options": ["News", "Opinion", "Advert"]}}]
    items = rows(8, lang=lambda k: ("C", "C++")[k % 2])
    sections = [{"id": "sort", "show": TEXT, "ask": kinds}]
    raters = {"per_item": 2, "roster": 2}
    made_of = made(tmp_path / "study", "By", items, sections, raters, analysis={"by": "lang", "hypotheses": []})
    study = Study(made_of)
    study.rehearse(seed=3)
    protocol, collected = study.protocol, study.collected()
    study.close()
    results = analyse(protocol, collected)
    (part,) = parts(protocol, collected, results)
    (table,) = [one for one in Rates().exhibits(part) if "kind_by_lang" in one.key]
    assert [said(column) for column in table.columns] == ["Lang", "News", "Opinion", "Advert"]
    assert [said(row[0].text) for row in table.rows] == ["C", "C++"]
    for row in table.rows:
        found = [results[cell.id] for cell in row[1:]]
        assert [one.what for one in found] == ["News", "Opinion", "Advert"]
        assert {one.stratum for one in found} == {row[0].text}
