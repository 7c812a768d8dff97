"""How raters come in: by a personal link, or from a platform with their id there; they come back as who they were."""

from __future__ import annotations

import re

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from quorate.collect import links, way
from quorate.collect.links import Entry
from quorate.errors import ClosedError, LinkError
from quorate.languages import choose, noted
from quorate.protocol import Protocol
from quorate.store import Tx
from quorate.web.replies import see_other
from quorate.web.site import Site

_EXTERNAL_ID = re.compile(r"[\w.:@-]{1,128}")


async def join(request: Request) -> Response:
    """A personal link: a cookie for this rater's pages, and on to where the rater left off."""
    site: Site = request.app.state.site
    with site.guessing(request):
        entry = site.store.read(lambda tx: links.enter_as(tx, "rater", request.path_params["token"]))
    return _let_in(request, site, entry)


async def join_from_platform(request: Request) -> Response:
    """A link that a platform has put the rater's id into; the id is kept apart, and leaves the address at once."""
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
        entry = await site.store.ado(lambda tx: enter_from_platform(tx, site.protocol, external, panel))
    return _let_in(request, site, entry)


def enter_from_platform(tx: Tx, protocol: Protocol, external: str, panel: str = "") -> Entry:
    """The rater who has this id on the platform, a new one where nobody has it and there is a place."""
    platform = protocol.raters.platform
    assert platform is not None, "someone comes from a platform"
    known = tx.platform_rater(platform.name, external)
    if known is not None:
        working = [row.token_hash for row in tx.links() if row.person == known and row.revoked_at is None]
        if not working:
            raise LinkError(noted("This link has been replaced or withdrawn. Please ask for a new one."))
        return Entry("rater", known, working[-1])
    if panel not in links.panels(protocol):
        raise LinkError(
            noted("This link does not say which part of the study it is for. Please ask for the whole link.")
        )
    if not way.is_open(tx):
        raise ClosedError(noted("The study is not open just now. Nothing was recorded; please try again later."))
    if not links.places_left(tx, protocol, panel):
        raise ClosedError(
            noted("All places in this study are taken. Nothing was recorded. Thank you for your interest.")
        )
    made = links.invite(tx, protocol, 1, panel)[0]
    tx.add_platform_id(made.person, platform.name, external)
    return Entry("rater", made.person, links.token_hash(made.token))


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
