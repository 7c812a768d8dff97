"""A browser that keeps everything it gets: every reply with its headers and bytes, as sent and decompressed."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from types import MappingProxyType
from urllib.parse import urlencode, urlsplit

_REFERENCES = re.compile(r"/(?:media|static)/[A-Za-z0-9_./-]+")
_HIDDEN = re.compile(r'name="(_[a-z]+)" value="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply: what was asked for, where the rater was, and every byte that came back."""

    method: str
    url: str
    place: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    plain: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.plain.decode(errors="replace")

    @property
    def location(self) -> str:
        """Where the browser is sent, "" where it is not."""
        return next((value for name, value in self.headers if name.lower() == "location"), "")

    @property
    def hidden(self) -> dict[str, str]:
        """The hidden fields of the forms on a page: the token, the key, the revision."""
        return dict(_HIDDEN.findall(self.text))

    @property
    def references(self) -> set[str]:
        """The media and static files that the reply names."""
        return set(_REFERENCES.findall(self.text))

    def __str__(self) -> str:
        return f"{self.method} {self.url}"


@dataclass
class Browser:
    """One browser on one server; `place_of` says where a rater is who asks for an address."""

    port: int
    place_of: Callable[[str], str] = lambda path: ""
    replies: list[Reply] = field(default_factory=list)
    cookies: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._connection = HTTPConnection("127.0.0.1", self.port, timeout=60)

    def get(self, url: str, accept: str = "text/html") -> Reply:
        """Asks for an address, and follows where it leads."""
        return self._followed(self._ask("GET", url, accept, None))

    def look_at(self, url: str, headers: Mapping[str, str], method: str = "GET") -> Reply:
        """Asks for a file in another way, such as for a part of it."""
        return self._ask(method, url, "*/*", None, headers)

    def post(self, url: str, fields: Mapping[str, list[str]], accept: str = "text/html") -> Reply:
        """Sends a form, and follows where it leads."""
        return self._followed(self._ask("POST", url, accept, urlencode(fields, doseq=True)))

    def _followed(self, reply: Reply) -> Reply:
        for _ in range(10):
            if not reply.location:
                break
            reply = self._ask("GET", reply.location, "text/html", None)
        return reply

    def _ask(
        self, method: str, url: str, accept: str, body: str | None, more: Mapping[str, str] = MappingProxyType({})
    ) -> Reply:
        address = urlsplit(url)
        path = address.path + (f"?{address.query}" if address.query else "")
        headers = {"Accept": accept, "Accept-Encoding": "gzip", **more}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        place = self.place_of(address.path)
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        raw = answer.read()
        for value in answer.headers.get_all("set-cookie") or ():
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(value).items()}
        plain = gzip.decompress(raw) if raw and answer.headers.get("content-encoding") == "gzip" else raw
        reply = Reply(method, path, place, answer.status, tuple(answer.getheaders()), raw, plain)
        self.replies.append(reply)
        if reply.status >= 500:
            self._connection.close()  # the server hangs up after a fault; the next request begins anew
        return reply

    def close(self) -> None:
        """Hangs up."""
        self._connection.close()
