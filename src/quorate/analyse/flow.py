"""Who came and where they left, what was planned and what came back, counted honestly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from quorate.analyse.results import Annotator, Flow
from quorate.analyse.sheets import EXCLUDED, WITHDRAWN, Sheet, natural
from quorate.protocol import Asks, Protocol
from quorate.protocol.study_file import AsksEligibility
from quorate.records import Collected, Participant

#: What a rater can only have done after consent, and after being found eligible.
AFTER_CONSENT = ("consent", "eligible", "background", "instructions", "practiced", "finished")
AFTER_SCREENING = ("eligible", "background", "instructions", "practiced", "finished")


def flow(protocol: Protocol, collected: Collected, sheets: Sequence[Sheet]) -> Flow:
    """The counts of people, items and answers."""
    missing: Counter[str] = Counter()
    for sheet in sheets:
        missing.update(sheet.missing)
    given = sum(len(sheet.answers) for sheet in sheets)
    questions = sum(len(section.ask) for section in protocol.sections)
    planned = len(collected.items) * protocol.raters.per_item * questions
    analysed = sorted({rater for sheet in sheets for rater in sheet.raters}, key=natural)
    complete = [sum(_is_complete(sheet, item.id, protocol) for item in sheet.items) for sheet in sheets]
    return Flow(
        raters=_people(collected.participants, len(analysed)),
        items={
            "pool": len(protocol.pool),
            "drawn": len(collected.items),
            "with all answers": min(complete, default=0),
        },
        answers={
            "planned": planned,
            "given": given,
            "late": collected.late,
            "judges": sum(len(sheet.judged) for sheet in sheets),
            "of withdrawn or excluded raters": _of_those_who_left(collected),
        },
        missing=dict(sorted(missing.items())),
    )


def _people(participants: Iterable[Participant], analysed: int) -> Mapping[str, int]:
    people = list(participants)
    if not people:
        return {"analysed": analysed}
    status = Counter(person.status for person in people)

    def passed(steps: Sequence[str]) -> int:
        return sum(any(step in person.events for step in steps) for person in people)

    return {
        "invited": len(people),
        "declined": status["declined"],
        "consented": passed(AFTER_CONSENT),
        "screened out": status["screened_out"],
        "eligible": passed(AFTER_SCREENING),
        "finished": passed(["finished"]),
        "withdrawn": status[WITHDRAWN],
        "excluded": status[EXCLUDED],
        "analysed": analysed,
    }


def _of_those_who_left(collected: Collected) -> int:
    left = {person.rater for person in collected.participants if person.status in (WITHDRAWN, EXCLUDED)}
    return sum(answer.by == "rater" and answer.rater in left for answer in collected.answers)


def _is_complete(sheet: Sheet, item: str, protocol: Protocol) -> bool:
    return sum((item, rater) in sheet.answers for rater in sheet.raters) >= protocol.raters.per_item


def annotators(protocol: Protocol, collected: Collected, sheets: Sequence[Sheet]) -> tuple[Annotator, ...]:
    """The annotator table: everyone whose answers are analysed, with what they said of themselves."""
    answers = Counter(rater for sheet in sheets for _, rater in sheet.answers)
    known = {person.rater: person for person in collected.participants}
    columns = annotator_columns(protocol)
    rows = []
    for rater in sorted({rater for sheet in sheets for rater in sheet.raters}, key=natural):
        person = known.get(rater, Participant(rater, ""))
        said = {heading: str(person.background.get(ask.id) or "not stated") for heading, ask in columns.items()}
        rows.append(Annotator(rater, person.status, said, answers[rater]))
    return tuple(rows)


def annotator_columns(protocol: Protocol) -> dict[str, Asks]:
    """What the annotator table tells of a rater: the background, and eligibility where accepted answers differ."""
    screens: tuple[AsksEligibility, ...] = protocol.raters.eligibility
    telling = [ask for ask in screens if len(ask.accept) > 1]
    asks: list[Asks] = [*protocol.raters.background, *telling]
    return {ask.id.replace("_", " ").capitalize(): ask for ask in asks}
