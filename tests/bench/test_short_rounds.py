"""One short round of the server's benchmark: it runs, and its figures are numbers. No time is asserted."""

from __future__ import annotations

import sys
from math import isfinite
from pathlib import Path

# At the end: its names must not stand before those of Python or the tests.
sys.path.append(str(Path(__file__).parents[2] / "bench"))

import run
import server

BENCH = Path(run.__file__).parent
#: What other benchmarks are made of.
NOT_BENCHMARKS = {"run", "load", "bare", "bare_postgresql"}


def test_a_short_round_of_the_server_gives_finite_figures(tmp_path: Path) -> None:
    paths = iter(server.make_study(tmp_path / "small", 300, 9))
    start = server.start(tmp_path, next(paths))
    assert start["requests"] <= 6
    assert start["bytes"] <= 60_000
    found = server.throughput(tmp_path, paths, 8, seconds=0.2, rounds=1)
    assert all(isfinite(figure) and figure > 0 for figure in [*start.values(), *found.values()])


def test_make_bench_runs_every_benchmark() -> None:
    programs = {path.stem for path in BENCH.glob("*.py")}
    assert programs - NOT_BENCHMARKS <= set(run.SHORT)
