"""The plan: the same on every machine and after a restart, another for another seed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from quorate.plan import Plan, arrange, batch_size, make_plan, quota
from quorate.protocol import Protocol, load

PRINT = """
import sys, msgspec, quorate
from quorate.plan import arrange
protocol = quorate.load(sys.argv[1])
plan = quorate.make_plan(protocol)
orders = [[s.item for s in arrange(plan.slots[:8], protocol, r, "recognise")] for r in ("A1", "A2", "A3")]
print(plan.hash, msgspec.json.encode([plan.items, plan.slots, orders]).decode())
"""


def with_raters(folder: Path, settings: str) -> Protocol:
    path = folder / "study.yaml"
    path.write_text(path.read_text().replace("  per_item: 3\n  roster: 3\n", settings))
    return load(folder)


def plan_in_another_process(folder: Path, hash_seed: str) -> bytes:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-c", PRINT, str(folder)]
    return subprocess.run(command, env=environment, capture_output=True, check=True).stdout


def test_the_plan_is_the_same_to_the_byte_in_another_process(study_folder: Path) -> None:
    first = plan_in_another_process(study_folder, "1")
    assert first == plan_in_another_process(study_folder, "271828")
    assert first.startswith(make_plan(load(study_folder)).hash.encode())


def test_another_seed_gives_another_plan(study_folder: Path) -> None:
    before = make_plan(load(study_folder))
    path = study_folder / "study.yaml"
    path.write_text(path.read_text().replace("seed: 42", "seed: 43"))
    after = make_plan(load(study_folder))
    assert after.hash != before.hash
    assert [slot.item for slot in after.slots] != [slot.item for slot in before.slots]


def test_the_order_of_the_tables_rows_does_not_matter_to_the_slots(study_folder: Path) -> None:
    before = make_plan(load(study_folder))
    path = study_folder / "idioms.csv"
    header, *rows = path.read_text().splitlines()
    path.write_text("\n".join([header, *rows[::-1]]) + "\n")
    assert make_plan(load(study_folder)).slots == before.slots


def test_every_item_has_as_many_slots_as_raters_are_asked_for(study_folder: Path) -> None:
    plan = make_plan(load(study_folder))
    assert Counter(slot.item for slot in plan.slots) == {item.id: 3 for item in plan.items}
    assert {slot.repeat for slot in plan.slots} == {0, 1, 2}


def test_every_item_comes_once_before_any_comes_again(study_folder: Path) -> None:
    plan = make_plan(load(study_folder))
    assert [slot.repeat for slot in plan.slots] == [0] * 8 + [1] * 8 + [2] * 8


def test_every_raters_order_differs_and_is_not_the_tables(study_folder: Path) -> None:
    protocol = load(study_folder)
    slots = [slot for slot in make_plan(protocol).slots if slot.repeat == 0]
    orders = [tuple(slot.item for slot in arrange(slots, protocol, f"A{n}", "recognise")) for n in range(1, 11)]
    assert len(set(orders)) == 10
    assert tuple(sorted(orders[0])) not in orders
    assert all(sorted(order) == sorted(orders[0]) for order in orders)


def test_a_raters_order_does_not_depend_on_which_repeat_was_claimed(study_folder: Path) -> None:
    protocol = load(study_folder)
    slots = make_plan(protocol).slots
    orders = [
        [slot.item for slot in arrange([s for s in slots if s.repeat == repeat], protocol, "A1", "recognise")]
        for repeat in (0, 1)
    ]
    assert orders[0] == orders[1]


def test_first_places_are_spread_over_the_items(study_folder: Path) -> None:
    protocol = load(study_folder)
    slots = make_plan(protocol).slots[:8]
    first = Counter(arrange(slots, protocol, f"A{n}", "recognise")[0].item for n in range(400))
    assert len(first) == 8
    assert max(first.values()) < 90


def test_two_plans_with_the_same_hash_are_the_same_plan(study_folder: Path) -> None:
    plan = make_plan(load(study_folder))
    assert Plan(plan.items, plan.slots).hash == plan.hash
    assert Plan(plan.items, plan.slots[::-1]).hash != plan.hash
    assert Plan(plan.items[:-1], plan.slots).hash != plan.hash


@pytest.mark.parametrize(
    ("settings", "share", "at_once"),
    [
        ("  per_item: 3\n  roster: 3\n", 8, 8),
        ("  per_item: 3\n  roster: 4\n", 6, 6),
        ("  per_item: 3\n  roster: 5\n", 5, 5),
        ("  per_item: 3\n  roster: 3\n  batch: 3\n", 8, 3),
        ("  per_item: 3\n", 8, 8),
        ("  per_item: 3\n  batch: 5\n", 5, 5),
        ("  per_item: 3\n  batch: 500\n", 8, 8),
        ("  per_item: 1\n  roster: 1\n", 8, 8),
    ],
)
def test_a_rater_does_a_fair_share_of_a_roster_or_one_batch(
    study_folder: Path, settings: str, share: int, at_once: int
) -> None:
    protocol = with_raters(study_folder, settings)
    assert (quota(protocol), batch_size(protocol)) == (share, at_once)
