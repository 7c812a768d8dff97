"""All benchmarks one after the other, in short rounds, with a summary at the end: `make bench`.

    python bench/run.py [NAME ...]      # only these: server store coefficients …

Each is a program of its own whose figures are ratios within its own run; `python bench/NAME.py --help` says how to run
it for longer. The exit status is that of the worst.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent

#: Every benchmark, and what makes it short.
SHORT: dict[str, list[str]] = {
    "server": ["--seconds", "2", "--rounds", "3"],
    "postgresql": ["--seconds", "2", "--rounds", "2"],
    "store": ["--submissions", "2000", "--answers", "50000"],
    "coefficients": ["--most", "5"],
    "coverage": ["--items", "20", "--studies", "200", "--bootstrap-studies", "40", "--replicates", "199"],
    "assignment": ["--rounds", "2"],
    "crash": ["--kills", "4"],
    "large": ["--rounds", "3"],
    "growth": ["--sizes", "1000", "100000"],
    "judges": ["--concepts", "20000"],
    "analyse": ["10000", "100000"],
    "report": ["1000", "10000"],
    "full_size": [],
    "weeks": [],
    "truth": ["--seeds", "60"],
    "strange": ["--studies", "40"],
    "bundle": ["--answers", "10000", "40000"],
}


def run(name: str) -> tuple[int, float]:
    """Runs one; its exit status, and how long it took."""
    print(f"\n=== {name}: python bench/{name}.py {' '.join(SHORT[name])}", flush=True)
    begin = time.perf_counter()
    ended = subprocess.run([sys.executable, str(HERE / f"{name}.py"), *SHORT[name]], check=False)
    return ended.returncode, time.perf_counter() - begin


def main() -> None:
    """Runs those that are asked for, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(SHORT))
    given = parser.parse_args()
    unknown = sorted(set(given.names) - set(SHORT))
    if unknown:
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(SHORT)}")
    outcomes = {name: run(name) for name in given.names or SHORT}
    print("\n=== summary")
    for name, (status, seconds) in outcomes.items():
        print(f"{name:<12} {'as promised' if status == 0 else f'exit status {status}':<16} {seconds:6.0f} s")
    sys.exit(max(abs(status) for status, _ in outcomes.values()))


if __name__ == "__main__":
    main()
