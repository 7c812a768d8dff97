"""A copy of a study whose blind values are markers: the same pages, and nothing in them that may not be found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from ruamel.yaml import YAML

from quorate.audit.fields import blind_somewhere, may_be_marked, places_of, read_by_rules
from quorate.audit.markers import Markers
from quorate.audit.tags import tagged
from quorate.errors import StudyError
from quorate.media import source_of
from quorate.protocol import Protocol
from quorate.protocol.load import STUDY_FILE
from quorate.protocol.named import named_files
from quorate.records import Item

ID = "audit_id"
JUDGED = "audit_judge"


@dataclass
class MarkedCopy:
    """A marked copy in the making: `folder` is where it is written."""

    protocol: Protocol
    folder: Path
    markers: Markers = field(default_factory=Markers)
    #: What could not be marked, in words.
    not_marked: set[str] = field(default_factory=set)
    _paths: dict[str, str] = field(default_factory=dict)
    _systems: dict[str, str] = field(default_factory=dict)
    judges: list[str] = field(default_factory=list)
    #: The items' own names, by the markers that stand for them.
    ids: dict[str, str] = field(default_factory=dict)

    def write(self, items: Sequence[Item]) -> None:
        """Writes the study with these items of the plan."""
        data = deepcopy(dict(self.protocol.source))
        self._copy_files(data)
        self._name_systems(data)
        for part in ("analysis", "export", "settings"):
            data.pop(part, None)
        self._write_table("audit_items.jsonl", items)
        data["items"] = {"from": "audit_items.jsonl", "id": ID}
        self._name_judges(data)
        self._change_raters(data["raters"])
        YAML(typ="safe", pure=True).dump(_plain(data), self.folder / STUDY_FILE)
        self.not_marked |= read_by_rules(self.protocol) & blind_somewhere(self.protocol)

    def _copy_files(self, data: Mapping[str, Any]) -> None:
        for name, _ in named_files(data):
            target = self.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((self.protocol.folder / name).read_bytes())

    def _name_systems(self, data: dict[str, Any]) -> None:
        """Systems that the study file names become markers, there and where a scale speaks of one of them."""
        for section in data["sections"]:
            for show in section["show"]:
                for kind in ("pair", "set"):
                    systems = show[kind].get("systems") if isinstance(show.get(kind), dict) else None
                    if isinstance(systems, dict):
                        show[kind]["systems"] = {self._system(str(name)): value for name, value in systems.items()}
            for ask in section["ask"]:
                for question in ask.values():
                    if isinstance(question, dict) and str(question.get("of")) in self._systems:
                        question["of"] = self._systems[str(question["of"])]

    def _system(self, name: str) -> str:
        if name not in self._systems:
            self._systems[name] = self.markers.make(f"the system '{name}'")
        return self._systems[name]

    def _name_judges(self, data: dict[str, Any]) -> None:
        named = {name: self.markers.make(f"the judge '{name}'") for name in data.get("judges") or {}}
        self.judges = list(named.values())
        data["judges"] = {name: {"recorded": JUDGED} for name in self.judges}
        rule = self.protocol.file.triage
        if rule is not None:
            data["triage"] = {**data["triage"], "judge": [named[judge] for judge in rule.judges]}

    def _change_raters(self, raters: dict[str, Any]) -> None:
        """Two raters see every item: one whose answers must stay hidden, and the one who is played."""
        raters |= {"per_item": 2, "roster": 2}
        raters.pop("cap", None)
        if raters.get("escalate"):
            raters["escalate"]["to"] = max(3, raters["escalate"].get("to", 3))
        if raters.get("screening"):
            raters["screening"]["top"] = 1
        if raters.get("practice"):
            self._write_table("audit_practice.jsonl", self.protocol.practice, practice=True)
            raters["practice"] |= {"from": "audit_practice.jsonl", "id": ID}
        gold = (raters.get("checks") or {}).get("gold")
        if gold:
            self._write_table("audit_gold.jsonl", self.protocol.gold)
            gold |= {"from": "audit_gold.jsonl", "id": ID}

    def _write_table(self, name: str, items: Iterable[Item], *, practice: bool = False) -> None:
        rows = [self._row(item, practice) for item in items]
        (self.folder / name).write_bytes(b"\n".join(msgspec.json.encode(row) for row in rows) + b"\n")

    def _row(self, item: Item, practice: bool) -> dict[str, Any]:
        for path in self._files_of(item):
            self._place_file(path)
        marked = may_be_marked(self.protocol, item.fields) - (self._stated() if practice else set())
        row = {ID: self.markers.make(f"the id of item '{item.id}'")}
        self.ids[row[ID]] = item.id
        for name, value in item.fields.items():
            if name.startswith("quorate_"):
                continue
            moved = self._moved(value)
            if name in marked and moved == value and value not in (None, "", [], {}):
                allowed = places_of(self.protocol, name, practice=practice)
                moved = self.markers.make(f"{name} of item '{item.id}'", allowed)
            row[name] = moved
        return {**row, JUDGED: self.markers.make(f"a judge's recorded answer about item '{item.id}'")}

    def _stated(self) -> set[str]:
        """The fields that state the right answers of a practice round: a question has to understand them."""
        rule = self.protocol.raters.practice
        return {path.split(".")[0] for path in rule.answers.values()} if rule else set()

    def _files_of(self, item: Item) -> list[str]:
        shows = [show.part for section in self.protocol.sections for show in section.show]
        return list(dict.fromkeys(source_of(path) for medium in shows for path in medium.paths(item)))

    def _place_file(self, path: str) -> None:
        """Copies a file under a name that is a marker, with a marker in its tags."""
        if path in self._paths:
            return
        suffix, content = Path(path).suffix, self.protocol.originals.read(path)
        try:
            marked = tagged(content, suffix, self.markers.make(f"a tag of the file '{path}'"))
        except StudyError as error:
            raise StudyError(f"{path}: {error}") from error
        if marked is None:
            self.not_marked.add(f"tags of {suffix} files")
        self._paths[path] = f"files/{self.markers.make(f'the file name {path!r}')}{suffix}"
        target = self.folder / self._paths[path]
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(marked or content)

    def _moved(self, value: Any) -> Any:
        """A value of an item with the new names of files, wherever they stand in it."""
        if isinstance(value, str):
            if value in self._paths:
                return self._paths[value]
            is_list = value.lstrip().startswith("[") and any(path in value for path in self._paths)
            return self._in_list(value) if is_list else value
        if isinstance(value, Mapping):
            return {key: self._moved(part) for key, part in value.items()}
        return [self._moved(part) for part in value] if isinstance(value, list | tuple) else value

    def _in_list(self, text: str) -> str:
        """A list of files in a cell of a table."""
        try:
            return msgspec.json.encode(self._moved(msgspec.json.decode(text))).decode()
        except msgspec.DecodeError:
            return text


def _plain(node: Any) -> Any:
    """The same with plain keys: a number that was read as a key still knows how it was written."""
    if isinstance(node, Mapping):
        return {int(key) if isinstance(key, int) else key: _plain(value) for key, value in node.items()}
    return [_plain(value) for value in node] if isinstance(node, list) else node
