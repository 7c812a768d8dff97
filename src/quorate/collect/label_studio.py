"""Brings what people answered in Label Studio into the store: each annotator is a rater, all of it or nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from quorate.collect.checks import drawn_items
from quorate.collect.filled import Filled, filled_row
from quorate.collect.imports import Imported, import_filled
from quorate.collect.links import places_left
from quorate.errors import CollectError, Complaint, StudyError, StudyFileError, did_you_mean
from quorate.importers.label_studio import ITEM, SECTION, Annotation, read_annotations
from quorate.importers.tables import Row
from quorate.protocol import Protocol
from quorate.protocol.items import identified
from quorate.protocol.own_format import key_of
from quorate.records import Item, Rater
from quorate.store import Tx

PLATFORM = "label studio"


def import_label_studio(tx: Tx, protocol: Protocol, path: Path) -> list[Imported]:
    """Stores the answers of every annotator; a StudyFileError holds all complaints, and then nothing is stored.

    A control is the question of the same name. Who is who stays among the platforms' ids, which no export holds.
    """
    try:
        given = read_annotations(path)
    except OSError as error:
        raise StudyError(f"{path} cannot be read: {error.strerror}.") from error
    except StudyError as error:
        raise StudyFileError([Complaint(path.name, None, "", str(error))]) from error
    if not given:
        raise StudyFileError([Complaint(path.name, None, "", "nobody has annotated anything in this file.")])
    _check_names(protocol, given, path.name)
    items = {item.id: item for item in drawn_items(tx.items())}
    people = sorted({one.annotator for one in given}, key=_natural)
    found = {name: _filled(protocol, items, [one for one in given if one.annotator == name], path) for name in people}
    complaints = [complaint for one in found.values() for complaint in one.complaints]
    if complaints:
        raise StudyFileError(sorted(complaints, key=lambda complaint: complaint.line or 0))
    return [import_filled(tx, protocol, _rater(tx, protocol, name), found[name], path) for name in people]


def _check_names(protocol: Protocol, given: list[Annotation], file: str) -> None:
    asked = [ask.id for section in protocol.sections for ask in section.ask]
    controls = dict.fromkeys(name for one in given for name in one.answers)
    unknown = [name for name in controls if name not in asked]
    if unknown:
        sentences = [f"no question of the study is named '{name}'.{did_you_mean(name, asked)}" for name in unknown]
        raise StudyFileError([Complaint(file, None, "", sentence) for sentence in sentences])


def _filled(protocol: Protocol, items: dict[str, Item], given: list[Annotation], path: Path) -> Filled:
    """One annotator's answers as rows of a filled file; an entry may be of one section alone."""
    found = Filled(path.name)
    for one in given:
        id = _item_id(protocol, one.row)
        if id not in items:
            found.complain(one.row.line, "", f"'{id}' is not among the study's items.{did_you_mean(id, items)}")
            continue
        section = one.row.fields.get(SECTION)
        parts = [part for part in protocol.sections if section in (None, part.id)]
        # Sections of which nothing was answered were not reached.
        reached = [part for part in parts if any(ask.id in one.answers for ask in part.ask)]
        columns = {ask.id: ask.id for part in reached for ask in part.ask}
        row = filled_row(protocol, items[id], Row(one.row.line, dict(one.answers)), columns, {}, found)
        found.untouched += not reached
        found.rows += [replace(row, given={part.id: row.given[part.id] for part in reached})] if reached else []
    return found


def _item_id(protocol: Protocol, row: Row) -> str:
    if ITEM in row.fields:
        return str(row.fields[ITEM])
    return identified([row], key_of(protocol), protocol.file.items.derive)[0][0]


def _rater(tx: Tx, protocol: Protocol, annotator: str) -> Rater:
    """The rater who an annotator is: as before, the one of that id, or the next place of the plan."""
    known = tx.platform_rater(PLATFORM, annotator) or annotator
    rater = tx.rater(known)
    if rater is None:
        if protocol.raters.panels or not places_left(tx, protocol):
            raise CollectError(
                f"There is no place left for the annotator '{annotator}': "
                f"the study has {len(tx.raters())} raters. Raise `roster` in the study file, or invite into the panels."
            )
        rater = tx.add_rater(prefix=protocol.raters.prefix)
    tx.add_platform_id(rater.id, PLATFORM, annotator)
    return rater


def _natural(name: str) -> list[tuple[int, str]]:
    """R2 before R10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]
