"""Exact assignment: 32 raters at once, one and three answers wanted, on SQLite and on PostgreSQL with two workers.

    python bench/assignment.py [--rounds 20]

Every round is a new study behind the real server. No item may get more answers than wanted, and none fewer.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from crowd import Server, look, make_study, work_all
from postgres import running

ITEMS, RATERS = 60, 32


def one_round(folder: Path, database: str, k: int) -> tuple[bool, float]:
    """One study from the first rater to the last; whether it was exact, and its submissions a second."""
    # One item more than a fair share each, so that the last slots find somebody who has not had them.
    paths = make_study(folder, database, ITEMS, RATERS, k, batch=-(-ITEMS * k // RATERS) + 1)
    server = Server(folder, database, workers=2 if database else 1)
    server.start()
    begin = time.perf_counter()
    try:
        raters = work_all(server.port, paths)
    finally:
        seconds = time.perf_counter() - begin
        server.stop()
    found = look(folder, database, raters)
    if not found.is_exact(ITEMS, k):
        print(f"  {found}")
    return found.is_exact(ITEMS, k), ITEMS * k / seconds


def main() -> None:
    """Prints one line for each database and number of answers; ends with 1 where any round was not exact."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    failed = 0
    with tempfile.TemporaryDirectory() as name, running() as postgres:
        places = {"SQLite": ""} | ({"PostgreSQL, 2 workers": postgres.url} if postgres else {})
        for what, url in places.items():
            for k in (1, 3):
                outcomes = [
                    one_round(Path(name) / uuid4().hex, f"{url}?schema=s{uuid4().hex}" if url else "", k)
                    for _ in range(rounds)
                ]
                exact = sum(is_exact for is_exact, _ in outcomes)
                failed += rounds - exact
                print(f"{what}, k = {k}: {exact} of {rounds} rounds exact ({ITEMS} items, {RATERS} raters)", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
