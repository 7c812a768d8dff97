"""What can be computed: pure functions, each a formula with its source, an interval and an n.

Usable alone, without a study:

>>> from quorate import statistics
>>> print(statistics.cohen_kappa("yyyn", "yynn", interval=None))
0.500 · 4 items, 8 ratings

Every name below is loaded when it is first used, so importing the room costs nothing.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from quorate.errors import DataError, did_you_mean

_MODULES: dict[str, tuple[str, ...]] = {
    "ratings": ("Ratings",),
    "weights": ("weight_matrix",),
    "agreement": (
        "percent_agreement",
        "full_agreement",
        "fleiss_kappa",
        "scott_pi",
        "gwet_ac",
        "brennan_prediger",
        "kappa_by_category",
    ),
    "kappa": ("cohen_kappa", "conger_kappa", "pairwise_agreement"),
    "light": ("light_kappa",),
    "alpha": ("krippendorff_alpha",),
    "intraclass": ("icc", "icc_forms"),
    "summary": ("agreement_summary",),
    "bands": ("landis_koch", "band_probabilities", "gwet_band"),
    "proportions": ("wilson", "clopper_pearson", "newcombe", "mcnemar", "proportion", "difference"),
    "preference": ("win_tie_loss", "sign_test", "position_bias"),
    "signed_rank": ("wilcoxon",),
    "bradley_terry": ("bradley_terry",),
    "raters": ("agreement_with_rest", "drift", "straight_lining", "speed"),
    "dawid_skene": ("dawid_skene",),
    "mace": ("mace",),
    "correlation": ("pearson", "spearman", "kendall", "correlation_by_stratum"),
    "comparison": ("confusion", "judge_against_people"),
    "alternative_annotator": ("alternative_annotator_test",),
    "ppi": ("ppi_mean", "ppi_difference"),
    "multiplicity": ("holm", "hochberg", "benjamini_hochberg", "benjamini_yekutieli"),
    "resampling": ("bootstrap_interval", "bootstrap_values", "jackknife_values"),
    "power": (
        "SampleSize",
        "cohen_h",
        "t_test_power",
        "t_test_sample_size",
        "anova_power",
        "anova_sample_size",
        "two_proportions_power",
        "two_proportions_sample_size",
        "correlation_power",
        "correlation_sample_size",
        "chi_square_power",
        "chi_square_sample_size",
    ),
    "exact_power": (
        "binomial_power",
        "binomial_sample_size",
        "sign_test_power",
        "sign_test_sample_size",
        "mcnemar_power",
        "mcnemar_sample_size",
    ),
    "kappa_power": ("kappa_sample_size", "simulated_power", "simulated_ratings"),
}
_WHERE = {name: module for module, names in _MODULES.items() for name in names}


@dataclass(frozen=True, slots=True)
class Statistic:
    """One row of the table: what the study file calls it, where it is, and what it fits.

    `shape` says what the function takes: "ratings" (items × raters), "two raters" (a, b), "scores" (two columns
    of numbers), "outcomes" (values that are right or wrong), "preferences", "comparisons" or "labels".
    """

    name: str
    function: str
    shape: str
    levels: tuple[str, ...]

    def __call__(self, *args: Any, **options: Any) -> Any:
        return __getattr__(self.function)(*args, **options)


_CATEGORIES = ("nominal", "ordinal")
_ORDERED = ("ordinal", "interval", "ratio")
_NUMBERS = ("interval", "ratio")
_ANY = ("nominal", "ordinal", "interval", "ratio")

TABLE: tuple[Statistic, ...] = (
    Statistic("percent agreement", "percent_agreement", "ratings", _CATEGORIES),
    Statistic("fleiss kappa", "fleiss_kappa", "ratings", _CATEGORIES),
    Statistic("conger kappa", "conger_kappa", "ratings", _CATEGORIES),
    Statistic("light kappa", "light_kappa", "ratings", _CATEGORIES),
    Statistic("gwet ac", "gwet_ac", "ratings", _CATEGORIES),
    Statistic("brennan prediger", "brennan_prediger", "ratings", _CATEGORIES),
    Statistic("krippendorff alpha", "krippendorff_alpha", "ratings", _ANY),
    Statistic("icc", "icc", "ratings", _ORDERED),
    Statistic("cohen kappa", "cohen_kappa", "two raters", _CATEGORIES),
    Statistic("scott pi", "scott_pi", "two raters", _CATEGORIES),
    Statistic("proportion", "proportion", "outcomes", _CATEGORIES),
    Statistic("win tie loss", "win_tie_loss", "preferences", _ORDERED),
    Statistic("sign test", "sign_test", "preferences", _ORDERED),
    Statistic("wilcoxon", "wilcoxon", "preferences", _ORDERED),
    Statistic("position bias", "position_bias", "preferences", _ORDERED),
    Statistic("bradley terry", "bradley_terry", "comparisons", _ORDERED),
    Statistic("dawid skene", "dawid_skene", "labels", _CATEGORIES),
    Statistic("mace", "mace", "labels", _CATEGORIES),
    Statistic("pearson", "pearson", "scores", _NUMBERS),
    Statistic("spearman", "spearman", "scores", _ORDERED),
    Statistic("kendall", "kendall", "scores", _ORDERED),
)

__all__ = ["TABLE", "Statistic", *_WHERE]


def statistic(name: str) -> Statistic:
    """The row of the table with this name ("fleiss kappa" or "fleiss_kappa").

    >>> statistic("fleiss kappa").shape
    'ratings'
    """
    plain = " ".join(name.replace("_", " ").lower().split())
    for row in TABLE:
        if row.name == plain:
            return row
    raise DataError(f"there is no statistic '{name}'.{did_you_mean(plain, [row.name for row in TABLE])}")


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'quorate.statistics' has no attribute '{name}'")
    value = getattr(import_module(f".{_WHERE[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


class _Room(ModuleType):
    """Keeps `statistics.mace` the function: importing the file mace.py would put the module in its place."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _WHERE and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Room
