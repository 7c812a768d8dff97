"""The data files in the document's own columns, and every estimate as JSON."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from quorate import __version__
from quorate.analyse.merged import COLUMNS as MERGED_COLUMNS
from quorate.analyse.merged import merged_rows
from quorate.exhibits.numbers import utc
from quorate.findings.results import Results
from quorate.inquiries.adjudicated import reason_of
from quorate.inquiries.assisted import MERGED
from quorate.inquiries.playback import FILE as PLAYED
from quorate.languages import say
from quorate.protocol import Protocol
from quorate.records import SIDES, Answer, Collected, Item, side_names
from quorate.report.playback import COLUMNS, playback_rows, seconds_of
from quorate.report.sentences import Sentence
from quorate.sheets.case import JUDGED, RAW, SUMMARY
from quorate.sheets.sheet import EXCLUDED, Sheet, natural, sheets
from quorate.sheets.verdicts import STATUSES, verdicts
from quorate.spreadsheets import csv_table

EXCLUSIONS = "exclusions.csv"
EXCLUDED_RAW, RESULTS, DECISIONS = "annotations_excluded.csv", "results.json", "borderline_decisions.csv"
MORE, PRESENTED, EXCLUDED_SHOWN = "annotations_more.csv", "presentations.csv", "presentations_excluded.csv"
RESPONSE = ("annotator_id", "response_raw", "response_normalized", "is_correct", "timestamp")

Rows = Iterable[Sequence[Any]]


def data_files(
    protocol: Protocol, collected: Collected, results: Results, told: Sequence[Sentence] = ()
) -> dict[str, str]:
    """Every data file of the report by name, as text; the same rows give the same bytes.

    `told` are the sentences of the report, which stand in results.json with what they rest on.
    """
    filled = list(sheets(protocol, collected))
    files = {
        RAW: csv_table(raw_columns(protocol), raw_rows(protocol, filled)),
        SUMMARY: csv_table(summary_columns(protocol), summary_rows(protocol, filled)),
        sampled_name(protocol): csv_table(sampled_columns(protocol), sampled_rows(protocol, collected.items)),
    }
    if any(sheet.judged for sheet in filled):
        files[JUDGED] = csv_table(raw_columns(protocol), raw_rows(protocol, filled, judges=True))
    if any(len(sheet.more) or len(sheet.members) or len(sheet.anchored) for sheet in filled):
        files[MORE] = csv_table([*raw_columns(protocol), "by", "reason"], more_rows(protocol, filled))
    if any(
        answer.seconds is not None or ((answer.shown.sides or answer.position) and answer.rater not in sheet.from_files)
        for sheet in filled for answer in sheet.people.answers
    ):  # fmt: skip
        files[PRESENTED] = csv_table(_presented_columns(protocol), _presented(protocol, filled))
    plays = list(playback_rows(protocol, filled))
    if plays:
        files[PLAYED] = csv_table(COLUMNS, plays)
    scores = list(merged_rows(protocol, filled))
    if scores:
        files[MERGED] = csv_table(MERGED_COLUMNS, scores)
    if results.with_excluded:
        left = {person.rater for person in collected.participants if person.status == EXCLUDED}
        kept = list(sheets(protocol, collected, keep=(EXCLUDED,)))
        files[EXCLUDED_RAW] = csv_table(raw_columns(protocol), raw_rows(protocol, kept, only=left))
        shown = (row for row in _presented(protocol, kept) if row[2] in left)
        files[EXCLUDED_SHOWN] = csv_table(_presented_columns(protocol), shown)
    if results.exclusions:
        rows = ([one.rater, utc(one.at), one.reason, one.answers] for one in results.exclusions)
        files[EXCLUSIONS] = csv_table(["annotator_id", "excluded_at", "reason", "answers"], rows)
    if results.borderline:
        files[DECISIONS] = csv_table(*_decisions(results))
    files[RESULTS] = results_json(protocol, results, files, told)
    return files


def sampled_name(protocol: Protocol) -> str:
    """The name of the list of drawn items: `idioms.csv` gives `sampled_idioms.csv`."""
    return f"sampled_{Path(protocol.file.items.from_).stem}.csv"


def raw_columns(protocol: Protocol) -> list[str]:
    """The columns of the raw file; section and question stand first where a study asks more than one thing."""
    head = [*_which(protocol), protocol.file.export.item_id, *protocol.file.export.fields]
    return [*head, *((*RESPONSE[:-1], "response_label", RESPONSE[-1]) if _has_labels(protocol) else RESPONSE)]


def raw_rows(
    protocol: Protocol, filled: Iterable[Sheet], judges: bool = False, only: Iterable[str] | None = None
) -> Iterator[list[Any]]:
    """One row an answer that has a value: by question, then rater, then item."""
    labelled = _has_labels(protocol)
    for sheet in filled:
        rows = sheet.machines if judges else sheet.people
        ranks = {name: rank for rank, name in enumerate(sorted(rows.names, key=natural))}
        rank = np.array([ranks[name] for name in rows.names], np.int64)[rows.who]
        right = sheet.right("machines" if judges else "people") if sheet.question.is_scored() else None
        heads = [[*_what(protocol, sheet), *_item(protocol, item)] for item in sheet.items]
        for at in np.lexsort((rows.item, rank)).tolist():
            answer: Answer = rows.answers[at]
            if only is None or answer.rater in only:
                place = int(rows.item[at])
                correct = None if right is None else bool(right[at])
                yield _raw_row(heads[place], sheet, answer, sheet.items[place], correct, labelled)


def _raw_row(
    head: list[Any], sheet: Sheet, answer: Answer, item: Item, correct: bool | None, labelled: bool
) -> list[Any]:
    row = [*head, answer.rater, answer.raw, _normal(answer), correct]
    if labelled:
        row.append(_label(sheet, answer, item))
    row.append(utc(answer.at))
    return row


def _label(sheet: Sheet, answer: Answer, item: Item) -> Any:
    """The answer as the category on which raters may agree: a concept, a point of the scale, a system."""
    names = sheet.question.readings()
    return sheet.question.category(names[0], answer.value, item) if names and names[0] != "correctness" else ""


def more_rows(protocol: Protocol, filled: Iterable[Sheet]) -> Iterator[list[Any]]:
    """Raters who were called in, who saw a judge's score, and the team's decisions: what is in no agreement."""
    for sheet in filled:
        parts = ((sheet.more, "third rater"), (sheet.members, "member"), (sheet.anchored, "rater who saw the AI score"))
        for rows, by in parts:
            for answer, place in zip(rows.answers, rows.item, strict=True):
                item = sheet.items[place]
                correct = bool(sheet.question.score(answer.value, item)) if sheet.question.is_scored() else None
                head = [*_what(protocol, sheet), *_item(protocol, item)]
                why, given = reason_of(answer)
                yield [*_raw_row(head, sheet, given, item, correct, _has_labels(protocol)), by, why]


def _presented_columns(protocol: Protocol) -> list[str]:
    return ["section", "item", "annotator_id", "position", "seconds", *_sides(protocol)]


def _sides(protocol: Protocol) -> tuple[str, ...]:
    """The sides on which anything stands: left and right, and the letters of a set."""
    media = [show.part for section in protocol.sections for show in section.show]
    return (
        tuple(dict.fromkeys(side for medium in media if medium.n_sides for side in side_names(medium.n_sides))) or SIDES
    )


def _presented(protocol: Protocol, filled: Iterable[Sheet]) -> Iterator[list[Any]]:
    """What each planned assignment showed on which side, at which place of the work, and how long it took."""
    told, names = set(), _sides(protocol)
    for sheet in filled:
        for answer, seconds in zip(sheet.people.answers, seconds_of(sheet), strict=True):
            key = (sheet.section, answer.item, answer.rater)
            # Where anything stood, and in which order, is not known of what came from a file.
            if key not in told and answer.rater not in sheet.from_files:
                told.add(key)
                sides = answer.shown.sides
                yield [*key, answer.position, seconds, *map(sides.get, names)]


def summary_columns(protocol: Protocol) -> list[str]:
    """The columns of the summary; the judge's name is in two of them."""
    compare = protocol.analysis.compare
    head = [*_which(protocol), protocol.file.export.item_id, *protocol.file.export.fields]
    if _asks_one_thing(protocol):
        judged = [f"{compare.judge}_correct", f"human_{compare.judge}_agree"] if compare else []
        return [*head, "num_correct", "majority_correct", *judged]
    judged = [compare.judge, f"{compare.judge}_correct", f"human_{compare.judge}_agree"] if compare else []
    return [*head, "n_answers", "verdict", "verdict_status", "num_correct", "majority_correct", *judged]


def summary_rows(protocol: Protocol, filled: Iterable[Sheet]) -> Iterator[list[Any]]:
    """One row an item of each question that comes to a verdict; no majority is an empty field, never False."""
    brief = _asks_one_thing(protocol)
    for sheet in filled:
        if not sheet.question.verdict_on() or (brief and not sheet.question.is_scored()):
            continue
        found = verdicts(sheet, protocol.analysis.verdict.majority)
        scored = sheet.question.is_scored()
        right = found.right() if scored else None
        correct = sheet.right() if scored else np.zeros(len(sheet.people), bool)
        number = np.bincount(sheet.people.item, weights=correct, minlength=sheet.n_items).astype(int)
        has_verdict = found.known.tolist()
        for at, item in enumerate(sheet.items):
            if not sheet.asked[at]:
                continue
            known = has_verdict[at]
            verdict = found.labels[found.code[at]] if known else None
            row = [*_what(protocol, sheet), *_item(protocol, item)]
            if not brief:
                row += [int(found.n[at]), verdict, STATUSES[found.status[at]]]
            row.append(int(number[at]) if scored and found.n[at] else None)
            row.append(bool(right[at]) if right is not None and known else None)
            yield [*row, *_judged(protocol, sheet, item, verdict, row[-1], brief)]


def _judged(protocol: Protocol, sheet: Sheet, item: Item, verdict: Any, human: bool | None, brief: bool) -> list[Any]:
    compare = protocol.analysis.compare
    if compare is None:
        return []
    machine = sheet.correct.get((item.id, compare.judge))
    if brief or sheet.question.verdict_on() == "correctness":
        agree = None if human is None or machine is None else human == machine
        return [machine, agree] if brief else [None, machine, agree]
    answer = sheet.judged.get((item.id, compare.judge))
    said = None if answer is None else sheet.question.category(sheet.question.verdict_on(), answer.value, item)
    return [said, machine, None if verdict is None or said is None else verdict == said]


def sampled_columns(protocol: Protocol) -> list[str]:
    """What the list of drawn items tells of each: the published fields, and by what results are grouped."""
    fields, grouped = protocol.file.export.fields, _grouped(protocol)
    id = [protocol.file.export.item_id] if grouped or not fields else []
    return [*id, *fields, *(name for name in grouped if name not in fields)]


def sampled_rows(protocol: Protocol, items: Iterable[Item]) -> Iterator[list[Any]]:
    """One row a drawn item, in the pool's order."""
    fields, grouped = protocol.file.export.fields, _grouped(protocol)
    for item in items:
        id = [item.id] if grouped or not fields else []
        more = (item.fields.get(name) for name in grouped if name not in fields)
        yield [*id, *(item[name] for name in fields), *more]


def _grouped(protocol: Protocol) -> list[str]:
    """The fields of breakdowns and of the cluster: tables and intervals rest on them."""
    by = protocol.analysis.by
    named = [*((by,) if isinstance(by, str) else by), protocol.file.items.cluster]
    return [name for name in dict.fromkeys(named) if name]


def results_json(protocol: Protocol, results: Results, files: dict[str, str], told: Sequence[Sentence]) -> str:
    """Every estimate with its evidence, and what is needed to check it."""
    found = results.as_dict()
    content = {
        "study": {"title": say(protocol.file.title), "version": protocol.file.version, "seed": protocol.seed},
        "simulated": results.simulated,
        "protocol": {"collection_hash": protocol.collection_hash, "analysis_hash": protocol.analysis_hash},
        "versions": versions(),
        "files": {name: sha256(text.encode()).hexdigest() for name, text in files.items()},
        "estimates": found.pop("findings"),
        "estimates_with_excluded": found.pop("with_excluded"),
        **found,
        "sentences": [sentence.as_dict() for sentence in told],
    }
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def versions() -> dict[str, str]:
    """The versions of what the numbers were computed with."""
    ours = {"python": platform.python_version(), "quorate": __version__}
    return {**ours, **{name: version(name) for name in ("numpy", "scipy")}}


def _which(protocol: Protocol) -> list[str]:
    return [] if _asks_one_thing(protocol) else ["section", "question"]


def _what(protocol: Protocol, sheet: Sheet) -> list[str]:
    return [] if _asks_one_thing(protocol) else [sheet.section, sheet.id]


def _has_labels(protocol: Protocol) -> bool:
    """Whether a column holds answers as categories; the one question of a study of texts needs none."""
    if not _asks_one_thing(protocol):
        return True
    names = protocol.sections[0].ask[0].question.readings()
    return bool(names) and names[0] != "correctness"


def _asks_one_thing(protocol: Protocol) -> bool:
    return sum(len(section.ask) for section in protocol.sections) == 1


def _item(protocol: Protocol, item: Item) -> list[Any]:
    return [item.id, *(item.fields.get(name) for name in protocol.file.export.fields)]


def _normal(answer: Answer) -> Any:
    return answer.value if isinstance(answer.value, str | int | float) else json.dumps(answer.value, ensure_ascii=False)


def _decisions(results: Results) -> tuple[list[str], Rows]:
    columns = [
        "section",
        "question",
        "target",
        "response_normalized",
        "votes_for",
        "votes_against",
        "decision",
        "close_by",
    ]
    words = {True: "correct", False: "not correct", None: "open"}
    return columns, [
        [b.section, b.question, b.target, b.canonical, b.votes_for, b.votes_against, words[b.correct], b.close_by]
        for b in results.borderline
    ]
