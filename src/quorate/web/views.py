"""What every page has: title, addresses, the form token, the theme, and the trail of steps."""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from quorate.collect.way import Step
from quorate.languages import say
from quorate.protocol import Protocol
from quorate.web import replies
from quorate.web.files import static_version
from quorate.web.onward import onward
from quorate.web.pages import gettext, render
from quorate.web.replies import Fields
from quorate.web.security import Session
from quorate.web.site import Site
from quorate.web.visits import Visit


def rater_page(request: Request, here: Visit, template: str, status: int = 200, **content: Any) -> Response:
    """A page for a rater."""
    site, session = here.site, here.session
    html = render(
        template,
        session.language,
        **shared(request, site, session.language),
        root=site.root(session),
        csrf=site.raters.token(session.cookie),
        raters=site.protocol.raters,
        texts=site.protocol.texts,
        version=site.protocol.collection_hash[:8],
        now=here.now,
        trail=trail(site.protocol, here.now.step, session.language),
        is_preview=site.is_preview,
        languages=site.protocol.languages,
        address=site.media,
        onward=onward(site.protocol.raters.platform, here.now.step),
        **content,
    )
    return replies.page(request, html, status)


def shared(request: Request, site: Site, language: str) -> dict[str, Any]:
    """What the frame of every page needs."""
    theme = request.cookies.get("quorate_theme", "")
    return {
        "title": site.title(language),
        "static": f"/static/{static_version()}",
        "theme": theme if theme in ("light", "dark") else "",
        "protocol": site.protocol,
    }


def trail(protocol: Protocol, step: Step, language: str) -> list[tuple[str, str]]:
    """The steps of the way with their state: "done", "now" or "" for those to come."""
    _ = gettext(language)
    raters = protocol.raters
    works = (Step.WORK, Step.BREAK)
    stations = [
        (_("Consent"), (Step.CONSENT,), True),
        (_("About you"), (Step.ELIGIBILITY, Step.BACKGROUND), bool(raters.eligibility or raters.background)),
        (_("Quiz"), (Step.SCREENING, Step.SELECTION), raters.screening is not None),
        (_("Instructions"), (Step.INSTRUCTIONS,), True),
        (_("Practice"), (Step.PRACTICE, Step.FEEDBACK), raters.practice is not None),
        (say(protocol.sections[0].title, language) or _("Work"), works, True),
        (_("Last questions"), (Step.DEBRIEF,), raters.debrief is not None),
    ]
    there = [(label, steps) for label, steps, is_there in stations if is_there]
    at = next((number for number, (_label, steps) in enumerate(there) if step in steps), None)
    if at is None:
        return []
    return [
        (label, "now" if number == at else "done" if number < at else "") for number, (label, _) in enumerate(there)
    ]


def seen_by(request: Request) -> Session:
    """The member of the team who asks."""
    site: Site = request.app.state.site
    return site.member(request)


async def member_form(request: Request) -> tuple[Session, Fields]:
    """Who sent a form of the desk, and the form, if it comes from a page that was made for them."""
    site: Site = request.app.state.site
    session = site.member(request)
    form = await replies.read_form(request)
    if not site.members.is_own_form(request, session, replies.first(form, "_csrf")):
        raise HTTPException(403)
    return session, form


def desk_page(request: Request, session: Session, template: str, **content: Any) -> Response:
    """A page for a member of the team."""
    site: Site = request.app.state.site
    html = render(
        template,
        "en",
        **shared(request, site, "en"),
        csrf=site.members.token(session.cookie),
        here=request.url.path,
        address=site.media,
        **content,
    )
    return replies.page(request, html)
