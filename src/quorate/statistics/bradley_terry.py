"""Strengths from paired comparisons: who beats whom, how surely, and in what order they stand."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from quorate.languages import noted
from quorate.messages import Listed, Message, Text, Together, clauses

from ..errors import DataError, did_you_mean
from ..estimates import Estimate
from .bradley_terry_fit import Design, log_likelihood, maximise
from .columns import CLUSTERS, Floats
from .findings import Finding
from .paired import Comparisons, read_comparisons
from .resampling import bootstrap_values, check_options

TIES = ("davidson", "rao-kupper", "half", "drop", "none")
INTERVALS = ("auto", "information", "bootstrap", None)


@dataclass(frozen=True)
class BradleyTerry(Finding):
    """Log-strengths relative to a reference, ranks with their uncertainty, and the tie and order parameters."""

    strengths: Mapping[Hashable, Estimate]
    ranks: Mapping[Hashable, Estimate]
    tie_parameter: Estimate | None
    order_effect: Estimate | None
    reference: Hashable
    model: Text
    log_likelihood: float | None
    covariance: NDArray[np.float64] | None
    note: Text = ""

    @property
    def names(self) -> tuple[Hashable, ...]:
        return tuple(self.strengths)

    @property
    def worth(self) -> dict[Hashable, float | None]:
        """The strengths as positive shares that sum to 1: Bradley and Terry's pi."""
        if self.log_likelihood is None:
            return dict.fromkeys(self.strengths)
        values = np.array([e.value for e in self.strengths.values()], float)
        return dict(zip(self.strengths, map(float, special.softmax(values)), strict=True))

    def difference(self, a: Hashable, b: Hashable) -> Estimate:
        """How much stronger a is than b, on the log scale."""
        i, j = self._place(a), self._place(b)
        one, two = self.strengths[a], self.strengths[b]
        if one.value is None or two.value is None or self.covariance is None:
            return Estimate.undefined(self.note, confidence=one.confidence)
        spread = self.covariance[i, i] + self.covariance[j, j] - 2 * self.covariance[i, j]
        return _normal(one.value - two.value, spread, one.confidence, Message("difference of log-strengths"))

    def probability(self, a: Hashable, b: Hashable) -> Estimate:
        """The chance that a is preferred to b when one of them is, in neither's favoured position."""
        on_log = self.difference(a, b)
        if on_log.value is None:
            return on_log
        p = float(special.expit(on_log.value))
        low, high = (None if end is None else float(special.expit(end)) for end in (on_log.low, on_log.high))
        se = None if on_log.se is None else on_log.se * p * (1 - p)
        return replace(on_log, value=p, low=low, high=high, se=se, method=Message("chance of a win against the other"))

    def _place(self, name: Hashable) -> int:
        if name not in self.strengths:
            raise DataError(f"There is no {name!r} in the comparisons.{did_you_mean(str(name), map(str, self.names))}")
        return self.names.index(name)

    def __str__(self) -> str:
        if self.note and self.log_likelihood is None:
            return f"{self.model}: undefined: {self.note}"
        width = max(len(str(name)) for name in self.names)
        order = sorted(self.names, key=lambda name: self.ranks[name].value or 0)
        lines = [f"{self.model}; log-strengths relative to {self.reference}"]
        for name in order:
            rank = self.ranks[name]
            place = f"{rank.value:.0f}" + ("" if rank.low is None else f" ({rank.low:.0f}-{rank.high:.0f})")
            lines.append(f"{place:>8}  {name!s:<{width}}  {self.strengths[name]}")
        for word, estimate in (("ties", self.tie_parameter), ("order effect", self.order_effect)):
            lines += [] if estimate is None else [f"{word}: {estimate}"]
        return "\n".join(lines)


def bradley_terry(
    comparisons: Any,
    *,
    ties: str = "davidson",
    order_effect: bool = False,
    reference: Hashable | None = None,
    interval: str | None = "auto",
    clusters: Iterable[Any] | None = None,
    confidence: float = 0.95,
    replicates: int = 2_000,
    seed: int = 0,
    names: Iterable[Any] | None = None,
    tied: Any = None,
) -> BradleyTerry:
    """Log-strengths by maximum likelihood: P(i beats j) = e^bi / (e^bi + e^bj) among decided comparisons.

    `comparisons` are rows (winner, loser) or (first, second, outcome[, count]), a frame with those columns, or a square
    table whose row i, column j counts the wins of i over j (`tied` counts its ties). Ties enter by Davidson's model,
    where P(tie) is proportional to nu sqrt(pi_i pi_j), by Rao and Kupper's threshold ("rao-kupper"), as half a win
    each ("half"), or not at all ("drop"; "none" refuses them). Without ties every choice is the plain model.
    `order_effect` adds the log-odds of being shown first. Strengths are relative to `reference`, or to their mean.
    Intervals come from the information matrix ("information") or from resampling clusters ("bootstrap", percentile);
    "auto" is the second where `clusters` are given.
    Ranks cover what simultaneous (Bonferroni) intervals of the differences leave open (Mogstad et al. 2024).
    Bradley, R. A., Terry, M. E. (1952). Rank analysis of incomplete block designs I. Biometrika 39, 324-345.
    Davidson, R. R. (1970). On extending the Bradley-Terry model to ties. J. Am. Statist. Assoc. 65, 317-328.
    Rao, P. V., Kupper, L. L. (1967). Ties in paired-comparison experiments. J. Am. Statist. Assoc. 62, 194-204.

    >>> found = bradley_terry([("a", "b", "a", 15), ("a", "b", "b", 5), ("b", "c", "b", 12), ("b", "c", "c", 8)],
    ...                       reference="c")
    >>> {name: round(e.value, 3) for name, e in found.strengths.items()}
    {'a': 1.504, 'b': 0.405, 'c': 0.0}
    """
    how = _checked(ties, interval, confidence, replicates, clusters is not None)
    data = read_comparisons(comparisons, names=names, tied=tied, clusters=clusters)
    if order_effect and not data.ordered:
        raise DataError("An order effect needs rows (first, second, outcome): these do not say which was shown first.")
    if reference is not None and reference not in data.names:
        hint = did_you_mean(str(reference), map(str, data.names))
        raise DataError(f"reference={reference!r} is not among the compared.{hint}")
    raw, rule = data, _TIE_SHARES.get(ties, np.eye(3))
    left_out, tie_model = _tie_model(data, ties)
    data = replace(raw, counts=raw.counts @ rule)
    model = _model_name(ties, tie_model, order_effect)
    why = _unconnected(data) if data.total.any() else Message("every comparison is a tie, and ties are left out")
    if why:
        return _undefined(data, why, model, reference, left_out)
    design = Design(data.first, data.second, len(data.names), tie_model, order_effect)
    fit = maximise(design, data.total[None])
    if not fit.converged[0]:
        why = Message(
            "the estimates do not settle on finite values; compare more pairs in both orders and with both outcomes"
        )
        return _undefined(data, why, model, reference, left_out)
    theta = fit.parameters[0]
    draws = _resampled(design, raw, rule, theta, replicates, seed) if how == "bootstrap" else None
    covariance = _covariance(fit.information[0], len(data.names)) if draws is None else np.cov(draws.T, ddof=1)
    return _Report(design, data, theta, covariance, draws, how, confidence, reference, left_out, model).result()


def _checked(ties: str, interval: str | None, confidence: float, replicates: int, clustered: bool) -> str | None:
    check_options(confidence, replicates)
    if ties not in TIES:
        raise DataError(f"ties={ties!r}: choose one of {', '.join(map(repr, TIES))}.")
    if interval not in INTERVALS:
        raise DataError(f"interval={interval!r}: choose one of {', '.join(map(repr, INTERVALS))}.")
    if interval == "information" and clustered:
        raise DataError(
            "The information matrix takes comparisons as independent; with clusters use interval='bootstrap'."
        )
    return ("bootstrap" if clustered else "information") if interval == "auto" else interval


# What a win, a tie and a loss of the first count as, where ties have no model of their own.
_TIE_SHARES = {
    "half": np.array([[1.0, 0.0, 0.0], [0.5, 0.0, 0.5], [0.0, 0.0, 1.0]]),
    "drop": np.diag([1.0, 0.0, 1.0]),
}


def _tie_model(data: Comparisons, ties: str) -> tuple[dict[str, int], str]:
    """What the tie rule leaves out, and the likelihood that fits."""
    n_ties = round(data.total[:, 1].sum())
    left_out = {noted("comparisons without an outcome"): data.left_out} if data.left_out else {}
    if n_ties and ties == "none":
        raise DataError(f"There are {n_ties} ties. Choose ties='davidson', 'rao-kupper', 'half' or 'drop'.")
    if n_ties and ties == "drop":
        left_out[noted("ties")] = n_ties
    return left_out, ties if n_ties and ties in ("davidson", "rao-kupper") else "none"


def _model_name(ties: str, tie_model: str, order_effect: bool) -> Message:
    by_rule = {
        "half": Message("Bradley-Terry, ties as half a win"),
        "drop": Message("Bradley-Terry, ties left out"),
    }
    by_model = {
        "davidson": Message("Bradley-Terry, Davidson's ties"),
        "rao-kupper": Message("Bradley-Terry, Rao and Kupper's ties"),
    }
    model = by_model.get(tie_model) or by_rule.get(ties) or Message("Bradley-Terry")
    return Message("{model}, order effect", model=model) if order_effect else model


def _unconnected(data: Comparisons) -> Text:
    """Why no finite maximum exists, or nothing: every group must have been beaten from outside and have beaten it."""
    from scipy.sparse.csgraph import connected_components

    beats = data.beats
    parts, place = connected_components(beats, directed=True, connection="weak")
    if parts > 1:
        groups = clauses(*(_listed(data, place == part) for part in range(min(parts, 4))))
        return Message("the comparisons fall into {k} groups that never met ({groups})", k=str(parts), groups=groups)
    parts, place = connected_components(beats, directed=True, connection="strong")
    for part in range(parts if parts > 1 else 0):
        inside = place == part
        if not beats[~inside][:, inside].any():
            return Message(
                "nothing ever beat or tied {names}, so its strength has no upper bound", names=_listed(data, inside)
            )
    return ""


def _listed(data: Comparisons, inside: NDArray[np.bool_]) -> Text:
    names = [Message("“{name}”", name=str(name)) for name, here in zip(data.names, inside, strict=True) if here]
    if len(names) > 6:
        return Message("{names} and {k} more", names=Together(tuple(names[:6]), ", "), k=str(len(names) - 6))
    return Listed(tuple(names))


def _undefined(
    data: Comparisons, why: Text, model: Text, reference: Hashable | None, left_out: dict[str, int]
) -> BradleyTerry:
    n = int(data.total.sum())
    nothing = {name: Estimate.undefined(why, n_ratings=n, left_out=left_out) for name in data.names}
    return BradleyTerry(nothing, nothing, None, None, reference or "the mean", model, None, None, why)


def _covariance(information: Floats, n_names: int) -> Floats:
    hold = np.zeros_like(information)
    hold[:n_names, :n_names] = 1 / n_names
    return np.asarray(np.linalg.inv(information + hold) - hold)


def _resampled(design: Design, raw: Comparisons, rule: Floats, theta: Floats, replicates: int, seed: int) -> Floats:
    """Parameters refitted to resampled clusters (or single comparisons), without the resamples that have no maximum."""
    pairs = len(raw.first)
    if raw.clustered:
        n, count = len(raw.counts), np.ones(len(raw.counts), int)
        cells = np.asarray((raw.counts @ rule).reshape(n, -1), np.float64)
    else:
        n = 3 * pairs
        cells = np.asarray(np.kron(np.eye(pairs), rule), np.float64)
        count = np.rint(raw.total.ravel()).astype(int)

    def refit(weights: Floats) -> Floats:
        fits = maximise(design, (weights @ cells).reshape(len(weights), pairs, 3), theta)
        return np.where(fits.converged[:, None], fits.parameters, np.nan)

    draws = bootstrap_values(refit, n, count=count, replicates=replicates, seed=seed)
    return draws[np.isfinite(draws).all(axis=1)]


def _normal(value: float, variance: float, confidence: float, method: Text, **rest: Any) -> Estimate:
    se = float(np.sqrt(max(variance, 0.0)))
    reach = float(special.ndtri((1 + confidence) / 2)) * se
    p = float(2 * special.ndtr(-abs(value) / se)) if se > 0 else None
    return Estimate(value, value - reach, value + reach, confidence, se=se, p=p, method=method, **rest)


@dataclass(frozen=True)
class _Report:
    """Estimates from the fitted parameters: intervals from the covariance, or from resamples where there are any."""

    design: Design
    data: Comparisons
    theta: Floats
    covariance: Floats
    draws: Floats | None
    how: str | None
    confidence: float
    reference: Hashable | None
    left_out: dict[str, int]
    model: Text

    def result(self) -> BradleyTerry:
        m = len(self.data.names)
        contrast = np.eye(m) - 1 / m
        if self.reference is not None:
            contrast = np.eye(m)
            contrast[:, self.data.names.index(self.reference)] -= 1
        values = contrast @ self.theta[:m]
        covariance = contrast @ self.covariance[:m, :m] @ contrast.T
        draws = None if self.draws is None else self.draws[:, :m] @ contrast.T
        tie = self._tie_parameter() if self.design.ties != "none" else None
        return BradleyTerry(
            {name: self._strength(i, values, covariance, draws) for i, name in enumerate(self.data.names)},
            dict(zip(self.data.names, self._ranks(values, covariance), strict=True)),
            tie,
            self._parameter(m, Message("log-odds of being shown first")) if self.design.order else None,
            "the mean" if self.reference is None else self.reference,
            self.model,
            log_likelihood(self.design, self.theta, self.data.total),
            covariance,
            self._note(),
        )

    def _note(self) -> Text:
        if self.draws is None:
            return ""
        return Message(
            "{k} resamples had a maximum; those without one are left out of the intervals", k=len(self.draws)
        )

    def _counts(self) -> dict[str, Any]:
        n_items = len(self.data.counts) if self.data.clustered else None
        return {"n_items": n_items, "n_ratings": round(self.data.total.sum()), "left_out": self.left_out}

    def _strength(self, i: int, values: Floats, covariance: Floats, draws: Floats | None) -> Estimate:
        name, counts = self.data.names[i], self._counts()
        counts["n_ratings"] = round(self.data.total[(self.data.first == i) | (self.data.second == i)].sum())
        if name == self.reference:
            note = Message("the reference, 0 by definition")
            return Estimate(0.0, confidence=self.confidence, method=self.model, note=note, **counts)
        return self._estimate(float(values[i]), covariance[i, i], None if draws is None else draws[:, i], counts)

    def _estimate(self, value: float, variance: float, draws: Floats | None, counts: dict[str, Any]) -> Estimate:
        if self.how is None:
            return Estimate(value, confidence=self.confidence, method=self.model, **counts)
        if draws is None:
            how = clauses(self.model, Message("information-matrix interval"))
            return _normal(value, variance, self.confidence, how, **counts)
        how = clauses(self.model, Message("percentile bootstrap of {groups}", **CLUSTERS))
        found = _normal(value, variance, self.confidence, how, **counts)
        low, high = np.quantile(draws, [(1 - self.confidence) / 2, (1 + self.confidence) / 2])
        return replace(found, low=float(low), high=float(high), note=self._note())

    def _parameter(self, place: int, what: Text) -> Estimate:
        draws = None if self.draws is None else self.draws[:, place]
        found = self._estimate(float(self.theta[place]), self.covariance[place, place], draws, self._counts())
        return replace(found, method=clauses(what, found.method))

    def _tie_parameter(self) -> Estimate:
        """nu or theta: its log with the interval, raised back; its p-value would test nothing of interest."""
        on_log = self._parameter(self.design.n_parameters - 1, Message("log of the tie parameter"))
        assert on_log.value is not None
        value = float(np.exp(on_log.value))
        least = 1.0 if self.design.ties == "rao-kupper" else 0.0
        low, high = (None if end is None else max(least, float(np.exp(end))) for end in (on_log.low, on_log.high))
        what = "theta" if self.design.ties == "rao-kupper" else "nu"
        se = None if on_log.se is None else on_log.se * value
        return replace(on_log, value=value, low=low, high=high, se=se, p=None, method=clauses(what, self.model))

    def _ranks(self, values: Floats, covariance: Floats) -> list[Estimate]:
        m = len(values)
        spread = np.diag(covariance)[:, None] + np.diag(covariance)[None, :] - 2 * covariance
        reach = special.ndtri(1 - (1 - self.confidence) / (2 * max(m - 1, 1))) * np.sqrt(np.maximum(spread, 0))
        ahead = values[:, None] - values[None, :]
        better, worse = (ahead < -reach).sum(axis=1), (ahead > reach).sum(axis=1)
        place = 1 + (ahead < -1e-9).sum(axis=1)
        method = clauses(Message("rank"), Message("interval from simultaneous differences"))
        return [
            Estimate(float(place[i]), float(1 + better[i]), float(m - worse[i]), self.confidence, method=method)
            for i in range(m)
        ]
