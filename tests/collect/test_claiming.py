"""A roster shares the slots: every item gets its answers, whatever the order in which raters come."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from quorate.chance import draw, order
from quorate.collect.claiming import claim
from quorate.collect.gather import gather
from quorate.collect.way import Step
from quorate.store import Tx
from quorate.study import Study
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


PAIRS = """\
quorate: 1
title: Which text?
seed: 3
items: {from: pairs.csv, id: id}
sections:
  - id: compare
    show: [{pair: {systems: [one, other], outputs: [words_1, words_2], text: {}}}]
    ask: [{id: better, winner: {prompt: Which is better?}}]
raters: {per_item: 2, cap: 13, batch: 10, consent: consent.md, instructions: consent.md}
"""


@pytest.mark.parametrize(("systems", "apart"), [("ab", 0), ("abc", 1), ("abcdef", 2)])
def test_each_system_stands_left_as_often_as_right_for_every_rater_whoever_drops_out(
    tmp_path: Path, systems: str, apart: int
) -> None:
    pairs = [order(systems, 5, "pair", n)[:2] for n in range(60)]
    rows = [f"i{n},{one},text,{other},text" for n, (one, other) in enumerate(pairs)]
    (tmp_path / "pairs.csv").write_text("\n".join(["id,one,words_1,other,words_2", *rows]))
    (tmp_path / "consent.md").write_text("Please take part.")
    (tmp_path / "study.yaml").write_text(PAIRS)
    study = Study(tmp_path)
    study.put_plan()

    def come_and_go(tx: Tx) -> list[str]:
        raters = [tx.add_rater().id for _ in range(13)]
        for rater in raters:
            assert len(claim(tx, study.protocol, rater, study.protocol.sections[0])) == 10
            if rater == "R4":
                tx.release(rater)
        return raters

    raters = study.store.do(come_and_go)
    held = [one for one in study.store.read(Tx.assignments) if not one.lost]
    for rater in raters:
        shown = [one.shown.sides for one in held if one.rater == rater]
        left, right = (Counter(sides[where] for sides in shown) for where in ("left", "right"))
        assert max(abs(left[system] - right[system]) for system in systems) <= apart, (rater, left, right)
    study.close()
