"""A roster shares the slots: every item gets its answers, whatever the order in which raters come."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from quorate.chance import draw
from quorate.collect.gather import gather
from quorate.collect.way import Step
from raters import UnderWay, under_way
from words import rate, words


def come_in_turns(running: UnderWay, raters: list[str], seed: int) -> None:
    """Whoever is drawn does one item, until nobody has anything left."""
    for rater in raters:
        running.go_to(rater, Step.WORK)
    turn = 0
    while waiting := [rater for rater in raters if running.step(rater) is Step.WORK]:
        rate(running, waiting[draw(seed, "who", turn) % len(waiting)], 3)
        turn += 1


@pytest.mark.parametrize("seed", range(4))
def test_every_item_gets_its_answers_though_the_last_raters_have_the_last_items(tmp_path: Path, seed: int) -> None:
    with under_way(words(tmp_path / "s", "per_item: 3\nroster: 5\nbatch: 2", n=15)) as running:
        running.open()
        raters = running.invite(5)
        come_in_turns(running, raters, seed)
        answers = running.read(gather).answers
        assert set(Counter(a.item for a in answers).values()) == {3}
        assert len({(a.item, a.rater) for a in answers}) == 45
        shares = Counter(a.rater for a in answers)
        assert max(shares.values()) - min(shares.values()) <= 4


def test_nobody_goes_beyond_a_share_while_places_of_the_roster_are_free(tmp_path: Path) -> None:
    with under_way(words(tmp_path / "s", "per_item: 2\nroster: 3", n=12)) as running:
        running.open()
        first, second = running.invite(2)
        come_in_turns(running, [first, second], 1)
        assert Counter(a.rater for a in running.read(gather).answers) == {first: 8, second: 8}
