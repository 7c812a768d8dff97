"""What was declared before the data, and what came of it: size, hypotheses and amendments, in words and as a table."""

from __future__ import annotations

from math import sqrt

from scipy import special

from quorate.analyse.hypotheses import ADDED, CHANGED, WITHDRAWN
from quorate.exhibits.numbers import interval_of, number, p_value, several, spelled, value_of
from quorate.exhibits.tables import Cell, Table
from quorate.findings.results import HypothesisTest, Results
from quorate.protocol import Protocol
from quorate.protocol.method.samples import needed
from quorate.statistics import sign_test_power

#: How each correction is cited.
CORRECTIONS = {
    "holm": "Holm’s method (1979)",
    "hochberg": "Hochberg’s method (1988)",
    "benjamini hochberg": "Benjamini and Hochberg’s method (1995)",
    "benjamini yekutieli": "Benjamini and Yekutieli’s method (2001)",
}


def size(protocol: Protocol, results: Results) -> str:
    """Why so many items: as stated and as recomputed, else what so many can tell."""
    stated, n = protocol.analysis.power, results.flow.items["drawn"]
    if stated is None:
        told = "The protocol does not say why so many."
        if not n or protocol.file.items.cluster:
            # Where items come in groups, so many items do not say how wide an interval is.
            return told if n else ""
        z = float(special.ndtri((1 + protocol.analysis.confidence) / 2))
        reach = 100 * z * sqrt(0.25 / (n + z * z))
        return (
            f"{told} With {several(n, 'item')}, a share of items has a "
            f"{100 * protocol.analysis.confidence:g}% interval of at most ± {reach:.1f} points."
        )
    groups, each = needed(stated)
    unit = "a group" if stated.per == "group" and groups > 1 else "in all"
    effect = f"{stated.effect:.0%} of decided pairs" if stated.test == "sign test" else f"d = {stated.effect:g}"
    again = f"{each:,} a group, {groups * each:,} in all" if groups > 1 else f"{each:,}"
    text = (
        f"The protocol states a size of {stated.n:,} {unit}, for a {stated.test} of {effect} with α = {stated.alpha:g} "
        f"and a power of {stated.power:g}; recomputed, it is {again}."
    )
    if stated.test == "sign test" and n:
        power = sign_test_power(stated.effect, n, alpha=stated.alpha)
        text += f" If each of the {several(n, 'item')} is decided, the power is {power:.2f}."
    return text


def hypotheses(protocol: Protocol, results: Results) -> str:
    """Which hypotheses there were, when they came, and how they are tested."""
    told = results.hypotheses
    before = [one for one in told if one.is_confirmatory]
    exploratory = any(finding.is_exploratory for finding in results.findings)
    parts = []
    if before:
        parts.append(_declared(before, CORRECTIONS[protocol.analysis.correction]))
    for when, words in (
        (ADDED, "came after the first consent and is exploratory"),
        (CHANGED, "was changed after the first consent and is exploratory"),
        (WITHDRAWN, "was declared before the data and is no longer in the study file"),
    ):
        parts += [f"Hypothesis “{one.id}” {words}." for one in told if one.declared == when]
    if not before and (exploratory or told):
        parts.append("No hypothesis was declared before the data, so every test is exploratory.")
    elif exploratory:
        parts.append("Every other test is exploratory.")
    if exploratory:
        parts.append("Exploratory tests are corrected family by family, by Holm’s method (1979).")
    return " ".join(parts)


def _declared(before: list[HypothesisTest], correction: str) -> str:
    n = len(before)
    words = " ".join(f"Hypothesis “{one.id}”: {one.statement.rstrip('.')}." for one in before)
    families = dict.fromkeys(one.family for one in before)
    sides = " and ".join(dict.fromkeys(f"{one.sides}-sided" for one in before))
    levels = " and ".join(dict.fromkeys(f"{one.alpha:g}" for one in before))
    text = f"{spelled(n).capitalize()} {'hypothesis was' if n == 1 else 'hypotheses were'} declared before the data. "
    text += f"{words} {'It is' if n == 1 else 'They are'} tested {sides} at α = {levels}"
    if n == 1:
        return f"{text}."
    how = "as one family" if len(families) == 1 else f"in {spelled(len(families))} families"
    return f"{text}, corrected {how} by {correction}."


def amendments(results: Results, only_files: bool = False) -> str:
    """What changed after the protocol was frozen: each amendment with its day and reason."""
    when = "when the first answers came in from a file" if only_files else "at the first consent"
    later = [version for version in results.versions if version.number > 0]
    if not results.versions:
        return ""
    if not later:
        return f"The protocol was frozen {when}; nothing that raters meet was changed after it."
    listed = " ".join(f"Amendment {one.number} ({one.at[:10]}): {one.reason.rstrip('.')}." for one in later)
    n = len(later)
    return (
        f"The protocol was frozen {when} and amended {'once' if n == 1 else f'{spelled(n)} times'} after it. {listed}"
    )


def hypotheses_table(results: Results) -> Table:
    """Every hypothesis with the number it rests on, its p-values and what came of it."""
    rows = tuple(_row(one) for one in results.hypotheses)
    columns = ("Hypothesis", "Expected", "Value", "p", "p, corrected", "Outcome")
    notes = tuple(f"{one.id}: {one.note}." for one in results.hypotheses if one.note)
    return Table("hypotheses", "Declared hypotheses", _caption(results), columns, rows, notes, frozenset({2, 3, 4}))


def _row(one: HypothesisTest) -> tuple[Cell, ...]:
    finding = one.finding
    value = Cell("–") if finding is None else Cell(value_of(finding), id=finding.id, small=_interval(one))
    outcome = one.outcome if one.is_confirmatory else f"{one.outcome} (exploratory: {one.declared})"
    if one.declared == WITHDRAWN:
        outcome = WITHDRAWN
    return (
        Cell(one.statement, small=one.id),
        Cell(_expected(one)),
        value,
        Cell(p_value(one.p)),
        Cell(p_value(one.p_adjusted)),
        Cell(outcome),
    )


def _interval(one: HypothesisTest) -> str:
    between = interval_of(one.finding) if one.finding is not None else "–"
    return "" if between == "–" else between


def _expected(one: HypothesisTest) -> str:
    words, _, threshold = one.expects.rpartition(" ")
    if one.finding is None or not words:
        return one.expects
    return f"{words} {number(float(threshold), one.finding.unit)}"


def _caption(results: Results) -> str:
    before = [one for one in results.hypotheses if one.is_confirmatory]
    supported = sum(one.outcome == "supported" for one in before)
    if not before:
        return "No hypothesis was declared before the data; those that came later are exploratory."
    was = "is" if supported == 1 else "are"
    return (
        f"Of {several(len(before), 'hypothesis', 'hypotheses')} declared before the data, {spelled(supported)} {was} "
        "supported."
    )
