"""The server on PostgreSQL with two workers against a bare one with as many, in the same run.

    python bench/postgresql.py [--seconds 4] [--rounds 3]

The same load generator and the same study as in `bench/server.py`; figures are ratios to `bench/bare_postgresql.py`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from load import middle, spread, together
from server import LISTENS, _bare_round, _our_round, make_study, serving

from postgres import running

WORKERS = 2


def throughput(folder: Path, address: str, paths: Iterator[str], n: int, seconds: float, rounds: int) -> float:
    """Ours against the floor at n raters, in turns; our submissions a second."""
    floor = [sys.executable, str(Path(__file__).with_name("bare_postgresql.py")), address, str(WORKERS)]
    study = [sys.executable, "-m", "quorate", "serve", str(folder), "--port", "0", "--workers", str(WORKERS)]
    rates, tails, mine, floors = [], [], [], []
    with serving(floor, r"^(\d+)$") as bare, serving(study, LISTENS) as ours:
        for _ in range(rounds):
            low = asyncio.run(_bare_round(bare[0], n, seconds))
            high = asyncio.run(_our_round(ours[0], [next(paths) for _ in range(n)], seconds))
            rates.append(high.rate / low.rate)
            tails.append(high.percentile(0.95) / low.percentile(0.95))
            mine.append(high)
            floors.append(low)
    a, b = together(mine), together(floors)
    print(
        f"{n:>3} raters: {a.rate:,.0f} submissions a second against {b.rate:,.0f}: ratio {spread(rates)}; p95 "
        f"{a.percentile(0.95):.1f} ms against {b.percentile(0.95):.1f} ms: {spread(tails)} times",
        flush=True,
    )
    return middle([one.rate for one in mine])


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
        paths = iter(make_study(folder, 1_000, 200))
        eight = throughput(folder, postgres.url, paths, 8, given.seconds, given.rounds)
        many = throughput(folder, postgres.url, paths, 32, given.seconds, given.rounds)
        print(f"from 8 to 32 raters: {many / eight:.2f} times as many submissions a second")


if __name__ == "__main__":
    main()
