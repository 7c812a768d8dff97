"""What was declared before the data, and what came of it: size, hypotheses and amendments, in words and as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt

from scipy import special

from quorate.analyse.amended import amended_analysis, frozen_analysis
from quorate.analyse.hypotheses import ADDED, BEFORE, CHANGED, CONTRADICTED, NOT_SUPPORTED, SUPPORTED, WITHDRAWN
from quorate.exhibits.numbers import in_text, interval_of, p_value, value_of
from quorate.exhibits.tables import Cell, Table
from quorate.findings.names import stated
from quorate.findings.results import Finding, HypothesisTest, Results
from quorate.languages import noted, without_stop
from quorate.messages import Clauses, Listed, Message, Sentences, Spelled, Text, Word
from quorate.protocol import Protocol
from quorate.protocol.analysis import Power
from quorate.protocol.method.samples import needed
from quorate.report.facts import FROZEN, only_files
from quorate.statistics import sign_test_power

#: How each correction is cited.
CORRECTIONS: Mapping[str, Message] = {
    "holm": Message("Holm’s method (1979)"),
    "hochberg": Message("Hochberg’s method (1988)"),
    "benjamini hochberg": Message("Benjamini and Hochberg’s method (1995)"),
    "benjamini yekutieli": Message("Benjamini and Yekutieli’s method (2001)"),
}
#: The tests for which a size may be stated.
TESTS = (noted("two-sample t test"), noted("paired t test"), noted("sign test"))
HYPOTHESES = stated("analysis.hypotheses")


def size(protocol: Protocol, results: Results) -> Iterator[Message]:
    """Why so many items: as stated and as recomputed, else what so many can tell."""
    power, n = protocol.analysis.power, results.flow.items["drawn"]
    if power is not None:
        yield from _stated_size(protocol, power, results.flow.items)
        return
    if n:
        yield Message("The protocol does not say why so many.")
        # Where items come in groups, so many items do not say how wide an interval is.
        shares = [f.id for f in results.findings if f.unit == "%" and f.estimate.n_items == n and f.counted]
        if shares and not protocol.file.items.cluster:
            z = float(special.ndtri((1 + protocol.analysis.confidence) / 2))
            yield Message(
                "With {n} item, a share of items has a {confidence} interval of at most ± {reach} points.",
                "With {n} items, a share of items has a {confidence} interval of at most ± {reach} points.",
                n=n, confidence=f"{100 * protocol.analysis.confidence:g}%",
                reach=f"{100 * z * sqrt(0.25 / (n + z * z)):.1f}", rests_on=shares[:1],
            )  # fmt: skip


def _stated_size(protocol: Protocol, power: Power, items: Mapping[str, int]) -> Iterator[Message]:
    groups, each = needed(power)
    # Where items go together, the sign test has one sign of each group of them.
    field = protocol.file.items.cluster
    n = items.get("clusters", 0) if field else items["drawn"]
    of_pairs = Message("{share} of decided pairs", share=f"{power.effect:.0%}")
    if field:
        named = field.replace("_", " ")
        of_pairs = Message("{share} of decided values of {field}", share=f"{power.effect:.0%}", field=named)
    again: Text = each
    if groups > 1:
        again = Message("{each} a group, {all} in all", each=each, all=groups * each)
    rest = {
        "stated": power.n, "test": Word(power.test), "alpha": f"{power.alpha:g}", "power": f"{power.power:g}",
        "effect": of_pairs if power.test == "sign test" else f"d = {power.effect:g}", "again": again,
    }  # fmt: skip
    told = Message(
        "The protocol states a size of {stated} in all, for a {test} of {effect} with α = {alpha} and a power of "
        "{power}; recomputed, it is {again}.",
        **rest,
    )
    if power.per == "group" and groups > 1:
        told = Message(
            "The protocol states a size of {stated} a group, for a {test} of {effect} with α = {alpha} and a power of "
            "{power}; recomputed, it is {again}.",
            **rest,
        )
    yield told.because(stated("analysis.power"))
    if power.test == "sign test" and n:
        decided = Message(
            "If the {n} item is decided, the power is {power}.",
            "If each of the {n} items is decided, the power is {power}.",
        )
        if field:
            decided = Message(
                "If the {n} value of {field} is decided, the power is {power}.",
                "If each of the {n} values of {field} is decided, the power is {power}.",
                field=named,
            )
        found = f"{sign_test_power(power.effect, n, alpha=power.alpha):.2f}"
        yield decided.having(n=n, power=found).because(stated("analysis.power"))


def hypotheses(protocol: Protocol, results: Results) -> Text:
    """Which hypotheses there were, when they came, and how they are tested."""
    parts = tuple(_hypotheses(protocol, results))
    return Sentences(parts) if parts else ""


def _hypotheses(protocol: Protocol, results: Results) -> Iterator[Message]:
    told = results.hypotheses
    before = [one for one in told if one.is_confirmatory]
    exploratory = [finding.id for finding in results.findings if finding.is_exploratory]
    yield from _declared(before, CORRECTIONS[protocol.analysis.correction])
    for one in told:
        if one.declared in LATER:
            yield LATER[one.declared].having(id=one.id)
    if not before and (exploratory or told):
        yield Message("No hypothesis was declared before the data, so every test is exploratory.")
    elif exploratory:
        yield Message("Every other test is exploratory.", rests_on=exploratory[:1])
    if exploratory:
        how = CORRECTIONS["holm"]
        yield Message("Exploratory tests are corrected family by family, by {how}.", how=how, rests_on=exploratory[:1])


#: What is said of a hypothesis that the first consent did not freeze as it is.
LATER: Mapping[str, Message] = {
    ADDED: Message("Hypothesis “{id}” came after the first consent and is exploratory."),
    CHANGED: Message("Hypothesis “{id}” was changed after the first consent and is exploratory."),
    WITHDRAWN: Message("Hypothesis “{id}” was declared before the data and is no longer in the study file."),
}


def _declared(before: Sequence[HypothesisTest], correction: Message) -> Iterator[Message]:
    n = len(before)
    if not n:
        return
    yield Message(
        "Before the data one hypothesis was declared.", "Before the data {many} hypotheses were declared.",
        n=n, many=Spelled(n), rests_on=[HYPOTHESES],
    )  # fmt: skip
    sides = Listed(tuple(SIDES[side] for side in dict.fromkeys(one.sides for one in before)))
    levels = Listed(tuple(dict.fromkeys(f"{one.alpha:g}" for one in before)))
    families = len(dict.fromkeys(one.family for one in before))
    if n == 1:
        yield Message("It is tested {sides} at α = {levels}.", sides=sides, levels=levels, rests_on=[HYPOTHESES])
    else:
        yield Message(
            "They are tested {sides} at α = {levels}, corrected as one family by {how}.",
            "They are tested {sides} at α = {levels}, corrected in {many} families by {how}.",
            n=families, many=Spelled(families), sides=sides, levels=levels, how=correction, rests_on=[HYPOTHESES],
        )  # fmt: skip


SIDES: Mapping[str, Message] = {"one": Message("one-sided"), "two": Message("two-sided")}


def amendments(protocol: Protocol, results: Results) -> Text:
    """What changed after the protocol was frozen: each amendment with its day and reason, and the analysis."""
    parts = tuple(_amendments(protocol, results))
    return Sentences(parts) if parts else ""


def _amendments(protocol: Protocol, results: Results) -> Iterator[Message]:
    later = [version for version in results.versions if version.number > 0]
    if not results.versions:
        return
    if results.simulated:
        # A rehearsal freezes nothing.
        return
    # Where answers came from files alone, nobody consented here.
    files = only_files(results)
    if not later:
        told = Message("The protocol was frozen at the first consent; nothing that raters meet was changed after it.")
        if files:
            told = Message(
                "The protocol was frozen when the first answers came in from a file; nothing that raters meet was "
                "changed after it."
            )
        yield told.because(FROZEN)
    else:
        n, many = len(later), Spelled(len(later))
        told = Message(
            "The protocol was frozen at the first consent and amended once after it.",
            "The protocol was frozen at the first consent and amended {many} times after it.",
            n=n, many=many,
        )  # fmt: skip
        if files:
            told = Message(
                "The protocol was frozen when the first answers came in from a file and amended once after it.",
                "The protocol was frozen when the first answers came in from a file and amended {many} times after it.",
                n=n, many=many,
            )  # fmt: skip
        yield told.because(FROZEN)
    for one in later:
        yield Message(
            "Amendment {number} ({day}): {reason}.", number=one.number, day=one.at[:10],
            reason=without_stop(one.reason), rests_on=[FROZEN],
        )  # fmt: skip
    yield from _analysis(protocol, results)


def _analysis(protocol: Protocol, results: Results) -> Iterator[Message]:
    """What was changed of the analysis, entry by entry; hypotheses are told by themselves."""
    if frozen_analysis(results.versions) is None:
        return
    changed = amended_analysis(protocol, results.versions)
    if changed:
        clauses = Clauses(tuple(one.sentence for one in changed))
        yield Message("Of the analysis this was changed after it: {changes}.", changes=clauses, rests_on=[FROZEN])
    elif any(one.declared != BEFORE for one in results.hypotheses):
        yield Message("But for its hypotheses the analysis is as it was frozen.", rests_on=[FROZEN])
    else:
        yield Message("The analysis is as it was frozen.", rests_on=[FROZEN])


def outcomes(results: Results) -> Iterator[Message]:
    """What became of each hypothesis, in a sentence: with its number, what was expected, and the test."""
    for one in results.hypotheses:
        if one.declared == WITHDRAWN:
            yield LATER[WITHDRAWN].having(id=one.id)
        elif one.finding is None or one.p is None:
            yield Message(
                "Whether “{statement}” holds (hypothesis “{id}”) cannot be said, since {why}.",
                statement=without_stop(one.statement), id=one.id, why=one.note, rests_on=[HYPOTHESES],
            )  # fmt: skip
        else:
            yield _outcome(one, results)


def _outcome(one: HypothesisTest, results: Results) -> Message:
    finding, told = one.finding, OUTCOMES[one.outcome]
    assert finding is not None
    test: Text = _p(one.p)
    if one.p_adjusted is not None and one.p_adjusted != one.p:
        test = Message("{p}, corrected {corrected}", p=test, corrected=p_value(one.p_adjusted))
    test = Clauses((test, _population(finding, len(results.annotators))))
    if not one.is_confirmatory:
        test = Clauses((test, Message("exploratory: {when}", when=Word(one.declared))))
    return told.having(
        statement=without_stop(one.statement), id=one.id, label=_whole_name(results, finding), value=in_text(finding),
        expected=expected(one), test=test,
    ).because(finding.id, HYPOTHESES)  # fmt: skip


def _population(finding: Finding, raters: int) -> Message:
    """Of which items and raters a test speaks."""
    if finding.of_new_raters:
        return Message("for new raters on new items")
    if finding.is_of_judge_alone:
        return Message("for new items")
    return Message("for this rater on new items", "for these raters on new items", n=raters)


def _whole_name(results: Results, finding: Finding) -> Text:
    """What a finding is called, with the stratum and the round that it is of."""
    name = results.label(finding)
    if finding.by:
        name = Message("{what} ({field}: {stratum})", what=name, field=finding.by, stratum=finding.stratum)
    if finding.round > 1:
        name = Message("{what} (round {n})", what=name, n=finding.round)
    return name


OUTCOMES: Mapping[str, Message] = {
    SUPPORTED: Message(
        "“{statement}” (hypothesis “{id}”) is supported: {label} is {value}, expected {expected} ({test})."
    ),
    CONTRADICTED: Message(
        "“{statement}” (hypothesis “{id}”) is contradicted: {label} is {value}, expected {expected} ({test})."
    ),
    NOT_SUPPORTED: Message(
        "“{statement}” (hypothesis “{id}”) is not supported: {label} is {value}, expected {expected} ({test})."
    ),
}


def _p(p: float | None) -> str:
    text = p_value(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def hypotheses_table(results: Results) -> Table:
    """Every hypothesis with the number it rests on, its p-values and what came of it."""
    rows = tuple(_row(one) for one in results.hypotheses)
    columns = (
        Message("Hypothesis"), Message("Expected"), Message("Value"), "p", Message("p, corrected"), Message("Outcome")
    )  # fmt: skip
    notes = tuple(Message("{id}: {note}.", id=one.id, note=one.note) for one in results.hypotheses if one.note)
    title = Message("Declared hypotheses")
    return Table("hypotheses", title, _caption(results), columns, rows, notes, frozenset({2, 3, 4}))


def _row(one: HypothesisTest) -> tuple[Cell, ...]:
    finding = one.finding
    value = Cell("–") if finding is None else Cell(value_of(finding), id=finding.id, small=_interval(one))
    outcome: Text = Word(one.outcome)
    if not one.is_confirmatory:
        outcome = Message("{outcome} (exploratory: {when})", outcome=outcome, when=Word(one.declared))
    if one.declared == WITHDRAWN:
        outcome = Word(WITHDRAWN)
    return (
        Cell(one.statement, small=one.id),
        Cell(expected(one)),
        value,
        Cell(p_value(one.p)),
        Cell(p_value(one.p_adjusted)),
        Cell(outcome),
    )


def _interval(one: HypothesisTest) -> str:
    between = interval_of(one.finding) if one.finding is not None else "–"
    return "" if between == "–" else between


#: What is expected, on each side of a number.
EXPECTED: Mapping[str, Message] = {
    "above": Message("above {threshold}"),
    "below": Message("below {threshold}"),
    "differs from": Message("different from {threshold}"),
}


def expected(one: HypothesisTest) -> Message:
    """The side and the number that a hypothesis states."""
    threshold: Text = Message("what no effect would give")
    if one.threshold is not None:
        threshold = _stated(one.threshold, one.finding.unit if one.finding is not None else "")
    return EXPECTED[one.direction].having(threshold=threshold)


def _stated(threshold: float, unit: str) -> Text:
    """A number as it was stated, in the unit of the finding."""
    value = f"{threshold if not unit else 100 * threshold:g}".replace("-", "−")
    return Message("{value} points", value=value) if unit == "points" else f"{value}{unit}"


def _caption(results: Results) -> Message:
    before = [one for one in results.hypotheses if one.is_confirmatory]
    if not before:
        return Message("No hypothesis was declared before the data; those that came later are exploratory.")
    n, supported = len(before), sum(one.outcome == SUPPORTED for one in before)
    if not supported:
        return Message(
            "Of {n} hypothesis declared before the data, none is supported.",
            "Of {n} hypotheses declared before the data, none is supported.",
            n=n,
        )
    if supported == 1:
        return Message(
            "Of {n} hypothesis declared before the data, one is supported.",
            "Of {n} hypotheses declared before the data, one is supported.",
            n=n,
        )
    return Message(
        "Of {n} hypotheses declared before the data, {supported} are supported.", n=n, supported=Spelled(supported)
    )
