"""Which items of the pool are used."""

from __future__ import annotations

from collections.abc import Sequence

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
    if rule.n > len(pool):
        left_out = len(protocol.pool) - len(pool)
        why = f" ({left_out} of {len(protocol.pool)} are excluded by the study file)" if left_out else ""
        raise PlanError(f"items.sample.n is {rule.n}, and the pool has {len(pool)} items{why}. Lower n or add items.")
    if rule.method == "python random":
        return tuple(pool[position] for position in python_sample(len(pool), rule.n, protocol.seed))
    return tuple(sample(pool, rule.n, protocol.seed, "sample", key=_id))


def n_drawn(protocol: Protocol) -> int:
    """How many items the study has, without drawing them."""
    rule = protocol.file.items.sample
    return rule.n if rule else len(allowed_items(protocol))


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
