"""Personal links: random, stored hashed, revocable, as many as the study has places."""

from __future__ import annotations

from pathlib import Path

import pytest

from quorate.collect import way
from quorate.collect.links import (
    Invitation,
    desk_link,
    enter,
    invite,
    invite_again,
    invite_member,
    is_valid,
    places_left,
    revoke,
    token_hash,
)
from quorate.errors import CollectError, LinkError
from raters import UnderWay, under_way


def test_a_link_lets_its_rater_in(running: UnderWay) -> None:
    (invitation,) = running.do(invite, 1)
    entry = running.read(lambda tx: enter(tx, invitation.token))
    assert (entry.role, entry.person) == ("rater", "A1")
    assert running.read(lambda tx: is_valid(tx, entry.link))


def test_raters_have_the_protocols_names_in_the_order_of_invitation(running: UnderWay) -> None:
    assert running.invite(2) + running.invite(1) == ["A1", "A2", "A3"]


def test_a_token_has_128_random_bits_and_only_its_hash_is_kept(running: UnderWay) -> None:
    tokens = {invitation.token for invitation in running.do(invite, 3)}
    assert len(tokens) == 3
    assert all(len(token) >= 22 for token in tokens)
    content = b"".join(path.read_bytes() for path in running.folder.glob("study.sqlite*"))
    assert all(token.encode() not in content for token in tokens)
    assert all(token_hash(token).encode() in content for token in tokens)


@pytest.mark.parametrize("token", ["", "nothing", "../../etc/passwd", "x" * 10_000, "ü"])
def test_a_link_that_was_made_up_lets_nobody_in(running: UnderWay, token: str) -> None:
    with pytest.raises(LinkError, match="not known here"):
        running.read(lambda tx: enter(tx, token))


def test_a_new_link_ends_the_old_one(running: UnderWay) -> None:
    (first,) = running.do(invite, 1)
    second = running.store.do(lambda tx: invite_again(tx, "A1"))
    with pytest.raises(LinkError, match="replaced or withdrawn"):
        running.read(lambda tx: enter(tx, first.token))
    assert running.read(lambda tx: enter(tx, second.token)).person == "A1"
    assert not running.read(lambda tx: is_valid(tx, token_hash(first.token)))


def test_nobody_can_be_invited_again_who_was_not_invited(running: UnderWay) -> None:
    with pytest.raises(CollectError, match=r"There is no rater 'A9'\. The study has: nobody yet\."):
        running.store.do(lambda tx: invite_again(tx, "A9"))


def test_revoking_ends_every_link_of_a_person_and_no_others(running: UnderWay) -> None:
    one, other = running.do(invite, 2)
    assert running.store.do(lambda tx: revoke(tx, one.person)) == 1
    assert running.store.do(lambda tx: revoke(tx, one.person)) == 0
    with pytest.raises(LinkError):
        running.read(lambda tx: enter(tx, one.token))
    assert running.read(lambda tx: enter(tx, other.token)).person == other.person


def test_the_roster_says_how_many_may_come(running: UnderWay) -> None:
    with pytest.raises(CollectError, match=r"^4 more raters cannot be invited: raters\.roster is 3, and 3 of these"):
        running.invite(4)
    running.invite(3)
    with pytest.raises(CollectError, match=r"^More raters cannot be invited: .*quorate invite --again A1"):
        running.invite(0)


def test_the_cap_of_open_enrolment_says_how_many_may_come(study_folder: Path) -> None:
    path = study_folder / "study.yaml"
    path.write_text(path.read_text().replace("  roster: 3\n", "  cap: 5\n"))
    with under_way(study_folder) as running:
        assert len(running.invite(5)) == 5
        with pytest.raises(CollectError, match=r"raters\.cap is 5, and 0 of these"):
            running.invite(1)


@pytest.mark.parametrize("leave", ["declined", "screened_out", "withdrawn", "excluded"])
def test_who_is_not_there_any_more_frees_the_place(running: UnderWay, leave: str) -> None:
    rater = running.invite(3)[0]
    running.open()
    if leave == "declined":
        running.do(way.consent, rater, False)
    elif leave == "screened_out":
        running.do(way.consent, rater, True)
        running.do(way.eligibility, rater, {"proficiency": ["Neither"]})
    elif leave == "withdrawn":
        running.do(way.withdraw, rater)
    else:
        running.do(way.exclude, rater, "reason")
    assert running.do(places_left) == 1


def test_who_has_finished_keeps_the_place(running: UnderWay) -> None:
    rater = running.invite(3)[0]
    running.go_to(rater, way.Step.DONE)
    assert running.do(places_left) == 0


def test_members_have_links_of_their_own_and_a_known_name_a_new_one(running: UnderWay) -> None:
    first = running.store.do(lambda tx: invite_member(tx, "Ada"))
    other = running.store.do(lambda tx: invite_member(tx, "Grace"))
    again = running.store.do(lambda tx: invite_member(tx, "Ada"))
    assert (first.person, other.person, again.person) == ("M1", "M2", "M1")
    assert running.read(lambda tx: enter(tx, again.token)).role == "member"
    with pytest.raises(LinkError):
        running.read(lambda tx: enter(tx, first.token))


def test_the_link_to_the_desk_leaves_older_ones_working(running: UnderWay) -> None:
    first, second = running.store.do(desk_link), running.store.do(desk_link)
    assert first.person == second.person
    for invitation in (first, second):
        assert running.read(lambda tx, token=invitation.token: enter(tx, token)).role == "member"


def test_a_link_names_its_door_and_one_slash() -> None:
    assert Invitation("A1", "token").link("https://study.example.org/") == "https://study.example.org/join/token"
    assert Invitation("M1", "token").link("https://study.example.org", "member").endswith("/team/token")
