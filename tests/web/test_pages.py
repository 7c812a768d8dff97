"""Templates and texts: what a study writes is cleaned, and every text that a rater reads is there in Chinese."""

from __future__ import annotations

import re
from gettext import GNUTranslations

import catalogue
import pytest

from quorate.languages import translation
from quorate.web.pages import environment, markdown


def test_markdown_of_a_study_becomes_html() -> None:
    assert markdown("# Title\n\nSome *text*.") == "<h1>Title</h1>\n<p>Some <em>text</em>.</p>\n"


@pytest.mark.parametrize(
    "hostile", ["<script>alert(1)</script>", "[x](javascript:alert(1))", '<img src=x onerror="a()">']
)
def test_hostile_markdown_is_cleaned(hostile: str) -> None:
    html = markdown(hostile)
    assert not re.search(r"<script|<img|href=.javascript", html)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_template_compiles(language: str) -> None:
    made = environment(language)
    for name in made.list_templates(extensions=["html"]):
        made.get_template(name)


def test_every_text_that_a_rater_reads_is_in_the_catalogue() -> None:
    known = {message.id for message in catalogue.catalogue() if message.id}
    assert known == catalogue.messages(), "bring it up to date with: python tests/web/catalogue.py"


def test_every_text_is_translated_and_keeps_its_places() -> None:
    for message in catalogue.catalogue():
        if message.id:
            places = re.compile(r"%\(\w+\)s|\{\w+\}")
            forms = message.id if isinstance(message.id, tuple) else (message.id,)
            for told in catalogue.in_one_form(message):
                assert told, message.id
                assert sorted(places.findall(forms[-1])) == sorted(places.findall(told)), message.id


def test_the_compiled_catalogue_is_current() -> None:
    with catalogue.MO.open("rb") as file:
        compiled = GNUTranslations(file)
    for message in catalogue.catalogue():
        if isinstance(message.id, tuple):
            assert compiled.ngettext(*message.id, 2) == catalogue.in_one_form(message)[0]
        elif message.id:
            assert compiled.gettext(message.id) == message.string
    assert translation("zh").gettext("saved") == "已保存"
