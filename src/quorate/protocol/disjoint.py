"""Quiz and practice must not prime raters: no notion in them may be a concept of the study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quorate.errors import Complaint
from quorate.importers import Row
from quorate.protocol.study_file import StudyFile
from quorate.questions.canonical import STEPS, canonical
from quorate.records import Item

Tables = Mapping[str, Sequence[Row]]


def leaks(study: StudyFile, pool: Sequence[Item], tables: Tables) -> Iterator[Complaint]:
    """A complaint for each notion of the quiz or the practice round that the study asks about.

    A draw that was published has to stay as it is: there the methodology check names what practice gives away.
    """
    quiz = study.raters.screening
    if quiz:
        concepts = study_concepts(study, pool, tables)
        yield from _leaks(quiz.from_, tables, (quiz.answer, *quiz.options), concepts, "quiz")
    if not is_published(study):
        yield from practice_leaks(study, pool, tables)


def is_published(study: StudyFile) -> bool:
    """Whether the sample is one that was drawn and published elsewhere."""
    return study.items.sample is not None and study.items.sample.method == "python random"


def practice_leaks(study: StudyFile, pool: Sequence[Item], tables: Tables) -> Iterator[Complaint]:
    """A complaint for each notion of the practice round that the study asks about and does not exclude."""
    practice = study.raters.practice
    if practice and not (study.items.exclude and study.items.exclude.practice):
        fields = [field for section in study.sections for ask in section.ask for field in ask.part.concept_fields()]
        yield from _leaks(practice.from_, tables, fields, study_concepts(study, pool, tables), "practice round")


def study_concepts(study: StudyFile, pool: Sequence[Item], tables: Tables) -> dict[str, str]:
    """Every concept that a rater may meet as target or option, in canonical form, with where it stands."""
    concepts: dict[str, str] = {}
    for section in study.sections:
        for ask in section.ask:
            for field in ask.part.concept_fields():
                for item in pool:
                    concepts.setdefault(_same(item.fields.get(field)), f"item '{item.id}'")
            for name, field in ask.part.concept_tables():
                for row in tables.get(name, ()):
                    concepts.setdefault(_same(row.fields.get(field)), f"{name}:{row.line}")
    concepts.pop("", None)
    return concepts


def _leaks(
    name: str, tables: Tables, fields: Sequence[str], concepts: Mapping[str, str], what: str
) -> Iterator[Complaint]:
    for row in tables.get(name, ()):
        for field in dict.fromkeys(fields):
            place = concepts.get(_same(row.fields.get(field)))
            if place:
                notion = row.fields[field]
                advice = f"The {what} needs another notion: raters must not meet it before."
                sentence = f"'{notion}' is a concept of the study ({place}). {advice}"
                yield Complaint(name, row.line, field, sentence)


def _same(value: object) -> str:
    return canonical(str(value or ""), list(STEPS))
