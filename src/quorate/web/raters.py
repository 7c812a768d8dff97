"""The rater's way in the browser: a personal link, then one page a step, each with an address of its own."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from io import StringIO
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from quorate.collect import practice, way
from quorate.collect.forms import FormError
from quorate.collect.links import enter
from quorate.collect.way import Step, Where
from quorate.collect.work import own_answers
from quorate.errors import ClosedError, LinkError, StaleError
from quorate.languages import choose, noted
from quorate.protocol import Asks, Protocol
from quorate.records import Shown
from quorate.store import Tx
from quorate.web import replies
from quorate.web.fragments import asks_of, fragment, shown_asks, typed
from quorate.web.replies import Fields, first, see_other
from quorate.web.security import Session
from quorate.web.site import Site
from quorate.web.views import rater_page
from quorate.web.visits import Visit, address, visit

Action = Callable[[Tx, Protocol, str, Fields], Where]

#: What a posted form does, by the step that it belongs to.
ACTIONS: Mapping[Step, Action] = {
    Step.ELIGIBILITY: way.eligibility,
    Step.BACKGROUND: way.background,
    Step.INSTRUCTIONS: lambda tx, protocol, rater, form: way.instructions_read(tx, protocol, rater),
    Step.FEEDBACK: lambda tx, protocol, rater, form: practice.practice_done(tx, protocol, rater),
    Step.BREAK: lambda tx, protocol, rater, form: way.break_over(tx, protocol, rater),
    Step.DEBRIEF: way.debrief,
}
_READ_INSTRUCTIONS = (Step.PRACTICE, Step.FEEDBACK, Step.WORK, Step.BREAK, Step.DEBRIEF, Step.DONE)


async def join(request: Request) -> Response:
    """A personal link: a cookie for this rater's pages, and on to where the rater left off."""
    site: Site = request.app.state.site
    if site.limit.is_over(request):
        raise HTTPException(429)
    try:
        entry, language = site.store.read(lambda tx: _enter(tx, site, request))
    except LinkError:
        site.limit.failed(request)
        raise
    session = site.raters.make(entry.person, entry.link, language)
    reply = see_other(site.root(session) + "/")
    reply.set_cookie(**site.cookie(request, site.raters, session, site.root(session)))
    return reply


def _enter(tx: Tx, site: Site, request: Request) -> tuple[Any, str]:
    entry = enter(tx, request.path_params["token"])
    if entry.role != "rater":
        raise LinkError(noted("This link is not known here. Please copy the whole link from your invitation."))
    consent = tx.last_event(["consent"], rater=entry.person)
    offered = site.protocol.languages
    known = consent.data.get("language") if consent else None
    language = known if known in offered else choose(request.headers.get("accept-language", ""), offered)
    return entry, language


async def start(request: Request) -> Response:
    """The rater's own address: on to the current step."""
    return see_other(visit(request).address)


async def show_step(request: Request) -> Response:
    """The page of a step, or on to the step that is due."""
    here = visit(request)
    wanted = request.path_params["step"]
    language = request.query_params.get("lang")
    if language in here.site.protocol.languages and language != here.session.language:
        return _in_language(request, here, language)
    if wanted == "instructions" and here.now.step in _READ_INSTRUCTIONS:
        return rater_page(request, here, "instructions.html", again=True)
    if wanted != here.now.step.value or here.now.step in (Step.WORK, Step.PRACTICE):
        if wanted not in set(Step):
            raise HTTPException(404)
        return see_other(here.address if here.now.step is not Step.WORK else f"{here.site.root(here.session)}/work")
    return rater_page(request, here, f"{wanted}.html", **_content(here))


def _in_language(request: Request, here: Visit, language: str) -> Response:
    session = here.site.raters.make(here.session.person, here.session.link, language)
    reply = see_other(request.url.path)
    reply.set_cookie(**here.site.cookie(request, here.site.raters, session, here.site.root(session)))
    return reply


def _content(here: Visit, form: Fields | None = None, errors: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What the page of a step holds beyond what every page has."""
    raters = here.site.protocol.raters
    by_step: dict[Step, tuple[Asks, ...]] = {
        Step.ELIGIBILITY: raters.eligibility,
        Step.BACKGROUND: raters.background,
        Step.DEBRIEF: raters.debrief.ask if raters.debrief else (),
    }
    asks = by_step.get(here.now.step, ())
    values = typed(asks, form) if form else {}
    content: dict[str, Any] = {"again": False, "asks": shown_asks(asks, Shown(), values, here.session.language, errors)}
    if here.now.step is Step.FEEDBACK:
        site, session = here.site, here.session
        content["rounds"] = site.read(session, lambda tx: practice.practice_round(tx, site.protocol, session.person))
    return content


async def take_step(request: Request) -> Response:
    """A posted form: the step is recorded, and the next page follows."""
    site: Site = request.app.state.site
    session = site.rater(request)
    form = await own_form(request, site, session)
    wanted = request.path_params["step"]
    action = ACTIONS.get(wanted)
    if action is None:
        raise HTTPException(405)
    try:
        now = await site.write(session, lambda tx: action(tx, site.protocol, session.person, form))
    except FormError as error:
        here = visit(request)
        return rater_page(request, here, f"{wanted}.html", 422, **_content(here, form, error.errors))
    except (StaleError, ClosedError):
        return see_other(visit(request).address)
    return see_other(address(site, session, now))


async def take_consent(request: Request) -> Response:
    """The rater agrees, or does not."""
    site: Site = request.app.state.site
    session = site.rater(request)
    form = await own_form(request, site, session)
    agree = first(form, "_agree") == "yes"
    # What was sent already, or comes too late, changes nothing: the page that is due says what to do.
    with suppress(StaleError, ClosedError):
        await site.write(session, lambda tx: way.consent(tx, site.protocol, session.person, agree, session.language))
    return see_other(visit(request).address)


async def own_form(request: Request, site: Site, session: Session) -> Fields:
    """The posted form, if it comes from a page that was made for this rater."""
    form = await replies.read_form(request)
    if not site.raters.is_own_form(request, session, first(form, "_csrf")):
        raise HTTPException(403)
    return form


async def show_practice(request: Request) -> Response:
    """One practice item."""
    here = visit(request)
    if here.now.step is not Step.PRACTICE or request.path_params["position"] != here.now.position:
        return see_other(here.address)
    return _practice_page(request, here, {}, None)


def _practice_page(
    request: Request, here: Visit, values: Mapping[str, Any], errors: Mapping[str, Any] | None, status: int = 200
) -> Response:
    item = way.practice_items(here.site.protocol)[here.now.position - 1]
    section = here.site.protocol.practice_section
    html = fragment(here.site, section, item, Shown(), here.session.language, values, errors)
    return rater_page(request, here, "practice.html", status, item=html)


async def take_practice(request: Request) -> Response:
    """The answer to one practice item."""
    site: Site = request.app.state.site
    session = site.rater(request)
    form = media_failed_everywhere(await own_form(request, site, session), asks_of(site.protocol.practice_section))
    position = request.path_params["position"]
    try:
        now = await site.write(
            session, lambda tx: practice.practice_answer(tx, site.protocol, session.person, position, form)
        )
    except FormError as error:
        values = typed(asks_of(site.protocol.practice_section), form)
        return _practice_page(request, visit(request), values, error.errors, 422)
    except (StaleError, ClosedError):
        return see_other(visit(request).address)
    return see_other(address(site, session, now))


def media_failed_everywhere(form: Fields, asks: Iterable[Asks]) -> Fields:
    """A form whose `_media_failed` stands for every question: one button says that nothing could be seen."""
    if not first(form, "_media_failed"):
        return form
    return {**form, **{f"{ask.id}.media_failed": ["1"] for ask in asks}}


async def show_withdraw(request: Request) -> Response:
    """What leaving means, before it is done."""
    here = visit(request)
    if here.now.step is Step.WITHDRAWN:
        return see_other(here.address)
    return rater_page(request, here, "withdraw.html")


async def take_withdraw(request: Request) -> Response:
    """The rater leaves the study."""
    site: Site = request.app.state.site
    session = site.rater(request)
    form = await own_form(request, site, session)
    erase = first(form, "_erase") == "yes"
    now = await site.write(session, lambda tx: way.withdraw(tx, site.protocol, session.person, erase))
    return see_other(address(site, session, now))


async def own_csv(request: Request) -> Response:
    """The rater's own answers: the opaque name and the value."""
    site: Site = request.app.state.site
    session = site.rater(request)
    rows = site.read(session, lambda tx: own_answers(tx, site.protocol, session.person))
    several = any(len(asks_of(section)) > 1 for section in site.protocol.sections)
    out = StringIO()
    write = csv.writer(out, lineterminator="\n").writerow
    write(["id", "question", "value"] if several else ["id", "value"])
    for assignment, raw in rows:
        for ask in asks_of(site.protocol.section(assignment.section)):
            name, value = site.item_name(assignment.item), raw.get(ask.id, "")
            write([name, ask.id, value] if several else [name, value])
    return replies.download(out.getvalue(), "my-answers.csv")
