"""What every column of the published files means, and what was asked: written from the protocol and the tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quorate.analyse.merged import COLUMNS as MERGED
from quorate.inquiries.playback import plays_asked
from quorate.inquiries.scores import definition
from quorate.languages import say
from quorate.protocol import Asks, Protocol
from quorate.records import Reason
from quorate.report.data import raw_columns, sampled_columns, sampled_name, summary_columns
from quorate.report.playback import COLUMNS

#: What each table of rows holds.
TABLES: Mapping[str, str] = {
    "protocols": "The protocol as it was frozen at the first consent (number 0), and its amendments.",
    "events": "What happened, in the server's order: consents, claims of slots, breaks, exclusions, openings.",
    "raters": "The people who rated, each a place in the plan and nothing else.",
    "members": "The people of the team who decided about answers; their names are left out.",
    "items": "The items that were drawn, with the fields of their table.",
    "slots": "The plan: one row for each time that an item of a section is to be rated.",
    "assignments": "The slots that raters claimed, with their place in the rater's work.",
    "submissions": "One row for each form that was sent, with what the browser noticed meanwhile.",
    "answers": "Every answer with its history: a revision is a new row, and the newest counts.",
    "presentations": "What browsers say was shown where nothing was assigned: pages of the practice round, in order.",
    "decisions": "The team's votes on borderline answers.",
    "calls": "What was put to judges' models and what came back.",
}

_COMMON: Mapping[str, str] = {
    "seq": "Number in the server's order.",
    "at": "When, in UTC.",
    "rater": "The rater's id, or the judge's or member's where an answer is theirs.",
    "section": "The section of the study.",
    "item": "The item's id.",
    "repeat": "Which of the item's slots, counted from 0; the rater's place in a check.",
    "round": "1 is the first round of ratings, 0 are checks, 2 and more are reassessments.",
    "question": "The question's id.",
    "position": "Place in the order of the rater's work, counted from 1.",
    "shown": "Which system stood on which side, and the order of each question's options.",
    "assignment": "The assignment that it belongs to.",
    "lease_until": "Until when the slot was kept for the rater; empty where it was kept for good.",
    "evidence": "What the browser reports: which item, options and files it showed, time in sight, plays of clips.",
    "reason": "The reason that was given.",
}

_OWN: Mapping[str, str] = {
    "protocols.number": "0 is the frozen protocol, 1, 2, … are its amendments.",
    "protocols.collection_hash": "Hash of what raters meet: the study file but its analysis, and the files it names.",
    "protocols.analysis_hash": "Hash of the analysis part of the study file.",
    "protocols.text": "The study file as data, without the part that says where the study runs.",
    "protocols.after_event": "Number of the newest event when it was frozen or amended; empty where it was not kept.",
    "protocols.after_answer": "Number of the newest answer when it was frozen or amended; empty where it was not kept.",
    "protocols.reason": "Why the protocol was frozen or amended.",
    "events.rater": "Whom it concerns; empty where it concerns the study.",
    "events.kind": "What happened.",
    "events.after_answer": "Number of the newest answer when it was recorded; empty where it was not kept.",
    "events.data": "The particulars. Remarks at the end of the study are left out.",
    "raters.id": "The rater's id: a place in the plan.",
    "raters.place": "The place as a number.",
    "raters.panel": "The panel that the rater belongs to; empty where there are none.",
    "raters.joined_at": "When the rater was invited, in UTC.",
    "members.id": "The member's id.",
    "members.place": "The id as a number.",
    "members.name": "Left out.",
    "items.id": "The item's id.",
    "items.position": "Place in the drawn sample, counted from 0.",
    "items.fields": "The fields of the item's table, and what media found out about it.",
    "slots.id": "Number of the slot, which claims name.",
    "slots.stratum": "The part of the plan that the slot belongs to, such as a panel.",
    "slots.rater": "Who holds it now.",
    "slots.open": "Whether it can be claimed.",
    "slots.fill": "For drawing the next slot: how many slots of the item are taken.",
    "assignments.id": "Opaque name, keyed by the word that the manifest publishes.",
    "assignments.slot": "The slot that was claimed.",
    "assignments.claimed_seq": "The event through which it was claimed.",
    "assignments.answered": "Whether it was answered.",
    "assignments.revision": "How many times it was answered.",
    "assignments.lost": "0, or the event through which the slot went back to the plan.",
    "submissions.key": "A key that the client made, so that the same form sent twice is stored once.",
    "answers.submission": "The form that it came with.",
    "answers.by": "`rater`, `judge`, or `member` for a decision of the team.",
    "answers.value": "What the question made of the reply; empty where there is a reason instead.",
    "answers.reason": "Why there is no value: " + ", ".join(f"`{reason}`" for reason in Reason) + ".",
    "answers.raw": "The reply as it was typed or clicked.",
    "answers.seconds": "How long the item was in sight, in seconds.",
    "answers.revision": "1 is the first answer to the assignment.",
    "answers.protocol": "Collection hash of the protocol in force.",
    "answers.late": "1 where the slot had gone to another rater when the answer came: it does not count.",
    "answers.number": "The rater's 1st, 2nd, … row.",
    "answers.chain": "Hash over this row and the rater's row before it.",
    "decisions.member": "The member who voted.",
    "decisions.target": "The item's target in canonical form.",
    "decisions.canonical": "The answer in canonical form.",
    "decisions.vote": "Whether the answer counts as right.",
    "calls.key": "Key of the call, so that the same call is made once.",
    "calls.judge": "The judge's id.",
    "calls.purpose": "Why it was made: the answer of record, a swapped order, a repeated sample.",
    "calls.model": "The model that answered.",
    "calls.parameters": "The parameters of the call.",
    "calls.prompt_hash": "Hash of everything that was sent.",
    "calls.prompt": "What was sent; media by their hashes.",
    "calls.reply": "What came back.",
    "calls.said": "The reply as it was read, by question.",
    "calls.confidence": "How sure the judge was, by question.",
    "calls.details": "Further particulars of the reply.",
    "calls.note": "What went wrong, if anything.",
    "calls.attempts": "How many attempts it took.",
    "calls.tokens_in": "Tokens sent.",
    "calls.tokens_out": "Tokens received.",
    "calls.cost": "Cost, where a price was stated.",
    "calls.seconds": "How long it took, in seconds.",
}

_DATA: Mapping[str, str] = {
    "section": _COMMON["section"],
    "question": _COMMON["question"],
    "annotator_id": "The rater's id, or the judge's.",
    "response_raw": "The reply as it was typed or clicked.",
    "response_normalized": "What the question made of it.",
    "response_label": "The answer as the category on which raters may agree: a concept, a point, a system.",
    "is_correct": "Whether it is right, by the target, its variants and the team's decisions; empty where none is.",
    "timestamp": "When it was given, in UTC.",
    "n_answers": "How many answers the verdict is made of.",
    "verdict": "What the answers amount to; empty where they amount to nothing.",
    "verdict_status": "How the verdict came about.",
    "num_correct": "How many answers are right.",
    "majority_correct": "Whether the majority is right; empty where there is no majority.",
}

_MERGED: Mapping[str, str] = {
    "section": _COMMON["section"],
    "question": _COMMON["question"],
    "item": _COMMON["item"],
    "score": "People's mean score where there is one, else the judge's.",
    "source": "Where the score is from: `human` or `ai`; empty where there is none.",
    "human": "The mean of people's scores; those who saw the judge's score are not among them, unless everybody did.",
    "ai": "The judge's score.",
    "confidence": "How sure the judge was.",
    "route": "Where the rule sent the item: `review` and `audit` to people, `accepted` to nobody.",
    "inclusion": "The probability with which people look at it: 1 where the rule sends it, else the audit share.",
}

_PLAYED: Mapping[str, str] = {
    "section": _COMMON["section"],
    "item": _COMMON["item"],
    "annotator_id": "The rater's id.",
    "system": "The system that made the clip; empty where none are compared.",
    "clip": "The clip's file.",
    "full_plays": "How often it was played in full on its own: 98% of it, in sight, at no more than its own speed.",
    "full_plays_together": "How often it was played in full in step with the other side.",
    "asked": "How many full plays the protocol asks for.",
    "reached": "Whether it was played as often as asked.",
    "failures": "How often a file of the page failed to load or to play.",
    "media_failed": "Whether the rater went on without it.",
    "seeks": "How often the rater jumped within a clip of the page.",
    "hidden": "How often the page went out of sight.",
    "seconds": "How long the item was in sight over all the times that it was answered, in seconds.",
}


def meaning(table: str, column: str) -> str:
    """What a column of a table of rows means."""
    return _OWN.get(f"{table}.{column}") or _COMMON[column]


def codebook(protocol: Protocol, columns: Mapping[str, list[str]]) -> str:
    """The codebook as Markdown; `columns` are those of each table of rows."""
    return "\n".join([*_head(protocol), *_questions(protocol), *_data(protocol), *_rows(columns)]) + "\n"


def _head(protocol: Protocol) -> Iterator[str]:
    yield f"# Codebook: {say(protocol.file.title)}"
    yield ""
    yield "An empty field is nothing, never false or 0. Times are in UTC. A missing answer has its reason."
    yield ""
    yield (
        "In CSV files a text that a spreadsheet would run (it begins with =, +, -, @, a tab or a line break) has an "
        "apostrophe before it, and one with apostrophes before such a beginning has one more: without the first it is "
        "the text. Numbers have none."
    )


def _questions(protocol: Protocol) -> Iterator[str]:
    yield from ("", "## What was asked", "")
    yield from _table("section", "question", "words", "kind", "level", "values", "target")
    for section in protocol.sections:
        for ask in section.ask:
            yield _line(section.id, ask.id, say(ask.question.prompt), ask.kind, ask.question.level, *_values(ask))
        for score in section.scores:
            yield _line(section.id, score.id, definition(section, score), "score", "", "", "")


def _values(ask: Asks) -> tuple[str, str]:
    names = [name for name in ask.question.readings() if name != "correctness"]
    known = ask.question.scale() or (ask.question.declared(names[0]) if names else ()) or ask.question.option_ids()
    return ", ".join(map(str, known)), ask.question.target_field()


def columns_told(protocol: Protocol) -> dict[str, str]:
    """What each column of the data files holds; any other is a field of the items' table."""
    told = {**_DATA, protocol.file.export.item_id: "The item's id."}
    if protocol.analysis.compare is not None:
        judge = protocol.analysis.compare.judge
        told |= {judge: "What this judge answered.", f"{judge}_correct": "Whether this judge is right."}
        told[f"human_{judge}_agree"] = "Whether people's verdict and this judge come to the same."
    return told


def _data(protocol: Protocol) -> Iterator[str]:
    told = columns_told(protocol)
    yield from ("", "## The data files (`report/`)")
    for name, columns in (
        ("annotations_raw.csv: one row an answer; judge_responses.csv has the same columns", raw_columns(protocol)),
        ("annotations_summary.csv: one row an item and question", summary_columns(protocol)),
        (f"{sampled_name(protocol)}: one row a drawn item", sampled_columns(protocol)),
    ):
        yield from ("", f"### {name}", "")
        yield from _table("column", "meaning")
        yield from (_line(column, told.get(column) or "A field of the items' table.") for column in columns)
    if protocol.file.triage is not None:
        yield from ("", "### merged_scores.csv: one row an item and question that the triage rule routed", "")
        yield from _table("column", "meaning")
        yield from (_line(column, _MERGED[column]) for column in MERGED)
    if any(plays_asked(protocol, section) for section in protocol.sections):
        yield from ("", "### playback.csv: one row an answer and clip", "")
        yield from _table("column", "meaning")
        yield from (_line(column, _PLAYED[column]) for column in COLUMNS)


def _rows(columns: Mapping[str, list[str]]) -> Iterator[str]:
    yield from ("", "## The rows (`rows/`), one JSON object a line")
    for table, names in columns.items():
        yield from ("", f"### {table}.jsonl", "", TABLES[table], "")
        yield from _table("column", "meaning")
        yield from (_line(name, meaning(table, name)) for name in names)


def _table(*columns: str) -> Iterator[str]:
    yield _line(*columns)
    yield _line(*("---" for _ in columns))


def _line(*cells: object) -> str:
    return "| " + " | ".join(" ".join(str(cell).split()).replace("|", "\\|") for cell in cells) + " |"
