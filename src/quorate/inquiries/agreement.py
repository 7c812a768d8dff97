"""Do raters agree? In the coefficient that the study tells it by, then in others, and in strata."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Any

from quorate.exhibits import charts, figures
from quorate.exhibits.blocks import Block, Drawing
from quorate.exhibits.breakdowns import fields, pivot
from quorate.exhibits.numbers import bare, in_text, value_of
from quorate.exhibits.tables import Cell, Table
from quorate.findings.names import ADVERBS, plain, stated
from quorate.findings.results import Finding, first, select
from quorate.inquiries.base import FEW_ITEMS, Inquiry, Part, Told
from quorate.inquiries.basis import ALPHA, FLEISS, MOST_PAIRED
from quorate.inquiries.coefficients import FEWEST_BANDED, FULL, PERCENT, of_answers
from quorate.languages import capital
from quorate.messages import Listed, Message, Sentences, Text, Word
from quorate.protocol.coefficients import KNOWN, level_of
from quorate.sheets.case import Case
from quorate.statistics.table import TWO_RATERS

#: With more questions than this a table holds a question a row; the first screen tells so many one by one.
FEW_QUESTIONS, MOST_TOLD = 2, 3
#: More pairs of raters than this are told by their range and median, and more rows than that by no table.
FEW_PAIRS, MOST_ROWS = 3, 200
#: A figure of more coefficients than this stands in the supplement.
MOST_DRAWN = 14
#: An interval is wide from this length on; κ's is rough below so many items; and AC1 is far from it from here on.
WIDE, FEW_FOR_KAPPA, FAR = 0.4, 50, 0.2
AC1, COHEN, AMBIGUOUS = "gwet ac", "cohen kappa", "ambiguity rate"
KAPPAS = (FLEISS, COHEN)
#: Readings beside the first one whose coefficients stand with it.
BESIDE = ("role", "outcome")


Rows = Mapping[str, Sequence[Finding | Cell | None]]
"""What stands in each stratum."""


class Agreement(Inquiry):
    """How far raters agree: in the coefficient that agreement is told by, in those asked for, and as shares."""

    name = "agreement"
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
        told = tuple(_told(part))
        if told:
            yield Message("{sentence}", sentence=Sentences(told))

    def exhibits(self, part: Part) -> Iterator[Block]:
        """What agreement is told by and what is asked for beside it, drawn, of every two raters, and by stratum."""
        found = part.of(self.name)
        if not found:
            return
        few = len(_questions(found)) <= FEW_QUESTIONS
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
            more = [one for one in found if not one.raters and not _is_headed(part, one)]
            title, caption = Message("Agreement, further figures"), Message("Agreement read in other ways.")
            yield part.table("agreement_more", title, caption, more, further=True)
        each = [one for mine in many for one in mine]
        title = Message("Agreement of every two annotators")
        caption = Message("Every two annotators on the items that both rated.")
        yield part.table("agreement_each_pair", title, caption, each if len(each) <= MOST_ROWS else [], further=True)

    def methods(self, told: Told) -> Iterator[Message]:
        """What agreement is told by, what the coefficients are, of which answers, and whose words are used."""
        found = told.known(inquiry=self.name, by="", round=1)
        # What cannot be computed of the answers that there are is named, too.
        leads = [one for lead in _leads(told) for one in lead if (one.section, one.question) in _questions(found)]
        yield from _bases(told, leads)
        headed = [one for one in found if _is_headed(told, one)]
        for row in KNOWN.values():
            if mine := [one.id for one in headed if one.statistic == row.found_as]:
                yield row.sentence.because(*mine)
        if headed:
            triage = told.protocol.file.triage
            is_blind = not told.results.flow.raters.get("imported") and not (triage and triage.is_verifying)
            over = Message("Agreement is over planned ratings alone.")
            if is_blind:
                over = Message("Agreement is over planned and independent ratings alone.")
            yield over.because(*headed)
        if right := list(select(found, reading="correctness")):
            yield Message(
                "On {questions} it is on whether an answer is correct, and beside it on the answers themselves.",
                questions=_quoted(told, right), rests_on=right,
            )  # fmt: skip
        yield from _of_alpha(told, found)
        if by_pair := [one.id for one in found if one.by_pair]:
            yield BY_PAIR.because(*by_pair)
        if banded := _banded(told):
            yield BANDS[told.protocol.analysis.bands].having(n=FEWEST_BANDED).because(*banded)
        yield from _without_pairs(told)

    def conventions(self, told: Told) -> Iterator[Message]:
        """What is the same answer where answers are typed."""
        if right := list(select(told.known(inquiry=self.name, by="", round=1), reading="correctness")):
            yield Message(
                "Agreement on {questions} is on whether an answer is correct. On the responses themselves, every "
                "correct answer is one category and any other answer is its own canonical form.",
                questions=_quoted(told, right), rests_on=right,
            )  # fmt: skip

    def limits(self, told: Told) -> Iterator[Message]:
        """Few items, wide intervals, and κ far from a coefficient that minds common answers less."""
        yield from _few_items(told)
        yield from _wide(told)
        yield from _prevalence(told)

    def sources(self, told: Told) -> Iterator[str]:
        """Whose words for coefficients are used."""
        if _banded(told):
            yield "Landis 1977"


# What is said of it.


#: Where the answers name one of two systems that differ by item.
BY_PAIR = Message(
    "Where items compare different pairs of systems, agreement beyond chance is on the choice within an item’s own "
    "pair, and each item is counted together with its mirror image, in which the two systems have changed places: "
    "neither their names nor their order make a difference."
)
BANDS = {
    "half-open": Message(
        "Bands are those of Landis and Koch (1977), half-open as the protocol writes them (κ = 0.20 is fair), and are "
        "named from {n} items on."
    ),
    "published": Message(
        "Bands are those of Landis and Koch (1977), closed at two decimals as published (κ = 0.20 is slight), and are "
        "named from {n} items on."
    ),
}


def _questions(found: Iterable[Finding]) -> list[tuple[str, str]]:
    """The questions that the findings are of, in order."""
    return list(dict.fromkeys((one.section, one.question) for one in found))


def _quoted(told: Told, found: Iterable[Finding]) -> Listed:
    """The questions that the findings are of, as raters read them; with the section where another asks the same."""
    of = {(one.section, one.question): one.title for one in told.results.select(inquiry=Agreement.name)}
    twice = {str(title) for title, n in Counter(map(str, of.values())).items() if n > 1}
    names = []
    for section, question in _questions(found):
        title, where = of[section, question], told.protocol.section(section)
        plain = Message("“{question}”", question=title)
        named = Message("“{question}” in “{section}”", question=title, section=where.title or where.id)
        names.append(named if str(title) in twice else plain)
    return Listed(tuple(names))


def _is_headed(told: Told, one: Finding) -> bool:
    """Whether a coefficient stands in the first table: agreement is told by it, or the study asks for it."""
    asked = [ask for ask in told.protocol.section(one.section).ask if ask.id == one.question]
    readings = asked[0].question.readings() if asked else ()
    if one.primary or one.reading not in ("", *readings[:1]):
        return one.primary or (one.reading in BESIDE and one.unit == "")
    return any(row.found_as == one.statistic for row in map(KNOWN.__getitem__, told.protocol.analysis.agreement)) or (
        one.statistic == ALPHA
    )


def _leads(told: Told, **fields: Any) -> list[list[Finding]]:
    """What agreement is told by, question by question: one figure, or one of every two raters."""
    found = told.results.select(inquiry=Agreement.name, primary=True, by="", round=1, **fields)
    return [list(select(found, section=section, question=question)) for section, question in _questions(found)]


def _told(part: Part) -> Iterator[Message]:
    leads = _leads(part, section=part.section.id)
    if len(leads) <= MOST_TOLD:
        yield from (sentence for lead in leads for sentence in _of_question(part, lead))
        return
    known = [one for lead in leads for one in lead if one.is_known]
    for name in dict.fromkeys(str(one.short) for one in known):
        mine = [one for one in known if str(one.short) == name]
        if len(_questions(mine)) == 1:
            yield from _of_question(part, mine)
            continue
        low, high = min(mine, key=_value), max(mine, key=_value)
        yield Message(
            "Agreement of annotators on {n} questions is told by {coefficient}: from {least} (“{worst}”) to {most} "
            "(“{best}”).",
            n=len(_questions(mine)), coefficient=low.short, least=in_text(low), worst=low.title, most=in_text(high),
            best=high.title, rests_on=mine,
        )  # fmt: skip


def _of_question(part: Part, lead: Sequence[Finding]) -> Iterator[Message]:
    """How far annotators agree on one question; nothing where nobody answered it."""
    known = [one for one in lead if one.is_known]
    sheets = [case.sheet for case in part.cases if case.sheet.id == lead[0].question]
    if not known and not any(len(sheet.people) for sheet in sheets):
        return
    one = (known or lead)[0]
    asked = [ask for section in part.protocol.sections for ask in (*section.ask, *section.scores)]
    agreement = Message("Agreement of annotators")
    if len(asked) > 1:
        agreement = Message("Agreement of annotators on “{question}”", question=one.title)
    words: dict[str, Any] = {"agreement": agreement, "coefficient": one.short, "value": in_text(one)}
    words["rests_on"] = lead
    if not known:
        words |= {"why": one.estimate.note}
        yield Message("{agreement} cannot be told by {coefficient}, since {why}.", **words)
    elif len(known) > 1:
        yield Message("{agreement}: {range}.", range=_range(known, len(_met(lead))), **words)
    elif how := _how(one):
        yield Message("{agreement} is {how}: {coefficient} = {value}.", how=how, **words)
    else:
        yield Message("{agreement}: {coefficient} = {value}.", **words)


def _how(one: Finding) -> Message | None:
    """A coefficient in words where it has a band: whether it is beyond chance is told by its interval."""
    low, high = one.estimate.low, one.estimate.high
    if not one.band:
        return None
    if _value(one) > 1 - 1e-9:
        return Message("perfect")
    if low is None or high is None:
        return None
    return ADVERBS[one.band] if low > 0 or high < 0 else Message("not told apart from chance")


def _range(known: Sequence[Finding], every: int) -> Message:
    """A coefficient of every two raters: the lowest, the highest and the median."""
    low, high = min(known, key=_value), max(known, key=_value)
    pairs = Message("{n} of {all} pairs", n=len(known), all=every)
    if len(known) == every:
        pairs = Message("{n} pairs", n=every)
    if value_of(low) == value_of(high):
        return Message(
            "{coefficient} of two annotators is {value} in each of {pairs}", coefficient=low.short, value=value_of(low),
            pairs=pairs,
        )  # fmt: skip
    return Message(
        "{coefficient} of two annotators is between {least} ({worst}) and {most} ({best}), with a median of {median} "
        "over {pairs}",
        coefficient=low.short, least=value_of(low), worst=_pair(low), most=value_of(high), best=_pair(high),
        median=_median(known), pairs=pairs,
    )  # fmt: skip


def _met(pairs: Sequence[Finding]) -> list[Finding]:
    """The pairs of raters who rated an item in common: those of different panels did not."""
    return [one for one in pairs if one.estimate.n_items]


def _pair(one: Finding) -> Message:
    first, second = one.raters
    return Message("{first} and {second}", first=first, second=second)


def _median(known: Sequence[Finding]) -> str:
    return bare(median(map(_value, known)), known[0].unit)


def _value(one: Finding) -> float:
    return one.height


def _bases(told: Told, leads: Sequence[Finding]) -> Iterator[Message]:
    """What agreement on each question is told by."""
    for name in dict.fromkeys(str(one.short) for one in leads):
        mine = [one for one in leads if str(one.short) == name]
        words: dict[str, Any] = {"coefficient": mine[0].short, "rests_on": mine}
        if len({str(one.short) for one in leads}) == 1:
            yield Message("Agreement among annotators is told by {coefficient}.", **words)
        else:
            yield Message(
                "Agreement among annotators on {questions} is told by {coefficient}.",
                questions=_quoted(told, mine),
                **words,
            )


def _of_alpha(told: Told, found: Sequence[Finding]) -> Iterator[Message]:
    """The levels at which α is computed, and what κ makes of points."""
    alphas = list(select(found, statistic=ALPHA))
    if alphas:
        levels = Listed(tuple(map(Word, dict.fromkeys(one.what for one in alphas))))
        yield Message(
            "Krippendorff’s α is computed at the level of the answers ({levels}).", levels=levels,
            rests_on=alphas,
        )  # fmt: skip
    each = {(s.id, ask.id) for s in told.protocol.sections for ask in s.ask if ask.question.rates_each()}
    if units := [one.id for one in alphas if (one.section, one.question) in each]:
        yield Message("Where each system of an item is rated, each is a unit of its own.", rests_on=units)
    ordered = set(_questions(one for one in alphas if one.what == "ordinal"))
    if names := [one.id for one in select(found, statistic=FLEISS) if (one.section, one.question) in ordered]:
        yield Message("Fleiss’ κ takes the points of a scale as names.", rests_on=names)


def _without_pairs(told: Told) -> Iterator[Message]:
    """That what was asked for of every two raters is not told of so many of them."""
    analysis = told.protocol.analysis
    rows = [KNOWN[name] for name in (*analysis.agreement, *([analysis.primary] if analysis.primary else ()))]
    named = "agreement" in analysis.model_fields_set or analysis.primary is not None
    if not named or not any(row.shape == TWO_RATERS for row in rows):
        return
    every = told.results.select(inquiry=Agreement.name, by="", round=1)
    named_answers = set(_questions(one for one in every if one.reading)) - set(_questions(f for f in every if f.raters))
    alone = [one for one in every if one.primary and (one.section, one.question) in named_answers]
    if alone and len(told.results.annotators) > MOST_PAIRED:
        yield Message(
            "Coefficients of two raters are not computed of more than {n} raters.", n=MOST_PAIRED,
            rests_on=[stated("analysis.agreement"), *(one.id for one in alone)],
        )  # fmt: skip


def _banded(told: Told) -> list[Finding]:
    """Everything that has one of Landis and Koch's words, of raters and of judges."""
    return [one for one in told.known() if one.band in ADVERBS]


def _few_items(told: Told) -> Iterator[Message]:
    """Intervals of κ over few items."""
    found = [one for one in told.known(by="", round=1) if one.statistic in KAPPAS and one.estimate.low is not None]
    few = [one for one in found if one.n < FEW_FOR_KAPPA]
    if not few:
        return
    numbers = [one.n for one in few]
    low, high = min(numbers), max(numbers)
    words: dict[str, Any] = {"few": FEW_FOR_KAPPA, "rests_on": few}
    if low == high and len(few) == len(found):
        yield Message(
            "{n} item is few for an interval of κ: below about {few} items it may hold its confidence less often than "
            "it says, above all where one outcome is rare.",
            "{n} items are few for an interval of κ: below about {few} items it may hold its confidence less often "
            "than it says, above all where one outcome is rare.",
            n=low, **words,
        )  # fmt: skip
    else:
        yield Message(
            "Some intervals of κ are over {n} item only: below about {few} items they may hold their confidence less "
            "often than they say, above all where one outcome is rare.",
            "Some intervals of κ are over {n} items or fewer: below about {few} items they may hold their confidence "
            "less often than they say, above all where one outcome is rare.",
            n=high, **words,
        )  # fmt: skip


def _wide(told: Told) -> Iterator[Message]:
    """Coefficients that agreement is told by whose interval is wide, of people and of judges."""
    found = [one for one in told.known(primary=True, by="", round=1) if one.band in ADVERBS and _length(one) > WIDE]
    for section, question, statistic in dict.fromkeys((f.section, f.question, f.statistic) for f in found):
        mine = list(select(found, section=section, question=question, statistic=statistic))
        words: dict[str, Any] = {"what": told.results.label(mine[0]), "rests_on": mine}
        if len(mine) > FEW_PAIRS:
            yield Message(
                "{n} intervals of {what} are longer than {wide}: their bands are not settled.",
                n=len(mine), wide=f"{WIDE:g}", **{**words, "what": told.results.label(mine[0], mine[0].short)},
            )  # fmt: skip
            continue
        for one in mine:
            low, high = bare(one.estimate.low or 0.0), bare(one.estimate.high or 0.0)
            yield Message(
                "The interval of {what} is wide ({low} to {high}): its band is not settled.",
                low=low, high=high, what=told.results.label(one), rests_on=[one],
            )  # fmt: skip


def _length(one: Finding) -> float:
    low, high = one.estimate.low, one.estimate.high
    return 0.0 if low is None or high is None else high - low


def _prevalence(told: Told) -> Iterator[Message]:
    """κ far from AC1, and why, question by question and reading by reading."""
    found = told.known(inquiry=Agreement.name, by="", round=1)
    for kappa in select(found, statistic=FLEISS):
        same = {"section": kappa.section, "question": kappa.question, "reading": kappa.reading}
        beside, alike = first(found, statistic=AC1, **same), first(found, statistic=PERCENT, **same)
        if beside is None or abs(_value(beside) - _value(kappa)) <= FAR:
            continue
        k, share = _value(kappa), None if alike is None else _value(alike)
        why = Message("they differ in what chance alone would give")
        # Chance agrees more often than not where one answer is more common than all others together.
        if share is not None and share > 0.5 and k < 1 and (share - k) / (1 - k) > 0.5:
            why = Message("κ is low where one answer is much more common than the others, even if raters mostly agree")
        words: dict[str, Any] = {"ac": bare(_value(beside)), "kappa": bare(k), "why": why}
        words["rests_on"] = (kappa, beside)
        if len(_questions(select(found, statistic=FLEISS))) > 1:
            yield Message(
                "Gwet’s AC1 ({ac}) is far from Fleiss’ κ ({kappa}) on “{question}”: {why}. Read both.",
                question=kappa.title, **words,
            )  # fmt: skip
        else:
            yield Message("Gwet’s AC1 ({ac}) is far from Fleiss’ κ ({kappa}): {why}. Read both.", **words)


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
            many.append(_met(mine) or mine)
    return listed, many


def _table(part: Part, found: Sequence[Finding]) -> Table:
    """A row for each coefficient that agreement is told by or that is asked for."""
    mine = [one for one in found if _is_headed(part, one)]
    told = [Message("How far annotators agree.")]
    if len(_questions(mine)) > 1:
        told.append(Message("What agreement on a question is told by stands first."))
    elif lead := first(mine, primary=True):
        told.append(Message("Agreement is told by {coefficient}.", coefficient=lead.short))
    table = part.table("agreement", Agreement.title, Sentences(tuple(told)), mine)
    plain = [one for one in mine if not one.band and one.n < FEWEST_BANDED]
    if plain and any(one.band for one in mine):
        note = Message("No band is named for fewer than {n} items.", n=FEWEST_BANDED)
        table = replace(table, notes=(*table.notes, note))
    return table


def _overview(part: Part, found: Sequence[Finding]) -> Table:
    """A row for each question: what agreement is told by, and the coefficients of all raters."""
    single = [one for one in found if one.primary or _is_headed(part, one) or _is_plain(part, one)]
    single.sort(key=lambda one: not one.primary)
    kinds = {one.statistic: KNOWN["gwet ac1" if one.statistic == AC1 else one.statistic].title for one in single}
    rows: list[tuple[tuple[Text, Text], list[Finding | None]]] = []
    ids = [question for _, question in _questions(single)]
    for question in ids:
        mine = list(select(single, question=question))
        lead = first(mine, primary=True)
        told_by: Text = "–" if lead is None else lead.short
        rows.append(((mine[0].title, told_by), [first(mine, statistic=kind) for kind in kinds]))
    heads = (Message("Question"), Message("Told by"), *kinds.values())
    caption = Sentences((
        Message("How far annotators agree on each question, and what that is told by."),
        Message("Small: the interval, and what n counts."),
    ))  # fmt: skip
    table = pivot(part.key("agreement"), Agreement.title, caption, heads, rows)
    named = tuple((replace(name, small=id), *rest) for id, (name, *rest) in zip(ids, table.rows, strict=True))
    return replace(table, rows=named)


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
        low, high = min(known, key=_value), max(known, key=_value)
        ends = [Cell(value_of(one), id=one.id, small=_pair(one)) for one in (low, high)]
        rows.append((name, Cell(pairs), ends[0], Cell(_median(known)), ends[1]))
    heads = (Message("Coefficient"), Message("Pairs"), Message("Lowest"), Message("Median"), Message("Highest"))
    title = Message("Agreement of two annotators")
    caption = Message("Every two annotators on the items that both rated, summed up over the pairs.")
    return Table(part.key("agreement_pairs"), title, caption, heads, tuple(rows), (), frozenset({1, 2, 3, 4}))


def _figure(part: Part, found: Sequence[Finding], few: bool) -> Drawing:
    """What agreement on each question is told by; of few questions with the other coefficients; and judges'."""
    judged = [one for one in part.of("comparison", primary=True) if one.unit == ""]
    mine = [
        one for one in (*found, *judged)
        if one.unit == "" and (one.primary or (few and (_is_headed(part, one) or one.statistic == FLEISS)))
    ]  # fmt: skip
    told = [Message("Coefficients of agreement, in blue what agreement is told by.")]
    if not few:
        told = [Message("What agreement on each question is told by.")]
    told.append(Message("Lines are intervals."))
    if any(one.band for one in mine):
        told.append(Message("Shaded: the bands of Landis and Koch, from slight to almost perfect."))
    drawn = figures.coefficients(
        [(one, part.results.label(one)) for one in mine], part.key("agreement"), part.say(Message("coefficient")),
        part.say,
    )  # fmt: skip
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
            "{what} of every two annotators: the darker, the higher; empty where there is none.", what=what
        )
        yield part.drawing(key, charts.squares(mine, part.key(key)), caption, not mine[0].primary)


def _by_stratum(part: Part, by: str) -> Iterator[Table]:
    """What is found in each stratum of a field, a table a question; strata of few items stand in the supplement."""
    here = part.in_strata(Agreement.name, by=by)
    several = len(_questions(here)) > 1
    for case in part.cases:
        mine = list(select(here, question=case.sheet.id))
        mine.sort(key=lambda one: not one.primary)
        kinds = {one.statistic: one.short for one in mine}
        more = part.results.select(statistic=AMBIGUOUS, by=by, section=part.section.id, question=case.sheet.id, round=1)
        heads = (capital(plain(by)), *kinds.values(), Message("Ambiguous"))
        title = Message("Agreement by {field}", field=plain(by))
        told = [
            Message("{title}.", title=title),
            *([Message("The question is “{question}”.", question=case.title)] if several else []),
            Message("Small: the interval, and what n counts."),
        ]  # fmt: skip
        # Answers that can be right have a table of strata of their own.
        is_further = case.sheet.question.is_scored()
        rows: Rows = {
            name: [*(first(mine, statistic=kind, stratum=name) for kind in kinds), first(more, stratum=name)]
            for name in dict.fromkeys(one.stratum for one in mine)
        }
        name = f"agreement_{case.sheet.id}_by_{by}"
        yield from _split(part, name, title, Sentences(tuple(told)), heads, rows, mine, is_further)


def _split(
    part: Part, name: str, title: Text, caption: Text, heads: Sequence[Text], rows: Rows, found: Sequence[Finding],
    is_further: bool = False,
) -> Iterator[Table]:  # fmt: skip
    """A table with a row for each stratum; those of few items stand in one of the supplement."""
    n: dict[str, int] = {}
    for one in found:
        n[one.stratum] = max(n.get(one.stratum, 0), one.n)
    for few in (False, True):
        mine = [(stratum, row) for stratum, row in rows.items() if (n[stratum] < FEW_ITEMS) is few]
        key = part.key(f"{name}_few" if few and len(mine) < len(rows) else name)
        yield pivot(key, title, caption, heads, mine, few or is_further)


def _by_question(part: Part, by: str) -> Iterator[Table]:
    """What agreement is told by in each stratum of a field, a column a question; and how often raters agree."""
    here, field = part.in_strata(Agreement.name, by=by), plain(by)
    told = {"agreement": list(select(here, primary=True)), "agreement_shares": list(select(here, statistic=PERCENT))}
    captions = {
        "agreement": Message("What agreement on each question is told by, by {field}.", field=field),
        "agreement_shares": Message("Pairs of answers that agree, by {field}.", field=field),
    }
    small = Message("Small: the interval, and what n counts.")
    for name, mine in told.items():
        columns = {one.question: one for one in mine}
        heads = [one.title for one in columns.values()]
        if name == "agreement":
            heads = [Message("{question}: {what}", question=one.title, what=one.short) for one in columns.values()]
        rows: Rows = {
            stratum: [first(mine, stratum=stratum, question=question) for question in columns]
            for stratum in dict.fromkeys(one.stratum for one in mine)
        }
        title = Message("Agreement by {field}", field=field)
        if name == "agreement_shares":
            title = Message("Answers that agree, by {field}", field=field)
        caption = Sentences((captions[name], small))
        yield from _split(part, f"{name}_by_{by}", title, caption, (capital(field), *heads), rows, mine)
