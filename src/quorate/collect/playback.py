"""How each rater plays clips, for those who run the study: whether plays are skipped, or clips fail, shows at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median

from quorate.collect.evidence import read_evidence
from quorate.media import ToPlay, to_play
from quorate.protocol import Protocol
from quorate.records import Evidence
from quorate.store import Tx


@dataclass
class RaterPlayback:
    """One rater's answers to items with clips that have to be played.

    >>> print(RaterPlayback(answers=8, reached=7, failures=1, jumps=0, seconds=[20.0, 28.4, 31.0]))
    full plays before 7 of 8 answers · 1 with a failure · median 28 s in sight
    """

    answers: int = 0
    reached: int = 0
    failures: int = 0
    jumps: int = 0
    seconds: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        told = [f"full plays before {self.reached:,} of {self.answers:,} answers"]
        told += [f"{self.failures:,} with a failure"] if self.failures else []
        told += [f"{self.jumps:,} with a jump"] if self.jumps else []
        told += [f"median {median(self.seconds):.0f} s in sight"] if self.seconds else []
        return " · ".join(told)

    def add(self, asked: tuple[ToPlay, ...], evidence: Evidence) -> None:
        """Counts one answer."""
        self.answers += 1
        self.reached += all(one.is_done(*evidence.plays.get(one.path, (0, 0))) for one in asked)
        self.failures += evidence.failures > 0
        self.jumps += evidence.seeks > 0
        self.seconds += [] if evidence.visible is None else [evidence.visible]


def playback_by_rater(tx: Tx, protocol: Protocol) -> dict[str, RaterPlayback]:
    """How each rater plays what has to be played; nothing where the protocol asks for no plays."""
    media = {section.id: [show.part for show in section.show] for section in protocol.sections}
    asking = {id: shown for id, shown in media.items() if any(medium.asks_for_plays for medium in shown)}
    found: dict[str, RaterPlayback] = {}
    if not asking:
        return found
    items = {item.id: item for item in tx.items()}
    known: dict[tuple[str, str], tuple[ToPlay, ...]] = {}
    for evidence in read_evidence(tx):
        key = (evidence.section, evidence.item)
        if key not in known:
            known[key] = to_play(asking.get(evidence.section, ()), items[evidence.item])
        if known[key]:
            found.setdefault(evidence.rater, RaterPlayback()).add(known[key], evidence)
    return found
