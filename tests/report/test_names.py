"""A study whose systems, strata and raters have names that end ids, sentences, cells and tags; its numbers by hand."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from quorate.analyse import analyse
from quorate.exhibits.tables import Table, scoped
from quorate.findings.ids import id_of, names_of
from quorate.findings.results import Results
from quorate.records import Collected
from quorate.report.data import data_files
from quorate.report.html import html
from quorate.report.page import Page, make_page
from quorate.study import Study
from republished import follows

SYSTEMS = (
    *(
        "gpt-4.1",
        "claude 3.5, tuned",
        "llama.by.meta",
        'a<b>&"q"',
        "\U0001f642 against \U0001f642.1",
        "שלום",
        "文心一言",
    ),
    *("x", "L" * 80),
)
NAMED = {"fluent": "How fluent: is it, overall?", "overall": "Overall"}
LANGUAGES, SIZES = ("C", "C++", "C#"), ("≥ 10", "< 10", "10")
RATERS = {"R1": "Dr. A, (lab.1)", "R2": "rater.R1", "R3": "é <i>"}

STUDY = """\
quorate: 1
title: Names
seed: 7
items: {from: items.csv, id: id}
sections:
  - id: code
    show:
      - pair: {text: {}, systems: [one, other], outputs: [first, second]}
    ask:
      - {id: fluent, rating: {prompt: "How fluent: is it, overall?", points: [0, 1, 2]}}
      - {id: overall, rating: {prompt: Overall, points: [0, 1, 2]}}
      - {id: better, winner: {prompt: Which is better?, tie: true}}
raters: {per_item: 3, roster: 3, consent: text.md, instructions: text.md}
export: {item_id: id, fields: [lang, size]}
analysis: {by: [lang, size, lang]}
"""


def make(folder: Path) -> Path:
    folder.mkdir()
    pairs = list(combinations(SYSTEMS, 2))
    with (folder / "items.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "lang", "size", "one", "other", "first", "second"])
        for k in range(72):
            one, other = pairs[k % len(pairs)]
            writer.writerow([f"i{k}", LANGUAGES[k % 3], SIZES[k // 3 % 3], one, other, f"text {k}", f"words {k}"])
    (folder / "text.md").write_text("# Text\n\nPlease read.\n")
    (folder / "study.yaml").write_text(STUDY, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    opened = Study(make(tmp_path_factory.mktemp("names") / "study"))
    opened.rehearse(seed=5)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def collected(study: Study) -> Collected:
    """What came in, with the raters' names as a file may have them."""
    found = study.collected()
    answers = tuple(replace(answer, rater=RATERS[answer.rater]) for answer in found.answers)
    people = tuple(replace(person, rater=RATERS[person.rater]) for person in found.participants)
    return replace(found, answers=answers, participants=people, evidence=())


@pytest.fixture(scope="module")
def results(study: Study, collected: Collected) -> Results:
    return analyse(study.protocol, collected)


@pytest.fixture(scope="module")
def page(study: Study, collected: Collected, results: Results) -> Page:
    return make_page(study.protocol, collected, results)


@pytest.fixture(scope="module")
def raw(study: Study, collected: Collected, results: Results) -> list[dict[str, str]]:
    """The published rows, with the systems of each item from the items' own table."""
    text = data_files(study.protocol, collected, results)["annotations_raw.csv"]
    items = {row["id"]: row for row in csv.DictReader((study.folder / "items.csv").open(encoding="utf-8"))}
    return [{**items[row["id"]], **row} for row in csv.DictReader(io.StringIO(text))]


def table(page: Page, key: str) -> dict[tuple[str, ...], dict[str, str]]:
    """A table of the report: what heads a row, and the text of each of its cells by column."""
    found = next(block for chapter in page.chapters for block in chapter.blocks
                 if isinstance(block, Table) and block.key == key)  # fmt: skip
    heads = [place for place in range(len(found.columns)) if place not in found.numeric]
    return {
        tuple(row[place].text for place in heads): {
            column: cell.text for column, cell in zip(found.columns, row, strict=True)
        }
        for row in found.rows
    }


def means(raw: list[dict[str, str]], question: str, **where: str) -> str:
    """The mean over items of the mean over raters, as the report prints one."""
    by_item: dict[str, list[float]] = defaultdict(list)
    for row in raw:
        if row["question"] == question and all(row[name] == value for name, value in where.items()):
            by_item[row["id"]].append(float(row["response_normalized"]))
    each = [sum(values) / len(values) for values in by_item.values()]
    return f"{sum(each) / len(each):.2f}"


def share(hits: int, of: int) -> str:
    return f"{100 * hits / of:.1f}%"


def wins(raw: list[dict[str, str]], pair: tuple[str, str], **where: str) -> str:
    """In which share of the ratings of a pair its first system won, ties in the denominator."""
    mine = [row["response_normalized"] for row in raw if row["question"] == "better"
            and {row["one"], row["other"]} == set(pair) and all(row[n] == v for n, v in where.items())]  # fmt: skip
    return share(mine.count(pair[0]), len(mine))


@pytest.mark.parametrize(("by", "strata"), [("lang", LANGUAGES), ("size", SIZES)])
def test_every_stratum_is_printed_with_its_own_mean(
    page: Page, raw: list[dict[str, str]], by: str, strata: tuple[str, ...]
) -> None:
    rows = table(page, f"scores_by_{by}")
    for question, name in NAMED.items():
        for stratum in strata:
            assert rows[stratum,][name] == means(raw, question, **{by: stratum}), (question, stratum)
        assert rows["All items",][name] == means(raw, question)
    assert len({rows[stratum,][NAMED["fluent"]] for stratum in strata}) > 1, (
        "the strata have to differ, or nothing is shown"
    )


def test_every_pair_is_printed_whole_with_its_own_wins(page: Page, raw: list[dict[str, str]]) -> None:
    rows = table(page, "preference")
    pairs = [tuple(sorted(pair)) for pair in combinations(SYSTEMS, 2)]
    assert set(rows) == set(pairs)
    for pair in pairs:
        assert rows[pair]["RSR by rating"] == wins(raw, pair), pair
    assert len({row["RSR by rating"] for row in rows.values()}) > 3


def test_every_pair_of_every_stratum_is_printed_with_its_own_wins(page: Page, raw: list[dict[str, str]]) -> None:
    found = [block for chapter in page.chapters for block in chapter.blocks
             if isinstance(block, Table) and block.key.startswith("preference_better_by_size")]  # fmt: skip
    assert all(one.columns[:4] == ("Size", "System", "Against", "Success rate (RSR)") for one in found)
    rows = [row for one in found for row in one.rows]
    for size, first, second, rate, *_ in rows:
        assert rate.text == wins(raw, (first.text, second.text), size=size.text), (size.text, first.text, second.text)
    there = {(row["size"], *sorted((row["one"], row["other"]))) for row in raw}
    assert {tuple(cell.text for cell in row[:3]) for row in rows} == there


def test_a_rater_has_a_column_for_each_question(page: Page, raw: list[dict[str, str]]) -> None:
    rows = table(page, "rater_checks")
    said = {(row["question"], row["id"], row["annotator_id"]): row["response_normalized"] for row in raw}
    assert set(rows) == {(name,) for name in RATERS.values()}
    for question in ("fluent", "overall", "better"):
        for name in RATERS.values():
            others = [other for other in RATERS.values() if other != name]
            same = [
                sum(said[question, f"i{k}", other] == said[question, f"i{k}", name] for other in others) / len(others)
                for k in range(72)
            ]
            column = f"Agreement with the others: {question.capitalize()}"
            assert rows[name,][column] == f"{100 * sum(same) / len(same):.1f}%", (question, name)


def test_sentences_name_systems_and_raters_whole(page: Page, results: Results) -> None:
    first = max(results.select(statistic="bradley terry"), key=lambda f: f.estimate.value or 0.0)
    assert any(f"“{first.systems[0]}” (log-strength " in line for line in page.in_short)
    assert all(set(f.raters) <= set(RATERS.values()) for f in results)
    assert all(set(f.systems) <= set(SYSTEMS) for f in results)


def test_ids_hold_every_name_and_are_readable_where_names_are(results: Results) -> None:
    assert len({f.id for f in results}) == len(results.findings) > 500
    for f in results:
        start = (f.section, f.question)
        assert names_of(f.id)[:2] == start
        assert not f.by or names_of(f.id)[-3:] == ("by", f.by, f.stratum)
    found = results["code.better.success_rate.rating.gpt-4%2E1.llama%2Eby%2Emeta"]
    assert found.systems == ("gpt-4.1", "llama.by.meta")
    assert results["code.fluent.mean"].title == "How fluent: is it, overall?"
    with pytest.raises(KeyError, match=r"Did you mean 'code.fluent.mean'"):
        results["code.fluent.meen"]


@pytest.mark.parametrize(
    "names", [("a.b", "c"), ("a", "b.c"), ("", ""), ("%", "%2E"), ("C++", "C"), ("≥ 10", "ü_é"), ("\n", "\u202eabc")]
)
def test_an_id_gives_its_names_back(names: tuple[str, ...]) -> None:
    assert names_of(id_of(*names)) == names


def test_two_findings_with_one_id_are_an_error(results: Results) -> None:
    with pytest.raises(ValueError, match="two findings have one id"):
        replace(results, findings=(*results.findings, results.findings[0]))


def test_what_is_published_names_systems_in_fields(study: Study, collected: Collected, results: Results) -> None:
    entries: list[dict[str, Any]] = json.loads(data_files(study.protocol, collected, results)["results.json"])[
        "estimates"
    ]
    pairs = {tuple(one["systems"]) for one in entries if one["statistic"] == "sign test"}
    assert pairs == {tuple(sorted(pair)) for pair in combinations(SYSTEMS, 2)}


def test_no_name_becomes_markup(page: Page) -> None:
    text = html(page)
    assert "a<b>" not in text
    assert "é <i>" not in text
    assert "a&lt;b&gt;" in text


def test_a_field_s_name_never_leads_out_of_the_folder() -> None:
    for name in ("../../x", "a/b", "a b", "C:\\x", "x.y"):
        assert re.fullmatch(r"[\w=-]+", scoped(f"scores_by_{name}", None)), name
    assert scoped("scores_by_lang", "rate") == "rate_scores_by_lang"


def test_the_published_script_finds_every_number_again(study: Study, collected: Collected, tmp_path: Path) -> None:
    assert follows(study.protocol, collected, tmp_path / "paper")
