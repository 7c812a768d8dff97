"""The study: its rules (study.json), its rows (the CSV files), and one question of it over some of its items."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from .rows import Answer, answers, read

Labels = dict[str, dict[str, str]]
"""What each person said about each item, as a category: item → person → category."""


class CannotError(Exception):
    """Why a number cannot be computed from the published files."""


class Study:
    """Everything that is read from the folder; `with_excluded` keeps the answers of excluded raters in."""

    def __init__(self, folder: Path, with_excluded: bool = False):
        self.folder = folder
        self.rules: dict[str, Any] = json.loads((folder / "study.json").read_text("utf-8"))
        self.questions = {(one["section"], one["id"]): one for one in self.rules["questions"]}
        self.items = {row["item"]: row for row in read(folder / "items.csv")}
        self.right = {(r["section"], r["question"], r["item"]): r for r in read(folder / "targets.csv")}
        kept = ["annotations_excluded"] if with_excluded else []
        more = ["annotations_more_excluded"] if with_excluded else []
        self.people = self._answers("annotations_raw", *kept, "annotations_rounds")
        self.machines = self._answers("judge_responses", by="judge")
        self.beside = self._answers("annotations_more", *more)
        shown = [*self._rows("presentations"), *(self._rows("presentations_excluded") if with_excluded else [])]
        self.shown = {(row["section"], row["item"], row["annotator_id"]): row for row in shown}
        self.played = [*self._rows("playback"), *(self._rows("playback_excluded") if with_excluded else [])]
        self.routes, self.repeats, self.lengths = map(self._rows, ("triage", "judge_repeats", "text_lengths"))
        self.passed = [*self._rows("passed"), *(self._rows("passed_excluded") if with_excluded else [])]
        self.pairs = {(row["section"], row["item"]): (row["one"], row["other"]) for row in self._rows("pairs")}
        self._parts: dict[Any, Part] = {}

    def _rows(self, name: str) -> list[dict[str, str]]:
        return read(self.folder / f"{name}.csv")

    def _answers(self, *names: str, by: str = "rater") -> list[Answer]:
        only = next(iter(self.questions), ("", ""))
        rows = [row for name in names for row in self._rows(name)]
        return list(answers(rows, self.rules["item_column"], only, by))

    def part(self, section: str, question: str, by: str = "", stratum: str = "", round: int = 1) -> Part:
        """A question over the items of a stratum; each is read once."""
        key = (section, question, by, stratum, round)
        if key not in self._parts:
            whole = Part(self, section, question, frozenset(self._asked(section, question)), round)
            self._parts[key] = whole.within(by, stratum) if by else whole
        return self._parts[key]

    def _asked(self, section: str, question: str) -> Iterable[str]:
        asked: list[str] | None = self.questions.get((section, question), {}).get("asked")
        return self.items if asked is None else asked


@dataclass
class Part:
    """One question, or a score made of several, over some items: its answers, its rules and its verdicts."""

    study: Study
    section: str
    id: str
    items: frozenset[str]
    round: int = 1

    @cached_property
    def rules(self) -> dict[str, Any]:
        """What the study says of the question."""
        return self.study.questions.get((self.section, self.id), {})

    @cached_property
    def score(self) -> dict[str, Any] | None:
        """The weights of a score, where this is one."""
        scores = self.study.rules["scores"]
        return next((one for one in scores if (one["section"], one["id"]) == (self.section, self.id)), None)

    def _of(self, rows: Iterable[Answer], *by: str) -> list[Answer]:
        place = (self.section, self.id, self.round)
        found = [a for a in rows if (a.section, a.question, a.round) == place and a.item in self.items]
        return [answer for answer in found if not by or answer.by in by]

    @cached_property
    def people(self) -> list[Answer]:
        """Planned and independent answers."""
        return self._of(self.study.people, "rater")

    @cached_property
    def called(self) -> list[Answer]:
        """Answers of raters who were called in where others differ."""
        return [*self._of(self.study.beside, "third rater"), *self._of(self.study.people, "third rater")]

    @cached_property
    def members(self) -> list[Answer]:
        """What the team decided."""
        return [*self._of(self.study.beside, "member"), *self._of(self.study.people, "member")]

    @cached_property
    def anchored(self) -> list[Answer]:
        """Answers of raters who saw a judge's score."""
        return self._of(self.study.beside, "rater who saw the AI score")

    def of_judge(self, judge: str) -> list[Answer]:
        """The answers of one judge."""
        return [answer for answer in self._of(self.study.machines) if answer.who == judge]

    @cached_property
    def raters(self) -> list[str]:
        """Who gave planned answers."""
        return list(dict.fromkeys(answer.who for answer in self.people))

    def unit(self, item: str) -> str:
        """The item's group, where the study names a field whose items go together; else the item itself."""
        field = self.study.rules["cluster"]
        return self.study.items[item][field] if field else item

    def beside(self, question: str) -> Part:
        """Another question of the section, over the same items."""
        return Part(self.study, self.section, question, self.items, self.round)

    def within(self, by: str, stratum: str) -> Part:
        """The part over the items of one stratum: a value of a field, or a tag that most raters gave."""
        if all(by in row for row in self.study.items.values()):
            kept = {item for item in self.items if self.study.items[item][by] == stratum}
        else:
            kept = self._tagged(by.rstrip("*"), stratum)
        return Part(self.study, self.section, self.id, frozenset(kept), self.round)

    def _tagged(self, question: str, tag: str) -> set[str]:
        tags = self.beside(question)
        rated = Counter(item for item, _ in self.numbers())
        given = Counter((a.item, one) for a in tags.people for one, _, _ in tagged(a.value))
        names = [one["name"] for one in tags.rules["tags"]]
        most = {name: {item for item in rated if 2 * given[item, name] > rated[item]} for name in names}
        return most[tag] if tag in most else set(self.items) - set().union(*most.values())

    def pair(self, item: str) -> tuple[str, str] | None:
        """The two systems of an item, in the order in which the question speaks of them."""
        one, other = self.study.pairs.get((self.section, item), ("", ""))
        if not one:
            return None
        return (other, one) if [other, one] in self.rules["pairs"] else (one, other)

    # Answers as categories.

    @cached_property
    def verdict_on(self) -> str:
        """What two answers have to share for a verdict; empty where there is none."""
        return str(self.rules.get("verdict_on", ""))

    def category(self, answer: Answer, reading: str) -> str:
        """The answer as a category of a reading."""
        if reading == "correctness":
            return str(answer.right)
        if reading in ("role", "points"):
            return answer.value
        if reading == "outcome":
            number = float(answer.value)
            return "win" if number > 0 else "loss" if number < 0 else "same"
        if reading == "responses" and "correctness" in self.rules["readings"]:
            # Every right answer about one target is one category, however it was put.
            return self.study.right[self.section, self.id, answer.item]["target"] if answer.right else answer.value
        return answer.label

    def labels(self, reading: str, rows: list[Answer] | None = None) -> Labels:
        """What each person said about each item."""
        found: Labels = defaultdict(dict)
        for answer in self.people if rows is None else rows:
            found[answer.item][answer.who] = self.category(answer, reading)
        return dict(found)

    def mirror(self, reading: str) -> dict[str, str]:
        """The choices within a pair, in order, each with what it is when the two systems change places."""
        if reading == "points":
            return {point: str(-int(point)) for point in self.rules["points"]}
        if reading == "outcome":
            return {"loss": "win", "same": "same", "win": "loss"}
        return {"one": "other", "other": "one", **({"tie": "tie"} if self.rules["may_tie"] else {})}

    def choices(self, labels: Labels, reading: str) -> Labels:
        """Labels as choices within each item's own pair of systems, every item together with its mirror image.

        Where systems differ by item, a name is no category that chance could give to two items.
        """
        mirror, found = self.mirror(reading), {}
        for item, said in labels.items():
            one, other = self.study.pairs.get((self.section, item), ("", ""))
            names = {one: "one", other: "other"}
            chosen = {who: label if label in mirror else names.get(label, "tie") for who, label in said.items()}
            found[item] = chosen
            found[f"{item}\0"] = {who: mirror[choice] for who, choice in chosen.items()}
        return found

    def by_judge(self, judge: str, reading: str) -> dict[str, str]:
        """What a judge said about each item."""
        return {answer.item: self.category(answer, reading) for answer in self.of_judge(judge)}

    def categories(self, reading: str) -> list[str] | None:
        """Every category that could be given, and others that were; None where they are what is seen."""
        declared: list[str] = self.rules["readings"].get(reading) or []
        if not declared:
            return None
        everyone = [*self.people, *self.called, *self.members, *self.anchored, *self._of(self.study.machines)]
        seen = {self.category(answer, reading) for answer in everyone}
        return [*declared, *sorted(seen - set(declared))]

    # Verdicts.

    @cached_property
    def verdicts(self) -> dict[str, tuple[str | None, str, int]]:
        """By item: the verdict or None, how it came about, and how many answers it rests on."""
        planned = self.labels(self.verdict_on)
        called = self.labels(self.verdict_on, self.called)
        decided = {a.item: self.category(a, self.verdict_on) for a in self.members}
        found: dict[str, tuple[str | None, str, int]] = {}
        for item in self.items:
            alone = list(planned.get(item, {}).values())
            together = alone + list(called.get(item, {}).values())
            verdict, status = self.majority(alone), "agreed"
            if verdict is None:
                verdict, status = self.majority(together), "third rater"
            if verdict is None:
                verdict, status = decided.get(item), "adjudicated"
            found[item] = (verdict, "ambiguous" if verdict is None else status, len(together))
        return found

    @cached_property
    def known(self) -> dict[str, str]:
        """The verdict of each item that has one."""
        return {item: verdict for item, (verdict, _, _) in self.verdicts.items() if verdict is not None}

    def majority(self, given: Iterable[str]) -> str | None:
        """What enough of the answers say, and more than half of those that are there."""
        said = Counter(given)
        value, most = next(iter(said.most_common(1)), (None, 0))
        return value if most >= self.study.rules["needed"] and 2 * most > sum(said.values()) else None

    def is_right(self, item: str, verdict: str) -> bool:
        """Whether a verdict is the right answer."""
        if self.verdict_on == "correctness":
            return verdict == "True"
        return verdict == self.study.right[self.section, self.id, item]["right_label"]

    # Answers as numbers.

    def number(self, value: str) -> float:
        """A value as a number: a point of the scale has the number that the study gives it."""
        return float(self.rules.get("points", {}).get(value, value))

    def numbers(self, judge: str = "", rows: list[Answer] | None = None) -> dict[tuple[str, str], float]:
        """Each answer as a number, by item and person; a score is the weighted mean of the parts that are there."""
        if self.score is not None:
            return self._scored(judge)
        given = rows if rows is not None else self.of_judge(judge) if judge else self.people
        return {(answer.item, answer.who): self.number(answer.value) for answer in given}

    def _scored(self, judge: str) -> dict[tuple[str, str], float]:
        assert self.score is not None
        words = {"Yes": self.score["yes"], "No": self.score["no"]}
        total: dict[tuple[str, str], float] = defaultdict(float)
        weight: dict[tuple[str, str], float] = defaultdict(float)
        for name, w in self.score["weights"].items():
            one = self.beside(name)
            for answer in one.of_judge(judge) if judge else one.people:
                key = (answer.item, answer.who)
                total[key] += w * (words[answer.value] if answer.value in words else one.number(answer.value))
                weight[key] += w
        return {key: total[key] / weight[key] for key in total if weight[key] > 0}

    def item_means(self, judge: str = "") -> dict[str, float]:
        """The mean score of each item over its raters, or a judge's score."""
        given: dict[str, list[float]] = defaultdict(list)
        for (item, _), number in self.numbers(judge).items():
            given[item].append(number)
        return {item: mean(numbers) for item, numbers in given.items()}

    def marks(self) -> list[tuple[str, str, str, float]]:
        """Item, person, system and mark, where each system of an item is rated."""
        return [
            (answer.item, answer.who, system, self.number(str(mark)))
            for answer in self.people
            for system, mark in json.loads(answer.value).items()
        ]


def tagged(value: str) -> list[tuple[str, bool, str]]:
    """The tags of an answer: each with whether it is a main one, and the system that it describes."""
    given = json.loads(value)
    of = given.get("of") or {}
    both = (("primary", True), ("secondary", False))
    return [(tag, is_main, of.get(tag, "")) for name, is_main in both for tag in given.get(name) or ()]


def mean(numbers: Iterable[float]) -> float:
    """The plain mean; what cannot be taken of nothing is refused."""
    listed = list(numbers)
    if not listed:
        raise CannotError("there is nothing to take a mean of")
    return sum(listed) / len(listed)


def share(hits: Iterable[bool]) -> float:
    """How many of them hold."""
    return mean(float(hit) for hit in hits)
