"""Submissions of our own script, on a lane of their own from the socket to the store and back.

uvicorn makes a task of every request and Starlette leads it through middleware and router, which takes longer than
everything that a submission is about. What is plainly well needs neither. Whatever is not (a form without a script, a
page that is too old, an answer that its question does not allow) takes the ordinary way from its beginning: nothing of
it was stored.
"""

from __future__ import annotations

import re
from asyncio import Future
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from quorate.collect.work import Receipt
from quorate.web.limits import Limited
from quorate.web.replies import DATA_HEADERS, Data
from quorate.web.security import Session
from quorate.web.site import Site
from quorate.web.submit import check, decode, queue, receipt_data

if TYPE_CHECKING:
    from uvicorn._types import ASGI3Application

PATH = re.compile(r"/r/([^/\0]+)/work/([^/\0]+)")
#: Longer ones are read piece by piece, which is for the ordinary way.
MOST = 32 * 1024
DATA = b"".join(b"%b: %b\r\n" % header for header in DATA_HEADERS)
OLDEST = (0, 53)
"""The first uvicorn that hands a request over as the lane takes it, and says in time that a connection should end."""


class Lane(HttpToolsProtocol):
    """uvicorn's reading of HTTP, with the lane beside it."""

    site: ClassVar[Site]

    #: The submission whose body is still coming.
    _coming: RequestResponseCycle | None = None

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        is_submission = cycle.scope["method"] == "POST" and PATH.fullmatch(cycle.scope["path"])
        if is_submission and cycle.more_body and not (self.expect_100_continue or self.config.access_log):
            self._coming = cycle
        else:
            super()._start_asgi_task(cycle, app)

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        if self._coming is self.cycle and len(self.cycle.body) > MOST:
            self._ordinary(self.cycle)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        if self._coming is self.cycle:
            self._submit(self.cycle)

    def _ordinary(self, cycle: RequestResponseCycle) -> None:
        self._coming = None
        super()._start_asgi_task(cycle, self.app)

    def _submit(self, cycle: RequestResponseCycle) -> None:
        self._coming = None
        try:
            session, stored = begin(self.site, cycle)
        except Exception:  # the ordinary way says what is wrong
            self._ordinary(cycle)
        else:
            stored.add_done_callback(partial(self._stored, cycle, session))

    def _stored(self, cycle: RequestResponseCycle, session: Session, stored: Future[Receipt]) -> None:
        """Acknowledges what is durable now."""
        try:
            body = Data.encode(receipt_data(self.site, session, stored.result()))
        except Exception:
            self._ordinary(cycle)
            return
        if cycle.disconnected:
            return
        own = b"".join(b"%b: %b\r\n" % header for header in self.server_state.default_headers)
        end = b"" if cycle.keep_alive else b"connection: close\r\n"
        self.transport.write(
            b"HTTP/1.1 200 OK\r\n%b%b%bcontent-length: %d\r\n\r\n%b" % (own, DATA, end, len(body), body)
        )
        cycle.response_started = cycle.response_complete = True
        if not cycle.keep_alive:
            self.transport.close()
        self.on_response_complete()


def begin(site: Site, cycle: RequestResponseCycle) -> tuple[Session, Future[Receipt]]:
    """Reads a submission and queues it; an error where the ordinary way has to look at it."""
    headers = {name.decode(): value.decode("latin-1") for name, value in cycle.scope["headers"]}
    if not (headers.get("content-type") == headers.get("accept") == "application/json"):
        raise ValueError("not from our script")
    handle, assignment = PATH.fullmatch(cycle.scope["path"]).groups()  # type: ignore[union-attr]
    session = site.rater_by(headers, handle)
    return session, queue(site, session, headers, assignment, check(decode(cycle.body)))


def without_lane(version: str = uvicorn.__version__) -> str:
    """A sentence where this uvicorn is too old for the lane, so that all submissions go the ordinary way; else "".

    >>> without_lane("0.54.0"), without_lane("1.0.0rc1")
    ('', '')
    >>> "0.53 or newer" in without_lane("0.52.1")
    True
    """
    if tuple(int(number) for number in re.findall(r"\d+", version)[:2]) >= OLDEST:
        return ""
    needed = ".".join(map(str, OLDEST))
    return (
        f"uvicorn {version} is installed here, and Quorate needs {needed} or newer to take submissions at full speed. "
        f"They go the ordinary way, which is slower. Install it with: pip install 'uvicorn>={needed}'"
    )


def configured(app: Starlette, **options: Any) -> uvicorn.Config:
    """A server of the app, with limits to each connection, and with its lane where this uvicorn has room for one."""
    inner = HttpToolsProtocol if without_lane() else type("Lane", (Lane,), {"site": app.state.site})
    http = type("Limited", (Limited,), {"inner": inner})
    # Browsers that came over HTTPS once come by nothing else; raters' links are in the addresses.
    is_https = (app.state.site.public_url or "").startswith("https:")
    headers = [("strict-transport-security", "max-age=31536000")] if is_https else []
    return uvicorn.Config(
        app, http=http, ws="none", headers=headers, access_log=False, server_header=False, lifespan="off", **options
    )
