"""Adjudication: a member sees the item as raters saw it and their answers without names, and decides with a reason."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from quorate.collect.adjudication import Contested, decide, queue
from quorate.collect.forms import FormError
from quorate.errors import CollectError, StudyError
from quorate.languages import say
from quorate.protocol import Asks
from quorate.records import Answer, Reason, Shown, side_label
from quorate.store import Tx
from quorate.web.borderline import has_rated
from quorate.web.fragments import asks_of, media_of, shown_asks, stimulus, typed
from quorate.web.replies import MAX_KEY, Fields, first, see_other
from quorate.web.security import Session
from quorate.web.site import Site
from quorate.web.views import desk_page, member_form, seen_by

#: What the page calls the parts of an answer.
WORDS = {"primary": "main", "secondary": "also"}
Line = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Row:
    """One question: what each rater answered, side by side, and what was decided."""

    question: str
    prompt: str
    is_contested: bool
    said: tuple[tuple[Line, ...], ...]


def routes() -> list[BaseRoute]:
    """The addresses of adjudication, below the desk."""
    case = "/adjudication/{section}/{round:int}/{name}"
    return [Route("/adjudication", show), Route(case, show_case), Route(case, take_decision, methods=["POST"])]


async def show(request: Request) -> Response:
    """What waits for a decision, and what was decided and why."""
    site: Site = request.app.state.site
    session = seen_by(request)
    rated, cases = await run_in_threadpool(
        site.read, session, lambda tx: (has_rated(tx, session.person), queue(tx, site.protocol, decided=True))
    )
    return desk_page(
        request, session, "desk/adjudication.html", has_rated=rated, escalates=site.protocol.raters.escalate,
        waiting=[(case, address(site, case)) for case in cases if not case.decided],
        decided=[(case, address(site, case), _verdict(site, case)) for case in cases if case.decided],
        name=site.item_name,
    )  # fmt: skip


def address(site: Site, case: Contested) -> str:
    """Where a case is decided: items have the names that raters see."""
    return f"/desk/adjudication/{case.section}/{case.round}/{site.item_name(case.item.id)}"


def _verdict(site: Site, case: Contested) -> tuple[str, str]:
    """The decision on the contested question in words, and the reason."""
    answer = case.decided[case.question]
    ask = site.protocol.ask(case.section, case.question)
    reason = answer.raw.get("reason", "") if isinstance(answer.raw, Mapping) else ""
    return "; ".join(" ".join(line).strip() for line in lines(ask, answer, case)), str(reason)


async def show_case(request: Request) -> Response:
    """One item to decide about."""
    session = seen_by(request)
    return await _case_page(request, session, {}, {}, "")


async def _case_page(
    request: Request, session: Session, form: Fields, errors: Mapping[str, Any], wrong: str, status: int = 200
) -> Response:
    site: Site = request.app.state.site
    rated, case = await run_in_threadpool(
        site.read, session, lambda tx: (has_rated(tx, session.person), _found(tx, site, request))
    )
    if rated is not False:
        return see_other("/desk/adjudication")
    section = site.protocol.section(case.section)
    asks = shown_asks(asks_of(section), case.shown, typed(asks_of(section), form), "en", errors, case.item)
    # The contested question has to be decided; the others may be.
    asks = [replace(ask, required=ask.id == case.question) for ask in asks]
    reply = desk_page(
        request, session, "desk/case.html", case=case, name=site.item_name(case.item.id), 
        stimulus=stimulus(site, media_of(section), case.item, case.shown, "en"),
        rows=[_row(ask, case) for ask in asks_of(section)], at=address(site, case), key=secrets.token_urlsafe(12),
        first_asks=[ask for ask in asks if ask.id == case.question],
        other_asks=[ask for ask in asks if ask.id != case.question],
        reason=first(form, "_reason"), wrong=wrong, is_decided=bool(case.decided),
    )  # fmt: skip
    reply.status_code = status
    return reply


def _found(tx: Tx, site: Site, request: Request) -> Contested:
    wanted = request.path_params
    for case in queue(tx, site.protocol, decided=True):
        name = site.item_name(case.item.id)
        if (case.section, case.round, name) == (wanted["section"], wanted["round"], wanted["name"]):
            return case
    raise HTTPException(404)


async def take_decision(request: Request) -> Response:
    """Stores a decision with its reason; a decision on the same item again is a new row, and the newest counts."""
    site: Site = request.app.state.site
    session, form = await member_form(request)
    # A field that is left empty decides nothing.
    answered = {name: values for name, values in form.items() if not name.startswith("_") and any(values)}

    def verb(tx: Tx) -> None:
        if has_rated(tx, session.person) is not False:
            raise StudyError("Raters of this study cannot decide about its answers.")
        case = _found(tx, site, request)
        decide(
            tx, site.protocol, session.person, case.section, case.item.id, answered, first(form, "_reason"),
            round=case.round, key=f"decision/{session.person}/{first(form, '_key')[:MAX_KEY]}",
        )  # fmt: skip

    try:
        await site.write(session, verb)
    except FormError as error:
        return await _case_page(request, session, form, error.errors, "", 422)
    except CollectError as error:
        return await _case_page(request, session, form, {}, str(error), 422)
    return see_other("/desk/adjudication")


def _row(ask: Asks, case: Contested) -> Row:
    said = tuple(lines(ask, opinion.get(ask.id), case) for opinion in case.opinions)
    return Row(ask.id, say(ask.question.prompt), ask.id == case.question, said)


def lines(ask: Asks, answer: Answer | None, case: Contested) -> tuple[Line, ...]:
    """An answer in the words of the page that the member sees: by side, never by system."""
    if answer is None:
        return (("", "–"),)
    if answer.reason is not None:
        return (("", str(answer.reason.value if isinstance(answer.reason, Reason) else answer.reason)),)
    question, shown = ask.question, case.shown
    # Numbers and what is said of each system are told in lines of their own.
    is_worded = not isinstance(answer.value, Mapping | int)
    said = question.describe(answer.value, shown.to(ask.id), case.item) if is_worded else ""
    compared = question.compared(answer.value, shown) if not said and question.compares() else None
    if compared:
        first_one, second_one, sign = compared
        better = {1: _side(first_one, shown), -1: _side(second_one, shown), 0: "neither"}[sign]
        return (("", f"{answer.value:+d}, for {better}"),)
    return ((("", said),) if said else _plain(answer.value, shown)) or (("", "–"),)


def _plain(value: Any, shown: Shown) -> tuple[Line, ...]:
    """A value as lines, with systems named by their sides."""
    if not isinstance(value, Mapping):
        return (("", _joined(value, shown)),)
    # What a tag describes stands behind the tag.
    of = value.get("of") or {}
    named = [
        (WORDS.get(str(name)) or _side(str(name), shown), _joined(part, shown, of))
        for name, part in value.items()
        if name != "of" and part
    ]
    return tuple(sorted(named, key=lambda line: line[0] if len(line[0]) == 1 else ""))


def _joined(value: Any, shown: Shown, of: Mapping[str, Any] = MappingProxyType({})) -> str:
    if isinstance(value, str) or not isinstance(value, Sequence):
        return _side(str(value), shown)
    return ", ".join(f"{part} ({_joined(of[part], shown)})" if of.get(part) else str(part) for part in value)


def _side(name: str, shown: Shown) -> str:
    side = next((side for side, system in shown.sides.items() if system == name), None)
    return side_label(side) if side else name
