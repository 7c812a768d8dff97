"""What a page may know of a condition: for which replies to which questions it holds, and nothing else.

Fields of the item are settled here and never sent. What is left is a small tree for the script:
`{"ask": id, "in": [replies], "empty": bool}` (or "out"), joined by "all", "any" and "not".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quorate.conditions import Comparison, Joined, condition
from quorate.questions import Question
from quorate.records import Item, Shown

Tree = bool | dict[str, Any] | None
"""True or False where the item alone decides; None where the page may not or cannot know, so that it stays visible."""


@dataclass(frozen=True, slots=True)
class Page:
    """What is on a page: the item, and the questions that come before the one whose condition is asked."""

    item: Item | None
    shown: Shown
    questions: Mapping[str, Question]

    def tree(self, text: str) -> Tree:
        """A condition as the script needs it."""
        return self._tree(condition(text).structure())

    def _tree(self, part: Comparison | Joined) -> Tree:
        if isinstance(part, Comparison):
            return self._leaf(part)
        trees = [self._tree(inner) for inner in part.parts]
        if part.by == "not":
            inner = trees[0]
            return not inner if isinstance(inner, bool) else None if inner is None else {"not": inner}
        # One False settles an `and`, one True an `or`; the other constant drops out.
        settles = part.by == "or"
        left = [tree for tree in trees if tree is not (not settles)]
        if any(tree is settles for tree in left):
            return settles
        if not left:
            return not settles
        if any(tree is None for tree in left):
            return None
        return left[0] if len(left) == 1 else {"any" if settles else "all": left}

    def _leaf(self, comparison: Comparison) -> Tree:
        values: dict[str, Any] = dict(self.item.fields) if self.item else {}
        asked = [name for name in comparison.names if name in self.questions]
        if not asked:
            return comparison.holds(values)
        if len(asked) > 1:
            return None
        id, question = asked[0], self.questions[asked[0]]
        if question.is_scored():
            return None  # A question that appears after the right answer would tell which one it is.
        empty = comparison.holds({**values, id: None})
        held = self._held(comparison, values, id, self.shown)
        if held is None:
            return _by_emptiness(comparison, values, id, empty)
        if held != self._held(comparison, values, id, _swapped(self.shown)):
            return None  # It would tell which system stands on which side.
        outcomes = question.outcomes(self.shown.to(id), self.item) or {}
        if comparison.is_negated:
            return {"ask": id, "out": [reply for reply in outcomes if reply not in held], "empty": empty}
        return {"ask": id, "in": [reply for reply in outcomes if reply in held], "empty": empty}

    def _held(self, comparison: Comparison, values: Mapping[str, Any], id: str, shown: Shown) -> set[str] | None:
        """The replies for which a comparison holds."""
        outcomes = self.questions[id].outcomes(shown.to(id), self.item)
        if outcomes is None:
            return None
        return {reply for reply, value in outcomes.items() if comparison.holds({**values, id: value})}


def _by_emptiness(comparison: Comparison, values: Mapping[str, Any], id: str, empty: bool) -> Tree:
    """For replies that cannot be counted: a page knows whether there is one, and no more."""
    filled = {comparison.holds({**values, id: probe}) for probe in ("\N{SYMBOL FOR NULL}a", "\N{SYMBOL FOR NULL}b")}
    if filled == {not empty}:
        return {"ask": id, "out": [], "empty": empty} if not empty else {"ask": id, "in": [], "empty": empty}
    return None


def _swapped(shown: Shown) -> Shown:
    mirrored = dict(zip(shown.sides, reversed(list(shown.sides.values())), strict=True))
    return Shown(mirrored, shown.options)
