"""One request of a rater: who asks, and where they are on the way."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from quorate.collect import way
from quorate.collect.way import Step, Where
from quorate.web.security import Session
from quorate.web.site import Site


@dataclass(frozen=True, slots=True)
class Visit:
    """One request of a rater: who, and where they are on the way."""

    site: Site
    session: Session
    now: Where

    @property
    def address(self) -> str:
        """Where the rater should be."""
        return address(self.site, self.session, self.now)


def address(site: Site, session: Session, now: Where) -> str:
    """The page of a step."""
    path = f"practice/{now.position}" if now.step is Step.PRACTICE else now.step.value
    return f"{site.root(session)}/{path}"


def visit(request: Request) -> Visit:
    """Who asks, and where they are."""
    site: Site = request.app.state.site
    session = site.rater(request)
    now = site.read(session, lambda tx: way.where(tx, site.protocol, session.person))
    return Visit(site, session, now)
