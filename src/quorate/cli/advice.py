"""How `quorate check` prints advice: where, what, why, and what to do."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

from quorate.analyse.hypotheses import declared
from quorate.collect.gather import versions
from quorate.errors import FrozenError, StudyError, StudyFileError
from quorate.protocol import STUDY_FILE, Protocol
from quorate.protocol.method import AFTER_CONSENT, Advice
from quorate.protocol.yaml import Document, dotted
from quorate.records import Estimate
from quorate.study import DATABASE, REHEARSAL, Study

_WIDTH = 110


def lines_of(protocol: Protocol, advice: Sequence[Advice]) -> list[int]:
    """The line of the study file that each piece of advice speaks of."""
    document = Document(protocol.folder / STUDY_FILE)
    return [document.line(one.place) for one in advice]


def print_advice(protocol: Protocol, advice: Sequence[Advice]) -> None:
    """Every piece of advice in the form of a complaint, with its reason and its source below it."""
    for one, line in zip(advice, lines_of(protocol, advice), strict=True):
        print(f"{STUDY_FILE}:{line}: {dotted(one.place)}: {one.what} [{one.severity}: {one.rule}]")
        for part in (f"Why: {one.why}", f"Do: {one.fix}", f"Source: {one.source}"):
            print(textwrap.fill(part, _WIDTH, initial_indent="    ", subsequent_indent="    "))
    if advice:
        n = len(advice)
        print(f"{n} piece{'' if n == 1 else 's'} of advice on the method; the study can run as it is.")
    else:
        print("The methodology check has nothing to say.")


def print_next(folder: Path, is_unsettled: bool) -> None:
    """What to do after a check."""
    if is_unsettled:
        print("Settle that before you open the study: `quorate open` refuses until then.")
    begun, rehearsed = (folder / DATABASE).exists(), (folder / REHEARSAL).exists()
    print(f"Next: quorate {'status' if begun else 'serve' if rehearsed else 'rehearse'} {folder}")


def print_quiz(needed: int, share: Estimate) -> None:
    """How much a pass in the quiz tells of a candidate."""
    low, high = share.low or 0.0, share.high or 0.0
    print(
        f"The quiz lets pass who has {needed} of {share.n_items} right; that is compatible with knowing "
        f"{100 * low:.0f}–{100 * high:.0f} % of the answers (95 % interval, Wilson)."
    )


def refuse_changed(protocol: Protocol) -> None:
    """Says what has changed since the first consent, as `serve` would; nothing before there is one."""
    opened = Study(protocol.folder, protocol)
    try:
        opened.check_frozen()
    except FrozenError:
        raise
    except StudyError:  # a database that cannot be reached now is no reason to say nothing of the study file
        return
    finally:
        opened.close()


def refuse_stand_ins(protocol: Protocol) -> None:
    """Says which judges are simulated, once people have answered: no figure about such a judge is a finding."""
    stand_ins = [name for name, entry in protocol.file.judges.items() if entry.judge.by_chance]
    opened = Study(protocol.folder, protocol)
    try:
        answered = bool(stand_ins) and opened.has_answers
    except StudyError:  # a database that cannot be reached now is no reason to say nothing of the study file
        return
    finally:
        opened.close()
    if answered:
        document = Document(protocol.folder / STUDY_FILE)
        raise StudyFileError([
            document.complaint(
                ("judges", name),
                f"people have answered, and judge '{name}' is simulated: its answers are drawn by chance, and no "
                "figure about it is a finding. Name a judge that answers, or take it out (`quorate amend`).",
            )
            for name in stand_ins
        ])  # fmt: skip


def declared_late(protocol: Protocol) -> tuple[Advice, ...]:
    """Hypotheses that differ from what the first consent froze; nothing before there is a database with one."""
    opened = Study(protocol.folder, protocol)
    try:
        frozen = opened.store.read(versions) if opened.has_answers else ()
    except StudyError:  # a database that cannot be reached now is no reason to say nothing of the study file
        return ()
    finally:
        opened.close()
    places = {one.id: place for place, one in enumerate(protocol.analysis.hypotheses)}
    rule = AFTER_CONSENT
    return tuple(
        Advice(rule.id, rule.severity, ("analysis", "hypotheses", *([places[h.id]] if h.id in places else [])),
               f"'{h.id}' is {when}: the protocol was frozen at the first consent.", rule.why, rule.source, rule.fix)
        for h, when in ((one.hypothesis, one.when) for one in declared(protocol, frozen)) if when != "before the data"
    )  # fmt: skip
