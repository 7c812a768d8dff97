"""The quiz as a candidate meets it: one page, nothing lost, no word of the score, and a wait for the cut."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rooms import Rater, Room, browsing, open_room, serving
from walks import short

from quorate.collect import escalation, links, screening
from quorate.collect.recruiting import free_places
from quorate.errors import CollectError


@pytest.fixture
def quiz_room(tmp_path: Path, empty_database: Path) -> Iterator[Room]:
    """A panel with three candidates, of whom one is kept."""
    room = open_room(short("abstract-visual", tmp_path / "study"), empty_database)
    with serving(room):
        yield room
    room.study.close()


@pytest.fixture
def candidate(quiz_room: Room) -> Iterator[Rater]:
    with browsing(quiz_room) as client:
        rater = Rater(client, quiz_room.raters[0])
        rater.send(_agree="yes")
        yield rater


def answers(room: Room, number: int, right: int) -> dict[str, str]:
    """The quiz of a candidate with so many right answers, by place."""
    person = room.rows(lambda tx: tx.raters())[number]
    fields = {}
    for k, question in enumerate(screening.quiz(room.study.protocol, person)):
        place = question.options.index(question.answer)
        fields[f"quiz.{question.id}"] = f"@{(place if k < right else (place + 1) % 5) + 1}"
    return fields


def test_all_questions_of_the_panel_stand_on_one_page_in_the_candidates_order(
    quiz_room: Room, candidate: Rater
) -> None:
    assert candidate.step == "screening"
    person = quiz_room.rows(lambda tx: tx.raters())[0]
    for question in screening.quiz(quiz_room.study.protocol, person):
        block = candidate.page.text.split(f'name="quiz.{question.id}"', 1)[1].split("</fieldset>", 1)[0]
        shown = re.findall(r"<span>([^<]+)</span>", block)
        assert [name.replace("&#39;", "'") for name in shown] == list(question.options)
    assert set(re.findall(r'value="(@\d)"', candidate.page.text)) == {"@1", "@2", "@3", "@4", "@5"}


def test_a_question_that_is_left_out_is_said_there_and_nothing_is_lost(quiz_room: Room, candidate: Rater) -> None:
    given = answers(quiz_room, 0, right=3)
    left_out = list(given)[1]
    page = candidate.send(**{name: value for name, value in given.items() if name != left_out})
    assert page.status_code == 422
    assert page.text.count("Please choose one of the options.</p>") == 1
    assert page.text.count(" checked") == 2
    assert quiz_room.rows(lambda tx: tx.last_event(["screening"])) is None


@pytest.mark.parametrize("forged", ["@0", "@6", "@99", "the right one", ""])
def test_what_is_no_option_is_no_answer(quiz_room: Room, candidate: Rater, forged: str) -> None:
    given = answers(quiz_room, 0, right=3)
    given[next(iter(given))] = forged
    assert candidate.send(**given).status_code == 422


def test_nobody_learns_the_score_before_the_cut(quiz_room: Room) -> None:
    pages = []
    for number, right in enumerate((3, 0)):
        with browsing(quiz_room) as client:
            rater = Rater(client, quiz_room.raters[number])
            rater.send(_agree="yes")
            rater.send(**answers(quiz_room, number, right))
            assert rater.step == "selection"
            pages.append(rater.page.text.replace(rater.root, "/r/x"))
    assert pages[0] == pages[1]


def test_who_is_selected_goes_on_and_the_others_are_thanked(quiz_room: Room) -> None:
    raters = [Rater(browsing(quiz_room), link) for link in quiz_room.raters]
    for number, right in enumerate((2, 3, 3)):
        raters[number].send(_agree="yes")
        raters[number].send(**answers(quiz_room, number, right))
    (made,) = quiz_room.do(lambda tx: screening.select(tx, quiz_room.study.protocol))
    kept = {one.candidate.rater for one in made.chosen}
    assert len(kept) == 1
    for rater, person in zip(raters, quiz_room.rows(lambda tx: tx.raters()), strict=True):
        rater.open("")
        fallen = "failed_quiz" if rater is raters[0] else "reserve"
        assert rater.step == ("instructions" if person.id in kept else fallen)
    assert "your result does not reach" in raters[0].page.text
    last = next(rater for rater in raters if rater.step == "reserve")
    assert "You are in reserve" in last.page.text
    assert not any("went to others" in rater.page.text for rater in raters)


def test_who_comes_after_the_cut_is_thanked_and_can_send_nothing(quiz_room: Room, candidate: Rater) -> None:
    other = Rater(browsing(quiz_room), quiz_room.raters[1])
    other.send(_agree="yes")
    other.send(**answers(quiz_room, 1, right=3))
    quiz_room.do(lambda tx: screening.select(tx, quiz_room.study.protocol))
    candidate.send(**answers(quiz_room, 0, right=3))
    assert candidate.step == "recruitment_closed"
    assert "Recruitment has closed" in candidate.page.text
    late = Rater(browsing(quiz_room), quiz_room.raters[2])
    assert late.step == "recruitment_closed"  # nobody consents to what cannot be done any more
    with pytest.raises(CollectError, match="every place of panel Cities is taken"):
        quiz_room.do(
            lambda tx: links.invite(tx, quiz_room.study.protocol, 1, links.panels(quiz_room.study.protocol)[0])
        )
    assert len(quiz_room.rows(lambda tx: tx.events(kinds=["screening"]))) == 1


def test_the_page_says_of_the_quiz_what_the_study_says_and_nothing_else(
    tmp_path: Path, empty_database: Path, quiz_room: Room, candidate: Rater
) -> None:
    assert "Please answer from memory" in candidate.page.text  # the template's own words
    folder = short("abstract-visual", tmp_path / "other")
    file = folder / "study.yaml"
    text = file.read_text()
    start, end = text.index("    introduction: >-"), text.index("    question: question")
    file.write_text(text[:start] + text[end:])
    room = open_room(folder, empty_database)
    with serving(room), browsing(room) as client:
        rater = Rater(client, room.raters[0])
        rater.send(_agree="yes")
        assert "Your answers decide whether you can take part in this study." in rater.page.text
        assert not any(words in rater.page.text for words in ("memory", "looking", "knows", "short quiz", "Your field"))
    room.study.close()


def test_a_round_is_opened_after_the_cut_and_the_desk_gives_the_command(quiz_room: Room) -> None:
    protocol = quiz_room.study.protocol
    stratum = links.panels(protocol)[0]
    quiz_room.do(lambda tx: escalation.reassess(tx, protocol, stratum))
    assert quiz_room.do(lambda tx: len(free_places(tx, protocol, stratum))) == 2
    marked = {
        "statistic": "ambiguity rate",
        "band": "above the threshold",
        "by": protocol.raters.panels,
        "stratum": stratum,
    }
    marked |= {"section": "s", "question": "q", "count": 4, "of": 4, "value": 1, "low": None, "high": None}
    results = protocol.folder / "report" / "results.json"
    results.parent.mkdir()
    results.write_text(json.dumps({"estimates": [marked]}))
    with browsing(quiz_room) as client:
        client.get(quiz_room.member)
        page = client.get("/desk/report").text
    assert f'quorate reassess --stratum "{stratum}" --by domain' in page.replace("&#34;", '"')


def test_who_passed_a_later_attempt_and_took_part_is_not_sent_away_when_recruitment_closes(
    tmp_path: Path, empty_database: Path
) -> None:
    """Without a cut any attempt lets in; closing recruitment says nothing about those who are in."""
    folder = short("abstract-visual", tmp_path / "study")
    file = folder / "study.yaml"
    file.write_text(re.sub(r"top: 1 .*", "attempts: 2", file.read_text(encoding="utf-8")), encoding="utf-8")
    room = open_room(folder, empty_database)
    with serving(room), browsing(room) as one, browsing(room) as other, browsing(room) as member:
        late, failed = Rater(one, room.raters[0]), Rater(other, room.raters[1])
        for rater, number, tries in ((late, 0, (0, 3)), (failed, 1, (0,))):
            rater.send(_agree="yes")
            for right in tries:
                rater.send(**answers(room, number, right))
        assert late.step == "instructions"
        assert failed.step == "screening"
        member.get(room.member)
        assert "on one of 2 attempts" in member.get("/desk/candidates").text
        cut, *others = room.do(lambda tx: screening.select(tx, room.study.protocol))
        assert [c.rater for c in cut.failed] == ["E2"]
        assert all(one.closes for one in (cut, *others))
        late.open("")
        failed.open("")
        assert (late.step, failed.step) == ("instructions", "failed_quiz")
        assert len(room.rows(lambda tx: tx.events(rater="E1", kinds=["selected"]))) == 1
    room.study.close()


def test_the_desk_knows_who_was_thanked_before_recruitment_closes(tmp_path: Path, empty_database: Path) -> None:
    folder = short("abstract-visual", tmp_path / "study")
    file = folder / "study.yaml"
    file.write_text(re.sub(r"top: 1 .*", "attempts: 1", file.read_text(encoding="utf-8")), encoding="utf-8")
    room = open_room(folder, empty_database)
    with serving(room), browsing(room) as client, browsing(room) as member:
        rater = Rater(client, room.raters[0])
        rater.send(_agree="yes")
        rater.send(**answers(room, 0, 0))
        assert rater.step == "failed_quiz"
        member.get(room.member)
        page = member.get("/desk/candidates").text
        assert "<td>not selected</td>" in page
        assert "<td>waits</td>" not in page
    room.study.close()
