"""The results, chapter by chapter: the tables that the protocol lays out, then more, each where there is something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from quorate.analyse.analyse import make_cases
from quorate.exhibits.blocks import Block, Chapter, Drawing, Gallery
from quorate.exhibits.tables import Table
from quorate.findings.results import Results
from quorate.inquiries.base import Part
from quorate.inquiries.table import INQUIRIES
from quorate.messages import Message
from quorate.protocol import Protocol
from quorate.report import tables
from quorate.report.declared import hypotheses_table
from quorate.sheets.sheet import Sheet


def chapters(
    protocol: Protocol, results: Results, sheets: Sequence[Sheet], language: str = "en"
) -> tuple[Chapter, ...]:
    """Every chapter that has something to show, section by section."""
    cases = make_cases(protocol, sheets)
    found = [Chapter(Message("Declared hypotheses"), (hypotheses_table(results),))] if results.hypotheses else []
    for section in protocol.sections:
        mine = [case for case in cases if case.sheet.section == section.id]
        part = Part(protocol, results, section, mine, language)
        where = section.title or section.id
        for one in INQUIRIES:
            blocks = tuple(block for block in one.exhibits(part) if _has_something(block))
            if blocks:
                matrices = frozenset(
                    block.key for block in blocks if isinstance(block, Table) and _is_two_by_two(block)
                )
                prose, of = tuple(one.headline(part)), where if part.scope else ""
                found.append(Chapter(one.heading(part), blocks, matrices, prose, of, one.is_detail, one.is_told_later))
        for round in sorted({one.round for one in results.findings} - {1}):
            again = (block for one in INQUIRIES if one.in_later_rounds for block in one.later(part, round))
            blocks = tuple(block for block in again if _has_something(block))
            if blocks:
                found.append(Chapter(Message("Round {n}", n=round), blocks, section=where if part.scope else ""))
    exclusions = [table for table in (tables.excluded(results), tables.exclusions(results)) if table.rows]
    found += [Chapter(Message("Exclusions"), tuple(exclusions))] if exclusions else []
    return in_layers(found, results)


#: So many figures stand in the paper section, but for what raters and items went through.
MOST_FIGURES = 3


def in_layers(found: Sequence[Chapter], results: Results) -> tuple[Chapter, ...]:
    """The chapters with what an author would send in the paper section, and the rest in the supplement.

    Details go there, tables in which nothing is defined, and all figures but the first few. Where nothing but details
    was found, they are what the paper section shows.
    """
    tested = {one.rests_on for one in results.hypotheses}
    known = {one.id for one in results.findings if one.estimate.value is not None}
    if all(one.is_detail for one in found if one.layer(further=False)):
        found = [replace(one, is_detail=False) for one in found]
    figures = list(islice(figures_in_order(found, results), MOST_FIGURES))

    def is_further(block: Block, chapter: Chapter) -> bool:
        if not isinstance(block, Table):
            return not any(block is one for one in figures)
        says_nothing = bool(block.ids) and known.isdisjoint(block.ids)
        return block.further or ((chapter.is_detail or says_nothing) and tested.isdisjoint(block.ids))

    return tuple(
        replace(one, blocks=tuple(replace(block, further=is_further(block, one)) for block in one.blocks))
        for one in found
    )


def figures_in_order(found: Sequence[Chapter], results: Results) -> Iterator[Drawing | Gallery]:
    """A figure of each chapter, and each once: of what hypotheses rest on, of what leads, then of the other answers."""
    firsts = [
        (one, figure) for one in sorted(found, key=lambda one: one.is_told_later)
        for figure in islice((b for b in one.blocks if not isinstance(b, Table) and not b.further), 1)
    ]  # fmt: skip
    carried = (
        figure
        for hypothesis in results.hypotheses for one, figure in firsts
        if any(hypothesis.rests_on in table.ids for table in one.tables)
    )  # fmt: skip
    leading = (figure for _, figure in firsts if isinstance(figure, Drawing) and figure.leads)
    others = (figure for one, figure in firsts if not one.is_detail)
    yield from {id(figure): figure for figure in (*carried, *leading, *others)}.values()


def _is_two_by_two(table: Table) -> bool:
    return len(table.columns) == 3 and any(cell.shade for row in table.rows for cell in row)


def _has_something(block: Block) -> bool:
    if isinstance(block, Table):
        return bool(block.rows)
    return bool(block.svg) if isinstance(block, Drawing) else True
