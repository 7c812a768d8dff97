"""Rules about machines that score: what their numbers stand for, and whether people look at enough of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations

from quorate.judges.recorded import Recorded
from quorate.protocol.method.book import Found, MethodRule
from quorate.protocol.protocol import Protocol

#: Equal answers on fewer items than this may be chance.
ENOUGH = 5
_CUT = re.compile(r"^\s*(\w+)\s*(>=|>|<=|<)\s*(-?[\d.]+)\s*$")


def one_number_for_two(protocol: Protocol) -> Iterator[Found]:
    """Two questions are not answered by one and the same number."""
    for name, entry in protocol.file.judges.items():
        judge = entry.judge
        if not isinstance(judge, Recorded) or not isinstance(judge.field, Mapping):
            continue
        for (one, field), (other, second) in combinations(judge.field.items(), 2):
            both = [
                (item.fields.get(field), item.fields.get(second))
                for item in protocol.pool
                if item.fields.get(field) not in (None, "") and item.fields.get(second) not in (None, "")
            ]
            if field == second or (len(both) >= ENOUGH and all(str(a) == str(b) for a, b in both)):
                how = "come from one field" if field == second else f"are the same on all {len(both)} items with both"
                yield ("judges", name), f"the scores of '{name}' for {one} and {other} {how}."


def triage_without_audit(protocol: Protocol) -> Iterator[Found]:
    """People also look at some of what a judge found good."""
    triage = protocol.file.triage
    if triage and triage.audit == 0:
        sentence = f"people look at items where {triage.review}, and at none of the others (audit share 0)."
        yield ("triage", "audit"), sentence


def people_see_scores(protocol: Protocol) -> Iterator[Found]:
    """People answer before they know what a judge says."""
    triage = protocol.file.triage
    if triage and triage.is_verifying:
        sentence = "every rater sees the judge's score, so there is no arm to measure anchoring against."
        yield ("triage", "show_score"), sentence


def judge_weaknesses(protocol: Protocol) -> tuple[str, ...]:
    """What a reviewer would object to in each judge: what its scores are made of, whatever the study does with them."""
    return tuple(
        f"judge '{name}': {weakness}"
        for name, entry in protocol.file.judges.items()
        for weakness in entry.judge.weaknesses()
    )


def cuts_that_differ(protocol: Protocol) -> Iterator[Found]:
    """Every statement of a threshold says the same about a number that lies on it."""
    stated: dict[tuple[str, str, str], dict[str, str]] = {}
    for cut in protocol.analysis.stated.cuts if protocol.analysis.stated else ():
        match = _CUT.match(cut.when)
        if match:
            name, comparison, number = match.groups()
            stated.setdefault((name, f"{float(number):g}", str(cut.gives)), {})[comparison] = cut.says
    for (name, number, gives), comparisons in stated.items():
        if len(comparisons) > 1:
            ways = " and ".join(f"`{how} {number}`{f' ({says})' if says else ''}" for how, says in comparisons.items())
            sentence = f"a score of {gives} is stated for {name} {ways}: what lies exactly on {number} has two scores."
            yield ("analysis", "stated", "cuts"), sentence


JUDGES = (
    MethodRule(
        "one-number-two-scores",
        "A judge answers two questions with the same number",
        "A number that serves for both was not held against what each question is about (the caption in the paper, the "
        "figure itself): it has no ground truth, and the two scores are one.",
        "Campbell & Fiske (1959), Convergent and Discriminant Validation.",
        "Score each question against its own reference, or report one score under one name.",
        one_number_for_two,
    ),
    MethodRule(
        "triage-without-audit",
        "Only what a judge scored low is looked at by people",
        "Errors among what the judge found good are never seen: means, agreement and the saved work are then "
        "unknown, not "
        "merely uncertain.",
        "Begg & Greenes (1983), on verification bias; Horvitz & Thompson (1952).",
        "Draw a share of the other items for people as well: `triage: {audit: 0.1}`; or mark the report as unverified.",
        triage_without_audit,
    ),
    MethodRule(
        "people-see-scores",
        "Everybody sees the judge's score before answering",
        "People who see a number stay close to it: agreement with the judge then shows what it did to people, not "
        "whether it is right.",
        "Tversky & Kahneman (1974), Judgment under Uncertainty, on anchoring.",
        "Show the score in an arm, such as `show_score: 0.3`, and keep the others blind; or call the scores anchored.",
        people_see_scores,
    ),
    MethodRule(
        "cuts-differ",
        "A threshold is stated twice, once with and once without equality",
        "Numbers that lie exactly on the threshold get another score with each statement, and results cannot be "
        "reproduced.",
        "Sandve et al. (2013), Ten Simple Rules for Reproducible Computational Research.",
        "State each threshold once, and say which side it belongs to.",
        cuts_that_differ,
        "note",
    ),
)
