"""Bad input is answered with a sentence, and nothing is stored or lost: forged answers, ids, times and sizes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from rooms import Rater, Room, browsing, open_room, serving
from walks import short

from quorate.collect import way

RIGHT = {
    "correctness": "4",
    "reasoning_completeness": "3",
    "resists_misleading": "Yes",
    "context_consistency": "Yes",
    "overall_quality": "4",
    "comments": "what I typed",
}


@pytest.fixture
def talk(tmp_path: Path, empty_database: Path) -> Iterator[Room]:
    room = open_room(short("dialogue", tmp_path / "study"), empty_database)
    with serving(room):
        yield room
    room.study.close()


@pytest.fixture
def talker(talk: Room) -> Iterator[Rater]:
    """A rater of the dialogue template, at the first item."""
    with browsing(talk) as client:
        rater = Rater(client, talk.raters[0])
        rater.send(_agree="yes")
        rater.send()
        while rater.step.startswith("practice"):
            rater.send(**({} if rater.step.endswith("/answer") else RIGHT))
        if rater.step == "feedback":
            rater.send()
        assert rater.step.startswith("work/")
        yield rater


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("correctness", "9", "Please choose a point"),
        ("correctness", "4; drop table", "Please choose a point"),
        ("overall_quality", "", "Please choose a point"),
        ("edge_cases.secondary", "A tag of my own", "among the tags on this page"),
        ("comments", "x" * 2001, "longer than 2000"),
    ],
)
def test_an_answer_outside_the_options_is_said_at_its_field(
    talk: Room, talker: Rater, field: str, value: str, sentence: str
) -> None:
    page = talker.send(**{**RIGHT, field: value})
    assert page.status_code == 422
    wrong = page.text.split(f'data-question="{field.split(".")[0]}"', 1)[1].split('class="wrong"', 1)[1]
    assert sentence in wrong.split("</p>", 1)[0]
    if field != "comments":
        assert "what I typed" in page.text
    assert talk.answers() == []


def test_a_comment_that_an_edge_case_needs_is_asked_for(talk: Room, talker: Rater) -> None:
    page = talker.send(**{**RIGHT, "comments": "", "edge_cases.secondary": "Verbose"})
    assert page.status_code == 422
    assert talk.answers() == []


@pytest.mark.parametrize("forged", ["nonsense", "0" * 12, "..%2F..%2Fdesk", "%00"])
def test_a_forged_assignment_is_told_to_open_the_own_link(talk: Room, talker: Rater, forged: str) -> None:
    token = {"_csrf": talker.hidden("_csrf"), "_key": "k", "_revision": "0"}
    for accept in ("text/html", "application/json"):
        reply = talker.client.post(f"{talker.root}/work/{forged}", data={**token, **RIGHT}, headers={"accept": accept})
        assert reply.status_code in (403, 404)
        assert "personal link" in reply.text
    assert talk.answers() == []


def test_an_answer_after_the_study_closed_is_said_and_shown_again(talk: Room, talker: Rater) -> None:
    talk.do(way.close_study)
    page = talker.send(**RIGHT)
    assert page.status_code == 409
    assert "closed" in page.text
    assert "what I typed" in page.text
    assert talk.answers() == []


def test_fifty_megabytes_are_too_much(talk: Room, talker: Rater) -> None:
    page = talker.send(**{**RIGHT, "comments": "x" * 50_000_000})
    assert page.status_code == 413
    assert "shorten the text" in page.text
    assert talk.answers() == []
