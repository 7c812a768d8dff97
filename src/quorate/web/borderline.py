"""The borderline queue: near misses that the team decides, each member alone, without knowing whose they are."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from quorate.collect.borderline import vote, votes
from quorate.collect.gather import gather
from quorate.errors import StudyError
from quorate.languages import say
from quorate.protocol import Protocol
from quorate.store import Tx
from quorate.web.replies import first, see_other
from quorate.web.site import Site
from quorate.web.views import desk_page, member_form, seen_by

#: How many members at least decide about an answer; the analysis holds them to the same number.
VOTERS = 3


@dataclass(frozen=True, slots=True)
class Case:
    """One answer to decide about: what it was held against, and what this member has said."""

    section: str
    question: str
    prompt: str
    target: str
    canonical: str
    mine: bool | None
    n_votes: int
    decided: bool | None


def routes() -> list[BaseRoute]:
    """The queue's addresses, below the desk."""
    return [
        Route("/borderline", show),
        Route("/borderline", cast, methods=["POST"]),
        Route("/borderline/declare", declare, methods=["POST"]),
    ]


async def show(request: Request) -> Response:
    """The queue, after a member has said that they are no rater of this study."""
    site: Site = request.app.state.site
    session = seen_by(request)
    declared, cases = await run_in_threadpool(
        site.read, session, lambda tx: (has_rated(tx, session.person), queue(tx, site.protocol, session.person))
    )
    return desk_page(
        request, session, "desk/borderline.html", has_rated=declared, voters=VOTERS,
        waiting=[case for case in cases if case.decided is None and case.mine is None],
        voted=[case for case in cases if case.decided is None and case.mine is not None],
        decided=[case for case in cases if case.decided is not None],
    )  # fmt: skip


def queue(tx: Tx, protocol: Protocol, member: str) -> list[Case]:
    """Every near miss as one member may see it: not who gave it, not how often, not what it would change."""
    # The analysis brings numpy, which a server that nobody asks for the queue does without.
    from quorate.sheets.decisions import borderline

    newest = {(v.section, v.question, v.target, v.canonical): v.correct for v in votes(tx) if v.member == member}
    cases = []
    for near in borderline(protocol, gather(tx, protocol=protocol)):
        key = (near.section, near.question, near.target, near.canonical)
        prompt = say(protocol.ask(near.section, near.question).question.prompt)
        n = near.votes_for + near.votes_against
        cases.append(
            Case(near.section, near.question, prompt, near.target, near.canonical, newest.get(key), n, near.correct)
        )
    return cases


def has_rated(tx: Tx, member: str) -> bool | None:
    """Whether a member has said to be a rater of this study; None before they were asked."""
    said = [event.data["rated"] for event in tx.events(kinds=["declared"]) if event.data["member"] == member]
    return said[-1] if said else None


async def declare(request: Request) -> Response:
    """Records whether a member is a rater of this study: raters do not decide about answers."""
    site: Site = request.app.state.site
    session, form = await member_form(request)
    data = {"member": session.person, "rated": first(form, "_rated") == "yes"}
    await site.write(session, lambda tx: tx.add_event("declared", data=data))
    return see_other("/desk/adjudication" if first(form, "_to") == "adjudication" else "/desk/borderline")


async def cast(request: Request) -> Response:
    """Records one vote; the newest of a member counts."""
    site: Site = request.app.state.site
    session, form = await member_form(request)
    section, question = first(form, "_section"), first(form, "_question")
    target, canonical = first(form, "_target"), first(form, "_canonical")
    correct = {"yes": True, "no": False}.get(first(form, "_vote"))
    if correct is None:
        raise StudyError("Choose whether the answer is right.")

    def verb(tx: Tx) -> None:
        if has_rated(tx, session.person) is not False:
            raise StudyError("Raters of this study cannot decide about its answers.")
        vote(tx, session.person, section, question, target, canonical, correct, first(form, "_reason"))

    await site.write(session, verb)
    return see_other("/desk/borderline")
