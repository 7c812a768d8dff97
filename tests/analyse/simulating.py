"""Whole studies simulated on the spot: every slot of the plan answered, for any template."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from quorate.chance import uniform
from quorate.errors import AnswerError
from quorate.plan import make_plan
from quorate.protocol import Protocol, load
from quorate.questions import Given
from quorate.records import Answer, Collected, Item, Participant, Reason, Slot

TEMPLATES = Path(__file__).parents[2] / "src" / "quorate" / "templates"
NAMES = ("abstract-visual", "dialogue", "document-extraction", "media-preference", "visual-puns")
Say = Callable[[Protocol, Slot, Item, str], Any]


def template(name: str) -> Protocol:
    """A template as it ships."""
    return load(TEMPLATES / name)


def simulate(protocol: Protocol, seed: int = 1, say: Say | None = None) -> Collected:
    """Every planned slot answered by a simulated rater; `say` may answer a question instead (None: as simulated)."""
    plan = make_plan(protocol)
    items = {item.id: item for item in plan.items}
    strata = sorted({slot.stratum for slot in plan.slots})
    answers: list[Answer] = []
    for place, slot in enumerate(plan.slots):
        rater = f"R{strata.index(slot.stratum) * 10 + slot.repeat + 1}"
        answers += _filled(protocol, slot, items[slot.item], rater, seed, place, say)
    answers = [replace(answer, seq=number) for number, answer in enumerate(answers, 1)]
    people = sorted({answer.rater for answer in answers})
    events = {"consent": "t", "finished": "t"}
    participants = tuple(Participant(rater, "finished", {}, events) for rater in people)
    return Collected(tuple(plan.items), tuple(answers), participants, simulated=True)


def _filled(
    protocol: Protocol, slot: Slot, item: Item, rater: str, seed: int, place: int, say: Say | None
) -> list[Answer]:
    found: list[Answer] = []
    given: dict[str, Given] = {}
    known = dict(item.fields)
    for ask in protocol.section(slot.section).ask:
        at = "2026-03-01T10:00:00+00:00"
        common = {"section": slot.section, "item": item.id, "question": ask.id, "at": at, "position": place,
                  "repeat": slot.repeat, "shown": slot.shown, "seconds": 10.0 + place % 7}  # fmt: skip
        if not ask.applies(known):
            found.append(Answer(0, "rater", rater, value=None, reason=Reason.NOT_APPLICABLE, raw=None, **common))
            continue
        shown = slot.shown.to(ask.id)
        raw = say(protocol, slot, item, ask.id) if say else None
        if raw is None:
            raw = ask.question.simulate(item, shown, 0.7, partial(_draw, seed, rater, item.id, ask.id))
        try:
            given[ask.id] = ask.question.parse(raw, shown, item, given)
        except AnswerError:
            found.append(Answer(0, "rater", rater, value=None, reason=Reason.SKIPPED, raw=None, **common))
            continue
        known[ask.id] = ask.question.plain(given[ask.id].value)
        found.append(Answer(0, "rater", rater, value=given[ask.id].value, reason=None, raw=raw, **common))
    return found


def _draw(seed: int, rater: str, item: str, question: str, purpose: str, *ids: object) -> float:
    return uniform(seed, purpose, rater, item, question, *ids)
