"""Who rates, and the way they go: screening, practice, breaks, checks, platforms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, field_validator

from quorate.conditions import condition
from quorate.errors import did_you_mean
from quorate.languages import Words
from quorate.parts import Part
from quorate.protocol.entries import Ask, AskEligibility, Count, Name

File = Words
"""A file of the study's folder, or one a language: `{en: consent.en.md, zh: consent.zh.md}`."""


class Practice(Part):
    """A round on items of its own, with the right answers shown after it."""

    from_: str = Field(alias="from")
    id: str | tuple[str, ...]
    n: Count | None = None
    #: How many further rows of the table are kept in reserve.
    spare: Annotated[int, Field(ge=0)] = 0
    section: Name | None = None
    feedback: Literal["after the round", "after each item"] = "after the round"
    explanation: str | None = None
    #: Question → field of the practice items that holds its right answer, where the question has none of its own.
    answers: dict[Name, str] = {}


class Screening(Part):
    """A quiz that decides who takes part: no feedback before the cut, the first attempt ranks."""

    from_: str = Field(alias="from")
    id: str
    #: What candidates read above the quiz, in the study's own words: what it is for, and what they may use.
    introduction: Words = ""
    #: The fields that hold the question, the right answer, and every answer that is offered.
    question: str
    answer: str
    options: Annotated[tuple[str, ...], Field(min_length=2)]
    #: How many questions a candidate gets; with `by`, those of the candidate's panel.
    n: Count | None = None
    by: str | None = None
    #: The share of right answers that has to be exceeded.
    above: Annotated[float, Field(ge=0, lt=1)] = 0.8
    #: How many of those who passed are kept, in each panel; all of them where it is not said.
    top: Count | None = None
    attempts: Count = 1
    #: Who gets a place that becomes free after the cut: those who passed and are in reserve before those who took the
    #: quiz later, or whoever did best of both.
    refill: Literal["reserves first", "best first"] = "reserves first"


class Escalate(Part):
    """One more rater where the planned ones disagree, blind to why."""

    #: The question on which they have to agree; with `apart`, its values may differ by so much.
    when: Name
    apart: Annotated[float, Field(ge=0)] = 0
    #: How many raters an item may have in the end.
    to: Count = 3


class Gold(Practice):
    """Items with a known answer; numbers may lie `within` so much of it."""

    within: Annotated[float, Field(ge=0)] = 0


class Checks(Part):
    """Items mixed into a rater's work that never enter an estimate."""

    #: Items with a known answer, from a table like the study's own; attention checks are such items, too.
    gold: Gold | None = None
    #: So many of a rater's own items come a second time, for the rater's consistency with himself.
    repeats: Annotated[int, Field(ge=0)] = 0


#: What a rule of exclusion may speak of: how one rater worked, never how far the rater agrees with others.
QUALITIES = (
    "answers", "checks", "checks_failed", "checks_failed_share", "repeats", "repeats_changed",
    "repeats_changed_share", "median_seconds", "too_fast", "longest_run", "media_failed",
)  # fmt: skip


class ExcludeRaters(Part):
    """Whose answers leave the analysis, stated before there are any, and applied to everyone alike."""

    when: str
    #: Why, in the study's own words.
    because: Words = ""

    @field_validator("when")
    @classmethod
    def _speaks_of_how_a_rater_works(cls, given: str) -> str:
        for name in sorted(condition(given).names - set(QUALITIES)):
            hint = did_you_mean(name, QUALITIES) or f" It may speak of {', '.join(QUALITIES)}."
            raise ValueError(f"nothing is known of a rater under the name '{name}'.{hint}")
        return given


class Codes(Part):
    """What a rater carries back to where they came from, by how it ended: a code, or an address."""

    #: After the work, and only then.
    finished: str = ""
    declined: str = ""
    #: By the questions about eligibility.
    screened_out: str = ""
    failed_quiz: str = ""
    #: The quiz was passed, and enough others were better.
    not_selected: str = ""
    #: The same, and called when a place becomes free; without it, the code of `not_selected`.
    reserve: str = ""
    #: The places were filled before the quiz was taken.
    recruitment_closed: str = ""
    #: Others hold everything for the moment: for whoever does not want to wait.
    all_taken: str = ""
    #: Others have answered everything, or the rest of it.
    not_needed: str = ""
    closed: str = ""
    withdrawn: str = ""
    excluded: str = ""
    #: Somebody else does what was left; what was answered counts.
    replaced: str = ""


class Platform(Part):
    """Where raters come from: their id in the link, and where they are sent at the end."""

    name: str = "prolific"
    #: The parameter of the link that holds the rater's id on the platform.
    parameter: str = "PROLIFIC_PID"
    #: Addresses, or bare completion codes of the platform, after the work, a screen-out and no consent; `codes` has
    #: more ends, and comes first.
    completed: str = ""
    screened_out: str = ""
    no_consent: str = ""


class Times(Part):
    """What a rater is told about time, in the study's own words."""

    introduction: Words = ""
    practice: Words = ""
    work: Words = ""
    debrief: Words = ""
    item: Words = ""


class Debrief(Part):
    """The last page before the end: thanks and questions that may be left out."""

    text: File = ""
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
    consent: File
    instructions: File
    #: A text that stays at hand on every page of the work, such as a rubric.
    reference: File = ""
    eligibility: tuple[AskEligibility, ...] = ()
    background: tuple[Ask, ...] = ()
    screening: Screening | None = None
    practice: Practice | None = None
    escalate: Escalate | None = None
    checks: Checks | None = None
    exclude: ExcludeRaters | None = None
    break_after: Count | None = None
    debrief: Debrief | None = None
    times: Times = Times()
    compensation: Words = ""
    completion_code: str = ""
    codes: Codes = Codes()
    contact: Words = ""
    platform: Platform | None = None

    @property
    def most(self) -> int:
        """The most answers of raters that an item may have."""
        return max(self.per_item, self.escalate.to if self.escalate else 0)


def wrong_in_codes(raters: Raters) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Complaints about codes that would tell finished work where there is none: each a place and a sentence."""
    platform = raters.platform or Platform()
    finished = {_bare(code) for code in (raters.completion_code, raters.codes.finished, platform.completed) if code}
    ends = [name for name in Codes.model_fields if name != "finished"]
    given = [(("codes", name), getattr(raters.codes, name)) for name in ends]
    given += [(("platform", name), getattr(platform, name)) for name in ("screened_out", "no_consent")]
    for place, code in given:
        if code and _bare(code) in finished:
            sentence = f"{code} is the code after finished work. Give this end another one, or none."
            yield ("raters", *place), sentence


def _bare(code: str) -> str:
    """A code without the address around it.

    >>> _bare("https://app.prolific.com/submissions/complete?cc=C1A2") == _bare(" c1a2")
    True
    """
    return code.rpartition("cc=")[2].strip().casefold()
