"""Do scores go with automatic metrics? Correlations at the level where a metric lives: one point a value of a field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quorate import statistics
from quorate.exhibits import charts
from quorate.exhibits.blocks import Block
from quorate.exhibits.breakdowns import pivot
from quorate.exhibits.numbers import in_text, p_value
from quorate.exhibits.tables import Cell
from quorate.findings.names import plain
from quorate.findings.results import Finding, by_question, first, select
from quorate.inquiries.base import Inquiry, Part, Told, resting
from quorate.inquiries.item_means import is_number, item_means, on_paper
from quorate.messages import Listed, Message, Sentences, Together, clauses
from quorate.protocol import Protocol
from quorate.protocol.analysis import Metrics as Rule
from quorate.records import Estimate
from quorate.sheets.case import RAW, Case, computed, without
from quorate.sheets.columns import Floats, Ints

#: A correlation is drawn and spoken of from so many points on; fewer are told with their n and nothing else.
FEW_POINTS = 10
KINDS = {"spearman": Message("Spearman’s ρ"), "kendall": Message("Kendall’s τ-b"), "pearson": Message("Pearson’s r")}


class Metrics(Inquiry):
    """Spearman's, Kendall's and Pearson's correlation of every score with every metric that the study names."""

    name = "metrics"
    title = Message("Automatic metrics")
    names_questions = True

    def fits(self, case: Case) -> bool:
        """The study names a table of metrics, and an answer is one number."""
        return case.analysis.metrics is not None and is_number(case)

    def find(self, case: Case) -> Iterator[Finding]:
        """Each correlation, over the values of the joined field that have a score and a metric."""
        rule = _rule(case)
        for column in dict.fromkeys(rule.columns):
            points = _points(case, column)
            ours, theirs = np.array([(y, x) for _, y, x in points], float).reshape(-1, 2).T
            lacking = Message("values of {field} without {metric}", **_names(rule, column))
            for name, symbol in KINDS.items():
                found = without(correlation(case, name, ours, theirs, None), {lacking: int(np.isnan(theirs).sum())})
                how = Message("over {units}", units=_units(case.protocol))
                label = Message("{question} and {metric}: {coefficient}", question=case.title, metric=plain(column))
                yield case.finding(
                    "metric", replace(found, method=clauses(found.method, how)), (column,), name, statistic=name,
                    what=column, label=label.having(coefficient=symbol), family=f"metrics.{name}",
                    rows=f"{RAW}: response_normalized, {rule.on}; {rule.from_}: {column}",
                )  # fmt: skip

    def headline(self, part: Part) -> Iterator[Message]:
        """How each score goes with the metrics, where there are points enough."""
        for mine in by_question(one for one in part.of(self.name, statistic="spearman") if _is_told(one)):
            each = tuple(Together((plain(one.what), in_text(one)), " ") for one in mine)
            yield Message(
                "Spearman’s ρ of “{question}” with automatic metrics, over {units}: {each}.", question=mine[0].title,
                units=_units(part.protocol), each=Listed(each), rests_on=mine,
            )  # fmt: skip

    def exhibits(self, part: Part) -> Iterator[Block]:
        """Every score with every metric, and a picture of those with points enough."""
        found = part.of(self.name)
        if not found:
            return
        rule = _rule(part.cases[0])
        rows = [
            (Message("{question} and {metric}", question=one.title, metric=plain(one.what)),
             [first(found, question=one.question, what=one.what, statistic=kind) for kind in KINDS])
            for one in select(found, statistic="spearman")
        ]  # fmt: skip
        caption = Sentences(
            (
                Message("Correlation of mean scores with automatic metrics, over {units}.",
                        units=_units(part.protocol)),
                Message("Small: the interval, the number of points, and p as corrected by Holm’s method."),
            )
        )  # fmt: skip
        heads = (Message("Score and metric"), *KINDS.values())
        table = pivot(part.key("metrics"), Message("Scores and automatic metrics"), caption, heads, rows)
        held = {one.id: one for one in found}
        with_p = tuple(tuple(_with_p(cell, held.get(cell.id)) for cell in row) for row in table.rows)
        yield replace(table, rows=with_p, notes=(*_lacking(rule, found), *_too_few(found)))
        drawn = 0
        for case in part.cases:
            told = [one for one in select(found, question=case.sheet.id, statistic="spearman") if _is_told(one)]
            for place, one in enumerate(told):
                name = f"metric_{case.sheet.id}_{one.what}" if place else f"metric_{case.sheet.id}"
                # One picture shows what is meant; there are as many as scores times metrics.
                yield part.drawing(name, _scatter(part, case, one), _caption(part, one), further=drawn > 0)
                drawn += 1

    def methods(self, told: Told) -> Iterator[Message]:
        """Which correlations, and of what."""
        which = Message(
            "Correlations with automatic metrics are Spearman’s, Kendall’s and Pearson’s, over the mean scores of "
            "{units}, where the metrics live.",
            units=_units(told.protocol),
        )
        yield from resting(which, told.known(inquiry=self.name))

    def limits(self, told: Told) -> Iterator[Message]:
        """What has no metric, and correlations over few points."""
        rule, found = told.protocol.analysis.metrics, told.results.select(inquiry=self.name)
        if rule is not None:
            yield from _lacking(rule, found)
        yield from _too_few(found)

    def sources(self, told: Told) -> Iterator[str]:
        """Of the correction for several tests."""
        if any(one.p_adjusted is not None for one in told.known(inquiry=self.name)):
            yield "Holm 1979"


def _rule(case: Case) -> Rule:
    rule = case.analysis.metrics
    assert rule is not None
    return rule


def _units(protocol: Protocol) -> Message:
    """What the points are: items, or the values of the field by which the metrics are joined."""
    rule = protocol.analysis.metrics
    if rule is None or rule.on == protocol.file.items.id:
        return Message("items")
    return Message("the values of {field}", field=plain(rule.on))


def _with_p(cell: Cell, finding: Finding | None) -> Cell:
    """The cell with the corrected p small beside its interval."""
    if finding is None or finding.p_adjusted is None:
        return cell
    p = p_value(finding.p_adjusted)
    return replace(cell, small=Together((cell.small, f"p {p}" if p.startswith("<") else f"p = {p}"), " · "))


def _names(rule: Rule, column: str) -> dict[str, str]:
    return {"field": plain(rule.on), "metric": plain(column)}


def _points(case: Case, column: str) -> list[tuple[str, float, float]]:
    """Each value of the joined field that has a score, with its mean and its metric; NaN where there is no metric."""
    rule = _rule(case)
    table = {str(row.fields.get(rule.on)): row.fields.get(column) for row in case.protocol.tables.get(rule.from_, ())}
    of_units = unit_means(item_means(case.sheet), *case.sheet.field(rule.on))
    return [(unit, of_units[unit], _number(table.get(unit))) for unit in sorted(of_units)]


def unit_means(numbers: Floats, codes: Ints, names: Sequence[str]) -> dict[str, float]:
    """The mean of each unit's numbers, over those that have any."""
    known = ~np.isnan(numbers)
    n = np.bincount(codes[known], minlength=len(names))
    total = np.bincount(codes[known], weights=numbers[known], minlength=len(names))
    means = on_paper(total / np.maximum(n, 1))
    return {name: float(means[code]) for code, name in enumerate(names) if n[code]}


def _number(value: Any) -> float:
    """A metric as a number; NaN where the table holds none."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return float("nan")


def correlation(case: Case, name: str, x: Floats, y: Floats, clusters: Any) -> Estimate:
    """A correlation by name; too few points to say anything leave it undefined."""
    known = ~np.isnan(x) & ~np.isnan(y)
    n = int(known.sum())
    if n < 3:
        why = Message("a correlation needs three points, and there are {n}", n=n)
        return Estimate.undefined(why, confidence=case.confidence, n_items=n)
    groups = clusters[known] if clusters is not None and case.sheet.cluster_field else None
    return computed(getattr(statistics, name), x[known], y[known], clusters=groups, confidence=case.confidence)


def _is_told(finding: Finding) -> bool:
    """Whether it is of points enough to be drawn and spoken of."""
    return finding.is_known and finding.n >= FEW_POINTS


def _lacking(rule: Rule, found: Sequence[Finding]) -> Iterator[Message]:
    """How many values of the field have a score and no metric."""
    over = list(select(found, statistic="spearman"))
    for column in dict.fromkeys(one.what for one in over):
        mine = list(select(over, what=column))
        k = max(sum(one.estimate.left_out.values()) for one in mine)
        n = max(sum(one.estimate.left_out.values()) + one.n for one in mine)
        lacking = Message(
            "{k} of the {n} values of {field} that have scores have no {metric} and are in no correlation with it.",
            k=k, n=n, **_names(rule, column),
        )  # fmt: skip
        yield from resting(lacking, mine if k else ())


def _too_few(found: Sequence[Finding]) -> Iterator[Message]:
    """Which correlations are neither drawn nor spoken of."""
    mine = [one for one in select(found, statistic="spearman") if one.n < FEW_POINTS]
    few = Message(
        "Correlations over fewer than {few} points are neither drawn nor spoken of: {metrics}.", few=FEW_POINTS,
        metrics=Listed(tuple(dict.fromkeys(plain(one.what) for one in mine))),
    )  # fmt: skip
    yield from resting(few, mine)


def _scatter(part: Part, case: Case, finding: Finding) -> str:
    points = [{"name": unit, "y": y, "x": x} for unit, y, x in _points(case, finding.what)]
    title, ends = Message("{question}, mean", question=case.title), case.sheet.question.ends()
    return charts.scatter(points, plain(finding.what), title, ends, part.say)


def _caption(part: Part, finding: Finding) -> Message:
    return Message(
        "“{question}” against {metric}, over {units}: Spearman’s ρ = {rho}.", question=finding.title,
        metric=plain(finding.what), units=_units(part.protocol), rho=in_text(finding), rests_on=[finding],
    )  # fmt: skip
