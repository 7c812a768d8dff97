"""What the answers about one item amount to: agreed by the study's rule, or ambiguous."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from quorate.analyse.sheets import Sheet
from quorate.protocol.study_file import Majority
from quorate.records import Verdict

AGREED, AMBIGUOUS = "agreed", "ambiguous"


def majority(values: Iterable[Any], rule: Majority) -> Any:
    """The value that enough of the answers share, or None: with answers missing, of those that are there.

    >>> rule = Majority(of="2 of 3")
    >>> majority([True, False, True], rule), majority([True], rule), majority(["a", "b", "c"], rule)
    (True, None, None)
    """
    top = Counter(values).most_common(2)
    if not top or top[0][1] < rule.needed or (len(top) > 1 and top[1][1] == top[0][1]):
        return None
    return top[0][0]


def verdicts(sheet: Sheet, rule: Majority) -> tuple[Verdict, ...]:
    """One verdict an item: on correctness where the question has a right answer, else on the answer itself."""
    on_correctness = sheet.question.is_scored()
    table = sheet.correctness() if on_correctness else sheet.categories()
    found = []
    for item, row in zip(sheet.items, table, strict=True):
        given = [value for value in row if value is not None]
        value = majority(given, rule)
        tally = {str(name): n for name, n in sorted(Counter(given).items(), key=lambda pair: str(pair[0]))}
        status = AMBIGUOUS if value is None else AGREED
        found.append(Verdict(sheet.section, item.id, sheet.id, value, status, tally, len(given)))
    return tuple(found)
