"""Many tests at once: p-values adjusted so that a family of them can be read at one level."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from ..errors import DataError
from .columns import Floats, is_missing, listed


@dataclass(frozen=True)
class AdjustedP(Sequence[float | None]):
    """Adjusted p-values in the order given; None where a test had no p-value and so is not in the family."""

    values: tuple[float | None, ...]
    method: str
    alpha: float = 0.05
    names: tuple[str, ...] = ()

    @property
    def rejected(self) -> tuple[bool, ...]:
        """Which hypotheses are rejected at alpha; a test without a p-value never is."""
        return tuple(p is not None and p <= self.alpha for p in self.values)

    @overload
    def __getitem__(self, place: int) -> float | None: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[float | None, ...]: ...
    def __getitem__(self, place: Any) -> Any:
        return self.values[place]

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[float | None]:
        return iter(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        del copy
        return np.array([np.nan if p is None else p for p in self.values], dtype=dtype or float)

    def __str__(self) -> str:
        shown = ", ".join("undefined" if p is None else f"{p:.4g}" for p in self.values[:12])
        shown += ", …" if len(self) > 12 else ""
        return f"{self.method}: {shown} · {sum(self.rejected)} of {len(self)} rejected at {self.alpha:g}"

    def as_dict(self) -> dict[str, Any]:
        """Every field by name, ready for JSON."""
        p: Any = dict(zip(self.names, self.values, strict=True)) if self.names else list(self.values)
        return {"method": self.method, "alpha": self.alpha, "adjusted": p, "rejected": list(self.rejected)}


def holm(p_values: Iterable[Any] | Mapping[str, Any], alpha: float = 0.05) -> AdjustedP:
    """Holm's step-down adjustment, which controls the family-wise error under any dependence.

    With the p-values in ascending order, the i-th of m becomes max over j <= i of min(1, (m - j + 1) p_j).
    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scand. J. Statist. 6, 65-70.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03, 0.005])]
    [0.03, 0.06, 0.06, 0.02]
    """
    return _adjust(p_values, alpha, "Holm", lambda p: np.maximum.accumulate(np.arange(len(p), 0, -1) * p))


def hochberg(p_values: Iterable[Any] | Mapping[str, Any], alpha: float = 0.05) -> AdjustedP:
    """Hochberg's step-up adjustment: sharper than Holm, valid for independent or positively dependent tests.

    With the p-values in ascending order, the i-th of m becomes min over j >= i of (m - j + 1) p_j.
    Hochberg, Y. (1988). A sharper Bonferroni procedure for multiple tests of significance. Biometrika 75, 800-802.

    >>> [round(p, 3) for p in hochberg([0.01, 0.04, 0.03, 0.005])]
    [0.03, 0.04, 0.04, 0.02]
    """
    return _adjust(p_values, alpha, "Hochberg", lambda p: _step_up(np.arange(len(p), 0, -1) * p))


def benjamini_hochberg(p_values: Iterable[Any] | Mapping[str, Any], alpha: float = 0.05) -> AdjustedP:
    """Benjamini and Hochberg's adjustment, which controls the false discovery rate of independent tests.

    With the p-values in ascending order, the i-th of m becomes min over j >= i of m p_j / j.
    Benjamini, Y., Hochberg, Y. (1995). Controlling the false discovery rate. J. R. Statist. Soc. B 57, 289-300.

    >>> [round(p, 4) for p in benjamini_hochberg([0.01, 0.04, 0.03, 0.005])]
    [0.02, 0.04, 0.04, 0.02]
    """
    return _adjust(p_values, alpha, "Benjamini-Hochberg", lambda p: _step_up(len(p) / np.arange(1, len(p) + 1) * p))


def benjamini_yekutieli(p_values: Iterable[Any] | Mapping[str, Any], alpha: float = 0.05) -> AdjustedP:
    """Benjamini and Yekutieli's adjustment: the false discovery rate under any dependence.

    As Benjamini-Hochberg, times the harmonic sum 1 + 1/2 + ... + 1/m.
    Benjamini, Y., Yekutieli, D. (2001). The control of the false discovery rate in multiple testing under
    dependency. Ann. Statist. 29, 1165-1188.

    >>> [round(p, 4) for p in benjamini_yekutieli([0.01, 0.04, 0.03, 0.005])]
    [0.0417, 0.0833, 0.0833, 0.0417]
    """

    def rule(p: Floats) -> Floats:
        ranks = np.arange(1, len(p) + 1)
        return _step_up(np.sum(1 / ranks) * len(p) / ranks * p)

    return _adjust(p_values, alpha, "Benjamini-Yekutieli", rule)


def _step_up(scaled: Floats) -> Floats:
    return np.minimum.accumulate(scaled[::-1])[::-1]


def _adjust(
    p_values: Iterable[Any] | Mapping[str, Any], alpha: float, method: str, rule: Callable[[Floats], Floats]
) -> AdjustedP:
    if not 0 < alpha < 1:
        raise DataError(f"alpha={alpha}: give a share between 0 and 1, such as 0.05.")
    names = tuple(map(str, p_values)) if isinstance(p_values, Mapping) else ()
    column = listed(p_values.values() if isinstance(p_values, Mapping) else p_values, "p_values")
    known = [place for place, p in enumerate(column) if not is_missing(p)]
    p = np.array([_checked(column[place], place) for place in known])
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(rule(p[order]), 1.0)
    values: list[float | None] = [None] * len(column)
    for place, value in zip(known, adjusted, strict=True):
        values[place] = float(value)
    return AdjustedP(tuple(values), method, alpha, names)


def _checked(p: Any, place: int) -> float:
    try:
        value = float(p)
    except (TypeError, ValueError):
        raise DataError(f"p_values[{place}]: {p!r} is not a p-value.") from None
    if not 0 <= value <= 1:
        raise DataError(f"p_values[{place}]: {value:g} is not between 0 and 1.")
    return value
