"""The small language of "applies when": `task_family == "edit"`, `turn > 0 and not first`, `type in ["figure"]`.

A condition compares names (fields of the item, or ids of other questions) with values, and joins comparisons with
`and`, `or` and `not`. It is parsed, never run: nothing but comparisons can be written in it. A name without a value
(empty, missing, not applicable) makes every comparison with it false, but `is empty` true.

    name == value     name != value     name < value  (also <=, >, >=; numbers)
    name in [a, b]    name not in [a, b]
    name is empty     name is not empty     name        (has a value that is not "no" or false)
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

_ORDERS: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_EMPTY = "__empty__"


@dataclass(frozen=True)
class Comparison:
    """One comparison inside a condition: the names in it, and whether it says that something is *not* so."""

    names: frozenset[str]
    is_negated: bool
    _node: ast.expr

    def holds(self, values: Mapping[str, Any]) -> bool:
        """Whether it is true of these values."""
        return _truth(_value(self._node, values))


@dataclass(frozen=True)
class Joined:
    """Comparisons joined by `and`, `or` or `not`."""

    by: Literal["and", "or", "not"]
    parts: tuple[Comparison | Joined, ...]


@dataclass(frozen=True)
class Condition:
    """A condition that was read once and can be asked of many items."""

    text: str
    names: frozenset[str]
    _tree: ast.expr

    def holds(self, values: Mapping[str, Any]) -> bool:
        """Whether it is true of these values."""
        return _truth(_value(self._tree, values))

    def structure(self) -> Comparison | Joined:
        """Its comparisons and how they are joined, for someone who knows only some of the values."""
        return _structure(self._tree)

    def __str__(self) -> str:
        return self.text


@lru_cache(maxsize=512)
def condition(text: str) -> Condition:
    """Reads a condition; a ValueError says what is wrong with it.

    >>> condition('task_family == "edit"').holds({"task_family": "edit"})
    True
    >>> condition("turn > 0 and not truncated").holds({"turn": "2", "truncated": None})
    True
    >>> condition('__import__("os")')
    Traceback (most recent call last):
    ValueError: a condition cannot call anything: '__import__("os")'. It compares fields, as in: type == "figure"
    """
    # The words a researcher writes, in the syntax that the parser knows.
    words = _IS_EMPTY.sub(_as_comparison, text.strip())
    try:
        tree = ast.parse(words, mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise ValueError(f"'{text}' cannot be read as a condition. {_EXAMPLE}") from error
    _check(tree, text)
    return Condition(text, _names(tree), tree)


_EXAMPLE = 'It compares fields, as in: type == "figure"'
# A quoted text is taken whole first, so that words inside it stay what they are.
_IS_EMPTY = re.compile(r"""("[^"]*"|'[^']*')|\bis\s+(not\s+)?empty\b""")


def _as_comparison(found: re.Match[str]) -> str:
    return found[1] or f"{'!=' if found[2] else '=='} {_EMPTY}"


def _check(node: ast.expr, text: str) -> None:
    """Refuses everything but comparisons of names with values."""
    if isinstance(node, ast.Call):
        raise ValueError(f"a condition cannot call anything: '{text}'. {_EXAMPLE}")
    if isinstance(node, ast.BoolOp):
        for part in node.values:
            _check(part, text)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        _check(node.operand, text)
    elif isinstance(node, ast.Compare):
        for part in (node.left, *node.comparators):
            _check_value(part, text)
    else:
        _check_value(node, text)


def _check_value(node: ast.expr, text: str) -> None:
    if isinstance(node, ast.List | ast.Tuple):
        for part in node.elts:
            _check_value(part, text)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and _is_number(node.operand):
        return
    elif not isinstance(node, ast.Name | ast.Constant) or isinstance(getattr(node, "value", None), bytes | complex):
        if isinstance(node, ast.Call):
            raise ValueError(f"a condition cannot call anything: '{text}'. {_EXAMPLE}")
        raise ValueError(f"'{text}' has more in it than a condition may. {_EXAMPLE}")


def _structure(node: ast.expr) -> Comparison | Joined:
    if isinstance(node, ast.BoolOp):
        by: Literal["and", "or"] = "and" if isinstance(node.op, ast.And) else "or"
        return Joined(by, tuple(_structure(part) for part in node.values))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return Joined("not", (_structure(node.operand),))
    is_negated = isinstance(node, ast.Compare) and all(isinstance(op, ast.NotEq | ast.NotIn) for op in node.ops)
    return Comparison(_names(node), is_negated, node)


def _names(node: ast.expr) -> frozenset[str]:
    return frozenset(part.id for part in ast.walk(node) if isinstance(part, ast.Name)) - {_EMPTY}


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _value(node: ast.expr, values: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.BoolOp):
        parts = (_truth(_value(part, values)) for part in node.values)
        return all(parts) if isinstance(node.op, ast.And) else any(parts)
    if isinstance(node, ast.UnaryOp):
        inner = _value(node.operand, values)
        return not _truth(inner) if isinstance(node.op, ast.Not) else -inner
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        return all(
            _compare(op, left, right, values) for op, left, right in zip(node.ops, sides, sides[1:], strict=False)
        )
    if isinstance(node, ast.List | ast.Tuple):
        return [_value(part, values) for part in node.elts]
    if isinstance(node, ast.Name):
        return _EMPTY if node.id == _EMPTY else values.get(node.id)
    return node.value if isinstance(node, ast.Constant) else None


def _compare(op: ast.cmpop, left: ast.expr, right: ast.expr, values: Mapping[str, Any]) -> bool:
    one, other = _value(left, values), _value(right, values)
    if other == _EMPTY:
        return _is_empty(one) == isinstance(op, ast.Eq)
    if isinstance(op, ast.In | ast.NotIn):
        found = not _is_empty(one) and isinstance(other, list) and any(_same(one, part) for part in other)
        return found if isinstance(op, ast.In) else not found and not _is_empty(one)
    if _is_empty(one) or _is_empty(other):
        return False
    if isinstance(op, ast.Eq | ast.NotEq):
        return _same(one, other) == isinstance(op, ast.Eq)
    try:
        return _ORDERS[type(op)](float(one), float(other))
    except (TypeError, ValueError, KeyError):
        return False


def _same(one: Any, other: Any) -> bool:
    """Equal as values, or as what a table holds: the text "2" is the number 2."""
    if one == other:
        return True
    if isinstance(one, list) or isinstance(other, list):
        return other in one if isinstance(one, list) else False
    try:
        return float(one) == float(other)
    except (TypeError, ValueError):
        return str(one) == str(other)


def _is_empty(value: Any) -> bool:
    return value is None or value == "" or value == []


def _truth(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().lower() not in ("", "no", "false", "0")
    return bool(value)
