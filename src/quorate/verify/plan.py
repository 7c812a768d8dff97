"""Is the plan the one that the protocol draws? Protocol, sample, distractors and slots are made again and compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from quorate.collect.checks import GOLD
from quorate.collect.escalation import MIXED, items_again
from quorate.collect.freeze import MEDIA, changed_media, frozen_copy
from quorate.collect.staging import FOLDER, digests_now, load_staged
from quorate.plan import CHECKS, REPEATED, Plan, extra_slot, make_slots, shown_once
from quorate.protocol import Protocol, Section
from quorate.protocol.yaml import YAMLError, from_yaml
from quorate.questions import DISTRACTORS
from quorate.records import Item, Shown, Slot
from quorate.verify.findings import Finding
from quorate.verify.rows import Place, Rows, place_of

_CHECKS = (GOLD, REPEATED, MIXED)


def check_protocol(protocol: Protocol, rows: Rows) -> Iterator[Finding]:
    """The study file is the newest frozen one, and the frozen ones are numbered without a gap."""
    versions = rows.protocols
    consents = list(rows.of_kind("consent"))
    if consents and not versions:
        yield Finding("protocol", "protocols", "raters have consented, and no frozen protocol is there.")
    if [version.number for version in versions] != list(range(len(versions))):
        numbers = ", ".join(str(version.number) for version in versions)
        yield Finding("protocol", "protocols", f"the frozen protocols are numbered {numbers}, not 0, 1, 2, ….")
    if not versions:
        return
    newest = versions[-1]
    if newest.collection_hash != protocol.collection_hash:
        what = f"it or a file it names has changed: the frozen protocol is {newest.collection_hash[:8]}, "
        yield Finding("protocol", "study.yaml", f"{what}this one is {protocol.collection_hash[:8]}.")
    elif _collected(newest.text) != _collected(frozen_copy(protocol)):
        yield Finding("protocol", f"protocol {newest.number}", "its frozen copy is not what its hash was made of.")
    before = versions[0].after_event or 0  # where it was not kept, nothing is said
    for event in consents:
        if event.seq <= before:
            yield Finding("protocol", f"event {event.seq}", f"{event.rater} consented before the protocol was frozen.")


def check_media(protocol: Protocol, rows: Rows, *, whole: bool = False) -> Iterator[Finding]:
    """Every file that raters were shown holds what it held when it was accepted, as far as files are here.

    Those with the size and time of before are not read, and objects of a store are not asked for; `whole` reads all.
    """
    newest = next(reversed(list(rows.of_kind(MEDIA))), None)
    if newest is None or not rows.protocols:
        return
    known = newest.data["files"]
    staged = None if whole else load_staged(protocol.folder / FOLDER)
    now = digests_now(staged, protocol, list(known), objects=whole)
    for path in sorted(known.keys() - now.keys()) if whole else ():
        yield Finding("protocol", path, "raters were shown it, and it is not here.")
    for path in changed_media(known, now):
        yield Finding("protocol", path, "it holds something else than when raters consented, and they are shown it.")


def _collected(text: str) -> Any:
    """The frozen study file without the part that only the analysis reads: that one may change."""
    try:
        source = from_yaml(text)
    except YAMLError:
        return text
    if not isinstance(source, Mapping):
        return text
    return {key: value for key, value in source.items() if key not in ("analysis", "settings")}


def check_items(plan: Plan, rows: Rows) -> Iterator[Finding]:
    """The items in the store are the drawn ones, in their order, with what the table says of them."""
    drawn, stored = {item.id: item for item in plan.items}, rows.by_id
    for id in stored.keys() - drawn.keys():
        yield Finding("sample", f"item {id}", "is in the study, and the protocol does not draw it.")
    for id in drawn.keys() - stored.keys():
        yield Finding("sample", f"item {id}", "is drawn by the protocol, and is not in the study.")
    common = [id for id in drawn if id in stored]
    if common != [id for id in stored if id in drawn]:
        yield Finding("sample", "items", "they stand in another order than the one drawn.")
    for id in common:
        yield from _check_fields(drawn[id], stored[id])


def _check_fields(drawn: Item, stored: Item) -> Iterator[Finding]:
    # Through JSON and back, as the store keeps them.
    expected: Mapping[str, Any] = msgspec.json.decode(msgspec.json.encode(dict(drawn.fields)))
    for name in sorted({*expected, *stored.fields}):
        if expected.get(name) == stored.fields.get(name):
            continue
        if name == DISTRACTORS:
            yield Finding("distractors", f"item {drawn.id}", _other_distractors(expected.get(name), stored, name))
        else:
            what = f"{name} is {_short(stored.fields.get(name))}, and the table says {_short(expected.get(name))}."
            yield Finding("sample", f"item {drawn.id}", what)


def _other_distractors(expected: Any, stored: Item, name: str) -> str:
    def entries(given: Any) -> list[Any]:
        return [entry for chosen in (given or {}).values() for entry in chosen]

    def models(given: Any) -> str:
        return ", ".join(sorted({f"{entry.get('method')} ({entry.get('model')})" for entry in entries(given)}))

    kept = stored.fields.get(name)
    if models(expected) != models(kept):
        return (
            f"the distractors were chosen by {models(kept) or 'nothing'}, and here by {models(expected) or 'nothing'}: "
            "they can be compared only where the same encoder is installed."
        )
    texts = [", ".join(str(entry.get("text")) for entry in entries(given)) for given in (kept, expected)]
    return f"the distractors are {texts[0]}, and the protocol chooses {texts[1]}."


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def expected_slots(protocol: Protocol, plan: Plan, rows: Rows) -> dict[Place, Slot]:
    """Every slot that there should be: the plan's, and those that recorded events put behind it."""
    expected = {place_of(slot): slot for slot in plan.slots}
    items = {item.id: item for item in plan.items}
    for event in rows.of_kind("escalated", "reassessed"):
        if event.kind == "reassessed":
            more = _reassessed(protocol, plan, event.data)
        else:
            more = _escalated(protocol, items, event.data, expected)
        expected |= {place_of(slot): slot for slot in more}
    # Checks belong to one rater, whose place in the plan is their number; what they show is drawn for that rater.
    places = {rater.place: rater.id for rater in rows.raters}
    for slot in rows.slots:
        section = section_of(protocol, slot.section)
        if (
            slot.round == CHECKS
            and slot.stratum in _CHECKS
            and slot.repeat in places
            and slot.item in items
            and section
        ):
            shown = shown_once(protocol, section, items[slot.item], slot.stratum, places[slot.repeat])
            expected[place_of(slot)] = replace(slot, shown=shown)
    return expected


def section_of(protocol: Protocol, id: str) -> Section | None:
    """The section with this id, if the study file has one."""
    return next((section for section in protocol.sections if section.id == id), None)


def _escalated(
    protocol: Protocol, items: Mapping[str, Item], data: Mapping[str, Any], known: Mapping[Place, Slot]
) -> Sequence[Slot]:
    first = known.get((data["section"], data["item"], data["round"], 0))
    section = section_of(protocol, data["section"])
    if first is None or section is None:
        return ()
    return (extra_slot(protocol, section, items[first.item], first, data["repeat"]),)


def _reassessed(protocol: Protocol, plan: Plan, data: Mapping[str, Any]) -> Sequence[Slot]:
    return make_slots(protocol, items_again(protocol, plan.drawn, data), data["round"])


def check_slots(expected: Mapping[Place, Slot], rows: Rows) -> Iterator[Finding]:
    """The slots in the store are those that there should be, with their sides and orders."""
    stored = {place_of(slot): slot for slot in rows.slots}
    for place in stored.keys() - expected.keys():
        yield Finding("plan", said(place), "this slot is in the study, and neither the plan nor an event made it.")
    for place in expected.keys() - stored.keys():
        yield Finding("plan", said(place), "this slot should be in the study, and is not there.")
    for place in (place for place in expected if place in stored):
        yield from check_shown(said(place), stored[place].shown, expected[place].shown, "the slot")
        if stored[place].stratum != expected[place].stratum:
            what = f"it stands in stratum '{stored[place].stratum}', and is drawn for '{expected[place].stratum}'."
            yield Finding("plan", said(place), what)


def said(place: Place) -> str:
    """A place of the plan in words."""
    section, item, round, repeat = place
    again = "" if round == 1 else ", a check" if round == CHECKS else f", round {round}"
    return f"{section}, {item}, {repeat + 1 if round != CHECKS else 'rater ' + str(repeat)}{again}"


def check_shown(where: str, stored: Shown, drawn: Shown, what: str) -> Iterator[Finding]:
    """Sides and option orders are the drawn ones."""
    if dict(stored.sides) != dict(drawn.sides):
        yield Finding("sides", where, f"{what} has {_sides(stored)}, and {_sides(drawn)} is drawn.")
    for question in _questions((stored, drawn)):
        kept, expected = tuple(stored.options.get(question, ())), tuple(drawn.options.get(question, ()))
        if kept != expected:
            orders = f"{', '.join(kept) or 'no order'}, and {', '.join(expected) or 'no order'} is drawn"
            yield Finding("options", where, f"{what} has for {question}: {orders}.")


def _questions(shown: Iterable[Shown]) -> list[str]:
    return list(dict.fromkeys(question for one in shown for question in one.options))


def _sides(shown: Shown) -> str:
    return " | ".join(f"{side}: {system}" for side, system in shown.sides.items()) or "no sides"
