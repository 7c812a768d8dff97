"""The report in one language: every message that a page holds, as a text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from quorate.errors import StudyError
from quorate.exhibits.blocks import Block, Chapter, Gallery
from quorate.exhibits.tables import Table
from quorate.languages import LANGUAGES
from quorate.messages import Text, said

if TYPE_CHECKING:
    from quorate.report.page import Page

Say = Callable[[Text], str]


def check_language(language: str) -> None:
    """Refuses a language in which no report can be written."""
    if language not in LANGUAGES:
        raise StudyError(f"There is no report in '{language}'. There are: {', '.join(LANGUAGES)}.")


def in_language(page: Page, language: str) -> Page:
    """The page with everything that it says in the language; names and raters' own words stay as they are."""
    say: Say = partial(said, language=language)
    return replace(
        page,
        language=language,
        facts=tuple(map(say, page.facts)),
        in_short=tuple(map(say, page.in_short)),
        outcomes=tuple(map(say, page.outcomes)),
        methods=tuple(replace(one, heading=say(one.heading), text=say(one.text)) for one in page.methods),
        chapters=tuple(_chapter(chapter, say) for chapter in page.chapters),
        became=_table(page.became, say),
        annotators=_table(page.annotators, say),
        borderline=tuple(_table(table, say) for table in page.borderline),
        evidence=_table(page.evidence, say),
        limits=tuple(map(say, page.limits)),
        provenance=tuple((say(name), value) for name, value in page.provenance),
    )


def _chapter(chapter: Chapter, say: Say) -> Chapter:
    return replace(
        chapter,
        title=say(chapter.title),
        section=say(chapter.section),
        prose=tuple(map(say, chapter.prose)),
        blocks=tuple(_block(block, say) for block in chapter.blocks),
    )


def _block(block: Block, say: Say) -> Block:
    if isinstance(block, Table):
        return _table(block, say)
    if isinstance(block, Gallery):
        return replace(block, titles=tuple(map(say, block.titles)), caption=say(block.caption))
    return replace(block, caption=say(block.caption))


def _table(table: Table, say: Say) -> Table:
    return replace(
        table, title=say(table.title), caption=say(table.caption), columns=tuple(map(say, table.columns)),
        notes=tuple(map(say, table.notes)),
        rows=tuple(tuple(replace(c, text=say(c.text), small=say(c.small)) for c in row) for row in table.rows),
    )  # fmt: skip
