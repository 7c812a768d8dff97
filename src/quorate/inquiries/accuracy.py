"""Are they right? Each rater, the raters together, and the judges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from quorate.exhibits import figures
from quorate.exhibits.blocks import Block
from quorate.exhibits.breakdowns import breakdowns
from quorate.exhibits.numbers import value_of, who_of
from quorate.findings.names import judge_name, quoted
from quorate.findings.results import Finding, by_question, ends, first
from quorate.inquiries.base import FEW_ITEMS, Inquiry, Part, Told, of_question, resting
from quorate.languages import noted
from quorate.messages import Listed, Message, Sentences, Text
from quorate.sheets.case import JUDGED, RAW, SUMMARY, Case, title_of, told, without
from quorate.sheets.columns import Bools
from quorate.sheets.sheet import Sheet

#: With more raters or items than this nobody reads a mark for every answer, or a line for every rater.
MOST_ROWS, MOST_ITEMS, MOST_LINES = 40, 400, 12
#: Best and worst rater are told apart from this difference on, where their intervals leave no doubt.
TELLING_APART = 0.15
#: Why an item is left out.
NO_ANSWER, NO_MAJORITY = noted("no answer"), noted("no majority")


class Accuracy(Inquiry):
    """The share of right answers: of raters one by one, of verdicts, and of items on which everybody is right."""

    name = "accuracy"
    title = Message("Human accuracy")
    with_and_without = True
    in_later_rounds = True

    def fits(self, case: Case) -> bool:
        """Answers can be right."""
        return case.sheet.question.is_scored()

    def find(self, case: Case) -> Iterator[Finding]:
        """Individual, majority and unanimous accuracy, as the study asks."""
        asked = case.analysis.accuracy
        if "individual" in asked:
            yield individual(case)
        if "majority" in asked:
            yield majority_accuracy(case)
        if "unanimous" in asked:
            yield unanimous(case)

    def each(self, part: Case) -> Iterator[Finding]:
        """Individual and majority accuracy."""
        yield individual(part)
        yield majority_accuracy(part)

    def headline(self, part: Part) -> Iterator[Message]:
        """How often people are right, question by question."""
        for found in by_question(one for one in part.of(self.name) if one.is_known):
            if said := tuple(_right(found, part.protocol.raters.per_item > 1)):
                yield part.about(found[0], Sentences(said))

    def exhibits(self, part: Part) -> Iterator[Block]:
        """The three readings, by stratum and of everybody, and every answer at a glance."""
        together, each = part.of(self.name), part.of(OfEach.name)
        yield part.table("accuracy", self.title, Message("How often annotators are right."), together)
        gaps = tuple(_gaps(part, together)) or (Message("How often answers are right."),)
        caption = Sentences((*gaps, Message("Lines are intervals.")))
        yield part.drawing("accuracy", _figure(part, together, each), caption, leads=True)
        yield from breakdowns(part.protocol, part.results, part.section, "recognition", FEW_ITEMS)
        title = Message("Accuracy of each annotator and judge")
        ranges = tuple(_range(part, mine) for mine in by_question(one for one in each if one.raters and one.is_known))
        told = Sentences(ranges or (Message("No annotator has answered yet."),))
        yield part.short_table("raters", title, told, each, Message("Who"), further=True)
        scored = [case for case in part.cases if case.sheet.question.is_scored()]
        for case in scored if not part.protocol.raters.panels else ():
            key = f"answers_{case.sheet.id}" if len(scored) > 1 else "answers"
            yield part.drawing(key, _every_answer(part, case, key), _counted(part, case.sheet, len(scored) > 1))

    def methods(self, told: Told) -> Iterator[Message]:
        """What each of the three is the share of."""
        for statistic, sentence in DEFINED.items():
            yield from resting(sentence, told.known(inquiry=self.name, statistic=statistic, by=""))

    def conventions(self, told: Told) -> Iterator[Message]:
        """An answer such as "unrecognizable" counts."""
        known = told.known(inquiry=self.name, by="")
        asked = {(one.section, one.question) for one in known}
        words = [
            ask.question.cannot_tell_words()
            for section in told.protocol.sections for ask in section.ask if (section.id, ask.id) in asked
        ]  # fmt: skip
        if named := tuple(map(quoted, dict.fromkeys(filter(None, words)))):
            yield Message(
                "The answer {words} counts: as not correct, and as a category of its own.", words=Listed(named),
                rests_on=known,
            )  # fmt: skip


#: What the methods say of each reading.
DEFINED = {
    "individual accuracy": Message("Individual accuracy is the share of right answers, of all answers."),
    "majority accuracy": Message("Majority accuracy is the share of right verdicts, of the items that have a verdict."),
    "unanimous accuracy": Message(
        "Unanimous accuracy is the share of items that every annotator got right, of those with all their answers."
    ),
}


class OfEach(Inquiry):
    """The accuracy of each rater and judge; it is shown with the others."""

    name = "accuracy of each"
    title = Message("Accuracy of each annotator and judge")
    in_later_rounds = True

    def fits(self, case: Case) -> bool:
        """Answers can be right."""
        return case.sheet.question.is_scored()

    def find(self, case: Case) -> Iterator[Finding]:
        """Every rater's, then every judge's."""
        rows = case.sheet.people
        for place, rater in enumerate(case.sheet.raters):
            mine = rows.who == place
            of = f"{RAW}: is_correct [annotator_id = {rater}]"
            yield _one(case, rater, case.sheet.right()[mine], rows.item[mine], of, raters=(rater,))
        yield from judges_accuracy(case)

    def each(self, part: Case) -> Iterator[Finding]:
        """Every judge's."""
        return judges_accuracy(part)

    def limits(self, told: Told) -> Iterator[Message]:
        """Raters who are right more and less often than one another."""
        each = told.known(inquiry=self.name, by="", round=1)
        for mine in by_question(one for one in each if one.raters):
            worst, best = ends(mine)
            low, high = best.estimate.low, worst.estimate.high
            if best.height - worst.height > TELLING_APART and low is not None and high is not None and high < low:
                yield of_question(best, Sentences(tuple(_differ(told, mine, worst, best))), each)


def individual(case: Case) -> Finding:
    """The share of right answers over raters and items; answers about one item go together in the interval."""
    right = case.sheet.right()
    share = case.share_of_answers(right, case.sheet.people.item, case.sheet.people.who)
    return case.found(
        "individual accuracy", told(share, Message("no rater has answered yet")), unit="%", primary=True,
        label=Message("Mean individual accuracy"), counted=(int(right.sum()), len(right)), rows=f"{RAW}: is_correct",
    )  # fmt: skip


def majority_accuracy(case: Case) -> Finding:
    """The share of items that a majority got right, of those with a verdict."""
    known, right = case.verdicts.known, case.verdicts.right()
    unanswered = int((case.verdicts.n == 0).sum())
    ambiguous = case.sheet.n_items - int(known.sum()) - unanswered
    share = without(case.share(right, known), {NO_ANSWER: unanswered, NO_MAJORITY: ambiguous})
    rule, label = case.rule, Message("Majority accuracy")
    if rule.out_of == case.protocol.raters.most:
        label = Message("Majority accuracy (≥{needed}/{out_of} correct)", needed=rule.needed, out_of=rule.out_of)
    return case.found(
        "majority accuracy", told(share, Message("no item has a majority yet")), label=label, unit="%",
        counted=(int(right[known].sum()), int(known.sum())), rows=f"{SUMMARY}: majority_correct",
    )  # fmt: skip


def unanimous(case: Case) -> Finding:
    """The share of items that every rater got right, of those with all their answers."""
    rows, n = case.sheet.people, case.per_item
    given = np.bincount(rows.item, minlength=case.sheet.n_items)
    right = np.bincount(rows.item, weights=case.sheet.right(), minlength=case.sheet.n_items)
    whole = given >= n
    all_right = whole & (right == given)
    share = without(case.share(all_right, whole), {noted("fewer answers than planned"): int((~whole).sum())})
    return case.found(
        "unanimous accuracy", told(share, Message("no item has all {n} answers yet", n=n)), unit="%",
        label=Message("Unanimous accuracy ({n}/{n} correct)", n=n),
        counted=(int(all_right.sum()), int(whole.sum())), rows=f"{SUMMARY}: num_correct = {n}",
    )  # fmt: skip


def judges_accuracy(case: Case) -> Iterator[Finding]:
    """Each judge's share of right answers, over the items that it answered."""
    rows = case.sheet.machines
    for place, judge in enumerate(case.sheet.judges):
        its = rows.who == place
        of = f"{SUMMARY}: {judge}_correct; {JUDGED}: is_correct"
        yield _one(case, judge_name(judge), case.sheet.right("machines")[its], rows.item[its], of, judge=judge)


def _one(case: Case, who: str, right: Bools, item: np.ndarray, rows: str, **of: Any) -> Finding:
    share = case.share(right, clusters=case.sheet.clusters_of(item))
    share = without(share, {NO_ANSWER: case.sheet.n_items - len(right)} if not case.protocol.raters.panels else {})
    return case.found(
        "accuracy", told(share, Message("{who} has given no answer", who=who)), unit="%", rows=rows, short=who,
        label=Message("Accuracy of {who}", who=who), counted=(int(right.sum()), len(right)), **of,
    )  # fmt: skip


# What is said of it.


def _right(found: Sequence[Finding], several: bool) -> Iterator[Message]:
    """How often people are right: each alone, and where there are several, most of them and all of them."""
    said = {
        "individual": Message("An annotator alone is right in {share} of answers."),
        "majority": Message("The majority is right on {share} of items."),
        "unanimous": Message("All annotators are right on {share}."),
    }
    for kind, sentence in said.items() if several else [("individual", said["individual"])]:
        if one := first(found, statistic=f"{kind} accuracy"):
            if kind == "majority" and one.estimate.left_out:
                sentence = Message("Where there is a majority, it is right on {share} of items.")
            yield sentence.having(share=value_of(one)).because(one)


def _gaps(part: Part, together: Sequence[Finding]) -> Iterator[Message]:
    """Whether the majority does better than its members, where both are over the same items."""
    for found in by_question(one for one in together if one.is_known):
        alone, majority = (first(found, statistic=f"{kind} accuracy") for kind in ("individual", "majority"))
        # Over all answers and over the items with a verdict alone, the two are not to be subtracted.
        if alone is None or majority is None or majority.estimate.left_out or part.protocol.raters.per_item == 1:
            continue
        gap = round(100 * (majority.height - alone.height), 1)
        told = Message("The majority is right as often as an annotator alone.")
        if gap > 0:
            told = Message("The majority is right {points} points more often than an annotator alone.")
        elif gap:
            told = Message("The majority is right {points} points less often than an annotator alone.")
        yield part.about(majority, told.having(points=f"{abs(gap):.1f}").because(alone))


def _range(part: Part, mine: list[Finding]) -> Message:
    """From the least to the most accurate rater."""
    low, high = ends(mine)
    told = Message("{worst}: {low}.")
    if len(mine) > 1 and low.height == high.height:
        told = Message("Annotators are equally accurate ({low}).")
    elif len(mine) > 1:
        told = Message("Annotators range from {low} ({worst}) to {high} ({best}).")
        told = told.having(high=value_of(high), best=who_of(high))
    return part.about(low, told.having(worst=who_of(low), low=value_of(low)).because(low, high))


def _differ(told: Told, mine: Sequence[Finding], worst: Finding, best: Finding) -> Iterator[Message]:
    yield Message(
        "Raters differ: {best} was right {high} of the time and {worst} {low}.", best=who_of(best), worst=who_of(worst),
        high=f"{100 * best.height:.0f}%", low=f"{100 * worst.height:.0f}%", rests_on=[best, worst],
    )  # fmt: skip
    answered = {one.counted[1] for one in mine if one.counted is not None}
    if told.protocol.raters.panels or answered != {told.results.flow.items["drawn"]}:
        yield Message("They did not all answer about the same items.")
    if told.known(inquiry=Accuracy.name, statistic="majority accuracy") and told.protocol.raters.per_item > 1:
        yield Message("The majority hides that.")


# What is drawn of it.


def _figure(part: Part, together: Sequence[Finding], each: Sequence[Finding]) -> str:
    """Every accuracy with its interval: the readings, then each rater and judge, by value."""
    known = [one for one in each if one.is_known]
    known.sort(key=lambda one: -one.height)
    if len(known) > MOST_LINES:
        known = [one for one in known if one.judge]
    rows = [
        figures.row_of(one, part.results.label(one), True, percent=True, say=part.say)
        for one in together if one.is_known
    ]  # fmt: skip
    rows += [
        figures.row_of(one, part.results.label(one, who_of(one)), False, percent=True, say=part.say) for one in known
    ]
    axis = part.say(Message("correct, %"))
    return figures.dots(rows, axis, (0, 100))


def _every_answer(part: Part, case: Case, key: str) -> str:
    """An item a column, a rater a row, filled where the answer is right; below them the majority and the judge."""
    sheet, compare = case.sheet, part.protocol.analysis.compare
    if not 0 < len(sheet.items) <= MOST_ITEMS or not 0 < len(sheet.raters) <= MOST_ROWS:
        return ""
    decided = {
        item.id: right if known else None
        for item, known, right in zip(
            sheet.items, case.verdicts.known.tolist(), case.verdicts.right().tolist(), strict=True
        )
    }
    people = [(rater, [sheet.correct.get((item.id, rater)) for item in sheet.items]) for rater in sheet.raters]
    lines = [*people]
    if case.rule.out_of > 1:
        lines.append((part.say(Message("Majority")), [decided[item.id] for item in sheet.items]))
    if compare is not None and compare.judge in sheet.judges:
        its = [sheet.correct.get((item.id, compare.judge)) for item in sheet.items]
        lines.append((judge_name(compare.judge), its))

    def rank(place: int) -> tuple[int, bool, str]:
        often = sum(marks[place] is True for _, marks in people)
        return -often, lines[-1][1][place] is not True, sheet.items[place].id

    order = sorted(range(len(sheet.items)), key=rank)
    return figures.raster([(name, [marks[place] for place in order]) for name, marks in lines])


def _counted(part: Part, sheet: Sheet, is_named: bool) -> Text:
    """On how many items everybody or nobody is right."""
    given = np.bincount(sheet.people.item, minlength=sheet.n_items)
    right = np.bincount(sheet.people.item, weights=sheet.right(), minlength=sheet.n_items)
    everybody, nobody = int(((right == given) & (given > 0)).sum()), int(((right == 0) & (given > 0)).sum())
    told = [
        Message(
            "Every answer, an item a column, from the most to the least often right: {n} item by every annotator, "
            "{nobody} by none.",
            "Every answer, an item a column, from the most to the least often right: {n} items by every annotator, "
            "{nobody} by none.",
            n=everybody, nobody=nobody,
        ),
        Message("Filled: correct; pale: not correct; empty: no answer."),
    ]  # fmt: skip
    if is_named:
        told.insert(0, Message("The question is “{question}”.", question=title_of(sheet)))
    return Sentences(tuple(told))
