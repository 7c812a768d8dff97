"""The app: addresses, the guard around them, and a page for everything that can go wrong."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route, Router

from quorate.errors import LinkError, StoreError, StudyError
from quorate.languages import choose, noted
from quorate.study import Study
from quorate.web import desk, doors, files, practice, raters, replies, submit, work
from quorate.web.pages import gettext, render
from quorate.web.preview import Preview
from quorate.web.security import HEADERS, Guard
from quorate.web.site import ExpiredError, HeldError, Site, UnknownArrivalError
from quorate.web.views import shared
from quorate.web.visits import switching


def make_app(study: Study, *, public_url: str | None = None) -> Starlette:
    """The web room of a study: rater pages, desk, files. The study is prepared first if it is not yet."""
    site = Site(study.protocol, study.store, study.prepare(apart=True), public_url=public_url)
    platform = [
        Route("/", doors.show_root),
        Route("/join", doors.join_from_platform),
        Route("/join/{handle}/consent", doors.take_arrival, methods=["POST"]),
        Route("/join/{handle}/{step}", doors.show_arrival),
        Route("/join/{handle}/", doors.show_arrival),
    ]
    app = _app(site, [*rater_routes(), *platform, *desk.routes(Preview(preview_app)), *file_routes()])
    app.state.study = study
    return app


def preview_app(site: Site) -> Starlette:
    """The same pages over another store, below the desk."""
    return _app(site, rater_routes())


def _app(site: Site, routes: list[BaseRoute]) -> Starlette:
    handlers: Any = {LinkError: on_error, StudyError: on_error, HTTPException: on_error, Exception: on_error}
    app = Starlette(routes=routes, middleware=[Middleware(Guard, refuse=on_error)], exception_handlers=handlers)
    # A redirect to the same address with a slash would be made from the Host header.
    app.router.redirect_slashes = False
    app.state.site = site
    return app


def rater_routes() -> list[BaseRoute]:
    """The rater's pages; the address that is asked for most comes first."""
    own = [
        Route("/work/{assignment}", switching(work.show_work)),
        Route("/work", switching(work.show_next)),
        Route("/", switching(raters.start)),
        Route("/consent", raters.take_consent, methods=["POST"]),
        Route("/practice/{position:int}", practice.take_practice, methods=["POST"]),
        Route("/practice/{position:int}", switching(practice.show_practice)),
        Route("/practice/{position:int}/answer", practice.take_answer, methods=["POST"]),
        Route("/practice/{position:int}/answer", switching(practice.show_answer)),
        Route("/examples", switching(practice.show_examples)),
        Route("/withdraw", raters.take_withdraw, methods=["POST"]),
        Route("/withdraw", switching(raters.show_withdraw)),
        Route("/download.csv", raters.own_csv),
        Route("/here", doors.come_back),
        Route("/{step}", raters.take_step, methods=["POST"]),
        Route("/{step}", switching(raters.show_step)),
    ]
    hot = Route("/r/{handle}/work/{assignment}", submit.submit, methods=["POST"])
    below = Mount("/r/{handle}", Router(own, redirect_slashes=False))
    return [hot, Route("/r/{handle}", switching(raters.start)), below, Route("/join/{token}", doors.join)]


def file_routes() -> list[BaseRoute]:
    """Our own files and the study's media."""
    return [
        Route("/static/{version}/{name}", files.static),
        Route("/media/{name}", files.media),
    ]


_log = logging.getLogger(__name__)
#: The folders before the name of a file, where a path begins a text or a word.
_FOLDERS = re.compile(r"(?:(?<=^)|(?<=[\s'\"(“‘]))/(?:[^/\n:'\"“”]+/)+")

#: Which page says what to do now, by what went wrong.
_KINDS = {401: "expired", 403: "form", 404: "missing", 405: "missing", 413: "large", 429: "often"}


async def on_error(request: Request, error: Exception) -> Response:
    """A page that says what to do now; for a script, the same sentence."""
    site: Site = request.app.state.site
    at_desk = request.scope["path"].startswith(("/desk", "/team/"))
    language = "en" if at_desk else choose(request.headers.get("accept-language", ""), site.protocol.languages)
    sentences = _AT_DESK if at_desk else _FROM_PLATFORM if site.protocol.raters.platform else _SENTENCES
    status, kind, message = _what(error, language, sentences)
    if replies.wants_json(request):
        return replies.data({"message": message, "url": None}, status)
    headers = {"retry-after": "60"} if status == 429 else {}
    if status == 500:
        # This reply is made outside the guard.
        headers |= {name.decode(): value.decode() for name, value in HEADERS}
    html = render(
        "error.html", language, **shared(request, site, language), kind=kind, message=message,
        contact="" if at_desk else site.protocol.raters.contact,
    )  # fmt: skip
    return replies.page(request, html, status, headers)


def _what(error: Exception, language: str, sentences: Mapping[str, str]) -> tuple[int, str, str]:
    """The status, the kind of page, and what to do now, the same for people and for scripts."""
    _ = gettext(language)
    if isinstance(error, StudyError) and not isinstance(error, ExpiredError):
        if isinstance(error, StoreError):
            # It may be again in a moment: the browser keeps the answer and sends it again. Where the database is, and
            # what ails it, is for whoever runs the server.
            _log.warning("%s", error)
            told = sentences["store"]
            return 503, "study", _(told).format(why=without_folders(str(error)))
        status = 403 if isinstance(error, LinkError) else 409
        kind = "held" if isinstance(error, HeldError) else "link" if status == 403 else "study"
        return status, kind, _(str(error))
    status = error.status_code if isinstance(error, HTTPException) else 500
    kind = "bug" if status == 500 else _KINDS.get(status, "missing")
    if isinstance(error, ExpiredError):
        status, kind = 401, "unknown" if isinstance(error, UnknownArrivalError) else "expired"
    return status, kind, _(sentences[kind])


def without_folders(text: str) -> str:
    """A sentence with the names of files alone, and not where on this machine they lie.

    >>> without_folders("/srv/my study/study.sqlite: it was moved. Is /mnt/disk/x there? See https://a.example/b/c.")
    'study.sqlite: it was moved. Is x there? See https://a.example/b/c.'
    """
    return _FOLDERS.sub("", text)


_SENTENCES = {
    "store": noted(
        "Nothing can be stored just now, and that is no fault of yours. Please leave this page open and send it again "
        "in a minute. If it happens again, tell the person who invited you."
    ),
    "expired": noted(
        "This browser does not know you any more. Please open your personal link again: it brings you back to where "
        "you left off, and everything you sent is kept."
    ),
    "unknown": noted(
        "This browser does not say who you are. Please open the link that you came by once more. Before you agree to "
        "take part nothing is recorded of you; if you have agreed, the link says how to go on."
    ),
    "form": noted(
        "The page you sent was too old, or came from somewhere else. Go back, reload the page, and send it again. "
        "What you typed is kept in this browser."
    ),
    "missing": noted("Please open the personal link from your invitation: it brings you to the right place."),
    "large": noted("Go back, shorten the text, and send it again."),
    "often": noted(
        "Too many links that do not work were tried from here. Wait a minute, then open your whole link again."
    ),
    "bug": noted(
        "This page could not be made, and that is no fault of yours. Please reload it in a minute. If it happens "
        "again, tell the person who invited you."
    ),
}

#: Who came from a platform has a personal link only if they took it from a page of ours.
_FROM_PLATFORM = _SENTENCES | {
    "expired": noted(
        "This browser does not know you any more. Everything you sent is kept. If you have noted your personal link, "
        "please open it; if not, the link that you came by says what to do."
    ),
    "missing": noted("Please open the link that you came by: it brings you to the right place, or says what to do."),
}

#: The desk is the researcher's, whom nobody invited, and speaks English.
_AT_DESK = _SENTENCES | {
    "store": "{why}",
    "expired": (
        "This browser does not know you any more. Open your member’s link again; if it is lost, quorate invite "
        "--member NAME makes a new one."
    ),
    "missing": "The desk has no page at this address. Its pages are named at the top of each of them, from /desk/ on.",
    "bug": (
        "This page could not be made. That is a fault in Quorate: please report it, with what was written where "
        "quorate serve runs."
    ),
}
