"""Every coefficient that fits a table of ratings, side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from quorate.errors import DataError, did_you_mean
from quorate.estimates import Estimate

from .agreement import brennan_prediger, fleiss_kappa, full_agreement, gwet_ac, percent_agreement, scott_pi
from .alpha import LEVELS, krippendorff_alpha
from .intraclass import FORMS, icc
from .kappa import cohen_kappa, conger_kappa
from .light import light_kappa
from .ratings import Ratings

# With more values than this, agreement on exact categories says little, and its patterns are many.
MANY_CATEGORIES = 50
MANY_RATERS = 30
Row = tuple[str, Callable[..., Estimate]]


def agreement_summary(
    ratings: Any,
    level: str | None = None,
    *,
    weights: Any = None,
    categories: Any = None,
    clusters: Any = None,
    interval: str | None = "linearised",
    confidence: float = 0.95,
    replicates: int = 10_000,
    seed: int = 0,
) -> dict[str, Estimate]:
    """Every coefficient that fits these ratings at their level of measurement, by name.

    Without a level, texts are nominal, up to ten whole numbers ordinal, and other numbers interval. At the ordinal
    level each weighted coefficient is given too, with quadratic weights unless `weights` says otherwise.

    >>> list(agreement_summary([["y", "y"], ["n", "y"], ["n", "n"]], interval=None))[:3]
    ['percent agreement', 'full agreement', "Cohen's kappa"]
    """
    read = Ratings.read(ratings, categories, clusters)
    level = fitting_level(read) if level is None else level
    if level not in LEVELS:
        raise DataError(f"level='{level}' is unknown; say one of {', '.join(LEVELS)}.{did_you_mean(level, LEVELS)}")
    how = {"interval": interval, "confidence": confidence, "replicates": replicates, "seed": seed}
    found: dict[str, Estimate] = {}
    if len(read.categories) <= MANY_CATEGORIES:
        found |= {name: statistic(read, **how) for name, statistic in _of_categories(read)}
        found["full agreement"] = full_agreement(read, confidence=confidence)
        found = {name: found[name] for name in ("percent agreement", "full agreement", *found)}
    if level == "ordinal" and 2 < len(read.categories) <= MANY_CATEGORIES:
        given = weights if weights is not None else "quadratic"
        word = given if isinstance(given, str) else "given"
        weighted = [(n, f) for n, f in _of_categories(read) if n != "percent agreement"]
        found |= {f"{_second(n)}, {word} weights": f(read, weights=given, **how) for n, f in weighted}
    found[f"Krippendorff's alpha, {level}"] = krippendorff_alpha(read, level=level, **how)  # type: ignore[arg-type]
    if level != "nominal" and _numeric(read) and read.codes is not None:
        limits = {**how, "interval": None if interval is None else "F"}
        found |= {form: icc(read, form, **limits) for form in FORMS}  # type: ignore[arg-type]
    return found


def fitting_level(ratings: Ratings) -> str:
    """The level of measurement to assume where nobody has said."""
    if not _numeric(ratings):
        return "nominal"
    whole = all(float(c).is_integer() for c in ratings.categories)
    few = len(ratings.categories) <= 10
    if few and len(ratings.categories) <= 2:
        return "nominal"
    return "ordinal" if whole and few else "interval"


def _numeric(ratings: Ratings) -> bool:
    return bool(ratings.categories) and all(isinstance(c, int | float) for c in ratings.categories)


def _second(name: str) -> str:
    return name.replace("AC1", "AC2")


def _of_categories(ratings: Ratings) -> list[Row]:
    rows: list[Row] = [("percent agreement", percent_agreement)]
    if ratings.codes is not None and ratings.n_raters == 2:
        rows += [("Cohen's kappa", cohen_kappa), ("Scott's pi", scott_pi)]
    rows.append(("Fleiss' kappa", fleiss_kappa))
    if ratings.codes is not None and 2 < ratings.n_raters <= MANY_RATERS:
        rows += [("Conger's kappa", conger_kappa), ("Light's kappa", light_kappa)]
    return [*rows, ("Gwet's AC1", gwet_ac), ("Brennan-Prediger", brennan_prediger)]
