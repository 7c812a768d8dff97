"""Raters from a platform come back as the same person; their id stays apart, and nobody is sent off too early."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from rooms import Rater, Room, browsing, open_room, serving

from quorate.collect.way import Step, Where
from quorate.protocol import load
from quorate.web import onward
from quorate.web.pages import render
from studies import visual_puns
from words import words

PID = "5f0c1d2e3a4b5c6d7e8f9a0b"
PLATFORM = "{parameter: PROLIFIC_PID, completed: CDONE1, screened_out: COUT22, no_consent: CNONE3}"


@pytest.fixture
def from_platform(tmp_path: Path, empty_database: Path) -> Iterator[Callable[..., Room]]:
    """Makes an open study with two places for raters from a platform."""
    made: list[Room] = []

    def make(platform: str = PLATFORM, cap: int = 5) -> Room:
        folder = visual_puns(tmp_path / "study")
        file = folder / "study.yaml"
        text = file.read_text().replace("  roster: 3\n", f"  cap: {cap}\n  batch: 2\n  platform: {platform}\n")
        file.write_text(text)
        room = open_room(folder, empty_database)  # three raters have personal links
        made.append(room)
        return room

    yield make
    for room in made:
        room.study.close()


def arrive(room: Room, pid: str = PID, **more: str) -> Rater:
    query = {"PROLIFIC_PID": pid, "STUDY_ID": "s1", "SESSION_ID": "x1", **more}
    return Rater(browsing(room), f"/join?{httpx.QueryParams(query)}")


def test_someone_from_a_platform_becomes_a_rater_and_comes_back_as_the_same(from_platform: Callable[..., Room]) -> None:
    with serving(from_platform()) as room:
        first = arrive(room)
        assert first.step == "consent"
        first.send(_agree="yes")
        again = arrive(room)
        assert (again.root, again.step) == (first.root, "eligibility")
        assert arrive(room, "another_person").step == "consent"
        assert len(room.rows(lambda tx: tx.raters())) == 5


def test_the_id_is_in_its_own_table_and_nowhere_else(from_platform: Callable[..., Room]) -> None:
    with serving(from_platform()) as room:
        rater = arrive(room)
        assert PID not in str(rater.page.url)
        assert PID not in rater.page.text
        rater.send(_agree="yes")
        assert room.rows(lambda tx: tx.platform_rater("prolific", PID)) == "A4"
        events = room.rows(lambda tx: tx.events())
        people = room.rows(lambda tx: (tx.raters(), tx.links()))
        assert PID not in repr((events, people))


def test_a_full_study_says_so_and_records_nothing(from_platform: Callable[..., Room]) -> None:
    with serving(from_platform(cap=4)) as room:
        arrive(room)
        page = arrive(room, "late_comer").page
        assert page.status_code == 409
        assert "All places in this study are taken" in page.text
        assert room.rows(lambda tx: tx.platform_rater("prolific", "late_comer")) is None
        assert arrive(room).step == "consent"  # who has a place keeps it


@pytest.mark.parametrize("pid", ["", "{{%PROLIFIC_PID%}}", "x" * 200, "<script>"])
def test_a_link_without_an_id_is_said(from_platform: Callable[..., Room], pid: str) -> None:
    with serving(from_platform()) as room:
        page = arrive(room, pid).page
        assert page.status_code == 403
        assert "does not carry your id" in page.text
        assert len(room.rows(lambda tx: tx.raters())) == 3


def test_a_study_without_a_platform_has_no_such_door(room: Room, client: httpx.Client) -> None:
    assert client.get(f"/join?PROLIFIC_PID={PID}").status_code == 404


def test_a_revoked_rater_stays_out(from_platform: Callable[..., Room]) -> None:
    from quorate.collect import links

    with serving(from_platform()) as room:
        arrive(room)
        room.do(lambda tx: links.revoke(tx, "A4"))
        assert arrive(room).page.status_code == 403


def test_the_way_back_is_there_at_each_end_and_not_before(from_platform: Callable[..., Room]) -> None:
    back = "https://app.prolific.com/submissions/complete?cc="
    with serving(from_platform()) as room:
        declined = arrive(room, "who_declines")
        assert back not in declined.page.text
        declined.send(_agree="no")
        assert f'href="{back}CNONE3"' in declined.page.text
        out = arrive(room, "who_is_screened_out")
        out.send(_agree="yes")
        out.send(proficiency="Neither")
        assert f'href="{back}COUT22"' in out.page.text
        done = arrive(room, "who_finishes").to_work()
        while done.step != "done":
            assert back not in done.page.text
            done.send(idiom="x") if done.step.startswith("work") else done.send()
        assert f'href="{back}CDONE1"' in done.page.text


CODES = {step.value if step is not Step.DONE else "finished": f"C-{n}" for n, step in enumerate(onward.ENDS)}


@pytest.mark.parametrize("kind", ["", "platform: {}", "completion_code: DONE-1", "codes"])
def test_every_end_has_its_own_sentence_and_its_own_code_and_no_other(tmp_path: Path, kind: str) -> None:
    codes = f"codes: {json.dumps(CODES)}"
    folder = words(tmp_path / "s", "per_item: 1\ncap: 5\n" + (codes if kind == "codes" else kind))
    raters = load(folder).raters
    seen = set()
    for language in ("en", "zh"):
        for step in onward.ENDS:
            now = Where("R1", step)
            html = render(
                f"{step.value}.html", language, now=now, raters=raters, root="/r/x", title="T", static="", theme="",
                onward=onward.onward(raters, now), languages=("en",), trail=[], is_preview=False,
            )  # fmt: skip
            text = html.split("<main", 1)[1]
            seen.add(text.split("</h1>", 1)[1].split("</p>", 1)[0])
            mine = CODES["finished" if step is Step.DONE else step.value]
            shown = [code for code in CODES.values() if f">{code}<" in text]
            assert shown == ([mine] if kind == "codes" else []), step
            assert ("DONE-1" in text) == (kind.startswith("completion") and step is Step.DONE)
            none = ("No code belongs to this page", "此页面没有代码")
            is_said = any(words in text for words in none)
            assert is_said == (kind not in ("", "codes") and step is not Step.DONE), step
    assert len(seen) == 2 * len(onward.ENDS)


def test_another_platform_has_its_own_parameter_and_address(from_platform: Callable[..., Room]) -> None:
    other = (
        "{name: CloudResearch, parameter: participantId, completed: 'https://p.example/end?a=1&b=2', no_consent: N-77}"
    )
    with serving(from_platform(other)) as room:
        assert arrive(room).page.status_code == 403
        rater = arrive(room, participantId="p-1")
        rater.send(_agree="no")
        assert '<code id="onward" aria-labelledby="onward-label">N-77</code>' in rater.page.text
        done = arrive(room, participantId="p-2").to_work()
        while done.step != "done":
            done.send(idiom="x") if done.step.startswith("work") else done.send()
        assert 'href="https://p.example/end?a=1&amp;b=2"' in done.page.text
        assert "CloudResearch" in done.page.text
