"""How often answers break what the protocol expects of them, and which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from quorate.exhibits.blocks import Block
from quorate.exhibits.tables import listed
from quorate.findings.names import quoted
from quorate.findings.results import Listing
from quorate.inquiries.base import Inquiry, Part
from quorate.inquiries.consistency import PRIORITY, UNEQUAL_TIE, Inconsistency, inconsistencies
from quorate.messages import Clauses, Listed, Message, Text
from quorate.protocol import Protocol, Section
from quorate.records import Answer, Collected, Warned
from quorate.sheets.sheet import EXCLUDED, RATER, WITHDRAWN

MOST = 20
#: What is looked for beside the section's own rules.
SAYS: Mapping[str, Text] = {
    PRIORITY: Message("The winner is worse on the first dimension, by priority, on which the two differ."),
    UNEQUAL_TIE: Message("A tie, and the two are rated differently."),
}
RULES, CASES, WARNED, FIRST = "rules", "rule cases", "warnings", "warnings first"


class BrokenRules(Inquiry):
    """What the section's rules and the study's priorities find in the answers, and what live warnings did."""

    name = RULES
    title = Message("Consistency of the answers")
    is_detail = True

    def recorded(self, protocol: Protocol, collected: Collected) -> Iterator[Listing]:
        """Each rule with how often it was broken, the first cases, and live warnings."""
        yield from broken_rules(protocol, collected)
        yield from warnings(protocol, collected)

    def exhibits(self, part: Part) -> Iterator[Block]:
        """The rules; single cases and live warnings stand in the supplement."""
        for group in (RULES, CASES, WARNED, FIRST):
            for listing in part.listed(group):
                yield replace(listed(listing, part.key(group.replace(" ", "_"))), further=group != RULES)


def broken_rules(protocol: Protocol, collected: Collected) -> Iterator[Listing]:
    """Each rule with how often raters broke it, and the first cases with the values that the rule speaks of."""
    if not protocol.analysis.priority and not any(section.rules for section in protocol.sections):
        return
    out = {person.rater for person in collected.participants if person.status in (WITHDRAWN, EXCLUDED)}
    sets = _sets(protocol, collected, out)
    found = list(_found(protocol, collected, sets))
    for section in protocol.sections:
        mine = [one for one in found if one.section == section.id]
        n = sum(place[0] == section.id for place in sets)
        counts = Counter(one.rule for one in mine)
        says = {**SAYS, **{rule.id: rule.says for rule in section.rules}}
        if n:
            told = Message(
                "What one rater’s answers to one item do not agree on: {n} finding in {sets} sets of answers. A "
                "finding changes no answer.",
                "What one rater’s answers to one item do not agree on: {n} findings in {sets} sets of answers. A "
                "finding changes no answer.",
                n=len(mine), sets=n,
            )  # fmt: skip
            heads = (Message("Rule"), Message("What it says"), Message("Findings"), Message("Sets of answers"))
            rows = tuple((rule, says[rule], count, n) for rule, count in sorted(counts.items()))
            yield Listing(f"{section.id}.rules", RULES, section.id, "", BrokenRules.title, told, heads, rows)
        if mine:
            k, title = min(len(mine), MOST), Message("Answers that do not fit together")
            told = Message("The first {k} of {n} findings, with the answers that they speak of.", k=k, n=len(mine))
            heads = (Message("Rule"), Message("Item"), Message("Rater"), Message("Answers"))
            first = tuple((one.rule, one.item, one.rater, _told(one.values)) for one in mine[:MOST])
            yield Listing(f"{section.id}.rules.cases", CASES, section.id, "", title, told, heads, first)


def warnings(protocol: Protocol, collected: Collected) -> Iterator[Listing]:
    """What live warnings did: how often raters were warned, changed answers or kept them, and what the first ones were.

    Estimates are of the final answers. Warnings may lead raters to an answer, so the first ones are held beside them.
    """
    out = {person.rater for person in collected.participants if person.status in (WITHDRAWN, EXCLUDED)}
    for section in protocol.sections:
        live = [rule for rule in section.rules if rule.live]
        mine = [one for one in collected.warnings if one.section == section.id and one.rater not in out]
        if live:
            changed = sum(bool(one.changed) for one in mine)
            told = Message(
                "Raters were warned before they went on, once an item: {n} warning, after {changed} of which answers "
                "were changed. First and final answers are both kept; estimates are of the final ones.",
                "Raters were warned before they went on, once an item: {n} warnings, after {changed} of which answers "
                "were changed. First and final answers are both kept; estimates are of the final ones.",
                n=len(mine), changed=changed,
            )  # fmt: skip
            heads: tuple[Message, ...] = (
                Message("Rule"), Message("What it says"), Message("Warned"), Message("Changed"), Message("Kept"),
                Message("Not sent again"),
            )  # fmt: skip
            rows = tuple((rule.id, rule.says, *_outcomes([w for w in mine if rule.id in w.rules])) for rule in live)
            yield Listing(f"{section.id}.warnings", WARNED, section.id, "", Message("Live warnings"), told, heads, rows)
        if first := tuple(_first_and_final(section, mine, collected.answers)):
            title = Message("First and final answers")
            told = Message(
                "Answers that were changed after a warning, and the share of pairs of raters of one item who gave the "
                "same answer, with the first answers and with the final ones."
            )
            heads = (
                Message("Question"), Message("Changed"), Message("Agreement first, %"), Message("Agreement final, %")
            )  # fmt: skip
            yield Listing(f"{section.id}.warnings.first", FIRST, section.id, "", title, told, heads, first)


def _outcomes(warned: Sequence[Warned]) -> tuple[int, int, int, int]:
    changed, kept = (sum(one.changed is not None and bool(one.changed) is c for one in warned) for c in (True, False))
    return len(warned), changed, kept, len(warned) - changed - kept


def _first_and_final(
    section: Section, warned: Sequence[Warned], answers: Sequence[Answer]
) -> Iterator[tuple[Any, ...]]:
    for ask in section.ask:
        changed = [one for one in warned if one.changed and ask.id in one.changed and one.round == 1]
        if not changed:
            continue
        final = {
            (answer.item, answer.rater): str(answer.value)
            for answer in answers
            if (answer.section, answer.question, answer.by, answer.round) == (section.id, ask.id, RATER, 1)
            and answer.reason is None
        }
        said = {(one.item, one.rater): a for one in changed for a in one.first if a.question == ask.id}
        first = {place: value for place, value in final.items() if place not in said}
        first |= {place: str(a.value) for place, a in said.items() if a.reason is None}
        yield ask.id, len(changed), _agreement(first), _agreement(final)


def _agreement(values: Mapping[tuple[str, str], str]) -> float | str:
    """The share of pairs of raters of one item with the same value, in percent; a dash where there is no pair."""
    by_item: dict[str, list[str]] = {}
    for (item, _), value in values.items():
        by_item.setdefault(item, []).append(value)
    pairs = [one == other for given in by_item.values() for one, other in combinations(given, 2)]
    return round(100 * sum(pairs) / len(pairs), 1) if pairs else "–"


Sets = dict[tuple[str, str, str], dict[str, Any]]


def _sets(protocol: Protocol, collected: Collected, out: set[str]) -> Sets:
    """The answers that one rater gave to one item, by question; sections without rules are left out."""
    asked = {section.id for section in protocol.sections if section.rules or protocol.analysis.priority}
    sets: Sets = {}
    for answer in collected.answers:
        if answer.by == RATER and answer.round == 1 and answer.section in asked and answer.rater not in out:
            given = sets.setdefault((answer.section, answer.item, answer.rater), {})
            if answer.reason is None:
                given[answer.question] = answer.value
    return sets


def _found(protocol: Protocol, collected: Collected, sets: Sets) -> Iterator[Inconsistency]:
    """Every rule that a set of answers breaks; the same answers to items that are alike are looked at once."""
    items = {item.id: item for item in collected.items}
    named = {section.id: _named(protocol, section) for section in protocol.sections}
    known: dict[Any, list[tuple[str, str, dict[str, Any]]]] = {}
    alike: dict[tuple[str, str], tuple[str, ...]] = {}
    for (section, item, rater), values in sorted(sets.items()):
        if item not in items:
            continue
        place = (section, item)
        if place not in alike:
            alike[place] = tuple(str(items[item].fields.get(name)) for name in named[section])
        key = (section, alike[place], tuple(_hashable(values.get(name)) for name in named[section]))
        if key not in known:
            known[key] = list(inconsistencies(protocol, protocol.section(section), items[item], values))
        for rule, _, spoken_of in known[key]:
            yield Inconsistency(rule, section, item, rater, spoken_of)


def _told(values: Mapping[str, Any]) -> Clauses:
    """The answers that a rule speaks of, in words; what was not asked or not answered is left out.

    >>> _told({"winner": "ours", "fit": {"ours": 2, "theirs": 4}, "tags": ["blur", "noise"], "why": None}).text()
    'winner: ours; fit: “ours” 2 and “theirs” 4; tags: “blur” and “noise”'
    """
    told = {name: _words(value) for name, value in values.items() if value is not None}
    return Clauses(tuple(Message("{question}: {what}", question=name, what=words) for name, words in told.items()))


def _words(value: Any) -> Text:
    if isinstance(value, Mapping):
        parts = ((name, _words(part)) for name, part in value.items() if part not in (None, []))
        return Listed(tuple(Message("“{name}” {value}", name=name, value=part) for name, part in parts))
    return Listed(tuple(quoted(str(one)) for one in value)) if isinstance(value, list | tuple) else str(value)


def _hashable(value: Any) -> Any:
    """The value where it can stand in a key; values with parts (marks by system, tags) as text."""
    return repr(value) if isinstance(value, dict | list) else value


def _named(protocol: Protocol, section: Section) -> tuple[str, ...]:
    """Everything that decides whether a rule is broken: what rules name, what scores are made of, and priorities."""
    names = {name for rule in section.rules for name in rule.names()}
    names |= {name for score in section.scores for name in score.weights}
    if protocol.analysis.priority:
        names |= {*protocol.analysis.priority, *(ask.id for ask in section.ask if ask.question.compares())}
    return tuple(sorted(names))
