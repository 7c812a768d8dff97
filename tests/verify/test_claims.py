"""What raters were given follows from the claims, and what does not is found."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from planted import Rehearsed

SWAPPED = """UPDATE {table} SET shown = json_set(shown, '$.sides.left', json_extract(shown, '$.sides.right'),
    '$.sides.right', json_extract(shown, '$.sides.left')) WHERE {which}"""


def test_a_swapped_side_of_an_assignment_is_found(rehearsed: Callable[[str], Rehearsed]) -> None:
    study = rehearsed("media-preference")
    found = study.plant(SWAPPED.format(table="assignments", which="rater = 'R1' AND position = 3")).verify()
    # Its answers were given to the sides that are drawn: nothing is wrong with them.
    assert [finding.where for finding in found.findings] == ["R1, compare, position 3"]
    assert "may be for the wrong system" in found.of("sides")[0].means


def test_a_swapped_side_of_a_slot_is_found(rehearsed: Callable[[str], Rehearsed]) -> None:
    found = rehearsed("media-preference").plant(SWAPPED.format(table="slots", which="id = 4")).verify()
    assert [finding.kind for finding in found.findings] == ["sides"]


def test_options_in_another_order_are_found(rehearsed: Callable[[str], Rehearsed]) -> None:
    study = rehearsed("abstract-visual").plant(
        """UPDATE assignments SET shown = json_set(shown, '$.options.concept',
        json_array('target', 'semantic_1', 'semantic_2', 'literal', 'none'))
        WHERE section = 'recognise' AND json_extract(shown, '$.options.concept[0]') != 'target'
        AND position = 2 AND rater = (SELECT min(rater) FROM assignments)"""
    )
    assert len(study.verify().of("options")) >= 1


def test_a_shifted_order_is_found(rehearsed: Callable[[str], Rehearsed]) -> None:
    study = rehearsed("visual-puns").plant(
        "UPDATE assignments SET position = -position WHERE rater = 'A2'",
        "UPDATE assignments SET position = -position % 24 + 1 WHERE rater = 'A2'",
    )
    found = study.verify()
    assert len(found.of("order")) == 24
    assert found.of("order")[0].where.startswith("A2, recognise, position ")


@pytest.mark.parametrize(
    ("planted", "kind"),
    [
        ("UPDATE assignments SET item = 'other' WHERE rater = 'A1' AND position = 5", "claims"),
        ("UPDATE assignments SET id = 'zzzzzzzzzzzz' WHERE rater = 'A1' AND position = 1", "claims"),
        ("UPDATE assignments SET lost = 3 WHERE rater = 'A1' AND position = 1", "claims"),
        ("DELETE FROM events WHERE kind = 'claim' AND rater = 'A3'", "claims"),
        (
            "UPDATE events SET data = json_set(data, '$.slots', json_array(1, 2, 3)) WHERE kind = 'claim'",
            "claims",
        ),
        ("UPDATE events SET data = json_set(data, '$.slots[0]', 9999) WHERE kind = 'claim'", "claims"),
        ("UPDATE events SET rater = 'Z9' WHERE kind = 'claim'", "claims"),
    ],
)
def test_claims_and_assignments_that_do_not_fit_are_found(
    rehearsed: Callable[[str], Rehearsed], planted: str, kind: str
) -> None:
    assert rehearsed("visual-puns").plant(planted).verify().of(kind)
