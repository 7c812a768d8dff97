"""People's verdicts against a judge: agreement, who is right, the 2 × 2, and an example of each cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from quorate import statistics
from quorate.chance import order
from quorate.exhibits import charts
from quorate.exhibits.blocks import Block, Gallery
from quorate.exhibits.numbers import in_text, number, p_value, value_of
from quorate.exhibits.tables import Cell, Table, cells, columns_of, listed, notes_of
from quorate.findings.names import judge_name
from quorate.findings.results import CLASSES, Comparison, Example, Finding, Given, Listing, select
from quorate.inquiries.base import Inquiry, Part, Told
from quorate.inquiries.basis import basis
from quorate.inquiries.coefficients import band, id_of_row
from quorate.inquiries.leanings import paired_gap
from quorate.languages import noted
from quorate.messages import Listed, Message, Sentences, Word
from quorate.protocol.study_file import Majority
from quorate.records import Answer, Estimate, Item
from quorate.sheets.case import JUDGED, RAW, SUMMARY, Case, computed, named
from quorate.sheets.choices import choices, is_by_pair, read_as
from quorate.sheets.columns import Bools, Ints, Reading
from quorate.sheets.decisions import decide
from quorate.sheets.sheet import Sheet
from quorate.sheets.verdicts import ADJUDICATED, STATUSES, tally

CELLS = tuple(CLASSES.values())
#: A confusion of more categories than these stands in the supplement, is not drawn, and is not made.
MOST_IN_PAPER, MOST_DRAWN, MOST_LABELS = 5, 12, 30
#: A judge that answered a smaller share of what has a verdict is named among the limits.
MOSTLY = 0.9
#: Where people and a judge differ on fewer items than this, which way it errs cannot be told.
FEW_APART = 10
#: With more judges than this the first screen tells the one that the study names.
MOST_TOLD = 3
RATE, CLASS, LABELS = "agreement rate", "error class", "label agreement"
GAPS = {
    "mcnemar": Message("{what}: p = {p}, McNemar’s test of no difference."),
    "difference": Message("{what}: p = {p}, score test of no difference, over groups of items."),
}


@dataclass(frozen=True, slots=True)
class People:
    """What stands for people, named as what it is: in a sentence, in a label, and right or wrong."""

    the: Message
    short: Message
    right: Message
    wrong: Message


RATER = People(Message("the rater"), Message("rater"), Message("Rater correct"), Message("Rater incorrect"))
MAJORITY = People(
    Message("the human majority"), Message("human majority"), Message("Human majority correct"),
    Message("Human majority incorrect"),
)  # fmt: skip
VERDICT = People(
    Message("people’s verdict"), Message("people’s verdict"), Message("People’s verdict correct"),
    Message("People’s verdict incorrect"),
)  # fmt: skip


def people(rule: Majority, adjudicated: bool) -> People:
    """One rater's answer, what most of them say, or verdicts of which the team made some (or which need everybody)."""
    if rule.out_of == 1:
        return RATER
    return VERDICT if adjudicated or rule.out_of == 2 else MAJORITY


class AgainstJudge(Inquiry):
    """How well each judge agrees with people, and who is right more often."""

    name = "comparison"
    title = Message("Agreement of people and judges")
    with_and_without = True

    def fits(self, case: Case) -> bool:
        """The study holds a judge against people, answers become verdicts, and a judge answers or can be right."""
        return bool(judges_of(case))

    def find(self, case: Case) -> Iterator[Finding]:
        """For each judge: how often it says the same, the coefficient of agreement, and who is right."""
        for judge in judges_of(case):
            yield from _against(case, judge)
            reading = case.verdicts.reading
            for other in case.sheet.question.readings():
                if other != reading:
                    yield _labels(case, judge, other)
            if case.sheet.question.is_scored():
                yield from _who_is_right(case, judge)

    def each(self, part: Case) -> Iterator[Finding]:
        """For each judge: how often it says the same, and the coefficients."""
        for judge in judges_of(part):
            yield from _against(part, judge)

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
            end, further = _place(part, judge)
            title = Message("Agreement of people and {judge}", judge=judge_name(judge))
            caption = Sentences(tuple(_of_what(part, select(found, statistic=RATE))))
            yield part.table(f"correlation{end}", title, caption, main, further=further)
            yield _further(part, f"correlation_more{end}", judge, more)
        for listing in part.results.listings:
            if listing.group == "confusion" and listing.section == part.section.id:
                yield from _matrix(part, listing)

    def conventions(self, told: Told) -> Iterator[Message]:
        """When people and a judge agree."""
        rates = told.known(inquiry=self.name, statistic=RATE, by="")
        names = Listed(tuple(map(judge_name, dict.fromkeys(one.judge for one in rates))))
        ways: dict[tuple[bool, str], list[Finding]] = {}
        for one in rates:
            on = told.protocol.ask(one.section, one.question).question.verdict_on() == "correctness"
            ways.setdefault((on, _people(told, one).the.template), []).append(one)
        for (on_correctness, _), mine in ways.items():
            sentence = Message("{judge} agrees with {people} on an item where both give the same answer.")
            if on_correctness:
                sentence = Message("{judge} agrees with {people} on an item where both are correct, or neither is.")
            yield sentence.having(judge=names, people=_people(told, mine[0]).the).because(*mine)
        labels = told.known(inquiry=self.name, statistic=LABELS, by="")
        if labels:
            yield Message(
                "Label agreement asks for the same answer, over the items on which enough annotators gave one.",
                rests_on=labels,
            )

    def limits(self, told: Told) -> Iterator[Message]:
        """Judges that answered little, and cells from which nothing can be told."""
        for rate in told.known(inquiry=self.name, statistic=RATE, by="", round=1):
            yield from _few_answers(told, rate)
            classes = told.known(
                inquiry=self.name, statistic=CLASS, by="", round=1, section=rate.section, question=rate.question,
                judge=rate.judge,
            )  # fmt: skip
            if classes:
                yield from _small_cells(told, rate, classes)

    def methods(self, told: Told) -> Iterator[Message]:
        """Which coefficients judges are held against people by, and on what."""
        found = [one for one in told.known(inquiry=self.name, primary=True, by="") if one.statistic != RATE]
        if found:
            yield Message(
                "Agreement of people and judges is told by {coefficients}, of one verdict and one answer an item.",
                coefficients=Listed(tuple(dict.fromkeys(one.short for one in found))),
                rests_on=found,
            )  # fmt: skip
        by_pair = [one.id for one in found if one.by_pair]
        if by_pair and not told.known(by_pair=True, judge=""):
            yield Message(
                "Where items compare different pairs of systems, agreement beyond chance is on the choice within an "
                "item’s own pair, and each item is counted together with its mirror image, in which the two systems "
                "have changed places: neither their names nor their order make a difference.", rests_on=by_pair,
            )  # fmt: skip

    def sources(self, told: Told) -> Iterator[str]:
        """McNemar's test, and the interval of what it tests."""
        if told.known(inquiry=self.name, statistic="mcnemar"):
            yield from ("McNemar 1947", "Tango 1998")


class ErrorAnalysis(Inquiry):
    """Where people and a judge part: the 2 × 2 of right and wrong; its shares are found with their agreement."""

    name = "error analysis"
    title = Message("Error analysis")

    def fits(self, case: Case) -> bool:
        """It finds nothing of its own."""
        return False

    def exhibits(self, part: Part) -> Iterator[Block]:
        """The 2 × 2 and its shares, judge by judge."""
        for comparison in _comparisons(part):
            yield _two_by_two(part, comparison)
            yield _classes(part, comparison)


class Examples(Inquiry):
    """What stands in each cell of the 2 × 2."""

    name = "examples"
    title = Message("Qualitative examples")

    def fits(self, case: Case) -> bool:
        """It finds nothing of its own."""
        return False

    def exhibits(self, part: Part) -> Iterator[Block]:
        """An item of each cell."""
        for comparison in _comparisons(part):
            if comparison.n:
                yield _gallery(part, comparison)


# What is computed.


def judges_of(case: Case) -> tuple[str, ...]:
    """The judges that are held against people: the one that the study names, then the others that answered."""
    compare, sheet = case.analysis.compare, case.sheet
    if compare is None or not sheet.question.verdict_on():
        return ()
    named_one = (compare.judge,) if sheet.question.is_scored() or compare.judge in sheet.judges else ()
    return tuple(dict.fromkeys((*named_one, *sheet.judges)))


def paired(case: Case, judge: str) -> tuple[Ints, Ints, Bools, Mapping[str, int]]:
    """Verdict and judge as codes, which items have both, and what was left out, why."""
    human = case.verdicts.code
    machine = np.full(case.sheet.n_items, -1)
    given = case.sheet.of_judge(judge, case.verdicts.reading)
    machine[given.item] = given.code
    unknown = (human < 0) & case.sheet.asked
    none = noted("no majority") if _people_of(case) is MAJORITY else noted("no verdict")
    left_out = {
        none: unknown & (case.verdicts.n > 0),
        noted("no answer of a rater"): unknown & (case.verdicts.n == 0),
        noted("no answer of the judge"): (human >= 0) & (machine < 0),
    }
    found = {why: int(which.sum()) for why, which in left_out.items() if which.any()}
    return human, machine, (human >= 0) & (machine >= 0), found


def _people_of(case: Case) -> People:
    return people(case.rule, bool((case.verdicts.status[case.verdicts.known] == STATUSES.index(ADJUDICATED)).any()))


def _against(case: Case, judge: str) -> Iterator[Finding]:
    """How often verdict and judge are the same, what agreement is told by, and Cohen's κ beside it."""
    human, machine, both, left_out = paired(case, judge)
    who: dict[str, Any] = {"people": _people_of(case).short, "judge": judge_name(judge)}
    reading, is_named = case.verdicts.reading, case.analysis.compare and judge == case.analysis.compare.judge
    rate = replace(case.share(human == machine, both), left_out=left_out)
    if rate.value is None:
        rate = replace(
            rate, note=Message("no item has both a verdict of people and an answer of {judge}", judge=who["judge"])
        )
    rows = f"{SUMMARY}: verdict; {JUDGED}: {judge}"
    yield case.finding(
        f"judge.{judge}.agreement_rate", rate, statistic=RATE, unit="%", primary=True, judge=judge,
        label=Message("Agreement rate ({people} vs {judge})", **who), short=Message("Agreement rate"),
        counted=(int((human == machine)[both].sum()), int(both.sum())),
        rows=f"{SUMMARY}: human_{judge}_agree" if is_named else rows,
    )  # fmt: skip
    if is_named:
        rows = f"{SUMMARY}: verdict, {judge}"
        if reading == "correctness":
            rows = f"{SUMMARY}: majority_correct, {judge}_correct"
    own, read = basis(case), _columns(case, human, machine, both, case.verdicts.labels, reading)
    of: dict[str, Any] = {"judge": judge, "reading": reading, **read_as(case.sheet, rows)}
    if own is not None and own.row.name not in ("cohen kappa", "percent agreement", "full agreement"):
        found = _coefficient(case, both, lambda: own.of(read, case.confidence))
        yield case.finding(
            f"judge.{judge}.agreement.{id_of_row(own.row)}", replace(found, left_out=left_out),
            statistic=own.row.found_as, what=own.level, primary=True, short=own.name,
            label=Message("{coefficient} ({people} vs {judge})", coefficient=own.name, **who),
            band=band(found, case) if own.row.banded else "", **of,
        )  # fmt: skip
    kappa = _coefficient(case, both, lambda: computed(statistics.cohen_kappa, read, confidence=case.confidence))
    yield case.finding(
        f"judge.{judge}.cohen_kappa", replace(kappa, left_out=left_out), statistic="cohen kappa",
        label=Message("Cohen’s κ ({people} vs {judge})", **who), short=Message("Cohen’s κ"), band=band(kappa, case),
        primary=own is not None and own.row.name == "cohen kappa", **of,
    )  # fmt: skip


def _columns(case: Case, human: Ints, machine: Ints, both: Bools, labels: tuple[Any, ...], reading: str) -> Any:
    """Verdict and judge as ratings of two; where systems differ by item, the choices within the item's pair."""
    sheet, item = case.sheet, np.flatnonzero(both)
    groups = sheet.item_clusters
    clusters = None if groups is None else groups[both]
    said = [human[both], machine[both]]
    mirror: Mapping[Any, Any] = {}
    if is_by_pair(sheet):
        mirror = sheet.question.turned(reading)
        said = [choices(sheet, reading, item, codes, labels) for codes in said]
        labels = tuple(mirror)
    is_whole = bool(mirror) or sheet.reading(reading).declared
    seen = np.arange(len(labels)) if is_whole else np.unique(np.concatenate(said))
    codes = np.stack([np.searchsorted(seen, one) for one in said], axis=1).astype(float)
    return named(codes, tuple(labels[code] for code in seen), True, clusters, mirror)


def _coefficient(case: Case, both: Bools, found: Callable[[], Estimate]) -> Estimate:
    """A coefficient; undefined where no item has both."""
    if both.any():
        return found()
    return Estimate.undefined(Message("no item has both answers"), confidence=case.confidence, n_items=0)


def _labels(case: Case, judge: str, reading: str) -> Finding:
    """How often the answer of enough raters and the judge's are the same answer, right or wrong."""
    sheet, name = case.sheet, judge_name(judge)
    ours = tally(sheet.reading(reading), sheet.n_items).decided(case.rule)
    given: Reading = sheet.of_judge(judge, reading)
    theirs = np.full(sheet.n_items, -1)
    theirs[given.item] = given.code
    both = (ours >= 0) & (theirs >= 0)
    unknown = {
        noted("no answer that enough raters gave"): int(((ours < 0) & sheet.asked).sum()),
        noted("no answer of the judge"): int(((ours >= 0) & (theirs < 0)).sum()),
    }
    left_out = {why: n for why, n in unknown.items() if n}
    if reading == "responses":
        share = case.share(ours == theirs, both)
        note = Message("no item has both an answer that enough raters gave and one of {judge}", judge=name)
        share = replace(share, note="" if both.any() else note, left_out=left_out)
        return case.finding(
            f"judge.{judge}.label_agreement", share, statistic=LABELS, judge=judge, reading=reading, unit="%",
            label=Message("Label agreement with {judge} (the same answer)", judge=name),
            counted=(int((ours == theirs)[both].sum()), int(both.sum())),
            rows=f"{RAW} + {JUDGED}: {case.target_column} [is_correct], response_normalized",
        )  # fmt: skip
    read = _columns(case, ours, theirs, both, sheet.reading(reading).labels, reading)
    kappa = _coefficient(case, both, lambda: computed(statistics.cohen_kappa, read, confidence=case.confidence))
    words: dict[str, Any] = {"reading": READINGS.get(reading, reading), "people": _most(case).short, "judge": name}
    return case.finding(
        f"judge.{judge}.cohen_kappa.{reading}", replace(kappa, left_out=left_out), statistic="cohen kappa",
        band=band(kappa, case), judge=judge, reading=reading, **read_as(sheet, f"{RAW} + {JUDGED}: {reading}"),
        label=Message("Cohen’s κ on {reading} ({people} vs {judge})", **words),
    )  # fmt: skip


#: How answers are read, in the words of a label.
READINGS = {
    "responses": Message("responses"),
    "concept": Message("concepts"),
    "role": Message("roles"),
    "points": Message("the points"),
    "outcome": Message("win / same / loss"),
    "primary": Message("the primary tag"),
}


OUTCOMES = {"win": Message("win"), "same": Message("same"), "loss": Message("loss")}


def _most(case: Case) -> People:
    """What enough planned raters say: no member of the team has a part in it."""
    return people(case.rule, adjudicated=False)


def _who_is_right(case: Case, judge: str) -> Iterator[Finding]:
    human, machine, both = right_and_wrong(case, judge)
    h, m = human[both], machine[both]
    name, compare = judge_name(judge), case.analysis.compare
    rows = f"{SUMMARY}: majority_correct, {judge}_correct"
    if compare is None or judge != compare.judge:
        rows = f"{SUMMARY}: majority_correct; {JUDGED}: is_correct [annotator_id = {judge}]"
    for kind, (one, other) in CLASSES.items():
        cell = (human == one) & (machine == other)
        slug = kind.replace(", ", "_").replace(" ", "_")
        yield case.finding(
            f"judge.{judge}.class.{slug}", case.share(cell, both), statistic=CLASS, unit="%", judge=judge, what=kind,
            label=KINDS[kind].having(judge=name), counted=(int(cell[both].sum()), int(both.sum())), rows=rows,
        )  # fmt: skip
    groups = case.sheet.item_clusters
    gap = _coefficient(case, both, lambda: paired_gap(h, m, None if groups is None else groups[both], case.confidence))
    yield case.finding(
        f"judge.{judge}.difference", gap, statistic="mcnemar" if groups is None else "difference", unit="points",
        label=Message("Accuracy of {people} minus that of {judge}", people=_people_of(case).the, judge=name),
        rows=rows, judge=judge,
    )  # fmt: skip


#: The cells of the 2 × 2.
KINDS = {
    "both correct": Message("People and {judge} both correct"),
    "human correct, judge incorrect": Message("Human correct, {judge} incorrect"),
    "human incorrect, judge correct": Message("Human incorrect, {judge} correct"),
    "both incorrect": Message("People and {judge} both incorrect"),
}


def right_and_wrong(case: Case, judge: str) -> tuple[Bools, Bools, Bools]:
    """Verdict and judge as right or wrong, and which items have both."""
    rows = case.sheet.machines
    its = rows.who == (case.sheet.judges.index(judge) if judge in case.sheet.judges else -1)
    machine, answered = np.zeros(case.sheet.n_items, bool), np.zeros(case.sheet.n_items, bool)
    machine[rows.item[its]] = case.sheet.right("machines")[its]
    answered[rows.item[its]] = True
    return case.verdicts.right(), machine, case.verdicts.known & answered


def compared(case: Case) -> Iterator[Comparison]:
    """The 2 × 2 of each judge with its examples, where answers can be right."""
    for judge in judges_of(case) if case.sheet.question.is_scored() else ():
        yield _compared(case, judge)


def _compared(case: Case, judge: str) -> Comparison:
    sheet = case.sheet
    human, machine, both = right_and_wrong(case, judge)
    found: dict[tuple[bool, bool], list[Item]] = {}
    for cell in CELLS:
        places = np.flatnonzero((human == cell[0]) & (machine == cell[1]) & both)
        found[cell] = [sheet.items[place] for place in places]
    examples = tuple(_example(sheet, judge, cell, items, case.protocol.seed) for cell, items in found.items())
    counts = {cell: len(items) for cell, items in found.items()}
    return Comparison(sheet.section, sheet.id, judge, counts, examples, paired(case, judge)[3])


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
    who: dict[str, Any] = {"people": _people_of(case).the, "judge": judge_name(judge)}
    same, n = sum(counts[k][k] for k in range(q)), int(both.sum())
    yield Listing(
        f"{case.sheet.section}.{case.sheet.id}.judge.{judge}.confusion", "confusion", case.sheet.section,
        case.sheet.id, Message("What {people} and {judge} say", **who),
        Message(
            "What {people} (rows) and {judge} (columns) say: the same on {same} of {n} item.",
            "What {people} (rows) and {judge} (columns) say: the same on {same} of {n} items.", same=same, n=n, **who,
        ),
        ("", *names), rows, "matrix", judge,
    )  # fmt: skip


def _example(sheet: Sheet, judge: str, cell: tuple[bool, bool], items: list[Item], seed: int) -> Example:
    if not items:
        return Example(*cell, None)
    item = order(items, seed, "example", sheet.section, sheet.id, *cell, key=lambda item: item.id)[0]
    given_to = tuple(given(sheet, answer) for answer in sheet.people.answers if answer.item == item.id)
    machine = next(answer for answer in sheet.machines.answers if answer.item == item.id and answer.rater == judge)
    return Example(*cell, item.id, sheet.question.right_answer(item), given_to, given(sheet, machine), len(items))


def given(sheet: Sheet, answer: Answer) -> Given:
    """One answer as it was typed, or in the words of the page where it was clicked; and whether it is right."""
    item = next(item for item in sheet.items if item.id == answer.item)
    if sheet.question.compares():
        # On the page a system is a letter that means another one to each rater.
        words = str(answer.value)
    else:
        words = sheet.question.describe(answer.value, answer.shown.to(sheet.id), item) or str(answer.raw)
    decisions = decide(sheet.votes, sheet.section, sheet.id)
    is_right = sheet.question.score(answer.value, item, decisions) if sheet.question.is_scored() else None
    return Given(answer.rater, words, is_right)


# What is said of it.


def _judges(told: Told, section: str = "") -> tuple[str, ...]:
    """The judges of whom something was found, the one that the study names before the others."""
    within = {"section": section} if section else {}
    found = dict.fromkeys(one.judge for one in told.results.select(inquiry=AgainstJudge.name, by="", **within))
    return tuple(sorted(found, key=lambda judge: not _is_named(told, judge)))


def _is_named(told: Told, judge: str) -> bool:
    compare = told.protocol.analysis.compare
    return compare is not None and compare.judge == judge


def _place(part: Part, judge: str) -> tuple[str, bool]:
    """What ends the key of a judge's tables, and whether they stand in the supplement."""
    return ("", False) if _is_named(part, judge) else (f"_{judge}", True)


def _people(told: Told, finding: Finding | Comparison) -> People:
    of: dict[str, Any] = {"section": finding.section, "question": finding.question, "by": "", "what": ADJUDICATED}
    return people(told.protocol.analysis.verdict.majority, bool(told.results.select(statistic="settled", **of)))


def _agreement(part: Part, rate: Finding) -> Iterator[Message]:
    """How often a judge agrees with people, and by which coefficient."""
    same, n = rate.counted or (0, 0)
    yield Message(
        "{judge} agrees with {people} on {same} of {n} item ({share}).",
        "{judge} agrees with {people} on {same} of {n} items ({share}).",
        judge=judge_name(rate.judge), people=_people(part, rate).the, same=same, n=n, share=value_of(rate),
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
    end, further = _place(part, listing.judge)
    q, name = len(listing.rows), f"confusion_{listing.question}{end}"
    further = further or q > MOST_IN_PAPER
    rate = part.of(AgainstJudge.name, statistic=RATE, judge=listing.judge, question=listing.question)[0]
    listing = replace(listing, title=part.about(rate, listing.title), caption=part.about(rate, listing.caption))
    yield replace(listed(listing, part.key(name)), further=further or q <= MOST_DRAWN)
    if q <= MOST_DRAWN:
        drawn = charts.matrix(listing, judge_name(listing.judge), part.say)
        yield part.drawing(name, drawn, listing.caption, further)


def _few_answers(told: Told, rate: Finding) -> Iterator[Message]:
    """A judge that answered a part only of what people came to a verdict on."""
    n = rate.counted[1] if rate.counted else 0
    every = n + rate.estimate.left_out.get("no answer of the judge", 0)
    if n < MOSTLY * every:
        words: dict[str, Any] = {"judge": judge_name(rate.judge), "n": n, "all": every, "rests_on": [rate]}
        told_of = Message(
            "{judge} has an answer to {n} of {all} items with a verdict: figures about it and people are of these.",
            **words,
        )
        yield _on_question(told, rate, told_of)


def _small_cells(told: Told, rate: Finding, classes: Sequence[Finding]) -> Iterator[Message]:
    """Cells without an example, and too few items on which people and the judge differ."""
    counts = {one.what: one.counted[0] if one.counted else 0 for one in classes}
    words: dict[str, Any] = {"judge": judge_name(rate.judge), "rests_on": classes}
    empty = sum(n == 0 for n in counts.values())
    if empty:
        sentence = Message(
            "{n} cell of the 2 × 2 table of people and {judge} is empty, so there is no example to show.",
            "{n} cells of the 2 × 2 table of people and {judge} are empty, so there is no example to show.",
            n=empty, **words,
        )  # fmt: skip
        yield _on_question(told, rate, sentence)
    apart = sum(n for what, n in counts.items() if CLASSES[what][0] is not CLASSES[what][1])
    if apart < FEW_APART:
        sentence = Message(
            "People and {judge} differ in being right on {n} item: too few to tell which way it errs more often.",
            "People and {judge} differ in being right on {n} items: too few to tell which way it errs more often.",
            n=apart, **words,
        )  # fmt: skip
        yield _on_question(told, rate, sentence)


def _on_question(told: Told, finding: Finding, sentence: Message) -> Message:
    """A sentence, with its question before it where judges are held against people on several."""
    rates = told.known(inquiry=AgainstJudge.name, statistic=RATE, by="", round=1)
    if len({(one.section, one.question) for one in rates}) == 1:
        return sentence
    return Message("“{question}”: {sentence}", question=finding.title, sentence=sentence)


def _comparisons(part: Part) -> list[Comparison]:
    return [one for one in part.results.comparisons if one.section == part.section.id]


def _named_question(part: Part, comparison: Comparison) -> tuple[Finding, str]:
    """The finding that a comparison goes with, and what ends the keys of its tables where there are several."""
    rate = part.of(AgainstJudge.name, statistic=RATE, judge=comparison.judge, question=comparison.question)[0]
    several = len({one.question for one in _comparisons(part)}) > 1
    return rate, f"_{comparison.question}" if several else ""


def _two_by_two(part: Part, comparison: Comparison) -> Table:
    """The 2 × 2 of right and wrong."""
    rate, of_question = _named_question(part, comparison)
    end, further = _place(part, comparison.judge)
    n, who, name = comparison.n, _people(part, comparison), judge_name(comparison.judge)
    rows = []
    for human, head in ((True, who.right), (False, who.wrong)):
        counts = [comparison.cells[human, machine] for machine in (True, False)]
        figures = [Cell(f"{k:,}", small=number(k / n, "%") if n else "", shade=k / n if n else 0) for k in counts]
        rows.append((Cell(head), *figures))
    notes = tuple(Message("{n} left out: {why}.", n=k, why=Word(why)) for why, k in comparison.left_out.items())
    heads = ("", Message("{judge} correct", judge=name), Message("{judge} incorrect", judge=name))
    caption = part.about(rate, _parting(comparison, who, name))
    key = part.key(f"errors{of_question}{end}")
    return Table(key, ErrorAnalysis.title, caption, heads, tuple(rows), notes, frozenset({1, 2}), further)


def _parting(comparison: Comparison, who: People, name: str) -> Message:
    """Where a judge and people part."""
    if not comparison.n:
        return Message("No item has both a verdict of people and an answer of {judge}.", judge=name)
    return Message(
        "{judge} alone is wrong on {missed} of {n} item, and {people} alone on {invented}.",
        "{judge} alone is wrong on {missed} of {n} items, and {people} alone on {invented}.",
        judge=name, people=who.the, missed=comparison.cells[True, False], invented=comparison.cells[False, True],
        n=comparison.n,
    )  # fmt: skip


#: What each class of errors may mean, where answers are typed.
MEANINGS = {
    "human correct, judge incorrect": Message("{judge} false negatives"),
    "human incorrect, judge correct": Message("Potential {judge} hallucination or overly lenient matching"),
    "both incorrect": Message("Genuine generation failures, if what is shown was generated; else hard items"),
    "both correct": Message("No error"),
}


def _classes(part: Part, comparison: Comparison) -> Table:
    """The classes of errors as shares, with what each may mean; the study may list "both wrong" as a disagreement."""
    rate, of_question = _named_question(part, comparison)
    end, further = _place(part, comparison.judge)
    found = part.of(AgainstJudge.name, statistic=CLASS, judge=comparison.judge, question=comparison.question)
    found = tuple(sorted(found, key=lambda one: list(MEANINGS).index(one.what)))
    is_typed = bool(part.protocol.ask(comparison.section, comparison.question).question.canonical_steps())
    rows = []
    for one in found:
        name, *figures = cells(part.results, one)
        meaning = [Cell(MEANINGS[one.what].having(judge=judge_name(one.judge)))] if is_typed else []
        rows.append((name, *meaning, *figures))
    heads = (Message("Class"), *([Message("What it may mean")] if is_typed else []), *columns_of(found)[1:])
    told = [part.about(rate, Message("The three classes of errors, and what is no error."))]
    compare = part.protocol.analysis.compare
    if compare is not None and "both wrong" in compare.disagreements:
        told.append(
            Message(
                "“Both incorrect” is no disagreement between people and judge; it stands here because the protocol "
                "lists it."
            )
        )
    numeric, key = frozenset(range(1 + is_typed, len(heads))), part.key(f"classes{of_question}{end}")
    title, notes = Message("Error classes"), notes_of(part.results, found)
    return Table(key, title, Sentences(tuple(told)), heads, tuple(rows), notes, numeric, further)


def _gallery(part: Part, comparison: Comparison) -> Gallery:
    who, name = _people(part, comparison), judge_name(comparison.judge)
    right, wrong = Message("{judge} correct", judge=name), Message("{judge} incorrect", judge=name)
    titles = tuple(
        Message(
            "{human}, {judge}",
            human=who.right if one.human_correct else who.wrong,
            judge=right if one.judge_correct else wrong,
        )
        for one in comparison.examples
    )
    caption = Message(
        "One item of each cell of the table above, drawn by chance with the study’s seed; below each, the target, what "
        "the annotators answered and what {judge} answered.", judge=name,
    )  # fmt: skip
    rate, _ = _named_question(part, comparison)
    return Gallery(comparison, titles, name, part.about(rate, caption), _place(part, comparison.judge)[1])
