"""What the published script needs beside the data files: the study's rules, and rows that no data file holds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from quorate.analyse.analyse import make_cases
from quorate.inquiries.assisted import is_triaged
from quorate.inquiries.compared import of_sheet
from quorate.inquiries.item_means import maximum
from quorate.inquiries.judge_leanings import stood_first, text_lengths, winner
from quorate.inquiries.tags import NO_TAG, offered
from quorate.judges import SWAPPED
from quorate.languages import say
from quorate.protocol import Protocol
from quorate.records import Collected, Shown
from quorate.report.data import more_rows, raw_columns, raw_rows
from quorate.report.playback import COLUMNS as PLAYED
from quorate.report.playback import playback_rows
from quorate.sheets.case import SCALES, Case
from quorate.sheets.sheet import EXCLUDED, PARTS, Sheet, sheets
from quorate.spreadsheets import csv_table

RULES = "study.json"
PASSED = ("section", "question", "item", "annotator_id")
#: What each further file holds, for the README.
FILES = {
    RULES: "The rules of the study as data: questions, scales, weights, and how verdicts are made",
    "items.csv": "What results are grouped by, item by item",
    "targets.csv": "The right answer to each question about each item",
    "annotations_rounds.csv": "Answers of later rounds",
    "annotations_more_excluded.csv": "What excluded raters answered where they were called in",
    "passed.csv": "Who was asked for tags that need not be given, and gave none",
    "passed_excluded.csv": "The same of excluded raters",
    "playback_excluded.csv": "How excluded raters played clips",
    "automatic_metrics.csv": "The automatic metrics that scores are held against",
    "triage.csv": "Where the judge's scores sent each item",
    "judge_repeats.csv": "What judges said in the mirrored order, and in further samples",
    "pairs.csv": "The two systems that each item compares",
    "text_lengths.csv": "How long the two texts of each pair are",
}


def further_files(protocol: Protocol, collected: Collected) -> Iterator[tuple[str, str]]:
    """Each further file that has rows, by name."""
    filled = list(sheets(protocol, collected))
    cases = make_cases(protocol, filled)
    yield RULES, json.dumps(rules(protocol, filled, cases), ensure_ascii=False, indent=1) + "\n"
    tables: dict[str, tuple[Sequence[str], list[list[Any]]]] = {
        "items.csv": _items(protocol, collected, filled),
        "targets.csv": (("section", "question", "item", "target", "right_label"), list(_targets(filled))),
        "annotations_rounds.csv": _rounds(protocol, collected),
        **_excluded(protocol, collected),
        "passed.csv": (PASSED, list(_passed(filled))),
        "automatic_metrics.csv": _metrics(protocol),
        "triage.csv": (("section", "question", "item", "route", "inclusion", "confidence"), list(_routes(cases))),
        "judge_repeats.csv": (("section", "question", "judge", "item", "what", "said"), list(_repeats(filled))),
        "pairs.csv": (("section", "item", "one", "other"), list(_pairs(filled))),
        "text_lengths.csv": (("section", "item", "system", "length"), list(_lengths(cases))),
    }
    yield from ((name, csv_table(columns, rows)) for name, (columns, rows) in tables.items() if rows)


def rules(protocol: Protocol, filled: Sequence[Sheet], cases: Sequence[Case]) -> dict[str, Any]:
    """The rules that the numbers follow from."""
    rule, triage, metrics = protocol.analysis.verdict.majority, protocol.file.triage, protocol.analysis.metrics
    known = {(sheet.section, sheet.id) for sheet in filled}
    scores = [(case.sheet.section, case.sheet.id) for case in cases if (case.sheet.section, case.sheet.id) not in known]
    return {
        "title": say(protocol.file.title),
        "item_column": protocol.file.export.item_id,
        "needed": rule.needed,
        "out_of": rule.out_of,
        "raters_per_item": protocol.raters.per_item,
        "cluster": protocol.file.items.cluster,
        "ties": protocol.analysis.ties or "denominator",
        "epsilon": protocol.analysis.epsilon,
        "priority": list(protocol.analysis.priority),
        "metrics": metrics and {"on": metrics.on, "columns": list(metrics.columns)},
        "triage": triage and {"judges": list(triage.judges), "verifying": triage.is_verifying},
        "judges": {id: entry.judge.own for id, entry in protocol.file.judges.items()},
        "questions": [_question(sheet) for sheet in filled],
        "scores": list(_scores(protocol, scores)),
    }


def _question(sheet: Sheet) -> dict[str, Any]:
    question = sheet.question
    numeric = question.level in SCALES and not question.rates_each() and not question.compares()
    return {
        "section": sheet.section,
        "id": sheet.id,
        "level": question.level.value,
        "numeric": numeric,
        "scored": question.is_scored(),
        "required": question.required,
        "verdict_on": question.verdict_on(),
        "readings": {name: [str(label) for label in question.declared(name)] for name in question.readings()},
        "points": {str(point): _number(sheet, point) for point in question.scale()},
        "maximum": maximum(sheet) if numeric else 0,
        "rates_each": question.rates_each(),
        "pairs": [list(pair) for pair in of_sheet(sheet).pairs] if question.compares() else [],
        "asked": None if sheet.asked.all() else [sheet.items[place].id for place in sheet.asked.nonzero()[0]],
        "may_tie": question.tie_value() is not None,
        "tags": list(_tags(sheet)) if question.tagged(NO_TAG) else [],
    }


def _number(sheet: Sheet, point: Any) -> float:
    question = sheet.question
    found = question.marks({"": point}).get("") if question.rates_each() else question.as_number(point)
    return float(point) if found is None else found


def _tags(sheet: Sheet) -> Iterator[dict[str, Any]]:
    """Each tag, and the items to which it could be given; None where that is all of them."""
    could = {item.id: set(sheet.question.outcomes(Shown(), item) or ()) for item in sheet.items}
    for tag in offered(sheet):
        items = [id for id, tags in could.items() if tag in tags]
        yield {"name": tag, "items": None if len(items) == len(could) else items}


def _scores(protocol: Protocol, ids: Sequence[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    for section in protocol.sections:
        always = {ask.id for ask in section.ask if ask.applies_when is None}
        for score in section.scores:
            shared = {name: weight for name, weight in score.weights.items() if name in always}
            for id, weights in ((score.id, dict(score.weights)), (score.shared_id, shared)):
                if (section.id, id) in ids:
                    yield {"section": section.id, "id": id, "weights": weights, "yes": score.yes, "no": score.no}


def _items(protocol: Protocol, collected: Collected, filled: Sequence[Sheet]) -> tuple[list[str], list[list[Any]]]:
    metrics = protocol.analysis.metrics
    named = [*protocol.analysis.fields, protocol.file.items.cluster, metrics.on if metrics else None]
    names = [name for name in dict.fromkeys(named) if name]
    return ["item", *names], [[item.id, *(str(item.fields.get(name)) for name in names)] for item in collected.items]


def _targets(filled: Sequence[Sheet]) -> Iterator[list[Any]]:
    for sheet in filled:
        if not sheet.question.is_scored():
            continue
        on = sheet.question.verdict_on()
        labels = sheet.reading(on).labels if on else ()
        for item, target in zip(sheet.items, sheet.targets, strict=True):
            right = "True" if on == "correctness" else next((k for k in labels if sheet.question.score(k, item)), "")
            yield [sheet.section, sheet.id, item.id, target, right]


def _rounds(protocol: Protocol, collected: Collected) -> tuple[list[str], list[list[Any]]]:
    rows: list[list[Any]] = []
    for round in sorted({answer.round for answer in collected.answers if answer.round > 1}):
        filled = list(sheets(protocol, collected, round=round))
        rows += ([*row, "rater", round] for row in raw_rows(protocol, filled))
        rows += ([*row[:-1], round] for row in more_rows(protocol, filled))
    return [*raw_columns(protocol), "by", "round"], rows


def _excluded(protocol: Protocol, collected: Collected) -> dict[str, tuple[Sequence[str], list[list[Any]]]]:
    left = {person.rater for person in collected.participants if person.status == EXCLUDED}
    if not left:
        return {}
    kept = list(sheets(protocol, collected, keep=(EXCLUDED,)))
    columns = [*raw_columns(protocol), "by", "reason"]
    who = columns.index("annotator_id")
    return {
        "annotations_more_excluded.csv": (columns, [row for row in more_rows(protocol, kept) if row[who] in left]),
        "passed_excluded.csv": (PASSED, [row for row in _passed(kept) if row[3] in left]),
        "playback_excluded.csv": (PLAYED, [row for row in playback_rows(protocol, kept) if row[2] in left]),
    }


def _passed(filled: Sequence[Sheet]) -> Iterator[list[Any]]:
    for sheet in filled:
        if sheet.question.tagged(NO_TAG) and not sheet.question.required:
            for answer in sheet.passed.answers:
                yield [sheet.section, sheet.id, answer.item, answer.rater]


def _metrics(protocol: Protocol) -> tuple[list[str], list[list[Any]]]:
    rule = protocol.analysis.metrics
    if rule is None:
        return [], []
    columns = list(dict.fromkeys((rule.on, *rule.columns)))
    rows = protocol.tables.get(rule.from_, ())
    return columns, [[str(row.fields.get(rule.on)), *(row.fields.get(name) for name in columns[1:])] for row in rows]


def _routes(cases: Sequence[Case]) -> Iterator[list[Any]]:
    for case in cases:
        if is_triaged(case):
            for route in case.sheet.routes:
                sure = route.confidence.get(case.sheet.id)
                yield [case.sheet.section, case.sheet.id, route.item, route.to, route.inclusion, sure]


def _repeats(filled: Sequence[Sheet]) -> Iterator[list[Any]]:
    """What a judge said of record and again, as what is held against each other: systems, or values."""
    for sheet in filled:
        for one in sheet.repeated:
            record = next((a for a in sheet.recorded if (a.item, a.rater) == (one.item, one.judge)), None)
            head = [sheet.section, sheet.id, one.judge, one.item]
            if one.purpose != SWAPPED:
                yield [*head, one.purpose, repr(one.said[sheet.id])]
                if record is not None:
                    yield [*head, "answer", repr(record.value)]
            elif record is not None and (first := stood_first(sheet.id, record.shown)) is not None:
                yield [*head, "record", _said(sheet, record.value, record.shown)]
                yield [*head, SWAPPED, _said(sheet, one.said[sheet.id], one.shown)]
                yield [*head, "first", first]


def _said(sheet: Sheet, value: Any, shown: Shown) -> str:
    if sheet.question.compares():
        return winner(sheet.question.compared(value, shown)) or ""
    return str(value)


def _pairs(filled: Sequence[Sheet]) -> Iterator[list[Any]]:
    """The two systems of each item of which two are compared, in the order of their names."""
    told = set()
    for sheet in filled:
        if sheet.question.compares():
            for answer in (answer for part in PARTS for answer in getattr(sheet, part).answers):
                systems = sorted(set(answer.shown.sides.values()))
                if len(systems) == 2 and (sheet.section, answer.item) not in told:
                    told.add((sheet.section, answer.item))
                    yield [sheet.section, answer.item, *systems]


def _lengths(cases: Sequence[Case]) -> Iterator[list[Any]]:
    for case in cases:
        if case.sheet.question.compares() and case.sheet.judges:
            for item in case.sheet.items:
                both = text_lengths(case, item)
                if both is not None:
                    yield [case.sheet.section, item.id, both[0], both[1]]
                    yield [case.sheet.section, item.id, both[2], both[3]]
