"""Requests as they go over the wire, odd ones among them, and every address that an app has."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from starlette.routing import Mount, Route

Address = tuple[str, frozenset[str]]
"""The path of a route, with its parameters in braces, and its methods."""


def addresses(routes: Iterable[Any], before: str = "") -> Iterator[Address]:
    """Every route of a router's own table."""
    for route in routes:
        if isinstance(route, Mount):
            yield from addresses(route.routes, before + route.path)
        elif isinstance(route, Route):
            yield before + route.path, frozenset(route.methods or ())


def ask(
    base: str, method: str, target: bytes | str, headers: Mapping[str, bytes | str] | None = None, body: bytes = b""
) -> tuple[int, dict[str, str], bytes]:
    """One request, whatever it holds; the status, the headers and the body of the reply. 0 where there is none."""
    host, port = base.removeprefix("http://").split(":")
    lines = {"host": "localhost", "connection": "close", "content-length": str(len(body)), **(headers or {})}
    head = b"".join(b"%b: %b\r\n" % (name.encode(), as_bytes(value)) for name, value in lines.items() if value != b"")
    with socket.create_connection((host, int(port)), timeout=120) as wire:
        wire.sendall(b"%b %b HTTP/1.1\r\n%b\r\n" % (method.encode(), as_bytes(target), head) + body)
        return read_reply(wire)


def read_reply(wire: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """What comes until the connection is closed."""
    content = b""
    try:
        while part := wire.recv(65_536):
            content += part
    except ConnectionResetError:
        pass
    head, _, body = content.removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n").partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    found = (line.partition(": ") for line in lines)
    return int(first.split()[1]) if first else 0, {name.lower(): value for name, _, value in found}, body


def as_bytes(text: bytes | str) -> bytes:
    return text if isinstance(text, bytes) else text.encode()
