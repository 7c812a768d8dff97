"""Speed of the statistics room, as ratios to other libraries and to itself in one run.

    python bench/coefficients.py            # 10³ to 10⁶ items, a minute or two
    python bench/coefficients.py --most 5   # up to 10⁵ items

Three claims are checked and printed with what was measured; the exit status says whether they hold:

* a million items × 5 raters with 10,000 replicates take at most 1/1,000 of a loop over statsmodels (whose replicates
  are timed a few at a time and extrapolated);
* for coefficients of count patterns, a million items take at most 3 × the time of a thousand;
* point estimates are at least as fast as the fastest library, from 10,000 items on
  (below, all take under a millisecond).
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import krippendorff
import numpy as np
from numpy.typing import NDArray
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss

from quorate import statistics as room

RATERS, CATEGORIES, REPLICATES = 5, 5, 10_000


def best(call: Callable[[], Any], times: int = 5) -> float:
    """The shortest of several runs: the one that others disturbed least."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        taken.append(time.perf_counter() - began)
    return min(taken)


def ratings(n: int, missing: float = 0.0) -> NDArray[Any]:
    rng = np.random.default_rng(n)
    own = rng.integers(1, CATEGORIES + 1, (n, 1))
    table = np.where(rng.random((n, RATERS)) < 0.6, own, rng.integers(1, CATEGORIES + 1, (n, RATERS)))
    if not missing:
        return table
    table = table.astype(float)
    table[rng.random(table.shape) < missing] = np.nan
    return table


def statsmodels_replicate(counts: NDArray[Any]) -> float:
    """One resample of the items, from counts, which is the kindest way to ask statsmodels."""
    rng = np.random.default_rng(0)
    return best(lambda: statsmodels_fleiss(counts[rng.integers(0, len(counts), len(counts))]), 3)


def points(n: int) -> list[tuple[str, float]]:
    """Point estimates, from raw ratings and from counts."""
    complete, uneven = ratings(n), ratings(n, missing=0.1)
    counts, _ = aggregate_raters(complete)
    few = 3 if n >= 100_000 else 5
    return [
        ("Fleiss, raw: ours", best(lambda: room.fleiss_kappa(complete, interval=None))),
        ("Fleiss, raw: statsmodels", best(lambda: statsmodels_fleiss(aggregate_raters(complete)[0]), few)),
        ("Fleiss, counts: ours", best(lambda: room.fleiss_kappa(room.Ratings.from_counts(counts), interval=None))),
        ("Fleiss, counts: statsmodels", best(lambda: statsmodels_fleiss(counts), few)),
        ("alpha, 10 % missing: ours", best(lambda: room.krippendorff_alpha(uneven, interval=None))),
        (
            "alpha, 10 % missing: krippendorff",
            best(lambda: krippendorff.alpha(uneven.T, level_of_measurement="nominal"), few),
        ),
        ("Fleiss, raw, with error and interval: ours", best(lambda: room.fleiss_kappa(complete))),
        ("alpha, 10 % missing, with error and interval: ours", best(lambda: room.krippendorff_alpha(uneven))),
    ]


def bootstraps(n: int) -> list[tuple[str, float]]:
    complete, uneven = ratings(n), ratings(n, missing=0.1)
    return [
        ("Fleiss", best(lambda: room.fleiss_kappa(complete, interval="bca", replicates=REPLICATES), 3)),
        ("AC1", best(lambda: room.gwet_ac(complete, interval="bca", replicates=REPLICATES), 3)),
        ("alpha", best(lambda: room.krippendorff_alpha(complete, interval="bca", replicates=REPLICATES), 3)),
        ("Fleiss, 10 % missing", best(lambda: room.fleiss_kappa(uneven, interval="bca", replicates=REPLICATES), 3)),
        ("Conger", best(lambda: room.conger_kappa(complete, interval="bca", replicates=REPLICATES), 1)),
    ]


def table(title: str, rows: dict[int, list[tuple[str, float]]]) -> None:
    sizes = list(rows)
    print(f"\n{title}\n\n| | " + " | ".join(f"{n:,} items" for n in sizes) + " |\n|---" + "|---" * len(sizes) + "|")
    for place, (name, _) in enumerate(rows[sizes[0]]):
        print(f"| {name} | " + " | ".join(f"{rows[n][place][1] * 1000:,.1f} ms" for n in sizes) + " |")


def claim(words: str, measured: float, limit: float) -> bool:
    print(f"{'holds' if measured <= limit else 'FAILS'}: {words}: {measured:.3g} (limit {limit:g})")
    return measured <= limit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=6, help="the power of ten of the largest table")
    sizes = [10**k for k in range(3, parser.parse_args().most + 1)]
    room.fleiss_kappa(ratings(100), interval="bca", replicates=10)
    point = {n: points(n) for n in sizes}
    table("Point estimates", point)
    resampled = {n: bootstraps(n) for n in sizes}
    table(f"Item bootstrap, BCa, {REPLICATES:,} replicates", resampled)
    loop = {n: statsmodels_replicate(aggregate_raters(ratings(n))[0]) * REPLICATES for n in sizes}
    print(f"\nstatsmodels, Fleiss from counts, {REPLICATES:,} replicates extrapolated:")
    for n, seconds in loop.items():
        ours = resampled[n][0][1]
        print(f"  {n:>9,} items: {seconds:10,.1f} s, ours {ours:.3f} s: {seconds / ours:,.0f} times")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    most = sizes[-1]
    print()
    held = [
        claim(f"our bootstrap of {most:,} items / the statsmodels loop", resampled[most][0][1] / loop[most], 1e-3),
        *(
            claim(f"{name}: {most:,} items / 1,000 items", resampled[most][k][1] / resampled[1000][k][1], 3)
            for k, name in enumerate(("Fleiss", "AC1", "alpha", "Fleiss, 10 % missing"))
        ),
        *(
            claim(f"{point[n][k][0]} / {point[n][k + 1][0]}, {n:,} items", point[n][k][1] / point[n][k + 1][1], 1)
            for n in sizes[1:]
            for k in (0, 2, 4)
        ),
        claim("memory at the most, GB, the other libraries' included", memory, 2),
    ]
    sys.exit(0 if all(held) else 1)


if __name__ == "__main__":
    main()
