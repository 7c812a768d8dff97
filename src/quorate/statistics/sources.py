"""Where the statistics come from. A report cites the sources of those that it used."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def sources() -> Mapping[str, str]:
    """Every source by author and year, as a list of references prints it.

    >>> sources()["Cohen 1960"][:16]
    'Cohen, J. (1960)'
    """
    lines = files("quorate.statistics").joinpath("sources.tsv").read_text("utf-8").splitlines()
    return dict(line.split("\t") for line in lines)
