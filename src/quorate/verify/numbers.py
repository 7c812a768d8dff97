"""Are two sets of results the same? Every number is held against its counterpart, by its place in results.json."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scipy import special

CLOSE = 1e-9
#: What the ends of a bootstrap interval are read from, and how many standard errors two runs may be apart.
REPLICATES, APART = 10_000, 5.0

#: What is compared elsewhere, or says where and with what the numbers were made.
_ASIDE = ("versions", "files")
_RESAMPLED = ("low", "high", "se")


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where two results differ: what is printed, and what is made again."""

    where: str
    printed: Any
    made: Any

    def __str__(self) -> str:
        return f"{_said(self.printed)} is printed, and {_said(self.made)} is made again."


def differences(printed: Mapping[str, Any], made: Mapping[str, Any], same_draws: bool = True) -> Iterator[Difference]:
    """Every place where results.json is not what is made again.

    `same_draws` says that numpy is the one that made the first: then resampling gives the same to the last digit, else
    the ends of bootstrap intervals may differ by Monte-Carlo error.
    """
    left, right = ({name: part for name, part in of.items() if name not in _ASIDE} for of in (printed, made))
    yield from _compare("", left, right, {} if same_draws else None)


def count(value: Any) -> int:
    """How many numbers there are."""
    if isinstance(value, Mapping):
        return sum(count(part) for name, part in value.items() if name not in _ASIDE)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return sum(map(count, value))
    return int(_is_number(value))


def _compare(where: str, printed: Any, made: Any, slack: Mapping[str, float] | None) -> Iterator[Difference]:
    """`slack` is how far apart named numbers may be; None where the draws differ and nothing is known of it yet."""
    if isinstance(printed, Mapping) and isinstance(made, Mapping):
        known = _slack(made) if slack is None else {}
        for name in dict.fromkeys([*printed, *made]):
            place = f"{where}.{name}" if where else name
            if name not in printed or name not in made:
                yield Difference(place, printed.get(name, _NOTHING), made.get(name, _NOTHING))
            elif name in known and _is_number(printed[name]) and _is_number(made[name]):
                if abs(printed[name] - made[name]) > known[name]:
                    yield Difference(place, printed[name], made[name])
            else:
                yield from _compare(place, printed[name], made[name], slack)
    elif isinstance(printed, list) and isinstance(made, list):
        yield from _compare_lists(where, printed, made, slack)
    elif not _same(printed, made):
        yield Difference(where, printed, made)


def _compare_lists(where: str, printed: list[Any], made: list[Any], slack: Mapping[str, float] | None) -> Iterator[Any]:
    """Things with ids are held against their namesakes, so that one that is missing is told once."""
    left, right = _named(printed), _named(made)
    for name in dict.fromkeys([*left, *right]):
        place = f"{where}[{name}]"
        if name not in left or name not in right:
            yield Difference(place, left.get(name, _NOTHING), right.get(name, _NOTHING))
        else:
            yield from _compare(place, left[name], right[name], slack)


def _named(parts: list[Any]) -> dict[str, Any]:
    ids = [part.get("id") if isinstance(part, Mapping) else None for part in parts]
    are_names = None not in ids and len(set(ids)) == len(ids)
    return {str(id if are_names else place): part for place, (id, part) in enumerate(zip(ids, parts, strict=True))}


def _slack(made: Mapping[str, Any]) -> dict[str, float]:
    """How far the ends of a bootstrap interval may be from those of another run, by Monte-Carlo error.

    A quantile of B draws has the standard error √(p(1 − p)/B) / f, where f is the density there: a normal one's.
    """
    if "bootstrap" not in str(made.get("method", "")).lower() or not _is_number(made.get("se")):
        return {}
    tail = (1 - float(made.get("confidence", 0.95))) / 2
    density = math.exp(-(special.ndtri(tail) ** 2) / 2) / math.sqrt(2 * math.pi)
    ends = made["se"] * math.sqrt(tail * (1 - tail) / REPLICATES) / density
    apart = {"low": ends, "high": ends, "se": made["se"] / math.sqrt(2 * REPLICATES)}
    return {name: APART * math.sqrt(2) * apart[name] + CLOSE for name in _RESAMPLED}


def _same(printed: Any, made: Any) -> bool:
    if _is_number(printed) and _is_number(made):
        return math.isclose(printed, made, rel_tol=CLOSE, abs_tol=CLOSE)
    return type(printed) is type(made) and bool(printed == made)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


class _Nothing:
    def __repr__(self) -> str:
        return "nothing"


_NOTHING = _Nothing()


def _said(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "…"
