"""How verdicts came about: how many items have none, in which strata too many, and what Dawid–Skene would say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from quorate import statistics
from quorate.exhibits import charts
from quorate.exhibits.blocks import Block
from quorate.exhibits.breakdowns import fields
from quorate.exhibits.numbers import in_text
from quorate.findings.names import ABOVE, AMBIGUITY, VERDICTS, plain, quoted, stated
from quorate.findings.results import Finding, by_question, select
from quorate.inquiries.base import FEW_ITEMS, Inquiry, Part, Told, resting
from quorate.messages import Clauses, Listed, Message, Sentences, Spelled, Text, Together, naming
from quorate.plan import why_not
from quorate.protocol import Asks, Protocol, Section
from quorate.protocol.raters import Escalate
from quorate.records import Estimate
from quorate.sheets.case import RAW, SUMMARY, Case, computed
from quorate.sheets.choices import is_by_pair
from quorate.sheets.verdicts import ADJUDICATED, THIRD

#: Error rates of raters need some items each; beyond the most labels the fit takes longer than all the rest.
FEWEST_ITEMS, MOST_LABELS, MOST_CLASSES = 20, 300_000, 12
#: More questions than these make no sentence each, and no figure each; more names than these no list.
FEW_QUESTIONS, MOST_FIGURES, MOST_NAMES, MOST_STRATA = 2, 3, 12, 6
CLASSES = "dawid skene"

Asked = tuple[Section, Asks]
"""A question with its section."""


class Consensus(Inquiry):
    """Items without a verdict, verdicts that took more than the planned raters, and another way to come to one."""

    name = "verdicts"
    title = Message("Verdicts")
    is_detail = True
    paragraph = Message("Verdicts")
    in_later_rounds = True
    is_told_later = True

    def fits(self, case: Case) -> bool:
        """Answers become one verdict."""
        return bool(case.sheet.question.verdict_on())

    def find(self, case: Case) -> Iterator[Finding]:
        """Ambiguous items, further raters and the team, and the latent classes beside the verdicts."""
        yield from self.each(case)
        yield from settled(case)
        yield from latent_classes(case)

    def each(self, part: Case) -> Iterator[Finding]:
        """Ambiguous items, where a verdict takes several answers, so that it can fail to come about."""
        if part.rule.out_of > 1:
            yield ambiguity(part)

    def headline(self, part: Part) -> Iterator[Message]:
        """How many items have no verdict: of each question, or of many from the fewest to the most."""
        known = [one for one in part.of(self.name, statistic=AMBIGUITY) if one.is_known]
        if len(known) <= FEW_QUESTIONS:
            for one in known:
                share = Message("{share} of the items with enough answers have no verdict.", share=in_text(one))
                none = Message("No item with enough answers is without a verdict.")
                yield part.about(one, share if one.estimate.value else none)
            return
        low, *_, high = sorted(known, key=lambda one: one.height)
        yield Message(
            "From {low} (“{one}”) to {high} (“{other}”) of the items with enough answers have no verdict.",
            low=in_text(low), one=low.title, high=in_text(high), other=high.title,
            rests_on=known,
        )  # fmt: skip

    def exhibits(self, part: Part) -> Iterator[Block]:
        """One table of all items, then the strata as figures and as tables."""
        classes = part.of(self.name, statistic=CLASSES)
        found = [one for one in part.of(self.name) if one not in classes]
        yield part.table("ambiguity", self.title, Sentences(tuple(_shown(found))), found)
        for by in fields(part.protocol):
            yield from _strata(part, by)
        told = Message("On how many items a model of raters’ errors gives the verdict, too.")
        yield part.table("latent_classes", Message("Latent classes"), told, classes, further=True)

    def methods(self, told: Told) -> Iterator[Message]:
        """The rule in words, of which questions it speaks, and what becomes of items on which raters differ."""
        asked = [(section, ask) for section in told.protocol.sections for ask in section.ask]
        decided = [one for one in asked if one[1].question.verdict_on()]
        if not decided or not told.results.verdicts:
            return
        rule = told.protocol.analysis.verdict.majority
        yield _rule(told.protocol).having(needed=Spelled(rule.needed), n=Spelled(rule.out_of)).because(VERDICTS)
        yield from _kinds(asked, decided)
        if escalate := told.protocol.raters.escalate:
            yield from _escalated(told, escalate, asked)
        found = told.results.select(inquiry=self.name, statistic=AMBIGUITY)
        ambiguous = Message(
            "An item without a verdict is ambiguous; the share of ambiguous items is of those with at least {needed} "
            "answers.",
            needed=Spelled(rule.needed),
        )
        yield from resting(ambiguous, found)
        marked = Message("A stratum of which more than {share} of the items are ambiguous is marked.")
        yield from resting(marked.having(share=_alarm(told)), [one for one in found if one.by])
        known = told.known(inquiry=self.name, statistic=CLASSES)
        yield from resting(statistics.statistic(CLASSES).sentence, known)
        yield from resting(Message("Its classes are held against the verdicts on the same items."), known)

    def conventions(self, told: Told) -> Iterator[Message]:
        """What the mark in the tables of strata means."""
        mark = Message("▲: more than {share} of the items are ambiguous.", share=_alarm(told))
        yield from resting(mark, [one for one in told.known(inquiry=self.name, band=ABOVE) if one.by])

    def limits(self, told: Told) -> Iterator[Message]:
        """Where too many items have no verdict, question by question, and whether they can be assessed anew."""
        flagged = told.known(inquiry=self.name, band=ABOVE, round=1)
        whole = [one for one in flagged if not one.by]
        where = Listed(tuple(_count(one, one.title) for one in whole))
        many = Message("More than {share} of all items are ambiguous on {where}.", share=_alarm(told), where=where)
        yield from resting(many, whole)
        for found in by_question(flagged):
            yield from _too_many(told, [one for one in found if one.by])


# What is found.


def ambiguity(case: Case) -> Finding:
    """The share of items without a verdict, of those with enough answers for one; above the threshold an alarm."""
    enough = case.sheet.asked & (case.verdicts.n >= case.rule.needed)
    none = ~case.verdicts.known
    share = case.share(none, enough)
    if share.value is None:
        why = Message("no item has the {n} answers that a verdict needs", n=Spelled(case.rule.needed))
        share = Estimate.undefined(why, confidence=case.confidence, n_items=0)
    alarm = share.value is not None and share.value > case.analysis.ambiguity_alarm
    return case.finding(
        "ambiguity", share, statistic=AMBIGUITY, label=Message("Ambiguous items"), unit="%",
        band=ABOVE if alarm else "", counted=(int((none & enough).sum()), int(enough.sum())),
        rows=f"{SUMMARY}: verdict [empty]",
    )  # fmt: skip


def settled(case: Case) -> Iterator[Finding]:
    """How many verdicts needed further raters, and how many a member of the team."""
    enough = case.sheet.asked & (case.verdicts.n >= case.rule.needed)
    further = Message("Verdicts settled by further raters")
    if case.calls_a_third:
        further = Message("Verdicts settled by a third rater")
    for status, label in ((THIRD, further), (ADJUDICATED, Message("Verdicts by adjudication"))):
        hits = case.verdicts.came(status)
        if hits.any():
            slug = status.replace(" ", "_")
            yield case.finding(
                f"settled.{slug}", case.share(hits, enough), statistic="settled", label=label, unit="%", what=status,
                counted=(int((hits & enough).sum()), int(enough.sum())),
                rows=f"{SUMMARY}: verdict_status = {status}",
            )  # fmt: skip


def latent_classes(case: Case) -> Iterator[Finding]:
    """Dawid and Skene's classes beside the verdicts: on how many items both say the same."""
    reading = case.sheet.reading(case.verdicts.reading)
    per_item = np.bincount(reading.item, minlength=case.sheet.n_items)
    why: Message | None = None
    if len(case.sheet.raters) < 3 or not (per_item >= 3).any():
        return
    if is_by_pair(case.sheet):
        why = Message(
            "items compare different pairs of systems, and error rates need categories that mean the same in each"
        )
    elif (per_item > 0).sum() < FEWEST_ITEMS:
        why = Message("fewer than {n} items are too few for each rater’s error rates", n=FEWEST_ITEMS)
    elif len(reading) > MOST_LABELS:
        why = Message("not computed for more than {n} answers", n=MOST_LABELS)
    elif len(used := np.flatnonzero(np.bincount(reading.code))) < 2:
        why = Message("every answer is in one category")
    elif len(used) > MOST_CLASSES:
        why = Message("more than {n} categories are too many for each rater’s error rates", n=MOST_CLASSES)
    fit: Any
    if why:
        fit = Estimate.undefined(why, confidence=case.confidence, n_items=int((per_item > 0).sum()))
    else:
        fit = computed(
            statistics.dawid_skene, reading.item, reading.who, reading.code, interval=None, restarts=0,
            smoothing=0.01, tolerance=1e-5, max_iterations=300, confidence=case.confidence,
        )  # fmt: skip
    found, counted = fit, None
    if not isinstance(fit, Estimate):
        labels = np.full(case.sheet.n_items, -1)
        labels[list(fit.labels)] = list(fit.labels.values())
        known, same = case.verdicts.known & (labels >= 0), labels == case.verdicts.code
        found, counted = case.share(same, known), (int((same & known).sum()), int(known.sum()))
    yield case.finding(
        "dawid_skene.same", found, statistic=CLASSES, unit="%", counted=counted,
        label=Message("Items on which Dawid–Skene gives the verdict, too"), rows=f"{RAW}:",
    )  # fmt: skip


# What is shown of it.


def _shown(found: Sequence[Finding]) -> Iterator[Message]:
    """What the table shows, as far as it shows it."""
    there = {one.statistic for one in found}
    if AMBIGUITY in there:
        yield Message("How many items have no verdict, of those with enough answers for one.")
    if "settled" in there:
        yield Message("How many verdicts took more than the planned raters.")


def _strata(part: Part, by: str) -> Iterator[Block]:
    """The ambiguous items in each stratum: a figure for each of few questions, and one table of all."""
    field = plain(by)
    found = part.in_strata(Consensus.name, by=by, statistic=AMBIGUITY)
    titles = {one.question: one.title for one in found}
    alarm = 100 * part.protocol.analysis.ambiguity_alarm
    dashed = Message("Dashed: the threshold of {share}; blue: above it.", share=_alarm(part))
    for id in titles if len(titles) <= MOST_FIGURES else ():
        mine, name = list(select(found, question=id)), f"ambiguity_{id}_{by}"
        told = Message("Ambiguous items by {field} (“{question}”).", field=field, question=titles[id])
        axis = Message("ambiguous items, %")
        drawn = charts.by_stratum(mine, axis, True, alarm, part.say, _with_n) if len(mine) > 1 else ""
        few = all(one.n < FEW_ITEMS for one in mine)
        yield part.drawing(name, drawn, Sentences((told, dashed)), further=few)
    title = Message("Ambiguous items by {field}", field=field)
    caption = Message("{title}. Small: the interval, and what n counts.", title=title)
    columns = [(titles[id], list(select(found, question=id))) for id in titles]
    yield from part.by_stratum("ambiguity", by, title, caption, columns, further=True)


def _with_n(finding: Finding) -> Text:
    """A stratum with the number of its items that have enough answers."""
    return Message("{stratum} (n\u00a0=\u00a0{n})", stratum=finding.stratum, n=finding.n)


def _alarm(told: Told) -> str:
    return f"{100 * told.protocol.analysis.ambiguity_alarm:g}%"


# What is said of the rule.


def _rule(protocol: Protocol) -> Message:
    """When there is a verdict; where an item may have more or fewer answers than the rule counts, more than half of
    those that are there decide."""
    rule, raters = protocol.analysis.verdict.majority, protocol.raters
    if not rule.out_of == raters.per_item == raters.most:
        return Message("An item’s verdict is what at least {needed} of its answers, and more than half of them, say.")
    if rule.out_of == 1:
        return Message("An item’s verdict is its one answer.")
    if rule.needed == rule.out_of == 2:
        return Message("An item’s verdict is what both answers say.")
    if rule.needed == rule.out_of:
        return Message("An item’s verdict is what all {n} answers say.")
    return Message("An item’s verdict is what at least {needed} of {n} answers say.")


def _kinds(asked: Sequence[Asked], decided: Sequence[Asked]) -> Iterator[Message]:
    """Of which questions there are verdicts, and on what: right or wrong, the better side, or a point of a scale."""
    none = [one for one in asked if one not in decided]
    if 0 < len(none) <= MOST_NAMES:
        yield Message("Answers to {questions} come to no verdict.", questions=_named(asked, none), rests_on=[VERDICTS])
    elif none:
        yield Message(
            "Answers to {n} of {all} questions come to no verdict.", n=len(none), all=len(asked), rests_on=[VERDICTS]
        )
    on_right = [one for one in decided if one[1].question.verdict_on() == "correctness"]
    of_sides = [one for one in decided if one[1].question.verdict_on() == "outcome"]
    if 0 < len(on_right) < min(len(decided), MOST_NAMES):
        yield Message(
            "On {questions} the verdict is whether an answer is correct, however it is put.",
            questions=_named(asked, on_right), rests_on=[VERDICTS],
        )  # fmt: skip
    elif on_right:
        yield Message(
            "The verdict on a typed answer is whether it is correct, however it is put.", rests_on=[VERDICTS]
        )  # fmt: skip
    if of_sides:
        yield Message(
            "Preferences on a scale come to a verdict on win, same or loss, not on the points of the scale.",
            rests_on=[VERDICTS],
        )
    if any(ask.question.scale() and ask.question.verdict_on() == "responses" for _, ask in decided):
        yield Message("On an ordered scale a verdict is a point of the scale, never a mean.", rests_on=[VERDICTS])


def _named(asked: Sequence[Asked], some: Iterable[Asked]) -> Listed:
    """Some of the questions by their words; where others are asked in the same words, with their ids."""
    titles = [_title(ask) for _, ask in asked]
    return Listed(tuple(
        quoted(Together((_title(ask), f" ({ask.id})")) if titles.count(_title(ask)) > 1 else _title(ask))
        for _, ask in some
    ))  # fmt: skip


def _title(ask: Asks) -> Any:
    return ask.question.prompt or plain(ask.id)


def _escalated(told: Told, rule: Escalate, asked: Sequence[Asked]) -> Iterator[Message]:
    """Whom a study asks where planned raters differ, unless all answers came out of files."""
    people, protocol = told.results.flow.raters, told.protocol
    if people.get("imported") and not people.get("invited"):
        return
    named = [one for one in asked if one[1].id == rule.when]
    alike = all(_title(ask) == _title(named[0][1]) for _, ask in named)
    of: dict[str, Any] = {"question": _named(asked, named[:1]) if alike else quoted(rule.when)}
    of |= {"to": Spelled(rule.to), "rests_on": [VERDICTS, stated("raters.escalate")]}
    differ = Message("differ by more than {apart}", apart=f"{rule.apart:g}") if rule.apart else Message("differ")
    asked_then = Message(
        "more are asked one at a time, who are not told so, until more than half of an item’s raters agree or it has "
        "{to} of them",
        to=Spelled(rule.to),
    )
    if rule.to == protocol.raters.per_item + 1:
        asked_then = Message("one more is asked, who is not told so")
    yield Message("Where planned raters {differ} on {question}, {then}.", differ=differ, then=asked_then, **of)
    if rule.apart:
        yield Message("For a verdict, answers have to be equal and not only so near.", **of)
    yield Message(
        "Where {to} raters do not agree, a member of the team is to decide; further answers, and then decisions, count "
        "where those before them come to no verdict, and in no figure of agreement among raters.",
        **of,
    )


# What is said of strata in which too many items have no verdict.


def _too_many(told: Told, found: Sequence[Finding]) -> Iterator[Message]:
    """Those that other raters have assessed since, then those that they can assess, then the others."""
    again = {one.id: _again(told, one) for one in found}
    for one in found:
        if now := again[one.id]:
            yield Message(
                "More than {share} of the items of “{stratum}” ({field}) were ambiguous on “{question}”; when other "
                "raters assessed them again, in round {round}, {now} were.",
                share=_alarm(told), stratum=one.stratum, field=plain(one.by), round=now.round,
                question=one.title, now=in_text(now), rests_on=[one, now],
            )  # fmt: skip
    left = [one for one in found if again[one.id] is None]
    reasons = {one.by: why_not(told.protocol, one.by) for one in left}
    if able := [one for one in left if reasons[one.by] is None]:
        yield Message(
            "To be reassessed by other raters (“quorate reassess”), since more than {share} of the items are ambiguous "
            "on “{question}”: {where}.",
            **_where(told, able),
        )
    # A reason that names a field holds of every field for which it is the reason.
    for template in dict.fromkeys(why.template for why in reasons.values() if why):
        mine = [one for one in left if (why := reasons[one.by]) and why.template == template]
        names = Listed(tuple(plain(by) for by in dict.fromkeys(one.by for one in mine)))
        why = reasons[mine[0].by]
        yield Message(
            "More than {share} of the items are ambiguous on “{question}” in parts that cannot be reassessed by "
            "themselves ({where}), since {why}.",
            why=naming(why, field=names), **_where(told, mine),
        )  # fmt: skip


def _where(told: Told, found: Sequence[Finding]) -> dict[str, Any]:
    """What a sentence about strata of one question tells: each with its counts, or how many there are of each field."""
    parts = []
    for by in dict.fromkeys(one.by for one in found):
        mine = list(select(found, by=by))
        strata: Text = Listed(tuple(_count(one, one.stratum) for one in mine))
        if len(found) > MOST_STRATA:
            strata = Message("{n} stratum", "{n} strata", n=len(mine))
        parts.append(Message("{strata} of {field}", field=plain(by), strata=strata))
    ids = [one.id for one in found]
    return {"share": _alarm(told), "question": found[0].title, "where": Clauses(tuple(parts)), "rests_on": ids}


def _count(finding: Finding, name: Text) -> Message:
    count, of = finding.counted or (0, 0)
    return Message("“{name}” ({count} of {of})", name=name, count=count, of=of)


def _again(told: Told, before: Finding) -> Finding | None:
    """What the newest later round found in a stratum."""
    same = {name: getattr(before, name) for name in ("statistic", "section", "question", "by", "stratum")}
    later = [one for one in told.known(inquiry=Consensus.name, **same) if one.round > 1]
    return max(later, key=lambda one: one.round, default=None)
