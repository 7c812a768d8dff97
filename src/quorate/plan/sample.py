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
    if rule.method == "python random" and rule.by is None and rule.collisions in ("kept", "dropped"):
        drawn = published_draw(protocol)
        allowed = {item.id for item in pool}
        return drawn if rule.collisions == "kept" else tuple(item for item in drawn if item.id in allowed)
    if rule.by is not None:
        return _stratified(protocol, pool, rule.by, rule.balance, rule.n)
    if rule.n > len(pool):
        left_out = len(protocol.pool) - len(pool)
        why = f" ({left_out} of {len(protocol.pool)} are excluded by the study file)" if left_out else ""
        raise PlanError(f"items.sample.n is {rule.n}, and the pool has {len(pool)} items{why}. Lower n or add items.")
    if rule.method == "python random":
        return _by_python(pool, rule.n, protocol.seed)
    return tuple(sample(pool, rule.n, protocol.seed, "sample", key=_id))


def published_draw(protocol: Protocol) -> tuple[Item, ...]:
    """What Python's random.sample draws from the whole pool, whatever the study file excludes."""
    rule = protocol.file.items.sample
    assert rule is not None, "a draw has a rule"
    if rule.n > len(protocol.pool):
        raise PlanError(f"items.sample.n is {rule.n}, and the pool has {len(protocol.pool)} items. Lower n.")
    return _by_python(protocol.pool, rule.n, protocol.seed)


def lost_draw(protocol: Protocol) -> str:
    """A sentence where the study file asks for a published draw, does not get it, and does not say that it knows."""
    rule = protocol.file.items.sample
    if rule is None or rule.method != "python random":
        return ""
    if rule.by is not None:
        return (
            "`python random` draws from the whole pool: with `by`, the draw is Quorate's own, and not a published one."
        )
    if rule.collisions is not None or rule.n > len(protocol.pool):
        return ""
    allowed = {item.id for item in allowed_items(protocol)}
    out = [item.id for item in protocol.pool if item.id not in allowed]
    if not out or rule.n > len(allowed):
        return ""
    published = published_draw(protocol)
    other = {item.id for item in published} - {item.id for item in sample_items(protocol)}
    hit = [item.id for item in published if item.id not in allowed]
    return (
        f"`exclude` takes {_named(out)} out of the pool before the draw, so that {len(other)} of the {rule.n} "
        f"published items are not drawn. The published draw holds {_named(hit) if hit else 'none'} of those excluded. "
        "Say what becomes of them: `collisions: kept` or `dropped` draws as published, and keeps or then leaves them "
        "out; `redrawn` draws as it is now."
    )


def _named(ids: Sequence[str]) -> str:
    """The first few by name.

    >>> _named(["a"]), _named(["a", "b", "c", "d", "e", "f"])
    ("'a'", "'a', 'b', 'c', 'd', 'e' and 1 more")
    """
    more = f" and {len(ids) - 5} more" if ids[5:] else ""
    return ", ".join(f"'{id}'" for id in ids[:5]) + more


def _by_python(pool: Sequence[Item], n: int, seed: int) -> tuple[Item, ...]:
    return tuple(pool[position] for position in python_sample(len(pool), n, seed))


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
