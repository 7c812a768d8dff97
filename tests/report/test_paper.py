"""The folder that a paper publishes: whole, and every number of it follows from its own rows without Quorate."""

from __future__ import annotations

import ast
import csv
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from analyse.collecting import RATERS, finished, make_protocol, simulated, written
from analyse.judging import BY_SIDE, mirrored, pairs, said, scores, triaged
from quorate.analyse import analyse
from quorate.protocol import Protocol
from quorate.records import Answer, Collected, Participant
from quorate.report import export_paper
from quorate.report.paper import script_files
from republished import follows, recomputed, run


def test_the_folder_is_the_documents_whole(protocol: Protocol, tmp_path: Path) -> None:
    collected = simulated(protocol)
    written_paths = export_paper(protocol, collected, tmp_path / "paper")
    assert {path.name for path in (tmp_path / "paper").iterdir()} == {
        *("README.md", "sampled_idioms.csv", "idiom_variants.json", "annotations_raw.csv", "annotations_summary.csv"),
        *("judge_responses.csv", "presentations.csv", "results.json", "study.json", "items.csv", "targets.csv"),
        *("analysis.py", "recompute", "images", "SHA256SUMS"),
    }
    assert {path.stem for path in (tmp_path / "paper/images").iterdir()} == {item.id for item in collected.items}
    assert all(path.is_file() for path in written_paths)
    text = (tmp_path / "paper/README.md").read_text("utf-8")
    for path in (tmp_path / "paper").iterdir():
        assert f"`{path.name}{'/' if path.is_dir() else ''}`" in text, path.name


@pytest.mark.parametrize("seed", [1, 2])
def test_the_script_finds_every_number_again_without_quorate(tmp_path: Path, seed: int) -> None:
    protocol = make_protocol(tmp_path / "study", n=40, pool=48)
    assert len(follows(protocol, simulated(protocol, seed), tmp_path / "paper")) >= 40


def test_nothing_but_python_is_in_the_script() -> None:
    for name, content in script_files():
        for node in ast.walk(ast.parse(content, name)):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            else:
                continue
            for module in names:
                first = module.partition(".")[0]
                assert first in sys.stdlib_module_names or (name, first) == ("analysis.py", "recompute"), (name, module)


def with_answers_missing(protocol: Protocol) -> Collected:
    marks = {"A1": "++-+-..+", "A2": "+--+-+..", "A3": "-+-++..."}
    return written(protocol, marks, judge="+-+-+-+-")


def with_one_excluded(protocol: Protocol) -> Collected:
    collected = simulated(protocol)
    return replace(collected, participants=(*collected.participants[:2], finished("A3", "excluded")))


def with_nobody(protocol: Protocol) -> Collected:
    return written(protocol, {})


def with_one_rater(protocol: Protocol) -> Collected:
    return written(protocol, {"A1": "++++++++"}, judge="++++++++")


def with_a_later_round(protocol: Protocol) -> Collected:
    collected = simulated(protocol)
    again = [replace(a, round=2, rater=f"B{a.rater[1:]}") for a in collected.answers if a.by == "rater"]
    people = (*collected.participants, *(Participant(f"B{k}", "finished") for k in (1, 2, 3)))
    return replace(collected, answers=(*collected.answers, *again[:15]), participants=people)


def with_a_decision(protocol: Protocol) -> Collected:
    collected = written(protocol, {"A1": "+-+-+-+-", "A2": "-+-+++++", "A3": "........"})
    first = next(answer for answer in collected.answers if answer.rater == "A1")
    raw = {"reason": "it is plain", "raw": first.raw}
    return replace(collected, answers=(*collected.answers, replace(first, by="member", rater="M1", raw=raw, seq=99)))


@pytest.mark.parametrize(
    "made",
    [with_answers_missing, with_one_excluded, with_nobody, with_one_rater, with_a_later_round, with_a_decision],
    ids=lambda made: made.__name__,
)
def test_whatever_was_collected_the_numbers_follow_from_the_rows(
    made: Callable[[Protocol], Collected], protocol: Protocol, tmp_path: Path
) -> None:
    follows(protocol, made(protocol), tmp_path / "paper")


@pytest.mark.parametrize("more", ["", ", show_score: 0.5"])
def test_what_a_judge_settled_is_found_again(tmp_path: Path, more: str) -> None:
    protocol = scores(tmp_path / "study", 60, more)
    found_first, _ = triaged(protocol, pull=0.5)
    placed = tuple(replace(answer, position=k) for k, answer in enumerate(found_first.answers, 1))
    collected = replace(found_first, answers=placed)
    found = {one["statistic"] for one in follows(protocol, collected, tmp_path / "paper") if one["value"] is not None}
    assert {"workload saved", "audited agreement", "corrected mean", "merged mean"} <= found
    assert ("anchoring" in found) == bool(more)


def test_where_a_judge_leans_is_found_again(tmp_path: Path) -> None:
    protocol = pairs(tmp_path / "study")
    answers: list[Answer] = []
    repeated = []
    for k, item in enumerate(protocol.pool):
        names = ("ours", "theirs", "tie")
        answers += [said(item.id, f"R{r}", names[(k * r) % 3], at="compare") for r in (1, 2, 3)]
        answers.append(said(item.id, "ai", names[k % 2], "judge", BY_SIDE, "compare"))
        repeated += [mirrored(item.id, names[k % 3]), mirrored(item.id, names[(k + 1) % 2], "sample 2", BY_SIDE)]
    found = {
        one["what"]
        for one in follows(protocol, Collected(protocol.pool, tuple(answers), repeated=tuple(repeated)), tmp_path / "p")
        if one["statistic"].startswith("leaning") and one["value"] is not None
    }
    assert found == {"consistent", "first", "stability", "length", "length_people", "own_kind"}


def changed(path: Path, row: int, column: str, value: str) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    rows[row][column] = value
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def test_a_summary_that_was_changed_is_named_by_its_item(protocol: Protocol, tmp_path: Path) -> None:
    collected = written(protocol, dict.fromkeys(RATERS, "++++----"))
    export_paper(protocol, collected, tmp_path)
    changed(tmp_path / "annotations_summary.csv", 0, "majority_correct", "False")
    done = run(tmp_path)
    assert done.returncode == 1
    assert f"of {collected.items[0].id} does not follow from the raw rows" in done.stdout


def test_an_answer_that_was_changed_is_named_by_every_number_that_rests_on_it(
    protocol: Protocol, tmp_path: Path
) -> None:
    export_paper(protocol, written(protocol, dict.fromkeys(RATERS, "++++----")), tmp_path)
    changed(tmp_path / "annotations_raw.csv", 0, "is_correct", "False")
    told = recomputed(tmp_path)["differ"]
    assert "annotations_raw.csv: it is not as it was published" in told
    assert any(line.startswith("recognise.idiom.individual_accuracy: the report says 0.5, and") for line in told)


def test_a_number_that_was_changed_is_named(protocol: Protocol, tmp_path: Path) -> None:
    export_paper(protocol, simulated(protocol), tmp_path)
    path = tmp_path / "results.json"
    results = json.loads(path.read_text("utf-8"))
    one: dict[str, Any] = next(one for one in results["estimates"] if one["statistic"] == "fleiss kappa")
    one["value"] += 0.01
    path.write_text(json.dumps(results), "utf-8")
    changed_file, line = recomputed(tmp_path)["differ"]
    assert changed_file == "results.json: it is not as it was published"
    assert line.startswith(f"{one['id']}: the report says {one['value']}, and the rows give ")
    done = run(tmp_path)
    assert done.returncode == 1
    assert line in done.stdout


def take_away(path: Path) -> None:
    path.unlink()


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def add_a_row(path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write("odd,row\n")


@pytest.mark.parametrize("harm", [take_away, cut, add_a_row], ids=lambda harm: harm.__name__)
def test_any_file_that_is_missing_or_changed_is_named(
    harm: Callable[[Path], None], protocol: Protocol, tmp_path: Path
) -> None:
    written_paths = export_paper(protocol, with_one_excluded(protocol), tmp_path / "paper")
    for path in written_paths:
        name = path.relative_to(tmp_path / "paper").as_posix()
        if name.endswith(".py"):
            continue  # the script cannot speak of itself
        whole = path.read_bytes()
        harm(path)
        done = run(tmp_path / "paper")
        path.write_bytes(whole)
        assert done.returncode == 1, name
        assert f"  {name}: it is " in done.stdout, (name, done.stdout[-400:], done.stderr)
    assert run(tmp_path / "paper").returncode == 0


def test_a_file_that_was_put_in_is_named(protocol: Protocol, tmp_path: Path) -> None:
    export_paper(protocol, simulated(protocol), tmp_path)
    (tmp_path / "playback.csv").write_text("section,item\n")
    (line,) = recomputed(tmp_path)["differ"]
    assert line.startswith("playback.csv: it is no file that was published")


def test_a_statistic_that_the_script_does_not_know_is_named(protocol: Protocol, tmp_path: Path) -> None:
    export_paper(protocol, simulated(protocol), tmp_path)
    path = tmp_path / "results.json"
    results = json.loads(path.read_text("utf-8"))
    results["estimates"][0] |= {"statistic": "something new", "group": "new"}
    path.write_text(json.dumps(results), "utf-8")
    (line,) = recomputed(tmp_path)["cannot"]
    assert line.startswith(results["estimates"][0]["id"])


def test_the_script_prints_every_number_with_its_label(protocol: Protocol, tmp_path: Path) -> None:
    export_paper(protocol, replace(simulated(protocol), simulated=False), tmp_path)
    text = run(tmp_path).stdout
    for words in ("Fleiss’ κ (all three annotators)", "Mean individual accuracy", "numbers of the report follow"):
        assert words in text, words
    assert "SIMULATED" not in text


def test_two_ids_that_no_file_name_tells_apart_have_a_picture_each(tmp_path: Path) -> None:
    protocol = make_protocol(tmp_path / "study")
    collected = simulated(protocol)
    first, second, *rest = collected.items
    items = (type(first)("a/b", first.fields), type(second)("a:b", second.fields), *rest)
    export_paper(protocol, replace(collected, items=items, answers=()), tmp_path / "paper")
    assert len(list((tmp_path / "paper/images").iterdir())) == len(items)


def test_the_readme_is_filled_in_and_shows_the_pictures(protocol: Protocol, tmp_path: Path) -> None:
    collected: Collected = simulated(protocol)
    export_paper(protocol, collected, tmp_path)
    text = (tmp_path / "README.md").read_text("utf-8")
    assert "To be filled" not in text
    assert "No rows yet" not in text
    assert "Describe compensation" not in text
    assert text.startswith("> **Simulated")
    for number in range(1, 11):
        assert f"## {number}. " in text, number
    for heading in ("8.1 Inter-annotator agreement", "8.2 Human accuracy", "8.3 Human–MLLM agreement",
                    "8.4 Error analysis", "8.5 Qualitative examples"):  # fmt: skip
        assert f"### {heading}\n" in text
    for example in analyse(protocol, collected).comparisons[0].examples:
        if example.item:
            assert f'src="images/{example.item}.png"' in text
            assert (tmp_path / f"images/{example.item}.png").is_file()
