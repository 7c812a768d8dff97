"""How often answers break what the protocol expects of them, and which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from quorate.analyse.consistency import findings
from quorate.analyse.results import Listing
from quorate.analyse.sheets import EXCLUDED, RATER, WITHDRAWN
from quorate.protocol import Protocol
from quorate.records import Collected

MOST = 20


def broken_rules(protocol: Protocol, collected: Collected) -> Iterator[Listing]:
    """Each rule with how often raters broke it, and the first cases with the values that the rule speaks of."""
    if not protocol.analysis.priority and not any(section.rules for section in protocol.sections):
        return
    out = {person.rater for person in collected.participants if person.status in (WITHDRAWN, EXCLUDED)}
    found = [one for one in findings(protocol, collected) if one.by == RATER and one.rater not in out]
    rated = {
        (answer.section, answer.item, answer.rater) for answer in collected.answers
        if answer.by == RATER and answer.rater not in out
    }  # fmt: skip
    for section in protocol.sections:
        mine = [one for one in found if one.section == section.id]
        n = sum(place[0] == section.id for place in rated)
        counts = Counter((one.rule, one.says) for one in mine)
        if n:
            yield Listing(
                f"{section.id}.rules", "rules", section.id, "", "Consistency of the answers",
                f"What one rater’s answers to one item do not agree on: {len(mine):,} finding"
                f"{'' if len(mine) == 1 else 's'} in {n:,} sets of answers. A finding changes no answer.",
                ("Rule", "What it says", "Findings", "Sets of answers"),
                tuple((rule, says, count, n) for (rule, says), count in sorted(counts.items())),
            )  # fmt: skip
        if mine:
            yield Listing(
                f"{section.id}.rules.cases", "rule cases", section.id, "", "Answers that do not fit together",
                f"The first {min(len(mine), MOST)} of {len(mine):,} findings, with the answers that they speak of.",
                ("Rule", "Item", "Rater", "Answers"),
                tuple(
                    (one.rule, one.item, one.rater, "; ".join(f"{name}: {value}" for name, value in one.values.items()))
                    for one in mine[:MOST]
                ),
            )  # fmt: skip
