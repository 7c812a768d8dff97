"""How raters come in: by a personal link, or from a platform with their id there; they come back as who they were."""

from __future__ import annotations

import re
from secrets import token_urlsafe
from urllib.parse import quote, unquote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from quorate.collect import arrivals, links
from quorate.collect.links import Entry
from quorate.errors import LinkError, StaleError
from quorate.languages import LANGUAGES, choose, noted
from quorate.web import replies
from quorate.web.pages import render
from quorate.web.replies import first, see_other
from quorate.web.security import Session
from quorate.web.site import ExpiredError, HeldError, Site
from quorate.web.views import rater_page, shared
from quorate.web.visits import Visit

_EXTERNAL_ID = re.compile(r"[\w.:@-]{1,128}")


async def show_root(request: Request) -> Response:
    """What stands here, for whoever comes without a link: nothing of the study, not even its title or its languages."""
    site: Site = request.app.state.site
    language = choose(request.headers.get("accept-language", ""), list(LANGUAGES))
    html = render("root.html", language, **{**shared(request, site, language), "title": "Quorate"})
    return replies.page(request, html)


async def join(request: Request) -> Response:
    """A personal link: a cookie for this rater's pages, and on to where the rater left off."""
    site: Site = request.app.state.site
    with site.guessing(request):
        entry = site.store.read(lambda tx: links.enter_as(tx, "rater", request.path_params["token"]))
    return _let_in(request, site, entry)


async def join_from_platform(request: Request) -> Response:
    """A link that a platform has put the rater's id into: it leaves the address at once, and nothing is recorded."""
    site: Site = request.app.state.site
    platform = site.protocol.raters.platform
    if platform is None:
        raise HTTPException(404)
    external, panel = request.query_params.get(platform.parameter, ""), request.query_params.get("panel", "")
    with site.guessing(request):
        if not _EXTERNAL_ID.fullmatch(external):
            raise LinkError(
                noted("This link does not carry your id. Please start again from where you found the study.")
            )
    before = site.arrivals.among(request.headers.get("cookie", ""))
    word = _read(before)[1] if before and _read(before)[0] == external else token_urlsafe(16)
    known, entry = site.store.read(
        lambda tx: (
            arrivals.rater_of(tx, site.protocol, external),
            arrivals.holder(tx, site.protocol, external, word),
        )
    )
    if entry is not None:
        return _let_in(request, site, entry)
    if known is not None:
        return see_other(f"{site.base}/r/{site.raters.handle(known)}/here")
    with site.guessing(request):
        site.store.read(lambda tx: arrivals.newcomer(tx, site.protocol, panel))
    language = choose(request.headers.get("accept-language", ""), site.protocol.languages)
    session = site.arrivals.make(quote(external, safe=""), f"{word}:{quote(panel, safe='')}", language)
    return _remembering(request, site, session, see_other(f"{site.arrival_root(session)}/"))


async def show_arrival(request: Request) -> Response:
    """What someone new meets, before anything of them is recorded; whoever holds the id goes on."""
    site: Site = request.app.state.site
    session = site.arrival(request)
    language = request.query_params.get("lang")
    if language is not None:
        if language in site.protocol.languages:
            session = site.arrivals.make(session.person, session.link, language)
        return _remembering(request, site, session, see_other(f"{site.arrival_root(session)}/"))
    external, word, panel = _read(session)
    entry = site.store.read(lambda tx: arrivals.holder(tx, site.protocol, external, word))
    if entry is not None:
        return _let_in(request, site, entry)
    here = Visit(site, session, site.store.read(lambda tx: arrivals.newcomer(tx, site.protocol, panel)))
    if request.path_params.get("step") != here.now.step.value:
        return see_other(here.address)
    return rater_page(request, here, f"{here.now.step.value}.html", again=False)


async def take_arrival(request: Request) -> Response:
    """Someone new agrees, or does not: from here on this browser holds the id."""
    site: Site = request.app.state.site
    session = site.arrival(request)
    form = await replies.read_form(request)
    if not site.arrivals.is_own_form(request.headers, session, first(form, "_csrf")):
        raise HTTPException(403)
    external, word, panel = _read(session)
    agree = first(form, "_agree") == "yes"
    try:
        entry = await site.store.ado(
            lambda tx: arrivals.decide(tx, site.protocol, external, panel, word, agree, session.language)
        )
    except StaleError:
        known = site.store.read(lambda tx: arrivals.rater_of(tx, site.protocol, external)) or ""
        return see_other(f"{site.base}/r/{site.raters.handle(known)}/here")
    return see_other(f"{site.arrival_root(session)}/") if entry is None else _let_in(request, site, entry)


async def come_back(request: Request) -> Response:
    """A platform's link for someone who is known: on to the work in the browser that holds the id, and in no other."""
    site: Site = request.app.state.site
    try:
        session = site.rater(request)
    except ExpiredError as error:
        raise HeldError(
            noted(
                "Please go back to that browser. If you are taking part there, its page “Leave” shows your personal "
                "link, which you can open here. If that browser is gone, please ask the research team for a new link."
            )
        ) from error
    return see_other(f"{site.root(session)}/")


def _read(session: Session) -> tuple[str, str, str]:
    """The id on the platform, the browser's word, and the panel."""
    word, _, panel = session.link.partition(":")
    return unquote(session.person), word, unquote(panel)


def _remembering(request: Request, site: Site, session: Session, reply: Response) -> Response:
    reply.set_cookie(**site.cookie(request, site.arrivals, session, "/join"))
    return reply


def _let_in(request: Request, site: Site, entry: Entry) -> Response:
    """A cookie in the language of the consent, or of the browser where none is given yet."""
    offered = site.protocol.languages
    consent = site.store.read(lambda tx: tx.last_event(["consent"], rater=entry.person))
    known = consent.data.get("language") if consent and consent.data else None
    language = known if known in offered else choose(request.headers.get("accept-language", ""), offered)
    session = site.raters.make(entry.person, entry.link, language)
    reply = see_other(site.root(session) + "/")
    reply.set_cookie(**site.cookie(request, site.raters, session, site.root(session)))
    return reply
