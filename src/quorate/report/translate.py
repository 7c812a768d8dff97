"""The report in another language: sentences matched against a catalogue of patterns, their parts translated in turn.

The catalogue is a table of two columns: the English text with `{names}` for what varies, and the other language's with
the same names. A text that no pattern fits stays English, so that nothing is ever lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

from quorate.errors import StudyError
from quorate.languages import LANGUAGES, say
from quorate.report.blocks import Block, Chapter, Drawing
from quorate.report.breakdowns import heading
from quorate.report.methods import Paragraph
from quorate.report.tables import Cell, Table

if TYPE_CHECKING:
    from quorate.report.page import Page

ENGLISH = "en"
_SENTENCES = re.compile(r"(?<=[.!?…])\s+(?=[A-Z“0-9])")
FEW_LETTERS, SHORT_PART = 12, 60
#: The name that stands for a whole number and nothing else.
COUNT = "n"
_NAME = re.compile(r"\{(\w+)\}")


Own = Mapping[str, str]
"""The study's own texts in English, each with its text in the report's language."""
NOTHING: Own = MappingProxyType({})


def translated(text: str, language: str, own: Own = NOTHING) -> str:
    """The text in the language; what the catalogue does not hold stays as it is.

    >>> translated("Methods", "zh")
    '方法'
    """
    if language == ENGLISH or not text.strip():
        return text
    for english, other in own.items():
        # A question of the study ends like a sentence, and what follows it belongs to it.
        if text.startswith(f"{english} "):
            return f"{other} {translated(text.removeprefix(english).strip(), language)}"
    sentences = _SENTENCES.split(text)
    if len(sentences) == 1 or text in catalogue(language)[0]:
        return _matched(text, language, own) or text
    return "".join(_matched(sentence, language, own) or f"{sentence} " for sentence in sentences).strip()


def check_language(language: str) -> None:
    """Refuses a language in which no report can be written."""
    if language not in LANGUAGES:
        raise StudyError(f"There is no report in '{language}'. There are: {', '.join(LANGUAGES)}.")


def in_language(page: Page, language: str) -> Page:
    """The page with everything that it says in the language; ids and raters' own words stay as they are."""
    if language == ENGLISH:
        return page

    own = _own_texts(page, language)

    def said(text: str) -> str:
        return translated(text, language, own)

    return replace(
        page,
        language=language,
        facts=tuple(map(said, page.facts)),
        in_short=tuple(map(said, page.in_short)),
        methods=tuple(Paragraph(said(p.heading), said(p.text)) for p in page.methods),
        chapters=tuple(_chapter(chapter, said) for chapter in page.chapters),
        became=_table(page.became, said),
        annotators=_table(page.annotators, said),
        borderline=tuple(_table(table, said) for table in page.borderline),
        evidence=_table(page.evidence, said),
        limits=tuple(map(said, page.limits)),
        provenance={said(name): value for name, value in page.provenance.items()},
    )


def _chapter(chapter: Chapter, said: Callable[[str], str]) -> Chapter:
    place, _, topic = chapter.title.rpartition(" · ")
    title = f"{place} · {said(topic)}" if place else said(topic)
    return replace(chapter, title=title, blocks=tuple(_block(block, said) for block in chapter.blocks))


def _block(block: Block, said: Callable[[str], str]) -> Block:
    if isinstance(block, Table):
        return _table(block, said)
    if isinstance(block, Drawing):
        drawn = re.sub(r">([^<>]*[A-Za-z][^<>]*)</text>", lambda m: f">{said(m[1])}</text>", block.svg)
        return replace(block, svg=drawn, caption=said(block.caption))
    return block


OWN_WORDS = (
    "disagreements",
    "excluded",
    "adjudicated",
    "rule",
    "borderline",
    "tags_by_outcome",
    "annotators",
    "evidence",
)


def _table(table: Table, said: Callable[[str], str]) -> Table:
    # What raters wrote and the names of files, rules and items are nobody's to translate.
    own = any(name in table.key for name in OWN_WORDS)
    rows = table.rows if own else tuple(tuple(_cell(cell, said) for cell in row) for row in table.rows)
    if table.key == "evidence":
        rows = tuple((_cell(row[0], said), *row[1:]) for row in table.rows)
    return replace(
        table, title=said(table.title), caption=said(table.caption), columns=tuple(map(said, table.columns)),
        notes=tuple(map(said, table.notes)), rows=rows,
    )  # fmt: skip


def _cell(cell: Cell, said: Callable[[str], str]) -> Cell:
    return replace(cell, text=said(cell.text))


def _own_texts(page: Page, language: str) -> Own:
    """What the study file says in both languages: titles and prompts."""
    texts = [page.protocol.file.title, *(one.statement for one in page.protocol.analysis.hypotheses)]
    for section in page.protocol.sections:
        texts += [section.title, *(ask.question.prompt for ask in section.ask)]
    found = {say(text): say(text, language) for text in texts if not isinstance(text, str)}
    heads = {
        heading(ask.id): say(ask.question.prompt, language)
        for section in page.protocol.sections for ask in section.ask if not isinstance(ask.question.prompt, str)
    }  # fmt: skip
    return {**heads, **found}


def _matched(text: str, language: str, own: Own) -> str | None:
    exact, patterns = catalogue(language)
    if text in own or text in exact:
        return own.get(text) or exact[text]
    for pattern, template in patterns:
        found = pattern.fullmatch(text)
        if found and _is_meant(pattern, found):
            parts = {name: _part(value, language, own) for name, value in found.groupdict().items()}
            return template.format(**parts)
    return None


def _is_meant(pattern: re.Pattern[str], found: re.Match[str]) -> bool:
    """A pattern of few letters, such as “{a} and {b}”, is meant for short texts alone."""
    if len(pattern.pattern) - sum(len(name) + 8 for name in pattern.groupindex) > FEW_LETTERS:
        return True
    return all(len(part) <= SHORT_PART and ";" not in part for part in found.groups())


def _part(text: str, language: str, own: Own) -> str:
    if "; " in text and _matched(text, language, own) is None:
        return "；".join(_part(one, language, own) for one in text.split("; "))
    return _matched(text, language, own) or text


@cache
def catalogue(language: str) -> tuple[dict[str, str], tuple[tuple[re.Pattern[str], str], ...]]:
    """The texts without parts, and the patterns from the longest to the shortest."""
    path = files("quorate.report").joinpath(f"templates/report.{language}.tsv")
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    pairs = [line.split("\t") for line in lines if line and not line.startswith("#")]
    exact = {english: other for english, other in pairs if not _NAME.search(english)}
    patterns = [(_pattern(english), other) for english, other in _longest(pairs) if _NAME.search(english)]
    return exact, tuple(patterns)


def _longest(pairs: Iterable[list[str]]) -> list[list[str]]:
    return sorted(pairs, key=lambda pair: -len(_NAME.sub("", pair[0])))


def _pattern(english: str) -> re.Pattern[str]:
    parts = _NAME.split(english)
    # Every second part is a name; a name that stands twice has to be the same text twice.
    seen: set[str] = set()
    written = ""
    for place, part in enumerate(parts):
        if place % 2 == 0:
            written += re.escape(part)
        else:
            what = r"[\d,]+" if part == COUNT else ".+?"
            written += f"(?P={part})" if part in seen else f"(?P<{part}>{what})"
            seen.add(part)
    return re.compile(written, re.DOTALL)
