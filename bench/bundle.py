"""How long a bundle takes to write and to verify as answers gather, and how much memory that needs.

    python bench/bundle.py [--answers 10000 100000 1000000] [--keep DIR]

Each size is a `dialogue` study of its own, rehearsed through the code that people go through: the template's replies
again and again under new ids, three raters each. Writing and verifying run in processes of their own. Exit status 1
where a bundle does not verify, or where an answer costs more than twice what it costs at the smallest size.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import quorate
from quorate.study import Study

TEMPLATE = Path(quorate.__file__).parent / "templates" / "dialogue"
SAMPLES = "annotation_samples.jsonl"
#: Each of three raters leaves a row for each of seven questions, those that do not apply among them.
PER_ITEM = 21
#: An answer may cost so many times what it costs at the smallest size.
WORSE = 2.0


def study(folder: Path, n_answers: int) -> Path:
    """The template with as many replies as give so many answers, in conversations of their own."""
    shutil.copytree(TEMPLATE, folder)
    lines = [json.loads(line) for line in (TEMPLATE / SAMPLES).read_text(encoding="utf-8").splitlines()]
    n = max(1, round(n_answers / PER_ITEM))
    with (folder / SAMPLES).open("w", encoding="utf-8") as file:
        for number in range(n):
            row = lines[number % len(lines)]
            # The id names the conversation and the turn.
            id = row["sample_id"].replace("_turn_", f"_{number // len(lines)}_turn_")
            file.write(json.dumps({**row, "sample_id": id}, ensure_ascii=False) + "\n")
    return folder


def measured(step: str, folder: Path) -> tuple[float, float, str]:
    """Seconds and megabytes of one step in a process of its own, and what it says."""
    done = subprocess.run([sys.executable, __file__, step, str(folder)], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    seconds, megabytes, said = json.loads(done.stdout)
    return seconds, megabytes, said


def step(name: str, folder: Path) -> None:
    """One step, timed."""
    bundle = folder / "study.zip"
    begin = time.perf_counter()
    if name == "rehearse":
        said = f"{Study(folder).rehearse(seed=1):,} submissions"
    elif name == "write":
        Study(folder).bundle(bundle)
        said = f"{bundle.stat().st_size / 1e6:,.0f} MB"
    else:
        from quorate.verify.bundle import verify_bundle

        found = verify_bundle(bundle)
        said = "verified" if not found.findings else f"{len(found.findings)} findings: {found.findings[0]}"
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps([time.perf_counter() - begin, memory, said]))


def main() -> None:
    """Measures every size, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    print("| answers | step | seconds | µs an answer | MB of memory | |\n|---:|---|---:|---:|---:|---|", flush=True)
    first: dict[str, float] = {}
    is_good = True
    with TemporaryDirectory() as temporary:
        for n in given.answers:
            folder = study((given.keep or Path(temporary)) / f"study_{n}", n)
            for name in ("rehearse", "write", "verify"):
                seconds, megabytes, said = measured(name, folder)
                each = seconds / n * 1e6
                is_good &= name != "verify" or said == "verified"
                is_good &= name == "rehearse" or each <= WORSE * first.setdefault(name, each)
                print(f"| {n:,} | {name} | {seconds:.1f} | {each:.0f} | {megabytes:,.0f} | {said} |", flush=True)
    sys.exit(not is_good)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] in ("rehearse", "write", "verify"):
        step(sys.argv[1], Path(sys.argv[2]))
    else:
        main()
