"""Lets raters in, once everything stands that they will read and be asked."""

from __future__ import annotations

from quorate.collect.way import is_open, open_study
from quorate.errors import Complaint, StudyFileError
from quorate.plan import lost_draw
from quorate.protocol import STUDY_FILE, Protocol
from quorate.protocol.placeholders import placeholders
from quorate.protocol.yaml import Document
from quorate.store import Tx


def before_opening(protocol: Protocol) -> tuple[Complaint, ...]:
    """What has to be settled before anybody is asked; until then a study can be checked, rehearsed and looked at."""
    left = list(placeholders(protocol))
    if lost := lost_draw(protocol):
        left.append(Document(protocol.folder / STUDY_FILE).complaint(("items", "sample", "method"), lost))
    return tuple(left)


def check_settled(tx: Tx, protocol: Protocol) -> None:
    """Refuses raters while something has to be settled; from the first consent on, the protocol is what it was then."""
    if tx.last_event("consent"):
        return
    if left := before_opening(protocol):
        raise StudyFileError(left)


def open_to_raters(tx: Tx, protocol: Protocol) -> None:
    """Opens the study."""
    check_settled(tx, protocol)
    open_study(tx)


def check_open_is_settled(tx: Tx, protocol: Protocol) -> None:
    """Refuses to serve a study that is open, and whose study file or texts are unsettled since."""
    if is_open(tx):
        check_settled(tx, protocol)
