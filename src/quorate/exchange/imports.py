"""Brings a filled file into the store as one rater's answers: all of it or nothing, and the same file twice is once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from quorate.collect.checks import drawn_items
from quorate.collect.escalation import escalate
from quorate.collect.evidence import check_owed
from quorate.collect.forms import FormError
from quorate.collect.freeze import freeze
from quorate.collect.links import places_left
from quorate.collect.way import ENDS
from quorate.collect.work import answer_row
from quorate.errors import CollectError, StudyFileError
from quorate.exchange.own_table.read import Filled, FilledRow, read_filled
from quorate.plan import CHECKS, arrange, panel_of
from quorate.protocol import Protocol
from quorate.questions import Given
from quorate.records import Assignment, Rater, Slot
from quorate.store import Tx

IMPORTED = "imported"
"""The event that says that a rater's answers came from a file."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The numbers of a file's rows with new answers, of rows known already, and of rows without an answer."""

    rater: str
    stored: int
    known: int
    untouched: int


def import_file(tx: Tx, protocol: Protocol, rater: str, path: Path) -> Imported:
    """Stores every answer of a filled file; a StudyFileError holds all complaints, and then nothing is stored."""
    person = _person(tx, protocol, rater)
    return import_filled(tx, protocol, person, read_filled(protocol, drawn_items(tx.items()), path), path)


def import_filled(tx: Tx, protocol: Protocol, person: Rater, found: Filled, path: Path) -> Imported:
    """Stores what was read as one rater's answers; `path` is the file that it was read from."""
    held = _held(tx, person.id)
    wanted = _wanted(tx, protocol, person, found, held)
    if found.complaints:
        raise StudyFileError(sorted(found.complaints, key=lambda complaint: complaint.line or 0))
    freeze(tx, protocol)
    for section, ids in wanted.items():
        _claim(tx, protocol, person, section, ids)
    held = _held(tx, person.id)
    stored = sum(_store(tx, protocol, held, row, path.name) for row in found.rows)
    if stored:
        digest = sha256(path.read_bytes()).hexdigest()
        tx.add_event(IMPORTED, person.id, {"file": path.name, "sha256": digest, "rows": stored})
    return Imported(person.id, stored, len(found.rows) - stored, found.untouched)


def _person(tx: Tx, protocol: Protocol, rater: str) -> Rater:
    """The rater with this id; the next place of the plan is given to one who is not invited yet."""
    known = tx.rater(rater)
    if known is not None:
        ended = [event.kind for event in tx.events(rater=rater, kinds=["withdrawn", "excluded", "declined"])]
        if ended:
            raise CollectError(
                f"Rater '{rater}' has {ENDS[ended[-1]].value.replace('_', ' ')}: no answers can be added."
            )
        return known
    people = ", ".join(one.id for one in tx.raters()) or "nobody yet"
    following = f"{protocol.raters.prefix}{len(tx.raters()) + 1}"
    if protocol.raters.panels or rater != following or not places_left(tx, protocol):
        hint = (
            "" if protocol.raters.panels or not places_left(tx, protocol) else f" The next one would be '{following}'."
        )
        raise CollectError(
            f"There is no rater '{rater}'. The study has: {people}.{hint} Raters come with: quorate invite"
        )
    return tx.add_rater(prefix=protocol.raters.prefix)


def _held(tx: Tx, rater: str) -> dict[tuple[str, str], Assignment]:
    """The rater's assignments by section and item, without those that went back and without checks."""
    mine = tx.assignments(rater)
    return {(one.section, one.item): one for one in mine if not one.lost and one.round != CHECKS}


def _wanted(
    tx: Tx, protocol: Protocol, person: Rater, found: Filled, held: Mapping[tuple[str, str], Assignment]
) -> dict[str, list[int]]:
    """The slots that the file's rows need beyond those that the rater holds, by section; what is not free is said."""
    wanted: dict[str, list[int]] = {}
    for row in found.rows:
        panel = panel_of(protocol, row.item)
        if panel != person.panel:
            found.complain(row.line, "", f"'{row.item.id}' is for the panel '{panel}', and {person.id} is of another.")
            continue
        for section, given in row.given.items():
            mine = held.get((section, row.item.id))
            if mine is not None:
                _check_revision(tx, protocol, mine, given, row, found)
                continue
            free = [number for number, _, holder in tx.slots_of(section, row.item.id) if holder is None]
            if free:
                wanted.setdefault(section, []).append(free[0])
                _check_owed(tx, protocol, section, row, found)
            else:
                n = protocol.raters.per_item
                found.complain(
                    row.line, "", f"'{row.item.id}' has its {n} raters already; {person.id} is not one of them."
                )
    return wanted


def _claim(tx: Tx, protocol: Protocol, person: Rater, section: str, ids: Sequence[int]) -> None:
    """Takes the slots in the order in which the rater would have seen them: a claim like any other."""

    def in_order(slots: Sequence[Slot]) -> list[Slot]:
        return arrange(slots, protocol, person.id, section)

    tx.claim_slots(person.id, ids, order=in_order, stratum=person.panel)


def _check_revision(
    tx: Tx, protocol: Protocol, mine: Assignment, given: Mapping[str, Given], row: FilledRow, found: Filled
) -> None:
    if mine.answered and not protocol.section(mine.section).revise and not _is_known(tx, mine, given):
        sentence = f"'{row.item.id}' was answered differently before, and answers are final in this section."
        found.complain(row.line, "", sentence)


def _check_owed(tx: Tx, protocol: Protocol, section: str, row: FilledRow, found: Filled) -> None:
    """A file cannot show that clips were played as often as the protocol asks."""
    slot = tx.slots_of(section, row.item.id)[0][1]
    try:
        check_owed(protocol.section(section), row.item, slot.shown, {})
    except FormError:
        sentence = (
            f"'{row.item.id}' has clips that must be played before an answer, and a file cannot show that they were."
        )
        found.complain(row.line, "", sentence)


def _store(tx: Tx, protocol: Protocol, held: Mapping[tuple[str, str], Assignment], row: FilledRow, file: str) -> bool:
    """Stores a row's answers; True where any was new."""
    is_new = False
    for section, given in row.given.items():
        mine = held[section, row.item.id]
        if not _is_known(tx, mine, given):
            answers = [answer_row(question, one) for question, one in given.items()]
            key = f"import/{mine.id}/{mine.revision + 1}"
            evidence = {"imported": file, "line": row.line}
            tx.add_submission(key, mine.rater, mine, answers, evidence, protocol=protocol.collection_hash)
            escalate(tx, protocol, mine)
            is_new = True
    return is_new


def _is_known(tx: Tx, mine: Assignment, given: Mapping[str, Given]) -> bool:
    """True where the newest answers to an assignment are these already."""
    answers = tx.answers_of(mine) if mine.answered else ()
    stored = {answer.question: (answer.value, answer.reason) for answer in answers}
    return stored == {question: (one.value, one.reason) for question, one in given.items()}
