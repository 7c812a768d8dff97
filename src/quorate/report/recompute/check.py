"""Every printed number held against the same number computed from the rows; what differs is named."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from io import TextIOWrapper
from math import isclose
from pathlib import Path
from typing import Any

from . import agreement, coefficients, judges, preferences, raters, scores, shares
from .rows import read
from .study import CannotError, Part, Study

SUMS = "SHA256SUMS"
Entry = dict[str, Any]
Way = Callable[[Part, Entry], float]

#: How each statistic is computed; where a statistic stands for several things, the group tells them apart.
WAYS: dict[str, Way] = {
    "percent agreement": agreement.percent,
    "fleiss kappa": agreement.fleiss,
    "gwet ac": agreement.gwet,
    "gwet ac2": agreement.gwet,
    "brennan prediger": agreement.brennan_prediger,
    "full agreement": agreement.full,
    "krippendorff alpha": agreement.alpha,
    "conger kappa": coefficients.conger,
    "light kappa": coefficients.light,
    "scott pi": coefficients.scott,
    "weighted kappa": coefficients.weighted,
    "linear weighted kappa": coefficients.weighted,
    **{f"icc({kind},{of})": coefficients.icc for kind in "123" for of in "1k"},
    "agreement with the rest": agreement.with_the_rest,
    "individual accuracy": shares.individual,
    "majority accuracy": shares.majority,
    "unanimous accuracy": shares.unanimous,
    "accuracy": shares.accuracy,
    "role": shares.role,
    "rate": shares.rate,
    "tag rate": shares.tag,
    "ambiguity rate": shares.ambiguity,
    "settled": shares.settled,
    "dawid skene": shares.dawid_skene,
    "playback": shares.played,
    "success rate": preferences.success,
    "net gain": preferences.gain,
    "tie rate": preferences.ties,
    "sign test": preferences.sign_test,
    "position bias": preferences.position_bias,
    "side balance": preferences.side_balance,
    "difference of sides": preferences.side_difference,
    "bradley terry": preferences.strength,
    "strength difference": preferences.strength,
    "wilcoxon": preferences.difference_of_systems,
    "priority": preferences.priority,
    "mean of means": scores.mean_of_means,
    "percent of maximum": scores.percent_of_maximum,
    "spearman": scores.correlation,
    "kendall": scores.correlation,
    "pearson": scores.correlation,
    "workload saved": scores.workload,
    "error among accepted": scores.curve_error,
    "audited agreement": scores.audited_agreement,
    "audited distance": scores.audited_distance,
    "corrected mean": scores.corrected_mean,
    "merged mean": scores.merged_mean,
    "agreement rate": judges.agreement_rate,
    "label agreement": judges.label_agreement,
    "error class": judges.error_class,
    "difference": judges.difference,
    "mcnemar": judges.difference,
    "judge against people": judges.against_people,
    "alternative annotator test": judges.replacement_test,
    "agreement with the judge": judges.anchoring,
    "anchoring": judges.anchoring,
    "distance to the judge": judges.anchoring,
    "pull to the judge": judges.anchoring,
    "median seconds": raters.median_seconds,
    "too fast": raters.too_fast,
    "drift": raters.drift,
    "straight-lining": raters.same_again,
}
BY_GROUP: dict[tuple[str, str], Way] = {
    **{(name, "comparison"): judges.coefficient for name in judges.COEFFICIENTS},
    ("cohen kappa", "comparison"): judges.kappa,
    ("cohen kappa", "human and AI"): judges.weighted_kappa,
    ("mean", "scores"): scores.item_mean,
    ("mean", "dimensions"): preferences.mean_of_system,
    ("mean", "triage"): scores.judges_mean,
    ("mean difference", "dimensions"): preferences.mean_difference_of_systems,
    ("mean difference", "human and AI"): scores.difference_from_judge,
    ("mean difference", "triage"): scores.triage_difference,
}


def way(e: Entry) -> Way:
    """How the number is computed, or a CannotError."""
    if e["statistic"].startswith("leaning: "):
        return judges.leaning
    if "items that were not drawn" in e["left_out"]:
        raise CannotError("it rests on items that were drawn, and the draw is not published")
    if e["statistic"] == "cohen kappa" and e.get("raters"):
        return agreement.of_two
    found = BY_GROUP.get((e["statistic"], e["group"])) or WAYS.get(e["statistic"])
    if found is None:
        raise CannotError(f"no way is known to compute '{e['statistic']}' ({e['group']})")
    return found


def compute(study: Study, e: Entry) -> float:
    """The number from the rows."""
    part = study.part(e["section"], e["question"], e.get("by", ""), e.get("stratum", ""), e.get("round", 1))
    return way(e)(part, e)


class Told:
    """What was found: numbers that are the same, that differ, that are undefined, and that cannot be computed."""

    def __init__(self) -> None:
        self.same: dict[str, float] = {}
        self.differ: list[str] = []
        self.undefined: list[str] = []
        self.cannot: list[str] = []

    def hold(self, study: Study, e: Entry, note: str = "") -> None:
        """Holds one printed number against the rows."""
        if e["value"] is None and e["note"]:
            # A report may refuse what a formula would still give: too few items, a judge whose score was seen.
            self.undefined.append(e["id"] + note)
            return
        try:
            told = compute(study, e)
        except CannotError as why:
            missing = "undefined" if e["value"] is None else f"cannot be computed: {why}"
            (self.undefined if e["value"] is None else self.cannot).append(f"{e['id']}{note}: {missing}")
            return
        except (KeyError, ValueError, ZeroDivisionError, OverflowError) as error:
            self.differ.append(f"{e['id']}{note}: the rows cannot be read as the report's ({error!r})")
            return
        if e["value"] is not None and isclose(told, e["value"], rel_tol=1e-7, abs_tol=1e-7):
            self.same[e["id"] + note] = told
        else:
            self.differ.append(f"{e['id']}{note}: the report says {e['value']}, and the rows give {told:.10g}")


def check(folder: Path) -> Told:
    """Every number of results.json, every verdict of the summary, and whether the files are as they were published."""
    told = Told()
    told.differ += changed_files(folder)
    try:
        hold_all(folder, told)
    except Exception as error:
        if not told.differ:
            raise
        told.differ.append(f"the rest could not be computed from files that are not as published ({error!r})")
    return told


def hold_all(folder: Path, told: Told) -> None:
    """Holds everything that is printed against the rows."""
    results, study = read_results(folder), Study(folder)
    for e in results["estimates"]:
        told.hold(study, e)
    if results["estimates_with_excluded"]:
        whole = Study(folder, with_excluded=True)
        for e in results["estimates_with_excluded"]:
            told.hold(whole, e, " (excluded raters kept in)")
    for one in results["comparisons"]:
        cells = judges.right_of_both(study.part(one["section"], one["question"]), one["judge"])
        for name, n in one["classes"].items():
            if (counted := cells.count(judges.CLASSES[name])) != n:
                place = f"{one['section']}.{one['question']}.{one['judge']}: {name}"
                told.differ.append(f"{place}: the report says {n}, and the rows give {counted}")
    told.differ += summary_differences(study)


def read_results(folder: Path) -> dict[str, Any]:
    """What results.json holds."""
    found: dict[str, Any] = json.loads((folder / "results.json").read_text("utf-8"))
    return found


def changed_files(folder: Path) -> Iterator[str]:
    """The files that are missing, that are not as they were published, and that are read but were not published."""
    listed = folder / SUMS
    if not listed.is_file():
        yield f"{SUMS}: it is missing, so that nobody can say whether the other files are as they were published"
        return
    known = {}
    for number, line in enumerate(listed.read_text("utf-8", "replace").splitlines(), 1):
        digest, _, name = line.partition("  ")
        if len(digest) == 64 and name:
            known[name] = digest
        else:
            yield f"{SUMS}: it is not as it was published (line {number})"
    for name, digest in known.items():
        if not (folder / name).is_file():
            yield f"{name}: it is missing"
        elif sha256((folder / name).read_bytes()).hexdigest() != digest:
            yield f"{name}: it is not as it was published"
    for path in sorted((*folder.glob("*.csv"), *folder.glob("*.json"))):
        if path.name not in known:
            yield f"{path.name}: it is no file that was published ({SUMS} does not name it)"


def summary_differences(study: Study) -> Iterator[str]:
    """The verdicts of the summary that do not follow from the raw rows."""
    only = next(iter(study.questions), ("", ""))
    for row in read(study.folder / "annotations_summary.csv"):
        part = study.part(row.get("section", only[0]), row.get("question", only[1]))
        item = row[study.rules["item_column"]]
        verdict: str | None = part.known.get(item)
        is_right = str(part.is_right(item, verdict)) if part.rules["scored"] and verdict is not None else ""
        said = [(row["majority_correct"], is_right)]
        if "verdict" in row:
            said += [(row["verdict"], verdict or ""), (row["verdict_status"], part.verdicts[item][1])]
        if any(one != other for one, other in said):
            yield f"annotations_summary.csv: {part.section}.{part.id} of {item} does not follow from the raw rows"


def main(folder: Path, arguments: list[str]) -> int:
    """Prints every number and what differs; the exit status is 1 where anything does."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    told = check(folder)
    try:
        results = read_results(folder)
    except (OSError, ValueError):  # it is among what differs
        results = {}
    if "--json" in arguments:
        found = {"simulated": results.get("simulated"), "values": told.same, "differ": told.differ}
        print(json.dumps({**found, "undefined": told.undefined, "cannot": told.cannot}, indent=2, ensure_ascii=False))
    else:
        print("\n".join(_lines(told, results)))
    return 1 if told.differ else 0


def _value(told: Told, e: Entry) -> str:
    if e["id"] in told.same:
        return f"{told.same[e['id']]:.4f}"
    return "undefined" if e["value"] is None else "see below"


def _lines(told: Told, results: dict[str, Any]) -> Iterator[str]:
    if results.get("simulated"):
        yield "SIMULATED ANSWERS: this is a rehearsal. No person has given any of them.\n"
    head = ("", "", "")
    for e in results.get("estimates", ()):
        if (e["section"], e["question"], e["group"]) != head:
            head = (e["section"], e["question"], e["group"])
            yield f"\n{head[0]} · {head[1]} · {head[2]}"
        where = f" [{e['by']}: {e['stratum']}]" if e.get("by") else ""
        where += f" [round {e['round']}]" if e.get("round") else ""
        yield f"  {_value(told, e):>10}  {e['label']}{where}"
    yield ""
    yield f"{len(told.same):,} numbers of the report follow from the rows; {len(told.undefined):,} are undefined."
    if told.cannot:
        yield f"\n{len(told.cannot):,} cannot be computed from these files:"
        yield from (f"  {line}" for line in told.cannot)
    if told.differ:
        yield f"\nNot as published, or not what the rows give ({len(told.differ):,}):"
        yield from (f"  {line}" for line in told.differ)
