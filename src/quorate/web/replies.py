"""What comes in with a form, and what goes out: pages, JSON, and "see other"."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import quote, unquote_plus

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from quorate.web.security import FOR_DATA

MAX_FORM = 256 * 1024
MAX_FIELDS = 500
MAX_KEY = 64

Fields = dict[str, list[str]]
T = TypeVar("T")

#: Those of JSON for our own script.
DATA_HEADERS = ((b"content-type", b"application/json"), *FOR_DATA)


async def read_body(request: Request) -> bytes:
    """What was posted, if it is not larger than anything of ours can be."""
    if int(request.headers.get("content-length") or 0) > MAX_FORM:
        raise HTTPException(413)
    body, is_more = b"", True
    while is_more:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        if len(body) > MAX_FORM:
            raise HTTPException(413)
        is_more = message.get("more_body", False)
    return body


async def read_form(request: Request) -> Fields:
    """A posted form by field; every form of ours is url-encoded."""
    return understood(await read_body(request), lambda body: parse_form(body.decode()))


def understood(body: bytes, read: Callable[[bytes], T]) -> T:
    """What was posted, as `read` reads it; a 400 where it cannot be read, or nests too deep."""
    try:
        return read(body)
    except (ValueError, RecursionError) as error:
        raise HTTPException(400) from error


def clean(text: str) -> str:
    """A text without NUL, which nobody types, and which not every database can hold."""
    return text.replace("\0", "")


def parse_form(text: str) -> Fields:
    """A url-encoded form by field; the standard library's reading of it, in a third of the time, and without NUL.

    >>> parse_form("idiom=break+the+ice&tag=a&tag=b%26c&empty=")
    {'idiom': ['break the ice'], 'tag': ['a', 'b&c'], 'empty': ['']}
    """
    form: Fields = {}
    if not text:
        return form
    pairs = clean(text).split("&")
    if len(pairs) > MAX_FIELDS:
        raise ValueError("too many fields")
    for pair in pairs:
        name, _, value = pair.partition("=")
        if "+" in pair or "%" in pair:
            name, value = clean(unquote_plus(name, errors="strict")), clean(unquote_plus(value, errors="strict"))
        form.setdefault(name, []).append(value)
    return form


def first(form: Fields, name: str, default: str = "") -> str:
    """The first value of a field."""
    values = form.get(name)
    return values[0] if values else default


def wants_json(request: Request) -> bool:
    """Whether a script asks, and not the browser itself."""
    return request.headers.get("accept", "").startswith("application/json")


def page(request: Request, html: str, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A page, compressed where the browser takes it."""
    body = html.encode()
    reply = Response(body, status, dict(headers or {}), "text/html")
    if len(body) > 1000 and "gzip" in request.headers.get("accept-encoding", ""):
        reply.body = gzip.compress(body, 5, mtime=0)
        reply.headers["content-encoding"] = "gzip"
        reply.headers["content-length"] = str(len(reply.body))
    reply.headers["vary"] = "Accept-Encoding, Cookie"
    return reply


class Data(Response):
    """JSON for our own script: the headers of every reply that concern it, without looking for them one by one."""

    encode = msgspec.json.Encoder().encode

    def render(self, content: Any) -> bytes:
        return self.encode(content)

    def init_headers(self, headers: Mapping[str, str] | None = None) -> None:
        length = str(len(self.body)).encode()
        self.raw_headers = [*DATA_HEADERS, (b"content-length", length)]


def data(content: Any, status: int = 200) -> Response:
    """JSON for our own script."""
    return Data(content, status)


def see_other(where: str) -> Response:
    """303: the browser gets the next page of this site, and a reload does not send the form again."""
    return Response(status_code=303, headers={"location": quote(where, safe="/:?&=%#+,;@~!$'()*")})


def download(content: str, name: str, media_type: str = "text/csv; charset=utf-8") -> Response:
    """A file to keep."""
    return Response(content, headers={"content-disposition": f'attachment; filename="{name}"'}, media_type=media_type)
