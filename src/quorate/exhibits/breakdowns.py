"""Results in each part of the items: a row a stratum, a column a figure, as the protocols lay them out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from quorate.exhibits.numbers import interval_of, n_of, p_value, value_of
from quorate.exhibits.tables import Cell, Table, scoped
from quorate.findings.names import ABOVE, judge_name
from quorate.findings.results import Finding, Results, select
from quorate.languages import capital
from quorate.messages import Message, Sentences, Text, Together
from quorate.protocol import Protocol, Section

NONE = "—"
#: The heads of the columns that name two systems.
PAIR = (Message("System"), Message("Against"))


@dataclass(frozen=True, slots=True)
class Column:
    """One figure of a breakdown: its statistic, further fields of its findings, and its heading.

    With `each_judge` there is a column for every judge, named where there are several; else the column is of people.
    """

    statistic: str
    heading: Text
    fields: tuple[tuple[str, str], ...] = ()
    test: bool = False
    each_judge: bool = False

    def of(self, found: Iterable[Finding]) -> Iterator[Finding]:
        """Those of the findings that stand in this column."""
        mine = select(found, statistic=self.statistic, **dict(self.fields))
        return (finding for finding in mine if bool(finding.judge) == self.each_judge)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of breakdown: its title over a field of the items, and its columns in order.

    A column that nothing fills is left away.
    """

    title: Callable[[Text], Message]
    columns: tuple[Column, ...]


RATING = (("reading", "rating"),)
KINDS: dict[str, Kind] = {
    "recognition": Kind(
        lambda field: Message("Recognition by {field}", field=field),
        (
            Column("individual accuracy", Message("Individual accuracy")),
            Column("majority accuracy", Message("Majority accuracy")),
            Column("accuracy", Message("Judge’s accuracy"), each_judge=True),
            Column("fleiss kappa", Message("Fleiss’ κ")),
            Column("cohen kappa", Message("Cohen’s κ, judge"), each_judge=True),
            Column("role", Message("Surface bias"), (("what", "literal"),)),
            Column("ambiguity rate", Message("Ambiguous")),
        ),
    ),
    "preference": Kind(
        lambda field: Message("Preference by {field}", field=field),
        (
            Column("success rate", Message("Success rate (RSR)"), RATING),
            Column("net gain", Message("Net gain, points"), RATING),
            Column("tie rate", Message("Ties"), RATING),
            Column("sign test", Message("Wins among decided items")),
            Column("sign test", Message("p (Holm)"), test=True),
        ),
    ),
}


def breakdowns(protocol: Protocol, results: Results, section: Section, kind: str, few: int = 0) -> Iterator[Table]:
    """A table for each field by which the study breaks results down, and each question that has such figures.

    Strata of fewer than `few` items stand in a table of the supplement.
    """
    columns = KINDS[kind].columns
    for by in fields(protocol):
        here = results.select(by=by, section=section.id, round=1)
        asked = {finding.question for finding in columns[0].of(here)}
        for ask in section.ask:
            found = tuple(select(here, question=ask.id))
            first = list(columns[0].of(found))
            small = {f.stratum for f in first if (f.estimate.n_items or 0) < few}
            key = scoped(f"{kind}_{ask.id}_by_{by}", _scope(protocol, section))
            question = (ask.question.prompt or ask.id.replace("_", " ")) if len(asked) > 1 else ""
            for further in (False, True):
                mine = [f for f in found if (f.stratum in small) is further]
                if any(columns[0].of(mine)):
                    filled = [one for column in columns for one in _filled(column, mine)]
                    name = f"{key}_few" if further and any(f.stratum not in small for f in first) else key
                    yield replace(_table(mine, filled, by, question, kind, name), further=further)


def _filled(column: Column, found: Sequence[Finding]) -> Iterator[Column]:
    """The column if anything stands in it, or one for each judge."""
    judges = list(dict.fromkeys(finding.judge for finding in column.of(found)))
    for judge in judges:
        what = Message("{what} ({judge})", what=column.heading, judge=judge_name(judge))
        heading = what if len(judges) > 1 else column.heading
        yield replace(column, heading=heading, fields=(*column.fields, ("judge", judge)))


def _table(found: Sequence[Finding], columns: Sequence[Column], by: str, question: Text, kind: str, key: str) -> Table:
    rows = []
    keys = dict.fromkeys((f.stratum, f.systems) for f in columns[0].of(found))
    several = len({systems for _, systems in keys}) > 1
    for stratum, systems in keys:
        # What is of no pair, such as ambiguity, is of all of them.
        mine = [f for f in found if f.stratum == stratum and f.systems in (systems, ())]
        cells = [_cell(next(column.of(mine), None), column) for column in columns]
        rows.append((Cell(stratum), *(map(Cell, systems) if several else ()), *cells))
    name = by.replace("_", " ")
    pair = PAIR if several else ()
    heads = (capital(name), *pair, *(column.heading for column in columns))
    told = [
        Message("{title}.", title=KINDS[kind].title(name)),
        *([Message("The question is “{question}”.", question=question)] if question else []),
        Message("Small: the interval, and what n counts."),
    ]
    numeric = frozenset(range(1 + len(pair), len(heads)))
    return Table(key, KINDS[kind].title(name), Sentences(tuple(told)), heads, tuple(rows), (), numeric)


def _cell(finding: Finding | None, column: Column) -> Cell:
    if finding is None:
        return Cell(NONE)
    if column.test:
        return p_cell(finding, finding.p_adjusted)
    mark = " ▲" if finding.band == ABOVE else ""
    small = " · ".join(part for part in (interval_of(finding), n_of(finding)) if part not in ("–", ""))
    return Cell(
        Together((value_of(finding), mark)), id=finding.id, small=small if finding.estimate.value is not None else ""
    )


def p_cell(finding: Finding, p: float | None) -> Cell:
    """A p-value of a finding; where there is none, a dash, which is no number of the finding's."""
    return Cell(NONE) if p is None else Cell(p_value(p), id=finding.id)


def _scope(protocol: Protocol, section: Section) -> str | None:
    return section.id if len(protocol.sections) > 1 else None


def fields(protocol: Protocol) -> tuple[str, ...]:
    """The fields by which the study breaks results down."""
    return protocol.analysis.fields


def pivot(
    key: str, title: Text, caption: Text, columns: Sequence[Text],
    rows: Sequence[tuple[Text | tuple[Text, ...], Sequence[Finding | Cell | None]]], further: bool = False,
) -> Table:  # fmt: skip
    """A row for each name (or several that stand in columns of their own) and a column for each figure.

    Rows and columns without any figure are left away.
    """
    named = [(name if isinstance(name, tuple) else (name,), found) for name, found in rows]
    heads = len(named[0][0]) if named else 1
    cells = tuple(
        (*map(Cell, names), *(one if isinstance(one, Cell) else _cell(one, Column("", "")) for one in found))
        for names, found in named
        if any(one is not None for one in found)
    )
    used = [place for place in range(heads, len(columns)) if any(row[place].text != NONE for row in cells)]
    kept = (*range(heads), *used)
    trimmed = tuple(tuple(row[place] for place in kept) for row in cells)
    told = tuple(columns[place] for place in kept)
    return Table(key, title, caption, told, trimmed, (), frozenset(range(heads, len(told))), further)


#: Words of an id that are abbreviations.
SHORT = {"vlm", "mllm", "llm", "ai", "wer", "id", "pdf"}


def heading(id: str) -> str:
    """An id as the head of a column.

    >>> heading("vlm_score"), heading("resists_misleading"), heading("BLEU_like")
    ('VLM Score', 'Resists Misleading', 'BLEU Like')
    """
    return " ".join(word.upper() if word in SHORT else capital(word) for word in id.split("_"))
