"""The command that computes agreement for a table of ratings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from quorate.cli.options import AsJson, print_json
from quorate.cli.rating_table import read_rating_table
from quorate.messages import clauses_of
from quorate.records import Estimate
from quorate.statistics.bands import landis_koch
from quorate.statistics.estimating import FEW
from quorate.statistics.ratings import Ratings
from quorate.statistics.summary import agreement_summary, fitting_level


def agree(
    file: Annotated[Path, typer.Argument(metavar="FILE.csv", help="Ratings: a column a rater, or item, rater, value.")],
    level: Annotated[str | None, typer.Option(help="nominal, ordinal, interval or ratio; else by the values.")] = None,
    weights: Annotated[str | None, typer.Option(help="Weights for ordinal ratings; quadratic by default.")] = None,
    categories: Annotated[str | None, typer.Option(help="All categories, in order: low,middle,high.")] = None,
    raters: Annotated[str | None, typer.Option(help="The columns of a wide table: ann,bob,eve.")] = None,
    item: Annotated[str | None, typer.Option(help="The column of items.")] = None,
    rater: Annotated[str | None, typer.Option(help="The column of raters, in a long table.")] = None,
    value: Annotated[str | None, typer.Option(help="The column of ratings, in a long table.")] = None,
    clusters: Annotated[str | None, typer.Option(help="A column of groups that items come in.")] = None,
    interval: Annotated[str, typer.Option(help="linearised, bca, percentile or gwet.")] = "linearised",
    confidence: Annotated[float, typer.Option(help="The confidence of the intervals.")] = 0.95,
    replicates: Annotated[int, typer.Option(help="How often a bootstrap resamples.")] = 10_000,
    seed: Annotated[int, typer.Option(help="The seed of the bootstrap.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Compute the agreement coefficients that fit a table of ratings.

    Each with its n, what was left out, and an interval where one can be had.
    """
    table = read_rating_table(
        file,
        item=item,
        rater=rater,
        value=value,
        raters=_listed(raters),
        categories=_listed(categories),
        clusters=clusters,
    )
    level = level or fitting_level(table.ratings)
    found = agreement_summary(
        table.ratings,
        level,
        weights=weights,
        interval=interval,
        confidence=confidence,
        replicates=replicates,
        seed=seed,
    )
    if as_json:
        rows = [{"name": name, **estimate.as_dict()} for name, estimate in found.items()]
        print_json({"file": str(file), "read": table.how, "level": level, "estimates": rows})
    else:
        print(table.how)
        print(_counts(table.ratings, level))
        _print_table(found, confidence)


def _listed(text: str | None) -> list[str] | None:
    return None if text is None else [part.strip() for part in text.split(",") if part.strip()]


def _counts(ratings: Ratings, level: str) -> str:
    names = ", ".join(map(str, ratings.categories[:8])) + (", …" if len(ratings.categories) > 8 else "")
    return f"{ratings.n_items:,} items, {ratings.n_ratings:,} ratings; categories {names}; level {level}\n"


def _print_table(found: dict[str, Estimate], confidence: float) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("coefficient")
    table.add_column("value", justify="right")
    table.add_column(f"{confidence:.0%} interval")
    table.add_column("Landis-Koch")
    table.add_column("n", justify="right")
    notes: dict[str, list[str]] = {}
    for name, estimate in found.items():
        kappa_like = estimate.value is not None and "agreement" not in name and not name.startswith("ICC")
        shown = "undefined" if estimate.value is None else f"{estimate.value:.3f}"
        ends = "" if estimate.low is None else f"[{estimate.low:.3f}, {estimate.high:.3f}]"
        band = (landis_koch(estimate) or "") if kappa_like and (estimate.n_items or 0) >= FEW else ""
        table.add_row(name, shown, ends, band, "" if estimate.n_items is None else f"{estimate.n_items:,}")
        for part in clauses_of(estimate.note):
            notes.setdefault(str(part), []).append(name)
    console = Console(highlight=False, markup=False)
    console.print(table)
    for note, names in notes.items():
        console.print(f"\n{', '.join(names) if len(names) <= 4 else 'Beware'}: {note}.")
