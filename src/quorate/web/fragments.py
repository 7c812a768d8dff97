"""One item as HTML: what is shown and what is asked, the same for the page, the script and the practice round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quorate.collect.evidence import MEDIA
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
        shown=shown,
        note=section.note,
        guide=site.protocol.guide(section, item, language),
        media=media_of(section),
        asks=shown_asks(asks_of(section), shown, raw, language, errors, item),
        address=site.media,
        media_error=sentence(errors[MEDIA], language) if errors and MEDIA in errors else "",
    )
