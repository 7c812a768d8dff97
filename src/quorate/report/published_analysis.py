"""Computes every metric of this study from annotations_raw.csv and annotations_summary.csv.

Needs Python 3.9 or later and nothing else:  python analysis.py  (or  python analysis.py --json)
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections import Counter, defaultdict
from itertools import combinations
from math import sqrt
from pathlib import Path
from statistics import NormalDist

# The study's rules, written by the export.
NEEDED, OUT_OF = 2, 3
CONFIDENCE = 0.95
BANDS = "half-open"
SIMULATED = False
TARGET = "target_idiom"

HERE = Path(__file__).resolve().parent
CELLS = {
    "both correct": (True, True),
    "human correct, judge incorrect": (True, False),
    "human incorrect, judge correct": (False, True),
    "both incorrect": (False, False),
}
WORDS = ((0.8, "almost perfect"), (0.6, "substantial"), (0.4, "moderate"), (0.2, "fair"), (0.0, "slight"))


def read(name):
    """The rows of a CSV file, as dictionaries."""
    with open(HERE / name, encoding="utf-8", newline="") as file:
        return [{meant(name): meant(cell) for name, cell in row.items()} for row in csv.DictReader(file)]


def meant(cell):
    """A cell without the apostrophe that keeps spreadsheets from running a text as a formula."""
    return cell[1:] if cell and re.match("'+[=+\\-@\t\r\n\uff0b\uff0d\uff1d\uff20]", cell) else cell


def truth(text):
    """True, False, or None where the field is empty."""
    return {"True": True, "False": False, "": None}[text]


def fleiss_kappa(rows):
    """Fleiss (1971) for rows of labels, an item a row; with labels missing, as Gwet (2014) generalises it."""
    rows = [row for row in rows if row]
    paired = [Counter(row) for row in rows if len(row) > 1]
    if not paired:
        return None
    pairs = [sum(k * (k - 1) for k in c.values()) / (sum(c.values()) * (sum(c.values()) - 1)) for c in paired]
    observed = sum(pairs) / len(pairs)
    share: dict = defaultdict(float)
    for row in rows:
        for label, k in Counter(row).items():
            share[label] += k / len(row) / len(rows)
    expected = sum(p * p for p in share.values())
    return None if abs(1 - expected) < 1e-12 else (observed - expected) / (1 - expected)


def cohen_kappa(a, b):
    """Cohen (1960) for two columns of labels; items without both are left out."""
    both = [(x, y) for x, y in zip(a, b) if x is not None and y is not None]  # noqa: B905 (Python 3.9)
    if not both:
        return None
    n = len(both)
    observed = sum(x == y for x, y in both) / n
    first, second = Counter(x for x, _ in both), Counter(y for _, y in both)
    expected = sum(first[label] * second[label] for label in first) / n**2
    return None if abs(1 - expected) < 1e-12 else (observed - expected) / (1 - expected)


def wilson(k, n):
    """A share with Wilson's (1927) interval."""
    if n == 0:
        return None
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    middle, reach = k / n + z * z / (2 * n), z * sqrt(k / n * (1 - k / n) / n + z * z / (4 * n * n))
    low, high = ((middle + sign * reach) / (1 + z * z / n) for sign in (-1, 1))
    return {"value": k / n, "low": max(0.0, low), "high": min(1.0, high), "count": k, "of": n}


def band(kappa):
    """The word of Landis and Koch (1977) for a kappa."""
    if kappa is None:
        return ""
    if kappa < 0:
        return "poor"
    if BANDS == "half-open":
        return next(word for start, word in WORDS if kappa >= start - 1e-12)
    hundredths = int(kappa * 100 + 0.5 + 1e-9)
    return next(word for start, word in WORDS if hundredths > round(start * 100) or start == 0)


def majority(answers):
    """What enough of the answers say, or None."""
    top = Counter(answers).most_common(2)
    if not top or top[0][1] < NEEDED or (len(top) > 1 and top[1][1] == top[0][1]):
        return None
    return top[0][0]


def metrics(raw, summary):
    """Every metric of sections 6.1 to 6.4, by name."""
    columns = list(summary[0]) if summary else ["item"]
    item = next(column for column in columns if column not in ("section", "question"))
    own = ("num_correct", "majority_correct")
    judge = next((column for column in columns if column.endswith("_correct") and column not in own), None)
    items = [row[item] for row in summary]
    raters = sorted({row["annotator_id"] for row in raw}, key=lambda name: (len(name), name))
    right = {(row[item], row["annotator_id"]): truth(row["is_correct"]) for row in raw}
    label = {(r[item], r["annotator_id"]): _label(r, item) for r in raw}
    found = {"items": len(items), "annotators": raters}

    by_item = {i: [right[i, r] for r in raters if (i, r) in right] for i in items}
    found["fleiss_kappa"] = fleiss_kappa(list(by_item.values()))
    found["fleiss_kappa_responses"] = fleiss_kappa([[label[i, r] for r in raters if (i, r) in label] for i in items])
    for a, b in combinations(raters, 2):
        found[f"cohen_kappa {a} vs {b}"] = cohen_kappa(
            [right.get((i, a)) for i in items], [right.get((i, b)) for i in items]
        )

    given = [answer for answers in by_item.values() for answer in answers]
    found["individual_accuracy"] = (
        {"value": sum(given) / len(given), "count": sum(given), "of": len(given)} if given else None
    )
    for r in raters:
        mine = [right[i, r] for i in items if (i, r) in right]
        found[f"accuracy {r}"] = wilson(sum(mine), len(mine))
    human = {i: majority(answers) for i, answers in by_item.items()}
    decided = [verdict for verdict in human.values() if verdict is not None]
    found["majority_accuracy"] = wilson(sum(decided), len(decided))
    whole = [answers for answers in by_item.values() if len(answers) >= OUT_OF]
    found["unanimous_accuracy"] = wilson(sum(all(answers) for answers in whole), len(whole))

    if judge:
        machine = {row[item]: truth(row[judge]) for row in summary}
        both = [(human[i], machine[i]) for i in items if human[i] is not None and machine[i] is not None]
        known = [m for m in machine.values() if m is not None]
        found["judge"] = judge[: -len("_correct")]
        found["judge_accuracy"] = wilson(sum(known), len(known))
        found["agreement_rate"] = wilson(sum(h == m for h, m in both), len(both))
        found["cohen_kappa human majority vs judge"] = cohen_kappa([h for h, _ in both], [m for _, m in both])
        cells = Counter(both)
        for name, cell in CELLS.items():
            found[name] = wilson(cells[cell], len(both))
    found["differences from the summary"] = _differences(summary, item, by_item, human, judge)
    return found


def _label(row, item):
    """What was answered: every correct answer about one target is one label, any other answer its own."""
    return row.get(TARGET, row[item]) if truth(row["is_correct"]) else row["response_normalized"]


def _differences(summary, item, by_item, human, judge):
    """The items whose summary does not follow from the raw rows."""
    wrong = []
    for row in summary:
        i = row[item]
        told = (row["num_correct"], truth(row["majority_correct"]))
        counted = (str(sum(by_item[i])) if by_item[i] else "", human[i])
        if told != counted:
            wrong.append(i)
        elif judge:
            machine = truth(row[judge])
            same = None if human[i] is None or machine is None else human[i] == machine
            if truth(row["human_" + judge[: -len("_correct")] + "_agree"]) != same:
                wrong.append(i)
    return wrong


def kappa_text(value):
    """A kappa with its band."""
    return "undefined" if value is None else f"{value:.2f} ({band(value)})"


def share_text(share):
    """A share as a percentage, with its interval where there is one."""
    if share is None:
        return "undefined"
    interval = f" [{100 * share['low']:.1f}, {100 * share['high']:.1f}]" if "low" in share else ""
    return f"{100 * share['value']:.1f}%{interval} ({share['count']}/{share['of']})"


def table(title, rows):
    """Prints a table of section 8."""
    print(f"\n### {title}\n\n| Metric | Value |\n|--------|-------|")
    for name, value in rows:
        print(f"| {name} | {value} |")


def show(found):
    """Prints the tables of section 8."""
    pairs = [(name, kappa) for name, kappa in found.items() if name.startswith("cohen_kappa ") and "human" not in name]
    rows = [(f"Fleiss' kappa (all {len(found['annotators'])} annotators)", kappa_text(found["fleiss_kappa"]))]
    rows += [(f"Cohen's kappa ({name[12:]})", kappa_text(kappa)) for name, kappa in pairs]
    rows += [("Fleiss' kappa on the responses themselves", kappa_text(found["fleiss_kappa_responses"]))]
    table("8.1 Inter-Annotator Agreement", rows)
    rows = [("Mean individual accuracy", share_text(found["individual_accuracy"]))]
    rows += [(f"Majority accuracy (>={NEEDED}/{OUT_OF} correct)", share_text(found["majority_accuracy"]))]
    rows += [(f"Unanimous accuracy ({OUT_OF}/{OUT_OF} correct)", share_text(found["unanimous_accuracy"]))]
    rows += [(f"Accuracy of {rater}", share_text(found[f"accuracy {rater}"])) for rater in found["annotators"]]
    table("8.2 Human Recognition Accuracy", rows)
    if "judge" not in found:
        return
    judge = found["judge"].upper()
    kappa = found["cohen_kappa human majority vs judge"]
    rows = [("Agreement rate", share_text(found["agreement_rate"]))]
    rows += [(f"Cohen's kappa (human majority vs {judge})", kappa_text(kappa))]
    rows += [(f"{judge} accuracy", share_text(found["judge_accuracy"]))]
    table(f"8.3 Human-{judge} Correlation", rows)
    cell = {name: found[name]["count"] if found[name] else 0 for name in found if name.startswith(("both", "human "))}
    print(f"\n### 8.4 Error Analysis\n\n|  | {judge} Correct | {judge} Incorrect |\n|--|---|---|")
    print(f"| **Human Majority Correct** | {cell['both correct']} | {cell['human correct, judge incorrect']} |")
    print(f"| **Human Majority Incorrect** | {cell['human incorrect, judge correct']} | {cell['both incorrect']} |")
    print(f"\n1. Human correct, {judge} incorrect: {share_text(found['human correct, judge incorrect'])}")
    print(f"2. Human incorrect, {judge} correct: {share_text(found['human incorrect, judge correct'])}")
    print(f"3. Both incorrect: {share_text(found['both incorrect'])}")


def questions(summary):
    """The questions of the study, where it asks more than one."""
    return list(dict.fromkeys((row.get("section"), row.get("question")) for row in summary))


def main():
    """Prints every metric; ends with 1 where the summary does not follow from the raw rows."""
    raw, summary = read("annotations_raw.csv"), read("annotations_summary.csv")
    results = {}
    for which in questions(summary):
        rows = [[row for row in file if (row.get("section"), row.get("question")) == which] for file in (raw, summary)]
        results[" ".join(part for part in which if part)] = metrics(*rows)
    if "--json" in sys.argv[1:]:
        print(json.dumps({"simulated": SIMULATED, **results.get("", results)}, indent=2))
    else:
        show_all(results)
    return 1 if any(found["differences from the summary"] for found in results.values()) else 0


def show_all(results):
    """Prints the tables of each question, and whether the two files belong together."""
    if SIMULATED:
        print("SIMULATED ANSWERS: this is a rehearsal. No person has given any of them.")
    for question, found in results.items():
        if question:
            print(f"\n## {question}")
        show(found)
        wrong = ", ".join(found["differences from the summary"])
        print(f"\nThe summary {'differs from the raw rows at ' + wrong if wrong else 'follows from the raw rows'}.")


if __name__ == "__main__":
    sys.exit(main())
