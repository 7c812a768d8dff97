"""What every page has: title, addresses, the form token, the theme, and the trail of steps."""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from quorate.collect.way import Step, Where
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

#: Steps on which others' doings decide, and how many seconds after it was shown such a page looks again by itself.
LOOKS_AGAIN = {Step.ALL_TAKEN: 30}


def rater_page(request: Request, here: Visit, template: str, status: int = 200, **content: Any) -> Response:
    """A page for a rater."""
    site, session = here.site, here.session
    html = render(
        template,
        session.language,
        **shared(request, site, session.language),
        root=here.root,
        csrf=here.token,
        raters=site.protocol.raters,
        texts=site.protocol.texts,
        version=site.protocol.collection_hash[:8],
        now=here.now,
        trail=trail(site.protocol, here.now, session.language),
        is_preview=site.is_preview,
        languages=site.protocol.languages,
        address=site.media,
        onward=onward(site.protocol.raters, here.now),
        has_right_answers=bool(site.protocol.practice_answered),
        **content,
    )
    wait = LOOKS_AGAIN.get(here.now.step) if template == f"{here.now.step.value}.html" else None
    return replies.page(request, html, status, {"refresh": str(wait)} if wait else None)


def shared(request: Request, site: Site, language: str) -> dict[str, Any]:
    """What the frame of every page needs."""
    theme = request.cookies.get("quorate_theme", "")
    return {
        "title": site.title(language),
        "static": f"/static/{static_version()}",
        "theme": theme if theme in ("light", "dark") else "",
        "protocol": site.protocol,
    }


def trail(protocol: Protocol, now: Where, language: str) -> list[tuple[str, str]]:
    """The steps of the way with their state: "done", "now" or "" for those to come."""
    at = _station(protocol, now)
    if at is None:
        return []
    there = [number for number, (_, is_there) in enumerate(_stations(protocol, language)) if is_there]
    labels = [label for label, _ in _stations(protocol, language)]
    return [(labels[number], "now" if number == at else "done" if number < at else "") for number in there]


def _stations(protocol: Protocol, language: str) -> list[tuple[str, bool]]:
    """Everything that a way may pass, and whether it does in this study."""
    _ = gettext(language)
    raters = protocol.raters
    return [
        (_("Consent"), True),
        (_("About you"), bool(raters.eligibility or raters.background)),
        (_("Quiz"), raters.screening is not None),
        (_("Instructions"), True),
        (_("Practice"), raters.practice is not None),
        *((say(section.title, language) or _("Work"), True) for section in protocol.sections),
        (_("Last questions"), raters.debrief is not None),
    ]


#: Where a step stands among the stations before the sections.
_BEFORE = {
    Step.CONSENT: 0, Step.ELIGIBILITY: 1, Step.BACKGROUND: 1, Step.SCREENING: 2, Step.SELECTION: 2,
    Step.INSTRUCTIONS: 3, Step.PRACTICE: 4, Step.ANSWER: 4, Step.FEEDBACK: 4,
}  # fmt: skip


def _station(protocol: Protocol, now: Where) -> int | None:
    sections = [section.id for section in protocol.sections]
    if now.step in (Step.WORK, Step.BREAK, Step.UNSHOWN):
        return 5 + sections.index(now.section)
    return 5 + len(sections) if now.step is Step.DEBRIEF else _BEFORE.get(now.step)


def seen_by(request: Request) -> Session:
    """The member of the team who asks, if their link still works."""
    site: Site = request.app.state.site
    session = site.member(request)
    site.read(session, lambda tx: None)
    return session


async def member_form(request: Request) -> tuple[Session, Fields]:
    """Who sent a form of the desk, and the form, if it comes from a page that was made for them."""
    site: Site = request.app.state.site
    session = seen_by(request)
    form = await replies.read_form(request)
    if not site.members.is_own_form(request.headers, session, replies.first(form, "_csrf")):
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
        here=request.scope["path"],
        tabs=tabs(site.protocol),
        address=site.media,
        **content,
    )
    return replies.page(request, html)


def tabs(protocol: Protocol) -> list[tuple[str, str]]:
    """The desk's pages that this study needs."""
    pages = [
        ("/desk/", "Raters", True),
        ("/desk/candidates", "Candidates", protocol.raters.screening is not None),
        ("/desk/items", "Items", True),
        ("/desk/adjudication", "Adjudication", protocol.raters.escalate is not None),
        ("/desk/borderline", "Borderline answers", _has_targets(protocol)),
        ("/desk/report", "Report", True),
    ]
    return [(path, label) for path, label, is_there in pages if is_there]


def _has_targets(protocol: Protocol) -> bool:
    """Whether an answer can be a near miss: an open one that is held against a target."""
    return any(
        ask.question.target_field() and ask.question.canonical_steps()
        for section in protocol.sections
        for ask in section.ask
    )
