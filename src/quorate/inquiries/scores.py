"""How high are the scores? Means over items, of people and of judges, by part of the items and over all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf, isfinite

import numpy as np

from quorate.conditions import condition
from quorate.exhibits import charts
from quorate.exhibits.blocks import Block
from quorate.exhibits.breakdowns import fields, pivot
from quorate.exhibits.numbers import in_text
from quorate.exhibits.tables import Cell, Table, notes_of
from quorate.findings.ids import apart, id_of
from quorate.findings.names import judge_name, plain
from quorate.findings.results import Finding, by_question, ends, first, select
from quorate.inquiries.base import FEW_ITEMS, SMALL, Inquiry, Part, Told, as_one, resting
from quorate.inquiries.derived import title_of
from quorate.inquiries.item_means import counted, for_raters, is_number, item_means, maximum, mean_of_items, within
from quorate.inquiries.means import mean, mean_of_means
from quorate.inquiries.tags import NONE_OF_THESE, marked_apart
from quorate.languages import capital
from quorate.messages import Listed, Message, Sentences, Text, Word
from quorate.protocol import Section
from quorate.protocol.rules import Score
from quorate.records import Item
from quorate.sheets.case import JUDGED, RAW, Case, told
from quorate.sheets.columns import Floats

#: A mark for every item is drawn where a picture holds no more of them than this.
MOST_MARKS = 900
#: So many kinds of items are counted beside the means at most.
MOST_KINDS = 4

Ends = tuple[float, float]
"""The lowest and the highest number of a scale."""


class Scores(Inquiry):
    """The mean score of people and of every judge, and its share of the maximum where the scale begins at zero."""

    name = "scores"
    title = Message("Scores")
    names_questions = with_and_without = True

    def fits(self, case: Case) -> bool:
        """An answer is one number about one item."""
        return is_number(case)

    def find(self, case: Case) -> Iterator[Finding]:
        """Over all items, by field with every stratum counting the same, and apart by the tags that items were given.

        Over all items it is also told as a share of the maximum.
        """
        yield from self.each(case)
        people = item_means(case.sheet)
        for field in fields(case.protocol):
            yield _mean_of(case, people, field)
        top = maximum(case.sheet)
        if top:
            share = counted(mean(people / top, clusters=case.sheet.clusters, confidence=case.confidence), people)
            share = for_raters(case, share, 1 / top)
            yield case.finding(
                "percent_of_maximum", within(share, 0, 1), statistic="percent of maximum", unit="%",
                label=Message("{question}: percent of the maximum", question=case.title),
                rows=f"{RAW}: response_normalized / {top:g}",
            )  # fmt: skip
        for part in marked_apart(case):
            yield from self.each(part)

    def each(self, part: Case) -> Iterator[Finding]:
        """The mean over items, of people and of every judge."""
        yield _mean(part, item_means(part.sheet))
        for judge in part.sheet.judges:
            yield _mean(part, item_means(part.sheet, "machines", judge), judge)

    def whole(self, cases: Sequence[Case]) -> Iterator[Finding]:
        """All scores of a section together as one share of the maximum: every score of every item counts once."""
        scaled = [case for case in cases if maximum(case.sheet)]
        if len(scaled) < 2:
            return
        groups = np.concatenate([case.sheet.clusters for case in scaled])
        shares = np.concatenate([item_means(case.sheet) / maximum(case.sheet) for case in scaled])
        known = ~np.isnan(shares)
        found = mean(shares[known], clusters=groups[known], confidence=scaled[0].confidence)
        section, name = scaled[0].sheet.section, apart("overall", [case.sheet.id for case in cases])
        yield Finding(
            id=f"{section}.{id_of(name)}.percent_of_maximum", statistic="percent of maximum", section=section,
            question=name, label=Message("All scores together: percent of the maximum"),
            title=Message("All scores together"), estimate=within(counted(found, shares), 0, 1), unit="%",
            primary=True, rows=f"{RAW}: response_normalized / max",
        )  # fmt: skip

    def headline(self, part: Part) -> Iterator[Message]:
        """The lowest and the highest mean of each scale."""
        return as_one(_ranges(part))

    def exhibits(self, part: Part) -> Iterator[Block]:
        """Means over all items, then by each field; strata of few items stand in the supplement."""
        found = part.of(self.name)
        if not found:
            return
        caption = Message("The mean of each score.") if any(_ranges(part)) else Message("No item has been scored yet.")
        yield _whole(part, found, caption)
        panels = list(_panels(part, list(select(found, statistic="mean", judge=""))))
        whole = Sentences((Message("The mean of each score."), *_drawn_as(part, panels)))
        yield part.drawing("scores_drawn", charts.means(panels), whole, leads=True)
        for by in _by(part):
            yield from _tables(part, by)
            yield from _drawings(part, by)
        over_fields = [one for one in found if one.statistic == "mean of means"]
        title = Message("Means that count every stratum the same")
        yield part.table("scores_of_strata", title, Message("{title}.", title=title), over_fields, further=True)

    def methods(self, told: Told) -> Iterator[Message]:
        """What a mean is of, how its interval is made, and what each weighted score is made of."""
        known = told.known(inquiry=self.name, statistic="mean", by="", judge="")
        yield from resting(Message("A mean score is the mean over items of the mean over raters."), known)
        units: Text = Message("items")
        if cluster := told.protocol.file.items.cluster:
            units = Message("the values of {field}", field=plain(cluster))
        sure = [one for one in known if one.estimate.low is not None and not one.of_new_raters]
        yield from resting(Message("Its interval is Student’s t over {units}.", units=units), sure)
        shares = told.known(inquiry=self.name, statistic="percent of maximum")
        also = Message("Where a scale begins at zero, its mean is also told as a share of the highest point.")
        yield from resting(also, shares)
        for section in told.protocol.sections:
            for score in section.scores:
                found = told.results.select(inquiry=self.name, section=section.id, question=score.id, by="")
                yield from resting(definition(section, score), found)

    def limits(self, told: Told) -> Iterator[Message]:
        """Weighted scores are of other parts where other questions apply."""
        weighted = Message(
            "A weighted score is over the parts that apply to an item; across kinds of items only the score over "
            "shared parts compares like with like."
        )
        yield from resting(weighted, told.results.select(inquiry=self.name, is_shared=True))


# What is computed.


def _mean(case: Case, numbers: Floats, judge: str = "") -> Finding:
    found = mean_of_items(case, numbers)
    found = within(found if judge else for_raters(case, found), *case.sheet.question.ends())
    found = told(found, Message("no answer applies here, or none was given"))
    label = Message("{question}: mean", question=case.title)
    rows = f"{RAW}: response_normalized"
    if judge:
        label = Message("{question}: mean of {judge}", question=case.title, judge=judge_name(judge))
        rows = f"{JUDGED}: response_normalized [annotator_id = {judge}]"
    name = f"mean.judge.{judge}" if judge else "mean"
    return case.finding(name, found, statistic="mean", label=label, primary=not judge, judge=judge, rows=rows)


def _mean_of(case: Case, people: Floats, field: str) -> Finding:
    """The mean over the values of a field of the mean of their items."""
    found = mean_of_means(people, case.sheet.field(field)[0], clusters=case.sheet.clusters, confidence=case.confidence)
    found = replace(within(found, *case.sheet.question.ends()), n_items=int((~np.isnan(people)).sum()))
    return case.finding(
        "", found, (f"mean_of_{field}_means",), statistic="mean of means", what=field,
        label=Message("{question}: mean of {field} means", question=case.title, field=plain(field)),
        rows=f"{RAW}: response_normalized, {field}",
    )  # fmt: skip


# What is said of it.


def definition(section: Section, score: Score) -> Message:
    """What a weighted score is made of."""
    yes_no = {ask.id for ask in section.ask if ask.question.declared("responses") == ("Yes", "No")}
    words = {ask.id: ask.question.prompt or plain(ask.id) for ask in section.ask}
    parts = Listed(
        tuple(
            Message("“{part}” {weight}", part=words[name], weight=f"{weight:g}")
            for name, weight in score.weights.items()
        )
    )
    told = Message("“{score}” is the weighted mean of the answers that apply ({parts}).")
    if yes_no & set(score.weights):
        told = Message(
            "“{score}” is the weighted mean of the answers that apply ({parts}; Yes counts {yes}, No {no}).",
            yes=f"{score.yes:g}", no=f"{score.no:g}",
        )  # fmt: skip
    return told.having(score=title_of(score), parts=parts)


def _ranges(part: Part) -> Iterator[Message]:
    """The mean of each scale, or the lowest and the highest of several on the same scale."""
    known = [one for one in part.of(Scores.name, statistic="mean", judge="") if one.is_known]
    scales = {case.sheet.id: case.sheet.question.ends() for case in part.cases}
    for scale in dict.fromkeys(scales[one.question] for one in known):
        mine = [one for one in known if scales[one.question] == scale and not one.is_shared]
        low, high = (f"{end:g}".replace("-", "−") for end in scale)
        if len(mine) > 1 and all(map(isfinite, scale)):
            least, most = ends(mine)
            yield Message(
                "On the scale from {low} to {high}, means range from {least} (“{worst}”) to {most} (“{best}”).",
                low=low, high=high, least=in_text(least), worst=least.title, most=in_text(most), best=most.title,
                rests_on=[least, most],
            )  # fmt: skip
            continue
        sentence = Message("The mean of “{question}” is {mean}.")
        if all(map(isfinite, scale)):
            sentence = Message("The mean of “{question}” is {mean} on the scale from {low} to {high}.",
                               low=low, high=high)  # fmt: skip
        for one in sorted(mine, key=lambda one: one.height):
            yield sentence.having(question=one.title, mean=in_text(one)).because(one)


def _drawn_as(part: Part, panels: Sequence[charts.Panel]) -> Iterator[Message]:
    """How to read a picture of means."""
    yield from charts.how_drawn(panels)
    if _has_marks(part):
        yield Message("Pale: the items.")


# Its tables and figures.


def _whole(part: Part, found: Sequence[Finding], caption: Text) -> Table:
    """A row for each score: the means of people and of each judge, and the share of the maximum."""
    judges = list(dict.fromkeys(one.judge for one in found if one.judge))
    rows, ids = [], []
    for mine in by_question(found):
        means = [first(mine, statistic="mean", judge=judge) for judge in ("", *judges)]
        rows.append((mine[0].title, [*means, first(mine, statistic="percent of maximum")]))
        ids.append(mine[0].question if any(case.sheet.id == mine[0].question for case in part.cases) else "")
    heads = (
        Message("Score"), Message("Mean"), *(Message("Mean of {judge}", judge=judge_name(one)) for one in judges),
        Message("Percent of the maximum"),
    )  # fmt: skip
    small = Message("Small: the interval, and the number of items; under a name, what the data call it.")
    table = pivot(part.key("scores"), Scores.title, Sentences((caption, small)), heads, rows)
    told = [one for one in found if one.statistic != "mean of means"]
    named = tuple((replace(name, small=id), *rest) for id, (name, *rest) in zip(ids, table.rows, strict=True))
    return replace(table, rows=named, notes=notes_of(part.results, told))


def _by(part: Part) -> tuple[str, ...]:
    """The fields by which the study breaks results down, and the questions whose tags set items apart."""
    tagged = [one.by for one in part.in_strata(Scores.name) if one.by not in fields(part.protocol)]
    return tuple(dict.fromkeys((*fields(part.protocol), *tagged)))


def _strata(part: Part, by: str) -> tuple[list[str], list[str]]:
    """The strata of a field, those of enough items and those of few: by number, else from the highest mean on."""
    n: dict[str, int] = {}
    means: dict[str, float] = {}
    for one in part.in_strata(Scores.name, by=by, statistic="mean", judge=""):
        n[one.stratum] = max(n.get(one.stratum, 0), one.n)
        if one.is_known:
            means.setdefault(one.stratum, one.height)
    if not all(map(_is_number, n)):
        n = {name: n[name] for name in sorted(n, key=lambda name: -means.get(name, -inf))}
    return [name for name in n if n[name] >= FEW_ITEMS], [name for name in n if n[name] < FEW_ITEMS]


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False


def _columns(part: Part, **fields: str) -> list[Finding]:
    """People's means, then the shares of Yes."""
    of = part.in_strata if fields else part.of
    yes = {"reading": "rating", "what": ""}
    return [*of(Scores.name, statistic="mean", judge="", **fields), *of("rates", **yes, **fields)]


def _tables(part: Part, by: str) -> Iterator[Table]:
    """Means of every score in each stratum, with the numbers of items of each kind; the last row is over all items."""
    whole, here = _columns(part), _columns(part, by=by)
    is_share = any(one.statistic == "rate" for one in whole)
    kinds = counted_kinds(part.section, part.items) if by in fields(part.protocol) else {}
    name = plain(by)
    heads = (capital(name), *(one.title for one in whole))
    told = Message("The mean over items of each score, by {field}.", field=name)
    if is_share:
        told = Message("The mean over items of each score, and the share of Yes, by {field}.", field=name)
    many, few = _strata(part, by)
    for strata, further in ((many, False), (few, True)):
        if not strata:
            continue
        rows: list[tuple[Text, list[Finding | None]]] = [
            (_called(part, by, stratum), [_known(first(here, question=one.question, stratum=stratum)) for one in whole])
            for stratum in strata
        ]
        rows.append((Message("All items"), list(map(_known, whole))))
        key = f"scores_by_{by}_few" if further and many else f"scores_by_{by}"
        caption = [told]
        if by not in fields(part.protocol):
            caption.append(Message("An item stands with each tag that more than half of its raters gave it."))
        caption.append(SMALL)
        if any(one is None for _, row in rows for one in row):
            caption.append(Message("A dash: no answer there."))
        caption.append(Message("The last row is over all items."))
        title = Message("Results by {field}", field=name)
        table = pivot(part.key(key), title, Sentences(tuple(caption)), heads, rows, further)
        yield _with_counts(table, kinds, part.items, by)


def _called(part: Part, by: str, stratum: str) -> Text:
    """What a stratum is called: by its value, or in a word of ours where items have none of the tags."""
    return Word(stratum) if stratum == NONE_OF_THESE and by not in fields(part.protocol) else stratum


def _known(finding: Finding | None) -> Finding | None:
    return None if finding is None or not finding.is_known else finding


def _with_counts(table: Table, kinds: Mapping[tuple[str, str], Text], items: Sequence[Item], by: str) -> Table:
    """The table with the number of items of each kind behind it."""
    if not kinds:
        return table
    rows = tuple((*row, *(Cell(f"{_count(items, by, row[0].text, *kind):,}") for kind in kinds)) for row in table.rows)
    columns = (*table.columns, *kinds.values())
    return replace(table, columns=columns, rows=rows, numeric=frozenset(range(1, len(columns))))


def counted_kinds(section: Section, items: Sequence[Item]) -> dict[tuple[str, str], Text]:
    """The kinds of items that questions apply to (figures, tables): a field and its value, with what it is called."""
    names = {name for ask in section.ask if ask.applies_when for name in condition(ask.applies_when).names}
    found: dict[tuple[str, str], Text] = {}
    for field in sorted(names - {ask.id for ask in section.ask}):
        values = sorted({str(item.fields[field]) for item in items if field in item.fields})
        if 1 < len(values) <= MOST_KINDS and not all(value.isdecimal() for value in values):
            found |= {
                (field, value): Message("Items, {field} {value}", field=plain(field), value=value) for value in values
            }
    return found


def _count(items: Sequence[Item], by: str, stratum: Text, field: str, value: str) -> int:
    """The items of one kind in a stratum; a row that is no name of the study is of all items."""
    here = [item for item in items if not isinstance(stratum, str) or str(item.fields.get(by)) == stratum]
    return sum(str(item.fields.get(field)) == value for item in here)


def _drawings(part: Part, by: str) -> Iterator[Block]:
    """A panel for each score, a line for each stratum; those of few items stand in the supplement."""
    if by not in fields(part.protocol):
        return
    many, few = _strata(part, by)
    here = part.in_strata(Scores.name, by=by, statistic="mean", judge="")
    for strata, further in ((many, False), (few, True)):
        name = f"scores_{by}_few" if further and many else f"scores_{by}"
        panels = list(_panels_by(part, here, by, strata))
        caption = Message("The mean of each score by {field}.", field=plain(by))
        told = Sentences((caption, *_drawn_as(part, panels)))
        yield part.drawing(name, charts.means(panels), told, further)


def _has_marks(part: Part) -> bool:
    """Whether a mark for every item can be told from the others."""
    return 1 < len(part.cases) * len(part.items) <= MOST_MARKS


def _marks(part: Part, numbers: Floats) -> list[float]:
    """The items' means behind their mean."""
    return numbers[~np.isnan(numbers)].tolist() if _has_marks(part) else []


def _panels(part: Part, found: Sequence[Finding]) -> Iterator[charts.Panel]:
    """A panel for each scale, a line for each score on it."""
    cases = {case.sheet.id: case for case in part.cases}
    ends = {one.question: cases[one.question].sheet.question.ends() for one in found}
    for scale in dict.fromkeys(ends.values()):
        lines = [
            charts.line_of(one, part.say(one.title), _marks(part, item_means(cases[one.question].sheet)), part.say)
            for one in found if ends[one.question] == scale and one.is_known
        ]  # fmt: skip
        if lines:
            yield charts.Panel("", scale, lines)


def _panels_by(part: Part, found: Sequence[Finding], by: str, strata: Sequence[str]) -> Iterator[charts.Panel]:
    """A panel for each score, a line for each stratum."""
    for case in part.cases:
        mine = sorted(
            (one for one in select(found, question=case.sheet.id) if one.stratum in strata),
            key=lambda one: strata.index(one.stratum),
        )
        if not is_number(case) or case.sheet.is_shared or not any(one.is_known for one in mine):
            continue
        numbers, (codes, names) = item_means(case.sheet), case.sheet.field(by)
        lines = [
            charts.line_of(
                one, part.say(_called(part, by, one.stratum)),
                _marks(part, numbers[codes == names.index(one.stratum)]), part.say,
            )
            for one in mine if one.is_known
        ]  # fmt: skip
        yield charts.Panel(part.say(case.title), case.sheet.question.ends(), lines)
