"""The commands that need no study: how many items, and how well do raters agree."""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from quorate.cli.options import AsJson, print_json
from quorate.messages import clauses_of

if TYPE_CHECKING:
    from quorate.records import Estimate
    from quorate.statistics.power import SampleSize
    from quorate.statistics.ratings import Ratings


class PowerOf(StrEnum):
    """The tests whose power is known."""

    T = "t"
    PAIRED = "paired"
    ONE_SAMPLE = "one-sample"
    ANOVA = "anova"
    PROPORTIONS = "proportions"
    CORRELATION = "correlation"
    CHI_SQUARE = "chi-square"
    BINOMIAL = "binomial"
    SIGN = "sign"
    MCNEMAR = "mcnemar"
    KAPPA = "kappa"


TestOption = Annotated[PowerOf, typer.Option("--test", help="The test that the study will make.")]
Effect = Annotated[
    float,
    typer.Option("--effect", "-d", "--d", help="The effect: d (t tests), f (anova), r (correlation), w (chi-square)."),
]
N = Annotated[int | None, typer.Option("--n", help="Say the power of this n (a group) instead of finding the n.")]
Shares = Annotated[
    tuple[float, float] | None,
    typer.Option(help="The two shares: proportions p1 p2, binomial p0 p1, sign 0.5 p, mcnemar p10 p01, kappa rates."),
]
Kappas = Annotated[tuple[float, float] | None, typer.Option(help="kappa: the one to rule out and the one expected.")]


def power(
    test: TestOption = PowerOf.T,
    effect: Effect = 0.5,
    n: N = None,
    alpha: Annotated[float, typer.Option(help="The risk of a false finding.")] = 0.05,
    power: Annotated[float, typer.Option("--power", help="The chance of finding a true effect.")] = 0.80,
    groups: Annotated[int, typer.Option(help="anova: how many groups.")] = 3,
    df: Annotated[int, typer.Option(help="chi-square: degrees of freedom.")] = 1,
    shares: Shares = None,
    kappas: Kappas = None,
    one_sided: Annotated[bool, typer.Option("--one-sided", help="Look in one direction alone.")] = False,
    as_json: AsJson = False,
) -> None:
    """How large a study needs to be.

    How many items, raters or groups it needs for the power that is asked for, or the power it has with --n.
    """
    from quorate.errors import DataError

    side = "one-sided" if one_sided else "two-sided"
    if test in (PowerOf.PROPORTIONS, PowerOf.BINOMIAL, PowerOf.SIGN, PowerOf.MCNEMAR) and shares is None:
        raise DataError(f"--test {test} needs the two shares, for example --shares 0.5 0.65.")
    if test is PowerOf.KAPPA and kappas is None:
        raise DataError("--test kappa needs two kappas, for example --kappas 0.4 0.6.")
    asked = {"test": str(test), "alpha": alpha, "alternative": side}
    if n is not None:
        value = _power_at(test, n, effect, groups, df, shares, alpha, side)
        if as_json:
            print_json({**asked, "n": n, "power": value})
        else:
            print(f"With n = {n:,}{' a group' if test in _GROUPED else ''}, the power is {value:.4f}.")
        return
    found = _sample_size(test, effect, power, groups, df, shares, kappas, alpha, side)
    if as_json:
        print_json({**asked, "wanted": power, **asdict(found)})
    else:
        print(_sentence(found, test, alpha, side))


_GROUPED = (PowerOf.T, PowerOf.ANOVA, PowerOf.PROPORTIONS)
_T_KINDS = {PowerOf.T: "two-sample", PowerOf.PAIRED: "paired", PowerOf.ONE_SAMPLE: "one-sample"}


def _sentence(found: SampleSize, test: PowerOf, alpha: float, side: str) -> str:
    size = f"{found.n:,} a group, {found.total:,} in all" if found.groups > 1 else f"{found.n:,} {found.unit}"
    rule = f" ({found.rule})" if found.rule else ""
    return f"{size}{rule}\npower {found.power:.4f} at alpha {alpha:g}, {test} test, {side}"


def _sample_size(
    test: PowerOf,
    effect: float,
    power: float,
    groups: int,
    df: int,
    shares: Any,
    kappas: Any,
    alpha: float,
    side: str,
) -> SampleSize:
    from quorate import statistics as room

    if test in _T_KINDS:
        return room.t_test_sample_size(effect, power, kind=_T_KINDS[test], alpha=alpha, alternative=side)
    if test is PowerOf.ANOVA:
        return room.anova_sample_size(effect, groups, power, alpha=alpha)
    if test is PowerOf.CORRELATION:
        return room.correlation_sample_size(effect, power, alpha=alpha, alternative=side)
    if test is PowerOf.CHI_SQUARE:
        return room.chi_square_sample_size(effect, df, power, alpha=alpha)
    if test is PowerOf.KAPPA:
        rates = shares or (0.5, 0.5)
        return room.kappa_sample_size(*kappas, shares=rates, power=power, alpha=alpha, alternative=side)
    sizes = {
        PowerOf.PROPORTIONS: room.two_proportions_sample_size,
        PowerOf.BINOMIAL: room.binomial_sample_size,
        PowerOf.SIGN: room.binomial_sample_size,
        PowerOf.MCNEMAR: room.mcnemar_sample_size,
    }
    return sizes[test](*shares, power, alpha=alpha, alternative=side)


def _power_at(
    test: PowerOf, n: int, effect: float, groups: int, df: int, shares: Any, alpha: float, side: str
) -> float:
    from quorate import statistics as room
    from quorate.errors import DataError

    if test in _T_KINDS:
        return room.t_test_power(effect, n, kind=_T_KINDS[test], alpha=alpha, alternative=side)
    if test is PowerOf.ANOVA:
        return room.anova_power(effect, n, groups, alpha=alpha)
    if test is PowerOf.CORRELATION:
        return room.correlation_power(effect, n, alpha=alpha, alternative=side)
    if test is PowerOf.CHI_SQUARE:
        return room.chi_square_power(effect, n, df, alpha=alpha)
    if test is PowerOf.KAPPA:
        raise DataError("--test kappa finds an n; leave out --n.")
    powers = {
        PowerOf.PROPORTIONS: room.two_proportions_power,
        PowerOf.BINOMIAL: room.binomial_power,
        PowerOf.SIGN: room.binomial_power,
        PowerOf.MCNEMAR: room.mcnemar_power,
    }
    return powers[test](*shares, n, alpha=alpha, alternative=side)


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
    """Every agreement coefficient that fits a table of ratings.

    Each with its n, what was left out, and an interval where one can be had.
    """
    from quorate.cli.rating_table import read_rating_table
    from quorate.statistics.summary import agreement_summary, fitting_level

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
    from rich.console import Console
    from rich.table import Table

    from quorate.statistics.bands import landis_koch
    from quorate.statistics.estimating import FEW

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
