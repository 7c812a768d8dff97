"""Who is asking, and may they: signed cookies, form tokens, the headers of every reply, and the limit on links."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from hmac import compare_digest
from urllib.parse import urlsplit

from itsdangerous import BadSignature, Signer
from starlette.exceptions import HTTPException
from starlette.requests import Request, cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quorate.chance import opaque

DAYS = 90
MAX_ADDRESS = 2048

Refuse = Callable[[Request, Exception], Awaitable[ASGIApp]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", POLICY.encode()),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
    (b"cache-control", b"no-store"),
)

#: JSON is read by our own script alone: what a browser may do with a page does not concern it.
FOR_DATA = tuple(header for header in HEADERS if header[0] in (b"x-content-type-options", b"cache-control"))


class Guard:
    """Puts the security headers on every reply; one that sets its own keeps it.

    An address that no page of ours has, since it holds a NUL or is too long, is answered by `refuse`.
    """

    def __init__(self, app: ASGIApp, refuse: Refuse):
        self.app = app
        self.refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message["headers"]
                present = dict(headers)
                is_data = present.get(b"content-type") == b"application/json"
                headers.extend(header for header in (FOR_DATA if is_data else HEADERS) if header[0] not in present)
            await send(message)

        app = self.app
        if "\0" in scope["path"] or len(scope["path"]) + len(scope["query_string"]) > MAX_ADDRESS:
            app = await self.refuse(Request(scope), HTTPException(404))
        await app(scope, receive, guarded)


@dataclass(frozen=True, slots=True)
class Session:
    """Someone who came in through a personal link: who, by which link, in which language."""

    person: str
    link: str
    language: str
    cookie: str


class Sessions:
    """Signs and reads the cookies of one study's raters or members; keeps nothing."""

    def __init__(self, secret: str, role: str):
        self.cookie_name = f"quorate_{role}"
        self._role = role
        self._secret = secret
        self._signer = Signer(secret, salt=f"quorate/{role}", digest_method=blake2b)
        self.read = lru_cache(maxsize=4096)(self._read)
        self.among = lru_cache(maxsize=4096)(self._among)
        self.token = lru_cache(maxsize=4096)(self._token)
        self.handle = lru_cache(maxsize=4096)(self._handle)

    def make(self, person: str, link: str, language: str) -> Session:
        """A session, with the cookie that carries it."""
        cookie = self._signer.sign("/".join((person, link, language))).decode()
        return Session(person, link, language, cookie)

    def _read(self, cookie: str) -> Session | None:
        """The session that a cookie carries, or None where the cookie is not ours."""
        try:
            person, link, language = self._signer.unsign(cookie).decode().split("/")
        except (BadSignature, ValueError):
            return None
        return Session(person, link, language, cookie)

    def _among(self, cookies: str) -> Session | None:
        """The session among the cookies that a browser sends."""
        return self.read(cookie_parser(cookies).get(self.cookie_name, ""))

    def _handle(self, person: str) -> str:
        """The name of a person in addresses: it tells nothing."""
        return opaque(self._secret, self._role, person)

    def _token(self, cookie: str) -> str:
        """The token that every form of this session carries, in whatever language: other tabs stay good."""
        who = "/".join(cookie.split("/")[:2]).encode()
        return blake2b(who, key=self._secret.encode()[:64], digest_size=16, person=b"form").hexdigest()

    def is_own_form(self, headers: Mapping[str, str], session: Session, token: str) -> bool:
        """Whether a form was made for this session, and sent by a page of this site."""
        return compare_digest(token.encode(), self.token(session.cookie).encode()) and is_same_site(headers)


def is_same_site(headers: Mapping[str, str]) -> bool:
    """Whether a page of this site sent the request, as far as the browser says.

    With `Referrer-Policy: no-referrer` browsers send `Origin: null` with a form: then `Sec-Fetch-Site` decides.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    try:
        return origin in (None, "null") or urlsplit(origin).netloc == headers.get("host")
    except ValueError:  # it is no address at all
        return False


class Limit:
    """So many failures a minute from one address, in memory only: addresses are hashed and forgotten."""

    def __init__(self, failures: int = 20, seconds: float = 60.0, clock: Callable[[], float] = time.monotonic):
        self.failures = failures
        self.seconds = seconds
        self._clock = clock
        self._salt = secrets.token_bytes(16)
        self._seen: OrderedDict[bytes, list[float]] = OrderedDict()

    def is_over(self, request: Request) -> bool:
        """Whether this address has to wait."""
        return len(self._recent(self._key(request))) >= self.failures

    def failed(self, request: Request) -> None:
        """Counts a failure."""
        key = self._key(request)
        self._seen[key] = [*self._recent(key), self._clock()]
        self._seen.move_to_end(key)
        while len(self._seen) > 10_000:
            self._seen.popitem(last=False)

    def _recent(self, key: bytes) -> list[float]:
        since = self._clock() - self.seconds
        return [at for at in self._seen.get(key, ()) if at > since]

    def _key(self, request: Request) -> bytes:
        host = request.client.host if request.client else ""
        return blake2b(host.encode(), key=self._salt, digest_size=8).digest()
