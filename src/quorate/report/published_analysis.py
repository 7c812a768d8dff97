"""Computes every number of this study's report again, from the CSV files beside it, and says which differ.

Needs Python 3.9 or later and nothing else:  python analysis.py  (or  python analysis.py --json)
The exit status is 1 where a number does not follow from the rows, or a file is missing or not as it was published.
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    # Alone in its folder, also where Python is told not to look there (python -I).
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from recompute.check import main

    sys.exit(main(Path(__file__).resolve().parent, sys.argv[1:]))
