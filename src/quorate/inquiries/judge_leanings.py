"""Where each judge of a study leans, as findings: to the order shown, to longer texts, to its own kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from quorate.exhibits.blocks import Block
from quorate.findings.names import judge_name
from quorate.findings.results import Finding
from quorate.inquiries.base import Inquiry, Part, Told, of_question
from quorate.inquiries.leanings import Groups, length_lean, order_effect, self_preference, stability
from quorate.judges import SWAPPED
from quorate.media import PairBase
from quorate.messages import Message, Sentences
from quorate.records import Estimate, Item, Shown
from quorate.sheets.case import JUDGED, RAW, Case

CALLS = "rows/calls.jsonl of the bundle"
#: A longer table stands in the supplement.
MOST_ROWS = 20
#: A judge that gives a smaller share of its answers in both orders is named among the limits.
MOSTLY = 0.9
Winners = Mapping[str, str | None]
"""The system that won each item; None where it is a tie."""


class JudgeLeanings(Inquiry):
    """What a judge's answers go with besides what is judged."""

    name = "leanings"
    title = Message("Where judges lean")
    is_detail = True

    def fits(self, case: Case) -> bool:
        """A judge answered the question."""
        return bool(case.sheet.judges)

    def find(self, case: Case) -> Iterator[Finding]:
        """Every lean that the study's rows let one measure, judge by judge."""
        for judge in case.sheet.judges:
            yield from _order(case, judge)
            yield from _stability(case, judge)
            if case.sheet.question.compares():
                yield from _length(case, judge)
                yield from _own_kind(case, judge)

    def exhibits(self, part: Part) -> Iterator[Block]:
        """One table: a row each lean."""
        found = part.of(self.name)
        if found:
            caption = Sentences(tuple(_caption(part, found)))
            further = len(found) > MOST_ROWS
            yield part.table("leanings", self.title, caption, found, Message("Judge: lean"), further)

    def limits(self, told: Told) -> Iterator[Message]:
        """Judges whose answers go with the place."""
        found = told.known(inquiry=self.name, what="consistent", round=1)
        for one in found:
            if one.height < MOSTLY:
                sentence = Message(
                    "{judge} changes {share} of its answers with the order in which things are shown: part of what it "
                    "says goes with the place.",
                    judge=judge_name(one.judge), share=f"{100 * (1 - one.height):.0f}%",
                )  # fmt: skip
                yield of_question(one, sentence, found)


#: What becomes of an answer that changes with the order.
RULES = {
    "record": Message("Such an answer stays the answer of record."),
    "tie": Message("Such an answer counts as a tie, or is left out where there is none."),
    "leave out": Message("Such an answer is left out."),
}


def _caption(part: Part, found: tuple[Finding, ...]) -> Iterator[Message]:
    """How what was found is to be read."""
    there = {one.what: one for one in found if one.is_known}
    if "consistent" in there:
        yield Message("An answer that changes with the order goes with the place.", rests_on=[there["consistent"]])
        yield RULES[part.protocol.analysis.inconsistent]
        touched = sum(n for case in part.cases for n in case.sheet.inconsistent.values())
        if touched:
            yield Message("{n} answer was touched by this rule.", "{n} answers were touched by this rule.", n=touched)
    if "length" in there:
        yield Message(
            "Longer texts: of the decided pairs of texts that differ in length; it is a bias only where people do not "
            "share it.", rests_on=[there["length"]],
        )  # fmt: skip
    if "own_kind" in there:
        yield Message(
            "Its own kind: over the pairs that the judge and most people decided.", rests_on=[there["own_kind"]]
        )
    if not there:
        yield Message("Nothing can be told yet of where judges lean.")


#: What is told of each lean.
LEANS = {
    "consistent": Message("{judge}: the same answer in the mirrored order"),
    "first": Message("{judge}: where the order changes it, takes what stands first"),
    "stability": Message("{judge}: two samples of one item say the same"),
    "length": Message("{judge}: takes the longer text"),
    "length_people": Message("{judge}: takes the longer text (people, beside it)"),
    "own_kind": Message("{judge}: takes {own}, its own kind, more often than people do"),
}


def _finding(
    case: Case, judge: str, name: str, estimate: Estimate, rows: str, unit: str = "%", own: str = ""
) -> Finding:
    label = LEANS[name].having(judge=judge_name(judge), **({"own": own} if own else {}))
    return case.finding(
        f"leaning.{judge}.{name}", estimate, statistic=f"leaning: {name.replace('_', ' ')}", judge=judge, what=name,
        label=label, unit=unit, rows=rows,
    )  # fmt: skip


def _groups(case: Case) -> Groups:
    """The group of each item, where the study names a field that groups them."""
    clusters = case.sheet.item_clusters
    if clusters is None:
        return None
    return {item.id: group for item, group in zip(case.sheet.items, clusters.tolist(), strict=True)}


def _order(case: Case, judge: str) -> Iterator[Finding]:
    id, question = case.sheet.id, case.sheet.question
    items = {item.id for item in case.sheet.items}
    mirrored = {r.item: r for r in case.sheet.repeated if r.judge == judge and r.purpose == SWAPPED and r.item in items}
    record = {answer.item: answer for answer in case.sheet.recorded if answer.rater == judge}
    asked = [item for item in mirrored if item in record and stood_first(id, record[item].shown) is not None]
    if not asked:
        return

    def said(value: Any, shown: Shown) -> Any:
        return winner(question.compared(value, shown)) if question.compares() else value

    effect = order_effect(
        {item: said(record[item].value, record[item].shown) for item in asked},
        {item: said(mirrored[item].said[id], mirrored[item].shown) for item in asked},
        {item: stood_first(id, record[item].shown) for item in asked},
        case.confidence,
        _groups(case),
    )
    yield _finding(case, judge, "consistent", effect.consistent, CALLS)
    yield _finding(case, judge, "first", effect.first, CALLS)


def stood_first(question: str, shown: Shown) -> str | None:
    """What stood first: the left system, or the first option; None where there is no order."""
    if shown.sides:
        return next(iter(shown.sides.values()))
    return next(iter(shown.options.get(question, ())), None)


def winner(found: tuple[str, str, int] | None) -> str | None:
    """The system that won; None where there is none, or a tie."""
    if found is None or found[2] == 0:
        return None
    return found[0] if found[2] > 0 else found[1]


def _stability(case: Case, judge: str) -> Iterator[Finding]:
    samples: dict[str, list[Any]] = {}
    items = {item.id for item in case.sheet.items}
    for one in case.sheet.repeated:
        if one.judge == judge and one.purpose.startswith("sample") and one.item in items:
            samples.setdefault(one.item, []).append(one.said[case.sheet.id])
    for answer in case.sheet.recorded:
        if answer.rater == judge and answer.item in samples:
            samples[answer.item].append(answer.value)
    if samples:
        said = {item: [repr(value) for value in values] for item, values in samples.items()}
        yield _finding(case, judge, "stability", stability(said, case.confidence, _groups(case)), CALLS)


def _length(case: Case, judge: str) -> Iterator[Finding]:
    lengths = {item.id: both for item in case.sheet.items if (both := text_lengths(case, item))}
    if not lengths:
        return
    rows = f"{RAW} + {JUDGED}: response_normalized"
    for name, won in (("length", _of_judge(case, judge)), ("length_people", of_people(case))):
        yield _finding(case, judge, name, length_lean(won, lengths, case.confidence, _groups(case)), rows)


def text_lengths(case: Case, item: Item) -> tuple[str, int, str, int] | None:
    """The two systems of an item with the lengths of their texts; None where outputs are files, or there is no pair."""
    for show in case.protocol.section(case.sheet.section).show:
        part = show.part
        if part.n_sides == 2 and isinstance(part, PairBase) and part.applies(item) and not part.paths(item):
            (one, first), (other, second) = part.fields_by_system(item).items()
            return one, len(str(item.fields.get(first) or "")), other, len(str(item.fields.get(second) or ""))
    return None


def _own_kind(case: Case, judge: str) -> Iterator[Finding]:
    entry = case.protocol.file.judges.get(judge)
    own = entry.judge.own if entry is not None else None
    if not own:
        return
    found = self_preference(_of_judge(case, judge), of_people(case), own, case.confidence, _groups(case))
    yield _finding(case, judge, "own_kind", found, f"{RAW} + {JUDGED}: response_normalized", "points", own)


def _of_judge(case: Case, judge: str) -> Winners:
    question = case.sheet.question
    return {
        answer.item: winner(question.compared(answer.value, answer.shown))
        for answer in case.sheet.machines.answers
        if answer.rater == judge
    }


def of_people(case: Case) -> Winners:
    """The system that most people prefer, by item; None where it is a tie or as many prefer the other."""
    votes: dict[str, Counter[str | None]] = {}
    for answer in case.sheet.people.answers:
        won = winner(case.sheet.question.compared(answer.value, answer.shown))
        votes.setdefault(answer.item, Counter())[won] += 1
    ranked = {item: count.most_common(2) for item, count in votes.items()}
    return {item: None if len({n for _, n in top}) < len(top) else top[0][0] for item, top in ranked.items()}
