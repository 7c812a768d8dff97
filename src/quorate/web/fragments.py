"""One item as HTML: what is shown and what is asked, the same for the page, the script and the practice round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from markupsafe import Markup

from quorate.collect.anchoring import Scores
from quorate.collect.evidence import MEDIA
from quorate.languages import Words
from quorate.media import Medium
from quorate.protocol import Asks, Section
from quorate.records import Item, Shown
from quorate.web.asks import sentence, shown_asks, typed
from quorate.web.pages import render
from quorate.web.site import Site

MOST_KEPT = 20_000
__all__ = ["asks_of", "fragment", "media_of", "sentence", "shown_asks", "typed"]


def asks_of(section: Section) -> tuple[Asks, ...]:
    """The questions of a section."""
    return section.ask


def media_of(section: Section) -> tuple[Medium, ...]:
    """What a section shows."""
    shows: tuple[Any, ...] = section.show
    return tuple(show.part for show in shows)


def fragment(
    site: Site,
    section: Section,
    item: Item,
    shown: Shown,
    language: str,
    raw: Mapping[str, Any],
    errors: Mapping[str, Any] | None = None,
    scores: Scores = MappingProxyType({}),
) -> str:
    """An item's HTML; where it holds nothing of one rater it is made once and kept. `scores` are a judge's."""
    if raw or errors or scores:
        return _render(site, section, item, shown, language, raw, errors, scores)
    key = (section.id, item.id, _key(shown), language)
    return _kept(site.fragments, key, lambda: _render(site, section, item, shown, language, {}, None, {}))


def _kept(kept: dict[Any, str], key: Any, make: Callable[[], str]) -> str:
    """What was made before for this key, else what is made now; the memory that it takes is bounded."""
    found = kept.get(key)
    if found is None:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        found = kept[key] = make()
    return found


def _key(shown: Shown) -> Any:
    if not shown.sides and not shown.options:
        return None
    return tuple(sorted(shown.sides.items())), tuple(sorted((k, tuple(v)) for k, v in shown.options.items()))


def _asked_key(site: Site, section: Section, item: Item, shown: Shown, language: str) -> Any:
    """Everything that decides what is asked, and how: fields in conditions, options and tags; sides and orders."""
    if section.id not in site.asked_fields:
        site.asked_fields[section.id] = sorted({name for ask in section.ask for name in ask.item_fields()})
    named = tuple(repr(item.fields.get(name)) for name in site.asked_fields[section.id])
    return section.id, language, _key(shown), named


def _asked(section: Section, item: Item, shown: Shown, language: str, raw: Mapping[str, Any], errors: Any) -> Markup:
    asks = shown_asks(asks_of(section), shown, raw, language, errors, item)
    return Markup(render("asks.html", language, asks=asks, item=item, shown=shown))


def _said(section: Section, item: Item, shown: Shown, language: str, scores: Scores) -> list[tuple[Words, str]]:
    """What a judge said to each question, in the words of the page: by side, never by system."""
    said = []
    for ask in section.ask:
        if ask.id in scores:
            words = ask.question.describe(scores[ask.id], shown.to(ask.id), item, language)
            said.append((ask.question.prompt, words or str(scores[ask.id])))
    return said


def _render(
    site: Site, section: Section, item: Item, shown: Shown, language: str, raw: Mapping[str, Any], errors: Any,
    scores: Scores,
) -> str:  # fmt: skip
    asked: str
    if raw or errors:
        asked = _asked(section, item, shown, language, raw, errors)
    else:
        # What is asked is mostly the same for every item: it is made once for the fields it depends on.
        asked = _kept(
            site.asked,
            _asked_key(site, section, item, shown, language),
            lambda: _asked(section, item, shown, language, {}, None),
        )
    return render(
        "item.html",
        language,
        name=site.item_name(item.id),
        item=item,
        shown=shown,
        note=section.note,
        guide=site.protocol.guide(section, item, language),
        media=media_of(section),
        asked=asked,
        scores=_said(section, item, shown, language, scores),
        address=site.media,
        media_error=sentence(errors[MEDIA], language) if errors and MEDIA in errors else "",
    )
