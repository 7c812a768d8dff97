"""Many categories without a table of them give what the table gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from quorate import statistics

Q = 45


def ratings(n: int = 120, raters: int = 3, missing: float = 0.1, seed: int = 3) -> np.ndarray:
    draw = np.random.default_rng(seed)
    truth = draw.integers(0, Q, n)
    table = np.where(draw.random((n, raters)) < 0.7, truth[:, None], draw.integers(0, Q, (n, raters))).astype(float)
    table[draw.random((n, raters)) < missing] = np.nan
    table[:, 0] = np.where(np.isnan(table).all(axis=1), truth, table[:, 0])
    return table


CLUSTERS = [k % 37 for k in range(120)]
SEVERAL = (
    statistics.percent_agreement,
    statistics.fleiss_kappa,
    statistics.gwet_ac,
    statistics.brennan_prediger,
)


# A bootstrap of items draws patterns in another order and so differs by chance; one of clusters draws the same.
PLAIN = [(interval, clusters) for interval in ("linearised", "jackknife") for clusters in (None, CLUSTERS)]


@pytest.mark.parametrize(
    ("interval", "clusters"), [*PLAIN, ("asymptotic", None), ("gwet", None), ("gwet", CLUSTERS), ("bca", CLUSTERS)]
)
@pytest.mark.parametrize("statistic", SEVERAL)
def test_several_raters(statistic: Callable[..., Any], interval: str, clusters: Any) -> None:
    options = {"interval": interval, "clusters": clusters, "categories": range(Q), "replicates": 200}
    narrow = statistic(ratings(), weights=np.eye(Q), **options)
    wide = statistic(ratings(), **options)
    for name in ("value", "low", "high", "se", "n_items", "n_ratings"):
        assert getattr(wide, name) == pytest.approx(getattr(narrow, name), abs=1e-9), name


@pytest.mark.parametrize(("interval", "clusters"), [*PLAIN, ("bca", CLUSTERS)])
def test_two_raters(interval: str, clusters: Any) -> None:
    options = {"interval": interval, "clusters": clusters, "categories": range(Q), "replicates": 200}
    narrow = statistics.cohen_kappa(ratings(raters=2), weights=np.eye(Q), **options)
    wide = statistics.cohen_kappa(ratings(raters=2), **options)
    for name in ("value", "low", "high", "se", "n_items"):
        assert getattr(wide, name) == pytest.approx(getattr(narrow, name), abs=1e-9), name


def test_as_many_categories_as_items_need_no_table() -> None:
    n = 20_000
    draw = np.random.default_rng(1)
    table = np.where(draw.random((n, 3)) < 0.8, np.arange(n)[:, None], draw.integers(0, n, (n, 3)))
    found = statistics.fleiss_kappa(table, clusters=np.arange(n) // 2)
    assert found.value == pytest.approx(0.64, abs=0.01)
    assert found.low is not None
    assert statistics.cohen_kappa(table[:, 0], table[:, 1]).value == pytest.approx(0.64, abs=0.01)


def test_raters_who_always_agree_on_many_things_have_kappa_one() -> None:
    assert statistics.fleiss_kappa(np.tile(np.arange(50)[:, None], 3)).value == pytest.approx(1.0)
