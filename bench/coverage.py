"""How often the intervals hold the truth, on simulated ratings whose truth is known.

    python bench/coverage.py --items 20 50 200 --studies 1000 --bootstrap-studies 400

Ratings come from one family: an item has a category of its own, each rater gives it with a certain probability and
otherwise any category by the same shares; five-point ratings are off by a rounded normal error instead. The truth of
each coefficient is its value on a million items. An interval that cannot be computed counts as a miss. Prints a
Markdown table: for each coefficient the mean and the worst coverage over the settings.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from quorate import statistics as room
from quorate.records import Estimate

Floats = NDArray[np.float64]
Simulate = Callable[[np.random.Generator, int], Floats]

COEFFICIENTS: dict[str, Callable[..., Estimate]] = {
    "percent agreement": room.percent_agreement,
    "Fleiss": room.fleiss_kappa,
    "Conger": room.conger_kappa,
    "Light": room.light_kappa,
    "AC1": room.gwet_ac,
    "Brennan-Prediger": room.brennan_prediger,
    "alpha nominal": room.krippendorff_alpha,
}
FIVE_POINT: dict[str, Callable[..., Estimate]] = {
    "Fleiss quadratic": partial(room.fleiss_kappa, weights="quadratic"),
    "AC2 quadratic": partial(room.gwet_ac, weights="quadratic"),
    "alpha ordinal": partial(room.krippendorff_alpha, level="ordinal"),
    "alpha interval": partial(room.krippendorff_alpha, level="interval"),
}
TWO_RATERS: dict[str, Callable[..., Estimate]] = {"Cohen": room.cohen_kappa, "Scott": room.scott_pi}
COMPLETE: dict[str, Callable[..., Estimate]] = {
    "ICC(1,1)": partial(room.icc, form="1,1"),
    "ICC(2,1)": partial(room.icc, form="2,1"),
    "ICC(3,1)": partial(room.icc, form="3,1"),
    "ICC(3,k)": partial(room.icc, form="3,k"),
}
# Each interval, and whether it resamples (0: no, 1: yes), which decides how many studies it gets.
INTERVALS = {"default": 0, "bca": 1, "percentile": 1, "gwet": 0}


def categories(rng: np.random.Generator, n: int, raters: int, shares: list[float], missing: float) -> Floats:
    """Two categories or more, kappa 0.5."""
    return room.simulated_ratings(rng, n, raters, 0.5, shares, missing)


def five_point(rng: np.random.Generator, n: int, raters: int, missing: float) -> Floats:
    """Five ordered points; a rater is off by a rounded normal error."""
    own = rng.choice(5, size=(n, 1), p=[0.1, 0.2, 0.3, 0.25, 0.15])
    ratings = np.clip(np.round(own + rng.normal(0, 0.7, (n, raters))), 0, 4) + 1.0
    ratings[rng.random(ratings.shape) < missing] = np.nan
    return ratings


def settings() -> dict[str, tuple[Simulate, dict[str, Callable[..., Estimate]]]]:
    """Every setting by name: how its ratings are made, and what is computed from them."""
    made: dict[str, tuple[Simulate, dict[str, Callable[..., Estimate]]]] = {}
    for missing in (0.0, 0.35):
        for raters in (3, 5):
            words = f"{raters} raters" + (f", {missing:.0%} missing" if missing else "")
            for name, shares in (("balanced", [0.5, 0.5]), ("90/10", [0.9, 0.1])):
                made[f"{name}, {words}"] = (
                    partial(categories, raters=raters, shares=shares, missing=missing), COEFFICIENTS
                )  # fmt: skip
            whole = {} if missing else COMPLETE
            made[f"five-point, {words}"] = (
                partial(five_point, raters=raters, missing=missing), COEFFICIENTS | FIVE_POINT | whole
            )  # fmt: skip
    for name, shares in (("balanced", [0.5, 0.5]), ("90/10", [0.9, 0.1]), ("three categories", [0.5, 0.3, 0.2])):
        made[f"{name}, 2 raters"] = (partial(categories, raters=2, shares=shares, missing=0.0), TWO_RATERS)
    return made


def truth_of(simulate: Simulate, coefficient: Callable[..., Estimate]) -> float:
    value = coefficient(simulate(np.random.default_rng(99), 1_000_000), interval=None).value
    assert value is not None
    return value


def covered(found: Estimate, truth: float) -> bool:
    return found.low is not None and found.high is not None and found.low <= truth <= found.high


def study(
    simulate: Simulate, chosen: dict[str, Callable[..., Estimate]], n: int, counts: tuple[int, int], replicates: int
) -> dict[str, list[float | None]]:
    """For each coefficient, the share of studies in which each interval holds the truth; None where there is none."""
    truths = {name: truth_of(simulate, coefficient) for name, coefficient in chosen.items()}
    hits = {name: [0] * len(INTERVALS) for name in chosen}
    for number in range(max(counts)):
        ratings = room.Ratings.read(simulate(np.random.default_rng([7, n, number]), n))
        for name, coefficient in chosen.items():
            for place, (interval, resampled) in enumerate(INTERVALS.items()):
                if number < counts[resampled] and fits(name, interval):
                    how = (
                        {}
                        if interval == "default"
                        else {"interval": interval, "replicates": replicates, "seed": number}
                    )
                    hits[name][place] += covered(coefficient(ratings, **how), truths[name])
    shares = [1 / max(counts[resampled], 1) for resampled in INTERVALS.values()]
    return {
        name: [h * share if fits(name, i) else None for i, h, share in zip(INTERVALS, hits[name], shares, strict=True)]
        for name in chosen
    }


def fits(name: str, interval: str) -> bool:
    """Gwet gives a variance for all but Light's kappa and the intraclass correlations."""
    return interval != "gwet" or not name.startswith(("Light", "ICC"))


def summary(n: int, found: dict[str, dict[str, list[float | None]]]) -> str:
    """One line a coefficient: the mean over the settings and the worst of them, for each interval."""
    head = "| coefficient | settings | " + " | ".join(f"{interval}: mean, worst" for interval in INTERVALS) + " |"
    lines = [f"\n### {n} items\n", head, "|---" * (len(INTERVALS) + 2) + "|"]
    for name in dict.fromkeys(name for rows in found.values() for name in rows):
        rows = [results[name] for results in found.values() if name in results]
        cells = []
        for place, interval in enumerate(INTERVALS):
            shares = [row[place] or 0.0 for row in rows]
            asked = fits(name, interval) and any(shares)
            cells.append(f"{np.mean(shares):.3f}, {min(shares):.3f}" if asked else "")
        lines.append(f"| {name} | {len(rows)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, nargs="+", default=[20, 50, 200])
    parser.add_argument("--studies", type=int, default=1000, help="simulated studies for the default interval")
    parser.add_argument("--bootstrap-studies", type=int, default=400, help="and for the bootstrap intervals")
    parser.add_argument("--replicates", type=int, default=999)
    parser.add_argument("--only", default="", help="settings whose name holds this")
    options = parser.parse_args()
    counts = (options.studies, options.bootstrap_studies)
    first, second = (1.96 * np.sqrt(0.95 * 0.05 / max(c, 1)) for c in counts)
    print(f"{counts[0]:,} studies a setting (± {first:.3f}); {counts[1]:,} where it resamples (± {second:.3f})")
    for n in options.items:
        found = {}
        for name, (simulate, chosen) in settings().items():
            if options.only in name:
                began = time.perf_counter()
                found[name] = study(simulate, chosen, n, counts, options.replicates)
                print(f"{n} items, {name}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
        print(summary(n, found), flush=True)


if __name__ == "__main__":
    main()
