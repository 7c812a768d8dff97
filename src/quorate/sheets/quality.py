"""How carefully each rater works: checks, repeats, pace, sameness and what did not load, and the rule that excludes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from statistics import median
from typing import Any

from quorate.conditions import condition
from quorate.protocol import Protocol
from quorate.questions import Question
from quorate.records import EXCLUDED, RATER, WITHDRAWN, Answer, Collected, Item, Reason

TOO_FAST = 0.3
"""An answer is too fast below this part of the median of all raters' median times (Greszki et al. 2015)."""


@dataclass(frozen=True, slots=True)
class Quality:
    """What is counted of one rater; a rule of exclusion speaks of these by name."""

    rater: str
    #: Items of the study's own work that were answered.
    answers: int = 0
    #: Items with a known answer, and on how many of them any answer was another one.
    checks: int = 0
    checks_failed: int = 0
    #: Own items that came a second time, and on how many of them any answer changed.
    repeats: int = 0
    repeats_changed: int = 0
    median_seconds: float | None = None
    #: The share of answers that were too fast to have been considered.
    too_fast: float | None = None
    #: The most equal answers one after another to a question that is the same for every item.
    longest_run: int = 0
    #: How often the rater went on without something that did not load.
    media_failed: int = 0

    @property
    def values(self) -> dict[str, Any]:
        """What a rule may speak of, by name; a share of nothing has no value."""
        shares = {"checks_failed_share": (self.checks_failed, self.checks)}
        shares["repeats_changed_share"] = (self.repeats_changed, self.repeats)
        return {**asdict(self), **{name: k / n if n else None for name, (k, n) in shares.items()}}

    def __str__(self) -> str:
        told = [f"checks failed: {self.checks_failed} of {self.checks}"] if self.checks else []
        told += [f"changed when asked again: {self.repeats_changed} of {self.repeats}"] if self.repeats else []
        told += [f"median {self.median_seconds:.1f} s"] if self.median_seconds is not None else []
        told += [f"too fast: {100 * self.too_fast:.0f} %"] if self.too_fast else []
        told += [f"longest run of one answer: {self.longest_run}"] if self.longest_run > 1 else []
        return " · ".join(told)


def quality(
    protocol: Protocol, answers: Sequence[Answer], checks: Sequence[Answer], gold: Iterable[Item]
) -> dict[str, Quality]:
    """What is counted of each rater, from the answers to the study's items and to those of its checks."""
    own: dict[str, list[Answer]] = defaultdict(list)
    for answer in answers:
        if answer.by == RATER:
            own[answer.rater].append(answer)
    asked: dict[str, list[Answer]] = defaultdict(list)
    for answer in checks:
        asked[answer.rater].append(answer)
    known = {item.id: item for item in gold}
    seconds = {rater: _seconds(mine) for rater, mine in own.items()}
    centres = [median(taken) for taken in seconds.values() if taken]
    bar = TOO_FAST * median(centres) if centres else 0.0
    found = {}
    for rater in {**own, **asked}:
        n, failed = _passed(protocol, asked[rater], known)
        again, changed = _repeated(protocol, asked[rater], own[rater], known)
        taken = seconds.get(rater, [])
        found[rater] = Quality(
            rater, len({(a.section, a.item, a.round) for a in own[rater]}), n, failed, again, changed,
            median(taken) if taken else None, sum(one < bar for one in taken) / len(taken) if taken else None,
            _longest_run(protocol, own[rater]),
            len({(a.section, a.item) for a in own[rater] if a.reason is Reason.MEDIA_FAILED}),
        )  # fmt: skip
    return found


def excluding(protocol: Protocol, found: Mapping[str, Quality]) -> dict[str, str]:
    """The raters whom the study's rule excludes, each with the rule and the numbers that it speaks of."""
    rule = protocol.raters.exclude
    if rule is None:
        return {}
    names = sorted(condition(rule.when).names)
    return {
        rater: f"{rule.when} ({', '.join(f'{name} = {_short(one.values[name])}' for name in names)})"
        for rater, one in found.items()
        if condition(rule.when).holds(one.values)
    }


def by_rule(protocol: Protocol, collected: Collected) -> Collected:
    """What was collected, with everybody excluded of whom the study's rule holds: at the time of the last answer."""
    if protocol.raters.exclude is None:
        return collected
    out = excluding(protocol, quality(protocol, collected.answers, collected.checks, collected.gold))
    last = {answer.rater: answer.at for answer in (*collected.answers, *collected.checks)}
    people = tuple(
        replace(one, status=EXCLUDED, reason=out[one.rater], events={**one.events, EXCLUDED: last[one.rater]})
        if one.rater in out and one.status not in (EXCLUDED, WITHDRAWN)
        else one
        for one in collected.participants
    )
    return replace(collected, participants=people)


def _short(value: Any) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _seconds(answers: Sequence[Answer]) -> list[float]:
    """The time of each item: all its answers were sent together."""
    return list({(a.section, a.item, a.round): a.seconds for a in answers if a.seconds is not None}.values())


def _passed(protocol: Protocol, answers: Sequence[Answer], known: Mapping[str, Item]) -> tuple[int, int]:
    """How many items with a known answer a rater answered, and how many of them wrongly."""
    right: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for answer in answers:
        if answer.item in known and answer.reason is not Reason.MEDIA_FAILED:
            is_right = _is_right(protocol, answer, known[answer.item])
            right[answer.section, answer.item] += [] if is_right is None else [is_right]
    told = [marks for marks in right.values() if marks]
    return len(told), sum(not all(marks) for marks in told)


def _is_right(protocol: Protocol, answer: Answer, item: Item) -> bool | None:
    """Whether an answer is the known one; None where the question has none for this item."""
    gold = protocol.raters.checks.gold if protocol.raters.checks else None
    question = protocol.ask(answer.section, answer.question).question
    field = gold.answers.get(answer.question) if gold else None
    expected = item.fields.get(field) if field else None
    if expected in (None, ""):
        if not question.is_scored():
            return None
        return answer.reason is None and question.score(answer.value, item) is True
    return answer.reason is None and _is_near(question.plain(answer.value), expected, gold.within if gold else 0)


def _is_near(given: Any, expected: Any, within: float) -> bool:
    """Whether two values are the same, or two numbers so near; texts in whatever letters.

    >>> _is_near(4, "5", 1), _is_near(3, "5", 1), _is_near("Left", " left", 0)
    (True, False, True)
    """
    try:
        return abs(float(given) - float(expected)) <= within
    except (TypeError, ValueError):
        return str(given).strip().casefold() == str(expected).strip().casefold()


def _repeated(
    protocol: Protocol, checks: Sequence[Answer], own: Sequence[Answer], known: Mapping[str, Item]
) -> tuple[int, int]:
    """How many of a rater's own items came again, and on how many of them any answer was another one."""
    first = {(a.section, a.item, a.question): a for a in own}
    same: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for again in checks:
        before = first.get((again.section, again.item, again.question))
        if again.item not in known and before is not None:
            same[again.section, again.item].append((before.value, before.reason) == (again.value, again.reason))
    return len(same), sum(not all(marks) for marks in same.values())


def _longest_run(protocol: Protocol, answers: Sequence[Answer]) -> int:
    """The most equal answers one after another to the first question of a section, where it is the same for all."""
    longest = 0
    for section in protocol.sections:
        ask = section.ask[0]
        if not _is_same_everywhere(ask.question):
            continue
        mine = sorted((a.position, str(a.value)) for a in answers
                      if (a.section, a.question) == (section.id, ask.id) and a.reason is None)  # fmt: skip
        longest = max([longest, *(sum(1 for _ in run) for _, run in groupby(mine, key=lambda one: one[1]))])
    return longest


def _is_same_everywhere(question: Question) -> bool:
    if not question.readings() or question.is_scored() or question.rates_each() or question.compares():
        return False
    return not question.depends_on_item(question.verdict_on() or question.readings()[0])
