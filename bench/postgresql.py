"""The server on PostgreSQL with two workers against a bare one with as many, in the same run.

    python bench/postgresql.py [--seconds 4] [--rounds 3]

The same load generator and study as in `bench/server.py`; figures are ratios to `bench/bare_postgresql.py`. The
processors' time (of the server and of the database together) tells the same where others use the machine, too.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from load import Measured, cpu_seconds, measure, middle, spread, together
from server import LISTENS, bare_raters, make_study, our_raters, serving

from postgres import Server as Postgres
from postgres import running

WORKERS = 2
Running = tuple[int, int, float]
"""A server's port, its process, and how long it took to start."""
Raters = list[Callable[[], Awaitable[None]]]


def throughput(folder: Path, postgres: Postgres, paths: Iterator[str], n: int, seconds: float, rounds: int) -> float:
    """Ours against the floor at n raters, in turns; our submissions a second."""
    floor = [sys.executable, str(Path(__file__).with_name("bare_postgresql.py")), postgres.url, str(WORKERS)]
    study = [sys.executable, "-m", "quorate", "serve", str(folder), "--port", "0", "--workers", str(WORKERS)]
    rates, tails, costs, mine, floors = [], [], [], [], []
    with serving(floor, r"^(\d+)$") as bare, serving(study, LISTENS) as ours:
        for _ in range(rounds):
            low, low_cost = asyncio.run(_bare_round(bare, postgres, n, seconds))
            high, high_cost = asyncio.run(_our_round(ours, postgres, [next(paths) for _ in range(n)], seconds))
            rates.append(high.rate / low.rate)
            tails.append(high.percentile(0.95) / low.percentile(0.95))
            costs.append((high_cost, low_cost))
            mine.append(high)
            floors.append(low)
    a, b = together(mine), together(floors)
    own, other = (middle([cost[k] for cost in costs]) for k in (0, 1))
    print(
        f"{n:>3} raters: {a.rate:,.0f} submissions a second against {b.rate:,.0f}: ratio {spread(rates)}; p95 "
        f"{a.percentile(0.95):.1f} ms against {b.percentile(0.95):.1f} ms: {spread(tails)} times; processors "
        f"{own:.2f} ms a submission against {other:.2f} ms: {spread([low / high for high, low in costs])} as many for "
        "the same",
        flush=True,
    )
    return middle([one.rate for one in mine])


async def _bare_round(server: Running, postgres: Postgres, n: int, seconds: float) -> tuple[Measured, float]:
    return await _measured(bare_raters(server[0], n), server, postgres, seconds)


async def _our_round(server: Running, postgres: Postgres, paths: list[str], seconds: float) -> tuple[Measured, float]:
    return await _measured(await our_raters(server[0], paths), server, postgres, seconds)


async def _measured(raters: Raters, server: Running, postgres: Postgres, seconds: float) -> tuple[Measured, float]:
    """A round, and what a submission cost server and database of the processors, in milliseconds."""
    before = cpu_seconds(server[1], postgres.process.pid)
    found = await measure(raters, seconds)
    return found, 1000 * (cpu_seconds(server[1], postgres.process.pid) - before) / max(1, len(found.times))


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
        eight = throughput(folder, postgres, paths, 8, given.seconds, given.rounds)
        many = throughput(folder, postgres, paths, 32, given.seconds, given.rounds)
        print(f"from 8 to 32 raters: {many / eight:.2f} times as many submissions a second")


if __name__ == "__main__":
    main()
