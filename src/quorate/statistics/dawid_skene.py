"""True classes and raters' error rates learnt together, when nobody knows the truth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quorate.messages import Message, Text, clauses

from ..errors import DataError
from ..estimates import Estimate
from .columns import Floats, Ints
from .findings import Finding
from .labels import (
    Labels,
    of_items,
    read_labels,
    resampled_parameters,
    wants_bootstrap,
    why_no_interval,
    with_draws,
)
from .resampling import check_options

STARTS = ("paper", "best")


@dataclass(frozen=True)
class DawidSkene(Finding):
    """Each item's most probable class, the classes' prevalence and every rater's error rates.

    `posteriors` is items x categories; `error_rates[rater][j, l]` is the chance of label l for an item of class j.
    `restarts` holds the log-likelihoods that random starts reached.
    """

    prevalence: Mapping[Any, Estimate]
    accuracy: Mapping[Any, Estimate]
    items: tuple[Any, ...]
    categories: tuple[Any, ...]
    posteriors: NDArray[np.float64]
    error_rates: Mapping[Any, NDArray[np.float64]]
    log_likelihood: float
    iterations: int
    converged: bool
    restarts: tuple[float, ...]
    note: Text = ""

    @property
    def labels(self) -> dict[Any, Any]:
        """The most probable class of each item (the first of equals in the categories' order)."""
        best = np.argmax(self.posteriors, axis=1)
        return {item: self.categories[place] for item, place in zip(self.items, best, strict=True)}

    def __str__(self) -> str:
        spread = ""
        if self.restarts:
            low, high = min(self.restarts), max(self.restarts)
            spread = f"; {len(self.restarts)} restarts reached {low:.2f} to {high:.2f}"
        head = f"Dawid-Skene: log-likelihood {self.log_likelihood:.2f} after {self.iterations} steps{spread}"
        return "\n".join(str(part) for part in (head, self.note, super().__str__()) if part)


def dawid_skene(
    ratings: Any,
    raters: Iterable[Any] | None = None,
    values: Iterable[Any] | None = None,
    *,
    categories: Iterable[Any] | None = None,
    start: str = "paper",
    restarts: int = 10,
    smoothing: float = 0.0,
    tolerance: float = 1e-7,
    max_iterations: int = 2_000,
    interval: str | None = "auto",
    confidence: float = 0.95,
    replicates: int = 200,
    seed: int = 0,
) -> DawidSkene:
    """Dawid and Skene's EM: raters err by fixed chances that depend on the item's unknown class, and independently.

    E step: P(item i is of class j) is proportional to p_j times the product over its labels of pi_kjl. M step: p_j is
    the mean of those chances, pi_kjl the share of label l among rater k's, items weighted by being of class j. The
    start is each item's vote shares, as in the paper; `restarts` from randomly drawn votes show how far apart the
    maxima lie, and `start="best"` takes the highest. `smoothing` adds to each cell of the error rates. Prevalence and
    accuracy (sum over j of p_j pi_kjj) have percentile intervals from resampled items, by default while the different
    items have up to 2,000 labels. Dawid, A. P., Skene, A. M. (1979). Maximum likelihood estimation of observer
    error-rates using the EM algorithm. Applied Statistics 28, 20-28.

    >>> rows = [["y", "y", "y"], ["y", "y", "n"], ["n", "n", "y"], ["n", "n", "n"], ["y", "y", "n"], ["n", "n", "n"]]
    >>> found = dawid_skene(rows, restarts=0, interval=None)
    >>> "".join(found.labels.values()), round(found.accuracy[3].value, 2)
    ('yynnyn', 0.5)
    """
    check_options(confidence, replicates)
    _check(start, restarts, smoothing, tolerance, max_iterations)
    data = read_labels(ratings, raters, values, categories=categories)
    kinds, count, kind = data.patterns()
    resample = wants_bootstrap(interval, len(kinds.item)) and len(data.items) > 1
    rule = _Rule(smoothing, tolerance, max_iterations)
    quick = _Rule(smoothing, max(tolerance, 1e-5), min(max_iterations, 500))
    shares = kinds.votes / kinds.votes.sum(axis=1, keepdims=True)
    weights = count.astype(float)
    best = run_em(kinds, shares, rule, weights)
    others = [run_em(kinds, drawn, quick, weights) for drawn in _drawn_votes(data, kind, restarts, seed)]
    top = max(others, key=lambda found: found.log_likelihood, default=best)
    better = top.log_likelihood > best.log_likelihood + 0.005
    if start == "best" and better:
        best = run_em(kinds, top.posteriors, rule, weights)
    draws = None
    if resample:
        draws = resampled_parameters(
            lambda drawn: _summary(run_em(kinds, best.posteriors, quick, drawn)), count, replicates, seed
        )
    best = best._replace(posteriors=best.posteriors[kind])
    return _result(data, best, draws, interval, confidence, tuple(o.log_likelihood for o in others), better, start)


def _check(start: str, restarts: int, smoothing: float, tolerance: float, max_iterations: int) -> None:
    if start not in STARTS:
        raise DataError(f"start={start!r}: choose 'paper' or 'best'.")
    if restarts < 0 or smoothing < 0 or tolerance <= 0 or max_iterations < 1:
        raise DataError("restarts and smoothing must be 0 or more, tolerance and max_iterations above 0.")


class _Rule(NamedTuple):
    smoothing: float
    tolerance: float
    max_iterations: int


class Solution(NamedTuple):
    """Where EM came to rest: posteriors, prevalence, error rates (raters x class x label) and the likelihood there."""

    posteriors: Floats
    prevalence: Floats
    error_rates: Floats
    log_likelihood: float
    iterations: int
    converged: bool


def run_em(data: Labels, start: Floats, rule: _Rule, weights: Floats) -> Solution:
    """EM from a table of class chances (items x categories); weights say how often each item counts."""
    posteriors, change, steps = start, np.inf, 0
    kept = weights > 0
    while change > rule.tolerance and steps < rule.max_iterations:
        prevalence, error_rates = _m_step(data, posteriors, rule.smoothing, weights)
        moved, log_likelihood = _e_step(data, prevalence, error_rates, weights)
        change = float(np.abs(moved[kept] - posteriors[kept]).max())
        posteriors, steps = moved, steps + 1
    return Solution(posteriors, prevalence, error_rates, log_likelihood, steps, change <= rule.tolerance)


def _m_step(data: Labels, posteriors: Floats, smoothing: float, weights: Floats) -> tuple[Floats, Floats]:
    q, n_raters = len(data.categories), len(data.raters)
    weighted = posteriors * weights[:, None]
    prevalence = weighted.sum(axis=0) / weighted.sum()
    cell = data.rater * q + data.value
    tallies = [np.bincount(cell, weights=weighted[data.item, j], minlength=n_raters * q) for j in range(q)]
    counts = np.stack(tallies).reshape(q, n_raters, q).transpose(1, 0, 2) + smoothing
    total = counts.sum(axis=2, keepdims=True)
    # A rater who met no item of a class says nothing about it: any row there leaves the likelihood as it is.
    return prevalence, np.where(total > 0, counts / np.where(total > 0, total, 1.0), 1 / q)


def _e_step(data: Labels, prevalence: Floats, error_rates: Floats, weights: Floats) -> tuple[Floats, float]:
    with np.errstate(divide="ignore"):
        log_rates, log_prevalence = np.log(error_rates), np.log(prevalence)
    joint = np.stack(
        [
            log_prevalence[j]
            + np.bincount(data.item, weights=log_rates[data.rater, j, data.value], minlength=len(data.items))
            for j in range(len(prevalence))
        ],
        axis=1,
    )
    top = joint.max(axis=1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)  # an item outside the resample may be impossible under its estimates
    likelihood = np.exp(joint - top)
    total = likelihood.sum(axis=1, keepdims=True)
    posteriors = np.where(total > 0, likelihood / np.where(total > 0, total, 1.0), 1 / len(prevalence))
    with np.errstate(divide="ignore"):
        logs = top[:, 0] + np.log(total[:, 0])
    counted = weights > 0
    return posteriors, float(logs[counted] @ weights[counted])


def _drawn_votes(data: Labels, kind: Ints, restarts: int, seed: int) -> Iterable[Floats]:
    """For each restart, every item starts as one of its own votes, drawn at random: classes keep their names.

    Items of one kind share the mean of their draws, which is all that the first M step sees of them.
    """
    votes, kinds = data.votes, int(kind.max()) + 1
    rng = np.random.default_rng(seed)
    upto, q = np.cumsum(votes, axis=1), votes.shape[1]
    for _ in range(restarts):
        picked = (rng.random((len(votes), 1)) * upto[:, -1:] >= upto).sum(axis=1)
        tally = np.bincount(kind * q + np.minimum(picked, q - 1), minlength=kinds * q).reshape(kinds, q)
        yield tally / tally.sum(axis=1, keepdims=True)


def _summary(found: Solution) -> Floats:
    """Prevalence of each class, then accuracy of each rater."""
    diagonal = np.diagonal(found.error_rates, axis1=1, axis2=2)
    return np.concatenate([found.prevalence, diagonal @ found.prevalence])


def _result(
    data: Labels,
    best: Solution,
    draws: Floats | None,
    interval: str | None,
    confidence: float,
    restarts: tuple[float, ...],
    better: bool,
    start: str,
) -> DawidSkene:
    why = why_no_interval(interval)
    values, q = _summary(best), len(data.categories)
    left_out, n_items = data.left_out, len(data.items)
    estimates = [
        with_draws(
            float(value),
            None if draws is None else draws[:, place],
            confidence,
            why,
            n_items=n_items if place < q else len(np.unique(data.item[data.rater == place - q])),
            n_ratings=len(data.item) if place < q else int((data.rater == place - q).sum()),
            left_out=left_out,
            method=clauses(Message("Dawid-Skene"), of_items(draws)),
        )
        for place, value in enumerate(values)
    ]
    notes = [] if best.converged else [Message("EM had not settled after {steps} steps", steps=str(best.iterations))]
    if better and start == "paper":
        most = f"{max(restarts):.2f}"
        notes.append(Message("a restart reached a higher log-likelihood ({most}); start='best' takes it", most=most))
    return DawidSkene(
        dict(zip(data.categories, estimates[:q], strict=True)),
        dict(zip(data.raters, estimates[q:], strict=True)),
        data.items,
        data.categories,
        best.posteriors,
        dict(zip(data.raters, best.error_rates, strict=True)),
        best.log_likelihood,
        best.iterations,
        best.converged,
        restarts,
        clauses(*notes),
    )
