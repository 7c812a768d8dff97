"""Candidates at the desk: how each did on the quiz, what the cut would keep, and the lever that makes it, once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from quorate.collect.links import panels
from quorate.collect.screening import Candidate, candidates, select
from quorate.errors import StudyError
from quorate.protocol import Protocol
from quorate.store import Tx
from quorate.web.replies import first, see_other
from quorate.web.site import Site
from quorate.web.views import desk_page, member_form, seen_by


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel before the cut: who came, how many passed, and how many of the wanted places that fills."""

    name: str
    finished: int
    passed: int
    wanted: int | None

    @property
    def lacks(self) -> int:
        """How many raters the cut would leave missing: an alarm, never a lower bar."""
        return max(0, (self.wanted or 0) - self.passed)


def routes() -> list[BaseRoute]:
    """The candidates' addresses, below the desk."""
    return [Route("/candidates", show), Route("/candidates", close_recruitment, methods=["POST"])]


async def show(request: Request) -> Response:
    """Every candidate with the quiz's result, and each panel with what it lacks."""
    site: Site = request.app.state.site
    session = seen_by(request)
    if site.protocol.raters.screening is None:
        raise HTTPException(404)
    facts = await run_in_threadpool(site.read, session, lambda tx: _facts(tx, site.protocol))
    return desk_page(request, session, "desk/candidates.html", rule=site.protocol.raters.screening, **facts)


def _facts(tx: Tx, protocol: Protocol) -> dict[str, Any]:
    ranked = candidates(tx, protocol)
    closed = tx.last_event("recruitment_closed")
    chosen = {event.rater for event in tx.events(kinds=["selected"])}
    thanked = {event.rater for event in tx.events(kinds=["not_selected"])}
    gone = {event.rater for event in tx.events(kinds=["withdrawn", "excluded"])}
    finished = {candidate.rater for candidate in ranked}
    return {
        "rows": [(candidate, _fate(candidate, chosen, thanked, gone)) for candidate in ranked],
        "panels": [_panel(protocol, name, [c for c in ranked if c.rater not in gone]) for name in panels(protocol)],
        "unfinished": sum(rater.id not in finished for rater in tx.raters()),
        "closed": closed,
    }


def _fate(
    candidate: Candidate, chosen: Collection[str | None], thanked: Collection[str | None], gone: Collection[str | None]
) -> str:
    if candidate.rater in gone:
        return "has left"
    if candidate.rater in chosen:
        return "selected"
    return "not selected" if candidate.rater in thanked else "waits"


def _panel(protocol: Protocol, name: str, ranked: list[Candidate]) -> Panel:
    mine = [candidate for candidate in ranked if candidate.panel == name]
    rule = protocol.raters.screening
    return Panel(name, len(mine), sum(candidate.passed for candidate in mine), rule.top if rule else None)


async def close_recruitment(request: Request) -> Response:
    """Makes the cut: it cannot be made again, so it is asked for once."""
    site: Site = request.app.state.site
    session, form = await member_form(request)
    if first(form, "_sure") != "yes":
        raise StudyError("Tick that you are sure: the cut is made once, and everyone is told.")
    await site.write(session, lambda tx: select(tx, site.protocol))
    return see_other("/desk/candidates")
