"""Templates → pages: one environment a language, compiled once, with what every page may call."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined, Template
from markupsafe import Markup

from quorate.languages import LANGUAGES, Words, say, translation

_HERE = Path(__file__).parent
_HOUSE = _HERE.parent


@cache
def environment(language: str) -> Environment:
    """The environment of one language; a template is compiled at its first use and kept."""
    parts = PrefixLoader({part: FileSystemLoader(_HOUSE / part) for part in ("questions", "media")})
    made = Environment(
        loader=ChoiceLoader([FileSystemLoader(_HERE / "templates"), parts]),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.install_gettext_translations(translation(language), newstyle=True)  # type: ignore[attr-defined]
    made.globals.update(
        language=language,
        language_names=LANGUAGES,
        say=lambda words: say(words, language),
        markdown=markdown,
    )
    return made


@cache
def template(name: str, language: str) -> Template:
    """A compiled template in a language."""
    found = environment(language).get_template(name)
    # Each rendering copies them, which takes ten times as long from a chain of dictionaries.
    found.globals = dict(found.globals)
    return found


def render(name: str, language: str, /, **context: Any) -> str:
    """A page as text."""
    return template(name, language).render(context)


def gettext(language: str) -> Callable[[str], str]:
    """The interface's texts in a language."""
    return translation(language).gettext


@lru_cache(maxsize=256)
def markdown(text: str) -> Markup:
    """A study's Markdown as HTML: no raw HTML comes through, and what is left is cleaned."""
    import nh3
    from markdown_it import MarkdownIt

    html = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table").render(text)
    return Markup(nh3.clean(html, tags=_TAGS, attributes={"a": {"href"}, "ol": {"start"}}, url_schemes=_SCHEMES))


_TAGS = {
    *("h1", "h2", "h3", "h4", "p", "a", "strong", "em", "code", "pre", "blockquote", "hr", "br"),
    *("ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td"),
}
_SCHEMES = {"http", "https", "mailto"}


def words(given: Words, language: str) -> str:
    """A study's text in a language."""
    return say(given, language)
