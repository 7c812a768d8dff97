"""How often the intervals that `analyse` prints hold the truth, estimate by estimate, for all five templates.

    python bench/truth.py [--seeds 400] [--items 60] [TEMPLATE ...]

Studies are simulated from a known truth, straight into `analyse`; an interval that cannot be computed counts as a miss.
Stated is 95 %. Exit status 1 where an estimate holds it less often than chance allows: the binomial bar at 0.1 %,
divided by the number of estimates.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

# In place of this folder, whose `analyse.py` is another one.
sys.path.remove(str(Path(__file__).parent.resolve()))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from analyse import truths

ALPHA = 0.001


def main() -> None:
    """Prints a Markdown table of coverage."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("templates", nargs="*", metavar="TEMPLATE", default=list(truths.TRUTHS))
    parser.add_argument("--seeds", type=int, default=400)
    parser.add_argument("--items", type=int, default=truths.N_ITEMS)
    given = parser.parse_args()
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
