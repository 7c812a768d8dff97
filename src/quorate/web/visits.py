"""One request of a rater: who asks, and where they are on the way."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response

from quorate.collect import way
from quorate.collect.arrivals import NOBODY
from quorate.collect.way import Step, Where
from quorate.web.replies import see_other
from quorate.web.security import Session
from quorate.web.site import Site


@dataclass(frozen=True, slots=True)
class Visit:
    """One request of a rater, or of someone who is about to be one: who, and where they are on the way."""

    site: Site
    session: Session
    now: Where

    @property
    def is_new(self) -> bool:
        """Whether nothing of this person is recorded."""
        return self.now.rater == NOBODY

    @property
    def root(self) -> str:
        """Where their pages begin."""
        return self.site.arrival_root(self.session) if self.is_new else self.site.root(self.session)

    @property
    def token(self) -> str:
        """What their forms carry."""
        return (self.site.arrivals if self.is_new else self.site.raters).token(self.session.cookie)

    @property
    def address(self) -> str:
        """Where they should be."""
        return f"{self.root}/{page_of(self.now)}"


def address(site: Site, session: Session, now: Where) -> str:
    """The page of a rater's step."""
    return f"{site.root(session)}/{page_of(now)}"


def page_of(now: Where) -> str:
    """The page of a step, below where someone's pages begin."""
    by_item = {Step.PRACTICE: f"practice/{now.position}", Step.ANSWER: f"practice/{now.position}/answer"}
    return by_item.get(now.step, now.step.value)


def visit(request: Request) -> Visit:
    """Who asks, and where they are."""
    site: Site = request.app.state.site
    session = site.rater(request)
    now = site.read(session, lambda tx: way.where(tx, site.protocol, session.person))
    return Visit(site, session, now)


Handler = Callable[[Request], Awaitable[Response]]


def switching(page: Handler) -> Handler:
    """A page that can be had in another language: `?lang=zh` keeps the choice and shows the same page again."""

    async def shown(request: Request) -> Response:
        site: Site = request.app.state.site
        language = request.query_params.get("lang")
        if language is None:
            return await page(request)
        rest = urlencode([pair for pair in request.query_params.multi_items() if pair[0] != "lang"])
        path = quote(request.scope["path"])
        reply = see_other(f"{path}?{rest}" if rest else path)
        if language in site.protocol.languages:
            known = site.rater(request)
            session = site.raters.make(known.person, known.link, language)
            reply.set_cookie(**site.cookie(request, site.raters, session, site.root(session)))
        return reply

    return shown
