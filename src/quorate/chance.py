"""Chance that can be re-derived: (seed, purpose, ids) → a draw, the same on every machine, for ever.

Every draw is a keyed BLAKE2b hash of the study's seed, a purpose and ids. There is no generator state, so a draw
does not depend on what was drawn before it, and no `hash()`, which Python salts anew in each process.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")
Seed = int | str


def draw(seed: Seed, purpose: str, *ids: Hashable) -> int:
    """A number from 0 to 2⁶⁴ − 1 that only this seed, purpose and these ids give.

    >>> draw(42, "order", "R1", "img_1") == draw(42, "order", "R1", "img_1")
    True
    >>> draw(42, "order", "R1", "img_1") == draw(42, "order", "R2", "img_1")
    False
    """
    # Each part carries its length, so that ("ab", "c") and ("a", "bc") are different draws.
    parts = [str(part).encode() for part in (purpose, *ids)]
    message = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    digest = blake2b(message, digest_size=8, key=_key(seed)).digest()
    return int.from_bytes(digest, "big")


def uniform(seed: Seed, purpose: str, *ids: Hashable) -> float:
    """A number in [0, 1).

    >>> 0 <= uniform(42, "accuracy", "R1") < 1
    True
    """
    return (draw(seed, purpose, *ids) >> 11) * 2.0**-53


def order(things: Sequence[T], seed: Seed, purpose: str, *ids: Hashable, key: Callable[[T], Hashable] = str) -> list[T]:
    """The things in a drawn order that does not depend on the order in which they came.

    >>> order(["a", "b", "c", "d"], 42, "order", "R1") == order(["d", "c", "b", "a"], 42, "order", "R1")
    True
    """
    return sorted(things, key=lambda thing: (draw(seed, purpose, *ids, key(thing)), str(key(thing))))


def sample(things: Sequence[T], n: int, seed: Seed, purpose: str, *, key: Callable[[T], Hashable] = str) -> list[T]:
    """n of the things, without replacement, in the order in which they came.

    >>> len(sample(range(1000), 100, 42, "sample"))
    100
    """
    chosen = {key(thing) for thing in order(things, seed, purpose, key=key)[:n]}
    return [thing for thing in things if key(thing) in chosen]


def python_sample(n_pool: int, n: int, seed: int) -> list[int]:
    """The positions that `random.seed(seed); sorted(random.sample(range(n_pool), n))` gives in Python.

    Published samples were drawn this way, and must stay reproducible. Python keeps this sequence for integer
    seeds across versions.

    >>> python_sample(1000, 100, 42)[:5]
    [6, 25, 27, 30, 32]
    """
    return sorted(random.Random(seed).sample(range(n_pool), n))


def balanced(n: int, kinds: Sequence[T], seed: Seed, purpose: str, *ids: Hashable) -> list[T]:
    """n draws of the kinds in which no kind comes more than once more often than another.

    >>> sides = balanced(10, ["left", "right"], 42, "side", "R1")
    >>> sides.count("left"), sides.count("right")
    (5, 5)
    """
    # Which kind gets the odd one out is drawn too.
    cycle = order(list(kinds), seed, f"{purpose}/cycle", *ids)
    filled = [(cycle[position % len(cycle)], position) for position in range(n)]
    return [kind for kind, _ in order(filled, seed, purpose, *ids, key=lambda pair: pair[1])]


def opaque(secret: str, purpose: str, *ids: Hashable) -> str:
    """A name that tells nothing: keyed by the store's random secret, not by the published seed.

    >>> len(opaque("secret", "item", "img_0042"))
    12
    """
    alphabet = "23456789abcdefghjkmnpqrstuvwxyz"  # no 0/o, 1/l/i: raters read these aloud
    number = draw(secret, purpose, *ids)
    letters = []
    for _ in range(12):
        number, digit = divmod(number, len(alphabet))
        letters.append(alphabet[digit])
    return "".join(letters)


@lru_cache(maxsize=64)
def _key(seed: Seed) -> bytes:
    return blake2b(str(seed).encode(), digest_size=32).digest()
