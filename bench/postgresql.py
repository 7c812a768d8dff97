"""The server on PostgreSQL with two workers against a bare one with as many, in the same run.

    python bench/postgresql.py [--seconds 4] [--rounds 3]

The same load generator and study as in `bench/server.py`; figures are ratios to `bench/bare_postgresql.py`. The
processors' time (of the server and of the database together) tells the same where others use the machine, too.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from server import make_study, ours, side_by_side

from postgres import running

WORKERS = 2


def main() -> None:
    """Prints one line a figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, running() as postgres:
        if postgres is None:
            sys.exit("PostgreSQL is not installed here: python tests/postgres.py --install")
        os.environ["QUORATE_DATABASE"] = f"{postgres.url}?schema=s{uuid4().hex}"
        folder = Path(name) / "study"
        paths = iter(make_study(folder, 1_000, 40 * given.rounds))
        floor = [sys.executable, str(Path(__file__).with_name("bare_postgresql.py")), postgres.url, str(WORKERS)]
        study = [*ours(folder), "--workers", str(WORKERS)]
        eight, many = (
            side_by_side(floor, study, paths, n, given.seconds, given.rounds, postgres.process.pid)["rate"]
            for n in (8, 32)
        )
        print(f"from 8 to 32 raters: {many / eight:.2f} times as many submissions a second")


if __name__ == "__main__":
    main()
