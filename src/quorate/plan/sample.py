"""Which items of the pool are used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from quorate.chance import python_sample, sample
from quorate.errors import PlanError
from quorate.protocol import Protocol
from quorate.questions.canonical import STEPS, canonical
from quorate.records import Item


def sample_items(protocol: Protocol) -> tuple[Item, ...]:
    """The drawn items, in the pool's order; a PlanError says what the pool lacks."""
    pool = allowed_items(protocol)
    rule = protocol.file.items.sample
    if rule is None:
        return pool
    if rule.by is not None:
        return _stratified(protocol, pool, rule.by, rule.balance, rule.n)
    if rule.n > len(pool):
        left_out = len(protocol.pool) - len(pool)
        why = f" ({left_out} of {len(protocol.pool)} are excluded by the study file)" if left_out else ""
        raise PlanError(f"items.sample.n is {rule.n}, and the pool has {len(pool)} items{why}. Lower n or add items.")
    if rule.method == "python random":
        return tuple(pool[position] for position in python_sample(len(pool), rule.n, protocol.seed))
    return tuple(sample(pool, rule.n, protocol.seed, "sample", key=_id))


def _stratified(protocol: Protocol, pool: Sequence[Item], by: str, balance: str | None, n: int) -> tuple[Item, ...]:
    """n of each stratum, in equal parts of the balanced field's values; everything that lacks is named at once."""
    drawn: set[str] = set()
    lacks = []
    values = sorted({str(item[balance]) for item in pool}) if balance else [""]
    if n % len(values):
        raise PlanError(f"items.sample.n is {n}, which {len(values)} values of '{balance}' cannot share evenly. "
                        f"Choose a multiple of {len(values)}.")  # fmt: skip
    for stratum in sorted({str(item[by]) for item in pool}):
        for value in values:
            cell = [item for item in pool if str(item[by]) == stratum and (not balance or str(item[balance]) == value)]
            wanted = n // len(values)
            if len(cell) < wanted:
                lacks.append(f"{stratum}{f', {value}' if balance else ''}: {len(cell)} of {wanted}")
            drawn |= {item.id for item in sample(cell, wanted, protocol.seed, f"sample/{stratum}/{value}", key=_id)}
    if lacks:
        fields = f"{by} and {balance}" if balance else by
        raise PlanError(
            f"The pool has too few items for items.sample by {fields}: {'; '.join(lacks)}. Lower items.sample.n, or "
            f"add items to {protocol.file.items.from_}."
        )
    return tuple(item for item in pool if item.id in drawn)


@lru_cache(maxsize=16)
def n_drawn(protocol: Protocol) -> int:
    """How many items the study has."""
    return len(sample_items(protocol))


@lru_cache(maxsize=16)
def stratum_sizes(protocol: Protocol, field: str) -> Counter[str]:
    """How many drawn items there are for each value of a field."""
    return Counter(str(item[field]) for item in sample_items(protocol))


def allowed_items(protocol: Protocol) -> tuple[Item, ...]:
    """The pool without what the study file excludes."""
    exclude = protocol.file.items.exclude
    if exclude is None:
        return protocol.pool
    values: Sequence[str] = exclude.values
    if exclude.practice:
        values = [*values, *(str(item[exclude.field]) for item in protocol.practice if exclude.field in item.fields)]
    known = {canonical(value, list(STEPS)) for value in values}
    return tuple(item for item in protocol.pool if canonical(str(item[exclude.field]), list(STEPS)) not in known)


def _id(item: Item) -> str:
    return item.id
