"""How long and how large a request may be before it is whole: who sends half of one holds nothing for long.

uvicorn reads HTTP and leaves both to a proxy. Most studies are served without one, so a connection is watched here
before uvicorn gets what comes: httptools finds where requests begin and end, and nothing else is looked at.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, ClassVar

import httptools

#: So many seconds may pass before all headers of a request are there, and before all of it is.
HEAD_SECONDS, WHOLE_SECONDS = 20.0, 120.0
#: So large may the address and the headers of a request be together, in bytes, those after its body included.
MOST_HEAD = 64 * 1024
#: So many requests may one connection send before the first of them is answered.
MOST_QUEUED = 100
#: So long, and so much, whoever is refused may go on sending before the connection is gone.
LINGER_SECONDS, MOST_IGNORED = 1.0, 1024 * 1024


class Limited(asyncio.Protocol):
    """A connection that is passed on to `inner`, and closed where a request does not come to its end."""

    inner: ClassVar[type[asyncio.Protocol]]
    head_seconds: ClassVar[float] = HEAD_SECONDS
    whole_seconds: ClassVar[float] = WHOLE_SECONDS

    def __init__(self, **given: Any):
        self._within = self.inner(**given)
        self._parser = httptools.HttpRequestParser(self)
        self._is_watched = True
        #: Whether a whole head has come, so that uvicorn may be replying; then nothing else may be written.
        self._has_head, self._may_say = False, True
        self._is_over = False
        self._ignored = 0
        self._late: asyncio.TimerHandle | None = None
        #: How much of a request has come that is no body, and whether the last that came had a part that is whole.
        self._beside_body, self._has_part = 0, False
        #: Whether the last that came was no part of a request, such as an empty line.
        self._is_between = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A connection has to bring a request soon."""
        self._transport: Any = transport
        self._wait(self.head_seconds)
        self._within.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """Passes on what came, unless it is too much."""
        if self._is_watched:
            self._watch(data)
        elif self._is_over:
            self._ignored += len(data)
            if self._ignored > MOST_IGNORED:
                self._transport.abort()
        if not (self._is_over or self._transport.is_closing()):
            self._may_say = self._may_say and not self._has_head
            self._within.data_received(data)
            # Browsers wait for a reply before they ask again: uvicorn keeps a queue that has no end.
            if len(getattr(self._within, "pipeline", ())) > MOST_QUEUED:
                self._transport.abort()

    def _watch(self, data: bytes) -> None:
        self._has_part, self._is_between = False, True
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            # uvicorn says what is wrong with it, and hangs up; nothing that follows is a request.
            self._is_watched = False
        if not self._has_part:  # one header may go on for ever
            self._count(len(data))
        if self._beside_body > MOST_HEAD:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif self._late is None and (not self._is_watched or self._is_between):
            self._wait(self.whole_seconds)

    def eof_received(self) -> bool | None:
        """The other side sends no more."""
        return self._within.eof_received()

    def pause_writing(self) -> None:
        """The other side reads too slowly."""
        self._within.pause_writing()

    def resume_writing(self) -> None:
        """It has caught up."""
        self._within.resume_writing()

    def connection_lost(self, error: Exception | None) -> None:
        """The connection is over."""
        self._rest()
        self._within.connection_lost(error)

    def on_message_begin(self) -> None:
        """A request begins: its headers are due."""
        self._beside_body, self._is_between = 0, False
        self._wait(self.head_seconds)

    def on_url(self, url: bytes) -> None:
        """A part of the address."""
        self._count(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header, before the body or after it."""
        self._count(len(name) + len(value) + len(": \r\n"))

    def on_headers_complete(self) -> None:
        """All headers are there: the rest is due."""
        self._has_head = True
        self._wait(self.whole_seconds)

    def on_body(self, body: bytes) -> None:
        """A part of the body: how much of it there may be is for whoever reads it."""
        self._has_part = True

    def on_message_complete(self) -> None:
        """The request is whole: as long as nothing comes, it is uvicorn that waits for the next one."""
        self._is_between = False
        self._rest()

    def _count(self, n: int) -> None:
        self._has_part = True
        self._beside_body += n

    def _wait(self, seconds: float) -> None:
        self._rest()
        self._late = asyncio.get_running_loop().call_later(seconds, self._refuse, HTTPStatus.REQUEST_TIMEOUT)

    def _rest(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _refuse(self, status: HTTPStatus) -> None:
        """Says why, where no reply may be on its way, and hangs up."""
        self._rest()
        self._is_watched, self._is_over = False, True
        if self._may_say and not self._transport.is_closing():
            sentence = SENTENCES[status].encode()
            self._transport.write(
                b"HTTP/1.1 %d %b\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\n"
                b"connection: close\r\n\r\n%b" % (status, status.phrase.encode(), len(sentence), sentence)
            )
            self._transport.write_eof()
            # Whoever is still sending would not read the sentence if what they send were not taken for a moment.
            self._late = asyncio.get_running_loop().call_later(LINGER_SECONDS, self._transport.abort)
        else:
            self._transport.close()


SENTENCES = {
    HTTPStatus.REQUEST_TIMEOUT: "The request did not come to its end in time. Send it again.\n",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "The address and headers of the request are too long. "
    "Delete this site's cookies, and open your link again.\n",
}
