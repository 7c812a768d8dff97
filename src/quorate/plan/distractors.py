"""Semantic distractors: the concepts nearest to the target within its stratum, the same for everyone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from quorate.encoders import TextEncoder, text_encoder
from quorate.errors import EncoderError, PlanError, StudyError
from quorate.protocol import Protocol
from quorate.questions import DISTRACTORS, Choice
from quorate.questions.canonical import STEPS, canonical
from quorate.questions.choice import Semantic
from quorate.records import Item

Chosen = list[dict[str, Any]]
Known = Mapping[str, Mapping[str, Any]]


def with_distractors(protocol: Protocol, items: Sequence[Item], known: Known | None = None) -> tuple[Item, ...]:
    """The items with their distractors in a field of their own, each with its score and where it comes from.

    `known` are distractors that were chosen before, by item and target field: then nothing is chosen.
    """
    chosen: dict[str, Any] = {item.id: {} for item in items}
    if known is not None:
        chosen |= {id: found for id, found in known.items() if id in chosen}
    for choice in choices_with_distractors(protocol) if known is None else ():
        for id, entries in _choose(protocol, choice, items).items():
            chosen[id][str(choice.target)] = entries
    return tuple(
        Item(item.id, {**item.fields, DISTRACTORS: found}) if (found := chosen[item.id]) else item for item in items
    )


def choices_with_distractors(protocol: Protocol) -> list[Choice]:
    """The questions whose options have to be built."""
    asked = [ask.question for section in protocol.sections for ask in section.ask]
    return [question for question in asked if isinstance(question, Choice) and question.semantic]


def _choose(protocol: Protocol, choice: Choice, items: Sequence[Item]) -> dict[str, Chosen]:
    rule = choice.semantic
    assert rule is not None
    assert choice.target is not None
    encoder = _encoder(protocol, choice, rule)
    concepts = _concepts(protocol, rule, choice.target)
    found: dict[str, Chosen] = {}
    for stratum, candidates in concepts.items():
        mine = [item for item in items if not rule.within or str(item[rule.within]) == stratum]
        found |= _nearest(choice, rule, encoder, mine, candidates, stratum)
    missing = next((item for item in items if item.id not in found), None)
    if missing is not None:
        where = f"{rule.within} '{missing[rule.within]}'" if rule.within else "the list"
        raise PlanError(f"There are no concepts for {where}, which item '{missing.id}' needs for its distractors.")
    return found


def _encoder(protocol: Protocol, choice: Choice, rule: Semantic) -> TextEncoder:
    """The encoder that the study file names, and no other: another one would silently make another plan."""
    try:
        return text_encoder(rule.encoder)
    except StudyError as error:
        asked = ((s, a, ask) for s, section in enumerate(protocol.sections) for a, ask in enumerate(section.ask))
        s, a = next((s, a) for s, a, ask in asked if ask.question is choice)
        raise EncoderError(
            f"study.yaml: sections[{s}].ask[{a}].choice.semantic.encoder: '{rule.encoder}' is not installed here, and "
            f"the plan needs it. {error} Or compare letters, on every machine alike: encoder: lexical"
        ) from error


def _concepts(protocol: Protocol, rule: Semantic, target: str) -> Mapping[str, list[str]]:
    """The concepts of each stratum, from their own table or from the whole pool; nothing twice."""
    if rule.from_:
        rows = [row.fields for row in protocol.tables[rule.from_]]
        pairs = [(str(row[rule.within]) if rule.within else "", str(row[rule.field])) for row in rows]
    else:
        pairs = [(str(item[rule.within]) if rule.within else "", str(item[target])) for item in protocol.pool]
    strata: dict[str, dict[str, str]] = {}
    for stratum, concept in pairs:
        strata.setdefault(stratum, {}).setdefault(_same(concept), concept)
    return {stratum: list(concepts.values()) for stratum, concepts in strata.items()}


def _nearest(
    choice: Choice, rule: Semantic, encoder: TextEncoder, items: Sequence[Item], candidates: Sequence[str], stratum: str
) -> dict[str, Chosen]:
    targets = sorted({str(item[choice.target or ""]) for item in items})
    if not targets:
        return {}
    concepts = encoder.encode(candidates)
    known = [_same(text) for text in candidates]
    scores = dict(zip(targets, encoder.encode(targets), strict=True))
    found: dict[str, Chosen] = {}
    for item in items:
        target = str(item[choice.target or ""])
        taken = {_same(target)} | ({_same(str(item[choice.literal]))} if choice.literal else set())
        row = concepts @ scores[target]
        fit = [
            (candidates[place], float(row[place]))
            for place in _ranked(row, candidates, rule.n + len(taken), rule.ceiling)
            if known[place] not in taken
        ]
        if len(fit) < rule.n:
            where = f" in {rule.within} '{stratum}'" if rule.within else ""
            raise PlanError(
                f"Item '{item.id}' needs {rule.n} distractors for '{target}'{where}, and {len(fit)} concepts fit. "
                "Add concepts to the list, or raise the ceiling."
            )
        found[item.id] = [
            {"text": text, "score": round(score, 6), "method": encoder.method, "model": encoder.model}
            for text, score in fit[: rule.n]
        ]
    return found


def _ranked(row: Any, candidates: Sequence[str], n: int, ceiling: float) -> list[int]:
    """The places of the n best scores up to the ceiling, and of what ties with the last of them.

    Equal scores are settled by the alphabet, so that the choice is the same on every machine. Only the best are sorted:
    a list of concepts may have a hundred thousand.
    """
    import numpy as np

    rounded = np.where(row > ceiling, -np.inf, row.astype(float).round(6))
    if n < len(rounded):
        least = np.partition(rounded, len(rounded) - n)[len(rounded) - n]
        places = np.flatnonzero((rounded >= least) & np.isfinite(rounded))
    else:
        places = np.flatnonzero(np.isfinite(rounded))
    return sorted(places.tolist(), key=lambda place: (-rounded[place], candidates[place]))


def _same(text: str) -> str:
    return canonical(text, list(STEPS))
