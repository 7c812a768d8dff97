"""How often the intervals that `analyse` prints hold the truth, estimate by estimate, for all five templates.

    python bench/truth.py [--seeds 400] [--items 60] [TEMPLATE ...]
    python bench/truth.py --new-raters [--seeds 2000]

Studies are simulated from a known truth, straight into `analyse`; an interval that cannot be computed counts as a miss.
Stated is 95 %. Exit status 1 where an estimate holds it less often than chance allows: the binomial bar at 0.1 %,
divided by the number of estimates.

With --new-raters single figures are simulated instead, with raters who lean to either side by a standard deviation of
0, 0.3 or 0.6 of a rating's own noise: how often the interval that speaks of new raters holds what raters would say on
average, so that one minus that is how often a test at 5 % rejects what is so. Exit status 1 where a cell is below 93 %
by more than chance allows; how many are above 97 %, too wide, is told.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np
from scipy import special

# In place of this folder, whose `analyse.py` is another one.
sys.path.remove(str(Path(__file__).parent.resolve()))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from analyse import truths
from quorate.statistics import crossed_mean

ALPHA = 0.001
#: Items differ by this standard deviation, in units of a rating's own noise; closer to the middle than CUT is a tie.
OF_ITEMS, CUT = 0.5, 0.3
#: The figures, with how far answers lie from the middle.
FIGURES = (("mean", 0.0), ("share", 0.0), ("share", 1.3), ("net gain", 0.0), ("net gain", 1.3))
ITEMS, RATERS, SPREADS, EACH = (20, 60, 200), (3, 5, 10, 30), (0.0, 0.3, 0.6), (3, 0)
Cell = tuple[tuple[str, float], int, int, int, float, int]


def of_new_raters(cell: Cell) -> tuple[float, float]:
    """How often the interval of a figure holds the truth, and how often there is none."""
    (figure, at), n_items, n_raters, each, spread, seeds = cell
    rng = np.random.default_rng([n_items, n_raters, each])
    wide = float(np.sqrt(1 + OF_ITEMS**2 + spread**2))
    truth = {
        "mean": at, "share": float(special.ndtr(at / wide)),
        "net gain": float(special.ndtr((at - CUT) / wide) - special.ndtr((-at - CUT) / wide)),
    }[figure]  # fmt: skip
    each = min(each or n_raters, n_raters)
    item = np.repeat(np.arange(n_items), each)
    rater = np.concatenate([rng.permutation(n_raters)[:each] for _ in range(n_items)])
    held = none = 0
    for _ in range(seeds):
        felt = at + rng.normal(0, OF_ITEMS, n_items)[item] + rng.normal(0, spread, n_raters)[rater]
        felt += rng.normal(size=len(item))
        said = {"mean": felt, "share": felt > 0, "net gain": np.sign(felt) * (abs(felt) > CUT)}[figure]
        ends = {"mean": None, "share": (0.0, 1.0), "net gain": (-1.0, 1.0)}[figure]
        found = crossed_mean(said.astype(float), item, rater, ends=ends)
        none += found.low is None
        held += found.low is not None and found.low <= truth <= found.high
    return held / max(seeds - none, 1), none / seeds


def new_raters(seeds: int) -> bool:
    """Prints a Markdown table of the grid; whether no cell that the product prints is below 93 %."""
    cells: list[Cell] = [(*one, seeds) for one in product(FIGURES, ITEMS, RATERS, EACH, SPREADS)]
    with ProcessPoolExecutor() as pool:
        found = dict(zip(cells, pool.map(of_new_raters, cells, chunksize=4), strict=True))
    slack = float(special.ndtri(1 - ALPHA)) * float(np.sqrt(0.03 * 0.97 / seeds))
    print("| figure | items | raters | three an item | everybody |\n|---|---:|---:|---|---|")
    low = wide = 0
    for figure, n_items, n_raters in product(FIGURES, ITEMS, RATERS):
        told = []
        for each in EACH:
            mine = [found[figure, n_items, n_raters, each, spread, seeds] for spread in SPREADS]
            low += sum(none < 1 and held < 0.93 - slack for held, none in mine)
            wide += sum(none < 1 and held > 0.97 + slack for held, none in mine)
            told.append("refused" if mine[0][1] == 1 else ", ".join(f"{held:.3f}" for held, _ in mine))
        print(f"| {figure[0]} at {figure[1]:g} | {n_items} | {n_raters} | {' | '.join(told)} |")
    print(f"\n{len(cells)} cells of {seeds} studies; {low} below 93 %, {wide} above 97 %. Spread of raters: {SPREADS}.")
    return low == 0


def main() -> None:
    """Prints a Markdown table of coverage."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("templates", nargs="*", metavar="TEMPLATE", default=list(truths.TRUTHS))
    parser.add_argument("--seeds", type=int, default=400)
    parser.add_argument("--items", type=int, default=truths.N_ITEMS)
    parser.add_argument("--new-raters", action="store_true")
    given = parser.parse_args()
    if given.new_raters:
        sys.exit(not new_raters(given.seeds))
    truths.N_ITEMS = given.items
    begin, found = time.perf_counter(), {}
    for name in given.templates:
        found |= {(name, id): hits for id, hits in truths.held(truths.TRUTHS[name], range(given.seeds)).items()}
        print(f"{name}: {time.perf_counter() - begin:.0f} s", file=sys.stderr)
    bar = truths.fewest(given.seeds, ALPHA / len(found))
    print(f"\n{len(found)} estimates, {given.seeds} seeds, {given.items} items; the bar is {bar / given.seeds:.1%}.\n")
    print("| template | estimate | held the truth |\n|---|---|---:|")
    for (name, id), hits in found.items():
        print(f"| {name} | `{id}` | {sum(hits) / len(hits):.1%}{'' if sum(hits) >= bar else ' **below the bar**'} |")
    low = [key for key, hits in found.items() if sum(hits) < bar]
    shares = sorted(sum(hits) / len(hits) for hits in found.values())
    print(f"\nMean {sum(shares) / len(shares):.1%}, lowest {shares[0]:.1%}, highest {shares[-1]:.1%}.")
    sys.exit(bool(low))


if __name__ == "__main__":
    main()
