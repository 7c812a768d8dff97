"""From ratings to an estimate: the same steps, sentences and warnings for every agreement coefficient."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from quorate.errors import DataError
from quorate.estimates import Estimate
from quorate.languages import noted
from quorate.messages import Message, Text, Word, clauses

from .coding import NONE
from .columns import CLUSTERS
from .engine import (
    BETWEEN,
    JACKKNIFED,
    Bounds,
    Floats,
    How,
    Result,
    Smooth,
    evaluate,
    first_order,
    standard_error,
    with_error,
)
from .patterns import Patterns
from .proportions import wilson_bounds
from .ratings import Ratings

FEW = 20
#: Where fewer items were ever rated anything but the commonest category, an interval misses more often than it says.
RARE = 15
#: With more categories than this none is common enough.
FEW_CATEGORIES = 12
RATERS_FOR_VARIANCE = 10
NO_RATINGS, NO_PAIR = Message("there are no ratings"), Message("no item was rated by two raters")

#: Where no interval can be trusted: too few items or clusters, or too few of them that differ.
FEW_OF_MANY = Message("with {units} {groups} no interval can be trusted to hold its confidence", **CLUSTERS)
FEW_UNITS = Message(
    "with {units} {groups} no interval can be trusted to hold its confidence, so lead with the share of full "
    "agreement: {share}",
    **CLUSTERS,
)
RARE_IN_ITEMS = Message(
    "only {n} of {units} items was ever rated anything but “{category}”, so no interval can be trusted to hold its "
    "confidence; lead with the share of full agreement: {share}",
    "only {n} of {units} items were ever rated anything but “{category}”, so no interval can be trusted to hold its "
    "confidence; lead with the share of full agreement: {share}",
)
RARE_IN_CLUSTERS = Message(
    "of what was rated in {units} {groups} only {n} was ever rated anything but “{category}”, so no interval can be "
    "trusted to hold its confidence; lead with the share of full agreement: {share}",
    "of what was rated in {units} {groups} only {n} were ever rated anything but “{category}”, so no interval can be "
    "trusted to hold its confidence; lead with the share of full agreement: {share}",
    **CLUSTERS,
)


@dataclass(frozen=True, slots=True)
class Coefficient:
    """How one coefficient is made of ratings, and why it may have no value.

    `build` gives None for the patterns where every item has a row; `pairable` says that items with one rating do not
    count; `jackknife` that its linearised error is too small with rare categories, and the jackknife's is taken.
    """

    name: Text
    build: Callable[[Ratings], tuple[Smooth, Patterns | None]]
    why_undefined: Callable[[Ratings], Text]
    bounds: Bounds = BETWEEN
    gwet: Callable[[Ratings, Any, Any], Floats] | None = None
    note: Text = ""
    pairable: bool = False
    jackknife: bool = False


def estimate(coefficient: Coefficient, ratings: Ratings, how: How) -> Estimate:
    """The coefficient of these ratings, with the interval asked for, what was left out, and what to beware of."""
    reason = _too_little(ratings)
    counts = counted(ratings, _method(coefficient, ratings, how), coefficient.pairable and not reason)
    if reason:
        return Estimate.undefined(reason, confidence=how.confidence, **counts)
    smooth, moves = _prepared(coefficient, ratings, how)
    if how.raters == "new":
        result = _with_new_raters(coefficient, ratings, smooth, how)
    else:
        # Gwet's t counts every rated item, also where a coefficient is of the items with two ratings alone.
        df = ratings.n_items - 1 if how.interval == "gwet" and ratings.clusters is None else None
        result = evaluate(smooth, how, coefficient.bounds, moves, coefficient.jackknife, df)
    if not np.isfinite(result.value):
        return Estimate.undefined(coefficient.why_undefined(ratings), confidence=how.confidence, **counts)
    low, high, se, why = result.interval
    notes = [coefficient.note, why]
    if how.interval is not None:
        notes.append(_warning(ratings, smooth, low is None))
    note = clauses(*notes)
    return Estimate(result.value, low, high, confidence=how.confidence, se=se, p=result.p, note=note, **counts)


def _method(coefficient: Coefficient, ratings: Ratings, how: How) -> Text:
    words = JACKKNIFED if coefficient.jackknife and how.interval == "linearised" else how.words
    if ratings.is_clustered or (ratings.clusters is not None and ratings.copies == 1):
        words = Message("{how}, by {group}", how=words, **CLUSTERS)
    if ratings.copies > 1:
        words = Message("{how}, each item with its mirror image", how=words)
    if how.raters == "new":
        words = Message("{how}, new raters", how=words)
    return clauses(coefficient.name, words)


def counted(ratings: Ratings, method: Text, pairable: bool = False) -> dict[str, Any]:
    """The counts that every estimate carries."""
    single = int((ratings.per_item == 1).sum())
    gone = single if pairable else 0
    left_out = {
        noted("items without a rating"): ratings.empty_items,
        noted("items with one rating"): gone + ratings.single_items,
        noted("items that one of the two did not rate"): ratings.unpaired_items,
    }
    return {
        "n_items": (ratings.n_items - gone) // ratings.copies,
        "n_ratings": (ratings.n_ratings - gone) // ratings.copies,
        "left_out": {what: k // ratings.copies for what, k in left_out.items() if k},
        "method": method,
    }


def _too_little(ratings: Ratings) -> Text:
    if ratings.n_items == 0:
        return Message("no item was rated by both") if ratings.unpaired_items else NO_RATINGS
    if ratings.codes is not None and ratings.n_raters == 1:
        return Message("there is only one rater, and agreement needs two")
    if ratings.per_item.max() < 2:
        return NO_PAIR
    return ""


def _prepared(coefficient: Coefficient, ratings: Ratings, how: How) -> tuple[Smooth, Floats | None]:
    smooth, patterns = coefficient.build(ratings)
    moves = None
    if how.interval == "gwet":
        if coefficient.gwet is None:
            raise DataError(f"Gwet gives no variance for {coefficient.name}; ask for the linearised interval.")
        with np.errstate(all="ignore"):
            moves = coefficient.gwet(ratings, smooth, patterns)
    if ratings.clusters is None:
        return smooth, moves
    rows = np.arange(ratings.n_items) if patterns is None else ratings.item_patterns(patterns)
    if moves is not None:
        moves = np.bincount(ratings.clusters, weights=moves[rows]).astype(float)
    if isinstance(smooth, Clustering):
        return smooth.by_cluster(rows, ratings.clusters), moves
    return Grouped(smooth, ratings.clusters), moves


@runtime_checkable
class Clustering(Protocol):
    """A coefficient that can add up its items by cluster, which is cheaper than resampling items by cluster."""

    def by_cluster(self, row_of_item: NDArray[np.int64], clusters: NDArray[np.int64]) -> Smooth: ...


@dataclass
class Grouped:
    """A coefficient whose rows are items, resampled by cluster."""

    items: Smooth
    clusters: NDArray[np.int64]

    @property
    def count(self) -> NDArray[np.int64]:
        return np.ones(int(self.clusters.max()) + 1, np.int64)

    def at(self, weights: Floats) -> Floats:
        return self.items.at(weights[:, self.clusters])

    def influence(self) -> Floats:
        return np.bincount(self.clusters, weights=self.items.influence()).astype(float)

    def left_out_one(self) -> Floats:
        return first_order(self)


def _with_new_raters(coefficient: Coefficient, ratings: Ratings, smooth: Smooth, how: How) -> Result:
    """Variance over items plus variance over raters, the latter by leaving out one rater at a time.

    Resampling raters with replacement would put a rater beside himself, where agreement is sure.
    """
    raters = ratings.n_raters
    if raters < RATERS_FOR_VARIANCE:
        raise DataError(
            Message(
                "{n} raters are too few to speak of raters in general (at least {least}); leave out raters='new' to "
                "speak of these raters on new items", n=raters, least=RATERS_FOR_VARIANCE,
            )
        )  # fmt: skip
    if how.interval not in ("linearised", "jackknife", None):
        raise DataError("with raters='new' the interval is 'linearised' or 'jackknife'.")
    result = evaluate(smooth, How(None))
    if how.interval is None or not np.isfinite(result.value):
        return result
    left = []
    for place in range(raters):
        rest, _ = coefficient.build(ratings.without_rater(place))
        left.append(evaluate(rest, How(None)).value)
    rater_variance = (raters - 1) / raters * float(np.sum((np.array(left) - np.mean(left)) ** 2))
    se = float(np.sqrt(standard_error(smooth, how) ** 2 + rater_variance))
    df = min(raters, int(smooth.count.sum())) - 1
    return with_error(result.value, se, df, how, coefficient.bounds)


def fully_agreed(ratings: Ratings) -> tuple[int, int]:
    """How many items have all their ratings (two or more) in one category, and how many have two or more."""
    several = ratings.per_item >= 2
    if ratings.codes is None:
        assert ratings.tally is not None
        same = ratings.tally.max(axis=1, initial=0) == ratings.per_item
    else:
        most = ratings.codes.max(axis=0, initial=NONE)
        same = ((ratings.codes == most) | (ratings.codes == NONE)).all(axis=0)
    return int((several & same).sum()) // ratings.copies, int(several.sum()) // ratings.copies


def _warning(ratings: Ratings, smooth: Smooth, no_interval: bool) -> Text:
    """What to beware of: too few items, or too few that differ, for any interval to keep its promise."""
    units = int(smooth.count.sum())
    clustered = ratings.clusters is not None and (ratings.copies == 1 or ratings.is_clustered)
    rare = _beside_the_commonest(ratings)
    if not (no_interval or units < FEW or rare):
        return ""
    groups: Text = CLUSTERS["groups"] if clustered else Word(noted("items"))
    if len(ratings.categories) > FEW_CATEGORIES:
        # With so many, nobody expects two to be the same.
        return "" if no_interval else FEW_OF_MANY.having(units=units, groups=groups)
    same, several = fully_agreed(ratings)
    low, high = wilson_bounds(same, several, 0.95)
    share = Message(
        "{same} of {several} {things} are fully agreed, {share} [{low}, {high}] (Wilson)", same=same,
        several=several, things=Word(noted("items")), share=f"{same / several:.3f}",
        low=f"{low:.3f}", high=f"{high:.3f}",
    )  # fmt: skip
    if no_interval:
        return share
    if rare is not None:
        template = RARE_IN_CLUSTERS if clustered else RARE_IN_ITEMS
        return template.having(units=units, n=rare[0], category=rare[1], share=share)
    return FEW_UNITS.having(units=units, groups=groups, share=share)


def _beside_the_commonest(ratings: Ratings) -> tuple[int, str] | None:
    """How many items were ever rated anything but the commonest category, and its name: if they are few."""
    if not 1 < len(ratings.categories) <= FEW_CATEGORIES:
        return None
    rows, count = ratings.count_patterns.rows, ratings.count_patterns.count
    commonest = int((count @ rows).argmax())
    items = int(count[rows.sum(axis=1) > rows[:, commonest]].sum()) // ratings.copies
    return (items, str(ratings.categories[commonest])) if 0 < items < RARE else None
