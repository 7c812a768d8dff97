from __future__ import annotations

import csv
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from analyse.collecting import RATERS, make_protocol, simulated, written
from quorate.analyse import analyse
from quorate.protocol import Protocol, load
from quorate.records import Collected
from quorate.report import export_paper

AT = "recognise.idiom"
#: What the script calls each number, and its id in results.json.
NAMES = {
    "fleiss_kappa": f"{AT}.fleiss_kappa.correctness",
    "fleiss_kappa_responses": f"{AT}.fleiss_kappa.responses",
    "individual_accuracy": f"{AT}.accuracy.individual",
    "majority_accuracy": f"{AT}.accuracy.majority",
    "unanimous_accuracy": f"{AT}.accuracy.unanimous",
    "agreement_rate": f"{AT}.judge.mllm.agreement_rate",
    "cohen_kappa human majority vs judge": f"{AT}.judge.mllm.cohen_kappa",
    "judge_accuracy": f"{AT}.accuracy.judge.mllm",
    "both correct": f"{AT}.judge.mllm.class.both_correct",
    "human correct, judge incorrect": f"{AT}.judge.mllm.class.human_correct_judge_incorrect",
    "human incorrect, judge correct": f"{AT}.judge.mllm.class.human_incorrect_judge_correct",
    "both incorrect": f"{AT}.judge.mllm.class.both_incorrect",
    **{f"accuracy {rater}": f"{AT}.accuracy.rater.{rater}" for rater in RATERS},
    **{f"cohen_kappa {a} vs {b}": f"{AT}.cohen_kappa.correctness.{a}.{b}" for a, b in
       (("A1", "A2"), ("A1", "A3"), ("A2", "A3"))},
}  # fmt: skip


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """The script alone: no site-packages, no environment, another working directory."""
    command = [sys.executable, "-I", "-S", str(folder / "analysis.py"), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", env={})


def test_the_folder_is_the_documents_whole(protocol: Protocol, tmp_path: Path) -> None:
    collected = simulated(protocol)
    written_paths = export_paper(protocol, collected, tmp_path / "paper")
    assert {path.name for path in (tmp_path / "paper").iterdir()} == {
        "README.md",
        "sampled_idioms.csv",
        "idiom_variants.json",
        "annotations_raw.csv",
        "annotations_summary.csv",
        "analysis.py",
        "images",
    }
    assert {path.stem for path in (tmp_path / "paper/images").iterdir()} == {item.id for item in collected.items}
    assert all(path.is_file() for path in written_paths)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_script_recomputes_every_metric_without_quorate(tmp_path: Path, seed: int) -> None:
    protocol = make_protocol(tmp_path / "study", n=40, pool=48)
    collected = simulated(protocol, seed)
    export_paper(protocol, collected, tmp_path / "paper")
    done = run(tmp_path / "paper", "--json")
    assert done.returncode == 0, done.stderr
    found, results = json.loads(done.stdout), analyse(protocol, collected)
    for name, id in NAMES.items():
        told = found[name]["value"] if isinstance(found[name], dict) else found[name]
        assert told == pytest.approx(results[id].estimate.value, abs=1e-12), name
        if isinstance(found[name], dict) and "low" in found[name]:
            assert found[name]["low"] == pytest.approx(results[id].estimate.low, abs=1e-9), name


def test_with_answers_missing_the_script_and_quorate_still_agree(protocol: Protocol, tmp_path: Path) -> None:
    marks = {"A1": "++-+-..+", "A2": "+--+-+..", "A3": "-+-++..."}
    collected = written(protocol, marks, judge="+-+-+-+-")
    export_paper(protocol, collected, tmp_path)
    found, results = json.loads(run(tmp_path, "--json").stdout), analyse(protocol, collected)
    for name, id in NAMES.items():
        told = found[name]["value"] if isinstance(found[name], dict) else found[name]
        assert told == pytest.approx(results[id].estimate.value, abs=1e-12), name


def test_the_script_prints_the_documents_tables(protocol: Protocol, tmp_path: Path) -> None:
    export_paper(protocol, replace(simulated(protocol), simulated=False), tmp_path)
    text = run(tmp_path).stdout
    for words in ("8.1 Inter-Annotator Agreement", "8.2 Human Recognition Accuracy", "8.3 Human-MLLM Correlation",
                  "8.4 Error Analysis", "Fleiss' kappa (all 3 annotators)", "The summary follows"):  # fmt: skip
        assert words in text, words
    assert "SIMULATED" not in text


def test_the_script_notices_a_summary_that_was_changed(protocol: Protocol, tmp_path: Path) -> None:
    export_paper(protocol, simulated(protocol), tmp_path)
    path = tmp_path / "annotations_summary.csv"
    lines = list(csv.reader(path.open()))
    lines[1][3] = "0" if lines[1][3] != "0" else "3"
    path.write_text("\n".join(",".join(line) for line in lines) + "\n")
    done = run(tmp_path)
    assert done.returncode == 1
    assert lines[1][0] in done.stdout


def test_without_answers_the_script_says_undefined(protocol: Protocol, tmp_path: Path) -> None:
    for number, collected in enumerate(
        (written(protocol, {}), written(protocol, {"A1": "++++++++"}, judge="++++++++"))
    ):
        export_paper(protocol, collected, tmp_path / str(number))
        done = run(tmp_path / str(number))
        assert done.returncode == 0, done.stderr
        assert "undefined" in done.stdout


def test_the_readme_is_filled_in_and_shows_the_pictures(protocol: Protocol, tmp_path: Path) -> None:
    collected: Collected = simulated(protocol)
    export_paper(protocol, collected, tmp_path)
    text = (tmp_path / "README.md").read_text("utf-8")
    assert "To be filled" not in text
    assert "Describe compensation" not in text
    assert text.startswith("> **Simulated")
    for number in range(1, 11):
        assert f"## {number}. " in text, number
    for example in analyse(protocol, collected).examples:
        if example.item:
            assert f'src="images/{example.item}.png"' in text
            assert (tmp_path / f"images/{example.item}.png").is_file()


def test_the_script_reads_texts_that_look_like_formulas_as_they_were(tmp_path: Path) -> None:
    protocol = make_protocol(tmp_path / "study")
    table = tmp_path / "study/idioms.csv"
    with table.open(newline="", encoding="utf-8") as file:
        header, *lines = csv.reader(file)
    at, id = header.index("target_idiom"), header.index("image_id")
    changed = [[*line[:at], f"={line[at]}", *line[at + 1 :]] for line in lines]
    changed = [[*line[:id], f"-{line[id]}", *line[id + 1 :]] for line in changed]
    with table.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *changed])
    protocol = load(tmp_path / "study")
    export_paper(protocol, simulated(protocol), tmp_path / "paper")
    raw = (tmp_path / "paper/annotations_raw.csv").read_text("utf-8")
    assert "\n'-img" in raw
    done = run(tmp_path / "paper", "--json")
    assert done.returncode == 0, done.stderr
    found, results = json.loads(done.stdout), analyse(protocol, simulated(protocol))
    assert found["fleiss_kappa_responses"] == pytest.approx(results[NAMES["fleiss_kappa_responses"]].estimate.value)
    program = f"import sys; sys.path.insert(0, {str(tmp_path / 'paper')!r}); import analysis; "
    program += "print(analysis.read('annotations_raw.csv')[0]['image_id'][:4])"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "-img\n"
