"""Plays raters over HTTP on a copy of a study whose blind values are markers, and looks for them in every byte.

The copy lives in a temporary folder and is served by the study's own web room on this machine. The study itself is
only read.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from quorate.audit.browser import Browser, Reply
from quorate.audit.copy import MarkedCopy
from quorate.audit.files import told_by_headers, told_by_sizes
from quorate.audit.findings import Audit, Leak, Warned
from quorate.audit.hidden import add_hidden_answers
from quorate.audit.markers import Markers
from quorate.audit.player import FILES, Player
from quorate.audit.roles import told_roles
from quorate.audit.words import identity_words
from quorate.chance import sample
from quorate.collect.links import Invitation, invite, panels
from quorate.collect.screening import select
from quorate.collect.way import open_study
from quorate.plan import is_gold, make_plan, panel_of
from quorate.protocol import Protocol, load
from quorate.protocol.method.media import files_tell_systems
from quorate.records import Item
from quorate.store import Tx
from quorate.study import DATABASE, Study
from quorate.web import make_app

__all__ = ["Audit", "Leak", "Warned", "audit"]


def audit(folder: str | Path, *, most: int = 100) -> Audit:
    """What raters of the study in this folder can find out; at most so many items of each panel are played."""
    protocol = load(folder)
    drawn = [item for item in make_plan(protocol).items if not is_gold(item)]
    with TemporaryDirectory(prefix="quorate-audit-") as temporary:
        copy = MarkedCopy(protocol, Path(temporary))
        played = _some(protocol, drawn, most)
        copy.write(played)
        # A database of its own, wherever the study's is.
        study = Study(Path(temporary), database=str(Path(temporary) / DATABASE))
        try:
            replies = _played(study, copy)
            sizes = tuple(told_by_sizes(protocol, study.protocol, copy.ids, study.prepare().names, replies))
        finally:
            study.close()
    files = {reply.url for reply in replies if reply.place == FILES}
    return Audit(
        leaks=tuple(_leaks(replies, copy.markers, study.protocol)),
        failed=tuple(f"{reply}, {reply.status}" for reply in replies if _is_failure(reply)),
        warnings=tuple(identity_words(protocol, drawn)),
        outward=(*(sentence for _, sentence in files_tell_systems(protocol)), *sizes),
        not_marked=tuple(sorted(copy.not_marked)),
        items=len(played),
        raters=len(panels(protocol)),
        replies=len(replies) - len(files),
        files=len(files),
        bytes=sum(len(reply.body) for reply in replies),
        markers=len(copy.markers.made),
    )


def _some(protocol: Protocol, drawn: list[Item], most: int) -> list[Item]:
    """At most so many items of each panel, by a draw."""
    by_panel: dict[str, list[Item]] = {}
    for item in drawn:
        by_panel.setdefault(panel_of(protocol, item), []).append(item)
    return [
        item for panel in by_panel.values() for item in sample(panel, most, "audit", "items", key=lambda item: item.id)
    ]


def _played(study: Study, copy: MarkedCopy) -> list[Reply]:
    """Everything that was served to one rater of each panel."""
    names = study.prepare().names
    study.store.do(open_study)
    with serving(make_app(study)) as port:
        players = []
        for panel in panels(study.protocol):
            invitation = study.store.do(partial(_invited, study.protocol, copy, panel))
            players.append(Player(study, Browser(port), invitation.person, copy.markers.lead, names))
            players[-1].begin(invitation.link(""))
            players[-1].go_on()
        if study.protocol.raters.screening:
            # The cut is made once, when every candidate has answered the quiz.
            study.store.do(lambda tx: select(tx, study.protocol))
            for player in players:
                player.go_on()
        for player in players:
            player.finish()
            player.browser.close()
    return [reply for player in players for reply in player.browser.replies]


def _invited(protocol: Protocol, copy: MarkedCopy, panel: str, tx: Tx) -> Invitation:
    """A rater to play, and another one who has answered everything."""
    invitation = invite(tx, protocol, 1, panel)[0]
    add_hidden_answers(tx, protocol, copy, panel, invitation.person)
    return invitation


def _is_failure(reply: Reply) -> bool:
    """Whether a reply is not what it should be: a fault of the server, or a file that a page names and nobody finds."""
    asked_for_nothing = "nonsense" in reply.url
    return reply.status >= 500 or (reply.place == FILES and reply.status not in (200, 206) and not asked_for_nothing)


def _leaks(replies: Sequence[Reply], markers: Markers, protocol: Protocol) -> Iterator[Leak]:
    """Each value once for each kind of address that tells it."""
    told: set[tuple[str, str, str]] = set()
    for reply in replies:
        headers = "\n".join(f"{name}: {value}" for name, value in reply.headers).encode()
        parts = (("headers", headers), ("body", reply.plain), ("compressed body", reply.body))
        for part, content in parts if reply.body is not reply.plain else parts[:2]:
            for what in markers.found(content, reply.place):
                yield from _once(told, what, reply, part)
        for what in told_roles(reply, protocol):
            yield from _once(told, what, reply, "body")
    for what, reply, part in told_by_headers(replies):
        yield from _once(told, what, reply, part)


def _once(told: set[tuple[str, str, str]], what: str, reply: Reply, part: str) -> Iterator[Leak]:
    key = (what, part, reply.place)
    if key not in told:
        told.add(key)
        yield Leak(what, f"{reply}, {reply.status}", part, reply.place)


@contextmanager
def serving(app: Any) -> Iterator[int]:
    """The app behind a real server on a free port of this machine."""
    import uvicorn

    from quorate.web.serving import configured

    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    # One browser may wait for another: its connection stays.
    server = uvicorn.Server(configured(app, log_level="critical", timeout_keep_alive=600))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = server.force_exit = True
        thread.join()
        listening.close()
