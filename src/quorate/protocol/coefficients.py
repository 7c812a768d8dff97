"""The coefficients of agreement that a study asks for: rows of the table of statistics that fit its questions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, WithJsonSchema

from quorate.errors import did_you_mean
from quorate.questions import Question
from quorate.records import Level
from quorate.statistics import Statistic, fitting, statistic

if TYPE_CHECKING:
    from quorate.protocol.study_file import StudyFile

#: Every row that tells how well raters agree, by the name that a study file gives it.
KNOWN: dict[str, Statistic] = {row.name: row for level in ("nominal", "ordinal", "interval") for row in fitting(level)}
#: What is computed of numbers that raters give to each of several systems.
OF_EACH = ("krippendorff alpha",)


def _known(name: str) -> str:
    plain = " ".join(name.replace("_", " ").lower().split())
    if plain not in KNOWN:
        raise ValueError(
            f"there is no coefficient '{name}'.{did_you_mean(plain, KNOWN)} There are: {', '.join(KNOWN)}."
        )
    return plain


Coefficient = Annotated[str, AfterValidator(_known), WithJsonSchema({"type": "string", "enum": list(KNOWN)})]


def level_of(question: Question) -> str:
    """The level at which agreement on a question is computed; empty where two answers cannot agree.

    Texts agree where they have the same form, which is a category like any other.
    """
    if question.rates_each():
        return Level.ORDINAL.value
    if question.readings():
        return Level.ORDINAL.value if question.level is Level.ORDINAL else Level.NOMINAL.value
    return question.level.value if question.level in (Level.INTERVAL, Level.RATIO) else ""


def fits(row: Statistic, question: Question) -> bool:
    """Whether a coefficient can be computed of a question's answers."""
    level = level_of(question)
    return bool(level) and row.fits(level) and (not question.rates_each() or row.name in OF_EACH)


def knows_order(row: Statistic) -> bool:
    """Whether a coefficient takes a far disagreement for more than a near one."""
    return row.name == "krippendorff alpha" or not row.fits(Level.NOMINAL.value)


def wrong_in_agreement(study: StudyFile) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Complaints about `analysis.agreement` and `primary`: one that fits no question, with those that fit."""
    asked = [ask.question for section in study.sections for ask in section.ask]
    # A weighted score is a number.
    has_scores = any(section.scores for section in study.sections)
    usable = [
        row for row in KNOWN.values()
        if any(fits(row, question) for question in asked) or (has_scores and row.fits(Level.INTERVAL.value))
    ]  # fmt: skip
    given = study.analysis.agreement if "agreement" in study.analysis.model_fields_set else ()
    named: list[tuple[tuple[str | int, ...], str]] = [(("agreement", place), name) for place, name in enumerate(given)]
    if study.analysis.primary:
        named.append((("primary",), study.analysis.primary))
    for where, name in named:
        if statistic(name) not in usable:
            rest = f"Those that fit: {', '.join(row.name for row in usable)}." if usable else "None fits."
            yield ("analysis", *where), f"'{name}' fits no question of this study. {rest}"
