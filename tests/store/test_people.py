"""Raters are places in the plan; links are known by their hashes; platform ids stay in a table of their own."""

from __future__ import annotations

import pytest

from postgres import REFUSED
from quorate.errors import StoreError
from quorate.records import Rater
from quorate.store import Progress, Store


def test_raters_are_numbered_by_their_place(store: Store) -> None:
    made = [store.do(lambda tx, panel=panel: tx.add_rater(panel)) for panel in ("law", "")]
    assert made == [Rater("R1", 1, "law"), Rater("R2", 2, "")]
    assert store.read(lambda tx: tx.raters()) == tuple(made)
    assert store.read(lambda tx: (tx.rater("R2"), tx.rater("R3"))) == (made[1], None)


def test_a_study_may_name_its_raters_otherwise(store: Store) -> None:
    assert store.do(lambda tx: tx.add_rater(prefix="annotator_")).id == "annotator_1"


def test_members_are_numbered_as_they_come(store: Store) -> None:
    made = [store.do(lambda tx, name=name: tx.add_member(name)) for name in ("Ada", "Grace")]
    assert [(member.id, member.name) for member in made] == [("M1", "Ada"), ("M2", "Grace")]
    assert store.read(lambda tx: tx.members()) == tuple(made)


def test_a_link_leads_to_its_person_until_it_is_revoked(store: Store) -> None:
    store.do(lambda tx: tx.add_link("h1", "rater", "R1"))
    store.do(lambda tx: tx.add_link("h2", "rater", "R1"))
    store.do(lambda tx: tx.add_link("h3", "member", "M1"))
    assert store.read(lambda tx: (tx.link("h1"), tx.link("h9"))) == (("rater", "R1", False), None)
    assert store.do(lambda tx: tx.revoke_links("R1")) == 2
    assert store.do(lambda tx: tx.revoke_links("R1")) == 0
    assert store.read(lambda tx: [tx.link(name) for name in ("h1", "h3")]) == [
        ("rater", "R1", True),
        ("member", "M1", False),
    ]
    assert [row.revoked_at is None for row in store.read(lambda tx: tx.links())] == [False, False, True]


def test_a_link_has_one_of_two_roles(store: Store) -> None:
    with pytest.raises(REFUSED):
        store.do(lambda tx: tx.add_link("h", "owner", "M1"))


def test_someone_from_a_platform_is_one_rater(store: Store) -> None:
    first, second = (store.do(lambda tx: tx.add_rater()).id for _ in range(2))
    store.do(lambda tx: tx.add_platform_id(first, "prolific", "5f3"))
    store.do(lambda tx: tx.add_platform_id(first, "prolific", "5f3"))
    with pytest.raises(StoreError, match="already belongs to R1"):
        store.do(lambda tx: tx.add_platform_id(second, "prolific", "5f3"))
    assert store.read(lambda tx: tx.platform_rater("prolific", "5f3")) == first
    assert store.read(lambda tx: tx.platform_rater("elsewhere", "5f3")) is None


def test_progress_keeps_what_is_not_said_and_counts_its_section(small, store: Store) -> None:
    small.plan("ab")
    rater = small.rater()
    assert store.read(lambda tx: tx.progress(rater)) is None
    store.do(lambda tx: tx.set_progress(rater, step="consent", status="new"))
    assert store.read(lambda tx: tx.progress(rater)) == Progress(rater, "consent", "", 0, 0, "new")
    first, _ = small.claim(rater)
    store.do(lambda tx: tx.set_progress(rater, step="work", section="s"))
    small.submit(first)
    assert store.read(lambda tx: tx.progress(rater)) == Progress(rater, "work", "s", 1, 2, "new")
