"""A scripted OpenAI-compatible server: real HTTP, for the official client, with every fault that endpoints have.

A script is a function of the request and of how often the same request came before; it returns what to do.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Says:
    """A completion with this text."""

    text: str
    finish: str = "stop"
    refusal: str | None = None
    tokens: tuple[int, int] | None = (100, 10)


@dataclass(frozen=True)
class Fails:
    """An HTTP error with a JSON body."""

    status: int
    message: str = "no"
    code: str | None = None
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Drops:
    """The connection ends without a word."""


@dataclass(frozen=True)
class Hangs:
    """Nothing comes until the server is closed."""


@dataclass(frozen=True)
class Sends:
    """These bytes with status 200, whatever they are."""

    body: bytes


Behaviour = Says | Fails | Drops | Hangs | Sends
Script = Callable[[dict[str, Any], int], Behaviour]


def answers(**values: Any) -> Says:
    """A completion that is one JSON object."""
    return Says(json.dumps(values))


def words_of(body: dict[str, Any]) -> str:
    """Every text of a request, in its order."""
    parts: list[str] = []
    for message in body["messages"]:
        content = message["content"]
        parts += [content] if isinstance(content, str) else [part["text"] for part in content if part["type"] == "text"]
    return "\n".join(parts)


class Scripted(ThreadingHTTPServer):
    """The server; `requests` holds every body that came, `most_at_once` how many were under way together."""

    daemon_threads = True
    # Eight connections at once are more than the default queue holds, and those left out would wait a second.
    request_queue_size = 64

    def __init__(self, script: Script):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = script
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.seen: Counter[str] = Counter()
        self.closing = threading.Event()
        self.lock = threading.Lock()
        self.under_way = self.most_at_once = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is part of the script."""


class _Handler(BaseHTTPRequestHandler):
    server: Scripted
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Silent."""

    def do_POST(self) -> None:
        server = self.server
        text = self.rfile.read(int(self.headers["content-length"])).decode()
        with server.lock:
            server.under_way += 1
            server.most_at_once = max(server.most_at_once, server.under_way)
            server.requests.append(json.loads(text))
            server.headers.append(dict(self.headers))
            n, server.seen[text] = server.seen[text], server.seen[text] + 1
        try:
            self._behave(server.script(json.loads(text), n), json.loads(text)["model"])
        finally:
            with server.lock:
                server.under_way -= 1

    def _behave(self, what: Behaviour, model: str) -> None:
        if isinstance(what, Drops | Hangs):
            if isinstance(what, Hangs):
                self.server.closing.wait(300)
            self.close_connection = True
        elif isinstance(what, Fails):
            error = {"error": {"message": what.message, "type": "error", "code": what.code}}
            self._send(what.status, json.dumps(error).encode(), what.headers)
        elif isinstance(what, Sends):
            self._send(200, what.body, {})
        else:
            self._send(200, json.dumps(_completion(what, model)).encode(), {})

    def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def _completion(what: Says, model: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": what.text, "refusal": what.refusal}
    made: dict[str, Any] = {
        "id": "c-1",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": what.finish}],
    }
    if what.tokens:
        used, written = what.tokens
        made["usage"] = {"prompt_tokens": used, "completion_tokens": written, "total_tokens": used + written}
    return made


@contextmanager
def scripted(script: Script) -> Iterator[Scripted]:
    """A server that is up, and closed at the end."""
    server = Scripted(script)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
