"""Do raters agree? In the coefficient that the study tells it by, then in others, and in strata."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from quorate.exhibits import charts, figures
from quorate.exhibits.blocks import Block, Drawing
from quorate.exhibits.breakdowns import fields, pivot
from quorate.exhibits.numbers import value_of
from quorate.exhibits.tables import Cell, Table
from quorate.findings.names import AMBIGUITY, plain
from quorate.findings.results import Finding, by_question, ends, first, questions_of, select
from quorate.inquiries import agreement_told
from quorate.inquiries.agreement_told import AC1, NAME, banded, is_headed, median_of, met, pair_of
from quorate.inquiries.base import SMALL, Inquiry, Part, Told, as_one
from quorate.inquiries.basis import FLEISS
from quorate.inquiries.coefficients import FEWEST_BANDED, FULL, PERCENT, of_answers
from quorate.messages import Message, Sentences, Text
from quorate.protocol.coefficients import KNOWN, level_of
from quorate.sheets.case import Case

#: With more questions than this a table holds a question a row.
FEW_QUESTIONS = 2
#: More pairs of raters than this are told by their range and median, and more rows than that by no table.
FEW_PAIRS, MOST_ROWS = 3, 200
#: A figure of more coefficients than this stands in the supplement.
MOST_DRAWN = 14


class Agreement(Inquiry):
    """How far raters agree: in the coefficient that agreement is told by, in those asked for, and as shares."""

    name = NAME
    title = Message("Inter-annotator agreement")
    with_and_without = in_later_rounds = True
    is_told_later = True

    def fits(self, case: Case) -> bool:
        """Several raters are planned an item, and two answers can be the same or so far apart."""
        return case.per_item > 1 and bool(level_of(case.sheet.question))

    def find(self, case: Case) -> Iterator[Finding]:
        """Every coefficient, of all raters and of every two, and how often they agree."""
        return of_answers(case)

    def each(self, part: Case) -> Iterator[Finding]:
        """What is asked for of all raters together, and how often they agree."""
        return of_answers(part)

    def headline(self, part: Part) -> Iterator[Message]:
        """What agreement on each question is told by."""
        return as_one(agreement_told.of_section(part))

    def exhibits(self, part: Part) -> Iterator[Block]:
        """What agreement is told by and what is asked for beside it, drawn, of every two raters, and by stratum."""
        found = part.of(self.name)
        if not found:
            return
        few = len(questions_of(found)) <= FEW_QUESTIONS
        listed, many = _pairs(found, few)
        single = [one for one in found if not one.raters or one in listed]
        leads_by_pair = any(one.primary for mine in many for one in mine)
        summary = _summary(part, many)
        if leads_by_pair:
            yield summary
        yield (_table if few else _overview)(part, single)
        if not leads_by_pair:
            yield summary
        yield _figure(part, single, few)
        yield from _squares(part, many)
        for by in fields(part.protocol):
            yield from _by_stratum(part, by) if few else _by_question(part, by)
        if few:
            more = [one for one in found if not one.raters and not is_headed(part, one)]
            title, caption = Message("Agreement, further figures"), Message("Agreement read in other ways.")
            yield part.table("agreement_more", title, caption, more, further=True)
        each = [one for mine in many for one in mine]
        title = Message("Agreement of every two annotators")
        caption = Message("Every two annotators on the items that both rated.")
        yield part.table("agreement_each_pair", title, caption, each if len(each) <= MOST_ROWS else [], further=True)

    def methods(self, told: Told) -> Iterator[Message]:
        """What agreement is told by, what the coefficients are, of which answers, and whose words are used."""
        return agreement_told.methods(told)

    def conventions(self, told: Told) -> Iterator[Message]:
        """What is the same answer where answers are typed."""
        return agreement_told.conventions(told)

    def limits(self, told: Told) -> Iterator[Message]:
        """Few items, wide intervals, and κ far from a coefficient that minds common answers less."""
        return agreement_told.limits(told)

    def sources(self, told: Told) -> Iterator[str]:
        """Whose words for coefficients are used."""
        if banded(told):
            yield "Landis 1977"


# Its tables and figures.


def _pairs(found: Sequence[Finding], few: bool) -> tuple[list[Finding], list[list[Finding]]]:
    """The coefficients of two raters that stand one by one, and those that are summed up, question by question."""
    listed, many = [], []
    of_two = [one for one in found if one.raters]
    for question, statistic in dict.fromkeys((one.question, one.statistic) for one in of_two):
        mine = list(select(of_two, question=question, statistic=statistic))
        if len(mine) == 1 or (few and len(mine) <= FEW_PAIRS):
            listed += mine
        else:
            many.append(met(mine) or mine)
    return listed, many


def _table(part: Part, found: Sequence[Finding]) -> Table:
    """A row for each coefficient that agreement is told by or that is asked for."""
    mine = [one for one in found if is_headed(part, one)]
    told = [Message("How far annotators agree.")]
    if len(questions_of(mine)) > 1:
        told.append(Message("What agreement on a question is told by stands first."))
    elif lead := first(mine, primary=True):
        told.append(Message("Agreement is told by {coefficient}.", coefficient=lead.short))
    table = part.table("agreement", Agreement.title, Sentences(tuple(told)), mine)
    if any(not one.band and one.n < FEWEST_BANDED for one in mine) and any(one.band for one in mine):
        note = Message("No band is named for fewer than {n} items.", n=FEWEST_BANDED)
        table = replace(table, notes=(*table.notes, note))
    return table


def _overview(part: Part, found: Sequence[Finding]) -> Table:
    """A row for each question: what agreement is told by, and the coefficients of all raters."""
    single = [one for one in found if one.primary or is_headed(part, one) or _is_plain(part, one)]
    single.sort(key=lambda one: not one.primary)
    kinds = {one.statistic: KNOWN["gwet ac1" if one.statistic == AC1 else one.statistic].title for one in single}
    rows = []
    for mine in (asked := by_question(single)):
        lead = first(mine, primary=True)
        told_by: Text = "–" if lead is None else lead.short
        rows.append(((mine[0].title, told_by), [first(mine, statistic=kind) for kind in kinds]))
    heads = (Message("Question"), Message("Told by"), *kinds.values())
    caption = Sentences((Message("How far annotators agree on each question, and what that is told by."), SMALL))
    table = pivot(part.key("agreement"), Agreement.title, caption, heads, rows)
    under = (mine[0].question for mine in asked)
    return replace(table, rows=tuple((replace(name, small=next(under)), *rest) for name, *rest in table.rows))


def _is_plain(part: Part, one: Finding) -> bool:
    """Whether it is how often raters give the same answer, in the first reading."""
    asked = [ask for ask in part.section.ask if ask.id == one.question]
    return one.statistic in (PERCENT, FULL, AC1) and bool(asked) and one.reading in asked[0].question.readings()[:1]


def _summary(part: Part, many: Sequence[Sequence[Finding]]) -> Table:
    """Coefficients of every two raters by their lowest, median and highest."""
    rows = []
    for mine in many:
        known = [one for one in mine if one.is_known]
        pairs: Text = Message("{n} of {all}", n=len(known), all=len(mine)) if len(known) < len(mine) else len(mine)
        name = Cell(part.results.label(mine[0], mine[0].short))
        if not known:
            rows.append((name, Cell(pairs), *(Cell("–") for _ in range(3))))
            continue
        low, high = (Cell(value_of(one), id=one.id, small=pair_of(one)) for one in ends(known))
        rows.append((name, Cell(pairs), low, Cell(median_of(known)), high))
    heads = (Message("Coefficient"), Message("Pairs"), Message("Lowest"), Message("Median"), Message("Highest"))
    title = Message("Agreement of two annotators")
    caption = Message("Every two annotators on the items that both rated, summed up over the pairs.")
    return Table(part.key("agreement_pairs"), title, caption, heads, tuple(rows), (), frozenset({1, 2, 3, 4}))


def _figure(part: Part, found: Sequence[Finding], few: bool) -> Drawing:
    """What agreement on each question is told by; of few questions with the other coefficients; and judges'."""
    judged = [one for one in part.of("comparison", primary=True) if one.unit == ""]
    mine = [
        one for one in (*found, *judged)
        if one.unit == "" and (one.primary or (few and (is_headed(part, one) or one.statistic == FLEISS)))
    ]  # fmt: skip
    told = [Message("Coefficients of agreement, in blue what agreement is told by.")]
    if not few:
        told = [Message("What agreement on each question is told by.")]
    told.append(Message("Lines are intervals."))
    if any(one.band for one in mine):
        told.append(Message("Shaded: the bands of Landis and Koch, from slight to almost perfect."))
    drawn = figures.coefficients(
        [(one, part.results.label(one)) for one in mine], part.say(Message("coefficient")), part.say
    )
    return part.drawing("agreement", drawn, Sentences(tuple(told)), further=len(mine) > MOST_DRAWN)


def _squares(part: Part, many: Sequence[Sequence[Finding]]) -> Iterator[Drawing]:
    """A square for every two raters, question by question, in the coefficient that is told first."""
    done = set()
    for mine in many:
        if mine[0].question in done or len(mine) <= FEW_PAIRS:
            continue
        done.add(mine[0].question)
        key = f"agreement_pairs_{mine[0].question}"
        what = part.results.label(mine[0], mine[0].short)
        caption = Message(
            "{what} of every two annotators: the stronger the colour, the higher; empty where there is none.", what=what
        )
        yield part.drawing(key, charts.squares(mine), caption, not mine[0].primary)


def _by_stratum(part: Part, by: str) -> Iterator[Table]:
    """What is found in each stratum of a field, a table a question."""
    here = part.in_strata(Agreement.name, by=by)
    several = len(questions_of(here)) > 1
    for case in part.cases:
        mine = sorted(select(here, question=case.sheet.id), key=lambda one: not one.primary)
        kinds = {one.statistic: one.short for one in mine}
        columns = [(name, list(select(mine, statistic=kind))) for kind, name in kinds.items()]
        more = part.results.select(statistic=AMBIGUITY, by=by, section=part.section.id, question=case.sheet.id, round=1)
        title = Message("Agreement by {field}", field=plain(by))
        told = (
            Message("{title}.", title=title),
            *([Message("The question is “{question}”.", question=case.title)] if several else []),
            SMALL,
        )
        # Answers that can be right have a table of strata of their own.
        yield from part.by_stratum(
            f"agreement_{case.sheet.id}", by, title, Sentences(told), [*columns, (Message("Ambiguous"), more)], mine,
            further=case.sheet.question.is_scored(),
        )  # fmt: skip


def _by_question(part: Part, by: str) -> Iterator[Table]:
    """What agreement is told by in each stratum of a field, a column a question; and how often raters agree."""
    here, field = part.in_strata(Agreement.name, by=by), plain(by)
    of = [(mine[0], mine) for mine in by_question(select(here, primary=True))]
    columns = [(Message("{question}: {what}", question=one.title, what=one.short), mine) for one, mine in of]
    caption = Message("What agreement on each question is told by, by {field}.", field=field)
    title = Message("Agreement by {field}", field=field)
    yield from part.by_stratum("agreement", by, title, Sentences((caption, SMALL)), columns)
    shares = [(mine[0].title, mine) for mine in by_question(select(here, statistic=PERCENT))]
    caption = Message("Pairs of answers that agree, by {field}.", field=field)
    title = Message("Answers that agree, by {field}", field=field)
    yield from part.by_stratum("agreement_shares", by, title, Sentences((caption, SMALL)), shares)
