"""What every handler needs of a study: its protocol, its store, its media, and who may come in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request

from quorate.chance import opaque
from quorate.collect.links import check_works, is_valid
from quorate.collect.staging import Staged
from quorate.errors import LinkError
from quorate.languages import noted, say
from quorate.protocol import Protocol
from quorate.store import Store, Tx
from quorate.web.security import DAYS, Limit, Session, Sessions

T = TypeVar("T")


class ExpiredError(LinkError):
    """The browser brought no cookie of ours for this page."""


class UnknownArrivalError(ExpiredError):
    """The browser of someone new brought no cookie of ours: nothing is known of them."""


class HeldError(LinkError):
    """Another browser holds the id that someone came with."""


@dataclass
class Site:
    """A study as the web knows it. `base` is where its pages are mounted: the preview lives below the desk."""

    protocol: Protocol
    store: Store
    staged: Staged
    base: str = ""
    public_url: str | None = None
    is_preview: bool = False
    limit: Limit = field(default_factory=Limit)
    #: Fragments that do not depend on the rater, by section, item, what is shown where, and language.
    fragments: dict[Any, str] = field(default_factory=dict)
    #: What stands around them, by the fields that it depends on.
    around: dict[Any, tuple[str, str, str]] = field(default_factory=dict)
    asked_fields: dict[str, list[str]] = field(default_factory=dict)

    @cached_property
    def secret(self) -> str:
        """The store's random secret: names and cookies are keyed by it."""
        return self.store.read(lambda tx: tx.setting("secret")) or ""

    @cached_property
    def raters(self) -> Sessions:
        """The raters' sessions."""
        return Sessions(self.secret, "rater")

    @cached_property
    def members(self) -> Sessions:
        """The team's sessions."""
        return Sessions(self.secret, "member")

    @cached_property
    def arrivals(self) -> Sessions:
        """The sessions of those who came from a platform and have not consented."""
        return Sessions(self.secret, "arrival")

    @property
    def folder(self) -> Path:
        """The study's folder."""
        return self.protocol.folder

    def title(self, language: str) -> str:
        """The study's title."""
        return say(self.protocol.file.title, language)

    def item_name(self, item: str) -> str:
        """The name under which raters know an item."""
        return opaque(self.secret, "item", item)

    def media(self, path: str) -> str:
        """Where a file of the study is served."""
        return f"/media/{self.staged.name(path)}"

    def root(self, session: Session) -> str:
        """Where a rater's pages begin."""
        return f"{self.base}/r/{self.raters.handle(session.person)}"

    def arrival_root(self, session: Session) -> str:
        """Where the pages of someone new begin."""
        return f"{self.base}/join/{self.arrivals.handle(session.person)}"

    def arrival(self, request: Request) -> Session:
        """Someone new who asks; an UnknownArrivalError where the browser does not say so."""
        try:
            return _owned(self.arrivals, request.headers, request.path_params["handle"])
        except ExpiredError as error:
            raise UnknownArrivalError(str(error)) from error

    def rater(self, request: Request) -> Session:
        """The rater who asks; an ExpiredError where the browser does not say so."""
        return self.rater_by(request.headers, request.path_params["handle"])

    def rater_by(self, headers: Mapping[str, str], handle: str) -> Session:
        """The rater whose cookie is among these headers, for an address that has this name in it."""
        return _owned(self.raters, headers, handle)

    def member(self, request: Request) -> Session:
        """The member of the team who asks."""
        session = self.members.read(request.cookies.get(self.members.cookie_name, ""))
        if session is None:
            raise ExpiredError(noted("This browser does not know you any more."))
        return session

    def read(self, session: Session, verb: Callable[[Tx], T]) -> T:
        """Reads for someone whose link still works."""

        def checked(tx: Tx) -> T:
            check_works(is_valid(tx, session.link))
            return verb(tx)

        return self.store.read(checked)

    async def write(self, session: Session, verb: Callable[[Tx], T]) -> T:
        """Writes for someone whose link still works; returns when it is durable."""

        def checked(tx: Tx) -> T:
            check_works(is_valid(tx, session.link))
            return verb(tx)

        return await self.store.ado(checked)

    @contextmanager
    def guessing(self, request: Request) -> Iterator[None]:
        """Around looking a link up: one that works always lets in; failures count, and too many have to wait."""
        try:
            yield
        except LinkError as error:
            if self.limit.is_over(request):
                raise HTTPException(429) from error
            self.limit.failed(request)
            raise

    def is_secure(self, request: Request) -> bool:
        """Whether raters come over HTTPS."""
        return request.scope["scheme"] == "https" or bool(self.public_url and self.public_url.startswith("https:"))

    def cookie(self, request: Request, sessions: Sessions, session: Session, path: str) -> dict[str, Any]:
        """The arguments of `set_cookie` for a session."""
        return {
            "key": sessions.cookie_name,
            "value": session.cookie,
            "max_age": DAYS * 86_400,
            "path": path,
            "httponly": True,
            "samesite": "lax",
            "secure": self.is_secure(request),
        }


def _owned(sessions: Sessions, headers: Mapping[str, str], handle: str) -> Session:
    """The session among the cookies, if it belongs to an address with this name in it."""
    session = sessions.among(headers.get("cookie", ""))
    if session is None or sessions.handle(session.person) != handle:
        raise ExpiredError(noted("This browser does not know you any more."))
    return session
