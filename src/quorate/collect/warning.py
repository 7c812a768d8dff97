"""Live warnings: where a rule of the study is live, the answers that break it are stored, and the rater is told once.

The first answers are a revision like any other, and so are those that the rater sends after the warning, changed or
not: both stay. `warned` and `reconsidered` are events, so that the report can say what the warnings changed. Until a
warned rater has sent the answers again, nothing else is shown. The first answers count from the moment they are stored:
of a rater who never comes back they are the answers, and a third rater is asked where they differ from others'.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from quorate.languages import Words
from quorate.protocol import Section
from quorate.protocol.rules import Rule, known_values
from quorate.questions import Given
from quorate.records import Answer, Assignment, Item, Warned
from quorate.store import Event, Tx
from quorate.store.verbs import from_json, to_json

WARNED, RECONSIDERED = "warned", "reconsidered"
KINDS = (WARNED, RECONSIDERED)
_PLACE = ("section", "item", "repeat", "round")

Place = tuple[str, str, int, int]
Told = Mapping[Place, tuple[Words, ...]]
"""What a rater has to be told, by place."""


def live_rules(section: Section) -> tuple[Rule, ...]:
    """The rules of a section that warn the rater."""
    return tuple(rule for rule in section.rules if rule.live)


def place_of(mine: Assignment) -> Place:
    """What an assignment is about, as the events name it."""
    return mine.section, mine.item, mine.repeat, mine.round


def warn(
    tx: Tx, section: Section, item: Item, mine: Assignment, given: Mapping[str, Given], revision: int
) -> tuple[Words, ...]:
    """Records which live rules the stored answers break, unless the rater was warned of this item before."""
    answers = {question: one.value for question, one in given.items() if one.reason is None}
    known = known_values(section, item, answers)
    broken = [rule for rule in live_rules(section) if answers and rule.is_broken(known)]
    if not broken or any(_place(event) == place_of(mine) for event in _events(tx, mine.rater)):
        return ()
    data = {name: getattr(mine, name) for name in _PLACE}
    tx.add_event(WARNED, mine.rater, {**data, "revision": revision, "rules": [rule.id for rule in broken]})
    return tuple(rule.says for rule in broken)


def reconsidered(tx: Tx, mine: Assignment, before: Sequence[Answer], given: Mapping[str, Given]) -> None:
    """Records what a warned rater sent again, and which answers are other ones than before."""
    first = {answer.question: (answer.value, answer.reason) for answer in before}
    # Through JSON, as the store keeps them: a tuple and a list are the same answer.
    now = {question: (from_json(to_json(one.value)), one.reason) for question, one in given.items()}
    changed = [question for question, said in now.items() if first.get(question) != said]
    data = {name: getattr(mine, name) for name in _PLACE}
    tx.add_event(RECONSIDERED, mine.rater, {**data, "revision": mine.revision + 1, "changed": changed})


def open_warnings(events: Iterable[Event]) -> dict[Place, tuple[str, ...]]:
    """The rules of which a rater was warned and has not sent the answers again since, by place."""
    found: dict[Place, tuple[str, ...]] = {}
    for event in events:
        if event.kind == WARNED:
            found[_place(event)] = tuple(event.data["rules"])
        elif event.kind == RECONSIDERED:
            found.pop(_place(event), None)
    return found


def open_of(tx: Tx, rater: str, section: Section) -> Told:
    """What a rater has to be told of the items of this section, by place; nothing where no rule is live."""
    says = {rule.id: rule.says for rule in live_rules(section)}
    if not says:
        return {}
    found = open_warnings(_events(tx, rater))
    return {
        place: tuple(says[rule] for rule in rules if rule in says)
        for place, rules in found.items()
        if place[0] == section.id
    }


def warnings(tx: Tx) -> tuple[Warned, ...]:
    """Every warning with what was answered before it, and what was changed after it."""
    events = tx.events(kinds=list(KINDS))
    if not events:
        return ()
    after = {(event.rater, _place(event)): event.data for event in events if event.kind == RECONSIDERED}
    first: dict[tuple[str, Place, int], dict[str, Answer]] = {}
    for answer in tx.all_answers(by="rater"):
        place = (answer.section, answer.item, answer.repeat, answer.round)
        first.setdefault((answer.rater, place, answer.revision), {})[answer.question] = answer
    found = []
    for event in (one for one in events if one.kind == WARNED):
        rater, place, data = event.rater or "", _place(event), event.data
        later = after.get((rater, place))
        answers = tuple(first.get((rater, place, data["revision"]), {}).values())
        changed = tuple(later["changed"]) if later else None
        found.append(Warned(place[0], place[1], rater, place[3], tuple(data["rules"]), changed, answers))
    return tuple(found)


def _events(tx: Tx, rater: str) -> Sequence[Event]:
    return tx.events(rater=rater, kinds=list(KINDS))


def _place(event: Event) -> Place:
    data = event.data
    return data["section"], data["item"], data["repeat"], data["round"]
