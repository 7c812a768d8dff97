"""What was expected, and what came of it: declared hypotheses, tested and corrected as families."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from quorate import statistics
from quorate.analyse.thresholds import no_effect, on_side, p_against
from quorate.errors import closest
from quorate.findings.results import Finding, HypothesisTest
from quorate.languages import noted
from quorate.messages import Message
from quorate.protocol import Protocol
from quorate.protocol.analysis import Population
from quorate.protocol.hypotheses import Hypothesis, declared_in
from quorate.records import ProtocolVersion

BEFORE, ADDED = noted("before the data"), noted("added later")
CHANGED, WITHDRAWN = noted("changed later"), noted("withdrawn")
SUPPORTED, CONTRADICTED = noted("supported"), noted("contradicted")
NOT_SUPPORTED, OPEN = noted("not supported"), noted("cannot be said")

#: Why a figure decides nothing in a study that speaks of new raters.
OF_THESE_ALONE = Message("the study speaks of new raters, and the test of this figure of these alone")

CORRECTIONS = {
    "holm": statistics.holm,
    "hochberg": statistics.hochberg,
    "benjamini hochberg": statistics.benjamini_hochberg,
    "benjamini yekutieli": statistics.benjamini_yekutieli,
}


@dataclass(frozen=True, slots=True)
class _Declared:
    """A hypothesis, and when it was declared."""

    hypothesis: Hypothesis
    when: str


def declared(protocol: Protocol, versions: Sequence[ProtocolVersion]) -> list[_Declared]:
    """Every hypothesis of the study file and when it came, then those that were frozen and are there no more.

    What is in the copy that the first consent froze was declared before the data. Where nothing is frozen yet, all is.
    """
    present = protocol.analysis.hypotheses
    if not versions:
        return [_Declared(one, BEFORE) for one in present]
    frozen = {one.id: one for one in declared_in(min(versions, key=lambda version: version.number).text)}
    found = []
    for one in present:
        known = frozen.get(one.id)
        when = ADDED if known is None else BEFORE if known.same_as(one) else CHANGED
        found.append(_Declared(one, when))
    names = {one.id for one in present}
    return [*found, *(_Declared(one, WITHDRAWN) for id, one in frozen.items() if id not in names)]


def tested(
    protocol: Protocol, versions: Sequence[ProtocolVersion], findings: Sequence[Finding]
) -> tuple[HypothesisTest, ...]:
    """Every hypothesis against its finding, p-values corrected within each family.

    What was declared before the data and what came later are never one family: the later ones are exploratory.
    """
    by_id = {finding.id: finding for finding in findings}
    found = [_test(one, by_id, protocol.analysis.population) for one in declared(protocol, versions)]
    families: dict[tuple[str, bool], list[int]] = {}
    for place, one in enumerate(found):
        if one.p is not None:
            families.setdefault((one.family, one.is_confirmatory), []).append(place)
    for places in families.values():
        corrected = CORRECTIONS[protocol.analysis.correction]([found[place].p for place in places])
        for place, p in zip(places, corrected, strict=True):
            found[place] = _decided(replace(found[place], p_adjusted=p))
    return tuple(found)


def marked(findings: Sequence[Finding], hypotheses: Sequence[HypothesisTest]) -> Iterator[Finding]:
    """The findings with the hypothesis that rests on each, declared before the data; their tests leave other families.

    A hypothesis against a number of its own has a p-value of its own: the finding's test then stays where it was.
    """
    known = {one.rests_on: one for one in hypotheses if one.is_confirmatory}
    for finding in findings:
        one = known.get(finding.id)
        if one is None:
            yield finding
        elif finding.family and one.p is not None and one.p == finding.estimate.p:
            yield replace(finding, hypothesis=one.id, family=f"declared.{one.family}", p_adjusted=one.p_adjusted)
        else:
            yield replace(finding, hypothesis=one.id)


def _test(one: _Declared, findings: dict[str, Finding], population: Population) -> HypothesisTest:
    h = one.hypothesis
    blank = HypothesisTest(
        h.id, h.statement, h.rests_on, h.expects, h.alpha, h.family, h.sides, one.when, outcome=OPEN,
        direction=h.direction, threshold=h.threshold,
    )  # fmt: skip
    finding = findings.get(h.rests_on)
    if one.when == WITHDRAWN:
        return replace(blank, note=Message("it was declared before the data and is no longer in the study file"))
    if finding is None:
        near = closest(h.rests_on, findings)
        note = Message("no finding has the id '{id}'", id=h.rests_on)
        if near:
            note = Message("no finding has the id '{id}' (did you mean '{near}'?)", id=h.rests_on, near=near)
        return replace(blank, note=note)
    estimate = finding.estimate
    threshold = no_effect(finding) if h.threshold is None else h.threshold
    blank = replace(blank, expects=f"{h.direction} {threshold:g}", threshold=threshold, finding=finding)
    if estimate.value is None:
        return replace(blank, note=estimate.note)
    if population.raters == "new" and not (finding.of_new_raters or finding.is_of_judge_alone):
        return replace(blank, note=OF_THESE_ALONE)
    p = p_against(finding, threshold)
    if p is None:
        return replace(
            blank,
            note=estimate.note
            if finding.of_new_raters
            else Message("the estimate has no interval, and nothing can be held against a number without one"),
        )
    if h.sides == "one":
        p = on_side(p, estimate.value, threshold, h.direction)
    above = estimate.value > threshold
    is_there = h.direction == "differs from" or above == (h.direction == "above")
    return replace(blank, p=p, on_expected_side=is_there)


def _decided(one: HypothesisTest) -> HypothesisTest:
    is_clear = one.p_adjusted is not None and one.p_adjusted <= one.alpha
    if not is_clear:
        return replace(one, outcome=NOT_SUPPORTED)
    return replace(one, outcome=SUPPORTED if one.on_expected_side else CONTRADICTED)
