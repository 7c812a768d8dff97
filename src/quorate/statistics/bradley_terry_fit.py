"""The likelihoods of the Bradley-Terry family and their maximum, for many sets of counts at once.

With d the first's log-strength minus the second's (plus the order effect), the chances of win, tie and loss are
  Davidson (1970):        e^(d/2), e^t, e^(-d/2), each over their sum, with t the log of the tie parameter nu;
  Rao and Kupper (1967):  s(d - t), the rest, s(-d - t), with s the logistic function and t the log of theta.
Both log-likelihoods are concave in (d, t), so Newton's method finds the maximum where there is one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import special

from .columns import Bools, Floats, Ints

STEPS = 100
FAR = 40.0  # log-strengths this far apart mean that the maximum is at infinity


class Slopes(NamedTuple):
    """First derivatives of the log-likelihood in d and t, and the information: minus its second derivatives."""

    d: Floats
    t: Floats
    dd: Floats
    dt: Floats
    tt: Floats


Likelihood = Callable[[Floats, Floats, Floats, Floats, Floats], Slopes]


def davidson(d: Floats, t: Floats, win: Floats, tie: Floats, loss: Floats) -> Slopes:
    n = win + tie + loss
    top = np.maximum(np.abs(d) / 2, t)
    up, even, down = np.exp(d / 2 - top), np.exp(t - top), np.exp(-d / 2 - top)
    total = up + even + down
    net, tied = (up - down) / total, even / total
    return Slopes(
        (win - loss - n * net) / 2,
        tie - n * tied,
        n * (1 - tied - net**2) / 4,
        -n * tied * net / 2,
        n * tied * (1 - tied),
    )


def rao_kupper(d: Floats, t: Floats, win: Floats, tie: Floats, loss: Floats) -> Slopes:
    up, down = special.expit(d - t), special.expit(-d - t)
    at_least, at_most = (win + tie), (loss + tie)
    curve_up, curve_down = at_least * up * (1 - up), at_most * down * (1 - down)
    beyond = -np.expm1(-2 * t)  # 1 - theta^-2
    return Slopes(
        at_least * (1 - up) - at_most * (1 - down),
        2 * tie / beyond - at_least * (1 - up) - at_most * (1 - down),
        curve_up + curve_down,
        curve_down - curve_up,
        curve_up + curve_down + 4 * tie * np.exp(-2 * t) / beyond**2,
    )


@dataclass(frozen=True)
class Design:
    """Which log-strengths, tie and order parameters each ordered pair's chances depend on."""

    first: Ints
    second: Ints
    n_names: int
    ties: str  # "none", "davidson" or "rao-kupper"
    order: bool

    @property
    def n_parameters(self) -> int:
        return self.n_names + self.order + (self.ties != "none")

    def matrix(self) -> Floats:
        """Pairs x (log-strengths, order effect): the row's d is its product with them."""
        rows = np.arange(len(self.first))
        x = np.zeros((len(rows), self.n_names + self.order))
        x[rows, self.first] = 1.0
        x[rows, self.second] = -1.0
        if self.order:
            x[:, -1] = 1.0
        return x


class Fit(NamedTuple):
    """Parameters (log-strengths that sum to 0, order effect, log tie parameter), their information, and success."""

    parameters: Floats
    information: Floats
    converged: Bools


def maximise(design: Design, counts: Floats, start: Floats | None = None) -> Fit:
    """Newton's method on a stack of counts (sets x pairs x 3); log-strengths are held to sum to zero."""
    x = design.matrix()
    squares = (x[:, :, None] * x[:, None, :]).reshape(len(x), -1)
    hold = np.zeros((design.n_parameters, design.n_parameters))
    hold[: design.n_names, : design.n_names] = 1 / design.n_names
    theta = np.tile(_start(design, counts.sum(axis=0)) if start is None else start, (len(counts), 1))
    done = np.zeros(len(counts), bool)
    information = np.zeros((len(counts), *hold.shape))
    active = np.arange(len(counts))
    for _ in range(STEPS):
        gradient, inside = _derivatives(design, x, squares, theta[active], counts[active])
        information[active] = inside
        step, ok = _solve(inside + hold, gradient)
        size = np.abs(step).max(axis=1)
        step *= np.minimum(1.0, 2.0 / np.maximum(size, 1e-300))[:, None]
        theta[active] = _stay_inside(design, theta[active], step)
        done[active] = ok & (size < 1e-9)
        lost = ~ok | (np.abs(theta[active]).max(axis=1) > FAR)
        active = active[~done[active] & ~lost]
        if not len(active):
            break
    return Fit(theta, information, done)


def _start(design: Design, counts: Floats) -> Floats:
    theta = np.zeros(design.n_parameters)
    win, tie, loss = counts.sum(axis=0)
    if design.ties == "davidson":
        theta[-1] = np.log(2 * tie / max(win + loss, 1.0))
    elif design.ties == "rao-kupper":
        share = min(tie / (win + tie + loss), 0.99)
        theta[-1] = np.log((1 + share) / (1 - share))
    return theta


def _stay_inside(design: Design, theta: Floats, step: Floats) -> Floats:
    moved = theta + step
    if design.ties == "rao-kupper":  # log theta is above 0: go half of the way there at most
        moved[:, -1] = np.maximum(moved[:, -1], theta[:, -1] / 2)
    return moved


def _solve(matrix: Floats, gradient: Floats) -> tuple[Floats, Bools]:
    ok: Bools = np.asarray(np.isfinite(matrix).all(axis=(1, 2)) & np.isfinite(gradient).all(axis=1))
    safe = np.where(ok[:, None, None], matrix, np.eye(matrix.shape[1]))
    try:
        step = np.linalg.solve(safe, np.where(ok[:, None], gradient, 0.0)[..., None])[..., 0]
    except np.linalg.LinAlgError:  # one singular set would stop them all: find it and leave it out
        ok = ok & (np.linalg.matrix_rank(safe, hermitian=True) == safe.shape[1])
        safe = np.where(ok[:, None, None], safe, np.eye(matrix.shape[1]))
        step = np.linalg.solve(safe, np.where(ok[:, None], gradient, 0.0)[..., None])[..., 0]
    return step, ok


def _derivatives(design: Design, x: Floats, squares: Floats, theta: Floats, counts: Floats) -> tuple[Floats, Floats]:
    k = x.shape[1]
    d = theta[:, :k] @ x.T
    tied = design.ties != "none"
    t = np.broadcast_to(theta[:, -1:] if tied else -np.inf, d.shape)
    likelihood: Likelihood = rao_kupper if design.ties == "rao-kupper" else davidson
    slopes = likelihood(d, t, counts[:, :, 0], counts[:, :, 1], counts[:, :, 2])
    gradient = np.zeros((len(theta), design.n_parameters))
    inside = np.zeros((len(theta), design.n_parameters, design.n_parameters))
    gradient[:, :k] = slopes.d @ x
    inside[:, :k, :k] = (slopes.dd @ squares).reshape(-1, k, k)
    if tied:
        gradient[:, -1] = slopes.t.sum(axis=1)
        inside[:, -1, :k] = inside[:, :k, -1] = slopes.dt @ x
        inside[:, -1, -1] = slopes.tt.sum(axis=1)
    return gradient, inside


def log_likelihood(design: Design, theta: Floats, counts: Floats) -> float:
    """The log-likelihood of counts (pairs x 3), each outcome taken on its own."""
    k = design.n_names + design.order
    d = design.matrix() @ theta[:k]
    if design.ties == "rao-kupper":
        win, loss = special.log_expit(d - theta[-1]), special.log_expit(-d - theta[-1])
        chances = np.stack([win, win + loss + np.log(np.expm1(2 * theta[-1])), loss], axis=1)
    else:
        t = np.full_like(d, theta[-1] if design.ties == "davidson" else -np.inf)
        raw = np.stack([d / 2, t, -d / 2], axis=1)
        chances = raw - special.logsumexp(raw, axis=1, keepdims=True)
    seen = counts > 0
    return float(np.sum(counts[seen] * chances[seen]))
