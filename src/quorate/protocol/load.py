"""Reads a study's folder once into a Protocol, or says everything that is wrong with it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from quorate.errors import Complaint, StudyError, StudyFileError, did_you_mean
from quorate.files import read_bounded
from quorate.importers import READERS, Row, read_rows
from quorate.importers.tables import LARGEST_TABLE, decode
from quorate.media import Medium, Originals, place_in_folder, source_of, wrong_address
from quorate.protocol.asked import wrong_in_options, wrong_in_questions, wrong_in_quiz
from quorate.protocol.asked_again import wrong_in_checks, wrong_in_escalation, wrong_in_verdict
from quorate.protocol.coefficients import wrong_in_agreement
from quorate.protocol.complaints import complaints_about, places_of, respelt, without
from quorate.protocol.disjoint import leaks
from quorate.protocol.generations import wrong_in_generations
from quorate.protocol.hashes import analysis_hash, collection_hash
from quorate.protocol.hypotheses import wrong_in_hypotheses
from quorate.protocol.items import one_iteration, unique_items, with_derived, with_every_field
from quorate.protocol.named import Place, is_table, is_text, named_fields, named_files
from quorate.protocol.protocol import Protocol
from quorate.protocol.raters import wrong_in_codes
from quorate.protocol.study_file import Items, StudyFile
from quorate.protocol.yaml import LARGEST_TEXT, Document, dotted
from quorate.records import Item

STUDY_FILE = "study.yaml"
LONGEST = 1_000_000
"""The most characters of one field that a page shows: a book of 500 pages."""

Found = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Fields by the id of their item, of the `pool`, the `practice` items and `gold`."""


def load(folder: Path | str, found: Found | None = None, *, objects: bool = False, lacking: bool = False) -> Protocol:
    """The study in this folder as types; a StudyFileError holds every complaint at once.

    `found` is what the media found out before, for a folder without its media: then nobody looks for them. Media in a
    store of objects are looked for with `objects` alone: the others do without the network. With `lacking`, files of
    media may be missing: whoever asks for one is told then.
    """
    folder = Path(folder)
    path = folder / STUDY_FILE
    if not path.is_file():
        sentence = f"there is no study file here. Make a study with: quorate new visual-puns {folder}"
        raise StudyFileError([Complaint(str(path), None, "", sentence)])
    document = Document(path)
    try:
        study = StudyFile.model_validate(document.data)
    except ValidationError as error:
        raise StudyFileError(_all_complaints(folder, document, error)) from error
    return _Reading(folder, document, study, found=found, objects=objects, lacking=lacking).protocol()


def _all_complaints(folder: Path, document: Document, error: ValidationError) -> list[Complaint]:
    """What is wrong in the study file, and what the rest of it says about tables and files, in one round."""
    complaints = complaints_about(error, document, StudyFile)
    meant, misspelt = respelt(error, document.data, StudyFile)
    wrong: Sequence[Place] = places_of(error, meant)
    if misspelt:
        told = {dotted((*place[:-1], key)) for place, key in misspelt.items()}
        complaints = [complaint for complaint in complaints if complaint.path in told]
        document, wrong = document.reading_as(meant, misspelt), ()
        try:
            StudyFile.model_validate(meant)
        except ValidationError as still:
            complaints += complaints_about(still, document, StudyFile)
            wrong = places_of(still, meant)
    try:
        rest = StudyFile.model_validate(without(meant, wrong))
    except ValidationError:
        reading = _Reading(folder, document, None)
        reading.read_files()
    else:
        reading = _Reading(folder, document, rest, wrong)
        reading.read()
    return _in_order([*complaints, *reading.complaints])


def _in_order(complaints: Collection[Complaint]) -> list[Complaint]:
    """Each once: those about the study file first, by line, then those about its tables."""
    return sorted(dict.fromkeys(complaints), key=lambda c: (c.file != STUDY_FILE, c.file, c.line or 0, c.path))


class _Reading:
    """One reading of a study file and the files it names; complaints gather until the end.

    `wrong` are the places of the study file that were left out because they have complaints already.
    """

    def __init__(
        self,
        folder: Path,
        document: Document,
        study: StudyFile | None,
        wrong: Collection[Place] = (),
        found: Found | None = None,
        objects: bool = False,
        lacking: bool = False,
    ):
        self.folder = folder
        self.document = document
        self.study = study
        self.wrong = wrong
        self.found = found
        self.objects = objects
        self.lacking = lacking
        self.originals = Originals(folder, study.settings.media if study else "")
        self.complaints: list[Complaint] = []
        self.contents: dict[str, bytes] = {}
        self.texts: dict[str, str] = {}
        self.tables: dict[str, tuple[Row, ...]] = {}
        self.gold: tuple[Item, ...] = ()
        self._folders: dict[str, str] = {}

    def protocol(self) -> Protocol:
        study, pool, practice = self.read()
        if self.complaints:
            raise StudyFileError(_in_order(self.complaints))
        return Protocol(
            folder=self.folder,
            file=study,
            pool=self._prepared(study, pool, "pool"),
            practice=self._prepared(study, practice, "practice"),
            texts=self.texts,
            tables=self.tables,
            collection_hash=collection_hash(self.document.data, self._contents(of_analysis=False)),
            analysis_hash=analysis_hash(self.document.data, self._contents(of_analysis=True)),
            source=self.document.data,
            gold=self._prepared(study, self.gold, "gold"),
        )

    def _contents(self, of_analysis: bool) -> dict[str, bytes]:
        """The files that only the analysis names, or all the others: each kind has its own hash."""
        named = list(named_files(self.document.data))
        collected = {name for name, place in named if place[0] != "analysis"}
        return {name: content for name, content in self.contents.items() if (name not in collected) == of_analysis}

    def read(self) -> tuple[StudyFile, tuple[Item, ...], tuple[Item, ...]]:
        """The study with its files read in, its pool and its practice items."""
        assert self.study is not None
        self.read_files()
        study = self._with_files(self.study)
        pool = self._items(study.items.from_, ("items",), study.items)
        rule = study.raters.practice
        practice = self._items(rule.from_, ("raters", "practice"), rule) if rule else ()
        self._check_fields(study, pool, practice)
        self.gold = self._gold(study)
        self._check_media(study, pool, (*practice, *self.gold))
        self._check_targets(study, pool, practice)
        self._check_practice(study, practice)
        self._check_accepted(study)
        self._check_names(study)
        asked_again = (*wrong_in_escalation(study), *wrong_in_verdict(study), *wrong_in_checks(study, self.gold, pool))
        analysed = (*wrong_in_agreement(study), *wrong_in_hypotheses(study))
        # Worked examples may have fields of their own, which rules speak of.
        fields = {**pool[0].fields, **(practice[0].fields if practice else {})} if pool else {}
        asked = (*wrong_in_questions(study, fields, self.tables), *wrong_in_quiz(study, pool, self.tables))
        options = wrong_in_options(study, (*pool, *practice, *self.gold))
        codes = wrong_in_codes(study.raters)
        shown = {one for section in study.sections for show in section.show for item in pool
                 for one in show.part.systems(item)}  # fmt: skip
        chosen = wrong_in_generations(study, self.tables, sorted(shown))
        for place, sentence in (*asked, *options, *asked_again, *codes, *analysed, *chosen):
            self._complain(place, sentence)
        self.complaints += leaks(study, pool, self.tables)
        return study, pool, practice

    def _prepared(self, study: StudyFile, items: tuple[Item, ...], which: str) -> tuple[Item, ...]:
        """The items with what the media find out from the whole table or from its files."""
        if self.found is not None:
            known = self.found.get(which, {})
            return tuple(Item(item.id, {**item.fields, **known.get(item.id, {})}) for item in items)
        for section in study.sections:
            for show in section.show:
                items = tuple(show.part.prepared(items, self._read_medium))
        return items

    def _read_medium(self, path: str) -> bytes:
        return self.originals.read_kept(path, anew=self.objects)

    def _gold(self, study: StudyFile) -> tuple[Item, ...]:
        rule = study.raters.checks.gold if study.raters.checks else None
        return self._items(rule.from_, ("raters", "checks", "gold"), rule) if rule else ()

    def read_files(self) -> None:
        """Reads every file that the study file names."""
        for name, place in named_files(self.document.data):
            self._read(name, place)

    def _complain(self, place: Sequence[str | int], sentence: str) -> None:
        self.complaints.append(self.document.complaint(place, sentence))

    def _read(self, name: str, place: Place) -> None:
        if not self._is_inside(name):
            self._complain(place, f"'{name}' is outside the study's folder. Copy it in: one folder is the whole study.")
            return
        if (self.folder / name).exists() and not (self.folder / name).is_file():
            self._complain(place, f"'{name}' is a folder, or something else that is no file. Name the file itself.")
            return
        try:
            self.contents[name] = read_bounded(self.folder / name, LARGEST_TEXT if is_text(place) else LARGEST_TABLE)
            if is_text(place):
                self.texts[name] = decode(self.contents[name])
            elif is_table(place) and Path(name).suffix.lower() in READERS:
                self.tables[name] = tuple(with_every_field(read_rows(self.folder / name)))
        except OSError as error:
            self._complain(place, _why_not_read(self.folder, name, error))
        except StudyError as error:
            self._complain(place, f"{name}: {error}")

    def _with_files(self, study: StudyFile) -> StudyFile:
        """The study with every question's files read in."""
        sections = []
        for s, section in enumerate(study.sections):
            asks = []
            for a, ask in enumerate(section.ask):
                part = ask.part
                if all(name in self.contents for name in part.files()):
                    try:
                        part = part.with_files(self.contents)
                    except ValueError as error:
                        self._complain(("sections", s, "ask", a, ask.kind), str(error))
                asks.append(ask.model_copy(update={ask.kind: part}))
            sections.append(section.model_copy(update={"ask": tuple(asks)}))
        return study.model_copy(update={"sections": tuple(sections)})

    def _is_inside(self, name: str) -> bool:
        """Whether a file is in the study's folder, wherever links lead; a folder of many files is looked at once."""
        path = os.path.join(self.folder, name)
        root = self._real(str(self.folder))
        real = os.path.realpath(path) if os.path.islink(path) else f"{self._real(os.path.dirname(path))}/"
        return real == root or real.startswith(f"{root}/")

    def _real(self, folder: str) -> str:
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(folder)
        return self._folders[folder]

    def _items(self, name: str, place: Place, source: Any) -> tuple[Item, ...]:
        if any(wrong[: len(place)] == place for wrong in self.wrong):
            return ()
        if name in self.contents and name not in self.tables and Path(name).suffix.lower() not in READERS:
            kinds = ", ".join(READERS)
            self._complain((*place, "from"), f"{name} is not a kind of table that can be read ({kinds}).")
        if name not in self.tables:
            return ()
        rows: Sequence[Row] = self.tables[name]
        if not rows:
            self._complain((*place, "from"), f"{name} has no rows: there is nothing to rate.")
            return ()
        derive = self.study.items.derive if self.study else {}
        if isinstance(source, Items) and not self._has_fields(rows[0].fields, tuple(derive), (*place, "derive"), name):
            return ()
        # The practice items are read in the same way, where they have the field.
        try:
            rows = with_derived(rows, {field: pattern for field, pattern in derive.items() if field in rows[0].fields})
        except StudyError as error:
            self._complain((*place, "derive") if isinstance(source, Items) else place, str(error))
            return ()
        fields = rows[0].fields
        key = (source.id,) if isinstance(source.id, str) else source.id
        if not self._has_fields(fields, key, (*place, "id"), name):
            return ()
        if isinstance(source, Items) and source.iteration is not None:
            if not self._has_fields(fields, (source.iteration,), (*place, "iteration"), name):
                return ()
            rows, complaints = one_iteration(rows, key, source.iteration, source.take, name)
            self.complaints += complaints
        items, complaints = unique_items(rows, key, name)
        self.complaints += complaints
        return items

    def _has_fields(
        self, fields: Mapping[str, Any], names: Sequence[str], place: tuple[str | int, ...], table: str
    ) -> bool:
        missing = [name for name in names if name not in fields]
        for name in missing:
            hint = did_you_mean(name, fields) or f" It has: {', '.join(fields)}."
            self._complain(place, f"items have no field '{name}' ({table}).{hint}")
        return not missing

    def _check_fields(self, study: StudyFile, pool: Sequence[Item], practice: Sequence[Item]) -> None:
        """Every field that the study names is in the items, and in the practice items where raters meet it."""
        rule = study.raters.practice
        for names, place in named_fields(study):
            is_fine = not pool or self._has_fields(pool[0].fields, names, place, study.items.from_)
            # What is misspelt in the study file is told once; what practice alone lacks is told of its table.
            if is_fine and practice and rule and place[0] == "sections" and place[-1] != "hide":
                self._has_fields(practice[0].fields, names, place, rule.from_)

    def _check_media(self, study: StudyFile, pool: Sequence[Item], practice: Sequence[Item]) -> None:
        for s, section in enumerate(study.sections):
            is_shown = False
            for m, show in enumerate(section.show):
                if not all(f in item.fields for item in (*pool[:1], *practice[:1]) for f in show.part.fields()):
                    is_shown = True  # a field that is not there is told elsewhere
                    continue
                self._check_readable(show.part, (*pool, *practice), ("sections", s, "show", m))
                self._check_lengths(show.part.fields(), (*pool, *practice), ("sections", s, "show", m))
                paths = [(item.id, path) for item in (*pool, *practice) for path in show.part.paths(item)]
                self._check_paths(paths, ("sections", s, "show", m))
                is_shown |= bool(paths)
            if section.grid and pool and not is_shown:
                self._complain(("sections", s, "grid"), "a grid needs pictures: `show` should hold an image.")

    def _check_readable(self, medium: Medium, items: Iterable[Item], place: Place) -> None:
        """What no page could show as it is meant, such as messages in a form of their own."""
        found = [(item.id, why) for item in items if medium.applies(item) and (why := medium.unreadable(item))]
        if found:
            id, why = found[0]
            self._complain(place, f"item '{id}': {why}{_and_more(found)}.")

    def _check_lengths(self, fields: Sequence[str], items: Iterable[Item], place: Place) -> None:
        """A text that no page can show is a mistake, such as a quote that is never closed."""
        for item in items:
            for field in fields:
                length = len(text) if isinstance(text := item.fields.get(field), str) else 0
                if length > LONGEST:
                    most = f"and a page shows at most {LONGEST:,}. Shorten it."
                    self._complain(place, f"item '{item.id}': '{field}' holds {length:,} characters, {most}")
                    return

    def _check_paths(self, paths: Sequence[tuple[str, str]], place: Place) -> None:
        if self.found is not None:
            return
        objects = [(id, path) for id, path in paths if self.originals.address(source_of(path))]
        if objects:
            self._check_objects(objects, place)
            paths = [(id, path) for id, path in paths if not self.originals.address(source_of(path))]
        for wrong, is_wrong in (
            ("there is no file '{}'", lambda source: not self._is_there(source)),
            ("'{}' is outside the study's folder", lambda source: not self._is_inside(source)),
        ):
            found = [(id, path) for id, path in paths if is_wrong(place_in_folder(source_of(path)))]
            if found:
                id, path = found[0]
                self._complain(place, f"item '{id}': {wrong.format(path)}{_and_more(found)}.")
                return

    def _is_there(self, source: str) -> bool:
        return self.lacking or os.path.isfile(os.path.join(self.folder, source))

    def _check_objects(self, paths: Sequence[tuple[str, str]], place: Place) -> None:
        """Names of objects are looked at always, the objects themselves where somebody asks for it."""
        for id, path in paths:
            sentence = wrong_address(self.originals.address(source_of(path)))
            if sentence:
                self._complain(place, f"item '{id}': {sentence}")
                return
        try:
            missing = set(self.originals.missing_objects(source_of(path) for _, path in paths) if self.objects else ())
        except StudyError as error:
            self._complain(place, str(error))
            return
        found = [(id, path) for id, path in paths if source_of(path) in missing]
        if found:
            id, path = found[0]
            address = self.originals.address(source_of(path))
            self._complain(place, f"item '{id}': there is no object '{address}'{_and_more(found)}.")

    def _check_targets(self, study: StudyFile, pool: Sequence[Item], practice: Sequence[Item]) -> None:
        """Where answers are right or wrong, every item has a right one."""
        for s, section in enumerate(study.sections):
            for a, ask in enumerate(section.ask):
                read = ask.part.fields()
                items = [item for item in (*pool, *practice) if all(field in item.fields for field in read)]
                asked = [item for item in items if ask.part.is_scored() and ask.applies(item.fields)]
                empty = [item.id for item in asked if not ask.part.right_answer(item).strip()]
                if empty:
                    more = f" (and {len(empty) - 1} more)" if empty[1:] else ""
                    sentence = f"item '{empty[0]}'{more} has no right answer: its target is empty."
                    self._complain(("sections", s, "ask", a, ask.kind, "target"), sentence)

    def _check_practice(self, study: StudyFile, practice: Sequence[Item]) -> None:
        rule = study.raters.practice
        if rule is None or not practice:
            return
        if rule.n is not None and rule.n > len(practice):
            sentence = f"the round has {rule.n} items, and {rule.from_} has {len(practice)}."
            self._complain(("raters", "practice", "n"), sentence)
        if rule.explanation is not None:
            place = ("raters", "practice", "explanation")
            self._has_fields(practice[0].fields, (rule.explanation,), place, rule.from_)

    def _check_accepted(self, study: StudyFile) -> None:
        """What lets a rater in can be answered; else nobody could ever take part."""
        for a, ask in enumerate(study.raters.eligibility):
            known = ask.question.option_ids()
            for value in ask.accept:
                if known and value not in known:
                    sentence = f"nobody can answer '{value}'.{did_you_mean(value, known)}"
                    self._complain(("raters", "eligibility", a, "accept"), sentence)

    def _check_names(self, study: StudyFile) -> None:
        sections = [section.id for section in study.sections]
        for s, id in enumerate(sections):
            if id in sections[:s]:
                self._complain(("sections", s, "id"), f"two sections are named '{id}'.")
        for s, section in enumerate(study.sections):
            questions = [ask.id for ask in section.ask]
            for a, id in enumerate(questions):
                if id in questions[:a]:
                    self._complain(("sections", s, "ask", a, "id"), f"two questions of this section are named '{id}'.")
        compare = study.analysis.compare
        judges = self.document.data.get("judges") or {}
        if compare and compare.judge not in judges:
            hint = did_you_mean(compare.judge, judges)
            self._complain(("analysis", "compare", "judge"), f"there is no judge '{compare.judge}'.{hint}")
        for id in study.triage.judges if study.triage else ():
            if id not in judges:
                self._complain(("triage", "judge"), f"there is no judge '{id}'.{did_you_mean(id, judges)}")
        asked = [ask.id for section in study.sections for ask in section.ask]
        for column, id in (study.export.own.columns if study.export.own else {}).items():
            if id not in asked:
                place = ("export", "own", "columns", column)
                self._complain(place, f"no section asks '{id}'.{did_you_mean(id, asked)}")
        practice = study.raters.practice
        if practice and practice.section and practice.section not in sections:
            hint = did_you_mean(practice.section, sections)
            self._complain(("raters", "practice", "section"), f"there is no section '{practice.section}'.{hint}")


def _and_more(found: Sequence[object]) -> str:
    return f" (and {len(found) - 1} more)" if found[1:] else ""


def _why_not_read(folder: Path, name: str, error: OSError) -> str:
    if (folder / name).is_symlink():
        return f"'{name}' is a link that leads nowhere. Copy the file itself into the study's folder."
    if isinstance(error, FileNotFoundError):
        return f"there is no file '{name}'.{_similar_file(folder, name)}"
    return f"'{name}' cannot be read ({error.strerror})."


def _similar_file(folder: Path, name: str) -> str:
    near = (folder / name).parent
    return did_you_mean(Path(name).name, [path.name for path in near.iterdir()]) if near.is_dir() else ""
