from __future__ import annotations

import csv
import io
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import ttest_1samp
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from analyse.collecting import RATERS, answer, finished, make_protocol, simulated, votes, written
from quorate.analyse import analyse
from quorate.protocol import Protocol, load
from quorate.records import Collected, Item
from quorate.report.data import data_files

RAW = "image_id,idiom_id,target_idiom,annotator_id,response_raw,response_normalized,is_correct,timestamp"
SUMMARY = "image_id,idiom_id,target_idiom,num_correct,majority_correct,mllm_correct,human_mllm_agree"
AT = "recognise.idiom"
Rows = list[dict[str, str]]


def rows(text: str) -> Rows:
    return list(csv.DictReader(io.StringIO(text)))


def written_files(protocol: Protocol, collected: Collected) -> dict[str, str]:
    return data_files(protocol, collected, analyse(protocol, collected))


def test_the_files_have_the_documents_columns(protocol: Protocol) -> None:
    files = written_files(protocol, simulated(protocol))
    assert files["annotations_raw.csv"].splitlines()[0] == RAW
    assert files["annotations_summary.csv"].splitlines()[0] == SUMMARY
    assert files["sampled_idioms.csv"].splitlines()[0] == "idiom_id,target_idiom"
    assert len(rows(files["annotations_raw.csv"])) == 24
    assert len(rows(files["annotations_summary.csv"])) == len(rows(files["sampled_idioms.csv"])) == 8


def test_text_is_kept_as_typed_and_truth_and_time_have_one_form(protocol: Protocol) -> None:
    collected = written(protocol, {"A1": "........"})
    typed = ' It said, "HELLO"\nand left — =1+1 '
    row = replace(answer(protocol, collected.items[0], "A1", typed, 1), at="2026-03-01T12:00:00+02:00")
    text = written_files(protocol, replace(collected, answers=(row,)))["annotations_raw.csv"]
    assert "\r" not in text
    (read,) = rows(text)
    assert read["response_raw"] == typed
    assert read["is_correct"] == "False"
    assert read["timestamp"] == "2026-03-01T10:00:00.000Z"


def test_no_majority_is_an_empty_field_and_never_false(protocol: Protocol) -> None:
    files = written_files(protocol, written(protocol, {"A1": "+-......"}, judge="++++++++"))
    summary = rows(files["annotations_summary.csv"])
    assert {row["majority_correct"] for row in summary} == {""}
    assert {row["human_mllm_agree"] for row in summary} == {""}
    assert [row["num_correct"] for row in summary] == ["1", "0", *[""] * 6]


def test_the_same_answers_give_the_same_bytes(protocol: Protocol) -> None:
    collected = simulated(protocol)
    turned = replace(collected, answers=collected.answers[::-1])
    assert written_files(protocol, turned) == written_files(protocol, collected)


def test_results_say_what_they_were_made_from(protocol: Protocol) -> None:
    found = json.loads(written_files(protocol, simulated(protocol))["results.json"])
    assert found["simulated"] is True
    assert found["protocol"]["collection_hash"] == protocol.collection_hash
    assert set(found["versions"]) == {"python", "quorate", "numpy", "scipy"}
    assert len(found["files"]["annotations_raw.csv"]) == 64
    fields = {"id", "statistic", "section", "question", "value", "low", "high", "confidence", "se", "p", "n_items",
              "n_ratings", "left_out", "method", "note"}  # fmt: skip
    for estimate in found["estimates"]:
        assert fields <= set(estimate)


def test_excluded_raters_are_in_a_file_of_their_own(protocol: Protocol) -> None:
    collected = simulated(protocol)
    people = (*collected.participants[:2], finished("A3", "excluded"))
    files = written_files(protocol, replace(collected, participants=people))
    assert {row["annotator_id"] for row in rows(files["annotations_raw.csv"])} == {"A1", "A2"}
    assert {row["annotator_id"] for row in rows(files["annotations_excluded.csv"])} == {"A3"}


class Recomputed:
    """Every number of results.json again, from the CSV files alone, by other people's libraries."""

    def __init__(self, files: dict[str, str]):
        self.raw = rows(files["annotations_raw.csv"])
        self.summary = rows(files["annotations_summary.csv"])
        self.judge = rows(files["judge_responses.csv"])
        self.items = [row["image_id"] for row in self.summary]
        self.raters = sorted({row["annotator_id"] for row in self.raw})
        self.right = self._table(lambda row: row["is_correct"] == "True")
        self.label = self._table(lambda row: self._said(row))
        self.human = np.array([row["majority_correct"] == "True" for row in self.summary])
        self.machine = np.array([row["mllm_correct"] == "True" for row in self.summary])

    def _said(self, row: dict[str, str]) -> str:
        return row["target_idiom"] if row["is_correct"] == "True" else row["response_normalized"]

    def _table(self, what: Any) -> np.ndarray:
        found = {(row["image_id"], row["annotator_id"]): what(row) for row in self.raw}
        return np.array([[found[item, rater] for rater in self.raters] for item in self.items])

    def values(self) -> dict[str, float]:
        found = {
            f"{AT}.fleiss_kappa.correctness": fleiss_kappa(aggregate_raters(self.right)[0]),
            f"{AT}.fleiss_kappa.responses": fleiss_kappa(aggregate_raters(self.label)[0]),
            f"{AT}.percent_agreement.correctness": self._pairs(self.right),
            f"{AT}.percent_agreement.responses": self._pairs(self.label),
            f"{AT}.gwet_ac.correctness": self._ac1(),
            f"{AT}.individual_accuracy": self.right.mean(),
            f"{AT}.judge.mllm.agreement.fleiss_kappa": fleiss_kappa(
                aggregate_raters(np.stack([self.human, self.machine], axis=1))[0]
            ),
            f"{AT}.judge.mllm.cohen_kappa": cohen_kappa_score(self.human, self.machine),
            f"{AT}.judge.mllm.difference": self.human.mean() - self.machine.mean(),
            f"{AT}.dawid_skene.same": float(np.mean(self._latent() == self.human)),
        }
        for a, rater in enumerate(self.raters):
            others = [b for b in range(3) if b != a]
            found[f"{AT}.agreement_with_the_rest.rater.{rater}"] = float(
                np.mean([self.right[:, a] == self.right[:, b] for b in others])
            )
        for a in range(3):
            for b in range(a + 1, 3):
                id = f"{AT}.cohen_kappa.correctness.{self.raters[a]}.{self.raters[b]}"
                found[id] = cohen_kappa_score(self.right[:, a], self.right[:, b])
        return found | {id: k / n for id, (k, n) in self.shares().items()} | self._left_out()

    def _left_out(self) -> dict[str, float]:
        """The judge and each left-out person against the same two others, and the alternative annotator test."""
        at = f"{AT}.left_out.mllm"
        judge, person, gaps, wins, p_values = [], [], {}, [], []
        for a, rater in enumerate(self.raters):
            others = self.right[:, [b for b in range(3) if b != a]]
            mine = (others == self.machine[:, None]).mean(axis=1)
            theirs = (others == self.right[:, [a]]).mean(axis=1)
            judge.append(mine.mean())
            person.append(theirs.mean())
            gaps[f"{at}.difference.{rater}"] = float(mine.mean() - theirs.mean())
            wins.append((mine >= theirs).mean())
            apart = (theirs >= mine).astype(float) - (mine >= theirs)
            p_values.append(ttest_1samp(apart, 0.2, alternative="less").pvalue)
        whole = {
            "judge": float(np.mean(judge)),
            "people": float(np.mean(person)),
            "difference": float(np.mean(judge) - np.mean(person)),
        }
        # With three who say right or wrong there is always a majority: no item is ambiguous.
        clear = {f"clear.{name}": value for name, value in whole.items()}
        omega = float(np.mean(multipletests(p_values, 0.05, "fdr_by")[0]))
        found = {**whole, **clear, "omega": omega, "rho": float(np.mean(wins))}
        return {**{f"{at}.{name}": value for name, value in found.items()}, **gaps}

    def shares(self) -> dict[str, tuple[int, int]]:
        """Shares of independent items, whose interval is Wilson's."""
        n = len(self.items)
        correct = [int(row["num_correct"]) for row in self.summary]
        found = {
            f"{AT}.full_agreement.correctness": (sum(k in (0, 3) for k in correct), n),
            f"{AT}.majority_accuracy": (sum(k >= 2 for k in correct), n),
            f"{AT}.unanimous_accuracy": (sum(k == 3 for k in correct), n),
            f"{AT}.accuracy.judge.mllm": (int(self.machine.sum()), n),
            f"{AT}.judge.mllm.agreement_rate": (sum(r["human_mllm_agree"] == "True" for r in self.summary), n),
            f"{AT}.judge.mllm.label_agreement": self._labels(),
            f"{AT}.ambiguity": (0, n),
        }
        for place, rater in enumerate(self.raters):
            found[f"{AT}.accuracy.rater.{rater}"] = (int(self.right[:, place].sum()), n)
        h, m = self.human, self.machine
        cells = {
            "both_correct": h & m,
            "human_correct_judge_incorrect": h & ~m,
            "human_incorrect_judge_correct": ~h & m,
            "both_incorrect": ~h & ~m,
        }
        return found | {f"{AT}.judge.mllm.class.{name}": (int(cell.sum()), n) for name, cell in cells.items()}

    def _labels(self) -> tuple[int, int]:
        theirs = {row["image_id"]: self._said(row) for row in self.judge}
        same = n = 0
        for item, said in zip(self.items, self.label, strict=True):
            top, k = Counter(said).most_common(1)[0]
            if k >= 2:
                n, same = n + 1, same + (theirs[item] == top)
        return same, n

    def _latent(self) -> np.ndarray:
        """Dawid and Skene's classes of right and wrong, by the plainest EM: loops over items and raters."""
        said = self.right.astype(int)
        chance = np.stack([1 - said.mean(axis=1), said.mean(axis=1)], axis=1)
        for _ in range(300):
            share = chance.mean(axis=0)
            rates = np.zeros((3, 2, 2))
            for rater in range(3):
                for label in (0, 1):
                    rates[rater, :, label] = chance[said[:, rater] == label].sum(axis=0) + 0.01
                rates[rater] /= rates[rater].sum(axis=1, keepdims=True)
            chance = np.array(
                [share * np.prod([rates[r, :, said[i, r]] for r in range(3)], axis=0) for i in range(len(said))]
            )
            chance /= chance.sum(axis=1, keepdims=True)
        return chance[:, 1] > chance[:, 0]

    def _pairs(self, table: np.ndarray) -> float:
        return float(np.mean([table[:, a] == table[:, b] for a, b in ((0, 1), (0, 2), (1, 2))]))

    def _ac1(self) -> float:
        p = self.right.mean()
        return float((self._pairs(self.right) - 2 * p * (1 - p)) / (1 - 2 * p * (1 - p)))


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Protocol:
    """Forty drawn items, so that every cell and category is used."""
    return make_protocol(tmp_path_factory.mktemp("large") / "study", n=40, pool=48)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_number_is_recomputed_from_the_files_by_independent_libraries(large: Protocol, seed: int) -> None:
    files = written_files(large, simulated(large, seed))
    estimates = {e["id"]: e for e in json.loads(files["results.json"])["estimates"]}
    again = Recomputed(files)
    values = again.values()
    assert set(values) == set(estimates)
    for id, value in values.items():
        assert estimates[id]["value"] == pytest.approx(value, abs=1e-12), id
    for id, (k, n) in again.shares().items():
        ends = proportion_confint(k, n, method="wilson")
        assert (estimates[id]["low"], estimates[id]["high"]) == pytest.approx(ends, abs=1e-9), id
        assert (estimates[id]["count"], estimates[id]["of"]) == (k, n), id


def test_the_interval_of_kappa_is_near_the_spread_over_resampled_items(large: Protocol) -> None:
    files = written_files(large, simulated(large))
    again, estimates = Recomputed(files), json.loads(files["results.json"])["estimates"]
    found = next(one for one in estimates if one["id"] == f"{AT}.fleiss_kappa.correctness")
    draws = np.random.default_rng(7).integers(0, 40, (1000, 40))
    spread = np.std([fleiss_kappa(aggregate_raters(again.right[draw])[0]) for draw in draws])
    assert found["se"] == pytest.approx(spread, rel=0.15)


def test_the_interval_of_individual_accuracy_knows_that_answers_to_one_item_go_together(large: Protocol) -> None:
    marks = "+-" * 20
    files = written_files(large, written(large, dict.fromkeys(RATERS, marks)))
    found = {e["id"]: e for e in json.loads(files["results.json"])["estimates"]}[f"{AT}.individual_accuracy"]
    naive = proportion_confint(60, 120, method="wilson")
    assert found["high"] - found["low"] > 1.5 * (naive[1] - naive[0])


def test_decisions_are_in_a_file_and_in_the_correctness(protocol: Protocol) -> None:
    collected = written(protocol, {"A1": "-+++++++"}, judge="++++++++")
    item = collected.items[0]
    row = answer(protocol, item, "A1", str(item["target_idiom"]).replace("meets", "meet"), 1)
    (case,) = analyse(protocol, replace(collected, answers=(row,))).borderline
    cast = votes(case.target, case.canonical, True, True, False)
    files = written_files(protocol, replace(collected, answers=(row,), votes=cast))
    (decided,) = rows(files["borderline_decisions.csv"])
    assert (decided["votes_for"], decided["votes_against"], decided["decision"]) == ("2", "1", "correct")
    assert rows(files["annotations_raw.csv"])[0]["is_correct"] == "True"


def test_what_is_undefined_is_null_in_json(tmp_path: Path) -> None:
    protocol = make_protocol(tmp_path / "empty")
    found = json.loads(written_files(protocol, written(protocol, {}))["results.json"])
    assert all(e["value"] is None and e["note"] for e in found["estimates"])


def test_a_study_that_asks_several_things_says_which_on_each_row(study_folder: Path) -> None:
    file = study_folder / "study.yaml"
    more = "      - id: style\n        choice: {prompt: Which?, options: [Cartoon, Minimal]}\n    hide: [idiom_id]"
    file.write_text(file.read_text().replace("    hide: [idiom_id]", more))
    protocol = load(study_folder)
    files = written_files(protocol, simulated(protocol))
    assert files["annotations_raw.csv"].startswith("section,question,image_id,")
    assert {row["question"] for row in rows(files["annotations_summary.csv"])} == {"idiom", "style"}


def test_no_answer_and_no_name_is_a_formula_in_a_data_file(protocol: Protocol) -> None:
    collected = written(protocol, {"A1": "........"})
    first, second, *rest = collected.items
    hostile = Item("=1+1", {**first.fields, "target_idiom": "-2+3", "idiom_id": -3})
    said = [
        answer(protocol, one, "A1", text, 1) for one, text in ((hostile, '=HYPERLINK("http://x")'), (second, "@sum"))
    ]
    files = written_files(protocol, replace(collected, items=(hostile, second, *rest), answers=tuple(said)))
    for name in ("annotations_raw.csv", "annotations_summary.csv", "sampled_idioms.csv"):
        cells = [cell for row in csv.reader(io.StringIO(files[name])) for cell in row]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@")) and cell != "-3"], name
        assert "-3" in cells
        assert "'-2+3" in cells
    raw = rows(files["annotations_raw.csv"])
    assert {row["response_raw"] for row in raw} == {'\'=HYPERLINK("http://x")', "'@sum"}
    assert {row["image_id"] for row in raw} == {"'=1+1", second.id}
