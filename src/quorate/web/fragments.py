"""One item as HTML: what is shown and what is asked, the same for the page, the script and the practice round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quorate.collect.forms import fields_of
from quorate.errors import AnswerError
from quorate.media import Medium
from quorate.protocol import Asks, Section
from quorate.questions import Question
from quorate.records import Item, Shown
from quorate.web.pages import gettext, render
from quorate.web.site import Site

MOST_KEPT = 20_000


@dataclass(frozen=True, slots=True)
class ShownAsk:
    """One question on a page: its field names begin with its id; `value` is what its fields hold."""

    id: str
    question: Question
    shown: Shown
    value: Any
    error: str


def shown_asks(
    asks: Iterable[Asks], shown: Shown, raw: Mapping[str, Any], language: str, errors: Mapping[str, Any] | None = None
) -> list[ShownAsk]:
    """The questions as a page shows them, with earlier answers and with what is wrong."""
    return [
        ShownAsk(
            ask.id,
            ask.question,
            shown,
            raw.get(ask.id),
            sentence(errors[ask.id], language) if errors and ask.id in errors else "",
        )
        for ask in asks
    ]


def asks_of(section: Section) -> tuple[Asks, ...]:
    """The questions of a section."""
    return section.ask


def media_of(section: Section) -> tuple[Medium, ...]:
    """What a section shows."""
    shows: tuple[Any, ...] = section.show
    return tuple(show.part for show in shows)


def typed(asks: Iterable[Asks], form: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """What a posted form holds for each question, to be shown again beside what is wrong with it."""
    return {ask.id: ask.question.read_form(fields_of(form, ask.id)) for ask in asks}


def sentence(error: AnswerError, language: str) -> str:
    """What is wrong, in the rater's language."""
    return gettext(language)(error.sentence).format(**error.details)


def fragment(
    site: Site,
    section: Section,
    item: Item,
    shown: Shown,
    language: str,
    raw: Mapping[str, Any],
    errors: Mapping[str, Any] | None = None,
) -> str:
    """An item's HTML; where it holds nothing of one rater it is made once and kept."""
    if raw or errors:
        return _render(site, section, item, shown, language, raw, errors)
    key = (section.id, item.id, _key(shown), language)
    kept = site.fragments.get(key)
    if kept is None:
        if len(site.fragments) >= MOST_KEPT:
            site.fragments.clear()
        kept = site.fragments[key] = _render(site, section, item, shown, language, {}, None)
    return kept


def _key(shown: Shown) -> Any:
    if not shown.sides and not shown.options:
        return None
    return tuple(sorted(shown.sides.items())), tuple(sorted((k, tuple(v)) for k, v in shown.options.items()))


def _render(
    site: Site, section: Section, item: Item, shown: Shown, language: str, raw: Mapping[str, Any], errors: Any
) -> str:
    return render(
        "item.html",
        language,
        name=site.item_name(item.id),
        item=item,
        media=media_of(section),
        asks=shown_asks(asks_of(section), shown, raw, language, errors),
        address=site.media,
    )
