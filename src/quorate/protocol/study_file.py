"""What a study file may say, as frozen types. A default is written here and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, field_validator

from quorate.conditions import condition
from quorate.judges import JUDGES, Judge
from quorate.languages import Words
from quorate.media import MEDIA, Medium
from quorate.parts import Entry, Part, one_of
from quorate.questions import QUESTIONS, Question

Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*$", max_length=60)]
Count = Annotated[int, Field(ge=1)]


class Shows(Entry[Medium]):
    """An entry of `show`: one medium."""


class Asks(Entry[Question]):
    """An entry of `ask`: one question with its id."""

    id: Name
    #: A condition on fields of the item and on answers before this one; what does not apply is stored as such.
    applies_when: str | None = None
    #: An optional question becomes required where this holds.
    required_when: str | None = None

    @field_validator("applies_when", "required_when")
    @classmethod
    def _is_a_condition(cls, given: str | None) -> str | None:
        if given is not None:
            condition(given)
        return given

    @property
    def question(self) -> Question:
        """The question itself."""
        return self.part

    def applies(self, values: Mapping[str, Any]) -> bool:
        """Whether the question is asked, given the item's fields and the answers so far."""
        return self.applies_when is None or condition(self.applies_when).holds(values)

    def is_required(self, values: Mapping[str, Any]) -> bool:
        """Whether it has to be answered."""
        if self.required_when is not None:
            return condition(self.required_when).holds(values)
        return self.question.required


class AsksEligibility(Asks):
    """A question that decides who may take part: any answer but an accepted one ends the session with thanks."""

    accept: Annotated[tuple[str, ...], Field(min_length=1)]


class AsksJudge(Entry[Judge]):
    """An entry of `judges`: one machine that answers the same questions."""

    @property
    def judge(self) -> Judge:
        """The judge itself."""
        return self.part


if TYPE_CHECKING:
    Show = Shows
    Ask = Asks
    AskEligibility = AsksEligibility
    JudgeEntry = AsksJudge
else:
    Show = one_of("Show", Shows, MEDIA)
    Ask = one_of("Ask", Asks, QUESTIONS)
    AskEligibility = one_of("AskEligibility", AsksEligibility, QUESTIONS)
    JudgeEntry = one_of("JudgeEntry", AsksJudge, JUDGES)


class Sample(Part):
    """Which of the pool's items are used."""

    #: How many in all, or, with `by`, how many of each stratum.
    n: Count
    by: str | None = None
    #: Within a stratum, equal numbers of each value of this field.
    balance: str | None = None
    #: `quorate` draws by keyed hashes. `python random` is `sorted(random.sample(range(pool), n))` after
    #: `random.seed(seed)`, for samples that were published that way.
    method: Literal["quorate", "python random"] = "quorate"


class Exclude(Part):
    """Items that may not be drawn: those whose field has one of these values in canonical form."""

    field: str
    values: tuple[str, ...] = ()
    #: Also every value that the practice items have in this field.
    practice: bool = True


class Items(Part):
    """Where the items come from."""

    from_: str = Field(alias="from")
    id: str | tuple[str, ...]
    #: From a table with one row an iteration: the field that numbers them, and which one to take.
    iteration: str | None = None
    take: Literal["last", "first"] | int = "last"
    #: Fields read out of another one by a pattern with named groups: {sample_id: '(?P<turn>\\d+)$'}.
    derive: dict[str, str] = {}
    sample: Sample | None = None
    exclude: Exclude | None = None
    #: The field whose values belong together (a paper, a conversation): intervals then resample those groups.
    cluster: str | None = None

    @field_validator("derive")
    @classmethod
    def _are_patterns(cls, given: dict[str, str]) -> dict[str, str]:
        for field, pattern in given.items():
            try:
                groups = re.compile(pattern).groupindex
            except re.error as error:
                raise ValueError(f"the pattern for '{field}' cannot be read: {error}.") from error
            if not groups:
                raise ValueError(f"the pattern for '{field}' names no group, such as (?P<turn>\\d+).")
        return given


class Section(Part):
    """One part of a study: what is shown and what is asked."""

    id: Name
    title: Words = ""
    show: Annotated[tuple[Show, ...], Field(min_length=1)]
    ask: Annotated[tuple[Ask, ...], Field(min_length=1)]
    #: Fields that no byte sent to a rater may hold; targets are blind without being named.
    hide: tuple[str, ...] = ()
    #: A grid of thumbnails beside the work, from which any item can be opened.
    grid: bool = False
    #: Whether a rater may go back to an earlier item of the batch and change the answer.
    revise: bool = True


class Practice(Part):
    """A round on items of its own, with the right answers shown after it."""

    from_: str = Field(alias="from")
    id: str
    n: Count | None = None
    section: Name | None = None
    feedback: Literal["after the round", "after each item"] = "after the round"
    explanation: str | None = None


class Times(Part):
    """What a rater is told about time, in the study's own words."""

    introduction: Words = ""
    practice: Words = ""
    work: Words = ""
    debrief: Words = ""
    item: Words = ""


class Debrief(Part):
    """The last page before the end: thanks and questions that may be left out."""

    text: str = ""
    ask: tuple[Ask, ...] = ()


class Raters(Part):
    """Who rates, how many an item, and the way they go."""

    per_item: Count = 3
    #: A fixed roster: this many raters, who share the slots evenly. Without it, anyone with a link may come.
    roster: Count | None = None
    #: The field that says which panel of raters an item belongs to; the roster is then of each panel.
    panels: str | None = None
    #: With open enrolment: the most raters that may join.
    cap: Count | None = None
    #: What a rater claims at once; without it, a fair share of all items.
    batch: Count | None = None
    #: How long a claimed batch is held for a rater who does not answer, in minutes (open enrolment).
    lease_minutes: Count = 120
    #: The letter that rater ids begin with: R1, R2, …
    prefix: Annotated[str, Field(pattern=r"^[A-Z][A-Za-z]{0,7}$")] = "R"
    consent: str
    instructions: str
    eligibility: tuple[AskEligibility, ...] = ()
    background: tuple[Ask, ...] = ()
    practice: Practice | None = None
    break_after: Count | None = None
    debrief: Debrief | None = None
    times: Times = Times()
    compensation: Words = ""
    completion_code: str = ""
    contact: Words = ""


class Majority(Part):
    """So many equal answers of so many decide."""

    shorthand = "of"
    of: str

    @field_validator("of")
    @classmethod
    def _is_a_share(cls, given: str) -> str:
        match = re.fullmatch(r"(\d+) of (\d+)", given.strip())
        if not match or not 0 < int(match[1]) <= int(match[2]) < 2 * int(match[1]):
            raise ValueError("should be like '2 of 3': more than half.")
        return given

    @property
    def needed(self) -> int:
        """How many equal answers decide."""
        return int(self.of.split(" of ")[0])

    @property
    def out_of(self) -> int:
        """Of how many."""
        return int(self.of.split(" of ")[1])


class VerdictRule(Part):
    """How the answers to one question about one item become one."""

    majority: Majority = Majority(of="2 of 3")


class Compare(Part):
    """Which judge is held against people."""

    judge: Name


class Analysis(Part):
    """What is computed; it may change after the first consent, under a hash of its own."""

    verdict: VerdictRule = VerdictRule()
    agreement: tuple[Literal["fleiss kappa", "cohen kappa"], ...] = ("fleiss kappa", "cohen kappa")
    accuracy: tuple[Literal["individual", "majority", "unanimous"], ...] = ("individual", "majority", "unanimous")
    compare: Compare | None = None
    #: Landis and Koch closed their bands at two decimals; some protocols write them half-open.
    bands: Literal["published", "half-open"] = "published"
    confidence: Annotated[float, Field(gt=0.5, lt=1)] = 0.95


class Export(Part):
    """The names that this study's own files use for things."""

    #: The fields of an item that the published files carry, and the item's name and target among them.
    item_id: str = "item"
    fields: tuple[str, ...] = ()


class StudyFile(Part):
    """A whole study file."""

    quorate: Literal[1]
    title: Words
    version: str = ""
    seed: int = 0
    items: Items
    sections: Annotated[tuple[Section, ...], Field(min_length=1)]
    raters: Raters
    judges: dict[Name, JudgeEntry] = {}
    export: Export = Export()
    analysis: Analysis = Analysis()

    def section(self, id: str) -> Section:
        """The section with this id."""
        return next(section for section in self.sections if section.id == id)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a study file, for editors."""
    return StudyFile.model_json_schema() | {"title": "Quorate study"}
