"""The practice round in the browser: its items, and the right answers after each or after all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from quorate.collect import practice, way
from quorate.collect.forms import FormError
from quorate.collect.practice import Feedback, practice_shown
from quorate.collect.way import Step
from quorate.errors import ClosedError, StaleError
from quorate.languages import Words, say
from quorate.records import Item
from quorate.web.forms import media_failed_everywhere, own_form
from quorate.web.fragments import asks_of, fragment, media_of, stimulus, typed
from quorate.web.pages import gettext
from quorate.web.replies import first, see_other
from quorate.web.site import Site
from quorate.web.submit import read_report
from quorate.web.views import rater_page
from quorate.web.visits import Visit, address, visit

#: Steps at which the right answers of the practice round can be read again.
EXAMPLES = (Step.FEEDBACK, Step.WORK, Step.BREAK, Step.DEBRIEF)


@dataclass(frozen=True, slots=True)
class Given:
    """One question of a practice item: what was answered beside what is right."""

    prompt: str
    said: str
    right: str
    correct: bool | None


@dataclass(frozen=True, slots=True)
class Round:
    """One practice item with its answers; `stimulus` is what was shown, as HTML."""

    position: int
    stimulus: str
    answers: tuple[Given, ...]
    explanation: Words

    @property
    def is_right(self) -> bool:
        """Whether every answer is the right one."""
        return all(answer.correct for answer in self.answers)


def is_after_each(site: Site) -> bool:
    """Whether the right answer follows each item."""
    rule = site.protocol.raters.practice
    return rule is not None and rule.feedback == way.AFTER_EACH and bool(site.protocol.practice_answered)


def rounds(here: Visit) -> list[Round]:
    """Every practice item that was answered, in order, with what is right."""
    site, session = here.site, here.session
    by_item: dict[str, list[Feedback]] = {}
    language = session.language
    for row in site.read(session, lambda tx: practice.practice_round(tx, site.protocol, session.person, language)):
        by_item.setdefault(row.item.id, []).append(row)
    items = way.practice_items(site.protocol)
    answered = here.now.answered if here.now.step in (Step.PRACTICE, Step.ANSWER) else len(items)
    return [
        _round(here, position, item, by_item.get(item.id, []))
        for position, item in enumerate(items[:answered], start=1)
    ]


def _round(here: Visit, position: int, item: Item, rows: list[Feedback]) -> Round:
    site, language = here.site, here.session.language
    section, rule = site.protocol.practice_section, site.protocol.raters.practice
    explanation = item.fields.get(rule.explanation) if rule and rule.explanation else ""
    shown = practice_shown(site.protocol, item, here.session.person)
    what = stimulus(site, media_of(section), item, shown, language)
    return Round(position, what, tuple(_given(here, row) for row in rows), explanation or "")


def _given(here: Visit, row: Feedback) -> Given:
    protocol, language = here.site.protocol, here.session.language
    prompt = say(protocol.ask(protocol.practice_section.id, row.question).question.prompt, language)
    stated = protocol.raters.practice.answers if protocol.raters.practice else {}
    # Where a question has no words for a value, such as a number, the value says it.
    right = row.right or (practice.stated_answer(row.item, stated[row.question]) if row.question in stated else "")
    return Given(prompt, _words(row.raw, language), _words(right, language), row.correct)


def _words(value: Any, language: str) -> str:
    """An answer in the rater's language: "Yes", "Tie" and the like are the interface's own words."""
    _ = gettext(language)
    return _("none") if value is None or value == "" else _(str(value))


async def show_practice(request: Request) -> Response:
    """One practice item."""
    here = visit(request)
    if here.now.step is not Step.PRACTICE or request.path_params["position"] != here.now.position:
        return see_other(here.address)
    return _page(request, here, {}, None)


def _page(
    request: Request, here: Visit, values: Mapping[str, Any], errors: Mapping[str, Any] | None, status: int = 200
) -> Response:
    item = way.practice_items(here.site.protocol)[here.now.position - 1]
    section = here.site.protocol.practice_section
    shown = practice_shown(here.site.protocol, item, here.session.person)
    html = fragment(here.site, section, item, shown, here.session.language, values, errors)
    return rater_page(request, here, "practice.html", status, item=html, follows=_follows(here.site))


def _follows(site: Site) -> str:
    """When a rater sees what is right: after each item, after the round, or never where nobody says what is."""
    if not site.protocol.practice_answered:
        return ""
    return "each" if is_after_each(site) else "round"


async def take_practice(request: Request) -> Response:
    """The answer to one practice item; what is right follows at once, or after the round."""
    site: Site = request.app.state.site
    session = site.rater(request)
    form = media_failed_everywhere(await own_form(request, site, session), asks_of(site.protocol.practice_section))
    position = request.path_params["position"]
    evidence = read_report(site, msgspec.Raw(first(form, "_evidence", "{}").encode()))
    try:
        now = await site.write(
            session, lambda tx: practice.practice_answer(tx, site.protocol, session.person, position, form, evidence)
        )
    except FormError as error:
        values = typed(asks_of(site.protocol.practice_section), form)
        return _page(request, visit(request), values, error.errors, 422)
    except (StaleError, ClosedError):
        return see_other(visit(request).address)
    if is_after_each(site) and now.step in (Step.ANSWER, Step.FEEDBACK):
        return see_other(f"{site.root(session)}/practice/{position}/answer")
    return see_other(address(site, session, now))


async def show_answer(request: Request) -> Response:
    """What is right for one practice item that was answered, before the next one comes."""
    here = visit(request)
    steps = (Step.PRACTICE, Step.ANSWER, Step.FEEDBACK)
    known = rounds(here) if here.now.step in steps and is_after_each(here.site) else []
    position = request.path_params["position"]
    if not 1 <= position <= len(known):
        return see_other(here.address)
    is_last = here.now.step is Step.FEEDBACK
    return rater_page(request, here, "answer.html", round=known[position - 1], is_last=is_last)


async def take_answer(request: Request) -> Response:
    """The rater has read what is right, and goes on."""
    site: Site = request.app.state.site
    session = site.rater(request)
    await own_form(request, site, session)
    position = request.path_params["position"]
    now = await site.write(session, lambda tx: practice.answer_seen(tx, site.protocol, session.person, position))
    return see_other(address(site, session, now))


async def show_examples(request: Request) -> Response:
    """The practice round with its right answers, to be read again at work."""
    here = visit(request)
    if here.now.step not in EXAMPLES or here.site.protocol.raters.practice is None:
        return see_other(here.address)
    return rater_page(request, here, "feedback.html", rounds=rounds(here), again=True)
