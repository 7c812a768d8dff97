"""Every sentence of the report with what it rests on: estimates by their ids, and facts by their names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from quorate.exhibits.blocks import Block
from quorate.exhibits.tables import Table
from quorate.messages import Sentences, Text, said

if TYPE_CHECKING:
    from quorate.report.page import Page


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence in English, where it stands, and the reasons that make it true."""

    where: str
    text: str
    estimates: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Every field by name, ready for JSON."""
        return {
            "where": self.where, "text": self.text, "estimates": list(self.estimates), "facts": list(self.facts)
        }  # fmt: skip


def sentences(page: Page) -> tuple[Sentence, ...]:
    """All that a page of messages says, in its order."""
    known = page.results.by_id.keys()

    def made(where: str, text: Text, printed: tuple[str, ...]) -> Sentence:
        reasons = dict.fromkeys((*getattr(text, "rests_on", ()), *printed))
        estimates = tuple(one for one in reasons if one in known)
        return Sentence(where, said(text), estimates, tuple(one for one in reasons if one not in known))

    return tuple(made(*one) for one in _told(page) if said(one[1]))


def _told(page: Page) -> Iterator[tuple[str, Text, tuple[str, ...]]]:
    """Where each sentence stands, the sentence, and the estimates that are printed beside it."""
    for where, texts in (
        ("first screen", page.in_short),
        ("hypotheses", page.outcomes),
        *((f"methods: {said(one.heading)}", (one.text,)) for one in page.methods),
        ("limits", page.limits),
        ("conventions", tuple(page.told_conventions.values())),
    ):
        yield from ((where, sentence, ()) for text in texts for sentence in _parts(text))
    for chapter in page.chapters:
        where = f"results: {said(chapter.title)}"
        yield from ((where, sentence, ()) for text in chapter.prose for sentence in _parts(text))
        for block in chapter.blocks:
            yield from ((where, sentence, ids) for text, ids in _beside(block) for sentence in _parts(text))


def _beside(block: Block) -> Iterator[tuple[Text, tuple[str, ...]]]:
    """The caption of a table or figure and its notes, with the estimates that a table prints."""
    ids = tuple(dict.fromkeys(c.id for row in block.rows for c in row if c.id)) if isinstance(block, Table) else ()
    yield block.caption, ids
    if isinstance(block, Table):
        yield from ((note, ids) for note in block.notes)


def _parts(text: Text) -> Iterator[Text]:
    if isinstance(text, Sentences):
        for part in text.parts:
            yield from _parts(part)
    else:
        yield text
