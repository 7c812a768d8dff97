"""How is each system rated? Means by system, and paired tests between systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from quorate import statistics
from quorate.exhibits import charts
from quorate.exhibits.blocks import Block
from quorate.exhibits.breakdowns import fields, pivot
from quorate.exhibits.numbers import in_text, value_of
from quorate.exhibits.tables import Table, notes_of
from quorate.findings.names import plain, quoted
from quorate.findings.results import Finding, by_question, first, select
from quorate.inquiries.base import SMALL, Inquiry, Part, Told, resting
from quorate.inquiries.compared import part_of
from quorate.inquiries.item_means import within
from quorate.inquiries.marks import Marks, by_unit, held_marks, marks_table, systems
from quorate.inquiries.means import mean
from quorate.inquiries.ranking import MOST_NAMES, Order, differences, grouping, ordered
from quorate.inquiries.scores import MOST_MARKS
from quorate.languages import capital
from quorate.messages import Clauses, Listed, Message, Sentences, Spelled, Text
from quorate.records import Estimate
from quorate.sheets.case import RAW, Case, clustered, computed, pairs

#: Two systems have a difference; more have groups that cannot be told apart.
TWO = 2
#: Means that differ by less are equal on paper.
NOISE = 1e-12
#: More names than this make no note of a table.
MOST_GROUPED = 30


class Dimensions(Inquiry):
    """The mean rating of each system on each question, and which systems the ratings tell apart."""

    name = "dimensions"
    title = Message("Ratings of each system")
    cites = {"wilcoxon": ("Wilcoxon 1945",)}
    names_questions = with_and_without = True

    def fits(self, case: Case) -> bool:
        """Each system of a pair or a set is given a number of its own."""
        return case.sheet.question.rates_each()

    def find(self, case: Case) -> Iterator[Finding]:
        """Each system's mean, and the paired difference of every two.

        A difference is of the items that show both systems.
        """
        yield from self.each(case)
        held = held_marks(case)
        for pair in pairs(held):
            yield _difference(case, held, pair)
            if case.analysis.population.raters == "new":
                yield _by_rater(case, pair)

    def each(self, part: Case) -> Iterator[Finding]:
        """The mean of each system that was rated."""
        held, rows = held_marks(part), f"{RAW}: response_normalized"
        for name, (numbers, item, who) in held.items():
            found = mean(numbers, clusters=part.sheet.clusters[item], confidence=part.confidence)
            found = part.for_raters(found, numbers, item, who)
            yield part.finding(
                "mean", within(found, *part.sheet.question.ends()), (name,), statistic="mean", systems=(name,),
                rows=rows, short=quoted(name),
                label=Message("{question}: mean of {system}", question=part.title, system=quoted(name)),
            )  # fmt: skip
        if not held:
            none = Estimate.undefined(Message("nothing has been rated yet"), confidence=part.confidence)
            label = Message("{question}: mean", question=part.title)
            yield part.finding("mean", none, statistic="mean", label=label, rows=rows)

    def headline(self, part: Part) -> Iterator[Message]:
        """Which system has the highest mean on which questions, and from which it is told apart."""
        orders = _orders(part)
        leads: dict[tuple[str, ...], list[tuple[Finding, Order]]] = {}
        for order in orders:
            leads.setdefault(tuple(one.systems[0] for one in _highest(order)), []).append((order.findings[0], order))
        for names, led in sorted(leads.items(), key=lambda one: -len(one[1])):
            because = [one.id for top, _ in led for one in part.of(self.name, question=top.question)]
            yield _lead(names, led).because(*because)

    def exhibits(self, part: Part) -> Iterator[Block]:
        """Means by system with what the tests tell apart; differences, strata and agreement behind them."""
        found = part.of(self.name)
        means = [one for one in found if one.statistic == "mean"]
        orders = _orders(part)
        if not orders:
            nothing = Message("Nothing has been rated yet.")
            yield part.table("dimensions", self.title, nothing, means, Message("Question"))
            return
        yield _of_one(part, orders[0]) if len(orders) == 1 else _of_several(part, orders, means)
        panels = list(_panels(part, orders))
        yield part.drawing("dimensions", charts.means(panels), _drawn_as(part, orders, panels), leads=True)
        caption = Sentences((
            Message("The first system of each pair minus the second, over the {units} for which both were rated: the "
                    "pseudo-median of their differences, with Wilcoxon’s signed-rank test.", units=_units(part)),
        ))  # fmt: skip
        yield differences(part, "differences", caption, [one for one in found if one.statistic == "wilcoxon"])
        new = [one for one in found if one.statistic == "mean difference"]
        if any(one.estimate.p is not None for one in new):
            of_new = Message(
                "The first system of each pair minus the second, the mean over ratings of one rater and one item; the "
                "test speaks of new raters on new items."
            )
            yield differences(part, "differences_new_raters", of_new, new)
        for by in fields(part.protocol):
            yield _by(part, by)

    def methods(self, told: Told) -> Iterator[Message]:
        """What a mean and a difference are of."""
        means, gaps = (told.known(inquiry=self.name, statistic=kind, by="") for kind in ("mean", "wilcoxon"))
        units = _units(told)
        yield from resting(Message("A system’s mean rating is over all ratings of it."), means)
        sure = [one for one in means if one.estimate.low is not None and not one.of_new_raters]
        yield from resting(Message("The interval of such a mean is Student’s t over {units}.", units=units), sure)
        compared = Message(
            "Two systems are compared on the {units} for which both were rated, by Wilcoxon’s signed-rank test (1945) "
            "of the differences of their mean ratings; the difference is Hodges and Lehmann’s pseudo-median.",
            units=units,
        )
        yield from resting(compared, gaps)
        tested = [one for one in gaps if one.p_adjusted is not None]
        if len(gaps) > len(by_question(gaps)):
            yield from grouping(told, Message("this test"), tested)
        else:
            two = Message(
                "The two are told apart where this test has p ≤ {alpha}, corrected within its family of tests.",
                alpha=f"{1 - told.protocol.analysis.confidence:g}",
            )
            yield from resting(two, tested)

    def sources(self, told: Told) -> Iterator[str]:
        """The test, its correction, and how groups are made."""
        yield from super().sources(told)
        gaps = told.known(inquiry=self.name, statistic="wilcoxon")
        if any(one.p_adjusted is not None for one in gaps):
            yield "Holm 1979"
        if len(gaps) > len(by_question(gaps)):
            yield "Piepho 2004"


def _difference(case: Case, held: Mapping[str, Marks], pair: tuple[str, str]) -> Finding:
    """Of each item (or cluster) the difference of means over raters; Wilcoxon's test on those."""
    a, b = (by_unit(case.sheet.clusters, *held[name][:2]) for name in pair)
    gaps = (a - b)[~np.isnan(a - b)]
    estimate = Estimate.undefined(Message("no item shows both systems"), confidence=case.confidence)
    if len(gaps):
        estimate = part_of(computed(statistics.wilcoxon, gaps, confidence=case.confidence), "pseudo_median")
    one, other = pair
    told = Message("{question}: “{one}” minus “{other}”", question=case.title, one=one, other=other)
    return case.finding(
        "difference", estimate, pair, statistic="wilcoxon", family=Dimensions.name, systems=pair,
        label=clustered(case, told), rows=f"{RAW}: response_normalized",
    )  # fmt: skip


def _by_rater(case: Case, pair: tuple[str, str]) -> Finding:
    """The mean over ratings of what one rater gives the first of two systems more than the second, for new raters."""
    table, rows, names = marks_table(case.sheet), case.sheet.people, case.sheet.whole.held["systems"]
    gaps = table[:, names.index(pair[0])] - table[:, names.index(pair[1])]
    both = ~np.isnan(gaps)
    of = (gaps[both], case.sheet.clusters[rows.item[both]], rows.who[both])
    one, other = pair
    return case.finding(
        "mean_difference", computed(statistics.crossed_mean, *of, confidence=case.confidence), pair,
        statistic="mean difference", family=f"{Dimensions.name} of new raters", systems=pair,
        rows=f"{RAW}: response_normalized",
        label=Message("{question}: mean of “{one}” minus “{other}”", question=case.title, one=one, other=other),
    )  # fmt: skip


# What is said of it.


def _units(told: Told) -> Text:
    """What goes together: items, or what has the same value of the field that the study names."""
    cluster = told.protocol.file.items.cluster
    return Message("values of {field}", field=plain(cluster)) if cluster else Message("items")


def _orders(part: Part) -> list[Order]:
    """The systems of each question that was answered, from the highest mean on."""
    orders = [
        ordered(list(select(mine, statistic="mean")), list(select(mine, statistic="wilcoxon")))
        for mine in by_question(part.of(Dimensions.name))
    ]
    return [order for order in orders if order.findings]


def _highest(order: Order) -> tuple[Finding, ...]:
    """Those whose mean nobody exceeds."""
    top = order.findings[0].height
    return tuple(one for one in order.findings if top - one.height <= NOISE)


def _lead(names: Sequence[str], led: Sequence[tuple[Finding, Order]]) -> Message:
    """That these systems have the highest mean on these questions."""
    top, order = led[0]
    n, several = len(order.systems), len(led) > 1
    questions = Listed(tuple(quoted(one.title) for one, _ in led))
    value = value_of(top) if len(names) > 1 else in_text(top)
    of: dict[str, Any] = {"first": quoted(names[0]), "questions": questions, "level": order.level}
    if not several:
        of["first"] = Message("{first} ({value})", first=of["first"], value=value)
    if n == 1:
        told = Message("Only {first} was rated on {questions}.")
        if not several:
            told = Message("On {questions} the mean of “{first}” is {value}.", value=value)
            of["first"] = names[0]
        return told.having(**of)
    if len(names) > 1:
        of["first"] = Listed(tuple(map(quoted, names)))
        if several:
            return Message("On {questions} the highest mean is that of {first} alike.", **of)
        return Message("On {questions} the highest mean ({value}) is that of {first} alike.", value=value, **of)
    of["highest"], of["other"] = Message("the highest mean"), Message("every other")
    if len({len(order.systems) for _, order in led}) == 1:
        of["highest"] = Message("the highest mean of {n} systems", n=Spelled(n))
        if n == TWO:
            of["highest"] = Message("the higher mean of the two")
    if n == TWO:
        of["other"] = Message("the other")
    return (_on_several(led, names[0]) if several else _on_one(order, names[0])).having(**of)


def _on_one(order: Order, first: str) -> Message:
    """From which others the system with the highest mean is told apart."""
    n, others = len(order.systems), order.alike(first)
    if not others:
        return Message("On {questions}, {first} has {highest} and is told apart from {other} at the {level} level.")
    alike: Text = Listed(tuple(map(quoted, others)))
    if n == TWO:
        alike = Message("the other")
    elif len(others) == n - 1:
        alike = Message("any of the others")
    elif len(others) > MOST_NAMES:
        alike = Message("{k} of the others", k=Spelled(len(others)))
    return Message(
        "On {questions}, {first} has {highest}, but is not told apart from {alike} at the {level} level.", alike=alike
    )


def _on_several(led: Sequence[tuple[Finding, Order]], first: str) -> Message:
    """On which of several questions the system with the highest mean is told apart from every other."""
    clear = [one for one, order in led if not order.alike(first)]
    if len(clear) == len(led):
        return Message("On {questions}, {first} has {highest}, and on each of them it is told apart from {other} at "
                       "the {level} level.")  # fmt: skip
    where = Message("on none of them")
    if clear:
        where = Message("on {questions} alone", questions=Listed(tuple(quoted(one.title) for one in clear)))
    return Message("On {questions}, {first} has {highest}; it is told apart from {other} at the {level} level {where}.",
                   where=where)  # fmt: skip


# Its tables and figures.


def _of_one(part: Part, order: Order) -> Table:
    """The systems on one question from the highest mean on, with the letters of their groups."""
    caption = Message("The mean rating of each system on “{question}”.", question=order.findings[0].title)
    table = order.table(part, "dimensions", Message("Ratings by system"), _whole(part, caption), Message("Mean"))
    if len(order.findings) > 1:
        return table
    # One system is in no group.
    rows = tuple(row[:-1] for row in table.rows)
    return replace(table, columns=table.columns[:-1], rows=rows)


def _of_several(part: Part, orders: Sequence[Order], means: Sequence[Finding]) -> Table:
    """A row for each question and a column for each system, or the other way round where systems are more."""
    known = [one for order in orders for one in order.findings]
    names, asked = _names(orders), list(dict.fromkeys(one.question for one in known))
    titles: list[Text] = [next(one.title for one in known if one.question == question) for question in asked]
    cells = {(one.question, one.systems[0]): one for one in known}
    caption = _whole(part, Message("The mean rating of each system on each question."))
    make = partial(pivot, part.key("dimensions"), Message("Ratings by system"), Sentences((*caption.parts, SMALL)))
    if len(names) > len(asked):
        table = make((Message("System"), *titles), [(name, [cells.get((q, name)) for q in asked]) for name in names])
    else:
        rows = [(title, [cells.get((q, name)) for name in names]) for q, title in zip(asked, titles, strict=True)]
        table = make((Message("Question"), *names), rows)
    return replace(table, notes=(*notes_of(part.results, means), *_groups(orders)))


def _groups(orders: Sequence[Order]) -> Iterator[Message]:
    """Which systems the tests do not tell apart, question by question."""
    for order in orders:
        groups = [group for group in order.groups if len(group) > 1]
        if len(order.systems) > 1 and sum(map(len, groups)) <= MOST_GROUPED:
            question = order.findings[0].title
            together: Text = Clauses(tuple(Listed(tuple(map(quoted, group))) for group in groups))
            if not groups:
                yield Message("Every two systems are told apart at the {level} level on “{question}”.",
                              level=order.level, question=question)  # fmt: skip
            else:
                yield Message("Not told apart at the {level} level on “{question}”: {groups}.",
                              level=order.level, question=question, groups=together)  # fmt: skip


def _names(orders: Sequence[Order]) -> list[str]:
    """The systems, by their places over all questions."""
    places: dict[str, list[int]] = {}
    for order in orders:
        for place, name in enumerate(order.systems):
            places.setdefault(name, []).append(place)
    return sorted(places, key=lambda name: (sum(places[name]) / len(places[name]), name))


def _whole(part: Part, caption: Message) -> Sentences:
    """The caption, and that means are not of the same items where they are not."""
    told = [caption]
    if not all(map(_is_complete, _rated(part))):
        told.append(Message("Each mean is over the items for which the system was rated, which are not the same ones."))
    return Sentences(tuple(told))


def _rated(part: Part) -> list[Case]:
    return [case for case in part.cases if case.sheet.question.rates_each() and systems(case.sheet)]


def _is_complete(case: Case) -> bool:
    """Whether every system was rated for the same items."""
    rated = [frozenset(item.tolist()) for _, item, _ in held_marks(case).values()]
    return len(set(rated)) == 1


def _marks_behind(part: Part) -> dict[tuple[str, str], list[float]]:
    """The items' means behind each mean, where a picture can hold them."""
    found = {}
    for case in _rated(part):
        for system, (numbers, item, _) in held_marks(case).items():
            means = by_unit(np.arange(case.sheet.n_items), numbers, item)
            found[case.sheet.id, system] = means[~np.isnan(means)].tolist()
    return found if 1 < sum(map(len, found.values())) <= MOST_MARKS else {}


def _panels(part: Part, orders: Sequence[Order]) -> Iterator[charts.Panel]:
    """A panel for each question with a line for each system; of one system a panel for each scale."""
    behind, names = _marks_behind(part), _names(orders)
    ends = {case.sheet.id: case.sheet.question.ends() for case in part.cases}

    def line(one: Finding, label: Text) -> dict[str, Any]:
        return charts.line_of(one, part.say(label), behind.get((one.question, one.systems[0]), ()), part.say)

    if len(names) == 1:
        only = [order.findings[0] for order in orders]
        for scale in dict.fromkeys(ends[one.question] for one in only):
            yield charts.Panel("", scale, [line(one, one.title) for one in only if ends[one.question] == scale])
        return
    for order in orders:
        top = order.findings[0]
        lines = sorted(order.findings, key=lambda one: names.index(one.systems[0]))
        title = part.say(top.title) if len(orders) > 1 else ""
        yield charts.Panel(title, ends[top.question], [line(one, one.systems[0]) for one in lines])


def _drawn_as(part: Part, orders: Sequence[Order], panels: Sequence[charts.Panel]) -> Sentences:
    told = [Message("The mean rating of each system on each question.")]
    if len(orders) == 1:
        told = [Message("The mean rating of each system on “{question}”.", question=orders[0].findings[0].title)]
    told.extend(charts.how_drawn(panels))
    if _marks_behind(part):
        told.append(Message("Pale: the items."))
    return Sentences(tuple(told))


def _by(part: Part, by: str) -> Table:
    """Means of every system in each stratum, in the supplement."""
    here = part.in_strata(Dimensions.name, by=by, statistic="mean")
    names = list(dict.fromkeys(one.systems[0] for one in here if one.systems))
    asked = list(dict.fromkeys((one.question) for one in here))
    rows: list[tuple[tuple[Text, ...], list[Finding | None]]] = []
    for question, stratum in dict.fromkeys((one.question, one.stratum) for one in here):
        mine = list(select(here, question=question, stratum=stratum))
        head = (mine[0].title, stratum) if len(asked) > 1 else (stratum,)
        rows.append((head, [first(mine, systems=(name,)) for name in names]))
    field = plain(by)
    heads = (*((Message("Question"),) if len(asked) > 1 else ()), capital(field), *names)
    title = Message("Ratings by system and {field}", field=field)
    caption = Sentences((Message("The mean rating of each system in each part of the items."), SMALL))
    return pivot(part.key(f"dimensions_by_{by}"), title, caption, heads, rows, further=True)
