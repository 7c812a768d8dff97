"""What can be computed, a row each: its name in a study file, what it fits, how readers are told of it, its sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from quorate.errors import DataError, did_you_mean
from quorate.messages import Message

_CATEGORIES = ("nominal", "ordinal")
_ORDERED = ("ordinal", "interval", "ratio")
_NUMBERS = ("interval", "ratio")
_ANY = ("nominal", "ordinal", "interval", "ratio")
#: The shapes of what coefficients of agreement are computed from.
RATINGS, TWO_RATERS, WHOLE_ITEMS = "ratings", "two raters", "whole items"


@dataclass(frozen=True, slots=True)
class Statistic:
    """One row of the table.

    `shape` says what the function takes: "ratings" (items × raters), "whole items" (the same, without a choice of
    interval), "equal ratings" (the same, with as many of each item),
    "two raters" (a, b), "scores" (two columns of numbers), "outcomes" (values that are right or wrong),
    "preferences", "comparisons" or "labels". `options` are what makes this row of a function that several rows share.
    `title` is what it is called, `sentence` what a methods section says of it, `sources` are keys of `sources()`.
    `banded` says that Landis and Koch's words are used.
    """

    name: str
    function: str
    shape: str
    levels: tuple[str, ...]
    title: Message | str
    sentence: Message
    sources: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    banded: bool = False

    def __call__(self, *args: Any, **options: Any) -> Any:
        from quorate import statistics

        return getattr(statistics, self.function)(*args, **{**self.options, **options})

    @property
    def found_as(self) -> str:
        """What findings of it are called."""
        return "gwet ac" if self.name == "gwet ac1" else self.name

    def fits(self, level: str) -> bool:
        """Whether it can be computed of answers at this level of measurement."""
        return level in self.levels


def _icc(form: str, sentence: Message) -> Statistic:
    return Statistic(form.lower(), "icc", RATINGS, _ORDERED, form, sentence, ("Shrout 1979",), {"form": form})


TABLE: tuple[Statistic, ...] = (
    Statistic(
        "percent agreement", "percent_agreement", RATINGS, _CATEGORIES, Message("Percent agreement"),
        Message("Percent agreement is how often two raters of an item give the same answer, averaged over items."),
    ),
    Statistic(
        "full agreement", "full_agreement", WHOLE_ITEMS, _CATEGORIES, Message("Items on which all raters agree"),
        Message("Full agreement is the share of items on which no two raters differ."),
    ),
    Statistic(
        "fleiss kappa", "fleiss_kappa", RATINGS, _CATEGORIES, Message("Fleiss’ κ"),
        Message("Fleiss’ κ (1971) is agreement beyond chance, raters taken to share one distribution of answers."),
        ("Fleiss 1971",), banded=True,
    ),
    Statistic(
        "fleiss null", "fleiss_null", "equal ratings", _CATEGORIES, Message("Fleiss’ κ against 0"),
        Message("Fleiss’ κ is held against 0 with the standard error that it has there (Fleiss, Nee and Landis 1979)."),
        ("Fleiss 1979",),
    ),
    Statistic(
        "conger kappa", "conger_kappa", RATINGS, _CATEGORIES, Message("Conger’s κ"),
        Message("Conger’s κ (1980) is agreement beyond chance, each rater with a distribution of their own."),
        ("Conger 1980",), banded=True,
    ),
    Statistic(
        "light kappa", "light_kappa", RATINGS, _CATEGORIES, Message("Light’s κ"),
        Message("Light’s κ (1971) is the mean of Cohen’s κ over every two raters."),
        ("Light 1971", "Cohen 1960"), banded=True,
    ),
    Statistic(
        "gwet ac1", "gwet_ac", RATINGS, _CATEGORIES, Message("Gwet’s AC1"),
        Message("Gwet’s AC1 (2008) is agreement beyond a chance that stays low where one answer is common."),
        ("Gwet 2008",), banded=True,
    ),
    Statistic(
        "gwet ac2", "gwet_ac", RATINGS, ("ordinal",), Message("Gwet’s AC2 (ordinal)"),
        Message("Gwet’s AC2 is AC1 with ordinal weights: answers that are near to each other agree in part."),
        ("Gwet 2014",), {"weights": "ordinal"}, banded=True,
    ),
    Statistic(
        "brennan prediger", "brennan_prediger", RATINGS, _CATEGORIES, Message("Brennan–Prediger κ"),
        Message("Brennan and Prediger’s κ (1981) takes chance as one in as many as there are categories."),
        ("Brennan 1981",), banded=True,
    ),
    Statistic(
        "krippendorff alpha", "krippendorff_alpha", RATINGS, _ANY, Message("Krippendorff’s α"),
        Message("Krippendorff’s α (2004) holds disagreement, weighted by distance, against what chance would give."),
        ("Krippendorff 2004",),
    ),
    _icc("ICC(1,1)", Message("ICC(1,1) is the reliability of one rater’s scores where each item has other raters.")),
    _icc("ICC(2,1)", Message("ICC(2,1) is the reliability of one rater’s scores, raters being a sample of raters.")),
    _icc("ICC(3,1)", Message("ICC(3,1) is the reliability of one rater’s scores, of these raters alone.")),
    _icc("ICC(1,k)", Message("ICC(1,k) is the reliability of the raters’ mean where each item has other raters.")),
    _icc("ICC(2,k)", Message("ICC(2,k) is the reliability of the raters’ mean, raters being a sample of raters.")),
    _icc("ICC(3,k)", Message("ICC(3,k) is the reliability of the raters’ mean, of these raters alone.")),
    Statistic(
        "cohen kappa", "cohen_kappa", TWO_RATERS, _CATEGORIES, Message("Cohen’s κ"),
        Message("Cohen’s κ (1960) is agreement of two raters beyond what chance gives to their own shares of answers."),
        ("Cohen 1960",), banded=True,
    ),
    Statistic(
        "weighted kappa", "cohen_kappa", TWO_RATERS, ("ordinal",), Message("Cohen’s κ, quadratic weights"),
        Message("Weighted κ (Cohen 1968) of two raters counts a disagreement by the square of its distance in points."),
        ("Cohen 1968",), {"weights": "quadratic"}, banded=True,
    ),
    Statistic(
        "linear weighted kappa", "cohen_kappa", TWO_RATERS, ("ordinal",), Message("Cohen’s κ, linear weights"),
        Message("Linearly weighted κ (Cohen 1968) of two raters counts a disagreement by its distance in points."),
        ("Cohen 1968",), {"weights": "linear"}, banded=True,
    ),
    Statistic(
        "scott pi", "scott_pi", TWO_RATERS, _CATEGORIES, Message("Scott’s π"),
        Message("Scott’s π (1955) is agreement of two raters beyond what chance gives to their common shares."),
        ("Scott 1955",), banded=True,
    ),
    Statistic(
        "proportion", "proportion", "outcomes", _CATEGORIES, Message("Share"),
        Message("Shares of items have Wilson’s interval (1927); shares of answers have it at the effective number of "
                "answers, since answers about one item go together."),
        ("Wilson 1927",),
    ),
    Statistic(
        "win tie loss", "win_tie_loss", "preferences", _ORDERED, Message("Success rate"),
        Message("Success rate is the share of comparisons that a system wins, net gain wins minus losses in points, "
                "with Tango’s score interval (1998)."),
        ("Tango 1998",),
    ),
    Statistic(
        "sign test", "sign_test", "preferences", _ORDERED, Message("Share of wins among decided items"),
        Message("The sign test is exact, ties left out (Dixon and Mood 1946)."),
        ("Dixon 1946",),
    ),
    Statistic(
        "wilcoxon", "wilcoxon", "preferences", _ORDERED, Message("Paired difference"),
        Message("Two systems are compared on the items that show both, by Wilcoxon’s signed-rank test (1945)."),
        ("Wilcoxon 1945",),
    ),
    Statistic(
        "position bias", "position_bias", "preferences", _ORDERED, Message("Decided ratings that took the left side"),
        Message("Position bias is the share of decided ratings that took the left side; without one it is a half."),
    ),
    Statistic(
        "bradley terry", "bradley_terry", "comparisons", _ORDERED, Message("Log-strength"),
        Message("Strengths are Bradley and Terry’s (1952) with Davidson’s (1970) ties."),
        ("Bradley 1952", "Davidson 1970"),
    ),
    Statistic(
        "dawid skene", "dawid_skene", "labels", _CATEGORIES, Message("Latent classes"),
        Message("Dawid and Skene’s model (1979) estimates each item’s class together with each rater’s errors."),
        ("Dawid 1979",),
    ),
    Statistic(
        "mace", "mace", "labels", _CATEGORIES, Message("Competence of raters"),
        Message("MACE (Hovy et al. 2013) estimates each item’s class together with how often each rater guesses."),
        ("Hovy 2013",),
    ),
    Statistic(
        "pearson", "pearson", "scores", _NUMBERS, Message("Pearson’s r"),
        Message("Pearson’s r is linear correlation."),
    ),
    Statistic(
        "spearman", "spearman", "scores", _ORDERED, Message("Spearman’s ρ"),
        Message("Spearman’s ρ is correlation of ranks."),
    ),
    Statistic(
        "kendall", "kendall", "scores", _ORDERED, Message("Kendall’s τ-b"),
        Message("Kendall’s τ-b is concordant minus discordant pairs, corrected for ties."),
    ),
)  # fmt: skip


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


def fitting(level: str, shapes: tuple[str, ...] = (RATINGS, WHOLE_ITEMS, TWO_RATERS)) -> tuple[Statistic, ...]:
    """The rows that can be computed of answers at this level, in the order of the table.

    >>> [row.name for row in fitting("interval", ("ratings",))][:2]
    ['krippendorff alpha', 'icc(1,1)']
    """
    return tuple(row for row in TABLE if row.shape in shapes and row.fits(level))
