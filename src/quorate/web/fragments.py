"""One item as HTML: what is shown and what is asked, the same for the page, the script and the practice round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

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
__all__ = ["asks_of", "fragment", "media_of", "sentence", "shown_asks", "stimulus", "typed"]

Around = tuple[str, str, str]
"""The HTML before an item's name, between it and what is shown, and after that."""
_NAME, _STIMULUS = Markup("\x01"), Markup("\x02")
T = TypeVar("T")


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


def _kept(kept: dict[Any, T], key: Any, make: Callable[[], T]) -> T:
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
    guide = site.protocol.guide(section, item, language)

    def around() -> Around:
        asked = _asked(section, item, shown, language, raw, errors)
        said = _said(section, item, shown, language, scores)
        return _around(section, language, guide, asked, said, errors)

    if raw or errors or scores:
        before, between, after = around()
    else:
        # What stands around an item is mostly the same for all: it is made once for the fields it depends on.
        key = (*_asked_key(site, section, item, shown, language), guide)
        before, between, after = _kept(site.around, key, around)
    what = stimulus(site, media_of(section), item, shown, language)
    return f"{before}{what}{between}{site.item_name(item.id)}{after}"


def _around(section: Section, language: str, guide: str, asked: Markup, said: Any, errors: Any) -> Around:
    html = render(
        "item.html",
        language,
        name=_NAME,
        stimulus=_STIMULUS,
        note=section.note,
        guide=guide,
        asked=asked,
        scores=said,
        media_error=sentence(errors[MEDIA], language) if errors and MEDIA in errors else "",
    )
    before, _, rest = html.partition(_STIMULUS)
    between, _, after = rest.partition(_NAME)
    return before, between, after


def stimulus(site: Site, media: Iterable[Medium], item: Item, shown: Shown, language: str) -> Markup:
    """What is shown of an item, medium by medium."""
    parts = (
        render(medium.template, language, medium=medium, item=item, shown=shown, address=site.media)
        for medium in media
        if medium.applies(item)
    )
    return Markup("".join(parts))
