"""What an analysis gives: findings with their evidence, verdicts, and the tables that the report prints."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from quorate.errors import did_you_mean
from quorate.findings.key import Key
from quorate.messages import Message, Text, said, speaks
from quorate.records import Estimate, ProtocolVersion, Verdict
from quorate.statistics.columns import NEW_RATERS


@dataclass(frozen=True, slots=True)
class Finding:
    """One estimate with its name: what was computed, of which question, from which rows.

    `id` is stable and readable, `rows` says which rows of the data files gave it. `counted` holds the numerator and
    denominator of a share. `by` and `stratum` name the part of the items that it is of. `p_adjusted` is the p-value
    within its `family` of tests; what no `hypothesis` declared is exploratory.

    What it is of stands in fields, and nobody has to read it out of an id or a label: the `systems`, `raters` or
    `judge`, the `reading` of the answers, and `what` tells it from others of the same statistic (a role, a tag, a class
    of errors, a column of metrics).
    """

    id: str
    statistic: str
    section: str
    question: str
    label: Text
    estimate: Estimate
    unit: str = ""
    band: str = ""
    primary: bool = False
    rows: str = ""
    counted: tuple[int, int] | None = None
    by: str = ""
    stratum: str = ""
    p_adjusted: float | None = None
    family: str = ""
    hypothesis: str = ""
    systems: tuple[str, ...] = ()
    raters: tuple[str, ...] = ()
    judge: str = ""
    reading: str = ""
    what: str = ""
    threshold: float | None = None
    round: int = 1
    #: Whether it is on the choice within each item's own pair of systems.
    by_pair: bool = False
    #: The label without what stands in brackets behind it, where something does.
    short: Text = ""
    #: What the question is called, and whether it is a score over the parts that all items share.
    title: Text = ""
    is_shared: bool = False
    #: The name of the inquiry that found it, and whether its label says which question it is of.
    inquiry: str = ""
    names_question: bool = False

    @property
    def key(self) -> Key:
        """What it is of."""
        return Key(
            self.section, self.question, self.statistic, self.reading, self.what, self.systems, self.raters,
            self.judge, self.round, self.by, self.stratum,
        )  # fmt: skip

    @property
    def is_known(self) -> bool:
        """Whether it has a value."""
        return self.estimate.value is not None

    @property
    def height(self) -> float:
        """What it is ranked by: its value, and 0 where there is none."""
        return self.estimate.value or 0.0

    @property
    def n(self) -> int:
        """Of how many items it is."""
        return self.estimate.n_items or 0

    @property
    def of_new_raters(self) -> bool:
        """Whether its interval and its test speak of new raters, and not of these alone."""
        return speaks(self.estimate.method, NEW_RATERS)

    @property
    def is_of_judge_alone(self) -> bool:
        """Whether no rater has a part in it: a judge's own mean, its own share of right answers."""
        return bool(self.judge) and self.statistic in ("mean", "accuracy", "role")

    @property
    def is_exploratory(self) -> bool:
        """Whether it is a test that no hypothesis declared."""
        return bool(self.family) and self.estimate.p is not None and not self.family.startswith("declared.")

    def as_dict(self) -> dict[str, Any]:
        """Every field by name, the estimate's beside them, ready for JSON."""
        own = {name: getattr(self, name) for name in ("id", "statistic", "section", "question")}
        own |= {"label": said(self.label), "group": self.inquiry}
        more = {"unit": self.unit, "band": self.band, "primary": self.primary, "rows": self.rows}
        counts = {} if self.counted is None else {"count": self.counted[0], "of": self.counted[1]}
        part: dict[str, Any] = {"by": self.by, "stratum": self.stratum} if self.by else {}
        part |= {name: list(getattr(self, name)) for name in ("systems", "raters") if getattr(self, name)}
        part |= {name: getattr(self, name) for name in ("judge", "reading", "what") if getattr(self, name)}
        part |= {} if self.threshold is None else {"threshold": self.threshold}
        part |= {"round": self.round} if self.round > 1 else {}
        part |= {"by_pair": True} if self.by_pair else {}
        tests: dict[str, Any] = {}
        if self.family:
            tests = {"p_adjusted": self.p_adjusted, "family": self.family, "exploratory": self.is_exploratory}
        if self.hypothesis:
            tests["hypothesis"] = self.hypothesis
        return {**own, **more, **part, **counts, **tests, **self.estimate.as_dict()}


@dataclass(frozen=True, slots=True)
class HypothesisTest:
    """A declared hypothesis and what came of it: the finding that it rests on, p as tested and within its family.

    `declared` says when it came: what came after the first consent is exploratory. `outcome` is supported,
    contradicted (as clear, on the other side), not supported, or that it cannot be said, with a note that says why.
    """

    id: str
    statement: Text
    rests_on: str
    expects: str
    alpha: float
    family: str
    sides: str
    declared: str
    finding: Finding | None = None
    p: float | None = None
    p_adjusted: float | None = None
    on_expected_side: bool = False
    outcome: str = ""
    note: Text = ""
    #: The side on which the value is expected, and the number that it is held against where there is one.
    direction: str = ""
    threshold: float | None = None

    @property
    def is_confirmatory(self) -> bool:
        """Whether it was declared before the data."""
        return self.declared == "before the data"

    def as_dict(self) -> dict[str, Any]:
        """Every field by name, ready for JSON; the finding stands among the findings."""
        names = ("id", "rests_on", "expects", "alpha", "family", "sides", "declared", "p", "p_adjusted", "outcome")
        value = None if self.finding is None else self.finding.estimate.value
        words = {"statement": said(self.statement), "note": said(self.note)}
        own = {name: getattr(self, name) for name in names}
        return {**own, **words, "value": value, "confirmatory": self.is_confirmatory}


@dataclass(frozen=True, slots=True)
class Listing:
    """Something that is counted or listed and not estimated: a confusion, tags by outcome, disagreements with notes.

    `shape` says how it is printed: "list", or "matrix" where rows are held against columns.
    """

    id: str
    group: str
    section: str
    question: str
    title: Text
    caption: Text
    columns: tuple[Text, ...]
    rows: tuple[tuple[Any, ...], ...]
    shape: str = "list"
    #: The judge that it is of, where it is of one.
    judge: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Every field by name, ready for JSON."""
        own = {"id": self.id, "section": self.section, "question": self.question, "title": said(self.title)}
        rows = [[cell if isinstance(cell, int | float | None) else said(cell) for cell in row] for row in self.rows]
        return {**own, "columns": list(map(said, self.columns)), "rows": rows}


@dataclass(frozen=True, slots=True)
class Given:
    """One person's or judge's answer as an example or a changed row shows it."""

    by: str
    raw: str
    correct: bool | None


@dataclass(frozen=True, slots=True)
class Example:
    """One item of one cell of the 2 × 2, drawn by chance; `item` is None where the cell is empty."""

    human_correct: bool
    judge_correct: bool
    item: str | None
    target: str = ""
    people: tuple[Given, ...] = ()
    judge: Given | None = None
    n: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """People's majority against one judge on one question: the 2 × 2 by item, and an example of each cell.

    `cells` is keyed by (majority correct, judge correct).
    """

    section: str
    question: str
    judge: str
    cells: Mapping[tuple[bool, bool], int]
    examples: tuple[Example, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """How many items were compared."""
        return sum(self.cells.values())

    @property
    def classes(self) -> Mapping[str, int]:
        """The three error classes and what is no error, by name."""
        return {name: self.cells[cell] for name, cell in CLASSES.items()}


CLASSES: Mapping[str, tuple[bool, bool]] = {
    "both correct": (True, True),
    "human correct, judge incorrect": (True, False),
    "human incorrect, judge correct": (False, True),
    "both incorrect": (False, False),
}


@dataclass(frozen=True, slots=True)
class Annotator:
    """A rater as the annotator table shows one."""

    id: str
    status: str
    background: Mapping[str, str]
    answers: int


@dataclass(frozen=True, slots=True)
class Flow:
    """How many came to each step; `items` and `answers` are counted the same way.

    `became` says what became of everyone who was invited, each person once: together they are all who were invited.
    `left` says it of those who did not come to a step and came to the one before it. `panels` holds how many raters
    each panel was to have, and how many of them are analysed. `successors` were given places that had become free.
    """

    raters: Mapping[str, int]
    items: Mapping[str, int]
    answers: Mapping[str, int]
    missing: Mapping[str, int]
    became: Mapping[str, int] = field(default_factory=dict)
    left: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    panels: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    successors: tuple[Successor, ...] = ()


@dataclass(frozen=True, slots=True)
class Successor:
    """Someone who was given the place of somebody who had left: who, whose place, why it was free, and how it came.

    `because` is "reserve" (the next in reserve), "late" (a quiz taken after the cut) or "cut" (the first cut).
    """

    rater: str
    instead_of: str
    why: str
    because: str
    panel: str = ""
    round: int = 1


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A rater whose answers were taken out of the analysis: when, why, and how many answers with a value."""

    rater: str
    at: str
    reason: str
    answers: int


@dataclass(frozen=True, slots=True)
class Borderline:
    """An answer close to its target that did not match it, with the team's votes on it."""

    section: str
    question: str
    target: str
    canonical: str
    example: str
    votes_for: int
    votes_against: int
    correct: bool | None
    #: What brings it close: "letters" or "meaning".
    close_by: str = "letters"

    @property
    def is_open(self) -> bool:
        """Whether the team has still to decide."""
        return self.correct is None


@dataclass(frozen=True, slots=True)
class Flip:
    """A row that a decision made right."""

    section: str
    question: str
    item: str
    given: Given
    target: str


@dataclass(frozen=True, slots=True)
class Changes:
    """What the team's decisions changed: the rows, and every figure that moved (before, after)."""

    flips: tuple[Flip, ...] = ()
    figures: tuple[tuple[Finding, Finding], ...] = ()


@dataclass(frozen=True, slots=True)
class Exposure:
    """Outputs that raters had seen in an earlier section when they compared them with others that they had not.

    `systems` holds for each system how often, and of how many comparisons of the later section.
    """

    earlier: str
    later: str
    systems: Mapping[str, tuple[int, int]]


def select(found: Iterable[Finding], **fields: Any) -> Iterator[Finding]:
    """Those of the findings whose fields are these."""
    wanted = list(fields.items())
    return (finding for finding in found if all(getattr(finding, name) == value for name, value in wanted))


def first(found: Iterable[Finding], **fields: Any) -> Finding | None:
    """The first of the findings whose fields are these, or None."""
    return next(select(found, **fields), None)


def ends(found: Iterable[Finding]) -> tuple[Finding, Finding]:
    """The lowest and the highest of the findings."""
    ranked = sorted(found, key=lambda finding: finding.height)
    return ranked[0], next(one for one in ranked if one.height == ranked[-1].height)


def questions_of(found: Iterable[Finding]) -> list[tuple[str, str]]:
    """The sections and questions that the findings are of, in order."""
    return list(dict.fromkeys((finding.section, finding.question) for finding in found))


def by_question(found: Iterable[Finding]) -> list[list[Finding]]:
    """The findings of each question, in the order in which the questions come."""
    held: dict[tuple[str, str], list[Finding]] = {}
    for finding in found:
        held.setdefault((finding.section, finding.question), []).append(finding)
    return list(held.values())


@dataclass(frozen=True)
class Results:
    """Everything that the report prints, computed once."""

    findings: tuple[Finding, ...]
    verdicts: Sequence[Verdict]
    comparisons: tuple[Comparison, ...]
    annotators: tuple[Annotator, ...]
    flow: Flow
    borderline: tuple[Borderline, ...] = ()
    changes: Changes = Changes()
    with_excluded: tuple[Finding, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()
    notes: tuple[Text, ...] = ()
    simulated: bool = False
    exposures: tuple[Exposure, ...] = ()
    listings: tuple[Listing, ...] = ()
    hypotheses: tuple[HypothesisTest, ...] = ()
    #: The protocol as it was frozen, and its amendments.
    versions: tuple[ProtocolVersion, ...] = ()

    def __post_init__(self) -> None:
        for found in (self.findings, self.with_excluded):
            twice = [id for id, n in Counter(finding.id for finding in found).items() if n > 1]
            if twice:
                raise ValueError(f"two findings have one id: {', '.join(twice)}")

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __getitem__(self, key: Key | str) -> Finding:
        id = key.id if isinstance(key, Key) else key
        if id not in self.by_id:
            raise KeyError(f"no finding has the id '{id}'.{did_you_mean(id, list(self.by_id))}")
        return self.by_id[id]

    @cached_property
    def by_id(self) -> Mapping[str, Finding]:
        """The findings by their readable ids."""
        return {finding.id: finding for finding in self.findings}

    def select(self, **fields: Any) -> tuple[Finding, ...]:
        """The findings whose fields are these, in order: `select(statistic="mean", by="language")`."""
        return tuple(select(self.findings, **fields))

    def label(self, finding: Finding, label: Text = "") -> Text:
        """What a finding is called (`label`, if given), with its question where the same is found of several."""
        if finding.names_question or not finding.question:
            return label or finding.label
        if len(self._questions[finding.inquiry, finding.section]) < 2:
            return label or finding.label
        # A score over shared parts has an id of ours, and a name in each language.
        question = finding.title if finding.is_shared else finding.question.replace("_", " ")
        return Message("{question}: {what}", question=question, what=label or finding.label)

    @cached_property
    def _questions(self) -> Mapping[tuple[str, str], set[str]]:
        """The questions of which the same is found, by what is alike."""
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for finding in (*self.findings, *self.with_excluded):
            found[finding.inquiry, finding.section].add(finding.question)
        return found

    def __str__(self) -> str:
        labels = [said(self.label(finding)) for finding in self.findings]
        width = max(map(len, labels), default=0)
        lines = [f"{name:<{width}}  {one.estimate}" for name, one in zip(labels, self.findings, strict=True)]
        return "\n".join([*(["SIMULATED ANSWERS"] if self.simulated else []), *lines])

    def as_dict(self) -> dict[str, Any]:
        """The findings and tables by name, ready for JSON."""
        return {
            "simulated": self.simulated,
            "findings": [self._as_dict(finding) for finding in self.findings],
            "hypotheses": [one.as_dict() for one in self.hypotheses],
            "with_excluded": [self._as_dict(finding) for finding in self.with_excluded],
            "comparisons": [_comparison(comparison) for comparison in self.comparisons],
            "exclusions": [asdict(exclusion) for exclusion in self.exclusions],
            "flow": asdict(self.flow),
            "listings": [listing.as_dict() for listing in self.listings],
            "notes": list(map(said, self.notes)),
        }

    def _as_dict(self, finding: Finding) -> dict[str, Any]:
        """A finding by the name that the tables give it."""
        return finding.as_dict() | {"label": said(self.label(finding))}


def _comparison(comparison: Comparison) -> dict[str, Any]:
    return {
        "section": comparison.section,
        "question": comparison.question,
        "judge": comparison.judge,
        "n": comparison.n,
        "classes": dict(comparison.classes),
        "left_out": dict(comparison.left_out),
        "examples": [{"item": e.item, "human_correct": e.human_correct, "judge_correct": e.judge_correct}
                     for e in comparison.examples],
    }  # fmt: skip
