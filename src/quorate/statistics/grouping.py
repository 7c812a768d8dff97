"""Which of several cannot be told apart? Groups by letter, from the tests of every two."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import TypeVar

Name = TypeVar("Name", bound=Hashable)


def letter_groups(names: Sequence[Name], apart: Iterable[Collection[Name]]) -> tuple[tuple[Name, ...], ...]:
    """The largest groups of names of which no two are told apart, in the order of the names; a name may be in several.

    `apart` holds the pairs that are told apart. Begin with one group of all; each such pair splits every group that
    holds both into one without the first and one without the second, and a group that lies in another one goes.
    Piepho, H.-P. (2004). An algorithm for a letter-based representation of all-pairwise comparisons. Journal of
    Computational and Graphical Statistics, 13(2), 456-466.

    >>> letter_groups("abcd", [("a", "c"), ("a", "d"), ("b", "d")])
    (('a', 'b'), ('b', 'c'), ('c', 'd'))
    """
    place = {name: k for k, name in enumerate(names)}
    groups: set[frozenset[int]] = {frozenset(place.values())} if names else set()
    for pair in apart:
        one, other = (place[name] for name in pair)
        split = {group for group in groups if one in group and other in group}
        smaller = {group - {gone} for group in split for gone in (one, other)}
        groups -= split
        groups |= {group for group in smaller if not any(group < more for more in (*groups, *smaller))}
    return tuple(tuple(names[k] for k in sorted(group)) for group in sorted(groups, key=sorted))


def letters(k: int) -> str:
    """The letter of the group at a place: a to z, then aa, ab, …

    >>> letters(0), letters(25), letters(26)
    ('a', 'z', 'aa')
    """
    rest, last = divmod(k, 26)
    return (letters(rest - 1) if rest else "") + chr(ord("a") + last)
