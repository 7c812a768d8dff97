"""Reads a study's folder once into a Protocol, or says everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from quorate.errors import Complaint, StudyError, StudyFileError, did_you_mean
from quorate.importers import Row, read_rows
from quorate.importers.tables import decode
from quorate.media import source_of
from quorate.protocol.complaints import complaints_about
from quorate.protocol.hashes import analysis_hash, collection_hash
from quorate.protocol.protocol import Protocol
from quorate.protocol.study_file import Items, StudyFile
from quorate.protocol.yaml import Document
from quorate.records import Item

STUDY_FILE = "study.yaml"


def load(folder: Path | str) -> Protocol:
    """The study in this folder as types; a StudyFileError holds every complaint at once."""
    folder = Path(folder)
    path = folder / STUDY_FILE
    if not path.is_file():
        sentence = f"there is no study file here. Make a study with: quorate new visual-puns {folder}"
        raise StudyFileError([Complaint(str(path), None, "", sentence)])
    document = Document(path)
    try:
        study = StudyFile.model_validate(document.data)
    except ValidationError as error:
        complaints = complaints_about(error, document, StudyFile)
        # Files that are missing are worth knowing in the same round.
        raise StudyFileError([*complaints, *_missing_files(folder, document)]) from error
    return _Reading(folder, document, study).protocol()


class _Reading:
    """One reading of a valid study file and the files it names; complaints gather until the end."""

    def __init__(self, folder: Path, document: Document, study: StudyFile):
        self.folder = folder
        self.document = document
        self.study = study
        self.complaints: list[Complaint] = []
        self.contents: dict[str, bytes] = {}

    def protocol(self) -> Protocol:
        for name, place in named_files(self.document.data):
            self._read(name, place)
        study = self._with_files()
        pool = self._items(study.items.from_, ("items",), study.items)
        practice = study.raters.practice
        rounds: tuple[Item, ...] = ()
        if practice:
            rounds = self._items(practice.from_, ("raters", "practice"), practice)
        self._check_fields(study, pool, rounds)
        self._check_names(study)
        if self.complaints:
            raise StudyFileError(sorted(set(self.complaints), key=lambda c: (c.file, c.line or 0)))
        texts = {name: decode(content) for name, content in self.contents.items() if name.endswith(".md")}
        return Protocol(
            folder=self.folder,
            file=study,
            pool=pool,
            practice=rounds,
            texts=texts,
            collection_hash=collection_hash(self.document.data, self.contents),
            analysis_hash=analysis_hash(self.document.data),
            source=self.document.data,
        )

    def _complain(self, place: Sequence[str | int], sentence: str) -> None:
        self.complaints.append(self.document.complaint(place, sentence))

    def _read(self, name: str, place: tuple[str | int, ...]) -> None:
        path = self.folder / name
        if Path(name).is_absolute() or not path.resolve().is_relative_to(self.folder.resolve()):
            self._complain(place, f"'{name}' is outside the study's folder. Copy it in: one folder is the whole study.")
            return
        try:
            self.contents[name] = path.read_bytes()
        except OSError:
            self._complain(place, f"there is no file '{name}'.{_similar_file(self.folder, name)}")

    def _with_files(self) -> StudyFile:
        """The study with every question's files read in."""
        sections = []
        for s, section in enumerate(self.study.sections):
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
        return self.study.model_copy(update={"sections": tuple(sections)})

    def _items(self, name: str, place: tuple[str | int, ...], source: Any) -> tuple[Item, ...]:
        if name not in self.contents:
            return ()
        try:
            rows = read_rows(self.folder / name)
        except StudyError as error:
            self._complain((*place, "from"), f"{name}: {error}")
            return ()
        if not rows:
            self._complain((*place, "from"), f"{name} has a header and no rows: there is nothing to rate.")
            return ()
        key = (source.id,) if isinstance(source.id, str) else source.id
        if not self._has_fields(rows[0].fields, key, (*place, "id"), name):
            return ()
        if isinstance(source, Items) and source.iteration is not None:
            if not self._has_fields(rows[0].fields, (source.iteration,), (*place, "iteration"), name):
                return ()
            rows = self._one_iteration(rows, key, source, name)
        return self._unique(rows, key, name)

    def _one_iteration(self, rows: list[Row], key: Sequence[str], source: Items, name: str) -> list[Row]:
        chosen: dict[tuple[str, ...], tuple[float, Row]] = {}
        for row in rows:
            try:
                number = float(row.fields[source.iteration or ""])
            except (TypeError, ValueError):
                value = row.fields[source.iteration or ""]
                self.complaints.append(
                    Complaint(name, row.line, source.iteration or "", f"{value!r} is not the number of an iteration.")
                )
                continue
            if isinstance(source.take, int) and number != source.take:
                continue
            sign = -1 if source.take == "first" else 1
            item = tuple(str(row.fields[field]) for field in key)
            if item not in chosen or sign * number > chosen[item][0]:
                chosen[item] = (sign * number, row)
        return [row for _, row in chosen.values()]

    def _unique(self, rows: list[Row], key: Sequence[str], name: str) -> tuple[Item, ...]:
        items: dict[str, Item] = {}
        lines: dict[str, int] = {}
        for row in rows:
            id = " / ".join(str(row.fields.get(field, "") or "").strip() for field in key)
            if not id.strip(" /"):
                self.complaints.append(Complaint(name, row.line, ", ".join(key), "this row has no id."))
            elif id in items:
                sentence = f"the id '{id}' stands on line {lines[id]} already. Every item needs an id of its own."
                self.complaints.append(Complaint(name, row.line, ", ".join(key), sentence))
            else:
                items[id] = Item(id, row.fields)
                lines[id] = row.line
        return tuple(items.values())

    def _has_fields(
        self, fields: Mapping[str, Any], names: Sequence[str], place: tuple[str | int, ...], table: str
    ) -> bool:
        missing = [name for name in names if name not in fields]
        for name in missing:
            hint = did_you_mean(name, fields) or f" It has: {', '.join(fields)}."
            self._complain(place, f"items have no field '{name}' ({table}).{hint}")
        return not missing

    def _check_fields(self, study: StudyFile, pool: Sequence[Item], practice: Sequence[Item]) -> None:
        """Every field that the study names is in the items."""
        for items, table, is_pool in ((pool, study.items.from_, True), (practice, "practice", False)):
            if not items:
                continue
            fields = items[0].fields
            for names, place in named_fields(study):
                if is_pool or place[0] == "sections":
                    if not is_pool and place[-1] == "hide":
                        continue
                    self._has_fields(fields, names, place, table)
        self._check_media(study, pool, practice)

    def _check_media(self, study: StudyFile, pool: Sequence[Item], practice: Sequence[Item]) -> None:
        for s, section in enumerate(study.sections):
            for m, show in enumerate(section.show):
                place = ("sections", s, "show", m)
                if not all(f in item.fields for item in (*pool[:1], *practice[:1]) for f in show.part.fields()):
                    continue
                missing = [
                    (item.id, path)
                    for item in (*pool, *practice)
                    for path in show.part.paths(item)
                    if not (self.folder / source_of(path)).is_file()
                ]
                if missing:
                    id, path = missing[0]
                    more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
                    self._complain(place, f"item '{id}': there is no file '{path}'{more}.")

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
        if compare and compare.judge not in study.judges:
            hint = did_you_mean(compare.judge, study.judges)
            self._complain(("analysis", "compare", "judge"), f"there is no judge '{compare.judge}'.{hint}")
        practice = study.raters.practice
        if practice and practice.section and practice.section not in sections:
            hint = did_you_mean(practice.section, sections)
            self._complain(("raters", "practice", "section"), f"there is no section '{practice.section}'.{hint}")


def named_fields(study: StudyFile) -> Iterator[tuple[tuple[str, ...], tuple[str | int, ...]]]:
    """The item fields that a study names, each with its place in the study file."""
    for s, section in enumerate(study.sections):
        for m, show in enumerate(section.show):
            yield show.part.fields(), ("sections", s, "show", m, show.kind)
        for a, ask in enumerate(section.ask):
            yield ask.part.fields(), ("sections", s, "ask", a, ask.kind)
        yield section.hide, ("sections", s, "hide")
    for name, judge in study.judges.items():
        yield judge.part.fields(), ("judges", name)
    if study.items.exclude:
        yield (study.items.exclude.field,), ("items", "exclude", "field")
    yield study.export.fields, ("export", "fields")


def named_files(data: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    """The files that a study file names, each with its place: known keys, wherever they stand."""
    yield from _files_in(data, ())


_FILE_KEYS = {"from", "consent", "instructions", "variants"}


def _files_in(node: Any, place: tuple[str | int, ...]) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    if isinstance(node, Mapping):
        for key, value in node.items():
            is_file = key in _FILE_KEYS or (place[-1:] == ("debrief",) and key == "text")
            if is_file and isinstance(value, str):
                yield value, (*place, key)
            else:
                yield from _files_in(value, (*place, key))
    elif isinstance(node, list):
        for number, value in enumerate(node):
            yield from _files_in(value, (*place, number))


def _missing_files(folder: Path, document: Document) -> list[Complaint]:
    return [
        document.complaint(place, f"there is no file '{name}'.{_similar_file(folder, name)}")
        for name, place in named_files(document.data)
        if not (folder / name).is_file()
    ]


def _similar_file(folder: Path, name: str) -> str:
    near = (folder / name).parent
    return did_you_mean(Path(name).name, [path.name for path in near.iterdir()]) if near.is_dir() else ""
