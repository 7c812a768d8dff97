"""The answers to one question as tables: items × raters, and items × judges, with what is right and what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from quorate.analyse.decisions import asked, decide
from quorate.protocol import Protocol
from quorate.questions import Question
from quorate.records import Answer, Collected, Item, Vote

#: People with one of these statuses leave the analysis; their number stays in the flow.
WITHDRAWN, EXCLUDED = "withdrawn", "excluded"


@dataclass(frozen=True)
class Sheet:
    """One question's answers: `answers` is keyed by (item, rater), `judged` by (item, judge).

    Only planned, independent ratings are here: a third rater called because two disagreed would be a rating chosen
    for its disagreement.
    """

    section: str
    id: str
    question: Question
    items: tuple[Item, ...]
    raters: tuple[str, ...]
    judges: tuple[str, ...]
    answers: Mapping[tuple[str, str], Answer]
    judged: Mapping[tuple[str, str], Answer]
    votes: tuple[Vote, ...]
    missing: Mapping[str, int]

    @cached_property
    def correct(self) -> Mapping[tuple[str, str], bool]:
        """Whether each answer that has a value is right, by (item, rater or judge)."""
        decisions = decide(self.votes, self.section, self.id)
        items = {item.id: item for item in self.items}
        known: dict[tuple[str, Any], bool | None] = {}
        found: dict[tuple[str, str], bool] = {}
        for key, answer in [*self.answers.items(), *self.judged.items()]:
            at = (answer.item, self.label(answer))
            if at not in known:
                known[at] = self.question.score(answer.value, items[answer.item], decisions)
            score = known[at]
            if score is not None:
                found[key] = score
        return found

    @property
    def target_field(self) -> str:
        """The field of an item that holds the right answer; empty where the question has none."""
        return str(getattr(self.question, "target", None) or "")

    def category(self, item: Item, who: str) -> Any:
        """What was answered, in the form in which two answers are the same: every right answer is one category."""
        answer = self.answers.get((item.id, who)) or self.judged.get((item.id, who))
        if answer is None:
            return None
        return self.question.right_answer(item) if self.correct.get((item.id, who)) else self.label(answer)

    def label(self, answer: Answer) -> str | float | bool:
        """An answer as one category: the value itself, or its parts joined where it has several."""
        value = self.question.plain(answer.value)
        if isinstance(value, str | int | float):
            return value
        return ", ".join(sorted(map(str, value))) if isinstance(value, list | tuple | set) else str(value)

    def correctness(self) -> list[list[bool | None]]:
        """Rows of items and columns of raters: right, wrong, or no answer."""
        return [[self.correct.get((item.id, rater)) for rater in self.raters] for item in self.items]

    def categories(self) -> list[list[Any]]:
        """Rows of items and columns of raters: what was answered, or None."""
        return [[self.category(item, rater) for rater in self.raters] for item in self.items]

    def of_item(self, item: Item) -> list[Answer]:
        """People's answers about one item, in the order of raters."""
        return [self.answers[item.id, rater] for rater in self.raters if (item.id, rater) in self.answers]

    def of_rater(self, rater: str) -> list[bool]:
        """One rater's or judge's answers as right or wrong, in the order of items."""
        return [self.correct[item.id, rater] for item in self.items if (item.id, rater) in self.correct]


def sheets(protocol: Protocol, collected: Collected, keep: Sequence[str] = ()) -> Iterator[Sheet]:
    """A sheet for each question of each section; people who withdrew or were excluded are left out.

    `keep` names statuses that stay in all the same: ("excluded",) gives the results before exclusions.
    """
    out = {p.rater for p in collected.participants if p.status in (WITHDRAWN, EXCLUDED) and p.status not in keep}
    by_question: dict[tuple[str, str], list[Answer]] = {}
    for answer in sorted(collected.answers, key=lambda answer: answer.seq):
        if not (answer.by == "rater" and answer.rater in out):
            by_question.setdefault((answer.section, answer.question), []).append(answer)
    for section in protocol.sections:
        for ask in asked(section):
            rows = by_question.get((section.id, ask.id), [])
            yield _sheet(protocol, collected, section.id, ask.id, rows)


def _sheet(protocol: Protocol, collected: Collected, section: str, id: str, rows: list[Answer]) -> Sheet:
    known = {item.id for item in collected.items}
    planned = [a for a in rows if a.item in known and a.round == 1 and a.repeat < protocol.raters.per_item]
    people = [answer for answer in planned if answer.by == "rater"]
    machines = [answer for answer in planned if answer.by == "judge"]
    return Sheet(
        section,
        id,
        protocol.ask(section, id).question,
        collected.items,
        tuple(sorted({answer.rater for answer in people}, key=natural)),
        tuple(sorted({answer.rater for answer in machines})),
        {(a.item, a.rater): a for a in people if a.reason is None},
        {(a.item, a.rater): a for a in machines if a.reason is None},
        collected.votes,
        Counter(str(answer.reason) for answer in people if answer.reason is not None),
    )


def natural(name: str) -> tuple[str, int, str]:
    """A sort key under which A2 comes before A10.

    >>> sorted(["A10", "A2", "A1"], key=natural)
    ['A1', 'A2', 'A10']
    """
    letters = name.rstrip("0123456789")
    digits = name[len(letters) :]
    return letters, int(digits or 0), name
