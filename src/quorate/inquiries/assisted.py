"""AI-assisted scoring: what a judge settled, what people looked at, and how far the judge can be believed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from quorate import statistics
from quorate.exhibits import charts
from quorate.exhibits.blocks import Block
from quorate.exhibits.breakdowns import fields
from quorate.exhibits.numbers import in_text, interval_of, value_of
from quorate.exhibits.tables import Cell, Table, listed
from quorate.findings.names import judge_name, plain
from quorate.findings.results import Finding, Listing, first, select
from quorate.inquiries import triage
from quorate.inquiries.base import Inquiry, Part, Told, resting
from quorate.inquiries.item_means import is_number, within
from quorate.inquiries.triage import Scored
from quorate.messages import Listed, Message, Sentences, Text
from quorate.protocol.judging import TriageRule
from quorate.records import Estimate
from quorate.sheets.case import Case

MERGED = "merged_scores.csv"
ROWS = f"{MERGED}: human, ai, inclusion"
SAW = Message("everybody saw the judge’s score, and agreeing with what one sees proves little")
#: The share of the work that is often claimed to be saved; the caption says what it would cost.
CLAIMED = 0.6
#: What the rule did with an item, as its route says it.
ROUTES = {
    "review": Message("sent to people by the rule"),
    "audit": Message("drawn for people’s audit"),
    "accepted": Message("settled by the judge alone"),
}


class Triage(Inquiry):
    """Work saved, agreement on the audited part, means, and what other thresholds would have done."""

    name = "triage"
    title = Message("AI-assisted scoring")
    cites = {"corrected mean": ("Angelopoulos 2023",)}
    names_questions = True
    paragraph = Message("Triage")

    def fits(self, case: Case) -> bool:
        """The study's triage rule sent items somewhere by what a judge said to this question."""
        return is_triaged(case)

    def find(self, case: Case) -> Iterator[Finding]:
        """Over all items."""
        rows = triage.scored(case)
        saved = triage.by_cluster(triage.workload, rows, case.confidence)
        yield case.finding(
            "triage.workload", within(saved, 0, 1), statistic="workload saved", unit="%", primary=True,
            label=Message("{question}: items that people did not have to look at", question=case.title),
            rows=f"{MERGED}: route", counted=(sum(row.accepted for row in rows), len(rows)),
        )  # fmt: skip
        # Two marks of a slider are seldom the same number: how far they are apart is what can be said.
        if case.sheet.question.verdict_on():
            agreed = _unless_seen(case, triage.by_cluster(triage.audited_agreement, rows, case.confidence))
            yield case.finding(
                "triage.audited_agreement", within(agreed, 0, 1), statistic="audited agreement", unit="%", rows=ROWS,
                label=Message("{question}: people give the judge’s score, audited part", question=case.title),
            )  # fmt: skip
        else:
            apart = _unless_seen(case, triage.by_cluster(triage.audited_distance, rows, case.confidence))
            yield case.finding(
                "triage.audited_distance", apart, statistic="audited distance", rows=ROWS,
                label=Message(
                    "{question}: mean distance of people to the judge’s score, audited part", question=case.title
                ),
            )  # fmt: skip
        yield from self.each(case)
        if case.sheet.question.verdict_on():
            yield from _curve(case, rows)

    def each(self, part: Case) -> Iterator[Finding]:
        """The mean that people would have given, the judge's, and by how much it is off."""
        if not is_number(part):
            return
        rows, title = triage.scored(part), part.title
        figures: tuple[tuple[str, str, Any, Message], ...] = (
            ("corrected_mean", "corrected mean", triage.corrected_mean, Message("{question}: mean of people, corrected",
             question=title)),
            ("judge_mean", "mean", triage.judges_mean, Message("{question}: mean of the judge", question=title)),
            ("merged_mean", "merged mean", triage.merged_mean,
             Message("{question}: mean of the merged column, as it stands", question=title)),
        )  # fmt: skip
        for name, statistic, compute, label in figures:
            found = within(_summed(part, rows, name, compute), *part.sheet.question.ends())
            yield part.finding(
                f"triage.{name}", found, statistic=statistic, label=label, rows=ROWS, what=name,
                primary=name == "corrected_mean",
            )  # fmt: skip
        yield part.finding(
            "triage.difference", _summed(part, rows, "difference", triage.difference), statistic="mean difference",
            rows=ROWS, what="difference",
            label=Message("{question}: judge minus people, corrected", question=title),
        )  # fmt: skip

    def listings(self, case: Case) -> Iterator[Listing]:
        """What became of every item that the rule routed."""
        sheet, rule, rows = case.sheet, case.protocol.file.triage, []
        known = {row.item: row for row in triage.scored(case)}
        asked = {item.id for item in sheet.items}
        routes = {route.item: route.to for route in sheet.routes if route.item in asked}
        looked_at = {sheet.items[place].id for of in (sheet.people, sheet.anchored) for place in of.item.tolist()}
        some_saw = rule is not None and 0 < rule.show_score < 1

        def counted(label: Message, items: Collection[str]) -> tuple[Any, ...]:
            unseen = sum(item in known and known[item].human is not None for item in items) if some_saw else ""
            return label, len(items), len(looked_at.intersection(items)), unseen

        for to, label in ROUTES.items():
            rows.append(counted(label, [item for item, where in routes.items() if where == to and item in known]))
        if nobody := routes.keys() - known.keys():
            rows.append(counted(Message("answered by nobody yet"), nobody))
        rows.append(counted(Message("All items"), routes))
        heads = (
            Message("What became of the items"), Message("Items"), Message("Answered by people"),
            Message("Answered without seeing the judge’s score"),
        )  # fmt: skip
        told = Message("What the triage rule did with the items of “{question}”.", question=case.title)
        yield case.listing("routes", self.name, Message("Items under triage"), told, heads, rows)

    def headline(self, part: Part) -> Iterator[Message]:
        """What was saved, what the audit says of it, and what it does to the mean, question by question."""
        for saved in part.of(self.name, statistic="workload saved", threshold=None):
            yield part.about(saved, Sentences(tuple(_saved(part, saved))))

    def exhibits(self, part: Part) -> Iterator[Block]:
        """What became of the items, the figures, by field, and what other thresholds would have done."""
        for listing in part.listed(self.name):
            yield listed(listing, part.key(f"triage_routes_{listing.question}"))
        found = part.of(self.name, threshold=None)
        if not found:
            return
        told = tuple(part.about(one, Sentences(tuple(_saved(part, one)))) for one in select(found, statistic=SAVED))
        caption = Sentences(told) if told else Message("Nothing has been triaged yet.")
        yield part.table("triage", self.title, caption, found)
        for case in part.cases:
            for by in fields(part.protocol):
                yield from _tables(part, case, by)
            points = curve_points(part.of(self.name, question=case.sheet.id))
            if points:
                yield from _of_curve(part, case, points)

    def methods(self, told: Told) -> Iterator[Message]:
        """What the rule sent to people, and how figures speak of all items."""
        rule, found = told.protocol.file.triage, told.results.select(inquiry=self.name, by="")
        saved = list(select(found, statistic=SAVED, threshold=None))
        if rule is None or not saved:
            return
        yield Message(
            "Items went to people where “{condition}” held of an answer of {judges}, or where there was none.",
            condition=rule.review, judges=_judges(rule), rests_on=saved,
        )  # fmt: skip
        rest = Message("The rest was accepted, and none of it was audited.")
        if rule.audit:
            rest = Message(
                "Of the rest, a drawn share of {share} was audited by people, and the others were accepted.",
                share=f"{100 * rule.audit:g}%",
            )
        yield rest.because(*saved)
        weighted = Message("What people looked at is weighted by one over the probability that they looked at it.")
        yield from resting(weighted, [one for one in found if one.is_known and one.statistic in WEIGHTED])
        mean = Message(
            "The corrected mean is people’s where the rule sent items to them, and prediction-powered (PPI++) where "
            "the judge settled them."
        )
        if rule.audit:
            yield from resting(mean, told.known(inquiry=self.name, statistic="corrected mean", by=""))

    def limits(self, told: Told) -> Iterator[Message]:
        """That people saw no random sample; that nothing was audited; that everybody saw the scores."""
        rule, found = told.protocol.file.triage, told.results.select(inquiry=self.name, by="")
        if rule is None:
            return
        seen = Message(
            "People looked at what the triage rule sent them and at an audited share of the rest, which is no random "
            "sample: corrected means speak of all items, agreement and comparisons of what people saw."
        )
        if not rule.audit:
            seen = Message(
                "People looked at what the triage rule sent them alone: nothing of what the judge accepted was "
                "audited, and this report is unverified."
            )
        yield from resting(seen, found)
        anchored = Message(
            "Everybody saw the judge’s scores before answering: people’s answers are anchored, and not independent."
        )
        yield from resting(anchored, found if rule.is_verifying else ())


SAVED = "workload saved"
#: What is weighted by the probability with which people looked.
WEIGHTED = ("audited agreement", "audited distance", "corrected mean", "mean difference", "error among accepted")


def is_triaged(case: Case) -> bool:
    """The study's triage rule sent items somewhere by what a judge said to this question."""
    rule = case.protocol.file.triage
    if rule is None or not case.sheet.routes:
        return False
    return any(judge in rule.judges for judge in case.sheet.judges) and bool(
        is_number(case) or case.sheet.question.verdict_on()
    )


def _curve(case: Case, rows: Sequence[Scored]) -> Iterator[Finding]:
    """Two findings a threshold: the work that it would have saved, and how many accepted scores would be wrong."""
    for number, point in enumerate(triage.curve(rows, case.confidence), start=1):
        accepted, of = round(point.saved * len(rows)), {"question": case.title, "threshold": f"{point.threshold:.3g}"}
        yield case.finding(
            f"triage.curve.{number:02d}.saved", statistics.wilson(accepted, len(rows), confidence=case.confidence),
            statistic=SAVED, unit="%", rows=ROWS, counted=(accepted, len(rows)), threshold=point.threshold,
            what="saved", label=Message("{question}, accepting from {threshold} on: work saved", **of),
        )  # fmt: skip
        yield case.finding(
            f"triage.curve.{number:02d}.error", within(_unless_seen(case, point.error), 0, 1), unit="%", rows=ROWS,
            statistic="error among accepted", threshold=point.threshold, what="error",
            label=Message("{question}, accepting from {threshold} on: accepted scores that are wrong", **of),
        )  # fmt: skip


def _summed(case: Case, rows: Sequence[Scored], name: str, compute: Any) -> Estimate:
    found = triage.by_cluster(compute, rows, case.confidence)
    rule = case.protocol.file.triage
    if rule is not None and rule.is_verifying and name != "judge_mean" and found.value is not None:
        return replace(found, note=Message("people saw the judge’s score"))
    return found


def _unless_seen(case: Case, found: Estimate) -> Estimate:
    rule = case.protocol.file.triage
    if rule is not None and rule.is_verifying:
        return Estimate.undefined(SAW, n_items=found.n_items, confidence=case.confidence)
    return found


# What is said of it.


def _judges(rule: TriageRule) -> Listed:
    return Listed(tuple(map(judge_name, rule.judges)))


def _saved(part: Part, saved: Finding) -> Iterator[Message]:
    """What was saved of one question, what the audit says of it, and what it does to the mean."""
    rule, mine = part.protocol.file.triage, part.of(Triage.name, question=saved.question)
    settled, n = saved.counted or (0, 0)
    if rule is None or not n:
        yield Message("Nothing has been triaged yet.", rests_on=[saved])
        return
    yield Message(
        "{judges} alone settled {settled} of {n} item ({share}).", "{judges} alone settled {settled} of {n} items "
        "({share}).", judges=_judges(rule), settled=settled, n=n, share=value_of(saved), rests_on=[saved],
    )  # fmt: skip
    agreed, apart = (first(mine, statistic=f"audited {kind}") for kind in ("agreement", "distance"))
    if agreed is not None and agreed.is_known:
        right = Message("Where people were asked all the same, they gave the judge’s score in {figure}.")
    elif apart is not None and apart.is_known:
        right = Message("Where people were asked all the same, they were {figure} from the judge’s score on average.")
    else:
        right = Message("How many of the accepted scores are right is not known.")
    one = agreed or apart or saved
    yield right.having(figure=in_text(one)).because(one)
    corrected, machine = (first(mine, what=what) for what in ("corrected_mean", "judge_mean"))
    if corrected is None or machine is None or None in (corrected.estimate.value, machine.estimate.value):
        return
    yield Message(
        "The judge’s mean is {machine}; people’s, corrected for what they did not look at, is {people}.",
        machine=in_text(machine), people=in_text(corrected), rests_on=[machine, corrected],
    )  # fmt: skip


# Its tables and figures.

KINDS = {
    "corrected_mean": Message("People’s mean, corrected"),
    "judge_mean": Message("Judge’s mean"),
    "difference": Message("Judge minus people"),
}


def _tables(part: Part, case: Case, by: str) -> Iterator[Table]:
    """The means in each stratum; those of few items stand in the supplement."""
    here = part.in_strata(Triage.name, by=by, question=case.sheet.id)
    columns = [(head, list(select(here, what=what))) for what, head in KINDS.items()]
    title = Message("People and AI by {field}", field=plain(by))
    caption = Message(
        "{question}: what people would have given to all items, from those that they looked at, beside the judge’s "
        "plain mean.",
        question=case.title,
    )
    corrected = columns[0][1]
    for table in part.by_stratum(f"triage_{case.sheet.id}", by, title, caption, columns, corrected):
        there = {str(row[0].text) for row in table.rows}
        why = (Message("{stratum}: undefined, since {why}.", stratum=one.stratum, why=one.estimate.note)
               for one in corrected if not one.is_known and one.stratum in there)  # fmt: skip
        yield replace(table, notes=(*table.notes, *why))


Point = tuple[float, Finding, Finding]
"""One threshold: the threshold, the work that it saves, and the error among what is accepted."""


def curve_points(found: Sequence[Finding]) -> list[Point]:
    """The points of a curve, from the strictest threshold to the one that accepts everything."""
    saved = {f.threshold: f for f in select(found, what="saved")}
    wrong = {f.threshold: f for f in select(found, what="error")}
    points = [(at, finding, wrong[at]) for at, finding in saved.items() if at is not None]
    return sorted(points, key=lambda point: point[1].height)


def _cost(points: Sequence[Point], title: Text) -> Message:
    """What it costs to save most of the work."""
    enough = next((p for p in points if p[1].height >= CLAIMED), None)
    if enough is None or not enough[2].is_known:
        return Message(
            "{question}: work saved against errors among accepted scores, for other thresholds.", question=title
        )
    _, saved, error = enough
    return Message(
        "{question}: to save {saved} of the work, {wrong} of the accepted scores would be wrong.", question=title,
        saved=value_of(saved), wrong=in_text(error), rests_on=[saved, error],
    )  # fmt: skip


def _of_curve(part: Part, case: Case, points: Sequence[Point]) -> Iterator[Block]:
    """The curve; its numbers in the supplement."""
    name, caption = f"triage_curve_{case.sheet.id}", _cost(points, case.title)
    drawn = charts.trade_off([(p[1].estimate.value, p[2]) for p in points], part.say)
    yield part.drawing(name, drawn, Sentences((caption, Message("Lines are intervals."))))
    rows = tuple(
        (
            Cell(f"{threshold:.3g}"), Cell(value_of(saved), id=saved.id), Cell(value_of(error), id=error.id),
            Cell(interval_of(error)), Cell(f"{error.estimate.n_ratings or 0:,}"),
        )
        for threshold, saved, error in points
    )  # fmt: skip
    heads = (
        Message("Accepted from"), Message("Work saved"), Message("Wrong among accepted"), Message("Interval"),
        Message("Looked at"),
    )  # fmt: skip
    title = Message("Work saved and errors: {question}", question=case.title)
    yield Table(part.key(name), title, caption, heads, rows, (), frozenset(range(5)), further=True)
