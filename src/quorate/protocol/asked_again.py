"""What a study file says of more raters and of checks, looked at before anybody is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quorate.errors import did_you_mean
from quorate.protocol.named import Place
from quorate.protocol.study_file import StudyFile, majority_of
from quorate.records import Item


def wrong_in_escalation(study: StudyFile) -> Iterator[tuple[Place, str]]:
    """Complaints about `raters.escalate`: each a place and a sentence."""
    rule = study.raters.escalate
    if rule is None:
        return
    asked = [ask.id for section in study.sections for ask in section.ask]
    if rule.when not in asked:
        yield ("raters", "escalate", "when"), f"no section asks '{rule.when}'.{did_you_mean(rule.when, asked)}"
    if study.raters.per_item < 2:
        yield ("raters", "escalate"), "one rater an item cannot disagree: raise raters.per_item to 2 or more."
    if rule.to <= study.raters.per_item:
        sentence = f"{study.raters.per_item} raters are planned an item, so `to` should be more than that."
        yield ("raters", "escalate", "to"), sentence


def wrong_in_verdict(study: StudyFile) -> Iterator[tuple[Place, str]]:
    """Complaints about a verdict rule that no item can meet, or that a minority meets."""
    rule, n, escalate = study.analysis.verdict.majority, study.raters.per_item, study.raters.escalate
    place, remedy = ("analysis", "verdict", "majority"), f"Write '{majority_of(study.raters).of}', or leave it out."
    planned = f"{n} rater{' is' if n == 1 else 's are'} planned an item"
    if rule.needed > max(n, escalate.to if escalate else n):
        yield place, f"{planned}, so that no item ever has {rule.needed} equal answers. {remedy}"
    elif rule.needed > n:
        yield place, f"{planned}; where they agree nobody else is asked, so that {rule.needed} never are. {remedy}"
    elif 2 * rule.needed <= n:
        yield place, f"{planned}, and {rule.needed} of them are not more than half. {remedy}"


def wrong_in_checks(study: StudyFile, gold: Sequence[Item], pool: Sequence[Item]) -> Iterator[tuple[Place, str]]:
    """Complaints about `raters.checks`: each a place and a sentence."""
    checks = study.raters.checks
    if checks is None:
        return
    if any(section.grid for section in study.sections):
        yield (
            ("raters", "checks"),
            "a grid shows all items at once, and so would show what comes twice or does not belong. "
            "Leave out `checks`, or `grid: true`.",
        )
    if checks.gold is None:
        return
    sections = [section.id for section in study.sections]
    if checks.gold.section and checks.gold.section not in sections:
        hint = did_you_mean(checks.gold.section, sections)
        yield ("raters", "checks", "gold", "section"), f"there is no section '{checks.gold.section}'.{hint}"
    ids = [ask.id for section in study.sections for ask in section.ask]
    for question, field in checks.gold.answers.items():
        place = ("raters", "checks", "gold", "answers", question)
        if question not in ids:
            yield place, f"no section asks '{question}'.{did_you_mean(question, ids)}"
        elif gold and field not in gold[0].fields:
            yield place, f"{checks.gold.from_} has no field '{field}'.{did_you_mean(field, gold[0].fields)}"
    taken = {item.id for item in pool} & {item.id for item in gold}
    if taken:
        yield (
            ("raters", "checks", "gold", "from"),
            f"item '{min(taken)}' is in {study.items.from_} too: a check is an item of its own, with its own id.",
        )
