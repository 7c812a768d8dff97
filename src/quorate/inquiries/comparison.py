"""People's verdicts against a judge: agreement, who is right, the 2 × 2, and an example of each cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quorate.exhibits import charts
from quorate.exhibits.blocks import Block
from quorate.exhibits.numbers import in_text, p_value, value_of
from quorate.exhibits.tables import Table, listed
from quorate.findings.names import judge_name
from quorate.findings.results import CLASSES, Comparison, Finding, Listing, select
from quorate.inquiries.base import Inquiry, Part, Told, of_question, resting
from quorate.inquiries.paired import (
    CLASS,
    LABELS,
    RATE,
    People,
    against,
    judges_of,
    paired,
    people,
    people_of,
    same_label,
    who_is_right,
)
from quorate.messages import Listed, Message, Sentences, Word
from quorate.sheets.case import Case
from quorate.sheets.verdicts import ADJUDICATED

#: A confusion of more categories than these stands in the supplement, is not drawn, and is not made.
MOST_IN_PAPER, MOST_DRAWN, MOST_LABELS = 5, 12, 30
#: A judge that answered a smaller share of what has a verdict is named among the limits.
MOSTLY = 0.9
#: Where people and a judge differ on fewer items than this, which way it errs cannot be told.
FEW_APART = 10
#: With more judges than this the first screen tells the one that the study names.
MOST_TOLD = 3
GAPS = {
    "mcnemar": Message("{what}: p = {p}, McNemar’s test of no difference."),
    "difference": Message("{what}: p = {p}, score test of no difference, over groups of items."),
}


class AgainstJudge(Inquiry):
    """How well each judge agrees with people, and who is right more often."""

    name = "comparison"
    title = Message("Agreement of people and judges")
    cites = {"mcnemar": ("McNemar 1947", "Tango 1998")}
    with_and_without = True

    def fits(self, case: Case) -> bool:
        """The study holds a judge against people, answers become verdicts, and a judge answers or can be right."""
        return bool(judges_of(case))

    def find(self, case: Case) -> Iterator[Finding]:
        """For each judge: how often it says the same, the coefficient of agreement, and who is right."""
        for judge in judges_of(case):
            yield from against(case, judge)
            reading = case.verdicts.reading
            for other in case.sheet.question.readings():
                if other != reading:
                    yield same_label(case, judge, other)
            if case.sheet.question.is_scored():
                yield from who_is_right(case, judge)

    def each(self, part: Case) -> Iterator[Finding]:
        """For each judge: how often it says the same, and the coefficients."""
        for judge in judges_of(part):
            yield from against(part, judge)

    def listings(self, case: Case) -> Iterator[Listing]:
        """Verdicts against each judge's answers, category by category."""
        for judge in judges_of(case):
            yield from _confusion(case, judge)

    def heading(self, told: Told) -> Message:
        """It names the judge where there is one."""
        judges = _judges(told)
        return Message("Human–{judge} agreement", judge=judge_name(judges[0])) if len(judges) == 1 else self.title

    def headline(self, part: Part) -> Iterator[Message]:
        """How often each judge agrees with people, question by question."""
        rates = [one for one in part.of(self.name, statistic=RATE) if one.is_known]
        for question in dict.fromkeys(one.question for one in rates):
            mine = list(select(rates, question=question))
            mine = mine if len(mine) <= MOST_TOLD else mine[:1]
            told = tuple(sentence for one in mine for sentence in _agreement(part, one))
            yield part.about(mine[0], Sentences(told))

    def exhibits(self, part: Part) -> Iterator[Block]:
        """A table a judge and what is beyond it; the judges that the study does not name stand in the supplement."""
        for judge in _judges(part, part.section.id):
            found = [one for one in part.of(self.name, judge=judge) if one.statistic != CLASS]
            main = [one for one in found if one.primary or one.statistic == RATE]
            more = [one for one in found if one not in main]
            end, further = place_of(part, judge)
            title = Message("Agreement of people and {judge}", judge=judge_name(judge))
            caption = Sentences(tuple(_of_what(part, select(found, statistic=RATE))))
            yield part.table(f"correlation{end}", title, caption, main, further=further)
            yield _further(part, f"correlation_more{end}", judge, more)
        for listing in part.listed("confusion"):
            yield from _matrix(part, listing)

    def conventions(self, told: Told) -> Iterator[Message]:
        """When people and a judge agree."""
        rates = told.known(inquiry=self.name, statistic=RATE, by="")
        names = Listed(tuple(map(judge_name, dict.fromkeys(one.judge for one in rates))))
        ways: dict[tuple[bool, str], list[Finding]] = {}
        for one in rates:
            on = told.protocol.ask(one.section, one.question).question.verdict_on() == "correctness"
            ways.setdefault((on, people_there(told, one).the.template), []).append(one)
        for (on_correctness, _), mine in ways.items():
            sentence = Message("{judge} agrees with {people} on an item where both give the same answer.")
            if on_correctness:
                sentence = Message("{judge} agrees with {people} on an item where both are correct, or neither is.")
            yield sentence.having(judge=names, people=people_there(told, mine[0]).the).because(*mine)
        same = Message("Label agreement asks for the same answer, over the items on which enough annotators gave one.")
        yield from resting(same, told.known(inquiry=self.name, statistic=LABELS, by=""))

    def limits(self, told: Told) -> Iterator[Message]:
        """Judges that answered little, and cells from which nothing can be told."""
        rates = told.known(inquiry=self.name, statistic=RATE, by="", round=1)
        for rate in rates:
            same = {"section": rate.section, "question": rate.question, "judge": rate.judge}
            classes = told.known(inquiry=self.name, statistic=CLASS, by="", round=1, **same)
            for sentence in (*_few_answers(rate), *_small_cells(rate, classes)):
                yield of_question(rate, sentence, rates)

    def methods(self, told: Told) -> Iterator[Message]:
        """Which coefficients judges are held against people by, and on what."""
        found = [one for one in told.known(inquiry=self.name, primary=True, by="") if one.statistic != RATE]
        sentence = Message(
            "Agreement of people and judges is told by {coefficients}, of one verdict and one answer an item.",
            coefficients=Listed(tuple(dict.fromkeys(one.short for one in found))),
        )
        yield from resting(sentence, found)


def _confusion(case: Case, judge: str) -> Iterator[Listing]:
    """The verdicts against the judge's answers, category by category."""
    human, machine, both, _ = paired(case, judge)
    labels = case.verdicts.labels
    if case.verdicts.reading == "correctness" or not both.any() or len(labels) > MOST_LABELS:
        return
    q = len(labels)
    counts = np.bincount(human[both] * q + machine[both], minlength=q * q).reshape(q, q).tolist()
    names = tuple(OUTCOMES[label] if case.verdicts.reading == "outcome" else str(label) for label in labels)
    rows = tuple((label, *row) for label, row in zip(names, counts, strict=True))
    who: dict[str, Any] = {"people": people_of(case).the, "judge": judge_name(judge)}
    same, n = sum(counts[k][k] for k in range(q)), int(both.sum())
    caption = Message(
        "What {people} (rows) and {judge} (columns) say: the same on {same} of {n} item.",
        "What {people} (rows) and {judge} (columns) say: the same on {same} of {n} items.", same=same, n=n, **who,
    )  # fmt: skip
    title = Message("What {people} and {judge} say", **who)
    of: dict[str, Any] = {"shape": "matrix", "judge": judge}
    yield case.listing(f"judge.{judge}.confusion", "confusion", title, caption, ("", *names), rows, **of)


OUTCOMES = {"win": Message("win"), "same": Message("same"), "loss": Message("loss")}


# What is said of it.


def _judges(told: Told, section: str = "") -> tuple[str, ...]:
    """The judges of whom something was found, the one that the study names before the others."""
    within = {"section": section} if section else {}
    found = dict.fromkeys(one.judge for one in told.results.select(inquiry=AgainstJudge.name, by="", **within))
    return tuple(sorted(found, key=lambda judge: not _is_named(told, judge)))


def _is_named(told: Told, judge: str) -> bool:
    compare = told.protocol.analysis.compare
    return compare is not None and compare.judge == judge


def place_of(part: Part, judge: str) -> tuple[str, bool]:
    """What ends the key of a judge's tables, and whether they stand in the supplement."""
    return ("", False) if _is_named(part, judge) else (f"_{judge}", True)


def people_there(told: Told, finding: Finding | Comparison) -> People:
    of: dict[str, Any] = {"section": finding.section, "question": finding.question, "by": "", "what": ADJUDICATED}
    return people(told.protocol.analysis.verdict.majority, bool(told.results.select(statistic="settled", **of)))


def _agreement(part: Part, rate: Finding) -> Iterator[Message]:
    """How often a judge agrees with people, and by which coefficient."""
    same, n = rate.counted or (0, 0)
    yield Message(
        "{judge} agrees with {people} on {same} of {n} item ({share}).",
        "{judge} agrees with {people} on {same} of {n} items ({share}).",
        judge=judge_name(rate.judge), people=people_there(part, rate).the, same=same, n=n, share=value_of(rate),
        rests_on=[rate],
    )  # fmt: skip
    mine = part.of(AgainstJudge.name, question=rate.question, judge=rate.judge, primary=True)
    for one in mine:
        if one.statistic != RATE and one.is_known:
            words: dict[str, Any] = {"coefficient": one.short, "value": in_text(one), "rests_on": [one]}
            if one.band:
                yield Message("{coefficient} = {value} ({band}).", band=Word(one.band), **words)
            else:
                yield Message("{coefficient} = {value}.", **words)


def _of_what(part: Part, rates: Iterable[Finding]) -> Iterator[Message]:
    """Over which items a judge is held against people, question by question."""
    for rate in rates:
        n = rate.counted[1] if rate.counted else 0
        words: dict[str, Any] = {"judge": judge_name(rate.judge), "n": n, "rests_on": [rate]}
        if not n:
            told = Message("No item has both a verdict of people and an answer of {judge}.", **words)
        elif n < n + sum(rate.estimate.left_out.values()):
            told = Message(
                "Over the {n} item, of {all}, that has both a verdict of people and an answer of {judge}.",
                "Over the {n} items, of {all}, that have both a verdict of people and an answer of {judge}.",
                all=n + sum(rate.estimate.left_out.values()), **words,
            )  # fmt: skip
        else:
            told = Message("Over {n} item.", "Over all {n} items.", **words)
        yield part.about(rate, told)


def _further(part: Part, key: str, judge: str, found: Sequence[Finding]) -> Table:
    """Cohen's κ beside what agreement is told by, whether the answers are the same, and who is right more often."""
    title = Message("People and {judge}, further figures", judge=judge_name(judge))
    caption = Message("Agreement of people and {judge} read in other ways.", judge=judge_name(judge))
    gaps = [one for one in found if one.statistic in GAPS and one.is_known]
    if gaps:
        caption = Message(
            "Agreement of people and {judge} read in other ways, and who is right more often.", judge=judge_name(judge)
        )
    table = part.table(key, title, caption, found, further=True)
    tests = (
        GAPS[one.statistic].having(what=part.results.label(one), p=p_value(one.estimate.p))
        for one in gaps
        if one.estimate.p is not None
    )
    return replace(table, notes=(*table.notes, *tests))


def _matrix(part: Part, listing: Listing) -> Iterator[Block]:
    """A confusion drawn, and as a table in the supplement, where both stand if it is of many categories."""
    end, further = place_of(part, listing.judge)
    q, name = len(listing.rows), f"confusion_{listing.question}{end}"
    further = further or q > MOST_IN_PAPER
    rate = part.of(AgainstJudge.name, statistic=RATE, judge=listing.judge, question=listing.question)[0]
    listing = replace(listing, title=part.about(rate, listing.title), caption=part.about(rate, listing.caption))
    yield replace(listed(listing, part.key(name)), further=further or q <= MOST_DRAWN)
    if q <= MOST_DRAWN:
        drawn = charts.matrix(listing, judge_name(listing.judge), part.say)
        yield part.drawing(name, drawn, listing.caption, further)


def _few_answers(rate: Finding) -> Iterator[Message]:
    """A judge that answered a part only of what people came to a verdict on."""
    n = rate.counted[1] if rate.counted else 0
    every = n + rate.estimate.left_out.get("no answer of the judge", 0)
    if n < MOSTLY * every:
        yield Message(
            "{judge} has an answer to {n} of {all} items with a verdict: figures about it and people are of these.",
            judge=judge_name(rate.judge), n=n, all=every,
        )  # fmt: skip


def _small_cells(rate: Finding, classes: Sequence[Finding]) -> Iterator[Message]:
    """Cells without an example, and too few items on which people and the judge differ."""
    counts = {one.what: one.counted[0] if one.counted else 0 for one in classes}
    words: dict[str, Any] = {"judge": judge_name(rate.judge), "rests_on": classes}
    if empty := sum(n == 0 for n in counts.values()):
        yield Message(
            "{n} cell of the 2 × 2 table of people and {judge} is empty, so there is no example to show.",
            "{n} cells of the 2 × 2 table of people and {judge} are empty, so there is no example to show.",
            n=empty, **words,
        )  # fmt: skip
    apart = sum(n for what, n in counts.items() if CLASSES[what][0] is not CLASSES[what][1])
    if classes and apart < FEW_APART:
        yield Message(
            "People and {judge} differ in being right on {n} item: too few to tell which way it errs more often.",
            "People and {judge} differ in being right on {n} items: too few to tell which way it errs more often.",
            n=apart, **words,
        )  # fmt: skip
