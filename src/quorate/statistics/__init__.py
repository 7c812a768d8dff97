"""What can be computed: pure functions, each a formula with its source, an interval and an n.

Usable alone, without a study:

>>> from quorate import statistics
>>> print(statistics.cohen_kappa("yyyn", "yynn", interval=None))
0.500 · 4 items, 8 ratings

Every name below is loaded when it is first used, so importing the room costs nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from quorate.statistics.table import TABLE, Statistic, fitting, statistic

_MODULES: dict[str, tuple[str, ...]] = {
    "ratings": ("Ratings",),
    "weights": ("weight_matrix",),
    "agreement": (
        "percent_agreement",
        "full_agreement",
        "fleiss_kappa",
        "fleiss_null",
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
    "crossed": ("crossed_mean",),
    "preference": ("win_tie_loss", "paired_difference", "sign_test", "position_bias"),
    "signed_rank": ("wilcoxon",),
    "bradley_terry": ("bradley_terry",),
    "grouping": ("letter_groups",),
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


__all__ = ["TABLE", "Statistic", "fitting", "statistic", *_WHERE]


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
