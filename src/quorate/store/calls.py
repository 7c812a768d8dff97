"""Judges' calls are kept whole; items that a judge settles are withheld from the raters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from quorate.records import Repeated, Shown
from quorate.store.caches import CacheVerbs
from quorate.store.rows import CallRow, Spent
from quorate.store.verbs import Row, encode_json, from_json, shown_from, to_json

WITHHELD = "withheld"


class CallVerbs(CacheVerbs):
    """The verbs about what judges were asked, and about what they settle."""

    def add_call(self, key: str, judge: str, section: str, item: str, purpose: str, **rest: Any) -> bool:
        """Keep one call of a judge's model, once for each key; False where it was there already."""
        row = {**_NOTHING, **rest, "key": key, "judge": judge, "section": section, "item": item, "purpose": purpose}
        for name in ("parameters", "said", "confidence", "details"):
            row[name] = to_json(row[name])
        return self._insert("add_call", **row | {"shown": encode_json(row["shown"]).decode(), "at": self.now()}) != 0

    def has_call(self, key: str) -> bool:
        """Whether a call with this key is kept."""
        return self._row("call", key=key) is not None

    def calls(self, judge: str | None = None) -> tuple[CallRow, ...]:
        """Everything that one judge or all were asked, in the order in which the replies came."""
        return tuple(map(_call, self._rows("calls", judge=judge)))

    def repeated_calls(self) -> tuple[Repeated, ...]:
        """What judges said beside their answers of record: in the mirrored order, and for further samples."""
        return tuple(
            Repeated(judge, section, item, purpose, from_json(said), shown_from(shown))
            for judge, section, item, purpose, said, shown in self._rows("repeated_calls")
        )

    def spent(self, judge: str) -> Spent:
        """How many calls of a judge were answered, their tokens and their cost."""
        n, tokens_in, tokens_out, cost = self._rows("calls_spent", judge=judge)[0]
        return Spent(n, tokens_in or 0, tokens_out or 0, cost)

    def failures(self, judge: str, section: str, item: str, purpose: str) -> int:
        """How many calls about an item are kept, failed ones among them."""
        return self._value("failed_calls", judge=judge, section=section, item=item, purpose=purpose)

    def withhold(self, section: str, items: Iterable[str], reason: str, round: int = 1) -> int:
        """Take items that no rater has begun out of the raters' work, as a numbered event; how many slots it were."""
        self._alone()
        named = list(items)
        if not named:
            return 0
        self.add_event(WITHHELD, data={"section": section, "items": named, "round": round, "reason": reason})
        return self._withhold({"section": section, "items": named, "round": round})

    def rebuild_caches(self) -> None:
        """Make every cache again; what was withheld stays so."""
        super().rebuild_caches()
        for event in self.events(kinds=WITHHELD):
            self._withhold(event.data)

    def _withhold(self, data: Mapping[str, Any]) -> int:
        place = {"section": data["section"], "round": data["round"]}
        return sum(self._run("withhold_item", item=item, **place) for item in data["items"])


_NOTHING: Mapping[str, Any] = {
    "model": "",
    "parameters": {},
    "prompt_hash": "",
    "prompt": "",
    "reply": "",
    "shown": Shown(),
    "said": None,
    "confidence": None,
    "details": None,
    "note": "",
    "attempts": 1,
    "tokens_in": None,
    "tokens_out": None,
    "cost": None,
    "seconds": None,
}


def _call(row: Row) -> CallRow:
    # The columns come in the order of the row's fields.
    fields = list(row)
    for place, name in enumerate(CallRow._fields):
        if name in ("parameters", "said", "confidence", "details"):
            fields[place] = from_json(row[place])
        elif name == "shown":
            fields[place] = shown_from(row[place])
    return CallRow(*fields)
