"""The practice round: what is right is told after each item or after all, never before, and can be read again."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from rooms import Rater, Room, browsing, open_room, serving
from walks import short

from studies import visual_puns

sys.path.append(str(Path(__file__).parents[1] / "unseen"))

from odd import tags_alone

RATED = {"correctness": "4", "reasoning_completeness": "2", "overall_quality": "4"}


@pytest.fixture
def talk(tmp_path: Path, empty_database: Path) -> Iterator[Room]:
    """The dialogue template: five practice items, the right answers after each."""
    room = open_room(short("dialogue", tmp_path / "study"), empty_database)
    with serving(room):
        yield room
    room.study.close()


def practising(room: Room, language: str = "en") -> Rater:
    rater = Rater(browsing(room, headers={"accept-language": language}), room.raters[0])
    rater.send(_agree="yes")
    rater.send()
    assert rater.step == "practice/1"
    return rater


def test_the_right_answers_follow_each_item(talk: Room) -> None:
    rater = practising(talk)
    assert "Excellent detailed description" not in rater.page.text
    rater.send(**RATED)
    assert rater.step == "practice/1/answer"
    assert rater.page.text.count("Not this time") == 1  # 4 and 4 are right, 2 is not
    assert "<strong>5</strong>" in rater.page.text
    assert "only describes the image" in rater.page.text
    rater.send()
    assert rater.step == "practice/2"


def test_the_right_answer_cannot_be_passed_over(talk: Room) -> None:
    rater = practising(talk)
    rater.send(**RATED)
    for path in ("", "practice/2", "practice/1", "feedback", "work", "practice/2/answer"):
        rater.open(path)
        assert rater.step == "practice/1/answer", path
    rater.send(f"{rater.root}/practice/2", **RATED)
    assert rater.step == "practice/1/answer"
    rater.send(f"{rater.root}/practice/2/answer")
    assert rater.step == "practice/1/answer"
    events = talk.study.store.read(lambda tx: [event.kind for event in tx.events("R1")])
    assert events.count("practice_answer") == 1
    rater.send()
    assert rater.step == "practice/2"


def test_going_on_twice_counts_once(talk: Room) -> None:
    rater = practising(talk)
    rater.send(**RATED)
    rater.send()
    rater.send(f"{rater.root}/practice/1/answer")
    assert rater.step == "practice/2"
    seen = talk.study.store.read(lambda tx: tx.events("R1", kinds="practice_seen"))
    assert [event.data for event in seen] == [{"position": 1}]


def test_an_answer_is_not_told_before_its_item_is_answered(talk: Room) -> None:
    rater = practising(talk)
    for position in (1, 2, 5, 0, 99):
        rater.open(f"practice/{position}/answer")
        assert rater.step == "practice/1"


def test_after_the_last_item_the_work_begins(talk: Room) -> None:
    rater = practising(talk)
    for position in range(1, 6):
        rater.send(f"{rater.root}/practice/{position}", **RATED, resists_misleading="Yes", context_consistency="Yes")
        assert rater.step == f"practice/{position}/answer"
        if position < 5:
            rater.send()
    rater.send(f"{rater.root}/feedback")
    assert rater.step.startswith("work/")


def test_the_examples_can_be_read_again_at_work_and_not_before(tmp_path: Path, empty_database: Path) -> None:
    room = open_room(visual_puns(tmp_path / "study"), empty_database)
    with serving(room), browsing(room) as client:
        rater = Rater(client, room.raters[0])
        rater.open("examples")
        assert rater.step == "consent"
        rater.to_work()
        assert "practice idiom 1" in rater.open("examples").text
    room.study.close()


def test_in_chinese_the_feedback_is_chinese(talk: Room) -> None:
    rater = practising(talk, "zh-CN")
    rater.send(**RATED)
    rater.send()
    rater.send(**RATED, resists_misleading="Yes", context_consistency="No")
    page = rater.page.text
    assert "是否抵抗误导？" in page
    assert "<dd>是</dd>" in page
    assert "成功抵抗了误导信息" in page
    assert "Project-Id" not in page


def test_the_practice_page_and_its_reading_agree_on_where_options_stand(tmp_path: Path, empty_database: Path) -> None:
    folder = short("abstract-visual", tmp_path / "study")
    text = (folder / "study.yaml").read_text()
    start, end = text.index("  screening:"), text.index("  practice:")
    (folder / "study.yaml").write_text(text[:start] + text[end:])
    room = open_room(folder, empty_database)
    with serving(room), browsing(room) as client:
        rater = Rater(client, room.raters[0])
        rater.send(_agree="yes")
        rater.send()
        for item in room.study.protocol.practice:
            label = f"> <span>{item['concept']}</span>"
            value = rater.page.text.split(label)[0].rsplit('value="', 1)[1].split('"')[0]
            rater.send(concept=value)
        assert rater.step == "feedback"
        assert rater.page.text.count("Not this time") == 0
        assert rater.page.text.count("Right<") == 3
    room.study.close()


@pytest.fixture
def clips(tmp_path: Path, empty_database: Path) -> Iterator[Room]:
    """The template with clips, each of which is to be played once, in practice too."""
    room = open_room(short("media-preference", tmp_path / "study"), empty_database)
    with serving(room):
        yield room
    room.study.close()


def rated(room: Room) -> dict[str, str]:
    """A filled form of the practice page."""
    asks = [ask for ask in room.study.protocol.practice_section.ask if ask.id.endswith(("adherence", "consistency"))]
    sides = {f"{ask.id}__{side}": "3" for ask in asks for side in ("left", "right")}
    more = {f"{name}__{side}": "3" for name in ("motion_physics", "edit_precision") for side in ("left", "right")}
    return {"winner": "left", "reasons__primary": "Missed constraint", **sides, **more}


def test_clips_have_to_be_played_in_practice_too(clips: Room) -> None:
    rater = practising(clips)
    form = rated(clips)
    rater.send(**form)
    assert rater.page.status_code == 422
    assert "Please play each clip to its end" in rater.page.text
    item = clips.study.protocol.practice[0]
    staged = clips.app.state.site.staged
    played = [{"name": staged.name(item[name]), "full_plays": 1} for name in ("clip_1", "clip_2")]
    rater.send(_evidence=json.dumps({"media": played[:1]}), **form)
    assert rater.page.status_code == 422
    rater.send(_evidence=json.dumps({"media": played}), **form)
    assert rater.step == "practice/1/answer"
    (report,) = clips.study.store.read(lambda tx: tx.presentations())
    assert (report.rater, report.assignment, report.evidence["practice"]) == ("R1", None, item.id)


def test_a_clip_that_fails_in_practice_holds_nobody_up(clips: Room) -> None:
    rater = practising(clips)
    rater.send(_media_failed="1")
    assert rater.step == "practice/1/answer"


@pytest.mark.parametrize("feedback", ["after the round", "after each item"])
def test_practice_without_right_answers_promises_none(feedback: str, tmp_path: Path, empty_database: Path) -> None:
    folder = tags_alone(tmp_path / "study")
    file = folder / "study.yaml"
    rule = "practice:\n    from: practice.csv\n    id: id\n"
    assert rule in file.read_text()
    file.write_text(file.read_text().replace(rule, f"{rule}    feedback: {feedback}\n"))
    room = open_room(folder, empty_database)
    with serving(room):
        rater = practising(room)
        assert "right answer" not in rater.page.text
        assert "what you answer here is in no result" in rater.page.text
        rater.send()
        assert rater.step == "feedback"
        assert "That was practice" in rater.page.text
        assert "what each one shows" not in rater.page.text
        rater.send()
        assert rater.step.startswith("work")
    room.study.close()
