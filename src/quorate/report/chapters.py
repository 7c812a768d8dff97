"""The results, chapter by chapter: the tables that the protocol lays out, then more, each where there is something."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from quorate.analyse.analyse import INQUIRIES, make_cases
from quorate.exhibits import figures
from quorate.exhibits.blocks import Block, Chapter, Drawing
from quorate.exhibits.breakdowns import (
    agreement_by,
    agreement_overview,
    breakdowns,
    fields,
    heading,
)
from quorate.exhibits.tables import Table, metrics
from quorate.findings.results import Results
from quorate.inquiries import base as inquiries
from quorate.inquiries.accuracy import Accuracy
from quorate.inquiries.adjudicated import Adjudicated
from quorate.inquiries.anchoring import Anchoring
from quorate.inquiries.assisted import Triage
from quorate.inquiries.base import Inquiry
from quorate.inquiries.broken_rules import BrokenRules
from quorate.inquiries.comparison import AgainstJudge, ErrorAnalysis, Examples
from quorate.inquiries.consensus import Consensus
from quorate.inquiries.dimensions import Dimensions
from quorate.inquiries.disagreements import Disagreements
from quorate.inquiries.judge_leanings import JudgeLeanings
from quorate.inquiries.metrics import Metrics
from quorate.inquiries.people_and_ai import PeopleAndAI
from quorate.inquiries.playback import Playback
from quorate.inquiries.preferences import Preferences, Sides
from quorate.inquiries.priorities import Priorities
from quorate.inquiries.ranking import Ranking
from quorate.inquiries.rater_checks import RatersAtWork
from quorate.inquiries.rates import Rates
from quorate.inquiries.replaceable import Replaceable
from quorate.inquiries.roles import Roles
from quorate.inquiries.scores import Scores
from quorate.inquiries.tags import Tags
from quorate.messages import Message
from quorate.protocol import Protocol
from quorate.report import captions, tables
from quorate.report.declared import hypotheses_table
from quorate.sheets.sheet import Sheet

#: With more questions than this, a table holds a question a row.
FEW_QUESTIONS = 2


@dataclass(frozen=True)
class Part(inquiries.Part):
    """One section of the study with its results, as a chapter needs it."""

    @property
    def titles(self) -> dict[str, str]:
        """What each question is called at the head of a column."""
        return {case.sheet.id: heading(case.sheet.id) for case in self.cases}

    def group(self, name: str, title: str, caption: str, first: str = "Metric") -> Table:
        """The findings of one group as a table."""
        return metrics(self.results, name, title, caption, first, section=self.scope)


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
        for one in CHAPTERS:
            title, make = (one, one.exhibits) if isinstance(one, Inquiry) else one
            blocks = tuple(block for block in make(part) if _has_something(block))
            if blocks:
                matrices = frozenset(
                    block.key for block in blocks if isinstance(block, Table) and _is_two_by_two(block)
                )
                prose = tuple(one.headline(part)) if isinstance(one, Inquiry) else ()
                found.append(
                    Chapter(
                        title.heading(part) if isinstance(title, Inquiry) else title,
                        blocks,
                        matrices,
                        prose,
                        where if part.scope else "",
                    )
                )
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


def agreement(part: Part) -> Iterator[Block]:
    """How well raters agree."""
    asked = {f.question for f in part.results.group("agreement", part.section.id)}
    if len(asked) > FEW_QUESTIONS:
        caption = captions.agreement(part.results, part.scope)
        yield agreement_overview(part.results, part.section.id, part.titles, part.key("agreement"), caption)
        for by in fields(part.protocol):
            yield agreement_by(part.results, part.section.id, by, part.titles, part.key(f"agreement_by_{by}"))
        return
    yield tables.agreement(part.results, part.scope)
    banded = any(f.band for f in part.results.group("agreement", part.section.id))
    shaded = " Lines are intervals; shaded, the bands of Landis and Koch." if banded else " Lines are intervals."
    caption = captions.agreement_figure(part.results, part.scope) + shaded
    yield part.drawing("agreement", figures.agreement(part.results, part.scope), caption)
    yield tables.agreement_more(part.results, part.scope)
    if not part.results.select(inquiry="accuracy", section=part.section.id):
        yield from breakdowns(part.protocol, part.results, part.section, "agreement")


#: The chapters of a section, in order: an inquiry has its own heading.
CHAPTERS: tuple[Inquiry | tuple[str, Callable[[Part], Iterator[Block]]], ...] = (
    ("Inter-annotator agreement", agreement),
    Accuracy(),
    Roles(),
    AgainstJudge(),
    ErrorAnalysis(),
    Examples(),
    Ranking(),
    Preferences(),
    Sides(),
    Dimensions(),
    Scores(),
    Rates(),
    PeopleAndAI(),
    Triage(),
    Anchoring(),
    Replaceable(),
    JudgeLeanings(),
    Metrics(),
    Tags(),
    Priorities(),
    BrokenRules(),
    Consensus(),
    Adjudicated(),
    Disagreements(),
    Playback(),
    RatersAtWork(),
)
