"""The workspace: one item, those to hold ahead, and what stands around them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from quorate.collect import work as collect
from quorate.collect.warning import live_rules
from quorate.collect.way import Step, Where
from quorate.collect.work import Place, Work
from quorate.errors import StaleError
from quorate.protocol import Protocol, Section
from quorate.web import replies
from quorate.web.fragments import fragment
from quorate.web.pages import gettext
from quorate.web.replies import see_other, wants_json
from quorate.web.security import Session
from quorate.web.site import Site
from quorate.web.views import rater_page
from quorate.web.visits import Visit, address, visit


async def show_next(request: Request) -> Response:
    """The address of the work: on to the next open item, or to the step that is due."""
    here = visit(request)
    # At the end one may look again, until the last questions are sent.
    is_looking_back = here.now.step is Step.DEBRIEF and "again" in request.query_params
    if here.now.step is not Step.WORK and not is_looking_back:
        return see_other(here.address)
    try:
        found = await find_work(here.site, here.session, None)
    except StaleError:  # others have taken the last of it since `visit` looked
        return see_other(visit(request).address)
    return see_other(_address(here.site, here.session, found.place))


async def show_work(request: Request) -> Response:
    """The workspace with one item; for a script, that item alone and those to hold ahead."""
    here = visit(request)
    try:
        found = await find_work(here.site, here.session, request.path_params["assignment"])
    except StaleError as error:
        if wants_json(request):
            return told(here.site, here.session, here.now, error, 409)
        return see_other(here.address if here.now.step is not Step.WORK else f"{here.site.root(here.session)}/work")
    if wants_json(request):
        places = [found.place, *found.ahead]
        return replies.data({"places": [as_data(here.site, found.section, p, here.session) for p in places]})
    return work_page(request, here, found)


async def find_work(site: Site, session: Session, assignment: str | None) -> Work:
    """What the workspace shows to this rater."""
    return await site.write(session, lambda tx: collect.work(tx, site.protocol, session.person, assignment))


def work_page(
    request: Request, here: Visit, found: Work, raw: Mapping[str, Any] | None = None,
    errors: Mapping[str, Any] | None = None, status: int = 200,
) -> Response:  # fmt: skip
    """The workspace with one item, and with what is wrong with the answers to it."""
    site, session, place = here.site, here.session, found.place
    html = fragment(
        site, found.section, place.item, place.assignment.shown, session.language,
        place.raw if raw is None else raw, errors, place.scores,
    )  # fmt: skip
    return rater_page(
        request, here, "work.html", status,
        work=found, item=html, key=secrets.token_urlsafe(12), grid=_grid(site, found), place=place,
        ahead=[as_data(site, found.section, p, session) for p in found.ahead],
        pause_at=pause_at(site.protocol, found.answered, found.total), warns=bool(live_rules(found.section)),
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
        "unshown": assignment.revision > 0 and not assignment.answered,
        "html": fragment(site, section, place.item, assignment.shown, session.language, place.raw, scores=place.scores),
    }


def pause_at(protocol: Protocol, answered: int, total: int) -> int:
    """The count at which the script waits for the server: a break, or the end."""
    after = protocol.raters.break_after
    return min(total, (answered // after + 1) * after) if after else total


def told(site: Site, session: Session, now: Where, error: Exception, status: int) -> Response:
    """For the script: why not, and where to go on."""
    said = gettext(session.language)(str(error))
    url = f"{site.root(session)}/work" if now.step is Step.WORK else address(site, session, now)
    return replies.data({"message": said, "url": url, "is_work": now.step is Step.WORK}, status)


def _address(site: Site, session: Session, place: Place) -> str:
    return f"{site.root(session)}/work/{place.assignment.id}"
