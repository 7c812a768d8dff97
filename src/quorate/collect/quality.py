"""How carefully each rater works, for those who run the study, while it runs."""

from __future__ import annotations

from quorate.collect.checks import is_check
from quorate.collect.way import exclude
from quorate.plan import is_gold
from quorate.protocol import Protocol
from quorate.sheets.quality import Quality, excluding, quality
from quorate.store import Tx


def quality_now(tx: Tx, protocol: Protocol) -> dict[str, Quality]:
    """What is counted of each rater by now; nothing where the study has neither checks nor a rule of exclusion."""
    if protocol.raters.checks is None and protocol.raters.exclude is None:
        return {}
    answers = [answer for answer in tx.latest_answers() if answer.counted]
    checks = [answer for answer in answers if is_check(answer)]
    own = [answer for answer in answers if not is_check(answer)]
    return quality(protocol, own, checks, filter(is_gold, tx.items()))


def exclude_by_rule(tx: Tx, protocol: Protocol) -> dict[str, str]:
    """Excludes everyone of whom the study's rule holds and who takes part, so that their places are free again."""
    gone = {event.rater for event in tx.events(kinds=["withdrawn", "excluded"])}
    found = {rater: why for rater, why in excluding(protocol, quality_now(tx, protocol)).items() if rater not in gone}
    for rater, why in found.items():
        exclude(tx, protocol, rater, why)
    return found
