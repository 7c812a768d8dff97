"""The command that says how large a study needs to be."""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, Any

import typer

from quorate import statistics as room
from quorate.cli.options import AsJson, print_json
from quorate.errors import DataError
from quorate.statistics.power import SampleSize


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
    """Say how large a study needs to be.

    How many items, raters or groups it needs for the power that is asked for, or the power it has with --n.
    """
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
