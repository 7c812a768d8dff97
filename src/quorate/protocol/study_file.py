"""What a study file may say, as frozen types. A default is written here and nowhere else."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from quorate.languages import Words
from quorate.media import wrong_address
from quorate.parts import Part
from quorate.protocol.analysis import Analysis, Majority
from quorate.protocol.entries import Ask, Asks, AsksEligibility, Count, JudgeEntry, Name, Show
from quorate.protocol.judging import TriageRule
from quorate.protocol.raters import Raters
from quorate.protocol.rules import Rule, Score

__all__ = [
    "Analysis",
    "Asks",
    "AsksEligibility",
    "Items",
    "Majority",
    "Raters",
    "Rule",
    "Score",
    "Section",
    "StudyFile",
    "json_schema",
]


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
    #: Of `python random`, what becomes of items that `exclude` names. `kept` and `dropped` draw from the whole pool, as
    #: it was published, and keep them or then leave them out; `redrawn` draws another sample, from the rest.
    collisions: Literal["kept", "dropped", "redrawn"] | None = None


class Exclude(Part):
    """Items that may not be drawn: those whose field has one of these values in canonical form."""

    field: str
    values: tuple[str, ...] = ()
    #: Also every value that the practice items have in this field.
    practice: bool = True


class BestOf(Part):
    """A system whose output was chosen as the best of several generations, by a score of each."""

    shorthand = "n"

    #: The field that says of how many generations it is the best: as many as the item had iterations.
    n: str | None = None
    #: The table with a row for each generation, as `quorate best-of` writes it.
    from_: str | None = Field(None, alias="from")
    #: Its columns: the item's id, the score by which was chosen, and whether this one was.
    id: str = "id"
    score: str = "clip_score"
    chosen: str = "chosen"
    #: The system whose outputs were chosen so, and what the score is, as the report tells it.
    system: str = ""
    by: Words = ""


class Items(Part):
    """Where the items come from."""

    from_: str = Field(alias="from")
    id: str | tuple[str, ...]
    #: From a table with one row an iteration: the field that numbers them, and which one to take.
    iteration: str | None = None
    take: Literal["last", "first"] | int = "last"
    #: A baseline that is the best of several generations; a bare name is the field `n`.
    best_of: BestOf | None = None
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


class Guide(Part):
    """A text beside the item that depends on one of its fields: what each kind of item expects."""

    from_: str = Field(alias="from")
    #: The field that the item and the table share, and the column of the table that holds the text (one a language).
    on: str
    text: Words


class Section(Part):
    """One part of a study: what is shown and what is asked."""

    id: Name
    title: Words = ""
    #: Stands beside the questions on every page of the section.
    note: Words = ""
    guide: Guide | None = None
    show: Annotated[tuple[Show, ...], Field(min_length=1)]
    ask: Annotated[tuple[Ask, ...], Field(min_length=1)]
    #: Fields that no byte sent to a rater may hold; targets are blind without being named.
    hide: tuple[str, ...] = ()
    #: Numbers made of several answers, and what should hold between answers.
    scores: tuple[Score, ...] = ()
    rules: tuple[Rule, ...] = ()
    #: A grid of thumbnails beside the work, from which any item can be opened.
    grid: bool = False
    #: Whether a rater may go back to an earlier item of the batch and change the answer.
    revise: bool = True


class Own(Part):
    """The items' table as it came, with answers in columns of their own: a CSV file or JSON lines."""

    file: str
    #: Column → question; a dot goes into an object of a JSON line: `human_annotation.correctness: correctness`.
    columns: Annotated[dict[str, Name], Field(min_length=1)]
    #: Columns of the items' table that the file does not carry.
    without: tuple[str, ...] = ()
    #: What stands in a column of numbers that several raters gave: their verdict, their mean as in the
    #: report, or that mean with the judge's score where no person scored what a triage rule routed.
    holds: Literal["verdict", "mean", "merged"] = "verdict"


class Export(Part):
    """The names that this study's own files use for things."""

    #: The fields of an item that the published files carry, and the item's name and target among them.
    item_id: str = "item"
    fields: tuple[str, ...] = ()
    #: The study's own file: the items' table with answers written into it.
    own: Own | None = None


class Settings(Part):
    """Where the study runs. It is in no hash, and may change at any time."""

    #: The address of a PostgreSQL database; a file of SQLite in the study's folder where it is not said.
    database: str = ""
    #: Where the items' media are, such as s3://bucket/folder; the study's folder where it is not said.
    media: str = ""

    @field_validator("media")
    @classmethod
    def _is_a_store(cls, given: str) -> str:
        if given and wrong_address(given.rstrip("/") + "/media"):
            raise ValueError(wrong_address(given.rstrip("/") + "/media"))
        return given


class StudyFile(Part):
    """A whole study file."""

    quorate: Literal[1]
    title: Words
    #: What the study wants to know: the report begins with it, and raters do not read it.
    aim: Words = ""
    version: str = ""
    seed: int = 0
    items: Items
    sections: Annotated[tuple[Section, ...], Field(min_length=1)]
    raters: Raters
    judges: dict[Name, JudgeEntry] = {}
    #: Which of the judges' scores people look at; without it, people look at everything.
    triage: TriageRule | None = None
    export: Export = Export()
    analysis: Analysis = Analysis()
    settings: Settings = Settings()

    @model_validator(mode="after")
    def _verdict_follows_the_raters(self) -> Self:
        verdict = self.analysis.verdict
        if "majority" not in verdict.model_fields_set:
            rule = majority_of(self.raters)
            verdict = verdict.model_copy(update={"majority": rule})
            self.__dict__["analysis"] = self.analysis.model_copy(update={"verdict": verdict})
        return self

    def section(self, id: str) -> Section:
        """The section with this id."""
        return next(section for section in self.sections if section.id == id)


def majority_of(raters: Raters) -> Majority:
    """More than half of the raters that an item may have, or of those planned where these could not reach that."""
    rule = Majority.more_than_half(raters.most)
    # Planned raters who agree are not asked further.
    return rule if rule.needed <= raters.per_item else Majority.more_than_half(raters.per_item)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a study file, for editors."""
    return StudyFile.model_json_schema() | {"title": "Quorate study"}
