"""Candidates at the desk: how each did on the quiz, what a cut would settle in each panel, and the lever for it."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from quorate.collect.places import has_cut
from quorate.collect.recruiting import CLOSED, CUT, LEAVING, OPENED
from quorate.collect.screening import DECIDED, Cut, candidates, preview, select
from quorate.errors import StudyError
from quorate.protocol import Protocol
from quorate.store import Event, Tx
from quorate.web.replies import first, see_other
from quorate.web.site import Site
from quorate.web.views import desk_page, member_form, seen_by

ALL = "*"
"""What the form says for every panel at once."""


def routes() -> list[BaseRoute]:
    """The candidates' addresses, below the desk."""
    return [Route("/candidates", show), Route("/candidates", settle, methods=["POST"])]


async def show(request: Request) -> Response:
    """Each panel with what a cut would settle, and every candidate with the quiz's result."""
    site: Site = request.app.state.site
    session = seen_by(request)
    if site.protocol.raters.screening is None:
        raise HTTPException(404)
    facts = await run_in_threadpool(site.read, session, lambda tx: _facts(tx, site.protocol))
    return desk_page(request, session, "desk/candidates.html", rule=site.protocol.raters.screening, **facts)


def _facts(tx: Tx, protocol: Protocol) -> dict[str, Any]:
    fates = {event.rater: event.kind.replace("_", " ") for event in tx.events(kinds=DECIDED)}
    fates |= {event.rater: LEAVING[event.kind] for event in tx.events(kinds=LEAVING)}
    cuts = preview(tx, protocol)
    return {
        "rows": [(candidate, fates.get(candidate.rater, "waits")) for candidate in candidates(tx, protocol)],
        "cuts": cuts,
        "alarms": {cut.panel: cut.alarm(protocol) for cut in cuts},
        "seen": {cut.panel: _mark([cut]) for cut in cuts} | {ALL: _mark(cuts)},
        "has_cut": has_cut(protocol),
        "history": [_told(one) for one in tx.events(kinds=[CUT, CLOSED, OPENED, "reassessed", *LEAVING, "selected"])],
    }


def _told(event: Event) -> tuple[str, str, str]:
    """When something was settled, whom or what it is about, and what it was."""
    data = event.data or {}
    if event.kind == "selected":
        said = {"reserve": "called from the reserve", "late": "takes part, after a later quiz"}
        what = said.get(data.get("because", ""), "takes part")
        if data.get("instead_of"):
            what += f", instead of {data['instead_of']} ({data.get('why', '')})"
    elif event.kind == "reassessed":
        what = f"round {data['round']} opened for {data['items']} items"
    elif event.kind in LEAVING:
        what = LEAVING[event.kind] + (f": {data['reason']}" if data.get("reason") else "")
    elif event.kind == OPENED:
        what = f"recruitment opened again for {data.get('because', '')}"
    else:
        told = {"selected": "selected", "reserves": "in reserve", "not_selected": "thanked"}
        counts = (f"{len(data[name])} {word}" for name, word in told.items() if data.get(name))
        what = ", ".join(["recruitment closed" if event.kind == CLOSED else "cut made", *counts])
    return event.at, event.rater or data.get("panel") or data.get("stratum") or "all", what


def _mark(cuts: Sequence[Cut]) -> str:
    """A short name for what these cuts would settle: the form sends it back, so that nothing else is settled."""
    said = repr([cut.settles for cut in cuts])
    return blake2b(said.encode(), digest_size=12).hexdigest()


async def settle(request: Request) -> Response:
    """Gives the free places of a panel, or of all, to those whom the page has named."""
    site: Site = request.app.state.site
    session, form = await member_form(request)
    if first(form, "_sure") != "yes":
        raise StudyError("Tick that you are sure: everyone who took the quiz is told at once.")
    panel = first(form, "_panel")
    chosen = () if panel == ALL else (panel,)

    def make(tx: Tx) -> None:
        seen = preview(tx, site.protocol, chosen)
        if _mark(seen) != first(form, "_seen"):
            raise StudyError("Since the page was made somebody took the quiz or left. Please look at it again.")
        select(tx, site.protocol, chosen)

    await site.write(session, make)
    return see_other("/desk/candidates")
