"""Forms of a rater's pages: whose they are, and what one button says for every question."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.exceptions import HTTPException
from starlette.requests import Request

from quorate.protocol import Asks
from quorate.web import replies
from quorate.web.replies import Fields, first
from quorate.web.security import Session
from quorate.web.site import Site


async def own_form(request: Request, site: Site, session: Session) -> Fields:
    """The posted form, if it comes from a page that was made for this rater."""
    form = await replies.read_form(request)
    if not site.raters.is_own_form(request.headers, session, first(form, "_csrf")):
        raise HTTPException(403)
    return form


def media_failed_everywhere(form: Fields, asks: Iterable[Asks]) -> Fields:
    """A form whose `_media_failed` stands for every question: one button says that nothing could be seen."""
    if not first(form, "_media_failed"):
        return form
    return {**form, **{f"{ask.id}.media_failed": ["1"] for ask in asks}}
