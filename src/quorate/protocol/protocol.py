"""A study as types: what the rest of the code knows of a study file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from quorate.importers import Row
from quorate.languages import Words, languages_of, say
from quorate.media import Originals
from quorate.protocol.study_file import Analysis, Asks, Raters, Section, StudyFile
from quorate.records import Item


@dataclass(frozen=True, eq=False)
class Protocol:
    """The study file, the files it names and their hashes. Made by `load`, never changed."""

    folder: Path
    file: StudyFile
    pool: tuple[Item, ...]
    practice: tuple[Item, ...]
    texts: Mapping[str, str]
    tables: Mapping[str, tuple[Row, ...]]
    collection_hash: str
    analysis_hash: str
    source: Mapping[str, Any]
    #: Items with a known answer, for checks; the plan takes as many as the study file says.
    gold: tuple[Item, ...] = ()

    @property
    def seed(self) -> int:
        """The seed of every draw that the plan makes."""
        return self.file.seed

    @cached_property
    def originals(self) -> Originals:
        """The media as the researcher keeps them, in the folder or in a store of objects."""
        return Originals(self.folder, self.file.settings.media)

    @property
    def raters(self) -> Raters:
        """Who rates, and the way they go."""
        return self.file.raters

    @property
    def analysis(self) -> Analysis:
        """What is computed."""
        return self.file.analysis

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections in their order."""
        return self.file.sections

    def section(self, id: str) -> Section:
        """The section with this id."""
        return self._sections[id]

    @cached_property
    def _sections(self) -> Mapping[str, Section]:
        return {section.id: section for section in self.sections}

    def ask(self, section: str, question: str) -> Asks:
        """One question of a section."""
        return next(ask for ask in self.section(section).ask if ask.id == question)

    @property
    def practice_section(self) -> Section:
        """The section whose questions the practice round asks."""
        practice = self.raters.practice
        return self.section(practice.section) if practice and practice.section else self.sections[0]

    @property
    def practice_answered(self) -> tuple[Asks, ...]:
        """The questions of the practice round whose right answer is known: their own, or one that its items state."""
        rule = self.raters.practice
        asked = self.practice_section.ask if rule else ()
        return tuple(ask for ask in asked if ask.question.is_scored() or (rule and ask.id in rule.answers))

    def blind_fields(self, section: Section) -> tuple[str, ...]:
        """The fields that no byte sent to a rater in this section may hold: all that the page does not show."""
        blind = [*section.hide]
        for ask in section.ask:
            blind += ask.question.blind_fields()
        for judge in self.file.judges.values():
            blind += judge.judge.fields()
        shown = {field for show in section.show for field in show.part.fields()}
        for show in section.show:
            blind += show.part.blind_fields()
            shown -= set(show.part.blind_fields())
        return tuple(dict.fromkeys(field for field in blind if field not in shown))

    def guide(self, section: Section, item: Item, language: str = "en") -> str:
        """What this kind of item expects, from the section's table of guides; nothing where the table has no row."""
        rule = section.guide
        if rule is None:
            return ""
        kind = str(item.fields.get(rule.on) or "")
        rows = (row.fields for row in self.tables[rule.from_])
        return next((str(row[say(rule.text, language)]) for row in rows if str(row[rule.on]) == kind), "")

    def text(self, file: Words, language: str = "en") -> str:
        """The content of a text file that the study names, in a language."""
        return self.texts[say(file, language)]

    def version_of(self, file: Words, language: str = "en") -> str:
        """A short name for the content of a text file, to be kept with a consent."""
        return blake2b(self.text(file, language).encode(), digest_size=6).hexdigest()

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages that the study's texts are written in."""
        prompts = [ask.question.prompt for section in self.sections for ask in section.ask]
        return languages_of([self.file.title, self.raters.consent, *prompts])
