"""Studies that nobody thought of, some hundreds of them, each from its rehearsal to a bundle that verifies.

    python bench/strange.py [--begin 100] [--studies 200]

They are those of `tests/strange`: every design, question and medium, with names that break what takes names apart. Each
is rehearsed, analysed, reported and bundled; every printed number is read off the page and held against results.json,
and computed once more by the published script. The exit status says whether all of it held.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

HERE = Path(__file__).parent.parent
AT_ONCE = 2


def main() -> None:
    """Runs the tests of strange studies over these seeds, in two processes side by side."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--begin", type=int, default=100, help="the first seed")
    parser.add_argument("--studies", type=int, default=200, help="how many studies")
    given = parser.parse_args()
    ends = [given.begin + given.studies * k // AT_ONCE for k in range(AT_ONCE + 1)]
    running = [_started(begin, end) for begin, end in pairwise(ends)]
    sys.exit(max(process.wait() for process in running))


def _started(begin: int, end: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/strange/test_strange.py"]
    return subprocess.Popen(command, cwd=HERE, env={**os.environ, "STRANGE_STUDIES": f"{begin}:{end}"})


if __name__ == "__main__":
    main()
