"""The researcher's desk: how far the study is, who is on the way, and the levers: invite, open, close, exclude."""

from __future__ import annotations

import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route, Router

from quorate.collect import arrivals, links, way
from quorate.collect.links import MOST_AT_ONCE, Invitation
from quorate.collect.opening import open_to_raters
from quorate.collect.playback import playback_by_rater
from quorate.collect.quality import exclude_by_rule
from quorate.collect.status import StudyStatus, study_status
from quorate.errors import StudyError
from quorate.protocol import Protocol
from quorate.spreadsheets import csv_table
from quorate.store import Tx
from quorate.web import adjudication, borderline, candidates, reports
from quorate.web.preview import Preview, start_preview
from quorate.web.replies import download, first, see_other
from quorate.web.site import Site
from quorate.web.views import desk_page, member_form, seen_by

#: What a step is called at the desk.
STEPS = {
    "invited": "invited",
    "consent": "reads the consent",
    "declined": "declined",
    "eligibility": "first questions",
    "screened_out": "screened out",
    "background": "about themselves",
    "screening": "takes the quiz",
    "selection": "waits for the cut",
    "failed_quiz": "failed the quiz",
    "not_selected": "not selected",
    "reserve": "in reserve",
    "recruitment_closed": "came after the cut",
    "instructions": "reads the instructions",
    "practice": "practises",
    "answer": "practises",
    "feedback": "practised",
    "work": "at work",
    "break": "has a break",
    "unshown": "media not shown",
    "debrief": "last questions",
    "all_taken": "waits for work",
    "not_needed": "not needed any more",
    "done": "done",
    "withdrawn": "withdrew",
    "excluded": "excluded",
    "replaced": "replaced",
    "waiting": "waits",
    "closed": "on the way",
}


def routes(preview: Preview) -> list[BaseRoute]:
    """The desk's addresses."""
    return [
        Route("/team/{token}", enter),
        Mount("/desk/preview", preview),
        Mount(
            "/desk",
            Router(
                [
                    Route("/", overview),
                    Route("/preview", start_preview(preview), methods=["POST"]),
                    Route("/items", items),
                    Route("/raters.csv", raters_csv),
                    Route("/items.csv", items_csv),
                    Route("/state", set_state, methods=["POST"]),
                    Route("/invite", invite, methods=["POST"]),
                    Route("/release", release, methods=["POST"]),
                    Route("/exclude", by_rule, methods=["POST"]),
                    Route("/links.csv", links_csv, methods=["POST"]),
                    Route("/raters/{rater}/exclude", exclude, methods=["POST"]),
                    Route("/raters/{rater}/replace", replace, methods=["POST"]),
                    Route("/raters/{rater}/revoke", revoke, methods=["POST"]),
                    Route("/raters/{rater}/again", invite_again, methods=["POST"]),
                    *adjudication.routes(),
                    *borderline.routes(),
                    *candidates.routes(),
                    *reports.routes(),
                ],
                redirect_slashes=False,
            ),
        ),
        Route("/desk", lambda request: see_other("/desk/")),
    ]


async def enter(request: Request) -> Response:
    """A member's personal link."""
    site: Site = request.app.state.site
    with site.guessing(request):
        entry = site.store.read(lambda tx: links.enter_as(tx, "member", request.path_params["token"]))
    session = site.members.make(entry.person, entry.link, "en")
    reply = see_other("/desk/")
    reply.set_cookie(**site.cookie(request, site.members, session, "/desk"))
    return reply


async def overview(request: Request) -> Response:
    """Figures first, then every rater."""
    site: Site = request.app.state.site
    session = seen_by(request)
    status, facts = await run_in_threadpool(
        site.read, session, lambda tx: (study_status(tx, site.protocol), _facts(tx, site.protocol))
    )
    return desk_page(
        request, session, "desk/overview.html", status=status, steps=STEPS, flow=_flow(status), key=_new_key(),
        done=_complete(status), most=MOST_AT_ONCE, **facts,
    )  # fmt: skip


def _facts(tx: Tx, protocol: Protocol) -> dict[str, Any]:
    """What stands beside the raters' progress: panels, links that work, reasons, places that are free, the protocol."""
    active = Counter(link.person for link in tx.links() if link.role == "rater" and link.revoked_at is None)
    places = [(panel, links.places_left(tx, protocol, panel)) for panel in links.panels(protocol)]
    return {
        "active": active,
        "places": places,
        "is_recruited": protocol.raters.screening is not None,
        "room": max(left for _, left in places),
        "protocols": tx.protocols(),
        "playback": playback_by_rater(tx, protocol),
    }


def _flow(status: StudyStatus) -> list[tuple[str, int]]:
    """How many are at each step, in the order of the way."""
    counts = Counter(rater.step for rater in status.raters)
    return [(STEPS[step], counts[step]) for step in STEPS if counts[step]]


def _complete(status: StudyStatus) -> dict[str, int]:
    return {
        "complete": sum(item.answered >= item.wanted for item in status.items),
        "raters": sum(rater.step == "done" for rater in status.raters),
    }


MOST_ROWS = 2000


async def items(request: Request) -> Response:
    """Every item, with how many answers it has of how many."""
    site: Site = request.app.state.site
    session = seen_by(request)
    status = await run_in_threadpool(site.read, session, lambda tx: study_status(tx, site.protocol))
    rows = [(item, site.item_name(item.item)) for item in status.items[:MOST_ROWS]]
    return desk_page(request, session, "desk/items.html", status=status, rows=rows, done=_complete(status))


async def raters_csv(request: Request) -> Response:
    """The raters' progress as a file."""
    status = await _status(request)
    columns = ["rater", "step", "answered", "total", "last", "media_failed", "panel", "note"]
    rows = ((r.id, r.step, r.answered, r.total, r.last, r.media_failed, r.panel, r.note) for r in status.raters)
    return download(csv_table(columns, rows), "raters.csv")


async def items_csv(request: Request) -> Response:
    """The items' progress as a file, with the names that raters see."""
    site: Site = request.app.state.site
    status = await _status(request)
    rows = ((i.section, i.item, site.item_name(i.item), i.answered, i.wanted) for i in status.items)
    return download(csv_table(["section", "item", "name", "answered", "wanted"], rows), "items.csv")


async def _status(request: Request) -> StudyStatus:
    site: Site = request.app.state.site
    session = seen_by(request)
    return await run_in_threadpool(site.read, session, lambda tx: study_status(tx, site.protocol))


async def set_state(request: Request) -> Response:
    """Opens or closes the study."""
    site: Site = request.app.state.site
    session, form = await member_form(request)
    opens = first(form, "_state") == "open"
    await site.write(session, lambda tx: open_to_raters(tx, site.protocol) if opens else way.close_study(tx))
    return see_other("/desk/")


#: Forms whose links were shown: a reload of that page must not make new ones.
_shown: OrderedDict[str, None] = OrderedDict()


def _new_key() -> str:
    return secrets.token_urlsafe(9)


def _is_first(key: str) -> bool:
    if key in _shown:
        return False
    _shown[key] = None
    while len(_shown) > 1000:
        _shown.popitem(last=False)
    return True


async def invite(request: Request) -> Response:
    """New raters, and their links, shown this once."""
    site: Site = request.app.state.site
    session, form = await member_form(request)
    number = first(form, "_n")
    if not number.isdecimal() or len(number) > 3 or not 1 <= int(number) <= 500:
        raise StudyError("Say how many raters to invite: a number from 1 to 500.")
    if not _is_first(first(form, "_key")):
        return see_other("/desk/")
    panel = first(form, "_panel")
    made = await site.write(session, lambda tx: links.invite(tx, site.protocol, int(number), panel))
    return _links(request, session, site, made)


async def invite_again(request: Request) -> Response:
    """A new link for a rater; the old one stops working."""
    site: Site = request.app.state.site
    session, form = await member_form(request)
    if not _is_first(first(form, "_key")):
        return see_other("/desk/")
    made = await site.write(session, lambda tx: links.invite_again(tx, request.path_params["rater"]))
    return _links(request, session, site, [made])


async def release(request: Request) -> Response:
    """A new link for someone from the platform whose browser is gone, by their id there; the old ones stop working."""
    site: Site = request.app.state.site
    session, form = await member_form(request)
    made = await site.write(session, lambda tx: arrivals.release(tx, site.protocol, first(form, "_id")))
    return _links(request, session, site, [made])


def _links(request: Request, session: Any, site: Site, made: Sequence[Invitation]) -> Response:
    base = site.public_url or str(request.base_url)
    rows = [(invitation.person, invitation.panel, invitation.link(base)) for invitation in made]
    return desk_page(request, session, "desk/links.html", rows=rows)


async def links_csv(request: Request) -> Response:
    """The links that the page has just shown, as a file: they are sent back, since nothing here remembers them."""
    _, form = await member_form(request)
    names = ("rater", "panel", "link") if any(form.get("_panel", [])) else ("rater", "link")
    rows = zip(*(form.get(f"_{name}", []) for name in names), strict=False)
    return download(csv_table(names, rows), "links.csv")


async def revoke(request: Request) -> Response:
    """A rater's links stop working at once."""
    site: Site = request.app.state.site
    session, _ = await member_form(request)
    await site.write(session, lambda tx: links.revoke(tx, request.path_params["rater"]))
    return see_other("/desk/")


async def exclude(request: Request) -> Response:
    """Takes a rater's answers out of the analysis, for a stated reason."""
    return await _for_a_reason(request, way.exclude)


async def by_rule(request: Request) -> Response:
    """Excludes everyone of whom the study's rule holds, each with the rule and the numbers as the reason."""
    site: Site = request.app.state.site
    session, _ = await member_form(request)
    await site.write(session, lambda tx: exclude_by_rule(tx, site.protocol))
    return see_other("/desk/")


async def replace(request: Request) -> Response:
    """Hands what a rater has not answered to someone else, for a stated reason."""
    return await _for_a_reason(request, way.replace)


async def _for_a_reason(request: Request, step: Callable[[Tx, Protocol, str, str], object]) -> Response:
    """Takes a step for a rater, with the reason that the member states."""
    site: Site = request.app.state.site
    session, form = await member_form(request)
    rater, reason = request.path_params["rater"], first(form, "_reason").strip()
    await site.write(session, lambda tx: step(tx, site.protocol, rater, reason))
    return see_other("/desk/")
