"""A study with a server in front of it: over the wire, and in a real browser."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from quorate.store import Store
from quorate.study import DATABASE
from studies import visual_puns
from studies_media import STUDIES

sys.path.insert(0, str(Path(__file__).parent))

from rooms import Rater, Room, browsing, open_room, serving, wait_for_scripts


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the schema and nothing else: making one takes a second, copying one nothing."""
    path = tmp_path_factory.mktemp("empty") / DATABASE
    Store.open(path).close()
    return path


@pytest.fixture
def room(tmp_path: Path, empty_database: Path) -> Iterator[Room]:
    """Eight items, three raters, a break after four."""
    made = open_room(visual_puns(tmp_path / "study"), empty_database)
    yield made
    made.study.close()


@pytest.fixture
def served(room: Room) -> Iterator[Room]:
    """The same study behind a real server."""
    with serving(room) as running:
        yield running


@pytest.fixture
def client(served: Room) -> Iterator[httpx.Client]:
    """A browser without a script."""
    with browsing(served) as made:
        yield made


@pytest.fixture
def rater(room: Room, client: httpx.Client) -> Rater:
    """The first rater, who has opened the link."""
    return Rater(client, room.raters[0])


@pytest.fixture
def worker(rater: Rater) -> Rater:
    """The first rater, at the first item."""
    return rater.to_work()


@pytest.fixture
def member(room: Room, client: httpx.Client) -> httpx.Client:
    """A member of the team, at the desk."""
    client.get(room.member)
    return client


@pytest.fixture
def open_page(chrome: Any, served: Room) -> Iterator[Callable[..., Any]]:
    """Opens pages at the served study, each in a browser of its own; an error in a script fails the test."""
    contexts: list[Any] = []
    errors: list[str] = []

    def opened(**options: Any) -> Any:
        context = chrome.new_context(base_url=served.base, viewport={"width": 1440, "height": 900}, **options)
        contexts.append(context)
        context.set_default_timeout(60_000)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not errors, errors


@pytest.fixture
def at_work(chrome: Any, tmp_path: Path, empty_database: Path) -> Iterator[Callable[..., tuple[Room, Any]]]:
    """Opens a study, by name or by what writes it, and brings a rater to its first item; no script may fail."""
    errors: list[str] = []
    with ExitStack() as stack:

        def opened(study: str | Callable[[Path], Path], **options: Any) -> tuple[Room, Any]:
            write = STUDIES[study] if isinstance(study, str) else study
            room = open_room(write(tmp_path / write.__name__), empty_database)
            stack.callback(room.study.close)
            stack.enter_context(serving(room))
            context = chrome.new_context(base_url=room.base, **{"viewport": {"width": 1440, "height": 900}, **options})
            stack.callback(context.close)
            context.set_default_timeout(60_000)
            page = context.new_page()
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.goto(room.raters[0])
            page.click("button[value=yes]")
            page.click("main button.primary")
            page.wait_for_url("**/work/*")
            wait_for_scripts(page)
            return room, page

        yield opened
    assert not errors, errors
