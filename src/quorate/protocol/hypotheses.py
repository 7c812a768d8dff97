"""What a study expects before it has data: each hypothesis names the number it rests on and what that should be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, ValidationError, field_validator

from quorate.errors import did_you_mean
from quorate.languages import Words
from quorate.parts import Part
from quorate.protocol.entries import Name
from quorate.protocol.yaml import from_yaml

if TYPE_CHECKING:
    from quorate.protocol.study_file import StudyFile

Direction = Literal["above", "below", "differs from"]
_EXPECTED = re.compile(r"(above|below|differs from)(?:\s+([+\-−]?\d*\.?\d+)\s*(%?))?")
#: What `overall` findings of a section are called in place of a question.
OVERALL = "overall"


class Hypothesis(Part):
    """One expectation: `{id: refined, rests_on: prefer.preference.sign_test, expects: above 0.5, statement: …}`."""

    id: Name
    #: What is expected, in words.
    statement: Words
    #: The id of the finding that decides it, as results.json has it; it begins with a section and a question.
    rests_on: str
    #: `above`, `below` or `differs from` a number; without one, what no effect would give (0, or a half of wins).
    expects: str = "above"
    alpha: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    #: Hypotheses of one family are corrected together.
    family: str = "declared"
    #: A two-sided test asks for the stated side as well; a one-sided one looks at no other.
    sides: Literal["one", "two"] = "two"

    @field_validator("expects")
    @classmethod
    def _is_expected(cls, given: str) -> str:
        if not _EXPECTED.fullmatch(given.strip()):
            raise ValueError("should be like 'above 0.5', 'below 0' or 'differs from 0'; the number may be left out.")
        return given.strip()

    @property
    def direction(self) -> Direction:
        """On which side of the threshold the value is expected."""
        return self._parts[0]

    @property
    def threshold(self) -> float | None:
        """The number that the value is held against; None for what no effect would give."""
        number, percent = self._parts[1:]
        return None if number is None else float(number.replace("−", "-")) / (100 if percent else 1)

    @property
    def _parts(self) -> Any:
        found = _EXPECTED.fullmatch(self.expects)
        assert found is not None
        return found.groups()

    def same_as(self, other: Hypothesis) -> bool:
        """Whether two say the same; the words may differ."""
        return self.model_copy(update={"statement": ""}) == other.model_copy(update={"statement": ""})


def declared_in(text: str) -> tuple[Hypothesis, ...]:
    """The hypotheses of a frozen copy of a study file."""
    given = (from_yaml(text) or {}).get("analysis") or {}
    found = []
    for one in given.get("hypotheses") or ():
        try:
            found.append(Hypothesis.model_validate(one))
        except ValidationError:  # written for an older Quorate: it cannot be the same as any that is read now
            continue
    return tuple(found)


def one_level_a_family(hypotheses: Sequence[Hypothesis]) -> str:
    """What is wrong with the levels, if anything: a family is read at one."""
    for family in dict.fromkeys(one.family for one in hypotheses):
        levels = sorted({one.alpha for one in hypotheses if one.family == family})
        if len(levels) > 1:
            words = " and ".join(f"{level:g}" for level in levels)
            return f"the family '{family}' has hypotheses with alpha {words}: a family is read at one level."
    return ""


def wrong_in_hypotheses(study: StudyFile) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Hypotheses of one name, and those that rest on a question which is not asked."""
    ids: list[str] = []
    for place, one in enumerate(study.analysis.hypotheses):
        where = ("analysis", "hypotheses", place)
        if one.id in ids:
            yield (*where, "id"), f"two hypotheses are named '{one.id}'."
        ids.append(one.id)
        known = list(_places(study))
        if not any(one.rests_on.startswith(f"{name}.") for name in known):
            hint = did_you_mean(".".join(one.rests_on.split(".")[:2]), known)
            yield (*where, "rests_on"), f"'{one.rests_on}' begins with no section and question of this study.{hint}"


def _places(study: StudyFile) -> Iterator[str]:
    for section in study.sections:
        names = [ask.id for ask in section.ask] + [score.id for score in section.scores]
        # A score over the parts that all items share has the score's name with a word after it.
        yield from (f"{section.id}.{name}" for name in (*names, *(f"{score.id}_shared" for score in section.scores)))
        yield f"{section.id}.{OVERALL}"
