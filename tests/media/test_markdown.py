"""What a model writes cannot do anything on the page; what it means by its Markdown is kept."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from quorate.media.markdown import MOST, MarkdownMedium, rendered
from quorate.records import Item, Shown


class Seen(HTMLParser):
    """Every tag and attribute of a page."""

    def __init__(self, html: str):
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: dict[str, str] = {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name: value or "" for name, value in attrs}


HOSTILE = [
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "[click](javascript:alert(1))",
    "[click](JaVaScRiPt&#58;alert(1))",
    "[click](vbscript:msgbox(1))",
    "[click](data:text/html;base64,PHNjcmlwdD4=)",
    "![x](https://tracker.example/pixel.png)",
    "![x](data:image/svg+xml;base64,AAAA)",
    '<style>body{display:none}</style><p style="position:fixed">x</p>',
    '<iframe src="https://example.org"></iframe><object data=x></object><embed src=x>',
    '<form action="https://example.org"><input name=_csrf></form>',
    '<a href="x" onclick="alert(1)">x</a>',
    '[x](https://example.org "onmouseover=alert(1)")',
    "<svg><animate onbegin=alert(1) attributeName=x></svg>",
    "`</code><script>alert(1)</script>`",
    "[a]: javascript:alert(1)\n\n[a]",
    "<base href=//evil.example>",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_markdown_can_do_nothing(text: str) -> None:
    seen = Seen(rendered(text))
    assert seen.tags <= {"p", "a", "code"}
    assert set(seen.attributes) <= {"href", "rel", "target"}
    assert seen.attributes.get("href", "https:").startswith("https:")


def test_links_lead_away_and_carry_nothing_with_them() -> None:
    html = rendered("[paper](https://example.org/a?b=1&c=2)")
    assert Seen(html).attributes["rel"] == "noopener noreferrer nofollow"
    assert Seen(html).attributes["target"] == "_blank"


def test_headings_lists_tables_and_code_are_kept() -> None:
    html = rendered("# One\n\n1. **a**\n2. *b*\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```\n<b>code</b>\n```\n")
    assert {"ol", "li", "strong", "em", "table", "th", "td", "pre", "code"} <= Seen(html).tags
    assert "&lt;b&gt;code&lt;/b&gt;" in html


def test_headings_stand_below_those_of_the_page() -> None:
    tags = Seen(rendered("# One\n\n###### Six")).tags
    assert tags == {"h3", "h6"}


@pytest.mark.parametrize("text", [">" * 5000 + " x", "- " * 5000 + "x", "[" * 5000, "*" * 5000 + "a", "`" * 5000])
def test_huge_nesting_is_rendered_and_stays_shallow(text: str) -> None:
    html = rendered(text)
    assert html.count("<blockquote>") <= 20
    assert html.count("<ul>") <= 20


def test_a_text_that_nobody_can_read_is_shown_plain() -> None:
    html = rendered("**x** <b>" * MOST)
    assert "<strong>" not in html
    assert "<b>" not in html


def test_a_judge_reads_the_text_as_it_was_written() -> None:
    medium = MarkdownMedium(field="reply")
    item = Item("1", {"reply": "**bold**"})
    assert medium.as_content(item, Shown(), {}) == [{"type": "text", "text": "**bold**"}]
