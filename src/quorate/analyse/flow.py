"""Who came and where they left, what was planned and what came back, counted honestly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from quorate.analyse import outcomes
from quorate.findings.names import plain
from quorate.findings.results import Annotator, Exclusion, Flow, Successor
from quorate.languages import capital
from quorate.protocol import Asks, Protocol
from quorate.protocol.study_file import AsksEligibility
from quorate.records import Collected, Participant
from quorate.sheets.sheet import EXCLUDED, WITHDRAWN, Sheet, natural


def flow(protocol: Protocol, collected: Collected, sheets: Sequence[Sheet]) -> Flow:
    """The counts of people, items and answers."""
    given = sum(len(sheet.people) for sheet in sheets)
    required = [sheet for sheet in sheets if sheet.question.required]
    # What need not be answered is not planned, and not missing where it is left out.
    missing: Counter[str] = Counter()
    for sheet in required or sheets:
        missing.update(sheet.missing)
    planned = sum(int(sheet.asked.sum()) for sheet in required) * protocol.raters.per_item
    planned_raters = {rater for sheet in sheets for rater in sheet.raters}
    # Raters who were asked only where others differ are in verdicts, and in no figure of agreement.
    called_in = {rater for sheet in sheets for rater in sheet.more.names} - planned_raters
    analysed = planned_raters | called_in
    invited = list(outcomes.outcomes(protocol, collected, analysed))
    complete = [_complete(sheet, protocol) for sheet in required or sheets]
    field = protocol.file.items.cluster
    return Flow(
        raters=_people(protocol, collected, invited, len(analysed), len(called_in)),
        items={
            "pool": len(protocol.pool),
            "drawn": len(collected.items),
            "with all answers": min(complete, default=0),
            **({"clusters": len({str(item.fields.get(field)) for item in collected.items})} if field else {}),
        },
        answers={
            "planned": planned,
            "given": sum(len(sheet.people) + len(sheet.anchored) for sheet in required),
            "in all": given,
            "late": collected.late,
            **({"given beside a judge's score": n} if (n := sum(len(sheet.anchored) for sheet in sheets)) else {}),
            "third raters": sum(len(sheet.more) for sheet in sheets),
            "members": sum(len(sheet.members) for sheet in sheets),
            "judges": sum(len(sheet.machines) for sheet in sheets),
            "of withdrawn or excluded raters": _of_those_who_left(collected),
        },
        missing=dict(sorted(missing.items())),
        became=outcomes.counted(invited),
        left={step: outcomes.left_before(invited, step) for step in outcomes.STEPS[1:]},
        panels=_panels(protocol, sheets),
        successors=_successors(collected),
    )


def _successors(collected: Collected) -> tuple[Successor, ...]:
    """Everyone who was given the place of somebody else after the quiz, in the order of their ids."""
    return tuple(
        Successor(one.rater, one.place["instead_of"], one.place.get("why", ""), one.place["because"], one.panel, round)
        for one in collected.participants
        if one.place.get("instead_of") and (round := int(one.place.get("round", 1)))
    )


def _people(
    protocol: Protocol, collected: Collected, invited: Sequence[outcomes.Outcome], analysed: int, called_in: int
) -> Mapping[str, int]:
    if not collected.participants:
        return {"analysed": analysed}
    brought_in = [person for person in collected.participants if outcomes.is_imported(person)]
    gone = sum(person.status in (WITHDRAWN, EXCLUDED) for person in brought_in)
    finished = sum(one.word.startswith(outcomes.FINISHED) for one in invited)
    passed = {step: sum(one.step >= place for one in invited) for place, step in enumerate(outcomes.STEPS)}
    return {
        "invited": passed[outcomes.INVITED],
        "consented": passed[outcomes.CONSENTED],
        **({"admitted": passed[outcomes.ADMITTED]} if outcomes.has_gate(protocol) else {}),
        "finished": finished,
        **({"imported": len(brought_in)} if brought_in else {}),
        **({"imported, then excluded": gone} if gone else {}),
        **({"called in": called_in} if called_in else {}),
        "analysed": analysed,
    }


def _panels(protocol: Protocol, sheets: Sequence[Sheet]) -> Mapping[str, Mapping[str, int]]:
    """How many raters each panel was to have, and how many answered anything about its items that is analysed."""
    rule = protocol.raters
    planned = (rule.screening and rule.screening.top) or rule.roster or rule.per_item
    if not rule.panels:
        return {}
    raters: dict[str, set[str]] = {}
    for sheet in sheets:
        codes, names = sheet.field(rule.panels)
        for panel in np.unique(codes).tolist():
            who = np.unique(sheet.people.who[codes[sheet.people.item] == panel]).tolist()
            raters.setdefault(names[panel], set()).update(map(sheet.raters.__getitem__, who))
    return {name: {"planned": planned, "analysed": len(found)} for name, found in sorted(raters.items())}


def exclusions(collected: Collected) -> tuple[Exclusion, ...]:
    """Who was excluded, when and why, in the order in which it happened, with how many answers left the analysis."""
    answers = Counter(answer.rater for answer in collected.answers if answer.by == "rater" and answer.reason is None)
    found = [
        Exclusion(person.rater, person.events.get(EXCLUDED, ""), person.reason, answers[person.rater])
        for person in collected.participants
        if person.status == EXCLUDED
    ]
    return tuple(sorted(found, key=lambda one: (one.at, natural(one.rater))))


def _of_those_who_left(collected: Collected) -> int:
    left = {person.rater for person in collected.participants if person.status in (WITHDRAWN, EXCLUDED)}
    if not left:
        return 0
    return sum(answer.by == "rater" and answer.rater in left for answer in collected.answers)


def _complete(sheet: Sheet, protocol: Protocol) -> int:
    """How many items have all their planned answers, or need none."""
    given = np.bincount(np.concatenate([sheet.people.item, sheet.anchored.item]), minlength=sheet.n_items)
    return int(((given >= protocol.raters.per_item) | ~sheet.asked).sum())


def annotators(protocol: Protocol, collected: Collected, sheets: Sequence[Sheet]) -> tuple[Annotator, ...]:
    """The annotator table: everyone whose answers are analysed, with what they said of themselves."""
    answers: Counter[str] = Counter()
    for sheet in sheets:
        counts = np.bincount(sheet.people.who, minlength=len(sheet.raters)).tolist()
        answers.update(dict(zip(sheet.raters, counts, strict=True)))
    known = {person.rater: person for person in collected.participants}
    columns = annotator_columns(protocol)
    rows = []
    for rater in sorted({rater for sheet in sheets for rater in sheet.raters}, key=natural):
        person = known.get(rater, Participant(rater, ""))
        said = {heading: str(person.background.get(ask.id) or "") for heading, ask in columns.items()}
        rows.append(Annotator(rater, person.status, said, answers[rater]))
    return tuple(rows)


def annotator_columns(protocol: Protocol) -> dict[str, Asks]:
    """What the annotator table tells of a rater: the background, and eligibility where accepted answers differ."""
    screens: tuple[AsksEligibility, ...] = protocol.raters.eligibility
    telling = [ask for ask in screens if len(ask.accept) > 1]
    asks: list[Asks] = [*protocol.raters.background, *telling]
    return {capital(plain(ask.id)): ask for ask in asks}
