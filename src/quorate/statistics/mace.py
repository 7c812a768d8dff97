"""Whom to trust: raters who sometimes answer from knowledge and sometimes at random, told apart (MACE)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from quorate.messages import Message, clauses

from ..errors import DataError
from ..estimates import Estimate
from .columns import Floats
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


@dataclass(frozen=True)
class Mace(Finding):
    """Each rater's competence (the share of answers from knowledge) and each item's most probable class.

    `posteriors` is items x categories; `spamming[rater]` is how that rater spreads answers given without looking.
    `restarts` holds the log-likelihood that each start reached; the estimates are from the highest.
    """

    competence: Mapping[Any, Estimate]
    items: tuple[Any, ...]
    categories: tuple[Any, ...]
    posteriors: NDArray[np.float64]
    spamming: Mapping[Any, NDArray[np.float64]]
    log_likelihood: float
    restarts: tuple[float, ...]

    @property
    def labels(self) -> dict[Any, Any]:
        """The most probable class of each item (the first of equals in the categories' order)."""
        best = np.argmax(self.posteriors, axis=1)
        return {item: self.categories[place] for item, place in zip(self.items, best, strict=True)}

    @property
    def entropy(self) -> dict[Any, float]:
        """How unsure each item's class is, in nats: 0 when certain."""
        return dict(zip(self.items, map(float, special.entr(self.posteriors).sum(axis=1)), strict=True))

    def __str__(self) -> str:
        low, high = min(self.restarts), max(self.restarts)
        starts = f"{len(self.restarts)} starts reached {low:.2f} to {high:.2f}"
        return f"MACE: log-likelihood {self.log_likelihood:.2f}; {starts}\n{super().__str__()}"


def mace(
    ratings: Any,
    raters: Iterable[Any] | None = None,
    values: Iterable[Any] | None = None,
    *,
    categories: Iterable[Any] | None = None,
    variational: bool = True,
    restarts: int = 10,
    iterations: int = 50,
    interval: str | None = "auto",
    confidence: float = 0.95,
    replicates: int = 200,
    seed: int = 0,
) -> Mace:
    """MACE: an answer is the item's class with the rater's competence, else drawn from the rater's own habit.

    P(label a | class t) = c 1[a = t] + (1 - c) h_a for a rater of competence c and habit h; classes are equally likely
    beforehand. EM, or variational Bayes with priors Beta(1/2, 1/2) and Dirichlet(1/2) as the authors advise, from
    `restarts` random starts; the highest log-likelihood is kept. Competence has percentile intervals from resampled
    items, by default while the different items have up to 2,000 labels.
    Hovy, D., Berg-Kirkpatrick, T., Vaswani, A., Hovy, E. (2013). Learning whom to trust with MACE. NAACL, 1120-1130.

    >>> rows = [[t, t, t if i % 4 else "y", "y"] for i, t in enumerate("ynynnyynnynynnyy" * 2)]
    >>> found = mace(rows, interval=None)
    >>> found.competence[1].value > 0.9 > 0.2 > found.competence[4].value
    True
    """
    check_options(confidence, replicates)
    if restarts < 1 or iterations < 1:
        raise DataError("restarts and iterations must be at least 1.")
    data = read_labels(ratings, raters, values, categories=categories)
    kinds, count, kind = data.patterns()
    weights, rng = count.astype(float), np.random.default_rng(seed)
    found = [_run(kinds, _random_start(data, rng), iterations, variational, weights) for _ in range(restarts)]
    best = max(found, key=lambda solution: solution.log_likelihood)
    draws = None
    if wants_bootstrap(interval, len(kinds.item)) and len(data.items) > 1:
        draws = resampled_parameters(
            lambda drawn: _run(kinds, best, iterations, variational, drawn).competence, count, replicates, seed
        )
    best = best._replace(posteriors=best.posteriors[kind])
    return _result(data, best, draws, interval, confidence, tuple(solution.log_likelihood for solution in found))


class Solution(NamedTuple):
    """Competence of each rater, habit (raters x categories), posteriors and the likelihood they give."""

    competence: Floats
    habit: Floats
    posteriors: Floats
    log_likelihood: float


def _random_start(data: Labels, rng: np.random.Generator) -> Solution:
    n, q = len(data.raters), len(data.categories)
    # Competence starts above one half: below it, the mirror image in which everybody spams fits as well.
    return Solution(rng.uniform(0.5, 1.0, n), rng.dirichlet(np.ones(q), n), np.empty(0), -np.inf)


def _run(data: Labels, start: Solution, iterations: int, variational: bool, weights: Floats) -> Solution:
    competence, habit = start.competence, start.habit
    for _ in range(iterations):
        knew, guessed, _, _ = _e_step(data, competence, habit, weights)
        competence, habit = _m_step(data, knew, guessed, variational)
    if variational:  # the variational weights are not chances: report the posterior means
        knew, guessed, _, _ = _e_step(data, competence, habit, weights)
        know, spam = _tallies(data, knew, guessed)
        total = spam.sum(axis=1)
        competence = (know + 0.5) / (know + total + 1.0)
        habit = (spam + 0.5) / (total + 0.5 * spam.shape[1])[:, None]
    _, _, posteriors, log_likelihood = _e_step(data, competence, habit, weights)
    return Solution(competence, habit, posteriors, log_likelihood)


def _e_step(data: Labels, competence: Floats, habit: Floats, weights: Floats) -> tuple[Floats, Floats, Floats, float]:
    """Expected knowing and guessing of every label, the items' posteriors, and the log-likelihood."""
    q, n = len(data.categories), len(data.items)
    know = competence[data.rater]
    guess = (1 - know) * habit[data.rater, data.value]
    base = np.bincount(data.item, weights=np.log(guess), minlength=n)
    right = np.log(know + guess) - np.log(guess)
    cells = np.bincount(data.item * q + data.value, weights=right, minlength=n * q).reshape(n, q)
    joint = base[:, None] + cells - np.log(q)
    total = special.logsumexp(joint, axis=1)
    posteriors = np.exp(joint - total[:, None])
    each = weights[data.item]
    knew = posteriors[data.item, data.value] * know / (know + guess)
    log_likelihood = float(total @ weights)
    return knew * each, (1 - knew) * each, posteriors, log_likelihood


def _tallies(data: Labels, knew: Floats, guessed: Floats) -> tuple[Floats, Floats]:
    """Each rater's expected number of answers from knowledge, and of guesses by category."""
    q, n = len(data.categories), len(data.raters)
    know = np.bincount(data.rater, weights=knew, minlength=n)
    spam = np.bincount(data.rater * q + data.value, weights=guessed, minlength=n * q)
    return know.astype(float), spam.reshape(n, q).astype(float)


def _m_step(data: Labels, knew: Floats, guessed: Floats, variational: bool) -> tuple[Floats, Floats]:
    know, spam = _tallies(data, knew, guessed)
    q, total = spam.shape[1], spam.sum(axis=1)
    if variational:
        competence = np.exp(special.psi(know + 0.5) - special.psi(know + total + 1.0))
        not_knowing = np.exp(special.psi(total + 0.5) - special.psi(know + total + 1.0))
        competence = competence / (competence + not_knowing)
        habit = np.exp(special.psi(spam + 0.5) - special.psi(total + 0.5 * q)[:, None])
    else:  # the authors' smoothing keeps every answer possible
        competence = (know + 0.1 / q) / (know + total + 0.2 / q)
        habit = (spam + 0.1 / q) / (total + 0.1)[:, None]
    tiny = 1e-12
    return np.clip(competence, tiny, 1 - tiny), np.maximum(habit, tiny)


def _result(
    data: Labels,
    best: Solution,
    draws: Floats | None,
    interval: str | None,
    confidence: float,
    restarts: tuple[float, ...],
) -> Mace:
    why = why_no_interval(interval)
    competence = {
        rater: with_draws(
            float(best.competence[place]),
            None if draws is None else draws[:, place],
            confidence,
            why,
            n_items=len(np.unique(data.item[data.rater == place])),
            n_ratings=int((data.rater == place).sum()),
            left_out=data.left_out,
            method=clauses(Message("MACE competence"), of_items(draws)),
        )
        for place, rater in enumerate(data.raters)
    }
    spamming = dict(zip(data.raters, best.habit, strict=True))
    return Mace(competence, data.items, data.categories, best.posteriors, spamming, best.log_likelihood, restarts)
