"""The rater's way in the browser: one page a step, each with an address of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from quorate.collect import arrivals, practice, way
from quorate.collect.forms import FormError
from quorate.collect.screening import screening_answer
from quorate.collect.unshown import can_leave, n_answered
from quorate.collect.way import Step, Where
from quorate.collect.work import own_answers
from quorate.errors import ClosedError, StaleError
from quorate.protocol import Asks, Protocol
from quorate.records import Shown
from quorate.spreadsheets import csv_table
from quorate.store import Tx
from quorate.web import replies
from quorate.web.forms import own_form
from quorate.web.fragments import asks_of, shown_asks, typed
from quorate.web.practice import rounds
from quorate.web.quiz import let_in, quiz_page
from quorate.web.replies import Fields, first, see_other
from quorate.web.site import Site
from quorate.web.views import rater_page
from quorate.web.visits import Visit, address, visit

Action = Callable[[Tx, Protocol, str, Fields], Where]

#: What a posted form does, by the step that it belongs to.
ACTIONS: Mapping[Step, Action] = {
    Step.ELIGIBILITY: way.eligibility,
    Step.BACKGROUND: way.background,
    Step.SCREENING: screening_answer,
    Step.INSTRUCTIONS: lambda tx, protocol, rater, form: way.instructions_read(tx, protocol, rater),
    Step.FEEDBACK: lambda tx, protocol, rater, form: practice.practice_done(tx, protocol, rater),
    Step.BREAK: lambda tx, protocol, rater, form: way.break_over(tx, protocol, rater),
    Step.UNSHOWN: lambda tx, protocol, rater, form: way.without_unshown(tx, protocol, rater),
    Step.DEBRIEF: way.debrief,
}
_READ_INSTRUCTIONS = (
    Step.PRACTICE,
    Step.ANSWER,
    Step.FEEDBACK,
    Step.WORK,
    Step.BREAK,
    Step.UNSHOWN,
    Step.DEBRIEF,
    Step.DONE,
)


async def start(request: Request) -> Response:
    """The rater's own address: on to the current step."""
    return see_other(visit(request).address)


async def show_step(request: Request) -> Response:
    """The page of a step, or on to the step that is due."""
    here = visit(request)
    wanted = request.path_params["step"]
    if wanted in ("instructions", "reference") and here.now.step in _READ_INSTRUCTIONS:
        return _read_again(request, here, wanted)
    if wanted != here.now.step.value or here.now.step in (Step.WORK, Step.PRACTICE, Step.ANSWER):
        if wanted not in set(Step):
            raise HTTPException(404)
        return see_other(here.address if here.now.step is not Step.WORK else f"{here.site.root(here.session)}/work")
    if not here.site.read(here.session, lambda tx: way.is_kept(tx, here.now)):
        # It came while this rater looked on: what the page says now is to stand.
        here = replace(here, now=await here.site.write(here.session, partial(move_on, here)))
        return see_other(here.address)
    return rater_page(request, here, f"{wanted}.html", **_content(here))


def move_on(here: Visit, tx: Tx) -> Where:
    """Records where this rater is."""
    return way.move_on(tx, here.site.protocol, here.session.person)


def _read_again(request: Request, here: Visit, wanted: str) -> Response:
    """A text that stays at hand."""
    if wanted == "reference" and not here.site.protocol.raters.reference:
        raise HTTPException(404)
    return rater_page(request, here, f"{wanted}.html", again=True)


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
        content["rounds"] = rounds(here)
    if here.now.step is Step.UNSHOWN:
        content |= here.site.read(here.session, lambda tx: _unshown(tx, here))
    if here.now.step is Step.SCREENING:
        content |= quiz_page(here, form, errors)
    return content


def _unshown(tx: Tx, here: Visit) -> dict[str, Any]:
    """What can be tried again, and whether the rater may go on without it."""
    rater, section = here.session.person, here.now.section
    protocol = here.site.protocol
    return {
        "unshown": tx.unshown(rater, section),
        "can_leave": can_leave(tx, protocol, rater, section),
        "answered": n_answered(tx, protocol, rater),
    }


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
        if site.is_preview and now.step is Step.SELECTION:
            now = await site.write(session, lambda tx: let_in(tx, site.protocol, session.person))
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


async def show_withdraw(request: Request) -> Response:
    """What leaving means, before it is done."""
    here = visit(request)
    if here.now.step is Step.WITHDRAWN:
        return see_other(here.address)
    base = here.site.public_url or str(request.base_url)
    link = here.site.read(here.session, lambda tx: arrivals.own_link(tx, here.session.person, base))
    return rater_page(request, here, "withdraw.html", own_link=link)


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
    found = [
        (site.item_name(assignment.item), ask.id, raw.get(ask.id))
        for assignment, raw in rows
        for ask in asks_of(site.protocol.section(assignment.section))
    ]
    columns = ["id", "question", "value"] if several else ["id", "value"]
    cells = ([name, question, value] if several else [name, value] for name, question, value in found)
    return replies.download(csv_table(columns, cells), "my-answers.csv")
