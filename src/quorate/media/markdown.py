"""A text with Markdown, such as a model writes: what a model writes is hostile until it is cleaned."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar

from markupsafe import Markup, escape

from quorate.media.base import Contents, FieldMedium
from quorate.records import Item, Shown

MOST = 200_000
"""Above so many characters a text is shown plain: nobody reads it, and nobody should wait for it."""

_TAGS = {
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "a", "strong", "em", "s", "code", "pre", "blockquote", "hr", "br"),
    *("ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td"),
}
_LOWER_BY = 2


class MarkdownMedium(FieldMedium):
    """A text in a field of the item, with its headings, lists, tables and code."""

    template: ClassVar[str] = "media/markdown.html"

    def html(self, item: Item) -> Markup:
        """The text as clean HTML."""
        return rendered(str(item.fields.get(self.field) or ""))

    def as_content(self, item: Item, shown: Shown, files: Mapping[str, bytes]) -> Contents:
        return [{"type": "text", "text": str(item.fields.get(self.field) or "")}]


def rendered(text: str) -> Markup:
    """Markdown as HTML that can do nothing: no raw HTML, no pictures, no styles, and links that only lead away.

    >>> rendered("**bold** <script>alert(1)</script>")
    Markup('<p><strong>bold</strong> &lt;script&gt;alert(1)&lt;/script&gt;</p>\\n')
    """
    if len(text) > MOST:
        return Markup("<p>") + escape(text) + Markup("</p>")
    import nh3

    html = nh3.clean(
        _parser().render(text),
        tags=_TAGS,
        attributes={"*": set(), "a": {"href"}, "ol": {"start"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )
    return Markup(html)


@cache
def _parser() -> Any:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")
    parser.core.ruler.push("lower_headings", _lower_headings)
    return parser


def _lower_headings(state: Any) -> None:
    # The page has headings of its own; those of a text stand below them, so that a screen reader finds its way.
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1:]) + _LOWER_BY)}"
