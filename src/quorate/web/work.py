"""The workspace, and the hot path: one POST stores the answers to one item and brings the next ones."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from quorate.collect import work as collect
from quorate.collect.evidence import with_paths
from quorate.collect.forms import FormError
from quorate.collect.way import Step, Where
from quorate.collect.work import Place, Receipt, Submission, Work
from quorate.errors import ClosedError, StaleError
from quorate.protocol import Protocol, Section
from quorate.web import replies
from quorate.web.forms import media_failed_everywhere, own_form
from quorate.web.fragments import asks_of, fragment, sentence, typed
from quorate.web.pages import gettext
from quorate.web.replies import Fields, first, see_other, wants_json
from quorate.web.security import Session
from quorate.web.site import Site
from quorate.web.views import rater_page
from quorate.web.visits import Visit, address, visit

MAX_EVIDENCE = 8192


async def show_next(request: Request) -> Response:
    """The address of the work: on to the next open item, or to the step that is due."""
    here = visit(request)
    # At the end one may look again, until the last questions are sent.
    is_looking_back = here.now.step is Step.DEBRIEF and "again" in request.query_params
    if here.now.step is not Step.WORK and not is_looking_back:
        return see_other(here.address)
    found = await _work(here.site, here.session, None)
    return see_other(_address(here.site, here.session, found.place))


async def show_work(request: Request) -> Response:
    """The workspace with one item; for a script, that item alone and those to hold ahead."""
    here = visit(request)
    try:
        found = await _work(here.site, here.session, request.path_params["assignment"])
    except StaleError as error:
        if wants_json(request):
            return _told(here.site, here.session, here.now, error, 409)
        return see_other(here.address if here.now.step is not Step.WORK else f"{here.site.root(here.session)}/work")
    if wants_json(request):
        places = [found.place, *found.ahead]
        return replies.data({"places": [as_data(here.site, found.section, p, here.session) for p in places]})
    return _page(request, here, found)


async def _work(site: Site, session: Session, assignment: str | None) -> Work:
    return await site.write(session, lambda tx: collect.work(tx, site.protocol, session.person, assignment))


def _page(
    request: Request, here: Visit, found: Work, raw: Mapping[str, Any] | None = None,
    errors: Mapping[str, Any] | None = None, status: int = 200,
) -> Response:  # fmt: skip
    site, session, place = here.site, here.session, found.place
    html = fragment(
        site, found.section, place.item, place.assignment.shown, session.language,
        place.raw if raw is None else raw, errors,
    )  # fmt: skip
    return rater_page(
        request, here, "work.html", status,
        work=found, item=html, key=secrets.token_urlsafe(12), grid=_grid(site, found), place=place,
        ahead=[as_data(site, found.section, p, session) for p in found.ahead],
        pause_at=pause_at(site.protocol, found.answered, found.total),
    )  # fmt: skip


def _grid(site: Site, found: Work) -> dict[str, Any] | None:
    """The thumbnails of all items of the section, each a window on one picture."""
    sprite = site.staged.sprites.get(found.section.id) if found.section.grid else None
    if sprite is None:
        return None
    rows = -(-len(sprite.cells) // sprite.columns)
    size = sprite.size
    cells = []
    for cell in found.cells:
        row, column = divmod(sprite.cells[cell.item], sprite.columns)
        cells.append({"assignment": cell, "window": f"{column * size} {row * size} {size} {size}"})
    return {"name": sprite.name, "width": sprite.columns * size, "height": rows * size, "cells": cells}


def as_data(site: Site, section: Section, place: Place, session: Session) -> dict[str, Any]:
    """A place for the script: the same HTML as on the page, and what belongs to it."""
    assignment = place.assignment
    return {
        "assignment": assignment.id,
        "position": assignment.position,
        "revision": assignment.revision,
        "answered": assignment.answered,
        "html": fragment(site, section, place.item, assignment.shown, session.language, place.raw),
    }


def pause_at(protocol: Protocol, answered: int, total: int) -> int:
    """The count at which the script waits for the server: a break, or the end."""
    after = protocol.raters.break_after
    return min(total, (answered // after + 1) * after) if after else total


async def submit(request: Request) -> Response:
    """Stores all answers to one item at once; the reply follows the commit and brings what comes next."""
    site: Site = request.app.state.site
    session = site.rater(request)
    form = await own_form(request, site, session)
    submission = read_submission(site, request.path_params["assignment"], form)
    held = first(form, "_held").split()
    try:
        receipt = await site.write(
            session, lambda tx: collect.submit(tx, site.protocol, session.person, submission, held)
        )
    except FormError as error:
        return await _refused(request, site, session, form, error)
    except (StaleError, ClosedError) as error:
        here = visit(request)
        if wants_json(request):
            return _told(site, session, here.now, error, 409)
        said = gettext(session.language)(str(error))
        sent = [value for name, values in form.items() if not name.startswith("_") for value in values if value]
        return rater_page(request, here, "stale.html", 409, message=said, typed=sent, go_on=here.address)
    if wants_json(request):
        return replies.data(receipt_data(site, session, receipt))
    if receipt.step is Step.WORK and receipt.next is not None:
        return see_other(f"{site.root(session)}/work/{receipt.next}")
    return see_other(f"{site.root(session)}/")


def read_submission(site: Site, assignment: str, form: Fields) -> Submission:
    """What the browser sent, as `collect` takes it; evidence that cannot be read is no reason to lose an answer."""
    key = first(form, "_key")
    revision = first(form, "_revision", "0")
    if not key or len(key) > 64 or not revision.isdecimal():
        raise HTTPException(400)
    if "_media_failed" in form:
        form = media_failed_everywhere(form, [ask for section in site.protocol.sections for ask in asks_of(section)])
    evidence: Any = {}
    text = first(form, "_evidence")
    if text and len(text) <= MAX_EVIDENCE:
        try:
            evidence = msgspec.json.decode(text)
        except msgspec.DecodeError:
            evidence = {}
    reported = with_paths(evidence, site.staged.names) if isinstance(evidence, dict) else {}
    return Submission(key, assignment, form, reported, int(revision))


def receipt_data(site: Site, session: Session, receipt: Receipt) -> dict[str, Any]:
    """The receipt for the script."""
    now = Where(session.person, receipt.step)
    return {
        "outcome": receipt.outcome,
        "revision": receipt.revision,
        "answered": receipt.answered,
        "total": receipt.total,
        "pause_at": pause_at(site.protocol, receipt.answered, receipt.total),
        "url": None if receipt.step is Step.WORK else address(site, session, now),
        "places": [
            as_data(site, site.protocol.section(place.assignment.section), place, session) for place in receipt.ahead
        ],
    }


async def _refused(request: Request, site: Site, session: Session, form: Fields, error: FormError) -> Response:
    """An answer that its question does not allow: said at the field, and nothing typed is lost."""
    if wants_json(request):
        said = {question: sentence(wrong, session.language) for question, wrong in error.errors.items()}
        return replies.data({"errors": said}, 422)
    found = await _work(site, session, request.path_params["assignment"])
    raw = typed(asks_of(found.section), form)
    return _page(request, visit(request), found, raw, error.errors, 422)


def _told(site: Site, session: Session, now: Where, error: Exception, status: int) -> Response:
    said = gettext(session.language)(str(error))
    url = f"{site.root(session)}/work" if now.step is Step.WORK else address(site, session, now)
    return replies.data({"message": said, "url": url, "is_work": now.step is Step.WORK}, status)


def _address(site: Site, session: Session, place: Place) -> str:
    return f"{site.root(session)}/work/{place.assignment.id}"
