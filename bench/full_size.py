"""`abstract-visual` at the protocol's full size: 36 candidates, 18 raters, 1,200 pictures, twice 3,600 answers.

    python bench/full_size.py [--a-domain 200] [--profile] [--keep DIR]

The template's pictures are used again and again under new ids, so that nothing has to be drawn. What comes back is held
against the protocol: how many came, were selected, answered, and in how many seconds. Exit status 1 where a number is
not the protocol's.
"""

from __future__ import annotations

import argparse
import cProfile
import csv
import pstats
import shutil
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import quorate
from quorate.collect.screening import candidates
from quorate.store import Store
from quorate.study import REHEARSAL, Study

TEMPLATE = Path(quorate.__file__).parent / "templates" / "abstract-visual"


def full_size(folder: Path, a_domain: int) -> Path:
    """The template with so many pictures a domain, half of each style, one iteration each."""
    shutil.copytree(TEMPLATE, folder)
    with (TEMPLATE / "items.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    last = {row["item_id"]: row for row in sorted(rows, key=lambda row: int(row["iteration"]))}
    cells: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in last.values():
        cells.setdefault((row["domain"], row["style"]), []).append(row)
    with (folder / "items.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        for (domain, style), known in sorted(cells.items()):
            for number in range(a_domain // 2):
                row = known[number % len(known)]
                writer.writerow({**row, "item_id": f"{domain}_{style}_{number:04d}".lower().replace(" ", "_")})
    study = folder / "study.yaml"
    text = study.read_text(encoding="utf-8")
    assert "sample: {n: 4, by" in text, "the template's sample is written otherwise now"
    study.write_text(text.replace("sample: {n: 4, by", f"sample: {{n: {a_domain}, by"), encoding="utf-8")
    return folder


def rehearsed(folder: Path, profile: bool = False) -> tuple[dict[str, int], dict[str, float]]:
    """What a rehearsal gave, in numbers, and how long its parts took."""
    times, begin = {}, time.perf_counter()
    study = Study(folder)
    items = len(study.plan.items)
    times["load and plan"] = time.perf_counter() - begin
    profiler, begin = cProfile.Profile(), time.perf_counter()
    if profile:
        profiler.enable()
    study.rehearse(seed=1)
    profiler.disable()
    times["rehearse"] = time.perf_counter() - begin
    if profile:
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(35)
    with Store.open(folder / REHEARSAL) as store:
        found = {
            "candidates": len(store.read(lambda tx: candidates(tx, study.protocol))),
            "raters": len({one.rater for one in store.read(lambda tx: tx.assignments())}),
            "items": items,
        }
        answers = store.read(lambda tx: tx.latest_answers(by="rater"))
    by_section = Counter(answer.section for answer in answers)
    return {**found, **{f"answers in {section}": n for section, n in by_section.items()}}, times


def main() -> None:
    """Rehearses, prints, and compares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--a-domain", type=int, default=200)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    with TemporaryDirectory() as temporary:
        folder = full_size(given.keep or Path(temporary) / "study", given.a_domain)
        found, times = rehearsed(folder, given.profile)
    n = 6 * given.a_domain
    expected = {"candidates": 36, "raters": 18, "items": n}
    expected |= {name: 3 * n for name in found if name.startswith("answers")}
    for name, number in found.items():
        print(f"{name:<24} {number:>8,}   {'' if number == expected[name] else f'expected {expected[name]:,}'}")
    for name, seconds in times.items():
        print(f"{name:<24} {seconds:>8.1f} s")
    sys.exit(found != expected)


if __name__ == "__main__":
    main()
