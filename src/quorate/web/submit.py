"""The hot path: one POST stores the answers to one item and brings the next ones.

It comes as a form from the browser itself, and as JSON from our script; both become a `Sent`, and the rest is one way.
"""

from __future__ import annotations

import re
from asyncio import Future
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
from quorate.collect.work import Receipt, Submission
from quorate.errors import ClosedError, StaleError
from quorate.languages import say
from quorate.web import replies, work
from quorate.web.forms import media_failed_everywhere
from quorate.web.fragments import asks_of, sentence, typed
from quorate.web.pages import gettext
from quorate.web.replies import MAX_FIELDS, MAX_KEY, Fields, clean, first, see_other, wants_json
from quorate.web.security import Session
from quorate.web.site import Site
from quorate.web.views import rater_page
from quorate.web.visits import address, visit

MAX_EVIDENCE = 8192
MAX_PARTS = 400
MAX_REVISION = 2**31
#: What no browser reports of itself: a number beyond what it counts with, or a NUL.
_NEVER_REPORTED = re.compile(rb"(?<![.0-9])[0-9]{16}|\\u0000")


class Sent(msgspec.Struct):
    """What a page of ours sends: `fields` are the answers, the rest is about them."""

    csrf: str
    key: str
    fields: Fields
    revision: int = 0
    #: What the browser reports: kept as it came until it is known to be small enough to be looked at.
    evidence: msgspec.Raw = msgspec.Raw(b"{}")
    #: The assignments that the page holds, and does not need again.
    held: list[str] = []


decode = msgspec.json.Decoder(Sent).decode


async def read_sent(request: Request) -> Sent:
    """What was posted; a 400 where it is not what a page of ours sends."""
    read = decode if _is_json(request) else _from_form
    return check(replies.understood(await replies.read_body(request), read))


def check(sent: Sent) -> Sent:
    """The same, cleaned; a 400 where it is larger than anything that a page of ours sends."""
    sent.key = clean(sent.key)
    if not 0 < len(sent.key) <= MAX_KEY or not 0 <= sent.revision < MAX_REVISION or len(sent.fields) > MAX_FIELDS:
        raise HTTPException(400)
    # A field without a value is one that was not sent.
    sent.fields = {clean(name): [clean(value) for value in values] for name, values in sent.fields.items() if values}
    return sent


def _is_json(request: Request) -> bool:
    return request.headers.get("content-type", "").startswith("application/json")


def _from_form(body: bytes) -> Sent:
    form = replies.parse_form(body.decode())
    fields = {name: values for name, values in form.items() if not name.startswith("_") or name == "_media_failed"}
    return Sent(
        csrf=first(form, "_csrf"),
        key=first(form, "_key"),
        fields=fields,
        revision=int(first(form, "_revision", "0")),
        evidence=msgspec.Raw(first(form, "_evidence", "{}").encode()),
        held=first(form, "_held").split(),
    )


async def submit(request: Request) -> Response:
    """Stores all answers to one item at once; the reply follows the commit and brings what comes next."""
    site: Site = request.app.state.site
    session = site.rater(request)
    sent = await read_sent(request)
    try:
        receipt = await queue(site, session, request.headers, request.path_params["assignment"], sent)
    except FormError as error:
        return await _refused(request, site, session, sent, error)
    except (StaleError, ClosedError) as error:
        return _too_late(request, session, sent, error)
    if wants_json(request):
        return replies.data(receipt_data(site, session, receipt))
    if receipt.step is Step.WORK and receipt.next is not None:
        return see_other(f"{site.root(session)}/work/{receipt.next}")
    return see_other(f"{site.root(session)}/")


def queue(site: Site, session: Session, headers: Mapping[str, str], assignment: str, sent: Sent) -> Future[Receipt]:
    """Queues what was sent about an assignment; a 403 where no page of ours sent it."""
    if not site.raters.is_own_form(headers, session, sent.csrf):
        raise HTTPException(403)
    submission = as_submission(site, session, assignment, sent)
    return site.store.put(lambda tx: collect.submit(tx, site.protocol, session.person, submission, sent.held))


def as_submission(site: Site, session: Session, assignment: str, sent: Sent) -> Submission:
    """What was sent, as `collect` takes it; evidence that cannot be read is no reason to lose an answer."""
    fields = sent.fields
    if "_media_failed" in fields:
        fields = media_failed_everywhere(
            fields, [ask for section in site.protocol.sections for ask in asks_of(section)]
        )
    return Submission(sent.key, assignment, fields, read_report(site, sent.evidence), sent.revision, session.link)


def read_report(site: Site, sent: msgspec.Raw) -> dict[str, Any]:
    """What the browser reports, by path; nothing where it cannot be read or is too long."""
    report = bytes(sent)
    # One that nests so deep is not read; each level of it opens with one of these.
    is_odd = len(report) > MAX_EVIDENCE or report.count(b"[") + report.count(b"{") > MAX_PARTS
    if is_odd or _NEVER_REPORTED.search(report):
        return {}
    try:
        evidence = msgspec.json.decode(report)
    except ValueError:
        return {}
    return with_paths(evidence, site.staged.names) if isinstance(evidence, dict) else {}


def receipt_data(site: Site, session: Session, receipt: Receipt) -> dict[str, Any]:
    """The receipt for the script."""
    is_work = receipt.step is Step.WORK
    return {
        "outcome": receipt.outcome,
        "revision": receipt.revision,
        "answered": receipt.answered,
        "total": receipt.total,
        "pause_at": work.pause_at(site.protocol, receipt.answered, receipt.total),
        "warned": [say(words, session.language) for words in receipt.warned],
        "url": None if is_work else address(site, session, Where(session.person, receipt.step)),
        "places": [
            work.as_data(site, site.protocol.section(place.assignment.section), place, session)
            for place in receipt.ahead
        ],
    }


async def _refused(request: Request, site: Site, session: Session, sent: Sent, error: FormError) -> Response:
    """An answer that its question does not allow: said at the field, and nothing typed is lost."""
    if wants_json(request):
        said = {question: sentence(wrong, session.language) for question, wrong in error.errors.items()}
        return replies.data({"errors": said}, 422)
    try:
        found = await work.find_work(site, session, request.path_params["assignment"])
    except StaleError as stale:  # it went to others meanwhile
        return _too_late(request, session, sent, stale)
    raw = typed(asks_of(found.section), sent.fields)
    return work.work_page(request, visit(request), found, raw, error.errors, 422)


def _too_late(request: Request, session: Session, sent: Sent, error: Exception) -> Response:
    """An answer that may not be stored any more: why, where to go on, and what was typed."""
    here = visit(request)
    if wants_json(request):
        return work.told(here.site, session, here.now, error, 409)
    said = gettext(session.language)(str(error))
    words = [value for name, values in sent.fields.items() if not name.startswith("_") for value in values if value]
    return rater_page(request, here, "stale.html", 409, message=said, typed=words, go_on=here.address)
