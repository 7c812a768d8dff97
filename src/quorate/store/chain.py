"""Each answer's row carries a hash over its content and the rater's row before it.

A row that was changed, removed or put in between shows, since the hashes after it no longer fit. The study's head (how
many rows there were, and a hash over all of them) is written into every claim and at the close, so that rows taken
from the end show too. This finds accidents, not an owner who writes the whole chain anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any

from quorate.records import Reason
from quorate.store.log import LogVerbs
from quorate.store.rows import Event, Head
from quorate.store.verbs import Row, encode_json

#: What a hash is over, in this order.
CONTENT = (
    *("by", "rater", "number", "section", "item", "repeat", "round", "question", "value", "reason", "raw", "at"),
    *("position", "seconds", "revision", "protocol", "shown", "late"),
)
#: The events that carry the study's head.
WITH_HEAD = ("claim", "closed")
NOTHING = Head(0, 0, "")


def link(before: str, content: Iterable[Any]) -> str:
    """The hash of a row: over the hash of the row before it ("" for the first) and its own content."""
    return blake2b(encode_json([before, *content]), digest_size=16).hexdigest()


class ChainVerbs(LogVerbs):
    """The verbs of the chain."""

    def head(self) -> Head:
        """The study's head now: the last one that was written, and the answers since."""
        self._alone()
        last = [_head(event) for kind in WITH_HEAD if (event := self.last_event(kind))]
        known = max(last, default=NOTHING)
        return _fold(known, self._rows("links_after", after=known.seq))

    def chain_faults(self) -> list[str]:
        """What is wrong with the rows of the answers, in sentences; an empty list where all hashes fit."""
        return [*self._faults_of_rows(), *self._faults_of_heads()]

    def _chain(self, rows: Iterable[dict[str, Any]], last: dict[tuple[str, str], tuple[int, str]]) -> None:
        """Give the rows their numbers and hashes, behind those that are stored; `last` are the last ones known."""
        for row in rows:
            whose = (row["rater"], row["by"])
            if whose not in last:
                last[whose] = self._row("last_link", rater=row["rater"], by=row["by"]) or (0, "")
            number, before = last[whose]
            row["number"] = number + 1
            row["chain"] = link(before, [row[name] for name in CONTENT])
            last[whose] = (row["number"], row["chain"])

    def _faults_of_rows(self) -> Iterable[str]:
        number, before, whose = 0, "", None
        for chain, seq, *content in self._rows("chained"):
            row = dict(zip(CONTENT, content, strict=True))
            if whose != (row["rater"], row["by"]):
                number, before, whose = 0, "", (row["rater"], row["by"])
            if row["number"] != number + 1:
                n = row["number"] - number - 1
                yield f"{row['rater']}: {n} row{'s' if n > 1 else ''} missing before answer {seq}."
            elif not _is_erased(row) and link(before, content) != chain:
                yield f"{row['rater']}: answer {seq} ({row['section']}, {row['item']}, {row['question']}) was changed."
            number, before = row["number"], chain

    def _faults_of_heads(self) -> Iterable[str]:
        """Each head is made again from the one before it, so that one fault is told once."""
        rows = self._rows("links_after", after=0)
        known, place = NOTHING, 0
        for event in self.events(kinds=WITH_HEAD):
            said = _head(event)
            if said == NOTHING:
                continue
            upto = place
            while upto < len(rows) and rows[upto][0] <= said.seq:
                upto += 1
            if _fold(known, rows[place:upto]) != said:
                yield f"Event {event.seq} ({event.kind}) counted {said.answers} answers that are not those stored now."
            known, place = said, upto


def _fold(known: Head, rows: list[Row]) -> Head:
    """A head, and the rows after it."""
    if not rows:
        return known
    joined = "".join([known.hash, *(chain for _, chain in rows)])
    return Head(rows[-1][0], known.answers + len(rows), blake2b(joined.encode(), digest_size=16).hexdigest())


def _head(event: Event) -> Head:
    return Head(*event.data["head"]) if event.data and "head" in event.data else NOTHING


def _is_erased(row: Mapping[str, Any]) -> bool:
    return row["reason"] == Reason.WITHDRAWN.value and row["value"] is None and row["raw"] is None
