"""What the tests of the web share: a study behind a server, and someone who clicks through its pages."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from quorate.collect import links, way
from quorate.study import DATABASE, Study
from quorate.web import make_app
from quorate.web.serving import configured


@dataclass
class Room:
    """A study that is open to raters, with its links."""

    study: Study
    app: Any
    raters: list[str] = field(default_factory=list)
    member: str = ""
    base: str = ""

    def rows(self, verb: Callable[[Any], Any]) -> Any:
        return self.study.store.read(verb)

    def do(self, verb: Callable[[Any], Any]) -> Any:
        return self.study.store.do(verb)

    def answers(self) -> list[Any]:
        return [answer for answer in self.rows(lambda tx: tx.latest_answers()) if answer.by == "rater"]

    def member_link(self, name: str) -> str:
        return self.do(lambda tx: links.invite_member(tx, name)).link("", "member")


def open_room(folder: Path, empty_database: Path, is_open: bool = True) -> Room:
    """The study in a folder with a roster of raters (of one panel, or three) and a member, prepared and open."""
    shutil.copy(empty_database, folder / DATABASE)
    study = Study(folder)
    study.prepare()
    n, panel = study.protocol.raters.roster or 3, links.panels(study.protocol)[0]
    invited = study.store.do(lambda tx: links.invite(tx, study.protocol, n, panel))
    room = Room(study, make_app(study), [invitation.link("") for invitation in invited])
    room.member = room.member_link("Ada")
    if is_open:
        study.store.do(way.open_study)
    return room


@contextmanager
def serving(room: Room) -> Iterator[Room]:
    """The study behind a real server on a free port."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    server = uvicorn.Server(configured(room.app, log_level="critical"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    room.base = f"http://127.0.0.1:{listening.getsockname()[1]}"
    try:
        yield room
    finally:
        server.should_exit = server.force_exit = True
        thread.join()


#: A script that has been imported is there at once, or when it has run; a page without scripts waits for none.
RUN = """(urls) => matchMedia("(scripting: enabled)").matches
  && Promise.all(urls.map((url) => import(url))).then(() => true)"""


def wait_for_scripts(page: Any) -> None:
    """Waits until every script that the page has asked for so far has run, those that a script imports among them."""
    page.wait_for_load_state("load")
    requests = page.requests()
    last = max((k for k, request in enumerate(requests) if request.is_navigation_request()), default=0)
    page.evaluate(RUN, [request.url for request in requests[last:] if request.resource_type == "script"])


def resize(page: Any, width: int, height: int) -> None:
    """Gives the window another size, and waits until the page has been laid out for it."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def browsing(room: Room, **options: Any) -> httpx.Client:
    """A browser without a script: it keeps cookies and follows 303."""
    return httpx.Client(base_url=room.base, follow_redirects=True, timeout=60, **options)


class Rater:
    """Someone who clicks through the pages by their forms, as a browser without a script would."""

    def __init__(self, client: httpx.Client, link: str):
        self.client = client
        self.page = client.get(link)

    @property
    def root(self) -> str:
        return "/".join(self.page.url.path.split("/")[:3])

    @property
    def step(self) -> str:
        return self.page.url.path.removeprefix(self.root + "/")

    def hidden(self, name: str) -> str:
        marker = f'name="{name}" value="'
        return self.page.text.split(marker, 1)[1].split('"', 1)[0]

    def open(self, path: str) -> Any:
        self.page = self.client.get(f"{self.root}/{path}")
        return self.page

    def send(self, path: str | None = None, /, **fields: str) -> Any:
        """Posts the form on the page: its token, and these fields (`__` stands for a dot)."""
        data = {name.replace("__", "."): value for name, value in fields.items()}
        data.setdefault("_csrf", self.hidden("_csrf"))
        if "/work/" in self.page.url.path:
            data = {"_key": self.hidden("_key"), "_revision": self.hidden("_revision"), **data}
        self.page = self.client.post(path or self.page.url.path, data=data)
        return self.page

    def to_work(self) -> Rater:
        """Through everything before the work."""
        self.send(_agree="yes")
        self.send(proficiency="Native")
        self.send(background="Student")
        self.send()
        while self.step.startswith("practice"):
            self.send(idiom="a guess")
        self.send(self.root + "/feedback")
        assert self.step.startswith("work/"), self.step
        return self
