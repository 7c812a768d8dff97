"""The results, chapter by chapter: the tables that the protocol lays out, then more, each where there is something."""

from __future__ import annotations

from collections.abc import Sequence

from quorate.analyse.analyse import make_cases
from quorate.exhibits.blocks import Block, Chapter, Drawing
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
                found.append(Chapter(one.heading(part), blocks, matrices, prose, of))
        for round in sorted({one.round for one in results.findings} - {1}):
            again = (block for one in INQUIRIES if one.in_later_rounds for block in one.later(part, round))
            blocks = tuple(block for block in again if _has_something(block))
            if blocks:
                found.append(Chapter(Message("Round {n}", n=round), blocks, section=where if part.scope else ""))
    exclusions = [table for table in (tables.excluded(results), tables.exclusions(results)) if table.rows]
    return (*found, *((Chapter(Message("Exclusions"), tuple(exclusions)),) if exclusions else ()))


def _is_two_by_two(table: Table) -> bool:
    return len(table.columns) == 3 and any(cell.shade for row in table.rows for cell in row)


def _has_something(block: Block) -> bool:
    if isinstance(block, Table):
        return bool(block.rows)
    return bool(block.svg) if isinstance(block, Drawing) else True
