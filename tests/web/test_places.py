"""A crowd over the wire: who finds no work waits on a page that comes back by itself, and gets no code for nothing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from rooms import Rater, Room, browsing, open_room

from quorate.collect import arrivals, claiming, links
from quorate.collect.way import Step
from quorate.store import Tx
from quorate.web import views
from words import words

CODE = "PAY-ME-77"


@pytest.fixture
def room(tmp_path: Path, empty_database: Path) -> Iterator[Room]:
    """Four words, two a batch, for a crowd that speaks English or Chinese; the first of three raters holds two."""
    settings = f"per_item: 1\nbatch: 2\ncap: 9\nlease_minutes: 30\ncompletion_code: {CODE}"
    folder = words(tmp_path / "study", settings)
    file = folder / "study.yaml"
    file.write_text(file.read_text().replace("title: Which word?", "title: {en: Which word?, zh: 哪个词？}"))
    table = folder / "words.csv"
    table.write_text("\n".join(table.read_text().splitlines()[:5]) + "\n")
    made = open_room(folder, empty_database)
    hold(made, "R1")
    yield made
    made.study.close()


def hold(room: Room, rater: str) -> None:
    """This rater has a batch."""
    protocol = room.study.protocol
    assert room.do(lambda tx: claiming.claim(tx, protocol, rater, protocol.sections[0]))


def leave(room: Room) -> None:
    """Every lease has run out."""
    past = (datetime.now(UTC) - timedelta(minutes=1)).isoformat(timespec="milliseconds")[:-6] + "Z"
    room.do(lambda tx: tx.connection.execute(f"UPDATE slots SET lease_until = '{past}' WHERE lease_until IS NOT NULL"))


def test_who_comes_while_all_is_held_gets_no_code_and_goes_on_when_a_lease_has_run_out(served: Room) -> None:
    hold(served, "R2")
    with browsing(served, headers={"accept-language": "zh"}) as client:
        rater = Rater(client, served.raters[2])
        assert rater.step == "all_taken"
        assert "目前名额已满" in rater.page.text
        page = rater.open("all_taken?lang=en")
        assert "All places are taken for the moment" in page.text
        assert CODE not in page.text
        assert page.headers["refresh"] == "30"
        rater.open("done")
        assert rater.step == "all_taken"
        leave(served)
        rater.open("all_taken")
        assert rater.step == "consent"
        rater.send(_agree="yes")
        rater.send()
        while rater.step != "done":
            rater.send(score="3")
        assert CODE in rater.page.text
        assert "refresh" not in rater.page.headers


def test_the_last_place_taken_between_two_looks_is_waited_for_and_no_error(served: Room) -> None:
    protocol, taken, go = served.study.protocol, threading.Event(), threading.Event()
    with browsing(served) as client, ThreadPoolExecutor(2) as others:
        rater = Rater(client, served.raters[2])
        rater.send(_agree="yes")
        client.post(f"{rater.root}/instructions", data={"_csrf": rater.hidden("_csrf")}, follow_redirects=False)

        def take_last(tx: Tx) -> None:
            claiming.claim(tx, protocol, "R2", protocol.sections[0])
            taken.set()
            assert go.wait(120)

        other = others.submit(served.do, take_last)
        assert taken.wait(120)
        # It is not committed: this rater still finds a place free, and has to wait for the database to take it.
        reply = others.submit(rater.open, "work")
        give_up = time.monotonic() + 120
        while served.study.store._writer._queue.empty():
            assert time.monotonic() < give_up
        go.set()
        other.result()
        assert reply.result().status_code == 200
        assert rater.step == "all_taken"


def test_who_is_not_needed_any_more_is_told_so_for_good(served: Room) -> None:
    hold(served, "R2")
    waiting = Rater(browsing(served), served.raters[2])
    assert waiting.step == "all_taken"
    for link in served.raters[:2]:
        other = Rater(browsing(served), link)
        other.send(_agree="yes")
        other.send()
        while other.step != "done":
            other.send(score="3")
    waiting.open("all_taken")
    assert waiting.step == "not_needed"
    assert "Nothing more is needed from you" in waiting.page.text
    assert CODE not in waiting.page.text


def test_the_page_comes_back_by_itself_with_and_without_a_script(
    served: Room, open_page: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(views.LOOKS_AGAIN, Step.ALL_TAKEN, 1)
    hold(served, "R2")
    pages = [open_page(java_script_enabled=script) for script in (True, False)]
    for page in pages:
        page.goto(served.raters[2])
        assert page.url.endswith("/all_taken")
    leave(served)
    for page in pages:
        page.wait_for_url("**/consent")


def test_the_desk_says_who_waits_for_work(served: Room) -> None:
    with browsing(served) as rater, browsing(served) as client:
        someone = Rater(rater, served.raters[2])
        someone.send(_agree="yes")
        hold(served, "R2")
        someone.send()
        assert someone.step == "all_taken"
        client.get(served.member)
        assert "waits for work" in client.get("/desk/").text
        assert "R3,all_taken,0,0," in client.get("/desk/raters.csv").text
        assert served.do(lambda tx: links.places_left(tx, served.study.protocol)) == 6


def test_a_personal_link_fits_a_phone(served: Room, open_page: Callable[..., Any]) -> None:
    person = served.do(lambda tx: links.invite(tx, served.study.protocol, 1))[0]
    own = served.rows(lambda tx: arrivals._own_token(tx, person.person))
    served.do(lambda tx: tx.add_link(links.token_hash(own), "rater", person.person))
    page = open_page()
    page.set_viewport_size({"width": 375, "height": 700})
    page.goto(f"/join/{own}")
    page.goto(page.url.rsplit("/", 1)[0] + "/withdraw")
    assert page.locator("#own").inner_text().endswith(f"/join/{own}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
